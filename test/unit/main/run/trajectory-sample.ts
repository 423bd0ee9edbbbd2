/** A small run in closed form: two bodies in free fall, one contact, one joint; a file can be written and read without a solver. */
import { BODY_STRIDE, type ContactFrame, type TrajectoryEnd, type TrajectoryHeader } from '../../../../core/trajectory/frame'
import type { Recorder } from '../../../../main/run/recorder'

export const sampleScene = JSON.stringify({
  format: 'cairn-scene', version: 1, name: 'Sample',
  materials: [{ id: 'steel', density: 1000, friction: { static: 0, dynamic: 0 }, restitution: 0 }],
  bodies: ['a', 'b'].map(id => ({ id, type: 'dynamic', position: [0, 0, 0], shapes: [{ type: 'sphere', radius: 1, material: 'steel' }] })),
})

export const sampleHeader = (frames: number, bodies = 2): TrajectoryHeader => ({
  engine: '9.9.9', sceneHash: 'ab'.repeat(32), sceneName: 'Sample', bodyIds: Array.from({ length: bodies }, (_, i) => (bodies === 2 ? 'ab'[i]! : `body-${i}`)), jointIds: ['hinge'],
  jointBodyA: new Int32Array([0]), jointBodyB: new Int32Array([-1]), forceIds: [], weights: new Float64Array(3 * bodies),
  duration: (frames - 1) / 240, outputRate: 240, method: 'event-driven', solver: 'dantzig', staticFriction: 'exact', sensorIds: [], sensorTypes: [], deformableIds: [], deformableParticles: new Int32Array(0), deformableElements: new Int32Array(0), deformableHeld: new Int32Array(0),
})

export const fallen = (t: number) => [0, 0, 10 - 4.905 * t * t, 0, 0, 0, 1, 0, 0, -9.81 * t, 0, 0, 0]

export function recordFrame(recorder: Pick<Recorder, 'frame' | 'contacts' | 'joints' | 'forces' | 'certificate'>, index: number, bodies = 2): void {
  const time = index / 240
  const states = new Float64Array(bodies * BODY_STRIDE)
  for (let i = 0; i < bodies; i++) states.set(fallen(time), i * BODY_STRIDE)
  recorder.frame({ index, time, bodies: states, hash: index.toString(16).padStart(16, '0') })
  recorder.contacts(contact(index, time))
  recorder.joints({
    index, time, force: new Float64Array([1, 2, index]), torque: new Float64Array(3), error: new Float64Array(1), position: new Float64Array([time]),
    velocity: new Float64Array([1]), secondPosition: new Float64Array([2]), secondVelocity: new Float64Array([NaN]),
    motorForce: new Float64Array(1), limitForce: new Float64Array(1), anchor: new Float64Array(3), broken: new Int32Array(0),
  })
  recorder.forces({
    index, time, body: new Int32Array([0]), rate: new Float64Array([0, 0, index, 0, 0, 0]), sourceKind: new Int32Array(0), source: new Int32Array(0),
    sourceBody: new Int32Array(0), wrench: new Float64Array(0),
  })
  recorder.certificate({
    index, time, maxPenetration: index === 3 ? 1e-10 : 0, maxComplementarity: 0, maxJointError: 0, maxConeViolation: 0,
    energy: { kinetic: time, potential: 1 - time, initial: 1, friction: 0, impacts: 0, drag: 0, scripts: 0, joints: 0, kinematic: 0, spawned: 0, elastic: 0, damping: 0, numerical: 0, residual: 0 },
    steps: 1, solverCalls: 1, basisHits: 0, pivots: 2, contacts: 1, degraded: 0,
    solvedIsland: new Int32Array([0]), solvedSweeps: new Int32Array([2]), solvedResidual: new Float64Array([1e-9]), residualHistory: new Float64Array([1e-3, 1e-9]),
    asleep: new Int32Array([1]), residualTime: 0.01,
  })
}

export function contact(index: number, time: number): ContactFrame {
  const one = (value: number) => new Float64Array([value])
  const which = (value: number) => new Int32Array([value])
  return {
    index, time, count: 1, bodyA: which(0), bodyB: which(1), shapeA: which(0), shapeB: which(0), featureKindA: which(0), featureA: which(3),
    featureKindB: which(2), featureB: which(0), point: new Float64Array([0, 0, 1]), normal: new Float64Array([0, 0, 1]), gap: one(0), normalForce: one(10 + index),
    frictionForce: new Float64Array([3, 4, 0]), frictionTorque: new Float64Array(3), staticFriction: one(0.6), dynamicFriction: one(0.5), coneUsage: one(0.5),
    mode: which(2), relativeVelocity: new Float64Array(3), interval: new Float64Array([0, Infinity]), indexSet: which(0), island: which(0), normalAcceleration: one(0),
    torsionalFriction: one(0), rollingFriction: one(0), tangentialAcceleration: new Float64Array(3), constraint: which(1),
  }
}

export const sampleEvent = (index: number, time: number) => ({
  index, kind: 'impact' as const, time, bodyA: 0, bodyB: 1, shapeA: 0, shapeB: 0, featureKindA: 0, featureA: 1, featureKindB: 2, featureB: 0, joint: -1,
  point: new Float64Array([0, 0, 1]), normal: new Float64Array([0, 0, 1]), impulse: new Float64Array([0, 0, 5]), approachSpeed: 2, reboundSpeed: 1,
  before: new Float64Array([...fallen(time), ...fallen(time)]), after: new Float64Array([...fallen(time), ...fallen(time)]), energyLoss: 0.5, restTime: NaN, solutions: [], solution: -1,
  message: 'a, "quoted" message',
})

export const sampleEnd = (frames: number): TrajectoryEnd => ({
  status: 'completed', reason: '', message: '', ids: [], simulatedTime: (frames - 1) / 240, wallTime: 0.1, frames, steps: frames, finalHash: 'f'.repeat(16),
  solver: { name: 'dantzig', calls: 1, basisHits: 0, pivots: 2, maxContacts: 1 }, fallbacks: { count: 2, time: 0.25 },
  warnings: ['careful'],
})
