import { describe, expect, it } from 'vitest'
import { check } from '../../../../core/simulation'
import { ball, bodyIn, box, recorded, sceneOf } from '../../../verification/support'

const plate = (id: string, x: number, speed: number) => ({ ...box(id, [0.2, 2, 2], [x, 0, 0]), type: 'kinematic', linearVelocity: [speed, 0, 0] })
const still = { gravity: [0, 0, 0] }

describe('constraints that no motion satisfies stop the run, with ids and time', () => {
  it.each([0, 0.5])('a block between two plates that close in on it from both sides, μ = %d', friction => {
    const run = recorded(sceneOf([plate('left', -1.1, 0.5), plate('right', 1.1, -0.5), box('block', [1, 1, 1], [0, 0, 0])], friction, { duration: 2, outputRate: 10 }, still))
    expect(run.end).toMatchObject({ status: 'stopped', reason: 'UnsatisfiableConstraints', ids: ['block', 'left', 'right'] })
    expect(run.end.simulatedTime).toBeCloseTo(1, 12)
  })

  it('but not a block that only one plate pushes, nor one that both carry along', () => {
    const bodies = [plate('left', -0.6, 0.5), plate('right', 0.6, 0.5), box('block', [1, 1, 1], [0, 0, 0])]
    expect(recorded(sceneOf(bodies, 0, { duration: 1, outputRate: 10 }, still)).end.status).toBe('completed')
  })

  it('a block held by fixed joints to two plates that part', () => {
    const run = recorded(sceneOf([plate('left', -1.1, -0.5), plate('right', 1.1, 0.5), box('block', [1, 1, 1], [0, 0, 0])], 0, { duration: 1, outputRate: 10 }, {
      ...still, joints: [
        { id: 'a', type: 'fixed', bodyA: 'block', bodyB: 'left', anchor: [-0.5, 0, 0] }, { id: 'b', type: 'fixed', bodyA: 'block', bodyB: 'right', anchor: [0.5, 0, 0] },
      ],
    }))
    expect(run.end).toMatchObject({ status: 'stopped', reason: 'UnsatisfiableConstraints', simulatedTime: 0, ids: ['a', 'block', 'left'] })
  })
})

describe('initial velocities that contradict a joint', () => {
  const pendulum = (velocity: readonly number[]) => sceneOf(
    [{ id: 'bob', position: [0, 0, -2], linearVelocity: velocity, mass: { mass: 3, inertia: [1e-9, 1e-9, 1e-9, 0, 0, 0] } }], 0, { duration: 0.1, outputRate: 10 },
    { joints: [{ id: 'rod', type: 'distance', bodyA: 'bob', bodyB: null, anchor: [0, 0, -2], anchorB: [0, 0, 0] }] })

  it('cause a warning, with ids and the rate at which they violate it', () => {
    const { problems, scene } = check(pendulum([1, 0, -0.5]))
    expect(scene).not.toBeNull()
    expect(problems).toMatchObject([{ name: 'ContradictoryVelocities', severity: 'warning', path: 'joints[0]', ids: ['rod', 'bob'], time: 0 }])
    expect(problems[0]!.value).toBeCloseTo(0.5, 12)
    expect(check(pendulum([1, 0, 0])).problems).toEqual([])
  })

  it('are changed as little as the joint requires, and an event says by how much', () => {
    const run = recorded(pendulum([1, 0, -0.5]))
    expect(run.end.status).toBe('completed')
    expect(run.end.warnings[0]).toMatch(/joint "rod" contradicts the initial velocities/)
    const said = run.events.find(({ kind }) => kind === 'warning')!
    expect(said).toMatchObject({ time: 0, joint: 0, bodyA: 0 })
    expect(said.message).toMatch(/"bob" by 0\.5\d* m\/s and 0 rad\/s|"bob" by 0\.4999\d* m\/s/)
    const { linearVelocity } = bodyIn(run, 'bob', run.frames[0])
    expect(linearVelocity[0]).toBeCloseTo(1, 12)
    expect(linearVelocity[2]).toBeCloseTo(0, 12)
  })

  it('cause no warning when both bodies of the joint move together', () => {
    const scene = sceneOf([ball('a', 0.1, [0, 0, 0], { linearVelocity: [2, 0, 0] }), ball('b', 0.1, [1, 0, 0], { linearVelocity: [2, 0, 0] })], 0, {}, {
      joints: [{ id: 'weld', type: 'fixed', bodyA: 'a', bodyB: 'b', anchor: [0.5, 0, 0] }],
    })
    expect(check(scene).problems).toEqual([])
  })
})

describe('joints that are violated at the start are refused', () => {
  const bob = ball('bob', 0.1, [0, 0, -1])
  it.each([
    ['rod', { type: 'distance', anchor: [0, 0, -1], anchorB: [0, 0, 0], length: 1.5 }, 0.5],
    ['wire', { type: 'pointOnCurve', anchor: [0, 0, -1], curve: { type: 'line', point: [0, 0, 0], direction: [1, 0, 0] } }, 1],
  ] as const)('a %s', (id, joint, error) => {
    const { problems, scene } = check(sceneOf([bob], 0, {}, { joints: [{ id, bodyA: 'bob', bodyB: null, ...joint }] }))
    expect(scene).toBeNull()
    expect(problems).toMatchObject([{ name: 'UnsatisfiableConstraints', path: 'joints[0]', ids: [id, 'bob'], time: 0 }])
    expect(problems[0]!.value).toBeCloseTo(error, 12)
  })

  it('limits violated by the initial position, and a motor without an axis', () => {
    const hinge = { type: 'hinge', bodyA: 'bob', bodyB: null, anchor: [0, 0, 0] }
    const names = (joint: object) => check(sceneOf([bob], 0, {}, { joints: [{ ...hinge, id: 'h', ...joint }] })).problems.map(({ name, ids }) => [name, ids])
    expect(names({ axis: [0, 0, 1], limits: { lower: 0.1, upper: 1 } })).toEqual([['InvalidLimits', ['h']]])
    expect(names({ axis: [0, 0, 0], motor: { targetVelocity: 1, maxForce: 1 } })).toEqual([['ZeroVector', ['h']]])
  })
})

describe('a wedge that comes down on a block in a plane guide', () => {
  /** rad: of the wedge's face against the guide; friction above its tangent jams. */
  const slope = 0.35
  const run = (friction: number, simulation: object) => recorded(sceneOf([
    box('block', [1, 1, 1], [0, 0, 0]),
    { ...box('wedge', [4, 4, 0.2], [0, 0, 1.3]), type: 'kinematic', orientation: [0, Math.sin(slope / 2), 0, Math.cos(slope / 2)], linearVelocity: [0, 0, -1] },
  ], friction, { duration: 0.6, outputRate: 20, ...simulation }, {
    ...still, joints: [{ id: 'guide', type: 'planar', bodyA: 'block', bodyB: null, anchor: [0, 0, -0.5], normal: [0, 0, 1] }],
  }))
  const laws = ['simultaneous', 'sequential'].map(impact => ({ eventDriven: { impact } }))
  const methods = ['event-driven', 'time-stepping'].flatMap(method => laws.map(law => ({ method, ...law })))

  it.each(methods)('pushes it aside if friction is less than the tangent of the slope: $method, $eventDriven.impact', simulation => {
    const { end } = run(0.9 * Math.tan(slope), simulation)
    expect(end).toMatchObject({ status: 'completed' })
  })

  const byImpulses = methods.filter(({ method, eventDriven: { impact } }) => method === 'event-driven' || impact === 'sequential')
  it.each(byImpulses)('stops the run, with ids, if friction is greater: $method, $eventDriven.impact', simulation => {
    const { end } = run(1.1 * Math.tan(slope), simulation)
    expect(end).toMatchObject({ status: 'stopped', reason: 'UnsatisfiableConstraints', message: expect.stringMatching(/^friction wedges guide, /) as string })
    expect([...end.ids].sort()).toStrictEqual(['block', 'guide', 'wedge'])
  })

  it('stops a time-stepped run whose solver treats contacts and impacts together', () => {
    const { end } = run(1.1 * Math.tan(slope), { method: 'time-stepping' })
    expect(end).toMatchObject({ status: 'stopped', reason: 'StepSizeUnderflow', ids: ['block'], message: expect.stringContaining('no impulses of contacts, drives and limits were found that hold together with the joints') as string })
  })
})
