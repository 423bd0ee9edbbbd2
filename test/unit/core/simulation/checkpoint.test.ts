import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { simulate, type RunEnvironment } from '../../../../core/simulation'
import type { CheckpointFrame, Frame, TrajectoryEvent } from '../../../../core/trajectory/frame'
import { hangingBridge } from '../methods/time-stepping/hanging-bridge'

const scenes = join(import.meta.dirname, '../../../../scenes')
const file = (name: string): object => JSON.parse(readFileSync(join(scenes, `${name}.cairn.json`), 'utf8')) as object

interface Recorded {
  readonly frames: readonly Frame[]
  /** Everything else that was recorded, as text. */
  readonly rest: readonly string[]
  readonly events: readonly TrajectoryEvent[]
  readonly checkpoints: readonly CheckpointFrame[]
  readonly finalHash: string
  readonly status: string
}

const text = (value: unknown): string => JSON.stringify(value, (_, v: unknown) => typeof v === 'number' && (!Number.isFinite(v) || Object.is(v, -0)) ? `#${Object.is(v, -0) ? '-0' : v}` : v)

function run(scene: object, work: number, start?: RunEnvironment['start']): Recorded {
  const [frames, rest, events, checkpoints]: [Frame[], string[], TrajectoryEvent[], CheckpointFrame[]] = [[], [], [], []]
  const keep = (value: unknown): void => void rest.push(text(value))
  const { finalHash, status } = simulate(scene, {
    sink: {
      header: () => undefined, frame: frame => frames.push(frame), contacts: keep, joints: keep, forces: keep, deformables: keep, certificate: keep, script: keep,
      event: event => {
        events.push(event)
        keep(event)
      },
      checkpoint: checkpoint => {
        checkpoints.push(checkpoint)
        rest.push(checkpoint.state)
      },
    },
    cancelled: () => false, now: () => 0, checkpointWork: work, ...(start === undefined ? {} : { start }),
    scripts: { load: () => { throw new Error('no script here') }, dispose: () => undefined },
  })
  return { frames, rest, events, checkpoints, finalHash, status }
}

const rolling = {
  format: 'cairn-scene', version: 1,
  materials: [{ id: 'wood', density: 700, friction: { static: 0.4, dynamic: 0.3 }, restitution: 0.3 }],
  bodies: [
    { id: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'box', position: [0, 0, 0.6], orientation: [0.1, 0.2, 0, 0.9746794344808963], linearVelocity: [1, 0, 0], shapes: [{ type: 'box', size: [0.4, 0.3, 0.2], material: 'wood' }] },
    { id: 'ball', position: [1, 0.1, 0.2], linearVelocity: [-1, 0, 0], shapes: [{ type: 'sphere', radius: 0.2, material: 'wood' }] },
    { id: 'late', position: [0.2, 0, 1.2], spawnTime: 0.31, shapes: [{ type: 'sphere', radius: 0.1, material: 'wood' }] },
  ],
}
const of = (simulation: object, scene: object = rolling): object => ({ ...scene, simulation: { ...(scene as { simulation?: object }).simulation, ...simulation } })

const driven = {
  ...rolling, bodies: [...rolling.bodies, { id: 'crate', position: [3, 0, 0.3], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'wood' }], removeTime: 0.45 }],
  joints: [{
    id: 'rail', type: 'slider', bodyA: 'crate', bodyB: null, anchor: [3, 0, 0.3], axis: [1, 0, 0],
    motor: { maxForce: 30, keys: [{ time: 0.1, targetVelocity: 1 }, { time: 0.3, targetVelocity: -1 }] }, drive: { keys: [{ time: 0.2, force: 5 }] },
  }],
}

/** A rope on which a ball hangs, and a cloth that hangs by a corner. */
const soft = {
  ...rolling, deformables: [
    { id: 'rope', type: 'rope', material: 'wood', points: [[0, 0, 2], [1, 0, 0.2]], segments: 6, pins: [0], attachments: [{ vertex: 6, body: 'ball' }] },
    { id: 'rag', type: 'cloth', material: 'wood', vertices: [[3, 0, 1], [4, 0, 1], [4, 1, 1], [3, 1, 1]], triangles: [[0, 1, 2], [0, 2, 3]], pins: [0] },
  ],
}
/** A pendulum by an exact constraint with feedback. */
const constrained = {
  ...rolling, deformables: [{
    id: 'pendulum', type: 'particles', material: 'wood', radius: 0.01, particles: [{ position: [0, 0, 3], mass: 1 }, { position: [0.5, 0, 3], mass: 1 }], pins: [0],
    constraints: [{ condition: { type: 'distance', vertices: [0, 1] }, feedback: { stiffness: 400, damping: 40 } }],
  }],
}

const cases: readonly (readonly [string, object, number])[] = [
  ['event-driven', of({ duration: 0.8, outputRate: 100, method: 'event-driven' }), 120],
  ['event-driven, bodies that step apart', of({ method: 'event-driven', duration: 1.5 }, file('bouncing-balls')), 100],
  ['event-driven with a joint that turns often', of({ duration: 1, method: 'event-driven' }, file('door-with-a-motor')), 30],
  ['event-driven, driven by keys', of({ duration: 0.8, outputRate: 100, method: 'event-driven' }, driven), 60],
  ['time-stepping, driven by keys', of({ duration: 0.8, outputRate: 100, method: 'time-stepping', timeStepping: { step: 0.005 } }, driven), 60],
  ['time-stepping', of({ duration: 0.8, outputRate: 100, method: 'time-stepping', timeStepping: { step: 0.005 } }), 120],
  ['time-stepping with bodies that fall asleep', of({ duration: 1.6, outputRate: 50, method: 'time-stepping', timeStepping: { step: 0.01, sleep: true } }, file('stack-of-ten')), 300],
  ['time-stepping with a rope and a cloth', of({ duration: 0.4, outputRate: 100, timeStepping: { step: 0.005 } }, soft), 300],
  ['time-stepping with a rope and a cloth by TR-BDF2', of({ duration: 0.4, outputRate: 100, timeStepping: { step: 0.005, implicitMethod: 'tr-bdf2' } }, soft), 300],
  ['time-stepping with exact constraints', of({ duration: 0.3 }, file('train-of-beads')), 200],
  ['the same with feedback', of({ duration: 0.3, outputRate: 100, timeStepping: { step: 0.005 } }, constrained), 20],
  ['time-stepping with a spring', of({ duration: 0.8, outputRate: 100, method: 'time-stepping', timeStepping: { step: 0.01 } }, {
    ...rolling, forces: [{ id: 'spring', type: 'spring', bodyA: 'box', bodyB: 'ball', stiffness: 200, damping: 2, restLength: 0.5 }],
  }), 60],
  ['time-stepping of a bridge whose steps are halved', hangingBridge({ planks: 12, step: 1 / 30, duration: 0.6 }), 45],
  ['penalty', of({ duration: 0.3, outputRate: 100, method: 'penalty', penalty: { stiffness: 1e5, damping: 100, step: 1e-4 } }), 3000],
]

/** Expects that a run from the checkpoint records the same as the whole run after it. */
function expectGoesOn(scene: object, work: number, whole: Recorded, checkpoint: CheckpointFrame): void {
  const rest = run(scene, work, { checkpoint: checkpoint.state })
  expect(rest.frames.map(({ index, time, hash }) => [index, time, hash])).toEqual(whole.frames.slice(checkpoint.index + 1).map(({ index, time, hash }) => [index, time, hash]))
  expect(rest.finalHash).toBe(whole.finalHash)
  expect(rest.rest).toEqual(whole.rest.slice(-rest.rest.length))
}

describe('checkpoints', () => {
  it.each(cases)('%s: a run continued from any of them equals the uninterrupted one in everything that is recorded', { tags: 'long' }, (_, scene, work) => {
    const whole = run(scene, work)
    expect(whole.status).toBe('completed')
    expect(whole.checkpoints.length).toBeGreaterThan(1)
    for (const checkpoint of [whole.checkpoints[0]!, whole.checkpoints.at(-1)!]) expectGoesOn(scene, work, whole, checkpoint)
  })

  it.each(cases)('%s: they cause no events, and the motion is the same as without them', { tags: 'long' }, (_, scene, work) => {
    const [whole, plain] = [run(scene, work), run(scene, Infinity)]
    const counted = (recorded: Recorded, kind: string): number => recorded.events.filter(event => event.kind === kind).length
    expect(plain.checkpoints).toEqual([])
    for (const kind of ['spawn', 'sleep']) expect(counted(whole, kind), kind).toBe(counted(plain, kind))
    const early = whole.checkpoints[0]!
    const near = (recorded: Recorded): string[] => recorded.events.filter(({ kind, time }) => kind === 'newContact' && time <= early.time + 0.01).map(({ bodyA, bodyB }) => `${bodyA}/${bodyB}`)
    expect(near(whole)).toEqual(near(plain))
    const last = (recorded: Recorded): number[] => [...recorded.frames.find(({ time }) => time >= early.time + 0.01)!.bodies].map(value => Number.isNaN(value) ? 0 : value)
    last(whole).forEach((value, k) => expect(Math.abs(value - last(plain)[k]!)).toBeLessThan(1e-6))
  })

  it('steps are measured against the largest energies since the start of the run, also after a checkpoint', () => {
    const [, scene, work] = cases.find(([name]) => name === 'time-stepping with a spring')!
    const peaks = run(scene, work).checkpoints.map(({ state }) => Number(/"past":\[([^,]+),/.exec(state)![1]))
    expect(peaks.length).toBeGreaterThan(2)
    peaks.slice(1).forEach((peak, k) => expect(peak).toBeGreaterThanOrEqual(peaks[k]!))
  })

  it('resting bodies stay at rest after one, also if times are rounded differently', () => {
    const box = (k: number): object => ({
      id: `box${k}`, position: [0, 0, 0.051 + 0.102 * k], orientation: [0, 0, Math.sin(0.1 * k), Math.cos(0.1 * k)], shapes: [{ type: 'box', size: [0.1, 0.1, 0.1], material: 'wood' }],
    })
    const ball = { id: 'ball', position: [5, 0, 20], shapes: [{ type: 'sphere', radius: 0.2, material: 'wood' }] }
    const scene = of({ duration: 1.2, outputRate: 60, method: 'time-stepping', timeStepping: { step: 1 / 60 } }, { ...rolling, bodies: [rolling.bodies[0], box(0), box(1), box(2), ball] })
    const solves = ({ rest }: Recorded): { time: number, solverCalls: number }[] =>
      rest.filter(line => line.includes('"solverCalls"') && !line.includes('"method"')).map(line => JSON.parse(line) as { time: number, solverCalls: number })
    // While the ball falls, the column comes to rest, and rests at the checkpoint.
    const whole = run(scene, 150)
    expect(whole.checkpoints.length).toBe(1)
    const { time } = whole.checkpoints[0]!
    expect(time).toBeGreaterThan(0.6)
    const before = solves(whole).filter(solve => solve.time <= time)
    expect(before.slice(-10).map(({ solverCalls }) => solverCalls)).toEqual(new Array(10).fill(0))
    const after = solves(whole).filter(solve => solve.time > time)
    // The first solution may differ from the stored one by rounding; the column rests once two are equal.
    for (const { solverCalls } of after.slice(0, 3)) expect(solverCalls).toBeLessThanOrEqual(1)
    expect(after.slice(3).map(({ solverCalls }) => solverCalls)).toEqual(new Array(after.length - 3).fill(0))
    expect(after.length).toBeGreaterThan(10)
  })

  it('numbers that JSON cannot represent are restored', () => {
    const [, scene, work] = cases[0]!
    const { checkpoints, frames } = run(scene, work)
    const odd = checkpoints[0]!.state.replace(/"maxKinetic":[^,]+/, '"maxKinetic":"#NaN"').replace(/"maxPotentialChange":[^,]+/, '"maxPotentialChange":"#Infinity"')
    expect(odd).not.toBe(checkpoints[0]!.state)
    expect(run(scene, work, { checkpoint: odd }).frames.at(-1)!.hash).toBe(frames.at(-1)!.hash)
  })

  it('a checkpoint that is damaged or of another scene is refused', () => {
    const [, scene, work] = cases[0]!
    const { checkpoints } = run(scene, work)
    expect(() => run(scene, work, { checkpoint: checkpoints[0]!.state.slice(0, -5) })).toThrow('damaged')
    expect(() => run(scene, work, { checkpoint: '{}' })).toThrow('damaged')
    expect(() => run(file('stack-of-ten'), work, { checkpoint: checkpoints[0]!.state })).toThrow('another scene')
  })
})

describe('a run that begins at a recorded instant', () => {
  it.each(['event-driven', 'time-stepping'])('%s: begins with that frame, at its time, and continues as the recorded run does', method => {
    const scene = of({ duration: 0.5, outputRate: 100, method, timeStepping: { step: 0.005 } })
    const whole = run(scene, Infinity)
    const frame = whole.frames[20]!
    const bodies = new Map(['floor', 'box', 'ball', 'late'].map((id, k) => [id, frame.bodies.slice(13 * k, 13 * k + 13)]))
    const from = run(scene, Infinity, { instant: { time: frame.time, bodies, joints: new Map(), broken: [], particles: new Map() } })
    expect([from.frames[0]!.index, from.frames[0]!.time, from.frames.length]).toEqual([0, frame.time, whole.frames.length - 20])
    from.frames[0]!.bodies.forEach((value, k) => Number.isNaN(value) ? expect(frame.bodies[k]).toBeNaN() : expect(Math.abs(value - frame.bodies[k]!)).toBeLessThan(1e-12))
    const later = from.frames[3]!
    later.bodies.forEach((value, k) => Number.isNaN(value) || expect(Math.abs(value - whole.frames[23]!.bodies[k]!)).toBeLessThan(1e-7))
    expect(() => run(scene, Infinity, { instant: { time: 0.0123, bodies, joints: new Map(), broken: [], particles: new Map() } })).toThrow('there is no frame')
    expect(() => run(scene, Infinity, { instant: { time: 0.5, bodies, joints: new Map(), broken: [], particles: new Map() } })).toThrow('ends at 0.5 s')
  })
})

describe.each(['event-driven', 'time-stepping'])('%s: joints that appear and disappear', method => {
  const wood = (shape: object): object => ({ shapes: [{ ...shape, material: 'wood' }] })
  /** A hinge that is removed, a weld that appears with an impact and is removed, and a motor that appears with its body. */
  const scene = of({ duration: 0.6, outputRate: 100, method, timeStepping: { step: 0.005 } }, {
    ...rolling, bodies: [
      rolling.bodies[0], rolling.bodies[3],
      { id: 'wheel', position: [3, 0, 1], angularVelocity: [0, 0, 9], ...wood({ type: 'cylinder', radius: 0.2, height: 0.1 }) },
      { id: 'bob', position: [5, 0, 2], linearVelocity: [1, 0, 2], ...wood({ type: 'sphere', radius: 0.1 }) },
      { id: 'mate', position: [5, 0.5, 2], linearVelocity: [-1, 0, 2], ...wood({ type: 'box', size: [0.2, 0.1, 0.3] }) },
    ],
    joints: [
      { id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: null, anchor: [3, 0, 1], axis: [0, 0, 1], damping: 0.1, removeTime: 0.5 },
      { id: 'weld', type: 'fixed', bodyA: 'bob', bodyB: 'mate', anchor: [5, 0.25, 2], spawnTime: 0.2, removeTime: 0.4, poseA: { position: [5.2, 0, 2] }, poseB: { position: [4.8, 0.5, 2] } },
      {
        id: 'door', type: 'hinge', bodyA: 'late', bodyB: null, anchor: [0.2, 0.4, 1.2], axis: [0, 1, 0], spawnTime: 0.31,
        motor: { targetVelocity: 3, maxForce: 2, keys: [{ time: 0.42, targetVelocity: -3 }] },
      },
    ],
  })
  const ids = ['floor', 'late', 'wheel', 'bob', 'mate']

  it('a run continues from every checkpoint before, while and after they exist, to the byte', { tags: 'long' }, () => {
    const work = method === 'event-driven' ? 8 : 40
    const whole = run(scene, work)
    expect(whole.status).toBe('completed')
    expect(whole.events.filter(({ kind, joint }) => (kind === 'spawn' || kind === 'remove') && joint >= 0).map(({ kind, time, joint }) => [kind, time, joint])).toEqual([['spawn', 0.2, 1], ['spawn', 0.31, 2], ['remove', 0.4, 1], ['remove', 0.5, 0]])
    const bounds = [0, 0.2, 0.31, 0.4, 0.5, 0.6]
    const covered = bounds.slice(1).map((to, k) => whole.checkpoints.some(({ time }) => time >= bounds[k]! && time < to))
    expect(covered).toEqual([true, true, true, true, true])
    for (const checkpoint of whole.checkpoints) expectGoesOn(scene, work, whole, checkpoint)
  })

  it.each([0.1, 0.2, 0.25, 0.31, 0.35, 0.4, 0.45])('a run that begins with the frame at %f s has the joints of that time', time => {
    const whole = run(scene, Infinity)
    const at = Math.round(100 * time)
    const bodies = new Map(ids.map((id, k) => [id, whole.frames[at]!.bodies.slice(13 * k, 13 * k + 13)]))
    const from = run(scene, Infinity, { instant: { time, bodies, joints: new Map(), broken: [], particles: new Map() } })
    expect(from.status).toBe('completed')
    for (const index of [0, 5, from.frames.length - 1]) {
      from.frames[index]!.bodies.forEach((value, k) => {
        const recorded = whole.frames[at + index]!.bodies[k]!
        if (Number.isNaN(recorded)) expect(value).toBeNaN()
        else expect(Math.abs(value - recorded), `frame ${index}, number ${k}`).toBeLessThan(1e-7)
      })
    }
    const changes = ({ events }: Recorded) => events.filter(event => (event.kind === 'spawn' || event.kind === 'remove') && event.time > time).map(event => [event.kind, event.time, event.joint, event.bodyA])
    expect(changes(from)).toEqual(changes(whole))
  })
})
