/** Packs the solved state of a frame into the columns of the trajectory. */

import { bodiesOfJoint } from '../dynamics/joints'
import type { Snapshot } from '../contact/snapshot'
import type { World } from '../contact/world'
import type { Vec3 } from '../math/vector'
import type { SolvedDeformables } from '../methods/deformables/solved'
import type { MethodFrame } from '../methods/method'
import { BODY_STRIDE, WRENCH_SOURCES, type ContactFrame, type DeformableFrame, type ForceFrame, type JointFrame } from '../trajectory/frame'
import { CONSTRAINT_KINDS } from '../vocabulary'
import { KIND_INDEX, modeIndex } from './codes'

/** `BODY_STRIDE` doubles; NaN for a body that does not exist. */
export function writeBody(snapshot: Snapshot, body: number, out: Float64Array, at: number): void {
  if (!snapshot.exists[body]) {
    out.fill(NaN, at, at + BODY_STRIDE)
    return
  }
  const { pose: { position, orientation }, velocity, angularVelocity } = snapshot.motions[body]!
  write(position, out, at)
  for (let k = 0; k < 4; k++) out[at + 3 + k] = orientation[k]!
  write(velocity, out, at + 7)
  write(angularVelocity, out, at + 10)
}

export function packed(v: Vec3 | undefined): Float64Array {
  return v === undefined ? new Float64Array(0) : Float64Array.from(v)
}

export function contactFrame({ index, time, contacts }: Pick<MethodFrame, 'index' | 'time' | 'contacts'>): ContactFrame {
  const n = contacts.length
  const integers = (): Int32Array => new Int32Array(n)
  const numbers = (width = 1): Float64Array => new Float64Array(width * n)
  const frame = {
    index, time, count: n, bodyA: integers(), bodyB: integers(), shapeA: integers(), shapeB: integers(), featureKindA: integers(), featureA: integers(),
    featureKindB: integers(), featureB: integers(), point: numbers(3), normal: numbers(3), gap: numbers(), normalForce: numbers(),
    frictionForce: numbers(3), frictionTorque: numbers(3), staticFriction: numbers(), dynamicFriction: numbers(), coneUsage: numbers(), mode: integers(),
    relativeVelocity: numbers(3), interval: numbers(2).fill(NaN), indexSet: integers(), island: integers(), normalAcceleration: numbers(),
    torsionalFriction: numbers(), rollingFriction: numbers(), tangentialAcceleration: numbers(3), constraint: integers(),
  } satisfies ContactFrame
  for (let i = 0; i < n; i++) {
    const contact = contacts[i]!
    frame.bodyA[i] = contact.bodyA
    frame.bodyB[i] = contact.bodyB
    frame.shapeA[i] = contact.shapeA
    frame.shapeB[i] = contact.shapeB
    frame.featureKindA[i] = KIND_INDEX[contact.featureA.kind]
    frame.featureA[i] = contact.featureA.index
    frame.featureKindB[i] = KIND_INDEX[contact.featureB.kind]
    frame.featureB[i] = contact.featureB.index
    write(contact.point, frame.point, 3 * i)
    write(contact.normal, frame.normal, 3 * i)
    frame.gap[i] = contact.gap
    frame.normalForce[i] = contact.normalForce
    write(contact.frictionForce, frame.frictionForce, 3 * i)
    write(contact.frictionTorque, frame.frictionTorque, 3 * i)
    frame.staticFriction[i] = contact.staticFriction
    frame.dynamicFriction[i] = contact.dynamicFriction
    frame.coneUsage[i] = contact.frictionUsage ?? coneUsage(contact)
    frame.mode[i] = modeIndex(contact.mode)
    write(contact.relativeVelocity, frame.relativeVelocity, 3 * i)
    if (contact.interval !== null) frame.interval.set(contact.interval, 2 * i)
    frame.indexSet[i] = contact.clamped ? 0 : 1
    frame.island[i] = contact.island
    frame.normalAcceleration[i] = contact.normalAcceleration
    frame.torsionalFriction[i] = contact.torsionalFriction
    frame.rollingFriction[i] = contact.rollingFriction
    write(contact.tangentialAcceleration, frame.tangentialAcceleration, 3 * i)
    frame.constraint[i] = CONSTRAINT_KINDS.indexOf(contact.constraint ?? 'none')
  }
  return frame
}

function write([x, y, z]: Vec3, out: Float64Array, at: number): void {
  out[at] = x
  out[at + 1] = y
  out[at + 2] = z
}

/** |f_t| ÷ (μ f_N), μ the coefficient in force: dynamic while sliding, static otherwise. */
function coneUsage(contact: MethodFrame['contacts'][number]): number {
  const [x, y, z] = contact.frictionForce
  const friction = Math.sqrt(x * x + y * y + z * z)
  const limit = (contact.mode === 'sliding' ? contact.dynamicFriction : contact.staticFriction) * contact.normalForce
  return limit > 0 ? friction / limit : 0
}

export function jointFrame({ index, time, joints }: MethodFrame): JointFrame {
  return {
    index, time, force: Float64Array.from(joints.flatMap(joint => [...joint.force])), torque: Float64Array.from(joints.flatMap(joint => [...joint.torque])),
    error: Float64Array.from(joints, joint => joint.error), position: Float64Array.from(joints, joint => joint.position),
    velocity: Float64Array.from(joints, joint => joint.velocity), secondPosition: Float64Array.from(joints, joint => joint.secondPosition),
    secondVelocity: Float64Array.from(joints, joint => joint.secondVelocity), motorForce: Float64Array.from(joints, joint => joint.motorForce),
    limitForce: Float64Array.from(joints, joint => joint.limitForce), anchor: Float64Array.from(joints.flatMap(joint => [...joint.anchor])),
    broken: Int32Array.from(joints.flatMap(({ broken }, joint) => broken ? [joint] : [])),
  }
}

export function deformableFrame(index: number, time: number, { particles, strain, tension, reactions, energy, steps, iterations, linearIterations,
  residual }: SolvedDeformables): DeformableFrame {
  return {
    index, time, position: particles.position.slice(), velocity: particles.velocity.slice(), strain, tension, reaction: reactions.slice(), energy, steps,
    iterations, linearIterations, residual,
  }
}

/** Only for bodies with loads other than gravity: for others the weight in the header is sufficient. */
export function forceFrame(world: World, { index, time, snapshot, contacts, applied, rates }: MethodFrame): ForceFrame {
  const acted = new Uint8Array(world.bodies.length)
  const mark = (body: number): void => {
    if (body >= 0 && world.bodies[body]?.type === 'dynamic' && snapshot.exists[body]) acted[body] = 1
  }
  for (const { bodyA, bodyB } of contacts) [bodyA, bodyB].forEach(mark)
  for (const { constraint } of world.joints) bodiesOfJoint(constraint).forEach(mark)
  for (const { body } of applied) mark(body)
  const body = Int32Array.from([...acted.keys()].filter(i => acted[i] === 1))
  const rate = new Float64Array(6 * body.length)
  body.forEach((i, k) => rate.set(rates.subarray(6 * i, 6 * i + 6), 6 * k))
  // Gravity has no number in the header: it is the first force, and the only one that is not in the scene's list.
  return {
    index, time, body, rate, sourceKind: Int32Array.from(applied, ({ kind }) => WRENCH_SOURCES.indexOf(kind)),
    source: Int32Array.from(applied, ({ kind, source }) => kind === 'force' ? source - 1 : source),
    sourceBody: Int32Array.from(applied, wrench => wrench.body),
    wrench: Float64Array.from(applied.flatMap(({ force, torque }) => [...force, ...torque])),
  }
}
