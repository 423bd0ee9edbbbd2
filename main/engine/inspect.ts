/** State at a time, from the file only, in the form of `cairn inspect --json`. */
import { deformablePlaces, deformableState } from '../../core/analysis/deformable-state'
import { bodyMasses, type BodyMasses } from '../../core/analysis/body-masses'
import { spinUsage } from '../../core/analysis/spin-usage'
import { parseScene } from '../../core/scene'
import {
  BODY_STRIDE, INDEX_SETS, type CertificateFrame, type ContactFrame, type DeformableFrame, type JointFrame, type TrajectoryEvent,
  type TrajectoryHeader,
} from '../../core/trajectory/frame'
import { sensorLayout } from '../../core/trajectory/sensors'
import { CONSTRAINT_KINDS, CONTACT_MODES, FEATURE_KINDS } from '../../core/vocabulary'
import { ownerId } from '../../core/trajectory/owner'
import { frameHoldingAt, interpolateBodies } from '../../core/trajectory/interpolate'
import { HostError } from '../protocol/host'
import { forcesJson, rowsJson } from './inspect-forces'
import { intervalsAt } from './intervals'
import { TrajectoryFileError, type TrajectoryReader } from './reader'

/** Relative to the time itself: a time typed with all its digits selects its frame. */
const sameTime = 1e-12

export interface Inspection {
  readonly time: number
  /** Last frame at or before `time`. */
  readonly frame: number
  /** Present when `time` is between two frames. */
  readonly interpolated?: true
  readonly complete: boolean
  readonly bodies: readonly object[]
  readonly contacts: readonly object[]
  /** Why contacts have no force interval, if intervals were requested. */
  readonly intervalReasons?: readonly string[]
  /** Impacts since the previous frame. */
  readonly impacts: readonly object[]
  readonly joints: readonly object[]
  readonly forces: readonly object[]
  readonly rows: readonly object[]
  /** Present if the run has sensors. */
  readonly sensors?: readonly object[]
  readonly deformables?: readonly object[]
  readonly events: readonly object[]
  readonly certificate: object
}

/**
 * @param time s; default: the last frame
 * @param intervals compute the force intervals that the run did not record
 * @throws HostError if the run does not reach that time
 */
export function inspect(reader: TrajectoryReader, time?: number, intervals = false): Inspection {
  const { header, frames } = reader
  if (frames === 0) throw new HostError('NoFrames', 'The file ends before its first frame.')
  const first = reader.frame(0).time
  const last = reader.frame(frames - 1).time
  const at = time ?? last
  const tolerance = sameTime * Math.max(1, Math.abs(at))
  if (!(at >= first - tolerance && at <= last + tolerance)) {
    const message = `The run has no frame at ${at} s.`
    throw new HostError('TimeOutOfRange', message, [{
      name: 'TimeOutOfRange', severity: 'error', message, path: '', value: at, allowed: `${first} to ${last} s`, ids: [],
    }])
  }
  const frame = Math.min(Math.max(0, reader.lastAt('frames', at + tolerance)), frames - 1)
  const before = reader.frame(frame)
  const between = at > before.time + tolerance && frame + 1 < frames
  const since = frame === 0 ? -Infinity : between ? before.time : reader.frame(frame - 1).time
  const recent = eventsBetween(reader, since, at + tolerance)
  const common = { time: between ? at : before.time, frame, complete: reader.complete }
  const masses = massesOfRun(reader.scene, header)
  const impacts = recent.filter(event => event.kind === 'impact').map(event => eventJson(event, header))
  const events = recent.map(event => eventJson(event, header))
  if (!between) return { ...common, bodies: bodiesJson(before.bodies, header), impacts, events, ...solvedAt(reader, masses, frame, intervals) }
  const after = reader.frame(frame + 1)
  const gap = eventsBetween(reader, before.time, after.time)
  const states = interpolateBodies(before, after, gap, masses.centers, at)
  const holding = frameHoldingAt(gap, at) === 'before' ? frame : frame + 1
  return { ...common, interpolated: true, bodies: bodiesJson(states, header), impacts, events, ...solvedAt(reader, masses, holding, intervals) }
}

/** Solved data of a frame: forces are recorded values, never interpolated. */
function solvedAt(reader: TrajectoryReader, masses: BodyMasses, number: number, intervals: boolean) {
  const { header } = reader
  const [contacts, joints] = [reader.contacts(number), reader.joints(number)]
  const recorded = { header, masses, frame: reader.frame(number), contacts, joints, forces: reader.forces(number) }
  const found = intervals ? intervalsAt(reader, number) : null
  return {
    contacts: contactsJson(found === null ? contacts : { ...contacts, interval: found.ends }, header),
    ...(found === null ? {} : { intervalReasons: found.reasons }),
    joints: jointsJson(joints, header), forces: forcesJson(recorded), rows: rowsJson(recorded),
    ...(header.sensorIds.length === 0 ? {} : { sensors: sensorsJson(reader, number) }),
    ...(header.deformableIds.length === 0 ? {} : { deformables: deformablesJson(reader.deformables(number), header) }),
    certificate: certificateJson(reader.certificate(number)),
  }
}

function sensorsJson(reader: TrajectoryReader, number: number): object[] {
  const { values } = reader.sensors(number)
  return sensorLayout(reader.header).quantities.map(({ sensor, name, length, at, unit }) =>
    ({ sensor, quantity: name, value: length === 1 ? values[at]! : [...values.subarray(at, at + length)], unit }))
}

/** Summary of each deformable: energies, the largest strain and tension, and reactions of pins and attachments. Tables contain every vertex. */
function deformablesJson(frame: DeformableFrame, header: TrajectoryHeader): object[] {
  const { steps, iterations, residual } = frame
  return deformablePlaces(header).map(place => {
    const { kinetic, stretching, bending, worstStrain, meanStrain, largestTension, reactions } = deformableState(frame, place)
    return {
      id: header.deformableIds[place.index]!, vertices: place.particles, energy: { kinetic, stretching, bending }, largestStrain: worstStrain, meanStrain,
      largestTension, reactions: Array.from({ length: place.holds }, (_, k) => triple(reactions, k)), solve: { steps, iterations, residual },
    }
  })
}

function certificateJson({ solvedIsland, solvedSweeps, solvedResidual, residualHistory, asleep, ...rest }: CertificateFrame): object {
  const solves = Array.from(solvedIsland, (island, k) => ({ island, sweeps: solvedSweeps[k]!, residual: solvedResidual[k]! }))
  return { ...rest, solves, residualHistory: [...residualHistory], asleep: [...asleep] }
}

/** Events after `from` and up to `to`, s, in order. */
export function eventsBetween(reader: TrajectoryReader, from: number, to: number): TrajectoryEvent[] {
  const events: TrajectoryEvent[] = []
  for (let number = reader.lastAt('events', from) + 1; number < reader.count('events'); number++) {
    const event = reader.event(number)
    if (event.time > to) break
    events.push(event)
  }
  return events
}

/** Masses of a recorded run's bodies. @throws TrajectoryFileError if the scene in the file does not match its frames */
export function massesOfRun(sceneText: string, header: TrajectoryHeader): BodyMasses {
  const parsed = parseScene(sceneText)
  if (!parsed.ok) throw new TrajectoryFileError('The scene inside the file is not valid.')
  const scene = parsed.resolved
  if (scene.bodies.length !== header.bodyIds.length) throw new TrajectoryFileError('The scene inside the file has other bodies than its frames.')
  return bodyMasses(scene)
}

const triple = (values: Float64Array, index: number) => [...values.subarray(3 * index, 3 * index + 3)]

/** Name of a primitive's feature: `vertex 3`. */
export function featureName(kind: number, index: number): string {
  return `${FEATURE_KINDS[kind] ?? 'feature'} ${index}`
}

function bodiesJson(states: Float64Array, header: TrajectoryHeader): object[] {
  return header.bodyIds.map((id, index) => {
    const state = states.subarray(index * BODY_STRIDE, (index + 1) * BODY_STRIDE)
    if (Number.isNaN(state[0]!)) return { id, exists: false }
    return {
      id, position: [...state.subarray(0, 3)], orientation: [...state.subarray(3, 7)], linearVelocity: [...state.subarray(7, 10)],
      angularVelocity: [...state.subarray(10, 13)],
    }
  })
}

export function contactsJson(contacts: ContactFrame, header: TrajectoryHeader): object[] {
  return Array.from({ length: contacts.count }, (_, k) => {
    const normal = triple(contacts.normal, k)
    const friction = triple(contacts.frictionForce, k)
    const normalForce = contacts.normalForce[k]!
    const lower = contacts.interval[2 * k]!
    return {
      bodyA: ownerId(header, contacts.bodyA[k]!) ?? null, bodyB: ownerId(header, contacts.bodyB[k]!) ?? null,
      shapeA: contacts.shapeA[k]!, shapeB: contacts.shapeB[k]!,
      features: [featureName(contacts.featureKindA[k]!, contacts.featureA[k]!), featureName(contacts.featureKindB[k]!, contacts.featureB[k]!)],
      point: triple(contacts.point, k), normal, gap: contacts.gap[k]!, normalForce, frictionForce: friction,
      force: normal.map((component, axis) => component * normalForce + friction[axis]!),
      coneUsage: contacts.coneUsage[k]!, mode: CONTACT_MODES[contacts.mode[k]!] ?? 'separating',
      interval: Number.isNaN(lower) ? null : [lower, contacts.interval[2 * k + 1]!],
      staticFriction: contacts.staticFriction[k]!, dynamicFriction: contacts.dynamicFriction[k]!, frictionTorque: triple(contacts.frictionTorque, k),
      torsionalFriction: contacts.torsionalFriction[k]!, rollingFriction: contacts.rollingFriction[k]!, ...spinUsage(contacts, k),
      relativeVelocity: triple(contacts.relativeVelocity, k), normalAcceleration: contacts.normalAcceleration[k]!,
      tangentialAcceleration: triple(contacts.tangentialAcceleration, k),
      indexSet: INDEX_SETS[contacts.indexSet[k]!] ?? null, island: contacts.island[k]!,
      constraint: CONSTRAINT_KINDS[contacts.constraint[k]!] ?? 'none',
    }
  })
}

function jointsJson(joints: JointFrame, header: TrajectoryHeader): object[] {
  return header.jointIds.map((id, k) => ({
    id, force: triple(joints.force, k), torque: triple(joints.torque, k), error: joints.error[k]!, position: joints.position[k]!,
    velocity: joints.velocity[k]!, secondPosition: joints.secondPosition[k]!, secondVelocity: joints.secondVelocity[k]!,
    motorForce: joints.motorForce[k]!, limitForce: joints.limitForce[k]!,
  }))
}

export function eventJson(event: TrajectoryEvent, header: TrajectoryHeader): object {
  const vector = (values: Float64Array) => (values.length === 3 ? [...values] : null)
  const body = (index: number) => header.bodyIds[index] ?? null
  return {
    number: event.index, kind: event.kind, time: event.time, bodyA: body(event.bodyA), bodyB: body(event.bodyB), shapeA: event.shapeA,
    shapeB: event.shapeB,
    features: event.featureKindA < 0 ? null : [featureName(event.featureKindA, event.featureA), featureName(event.featureKindB, event.featureB)],
    joint: header.jointIds[event.joint] ?? null, point: vector(event.point), normal: vector(event.normal), impulse: vector(event.impulse),
    approachSpeed: event.approachSpeed, reboundSpeed: event.reboundSpeed, energyLoss: event.energyLoss, restTime: event.restTime,
    message: event.message,
    ...(event.solutions.length === 0 ? {} : {
      solutions: event.solutions.map(contacts => ({ contacts: contactsJson(contacts, header) })), solution: event.solution,
    }),
  }
}
