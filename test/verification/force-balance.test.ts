import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bodyMasses } from '../../core/analysis/body-masses'
import { contactRow } from '../../core/analysis/contact-row'
import { forceBalance, type ForceSource, type RecordedFrame } from '../../core/analysis/force-balance'
import { FrozenIndexSet } from '../../core/contact/frozen-index-set'
import type { ContactProblem } from '../../core/lcp/problem'
import { requireScene, resolveScene } from '../../core/scene'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import { ball, box, floor, recorded, sceneOf, size, turn } from './support'

afterEach(() => vi.restoreAllMocks())

function framesOf(scene: object): RecordedFrame[] {
  const masses = bodyMasses(resolveScene(requireScene(scene)))
  const { header, frames, contacts, joints, forces, end } = recorded(scene)
  expect(end.status).toBe('completed')
  return frames.map((frame, k) => ({ header, masses, frame, contacts: contacts[k]!, joints: joints[k]!, forces: forces[k]! }))
}

/** Largest |Σ F − m a| and |Σ τ − L̇| over all bodies and frames, ÷ the largest force and torque in the balance. */
function worstGap(frames: readonly RecordedFrame[]): number {
  let worst = 0
  for (const frame of frames) {
    frame.header.bodyIds.forEach((_, body) => {
      const balance = forceBalance(frame, body)
      if (!balance?.rate) return
      for (const part of ['force', 'torque'] as const) {
        const scale = Math.max(1e-3, size(balance.rate[part]), ...balance.entries.map(entry => size(entry[part])))
        worst = Math.max(worst, size(balance.sum[part].map((x, k) => x - balance.rate![part][k]!)) / scale)
      }
    })
  }
  return worst
}

const kindsIn = (frames: readonly RecordedFrame[]) => new Set(frames.flatMap(frame =>
  frame.header.bodyIds.flatMap((_, body) => forceBalance(frame, body)?.entries.map(entry => entry.kind) ?? [])))

const piled = sceneOf([
  floor, box('sledge', [0.4, 0.3, 0.2], [0, 0, 0.1], { linearVelocity: [1, 0.2, 0] }), box('tower', [0.2, 0.2, 0.2], [0, 0, 0.3], { linearVelocity: [1, 0.2, 0] }),
  ball('planet', 0.1, [3, 0, 3], { linearVelocity: [0, 1, 0], angularVelocity: [1, 2, 3] }),
  box('door', [0.8, 0.1, 1], [0, 5, 2], { angularVelocity: [0, 0, 1] }), box('flap', [0.5, 0.1, 0.5], [0, 7, 2]), box('bob', [0.2, 0.1, 0.3], [0, 9, 2]),
  box('cart', [0.3, 0.2, 0.2], [4, 0, 4], { linearVelocity: [0.5, 0, 0] }), box('lamp', [0.1, 0.2, 0.3], [4, 0, 3.5]),
], 0.3, { duration: 0.5, outputRate: 50 }, {
  joints: [
    { id: 'motor', type: 'hinge', bodyA: 'door', bodyB: null, anchor: [-0.4, 5, 2], axis: [0, 0, 1], motor: { targetVelocity: 1, maxForce: 50 }, damping: 0.5 },
    { id: 'weak', type: 'hinge', bodyA: 'flap', bodyB: null, anchor: [-0.25, 7, 2], axis: [0, 1, 0], motor: { targetVelocity: -5, maxForce: 0.5 }, friction: 0.2 },
    { id: 'spring', type: 'hinge', bodyA: 'bob', bodyB: null, anchor: [0, 9, 2.5], axis: [1, 0, 0], spring: { stiffness: 3, rest: 0.2 }, limits: { lower: -0.05, upper: 0.05 } },
    { id: 'rail', type: 'slider', bodyA: 'cart', bodyB: null, anchor: [4, 0, 4], axis: [1, 0, 0], damping: 2 },
    { id: 'hook', type: 'ball', bodyA: 'lamp', bodyB: 'cart', anchor: [4, 0, 3.8], damping: 0.1 },
  ],
  forces: [
    { id: 'air', type: 'drag', linear: 0.2, quadratic: 0.1 },
    { id: 'line', type: 'spring', bodyA: 'planet', bodyB: 'cart', pointA: [0.1, 0, 0], pointB: [0, 0, 0.1], stiffness: 20, damping: 1, restLength: 2 },
    { id: 'push', type: 'point', body: 'sledge', point: [0.2, 0.1, 0], force: [0.5, 0.2, 0] },
    { id: 'twist', type: 'torque', body: 'planet', torque: [0.1, 0, 0.05] },
  ],
})

const gears = sceneOf([
  box('wheel', [0.4, 0.4, 0.1], [0, 0, 1]), box('pinion', [0.2, 0.2, 0.1], [1, 0, 1]), box('frame', [3, 0.2, 0.2], [0.5, 0, 0], { type: 'fixed' }),
], 0.3, { duration: 0.3, outputRate: 50 }, {
  joints: [
    { id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: 'frame', anchor: [0, 0, 1], axis: [0, 0, 1] },
    { id: 'shaft', type: 'hinge', bodyA: 'pinion', bodyB: 'frame', anchor: [1, 0, 1], axis: [0, 0, 1] },
    { id: 'teeth', type: 'gear', jointA: 'axle', jointB: 'shaft', ratio: -0.5 },
  ],
  forces: [{ id: 'crank', type: 'torque', body: 'wheel', torque: [0, 0, 2] }],
})

describe('the forces on a body, by source', () => {
  it('sum to m a and to the rate of angular momentum, whatever acts', () => {
    const frames = framesOf(piled)
    expect(kindsIn(frames)).toEqual(new Set<ForceSource['kind']>(['gravity', 'force', 'contact', 'joint', 'element', 'drive']))
    expect(worstGap(frames)).toBeLessThanOrEqual(1e-11)
  })

  it('sum so through gears on frames that move', () => {
    const scene = JSON.parse(readFileSync(new URL('../../scenes/verification/gears-on-moving-frames.cairn.json', import.meta.url), 'utf8')) as object
    expect(worstGap(framesOf({ ...scene, simulation: { duration: 0.2, outputRate: 20 } }))).toBeLessThanOrEqual(1e-11)
  })

  it('sum so through gears, which press on their frame', () => {
    const frames = framesOf(gears)
    expect(worstGap(frames)).toBeLessThanOrEqual(1e-11)
    // ω̇_B = −2 ω̇_A, so the torque on the wheel turns I_A + 4 I_B, and the teeth give the pinion I_B ω̇_B.
    const inertia = (mass: number, edge: number) => mass * edge * edge / 6
    const [wheel, pinion] = [inertia(16, 0.4), inertia(4, 0.2)]
    const alpha = 2 / (wheel + 4 * pinion)
    const teeth = forceBalance(frames[3]!, 1)!.entries.find(entry => entry.kind === 'joint' && entry.index === 2)!
    expect(teeth.torque[2]).toBeCloseTo(-2 * pinion * alpha, 10)
  })

  it.each(['stack-of-ten', 'jack-down-stairs', 'door-with-a-motor', 'double-pendulum', 'newtons-cradle'])('sum so in the example %s', name => {
    const scene = JSON.parse(readFileSync(new URL(`../../scenes/${name}.cairn.json`, import.meta.url), 'utf8')) as { simulation?: object }
    expect(worstGap(framesOf({ ...scene, simulation: { ...scene.simulation, duration: 0.6, outputRate: 60 } }))).toBeLessThanOrEqual(1e-9)
  })

  it('give the acceleration that the recorded velocities show', () => {
    const frames = framesOf({ ...piled, simulation: { duration: 0.02, outputRate: 1000 } })
    const [before, at, after] = [frames[9]!, frames[10]!, frames[11]!]
    at.header.bodyIds.forEach((_, body) => {
      const m = at.masses.inverseMass[body]!
      const rate = forceBalance(at, body)?.rate
      if (!rate) return
      for (let k = 0; k < 3; k++) {
        const velocity = (frame: RecordedFrame) => frame.frame.bodies[BODY_STRIDE * body + 7 + k]!
        expect(Math.abs((velocity(after) - velocity(before)) / 0.002 - rate.force[k]! * m)).toBeLessThanOrEqual(1e-4)
      }
    })
  })

  it('take no space for bodies in free fall', () => {
    const [frame] = framesOf(sceneOf([floor, ...Array.from({ length: 50 }, (_, i) => ball(`b${i}`, 0.1, [i, 0, 100])), box('crate', [1, 1, 1], [0, 5, 0.5])], 0.5,
      { duration: 0.01, outputRate: 100 }))
    expect([...frame!.forces.body]).toEqual([51])
    expect(forceBalance(frame!, 3)!.rate!.force[2]).toBeCloseTo(-9.81 * 1000 * 4 / 3 * Math.PI * 0.001, 12)
  })
})

describe('the row of a contact', () => {
  /** Compares the first frame's rows with the problem solved at its time. */
  function rowsAndProblem(scene: object) {
    const problems: ContactProblem[] = []
    const solve = FrozenIndexSet.prototype.solveOn
    vi.spyOn(FrozenIndexSet.prototype, 'solveOn').mockImplementation(function (this: FrozenIndexSet, ...given) {
      const { problem } = this['island']
      problems.push({ ...problem, A: problem.A.slice(), b: problem.b.slice() })
      return solve.apply(this, given)
    })
    const [frame] = framesOf(scene)
    expect(problems.length).toBeGreaterThan(0)
    return { frame: frame!, problem: problems[0]! }
  }

  const sliding = sceneOf([
    floor, box('lower', [0.5, 0.5, 0.2], [0, 0, 0.1], { linearVelocity: [1, 0.3, 0], angularVelocity: [0, 0, 2] }),
    box('upper', [0.3, 0.3, 0.3], [0.05, 0, 0.35], { linearVelocity: [1, 0.3, 0], angularVelocity: [0, 0, 2], orientation: turn([0, 0, 1], 0.3) }),
  ], { static: 0.4, dynamic: 0.3 }, { duration: 0.01, outputRate: 100 }, { forces: [{ id: 'push', type: 'point', body: 'upper', point: [0, 0, 0.1], force: [3, 1, -2] }] })
  const rolling = sceneOf([floor, ball('ball', 0.2, [0, 0, 0.2], { linearVelocity: [2, 0, 0], angularVelocity: [1, 4, 3] })], 0.2, { duration: 0.01, outputRate: 100 })
  const held = sceneOf([floor, box('lever', [1, 0.1, 0.1], [0, 0, 0.05])], 0.3, { duration: 0.01, outputRate: 100 }, {
    joints: [{ id: 'pin', type: 'hinge', bodyA: 'lever', bodyB: null, anchor: [0.5, 0, 0.05], axis: [0, 1, 0] }],
  })

  it.each([['of two boxes that slide and spin', sliding], ['of a ball that slides', rolling], ['of a lever that lies on the floor', held]])(
    '%s is the solver\'s own row of A and b', (_, scene) => {
      const { frame, problem } = rowsAndProblem(scene)
      const n = problem.size
      const normals = problem.friction.map(rows => rows.normal)
      expect(frame.contacts.count).toBe(normals.length)
      normals.forEach((row, i) => {
        const found = contactRow(frame, i)!
        expect(Math.abs(found.own / problem.A[row * n + row]! - 1)).toBeLessThanOrEqual(1e-12)
        expect(Math.abs(found.b - problem.b[row]!)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(problem.b[row]!)))
        normals.forEach((column, j) => {
          const term = found.terms.find(({ source }) => source.kind === 'contact' && source.index === j)
          expect(Math.abs((term?.coefficient ?? 0) - problem.A[row * n + column]!)).toBeLessThanOrEqual(1e-12 * problem.A[row * n + row]!)
        })
        expect(found.terms.reduce((sum, term) => sum + term.acceleration, 0)).toBeCloseTo(found.acceleration, 9)
      })
    })
})

it('every frame of a chair at rest has the interval of each leg\'s force', () => {
  const legs = [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(([x, y]) => ({ type: 'box', size: [0.05, 0.05, 0.5], position: [0.2 * x!, 0.2 * y!, -0.25], material: 'stone' }))
  const chair = { id: 'chair', position: [0, 0, 0.5], shapes: [...legs, { type: 'box', size: [0.45, 0.45, 0.05], position: [0, 0, 0.025], material: 'stone' }] }
  const { contacts } = recorded(sceneOf([floor, chair], 0, { duration: 0.5, outputRate: 20 }))
  const weight = contacts[0]!.normalForce.reduce((sum, force) => sum + force, 0)
  for (const { count, interval } of contacts) {
    expect(count).toBe(16)
    for (let k = 0; k < count; k++) {
      expect(Math.abs(interval[2 * k]!)).toBeLessThanOrEqual(1e-9 * weight)
      expect(interval[2 * k + 1]! / weight).toBeGreaterThan(0.4)
    }
  }
})
