// @module-tag long
import { describe, expect, it } from 'vitest'
import { integral } from './integrals'
import { bodyAt, bodyIn, contactForceOn, floor, recorded, sceneOf, size, times, turn, worst } from './support'

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
  // 0 and π/4 are points of the rim with initial contact constraints; the others lie between them.
  it.each([0, 0.02, Math.PI / 8, Math.PI / 4, 1, 2.5])('tips if tan θ exceeds width ÷ height, downhill at %f rad, to a millionth of a radian', azimuth => {
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

  it('is carried with its weight, in equilibrium, on a plane and on a box', () => {
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

  it('stays on the edge of a table until its centre is beyond it, and on another cylinder until its centre is beyond the rim', () => {
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

/** rad/s: angular velocity after a time of a body released at an angle `lean` from unstable equilibrium, ψ̈ = rate² sin ψ, by bisection of the energy integral. */
function fallingFor(time: number, rate: number, lean: number): number {
  // ψ = lean + (top − lean) u², so that the integrand of t = ∫ dψ/ψ̇ has no singular end.
  const timeTo = (top: number): number => integral(u => {
    const way = (top - lean) * u * u
    return 2 * (top - lean) * u / (2 * rate * Math.sqrt(Math.sin(lean + way / 2) * Math.sin(way / 2)))
  }, 1e-12, 1)
  let [low, high] = [lean * (1 + 1e-9), Math.PI]
  for (let k = 0; k < 80; k++) {
    const middle = (low + high) / 2
    if (timeTo(middle) < time) low = middle
    else high = middle
  }
  return 2 * rate * Math.sqrt(Math.sin((low + lean) / 2) * Math.sin((low - lean) / 2))
}

describe('a tipping cylinder rotates as an inverted pendulum', () => {
  const turning = (scene: object, id: string): number => {
    const run = recorded(scene)
    expect(run.end.status).toBe('completed')
    expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
    return size(bodyIn(run, id).angularVelocity)
  }
  /** Of a cylinder about a line across its end, `lever` from its axis, height h: arm and ψ̈ ÷ sin ψ. */
  const about = (r: number, h: number, lever: number): number => {
    const arm = Math.hypot(lever, h / 2)
    return Math.sqrt(g * arm / ((3 * r * r + h * h) / 12 + arm * arm))
  }

  it.each([0, 0.3, 1, Math.PI / 4])('down a slope, at %f rad', azimuth => {
    const angle = Math.atan(0.5) + 0.01
    const normal = [Math.sin(angle) * Math.cos(azimuth), Math.sin(angle) * Math.sin(azimuth), Math.cos(angle)]
    const omega = turning(sceneOf([
      { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] },
      cylinder('column', 0.25, 1, normal.map(x => 0.5 * x), { orientation: turn([-Math.sin(azimuth), Math.cos(azimuth), 0], angle) }),
    ], 2, { duration: 0.5, outputRate: 10 }), 'column')
    expect(Math.abs(omega / fallingFor(0.5, about(0.25, 1, 0.25), 0.01) - 1)).toBeLessThanOrEqual(1e-7)
  })

  it.each([[1e-2, 0], [1e-3, 0.7]])('over the edge of a table by %f m, turned by %f rad', (over, spin) => {
    const omega = turning(sceneOf([table, cylinder('puck', 0.25, 0.2, [2 + over, 0.1, 0.1], { orientation: turn([0, 0, 1], spin) })], 0.9, { duration: 0.2, outputRate: 10 }), 'puck')
    expect(Math.abs(omega / fallingFor(0.2, about(0.25, 0.2, over), Math.atan2(over, 0.1)) - 1)).toBeLessThanOrEqual(1e-7)
  })

  it('over the rim of another', () => {
    const over = 1e-2
    const omega = turning(sceneOf([
      { ...cylinder('below', 0.25, 0.2, [0, 0, 0]), type: 'fixed' },
      cylinder('above', 0.2, 0.2, [(0.25 + over) * Math.cos(1), (0.25 + over) * Math.sin(1), 0.2]),
    ], 0.9, { duration: 0.2, outputRate: 10 }), 'above')
    expect(Math.abs(omega / fallingFor(0.2, about(0.2, 0.2, over), Math.atan2(over, 0.1)) - 1)).toBeLessThanOrEqual(1e-7)
  })
})

it('a column rocks to rest, with the loss of every landing and the duration of every rocking motion in closed form', () => {
  const [r, h, lean] = [0.25, 1, 0.2]
  const run = recorded(sceneOf([floor, cylinder('column', r, h, [0, 0, r * Math.sin(lean) + h / 2 * Math.cos(lean)], { orientation: turn([0, 1, 0], lean) })], 0.6, { duration: 3, outputRate: 20 }))
  expect(run.end.status).toBe('completed')
  expect(run.events.some(event => event.kind === 'degraded')).toBe(false)
  expect(run.end.steps).toBeLessThan(1000)
  expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
  expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-12)
  expect(size(bodyIn(run, 'column').angularVelocity)).toBe(0)
  // About the rim: I = arm² + (3r² + h²)/12 per unit of mass; a landing on the opposite point keeps 1 − 2r²/I [Housner 1963].
  const [arm, balance] = [Math.hypot(r, h / 2), Math.atan2(r, h / 2)]
  const inertia = arm * arm + (3 * r * r + h * h) / 12
  const kept = 1 - 2 * r * r / inertia
  const speedAfter = (way: number, top: number): number => Math.sqrt(4 * g * arm / inertia * Math.sin(balance - top + way / 2) * Math.sin(way / 2))
  const fallFrom = (top: number): number => integral(u => 2 * top * u / speedAfter(top * u * u, top), 1e-12, 1)
  let time = 0
  let top = lean
  for (let landing = 0; landing < 6; landing++) {
    time += fallFrom(top)
    const now = run.events.filter(event => event.kind === 'impact' && Math.abs(event.time - time) < 1e-4)
    const omega = speedAfter(top, top)
    expect(now.length).toBeGreaterThan(0)
    expect(Math.abs(now[0]!.time - time)).toBeLessThanOrEqual(2e-8)
    expect(Math.abs(Math.max(...now.map(event => event.approachSpeed)) / (2 * r * omega) - 1)).toBeLessThanOrEqual(1e-7)
    const after = kept * omega
    top = balance - Math.acos(Math.min(1, Math.cos(balance) + after * after * inertia / (2 * g * arm)))
    time += fallFrom(top)
  }
})

// The deceleration of the spin depends on the distribution of pressure, which mechanics leaves undetermined; the run reports that.
it.each([[0.2, 1.2, 0.3, 20], [0.2, 0.8, 0.1, -15]])('a spinning coin slides over the edge of a table without a fallback: μ = %f, %f m/s, %f m/s, %f rad/s', (mu, vx, vy, spin) => {
  for (const y of [0, 0.1]) {
    const run = recorded(sceneOf([table, cylinder('coin', 0.1, 0.02, [1.85, y, 0.01], { linearVelocity: [vx, vy, 0], angularVelocity: [0, 0, spin] })], mu, { duration: 0.6, outputRate: 20 }))
    expect(run.end.status).toBe('completed')
    expect(run.events.some(event => event.kind === 'degraded')).toBe(false)
    expect(run.events.some(event => event.kind === 'indeterminate')).toBe(true)
    expect(run.end.steps).toBeLessThan(600)
    expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
    expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-12)
    expect(bodyIn(run, 'coin').position[2]).toBeLessThan(-0.5)
  }
})

// Braking moves the centre of pressure ahead by μ h/2: it reaches the edge, and the coin tips, before its centre does.
it.each([[1.2, 0.3, 0], [1.2, 0.3, 0.1], [0.8, 0.1, 0], [0.8, 0.1, 0.1]])('a coin pushed over the edge of a table without spin tips when its pressure passes the edge: %f m/s, %f m/s, from %f m', (vx, vy, y) => {
  const [mu, height] = [0.2, 0.02]
  const run = recorded(sceneOf([table, cylinder('coin', 0.1, height, [1.85, y, height / 2], { linearVelocity: [vx, vy, 0] })], mu, { duration: 0.6, outputRate: 20 }))
  expect(run.end.status).toBe('completed')
  expect(run.events.some(event => event.kind === 'degraded' || event.kind === 'indeterminate')).toBe(false)
  expect(run.end.steps).toBeLessThan(1000)
  expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
  expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-12)
  expect(bodyIn(run, 'coin').position[2]).toBeLessThan(-0.1)
  const v0 = Math.hypot(vx, vy)
  const way = 0.15 / (vx / v0) - mu * height / 2
  const tips = (v0 - Math.sqrt(v0 * v0 - 2 * mu * g * way)) / (mu * g)
  expect(run.events.some(event => event.kind === 'restart' && event.message === 'release' && Math.abs(event.time - tips) < 1e-9)).toBe(true)
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

it('cylinders stacked out of line stand still, and each interface carries the weight above', () => {
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
