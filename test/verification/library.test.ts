// @module-tag long
/** Parts of the shape library behave as such parts: gears turn in their ratio, arches stand according to their thickness, chains carry their weight. */

import { describe, expect, it } from 'vitest'
import { LIBRARY } from '../../core/modelling'
import { bodyIn, indexOf, recorded, worst, type Recorded } from './support'

function run(id: string, values: Record<string, number>, simulation: object, friction = 0.5): Recorded {
  const { bodies, joints = [], groups = [] } = LIBRARY.find(one => one.id === id)!.make(values, 'stone')
  const floor = { id: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] }
  return recorded({
    format: 'cairn-scene', version: 1, materials: [{ id: 'stone', density: 2500, friction: { static: friction, dynamic: friction } }],
    bodies: [floor, ...bodies], joints, groups, simulation: { method: 'time-stepping', ...simulation },
  })
}

describe('a pair of gears', () => {
  it.each([[20, 30], [24, 18]])('of %i and %i teeth turns in that ratio, by nothing but its teeth', (a, b) => {
    const speed = 3
    const result = run('gear-pair', { teethA: a, teethB: b, speed }, { duration: 1, outputRate: 60, timeStepping: { step: 1 / 240 } }, 0.1)
    expect(result.end.status).toBe('completed')
    expect(worst(result, ({ maxPenetration }) => maxPenetration)).toBeLessThanOrEqual(1e-9)
    const turned = (id: string): number[] => {
      let [last, whole] = [0, 0]
      return result.frames.map(frame => {
        const [, y, , w] = bodyIn(result, id, frame).orientation
        const angle = 2 * Math.atan2(y!, w!)
        whole += Math.round((last - angle) / (2 * Math.PI)) * 2 * Math.PI
        last = angle
        return angle + whole
      })
    }
    const [first, second] = [turned('gear-a'), turned('gear-b')]
    expect(first.at(-1)!).toBeGreaterThan(0.9 * speed)
    // Within the backlash at the pitch circle and the error of flats that approximate an involute.
    const play = 2 * 0.0005 / (0.02 * b / 2)
    second.forEach((angle, k) => expect(Math.abs(angle + first[k]! * a / b)).toBeLessThan(1.5 * play))
  })
})

describe('a semicircular arch', () => {
  // Milankovitch: a semicircle stands from 0.1075 of its mean radius on; with few stones a little less is enough, since there are fewer joints.
  const arch = (share: number) => {
    const thickness = share / (1 - share / 2)
    const result = run('arch', { stones: 15, radius: 1, thickness }, { duration: 1, outputRate: 30 }, 0.9)
    expect(result.end.status).toBe('completed')
    return bodyIn(result, 'stone-8').position[2]! - bodyIn(result, 'stone-8', result.frames[0]).position[2]!
  }

  it('stands where its thickness is 0.13 of its mean radius', () => expect(Math.abs(arch(0.13))).toBeLessThan(1e-6))
  it('falls where it is 0.09', { tags: 'long' }, () => expect(arch(0.09)).toBeLessThan(-0.05))
})

it('each link of a hanging chain carries what hangs below it', () => {
  const links = 6
  const result = run('chain', { links }, { duration: 0.5, outputRate: 20 })
  expect(result.end.status).toBe('completed')
  const weight = 2500 * 9.81 * 0.0004 * (2 * 0.12 + 2 * (0.07 - 0.04))
  const contacts = result.contacts.at(-1)!
  for (let k = 1; k < links; k++) {
    const [upper, lower] = [indexOf(result, `link-${k}`), indexOf(result, `link-${k + 1}`)]
    let up = 0
    for (let c = 0; c < contacts.count; c++) {
      const pair = [contacts.bodyA[c], contacts.bodyB[c]]
      if (!pair.includes(upper) || !pair.includes(lower)) continue
      up += (pair[0] === lower ? 1 : -1) * (contacts.normalForce[c]! * contacts.normal[3 * c + 2]! + contacts.frictionForce[3 * c + 2]!)
    }
    expect(up / ((links - k) * weight)).toBeCloseTo(1, 9)
  }
})
