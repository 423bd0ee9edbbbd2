import { BODY_STRIDE } from './frame'
import type {
  CertificateFrame, CheckpointFrame, ContactFrame, ControlStateFrame, DeformableFrame, ForceFrame, Frame, JointFrame, ScriptFrame, SensorFrame, TrajectoryEnd,
  TrajectoryEvent, TrajectoryHeader,
} from './frame'
import {
  bodyRateColumns, certificateMessage, contactColumns, contactsMessage, controlMessage, deformablesMessage, endMessage, eventMessage, forcesMessage,
  frameMessage, headerMessage,
  jointColumns, jointsMessage, checkpointMessage, scriptMessage, sensorsMessage, solvedColumns, wrenchColumns,
} from './messages'
import { decode, DecodeError } from './decode'
import { encode } from './encode'
import type { MessageSpec, Values } from './wire-format'

export { DecodeError } from './decode'

// The tables in messages.ts and the interfaces of frame.ts use the same field names, so a decoded message has the type of its interface.

export const encodeHeader = (header: TrajectoryHeader): Uint8Array => encode(headerMessage, header)
export const encodeFrame = (frame: Frame): Uint8Array => encode(frameMessage, frame)
export const encodeContacts = (contacts: ContactFrame): Uint8Array => encode(contactsMessage, contacts)
export const encodeJoints = (joints: JointFrame): Uint8Array => encode(jointsMessage, joints)
export const encodeForces = (forces: ForceFrame): Uint8Array => encode(forcesMessage, forces)
export const encodeDeformables = (deformables: DeformableFrame): Uint8Array => encode(deformablesMessage, deformables)
export const encodeCertificate = (certificate: CertificateFrame): Uint8Array => encode(certificateMessage, certificate)
export const encodeEvent = (event: TrajectoryEvent): Uint8Array => encode(eventMessage, event)
export const encodeCheckpointFrame = (checkpoint: CheckpointFrame): Uint8Array => encode(checkpointMessage, checkpoint)
export const encodeControl = (control: ControlStateFrame): Uint8Array => encode(controlMessage, control)
export const encodeSensors = (sensors: SensorFrame): Uint8Array => encode(sensorsMessage, sensors)
export const encodeScript = (script: ScriptFrame): Uint8Array => encode(scriptMessage, script)
export const encodeEnd = (end: TrajectoryEnd): Uint8Array => encode(endMessage, end)

/** All decoders throw DecodeError for bytes that are truncated, of another type, or with columns of different lengths. */
export const decodeEnd = (bytes: Uint8Array): TrajectoryEnd => decode(endMessage, bytes) as unknown as TrajectoryEnd

export function decodeHeader(bytes: Uint8Array): TrajectoryHeader {
  const header = decode(headerMessage, bytes) as unknown as TrajectoryHeader
  const joints = { jointBodyA: 1, jointBodyB: 1 }
  requireColumns(headerMessage, header, joints, header.jointIds.length)
  requireColumns(headerMessage, header, { weights: 3 }, header.bodyIds.length)
  requireColumns(headerMessage, header, { sensorTypes: 1 }, header.sensorIds.length)
  requireColumns(headerMessage, header, { deformableParticles: 1, deformableElements: 1, deformableHeld: 1 }, header.deformableIds.length)
  return header
}

export function decodeFrame(bytes: Uint8Array): Frame {
  const frame = decode(frameMessage, bytes) as unknown as Frame
  if (frame.bodies.length % BODY_STRIDE !== 0) throw wrongLength(frameMessage, 'bodies', frame.bodies.length, `a multiple of ${BODY_STRIDE}`)
  return frame
}

export function decodeCertificate(bytes: Uint8Array): CertificateFrame {
  const certificate = decode(certificateMessage, bytes) as unknown as CertificateFrame
  requireColumns(certificateMessage, certificate, solvedColumns, certificate.solvedIsland.length)
  return certificate
}

export function decodeContacts(bytes: Uint8Array): ContactFrame {
  const contacts = decode(contactsMessage, bytes)
  fillYoungColumns(contacts)
  requireColumns(contactsMessage, contacts, contactColumns, contacts.count as number)
  return contacts as unknown as ContactFrame
}

export function decodeJoints(bytes: Uint8Array): JointFrame {
  const joints = decode(jointsMessage, bytes)
  // Files of earlier versions have one coordinate for each joint.
  for (const name of ['secondPosition', 'secondVelocity'] as const) {
    if ((joints[name] as Float64Array).length === 0) joints[name] = new Float64Array((joints.error as Float64Array).length).fill(NaN)
  }
  const { length } = joints.error as Float64Array
  requireColumns(jointsMessage, joints, jointColumns, length)
  const { broken } = joints as unknown as JointFrame
  if (broken.some(joint => joint < 0 || joint >= length)) throw new RangeError(`a Joints message lists broken joints ${broken.join(', ')}, and there are ${length}`)
  return joints as unknown as JointFrame
}

export function decodeForces(bytes: Uint8Array): ForceFrame {
  const forces = decode(forcesMessage, bytes)
  requireColumns(forcesMessage, forces, bodyRateColumns, (forces.body as Int32Array).length)
  requireColumns(forcesMessage, forces, wrenchColumns, (forces.source as Int32Array).length)
  return forces as unknown as ForceFrame
}

export function decodeDeformables(bytes: Uint8Array): DeformableFrame {
  const deformables = decode(deformablesMessage, bytes) as unknown as DeformableFrame
  const { position, strain } = deformables
  if (position.length % 3 !== 0) throw wrongLength(deformablesMessage, 'position', position.length, 'a multiple of 3')
  requireColumns(deformablesMessage, deformables, { velocity: 1 }, position.length)
  requireColumns(deformablesMessage, deformables, { tension: 1 }, strain.length)
  return deformables
}

export function decodeEvent(bytes: Uint8Array): TrajectoryEvent {
  const event = decode(eventMessage, bytes) as unknown as TrajectoryEvent
  for (const name of ['point', 'normal', 'impulse'] as const) {
    const { length } = event[name]
    if (length !== 0 && length !== 3) throw wrongLength(eventMessage, name, length, '0 or 3')
  }
  for (const name of ['before', 'after'] as const) {
    if (event[name].length % BODY_STRIDE !== 0) throw wrongLength(eventMessage, name, event[name].length, `a multiple of ${BODY_STRIDE}`)
  }
  for (const solution of event.solutions) fillYoungColumns(solution as unknown as Values)
  for (const solution of event.solutions) requireColumns(contactsMessage, solution, contactColumns, solution.count)
  return event
}

export function decodeCheckpointFrame(bytes: Uint8Array): CheckpointFrame {
  return decode(checkpointMessage, bytes) as unknown as CheckpointFrame
}

export function decodeSensors(bytes: Uint8Array): SensorFrame {
  return decode(sensorsMessage, bytes) as unknown as SensorFrame
}

export function decodeControl(bytes: Uint8Array): ControlStateFrame {
  return decode(controlMessage, bytes) as unknown as ControlStateFrame
}

export function decodeScript(bytes: Uint8Array): ScriptFrame {
  const script = decode(scriptMessage, bytes) as unknown as ScriptFrame
  const { names, values } = script
  if (values.length !== names.length) throw wrongLength(scriptMessage, 'values', values.length, String(names.length))
  return script
}

/** Columns that are missing in files of earlier versions, with their defaults. */
const YOUNG_COLUMNS: Readonly<Record<string, number>> = { torsionalFriction: 0, rollingFriction: 0, tangentialAcceleration: NaN, constraint: 0 }

function fillYoungColumns(contacts: Values): void {
  const count = contacts.count as number
  // The size is limited by the existing columns, so that a corrupt count cannot allocate memory.
  if ((contacts.bodyA as Int32Array).length !== count) return
  for (const [name, value] of Object.entries(YOUNG_COLUMNS)) {
    const column = contacts[name] as Float64Array | Int32Array
    const length = contactColumns[name]! * count
    if (column.length === 0) contacts[name] = column instanceof Int32Array ? new Int32Array(length).fill(value) : new Float64Array(length).fill(value)
  }
}

type Columns = Readonly<Record<string, number>>

function requireColumns(spec: MessageSpec, values: object, columns: Columns, count: number): void {
  for (const { name } of spec.fields) {
    const width = columns[name]
    if (width === undefined) continue
    const { length } = (values as Values)[name] as ArrayLike<number>
    if (length !== width * count) throw wrongLength(spec, name, length, String(width * count))
  }
}

const wrongLength = (spec: MessageSpec, column: string, length: number, expected: string) =>
  new DecodeError(`Not a ${spec.name} message: column "${column}" has ${length} elements, not ${expected}`)
