/** If no contact forces exist, an impulse stops the slip, for every direction in which the rod slides over the floor. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { normalizeQuaternion, rotate, type Quat } from '../../../../../core/math/quaternion'
import type { Vec3 } from '../../../../../core/math/vector'
import { bodyIn, recorded, times, turn } from '../../../../verification/support'

interface RodScene { bodies: { id: string; position?: Vec3; orientation?: Quat; linearVelocity?: Vec3 }[] }

function jammed(angle: number) {
  const scene = JSON.parse(readFileSync(new URL('../../../../../scenes/verification/rod-inconsistent.cairn.json', import.meta.url), 'utf8')) as RodScene
  const about = normalizeQuaternion(turn([0, 0, 1], angle))
  const rod = scene.bodies.find(({ id }) => id === 'rod')!
  rod.position = rotate(about, rod.position!)
  rod.linearVelocity = rotate(about, rod.linearVelocity!)
  rod.orientation = normalizeQuaternion(times(about, rod.orientation!) as Quat)
  const run = recorded(scene)
  expect(run.end.status).toBe('completed')
  const event = run.events.find(({ kind }) => kind === 'inconsistent')!
  const back = turn([0, 0, 1], -angle)
  const { linearVelocity, angularVelocity } = bodyIn(run, 'rod', run.frames[0])
  return { impulse: rotate(back, [...event.impulse] as unknown as Vec3), energyLoss: event.energyLoss, linear: rotate(back, linearVelocity as Vec3), angular: rotate(back, angularVelocity as Vec3) }
}

it.each([0.3, 1, Math.PI / 2, 2.2, Math.PI, 4, 5.5])('turned by %f rad', angle => {
  const [known, found] = [jammed(0), jammed(angle)]
  expect(known.energyLoss).toBeGreaterThan(0)
  expect(found.energyLoss).toBeCloseTo(known.energyLoss, 10)
  for (const what of ['impulse', 'linear', 'angular'] as const) found[what].forEach((value, k) => { expect(value).toBeCloseTo(known[what][k]!, 10) })
})
