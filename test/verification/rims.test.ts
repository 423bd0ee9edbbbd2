import { describe, expect, it } from 'vitest'
import { bodyAt, contactForceOn, floor, recorded, sceneOf, size, times, turn, worst } from './support'

const g = 9.81
const cylinder = (id: string, radius: number, height: number, position: readonly number[], rest: object = {}): object =>
  ({ id, position, shapes: [{ type: 'cylinder', radius, height, material: 'stone' }], ...rest })
const table = { id: 'table', type: 'fixed', position: [0, 0, -0.5], shapes: [{ type: 'box', size: [4, 4, 1], material: 'stone' }] }
const tips = (scene: object): boolean => {
  const run = recorded(scene)
  expect(run.end.status).toBe('completed')
  expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-12)
  expect(worst(run, c => c.maxComplementarity)).toBeLessThanOrEqual(1e-10)
  return size(bodyAt(run.frames.at(-1)!, 1).angularVelocity) > 1e-8
}

describe('a cylinder on its end', () => {
  // 0 and π/4 are points of the rim that are held from the beginning, the others lie between them.
  it.each([0, 0.02, Math.PI / 8, Math.PI / 4, 1, 2.5])('tips where tan θ exceeds width ÷ height, downhill at %f rad, to a millionth of a radian', azimuth => {
    const slope = (angle: number): object => {
      const normal = [Math.sin(angle) * Math.cos(azimuth), Math.sin(angle) * Math.sin(azimuth), Math.cos(angle)]
      return sceneOf([
        { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] },
        cylinder('column', 0.25, 1, normal.map(x => 0.5 * x), { orientation: turn([-Math.sin(azimuth), Math.cos(azimuth), 0], angle) }),
      ], 2, { duration: 0.05, outputRate: 20 })
    }
    const critical = Math.atan(0.5)
    expect(tips(slope(critical - 1e-6))).toBe(false)
    expect(tips(slope(critical + 1e-6))).toBe(true)
  })

  it('is held with its weight, in balance, on a plane and on a box', () => {
    for (const ground of [floor, table]) {
      const run = recorded(sceneOf([ground, cylinder('column', 0.25, 1, [0.1, 0.2, 0.5], { orientation: turn([0, 0, 1], 0.3) })], 0.5, { duration: 1, outputRate: 5 }))
      const weight = 1000 * g * Math.PI * 0.25 * 0.25
      for (const contacts of run.contacts) {
        contactForceOn(contacts, 1).total.forEach((force, k) => expect(Math.abs(force - (k === 2 ? weight : 0))).toBeLessThanOrEqual(1e-12 * weight))
      }
      const [first, last] = [bodyAt(run.frames[0]!, 1), bodyAt(run.frames.at(-1)!, 1)]
      expect(size(last.position.map((x, k) => x - first.position[k]!))).toBeLessThanOrEqual(1e-12)
    }
  })

  it('stays on the edge of a table until its middle is beyond, and on another cylinder until its middle is beyond the rim', () => {
    const over = (x: number): object => sceneOf([table, cylinder('puck', 0.25, 0.2, [x, 0, 0.1])], 0.5, { duration: 0.1, outputRate: 20 })
    expect(tips(over(2 - 1e-6))).toBe(false)
    expect(tips(over(2 + 1e-3))).toBe(true)
    const stacked = (apart: number): object => sceneOf([
      { ...cylinder('below', 0.25, 0.2, [0, 0, 0]), type: 'fixed' }, cylinder('above', 0.2, 0.2, [apart * Math.cos(1), apart * Math.sin(1), 0.2]),
    ], 0.5, { duration: 0.1, outputRate: 20 })
    expect(tips(stacked(0.25 - 1e-6))).toBe(false)
    expect(tips(stacked(0.25 + 1e-3))).toBe(true)
  })
})

it('a coin pushed over a table slides v₀²/2μg in its own direction and does not turn', () => {
  const [mu, v0] = [0.3, 1.5]
  const run = recorded(sceneOf([table, cylinder('coin', 0.1, 0.02, [-0.3, 0.1, 0.01], { linearVelocity: [0.8 * v0, 0.6 * v0, 0] })], mu, { duration: 0.8, outputRate: 10 }))
  const last = bodyAt(run.frames.at(-1)!, 1)
  const way = v0 * v0 / (2 * mu * g)
  expect(Math.abs(last.position[0]! - (-0.3 + 0.8 * way))).toBeLessThanOrEqual(1e-9)
  expect(Math.abs(last.position[1]! - (0.1 + 0.6 * way))).toBeLessThanOrEqual(1e-9)
  expect(size(last.orientation.slice(0, 3))).toBeLessThanOrEqual(1e-9)
  expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
})

it('cylinders stacked out of line stand still, each interface carrying what is above', () => {
  const stack = [0, 1, 2, 3].map(k => cylinder(`disc-${k}`, 0.25, 0.2, [0.03 * (k % 2), 0.02 * k, 0.1 + 0.2 * k], { orientation: turn([0, 0, 1], k) }))
  const run = recorded(sceneOf([floor, ...stack], 0.5, { duration: 1, outputRate: 5 }))
  const weight = 1000 * g * Math.PI * 0.25 * 0.25 * 0.2
  expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-12)
  for (const contacts of run.contacts) {
    for (let k = 0; k < 4; k++) {
      let under = 0
      for (let i = 0; i < contacts.count; i++) {
        if ([contacts.bodyA[i], contacts.bodyB[i]].includes(k) && [contacts.bodyA[i], contacts.bodyB[i]].includes(k + 1)) under += contacts.normalForce[i]!
      }
      expect(Math.abs(under / ((4 - k) * weight) - 1)).toBeLessThanOrEqual(1e-9)
    }
  }
})

it('a cylinder dropped on its end bounces as Newton says and stays upright', () => {
  const run = recorded(sceneOf([floor, cylinder('drum', 0.25, 0.3, [0, 0, 0.65])], 0.5, { duration: 0.6, outputRate: 20 }, {}, 0.5))
  const first = run.events.find(event => event.kind === 'impact')!
  expect(Math.abs(first.time - Math.sqrt(2 * 0.5 / g))).toBeLessThanOrEqual(1e-9)
  expect(Math.abs(first.reboundSpeed / first.approachSpeed - 0.5)).toBeLessThanOrEqual(1e-9)
  const last = bodyAt(run.frames.at(-1)!, 1)
  expect(size(last.angularVelocity)).toBeLessThanOrEqual(1e-9)
  expect(size(times(last.orientation as never, [0, 0, 0, 1]).slice(0, 3))).toBeLessThanOrEqual(1e-9)
})
