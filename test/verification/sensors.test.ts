/** Sensors against closed forms, in both methods. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import { simulate } from '../../core/simulation'
import type { SensorFrame, TrajectoryHeader } from '../../core/trajectory/frame'
import { sensorLayout } from '../../core/trajectory/sensors'
import { createScriptRuntime } from '../../main/run/sandbox'
import { ball, box, floor, sceneOf } from './support'

let scripts: ScriptRuntime
beforeAll(async () => { scripts = await createScriptRuntime() })
afterAll(() => scripts.dispose())

const G = 9.81

interface Sensed {
  /** By sensor and quantity, in every frame. */
  of(sensor: string, quantity: string): number[][]
  readonly plots: readonly Readonly<Record<string, number>>[]
}

function sensed(scene: object): Sensed {
  const frames: SensorFrame[] = []
  const plots: Record<string, number>[] = []
  let header: TrajectoryHeader | undefined
  const none = (): void => undefined
  const end = simulate(scene, {
    sink: {
      header: begun => { header = begun }, frame: none, contacts: none, joints: none, forces: none, certificate: none, deformables: none, event: none,
      sensors: frame => frames.push(frame), script: ({ names, values }) => plots.push(Object.fromEntries(names.map((name, k) => [name, values[k]!]))),
    },
    cancelled: () => false, scripts, now: () => 0,
  })
  expect(end.status).toBe('completed')
  const { quantities } = sensorLayout(header!)
  return {
    plots, of: (sensor, quantity) => {
      const { at, length } = quantities.find(one => one.sensor === sensor && one.name === quantity)!
      return frames.map(({ values }) => [...values.subarray(at, at + length)])
    },
  }
}

function near(found: readonly number[], expected: readonly number[], digits: number): void {
  expect(found).toHaveLength(expected.length)
  expected.forEach((value, k) => { expect(found[k], `component ${k} of ${found.join(', ')}`).toBeCloseTo(value, digits) })
}

describe.each(['event-driven', 'time-stepping'] as const)('%s', method => {
  const short = { duration: 0.2, outputRate: 20, method, timeStepping: { step: 0.005 } }

  it('an inertial sensor measures zero in free fall, g at rest, and ω² r in rotation', () => {
    const spin = 3
    const run = sensed(sceneOf([
      floor, box('rests', [0.2, 0.2, 0.2], [0, 0, 0.1]), ball('falls', 0.1, [2, 0, 50]),
      // A sphere turns about any axis: the sensor's x points outwards, 0.4 m off, and its z along the axis.
      ball('turns', 0.5, [5, 0, 50], { angularVelocity: [0, 0, spin] }),
    ], 0.5, short, {
      sensors: [
        { id: 'rest', type: 'imu', body: 'rests' }, { id: 'fall', type: 'imu', body: 'falls' },
        { id: 'turn', type: 'imu', body: 'turns', position: [0.4, 0, 0] },
        // Turned by 90° about x: its y axis points up.
        { id: 'tilted', type: 'imu', body: 'rests', orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
      ],
    }))
    for (const value of run.of('rest', 'specificForce')) near(value, [0, 0, G], 6)
    for (const value of run.of('tilted', 'specificForce')) near(value, [0, G, 0], 6)
    for (const value of run.of('fall', 'specificForce')) near(value, [0, 0, 0], 9)
    for (const value of run.of('turn', 'specificForce')) near(value, [-spin * spin * 0.4, 0, 0], 6)
    for (const value of run.of('turn', 'angularRate')) near(value, [0, 0, spin], 9)
  })

  it('joint and contact sensors measure the weight of hanging and standing bodies, as a whole and by shape', () => {
    const mass = 1000 * 0.008
    const run = sensed(sceneOf([
      floor, box('hung', [0.2, 0.2, 0.2], [3, 0, 1]),
      { id: 'feet', position: [0, 0, 0.1], shapes: [-0.5, 0.5].map(x => ({ type: 'box', size: [0.2, 0.2, 0.2], material: 'stone', position: [x, 0, 0] })) },
    ], 0.5, short, {
      joints: [{ id: 'weld', type: 'fixed', bodyA: 'hung', bodyB: null, anchor: [3.5, 0, 1] }],
      sensors: [
        { id: 'arm', type: 'joint', joint: 'weld' }, { id: 'both', type: 'contact', body: 'feet' }, { id: 'one', type: 'contact', body: 'feet', shape: 1 },
        { id: 'earth', type: 'contact', body: 'ground' },
      ],
    }))
    for (const value of run.of('arm', 'force')) near(value, [0, 0, mass * G], 5)
    // The weight hangs 0.5 m before the anchor: the reaction's torque about y is −0.5 × m g × (−1).
    for (const [, torque] of run.of('arm', 'torque')) expect(Math.abs(torque!)).toBeCloseTo(0.5 * mass * G, 4)
    for (const value of run.of('both', 'force')) near(value, [0, 0, 2 * mass * G], 4)
    for (const value of run.of('one', 'force')) near(value, [0, 0, mass * G], 4)
    for (const value of run.of('earth', 'force')) near(value, [0, 0, -2 * mass * G], 4)
  })

  it('a range sensor meets planes, boxes and balls where they are, does not see its carrier, and has a maximum', () => {
    const at60 = [Math.sqrt(3) / 2, 0, -0.5]
    const run = sensed(sceneOf([
      floor, { id: 'mast', type: 'fixed', position: [0, 0, 2], shapes: [{ type: 'sphere', radius: 0.5, material: 'stone' }] },
      { ...box('wall', [1, 1, 1], [0, 4, 2]), type: 'fixed' }, { ...ball('globe', 0.5, [0, -3, 2.3]), type: 'fixed' },
    ], 0.5, { ...short, duration: 0.05 }, {
      sensors: [
        { id: 'down', type: 'range', body: 'mast', direction: at60 }, { id: 'box', type: 'range', body: 'mast', direction: [0, 7, 0] },
        { id: 'ball', type: 'range', body: 'mast', direction: [0, -1, 0] }, { id: 'up', type: 'range', body: 'mast', direction: [0, 0, 1], maximum: 6 },
        { id: 'world', type: 'range', body: null, position: [0, 4, 10], direction: [0, 0, -1] }, { id: 'inside', type: 'range', body: null, position: [0, 4, 2], direction: [1, 0, 0] },
      ],
    }))
    near(run.of('down', 'distance')[0]!, [4], 7)
    near(run.of('box', 'distance')[0]!, [3.5], 7)
    // 0.3 m off the centre line: half the chord is √(0.25 − 0.09) = 0.4.
    near(run.of('ball', 'distance')[0]!, [2.6], 7)
    near(run.of('up', 'distance')[0]!, [6], 12)
    near(run.of('world', 'distance')[0]!, [7.5], 7)
    near(run.of('inside', 'distance')[0]!, [0], 12)
  })

  it('a pose sensor measures the position and the orientation of a frame', () => {
    const run = sensed(sceneOf([box('b', [0.2, 0.2, 0.2], [1, 2, 3], { linearVelocity: [1, 0, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] })], 0, short, {
      gravity: [0, 0, 0], sensors: [{ id: 'eye', type: 'pose', body: 'b', position: [0.5, 0, 0] }],
    }))
    run.of('eye', 'position').forEach((value, k) => near(value, [1 + k / 20, 2.5, 3], 9))
    near(run.of('eye', 'orientation').at(-1)!, [0, 0, Math.SQRT1_2, Math.SQRT1_2], 9)
  })

  it('a controller reads the recorded values, noise included', () => {
    const source = `export const period = 0.05\nexport function control(ctx: ControlContext) { ctx.plot('up', ctx.sensor('feel').specificForce[2]); ctx.plot('far', ctx.sensor('eye').distance) }`
    const run = sensed(sceneOf([floor, box('b', [0.2, 0.2, 0.2], [0, 0, 0.1])], 0.5, short, {
      sensors: [{ id: 'feel', type: 'imu', body: 'b', noise: 0.2 }, { id: 'eye', type: 'range', body: 'b', direction: [0, 0, -1], noise: 0.01 }],
      forces: [{ id: 'c', type: 'script', script: 'c.ts' }], scripts: [{ id: 'c.ts', source }],
    }))
    expect(run.plots).toHaveLength(5)
    run.plots.forEach(({ up, far }, k) => {
      expect(up).toBe(run.of('feel', 'specificForce')[k]![2])
      expect(far).toBe(run.of('eye', 'distance')[k]![0])
    })
  })
})

describe('noise', () => {
  const scene = (seed: number): object => sceneOf([ball('b', 0.1, [0, 0, 0])], 0, { duration: 4, outputRate: 500, seed }, {
    gravity: [0, 0, 0], sensors: [{ id: 'feel', type: 'imu', body: 'b', noise: 0.5 }, { id: 'exact', type: 'imu', body: 'b' }],
  })

  it('is normal, with the given deviation, and independent between components and frames', () => {
    const values = sensed(scene(1)).of('feel', 'specificForce')
    const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length
    for (const k of [0, 1, 2]) {
      const own = values.map(value => value[k]! / 0.5)
      // 2,001 values: the mean has a deviation of 0.022, the variance one of 0.032, the kurtosis one of 0.11.
      expect(Math.abs(mean(own))).toBeLessThan(0.09)
      expect(Math.abs(mean(own.map(x => x * x)) - 1)).toBeLessThan(0.13)
      expect(Math.abs(mean(own.map(x => x * x * x * x)) - 3)).toBeLessThan(0.6)
      expect(Math.abs(mean(own.slice(1).map((x, i) => x * own[i]!)))).toBeLessThan(0.09)
    }
    expect(Math.abs(mean(values.map(([x, y]) => x! * y! / 0.25)))).toBeLessThan(0.09)
  })

  it('is repeatable by its seed, and independent of other sensors', () => {
    expect(sensed(scene(1)).of('feel', 'specificForce')).toEqual(sensed(scene(1)).of('feel', 'specificForce'))
    expect(sensed(scene(2)).of('feel', 'specificForce')[7]).not.toEqual(sensed(scene(1)).of('feel', 'specificForce')[7])
    expect(sensed(scene(1)).of('exact', 'specificForce').every(value => value.every(x => x === 0))).toBe(true)
  })
})
