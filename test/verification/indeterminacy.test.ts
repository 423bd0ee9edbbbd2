import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bodyAt, box, floor, recorded, sceneOf, times, turn } from './support'

const g = 9.81
const angle = 72 * Math.PI / 180
/** 16 (cos² θ − μ cos θ sin θ) = −2 [Baraff92 fig. 10.1]. */
const mu = (Math.cos(angle) ** 2 + 1 / 8) / (Math.cos(angle) * Math.sin(angle))
/** ω² sin θ − g = 1 [Baraff92 eq. 10-1]. */
const spin = Math.sqrt((1 + g) / Math.sin(angle))

/**
 * The thin rod of Baraff92 fig. 10.1, I = m/16, its lower end at `tip` of a surface with normal turned from z by `tilt` about y, and sliding at 1 m/s
 * against x turned alike. A bipyramid, so that its ends are single vertices.
 */
function rod(id: string, mass: number, omega: number, tip: readonly number[], tilt = 0, material = 'stone') {
  const r = 0.01
  const turned = turn([0, 1, 0], tilt)
  const by = (v: readonly number[]) => [v[0]! * Math.cos(tilt) + v[2]! * Math.sin(tilt), v[1]!, v[2]! * Math.cos(tilt) - v[0]! * Math.sin(tilt)]
  const arm = by([Math.cos(angle), 0, Math.sin(angle)])
  // v_centre = v_tip + ω × arm
  const slide = by([-1, 0, 0])
  const velocity = [slide[0]! + omega * arm[2]!, 0, slide[2]! - omega * arm[0]!]
  return {
    id, position: tip.map((x, k) => x + arm[k]!), orientation: times(turned, turn([0, 1, 0], Math.PI / 2 - angle)), linearVelocity: velocity, angularVelocity: [0, omega, 0],
    shapes: [{ type: 'convexHull', material, points: [[0, 0, -1], [0, 0, 1], [r, 0, 0], [0, r, 0], [-r, 0, 0], [0, -r, 0]] }],
    mass: { mass, centerOfMass: [0, 0, 0], inertia: [mass / 16, mass / 16, mass / 100, 0, 0, 0] },
  }
}

const run = (mass: number, omega: number, rest: object = {}, simulation: object = {}) =>
  recorded(sceneOf([floor, rod('rod', mass, omega, [0, 0, 0])], mu, { duration: 1e-6, outputRate: 1e6, ...simulation }, rest))

describe('the sliding rod of fig. 10.1, whose tip the rotation lifts as fast as friction presses it down', () => {
  const mass = 3
  it('has two motions, f_N = 0 and f_N = m, and says so', () => {
    const { events } = run(mass, spin)
    const event = events.find(one => one.kind === 'indeterminate')!
    expect(event.time).toBe(0)
    expect(event.solutions.map(contacts => contacts.normalForce[0]!)).toEqual([0, expect.closeTo(mass, 10)])
    expect(event.solutions.map(contacts => contacts.normalAcceleration[0]!)).toEqual([expect.closeTo(1, 10), expect.closeTo(0, 10)])
    expect(event.solutions[1]!.frictionForce[0]).toBeCloseTo(mu * mass, 10)
    expect(event.solution).toBe(0)
    expect(events.filter(one => one.kind === 'indeterminate')).toHaveLength(1)
  })

  it('leaves the floor without a previous state (fig. 10.2a)', () => {
    const time = 1e-5
    const { frames, contacts } = run(mass, spin, {}, { duration: time, outputRate: 1 / time })
    expect(contacts.map(({ normalForce }) => Math.max(...normalForce))).toEqual([0, 0])
    const { linearVelocity: v, angularVelocity: w, orientation: [x, y, z, s] } = bodyAt(frames.at(-1)!, 1)
    // The lower end rises with 1 m/s².
    expect((v[2]! + w[1]! * 2 * (x! * z! + s! * y!)) / time).toBeCloseTo(1, 3)
  })

  it('stays on it in a branch (fig. 10.2b), which the rest of the run continues', () => {
    const { index } = run(mass, spin).events.find(one => one.kind === 'indeterminate')!
    const { contacts, certificates, events, end } = run(mass, spin, {}, { branch: [{ event: index, solution: 1 }], duration: 0.003, outputRate: 1000 })
    expect(events[index]).toMatchObject({ kind: 'indeterminate', solution: 1 })
    expect(contacts[0]!.normalForce[0]).toBeCloseTo(mass, 10)
    for (const { count, normalForce, mode } of contacts) {
      expect(count).toBe(1)
      expect(normalForce[0]).toBeGreaterThan(0.5 * mass)
      expect(mode[0]).toBe(1)
    }
    for (const { maxComplementarity, maxConeViolation } of certificates) expect(Math.max(maxComplementarity, maxConeViolation)).toBeLessThanOrEqual(1e-10)
    expect(end.warnings).toEqual([])
  })

  it('continues to press if it pressed before: the continuous choice', () => {
    const branch = [{ event: run(mass, spin).events.find(one => one.kind === 'indeterminate')!.index, solution: 1 }]
    const keys = [{ time: 0, force: [0, 0, 0], torque: [0, 0, 0] }, { time: 0.001, force: [0, 0, 0], torque: [0, 0, 0] }]
    // A breakpoint of a zero force: contact modes are determined again there, and nothing changes.
    const { contacts, events } = run(mass, spin, { forces: [{ id: 'nothing', type: 'keyframed', body: 'rod', keys }] }, { branch, duration: 0.003, outputRate: 1000 })
    expect(events.some(one => one.kind === 'breakpoint' && one.time === 0.001)).toBe(true)
    expect(contacts[2]!.normalForce[0]).toBeGreaterThan(0.5 * mass)
    expect(events.filter(one => one.kind === 'indeterminate')).toHaveLength(1)
  })

  it('stops, or reports it, if a branch does not exist', () => {
    const { index } = run(mass, spin).events.find(one => one.kind === 'indeterminate')!
    expect(run(mass, spin, {}, { branch: [{ event: index, solution: 2 }] }).end).toMatchObject({ status: 'stopped', reason: 'InvalidBranch' })
    const { end } = run(mass, spin, {}, { branch: [{ event: 4711, solution: 0 }] })
    expect(end.status).toBe('completed')
    expect(end.warnings.join()).toContain('4711')
  })
})

describe('the sliding rod of fig. 10.3, which does not turn', () => {
  it('has no solution under gravity: an impulse stops it', () => {
    const { events } = run(3, 0)
    expect(events.some(one => one.kind === 'inconsistent' && one.time === 0)).toBe(true)
    expect(events.some(one => one.kind === 'indeterminate')).toBe(false)
  })

  it('slides without gravity, with the unique force f_N = 0', () => {
    const { events, frames } = run(3, 0, { gravity: [0, 0, 0] })
    expect(events.some(one => one.kind === 'inconsistent' || one.kind === 'indeterminate')).toBe(false)
    expect(bodyAt(frames.at(-1)!, 1).linearVelocity).toEqual([-1, 0, 0])
  })
})

describe('rods on a sliding block, consistent only where some of their masses sum to S [Baraff92 fig. 11.3]', () => {
  const masses = [1, 2, 5]
  const gadget = (S: number) => sceneOf([
    box('block', [8, 8, 4], [0, 0, 0], { mass: { mass: 100 } }),
    ...masses.map((mass, i) => rod(`r${i}`, mass, spin, [0, 2 * i - 2, 2])),
    rod('right', 1, 0, [4, 0, 0], Math.PI / 2), rod('left', 1, 0, [-4, 0, 0], -Math.PI / 2),
  ], mu, { duration: 1e-6, outputRate: 1e6 }, {
    joints: [{ id: 'rail', type: 'slider', bodyA: 'block', bodyB: null, anchor: [0, 0, 0], axis: [1, 0, 0] }],
    forces: [{ id: 'pull', type: 'uniform', bodies: ['block'], force: [mu * S, 0, 0] }],
  })

  it.each([[3, [1, 2, 0]], [5, [0, 0, 5]]])('presses with the subset that sums to %d', (S, expected) => {
    const { contacts: [first], events } = recorded(gadget(S))
    expect(events.some(one => one.kind === 'inconsistent' && one.time === 0)).toBe(false)
    masses.forEach((_, i) => {
      const k = first!.bodyB.indexOf(i + 1)
      const force = first!.normalForce[k]!
      expect(Math.abs(force - expected[i]!)).toBeLessThanOrEqual(1e-9)
    })
  })

  it('continues as long as the balance lasts, and after its end', () => {
    const file = new URL('../../scenes/verification/subset-sum.cairn.json', import.meta.url)
    const { end, contacts: [first] } = recorded({ ...JSON.parse(readFileSync(file, 'utf8')), simulation: { duration: 2e-5, outputRate: 250_000 } })
    expect([end.status, end.reason]).toEqual(['completed', ''])
    const pressing = [2, 3, 7, 11].map((_, i) => first!.normalForce[first!.bodyB.indexOf(i + 3)] ?? 0)
    pressing.forEach((force, i) => expect(force).toBeCloseTo([2, 3, 7, 0][i]!, 8))
  })

  it('has no forces if no subset does', () => {
    expect(recorded(gadget(4)).events.some(one => one.kind === 'inconsistent' && one.time === 0)).toBe(true)
  })
})
