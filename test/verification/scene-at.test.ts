/** A run started from the exported state of an instant continues as the original run. */

import { describe, expect, it } from 'vitest'
import { requireScene, resolveScene } from '../../core/scene'
import { sceneAt } from '../../core/simulation'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import { recorded, type Recorded } from './support'

const BEGIN = 0.5
const END = 1
const common = { method: 'event-driven', outputRate: 20, eventDriven: { tolerance: 1e-11 } }
/** Different moments of inertia, so that a wrong rotation is detected. */
const body = (id: string, position: number[], motion: object = {}) => ({ id, position, mass: { mass: 1, inertia: [0.02, 0.03, 0.04, 0, 0, 0] }, ...motion })
const sceneOf = (bodies: object[], joints: object[], more: object = {}) =>
  ({ format: 'cairn-scene', version: 1, bodies, joints, simulation: { ...common, duration: END }, ...more })

function from(run: Recorded, scene: object, time: number) {
  const number = Math.round(time * common.outputRate)
  const { bodyIds, jointIds } = run.header
  const [frame, joints] = [run.frames[number]!, run.joints[number]!]
  const found = sceneAt(resolveScene(requireScene(JSON.stringify(scene))), {
    time, bodies: new Map(bodyIds.map((id, k) => [id, frame.bodies.slice(BODY_STRIDE * k, BODY_STRIDE * (k + 1))])), particles: new Map(),
    joints: new Map(jointIds.map((id, k) => [id, joints.position[k]!])), broken: [...joints.broken].map(k => jointIds[k]!),
  })
  return { ...found, simulation: { ...common, duration: END - time } }
}

const spin = { angularVelocity: [1, -2, 0.5], linearVelocity: [0.3, 0.2, -0.1] }
const scenes: Record<string, object> = {
  'two hinges with a spring, a motor by keys and a stop that is reached': sceneOf(
    [body('upper', [0.5, 0, 0]), body('lower', [1.5, 0, 0])],
    [
      {
        id: 'top', type: 'hinge', bodyA: 'upper', bodyB: null, anchor: [0, 0, 0], axis: [0, 1, 0], spring: { stiffness: 3, rest: 0.2 }, damping: 0.1,
        motor: { targetVelocity: 0, maxForce: 0.5, keys: [{ time: 0.2, targetVelocity: 4 }, { time: 0.7, targetVelocity: -1 }] },
      },
      { id: 'knee', type: 'hinge', bodyA: 'lower', bodyB: 'upper', anchor: [1, 0, 0], axis: [0, 1, 0], limits: { lower: -1, upper: 0.3 } },
    ]),
  'a slider on a hinge, with a servo by keys': sceneOf(
    [body('arm', [0.5, 0, 0]), body('sled', [1, 0, 0])],
    [
      { id: 'shoulder', type: 'hinge', bodyA: 'arm', bodyB: null, anchor: [0, 0, 0], axis: [0, 1, 0] },
      {
        id: 'way', type: 'slider', bodyA: 'sled', bodyB: 'arm', anchor: [1, 0, 0], axis: [1, 0, 0],
        servo: { target: 0.1, stiffness: 200, damping: 5, interpolation: 'hold', keys: [{ time: 0.3, target: 0.3 }, { time: 0.8, target: -0.2 }] },
      },
    ]),
  'a ball joint, a rod and a gravity by keys': sceneOf(
    [body('first', [0.5, 0, 0], spin), body('second', [1.2, 0.3, 0])],
    [
      { id: 'ball', type: 'ball', bodyA: 'first', bodyB: null, anchor: [0, 0, 0] },
      { id: 'rod', type: 'distance', bodyA: 'second', bodyB: 'first', anchor: [1.1, 0.3, 0.1], anchorB: [0.8, 0, 0] },
    ], { gravityKeys: [{ time: 0.25, gravity: [2, 0, -5] }, { time: 0.75, gravity: [0, 3, -8] }] }),
  'a universal and a fixed joint': sceneOf(
    [body('first', [0.5, 0, 0], spin), body('second', [1.5, 0, 0]), body('third', [2, 0, 0])],
    [
      { id: 'ball', type: 'ball', bodyA: 'first', bodyB: null, anchor: [0, 0, 0] },
      { id: 'cross', type: 'universal', bodyA: 'second', bodyB: 'first', anchor: [1, 0, 0], axisA: [0, 1, 0], axisB: [0, 0, 1], rotationA: { spring: { stiffness: 2, rest: 0 } } },
      { id: 'glue', type: 'fixed', bodyA: 'third', bodyB: 'second', anchor: [1.8, 0, 0] },
    ]),
  'a cylindrical and a planar joint': sceneOf(
    [body('first', [0.5, 0, 0], spin), body('second', [1.5, 0, 0]), body('third', [1.5, 0, 0.5], { angularVelocity: [0, 0, 2] })],
    [
      { id: 'ball', type: 'ball', bodyA: 'first', bodyB: null, anchor: [0, 0, 0] },
      { id: 'tube', type: 'cylindrical', bodyA: 'second', bodyB: 'first', anchor: [1, 0, 0], axis: [1, 0, 0], translation: { spring: { stiffness: 20, rest: 0.1 } }, rotation: {} },
      { id: 'table', type: 'planar', bodyA: 'third', bodyB: 'second', anchor: [1.5, 0, 0.4], normal: [0, 0, 1] },
    ]),
  'a bead on a wire that swings, and gears': sceneOf(
    [body('wheel', [0, 0, 0]), body('pinion', [2, 0, 0]), body('bead', [0.8, 0, 0])],
    [
      { id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: null, anchor: [0, 0, 0.2], axis: [0, 1, 0] },
      { id: 'shaft', type: 'hinge', bodyA: 'pinion', bodyB: null, anchor: [2, 0, 0.1], axis: [0, 1, 0] },
      { id: 'gears', type: 'gear', jointA: 'axle', jointB: 'shaft', ratio: -0.5 },
      { id: 'wire', type: 'pointOnCurve', bodyA: 'bead', bodyB: 'wheel', anchor: [0.8, 0, 0], curve: { type: 'ellipse', center: [0, 0, 0], semiAxisA: [0.8, 0, 0], semiAxisB: [0, 0, 0.5] } },
    ]),
}

describe.each(Object.entries(scenes))('%s', (_, scene) => {
  it('continues as the original run', () => {
    const whole = recorded(scene)
    const rest = recorded(JSON.parse(JSON.stringify(from(whole, scene, BEGIN))) as object)
    expect([whole.end.message, rest.end.message]).toEqual(['', ''])
    const [expected, got] = [whole.frames.at(-1)!.bodies, rest.frames.at(-1)!.bodies]
    // The body has moved much farther in this time.
    expect(Math.max(...expected.map((x, k) => Math.abs(x - whole.frames[BEGIN * common.outputRate]!.bodies[k]!)))).toBeGreaterThan(0.1)
    got.forEach((x, k) => expect(Math.abs(x - expected[k]!), `double ${k}`).toBeLessThan(1e-7))
  })
})

it('contains added joints, omits removed and broken ones, and keeps later ones unchanged', () => {
  const at = (joint: object) => ({ type: 'ball', bodyA: 'a', bodyB: null, anchor: [0, 0, 0], ...joint })
  const scene = sceneOf([body('a', [0, 0, 0])], [
    at({ id: 'went', removeTime: 0.3 }), at({ id: 'later', spawnTime: 0.8, poseA: { position: [0, 0, 0] } }),
    at({ id: 'weak', bodyA: 'a', breakForce: 1e-3 }),
    at({ id: 'came', spawnTime: 0.4, removeTime: 0.9, anchor: [1, 2, 3], poseA: { position: [1, 2, 2.9] } }),
  ], {
    bodies: [body('a', [0, 0, 0])], sensors: [{ id: 'gone', type: 'joint', joint: 'went' }, { id: 'stays', type: 'joint', joint: 'came' }],
  })
  const bodies = new Map([['a', Float64Array.from([5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])]])
  const { joints, sensors } = sceneAt(resolveScene(requireScene(JSON.stringify(scene))), {
    time: BEGIN, bodies, particles: new Map(), joints: new Map(), broken: ['went', 'weak', 'later'],
  })
  expect(joints.map(({ id }) => id)).toEqual(['later', 'came'])
  expect(sensors.map(({ id }) => id)).toEqual(['stays'])
  expect(joints[0]).toMatchObject({ spawnTime: 0.8 })
  expect(joints[1]).not.toHaveProperty('spawnTime')
  expect(joints[1]).not.toHaveProperty('poseA')
  expect(joints[1]).toMatchObject({ removeTime: 0.4 })
  const { anchor } = joints[1] as unknown as { anchor: number[] }
  ;[5, 0, 0.1].forEach((x, k) => expect(anchor[k]).toBeCloseTo(x, 12))
})
