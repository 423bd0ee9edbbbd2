/** Inputs of measures: channels of a run, each with one number per frame, or one per contact and frame. */

import { BODY_STRIDE, type CertificateFrame, type ContactFrame, type EnergyAudit, type Frame, type JointFrame } from '../../trajectory/frame'
import { EVENT_KINDS } from '../../vocabulary'
import { MeasureError } from '../../expression'
import { nearestName } from '../../scene'

/** All data of one output time. */
export interface MeasuredFrame {
  readonly time: number
  readonly frame: Frame
  readonly contacts: ContactFrame
  readonly joints: JointFrame
  readonly certificate: CertificateFrame
  readonly events: ReadonlyMap<string, EventTally>
  /** Of scripts, by name. */
  readonly plots: ReadonlyMap<string, number>
}

/** Events of one kind so far. */
export interface EventTally {
  readonly count: number
  /** s, exact. */
  readonly firstTime: number
  readonly lastTime: number
  /** N s: sum of the magnitudes of their impulses. */
  readonly impulse: number
}

/** Ids of a scene, in its order, which is that of the trajectory's columns. */
export interface MeasuredScene {
  readonly bodyIds: readonly string[]
  readonly jointIds: readonly string[]
}

/** Contacts of a channel: all, those of one body, or those of a pair; body indices. */
export type ContactChoice = readonly number[]

export interface MeasureChannel {
  /** Null: one number per frame. */
  readonly contacts: ContactChoice | null
  /** @param k number of the contact in the frame, for channels of contacts */
  readonly value: (frame: MeasuredFrame, k: number) => number
}

type Fail = (message: string, allowed?: string) => MeasureError

export const VECTORS: Readonly<Record<string, readonly [offset: number, size: number]>> = {
  position: [0, 3], orientation: [3, 4], linearVelocity: [7, 3], angularVelocity: [10, 3],
}
export const SPEEDS: Readonly<Record<string, number>> = { speed: 7, spin: 10 }
export const JOINT_NUMBERS = ['position', 'velocity', 'motorForce', 'limitForce', 'error'] as const
export const JOINT_VECTORS = ['force', 'torque'] as const
export const ENERGIES = [
  'kinetic', 'potential', 'total', 'initial', 'friction', 'impacts', 'drag', 'scripts', 'joints', 'kinematic', 'spawned', 'elastic', 'damping', 'numerical',
  'residual',
] as const satisfies readonly (keyof EnergyAudit | 'total')[]
export const CERTIFICATE = [
  'maxPenetration', 'maxComplementarity', 'maxJointError', 'maxConeViolation', 'steps', 'solverCalls', 'basisHits', 'pivots', 'contacts', 'degraded',
] as const satisfies readonly (keyof CertificateFrame)[]
export const EVENT_NUMBERS = ['count', 'firstTime', 'lastTime', 'impulse'] as const

export const CONTACT_NUMBERS: Readonly<Record<string, (contacts: ContactFrame, k: number) => number>> = {
  normalForce: (contacts, k) => contacts.normalForce[k]!,
  frictionForce: (contacts, k) => sizeAt(contacts.frictionForce, 3 * k),
  frictionTorque: (contacts, k) => sizeAt(contacts.frictionTorque, 3 * k),
  gap: (contacts, k) => contacts.gap[k]!,
  coneUsage: (contacts, k) => contacts.coneUsage[k]!,
  slipSpeed: (contacts, k) => sizeAt(contacts.relativeVelocity, 3 * k),
  count: () => 1,
}

/** First names of channels, with their continuations. */
export const MEASURE_CHANNELS: Readonly<Record<string, string>> = {
  time: 'time', bodies: 'bodies.<id>.position[0..2]', contacts: 'contacts.normalForce, contacts.<body>.normalForce, contacts.<body>.<body>.normalForce',
  joints: 'joints.<id>.position', energy: 'energy.residual', certificate: 'certificate.maxPenetration', events: 'events.impact', plots: 'plots.<name>',
}

/** The channel of a path. @throws MeasureError if this scene does not contain it */
export function measureChannel(path: readonly (string | number)[], scene: MeasuredScene, at: number, text: string): MeasureChannel {
  const fail: Fail = (message, allowed) => new MeasureError(message, at, text, allowed)
  const [first, ...rest] = path
  switch (first) {
    case 'time': return one(rest, fail, frame => frame.time)
    case 'bodies': return bodyChannel(rest, scene, fail)
    case 'contacts': return contactChannel(rest, scene, fail)
    case 'joints': return jointChannel(rest, scene, fail)
    case 'energy': return energyChannel(rest, fail)
    case 'certificate': {
      const name = chosen(rest[0], CERTIFICATE, 'certificate', fail)
      return one(rest.slice(1), fail, ({ certificate }) => certificate[name])
    }
    case 'events': {
      const kind = chosen(rest[0], EVENT_KINDS, 'events', fail)
      const number = rest.length > 1 ? chosen(rest[1], EVENT_NUMBERS, `events.${kind}`, fail) : 'count'
      return one(rest.slice(2), fail, ({ events }) => events.get(kind)?.[number] ?? (number === 'count' || number === 'impulse' ? 0 : NaN))
    }
    case 'plots': {
      const name = rest[0]
      if (name === undefined) throw fail('plots needs the name of a plot.', 'plots.<name>')
      return one(rest.slice(1), fail, ({ plots }) => plots.get(String(name)) ?? NaN)
    }
    default: throw fail(`There is no channel "${String(first)}".`, Object.keys(MEASURE_CHANNELS).join(', '))
  }
}

function bodyChannel([id, name, ...rest]: readonly (string | number)[], { bodyIds }: MeasuredScene, fail: Fail): MeasureChannel {
  const body = indexOf(id, bodyIds, 'body', 'bodies', fail)
  const quantity = chosen(name, [...Object.keys(VECTORS), ...Object.keys(SPEEDS)], `bodies.${String(id)}`, fail)
  const speed = SPEEDS[quantity]
  if (speed !== undefined) return one(rest, fail, ({ frame }) => sizeAt(frame.bodies, BODY_STRIDE * body + speed))
  const [offset, size] = VECTORS[quantity]!
  const k = component(rest[0], size, `bodies.${String(id)}.${quantity}`, fail)
  return one(rest.slice(1), fail, ({ frame }) => frame.bodies[BODY_STRIDE * body + offset + k]!)
}

/** Contacts of all bodies, of one, or of two. Names that are not quantities are ids. */
function contactChannel(path: readonly (string | number)[], { bodyIds }: MeasuredScene, fail: Fail): MeasureChannel {
  const names = Object.keys(CONTACT_NUMBERS)
  const quantity = path.at(-1)
  if (path.length > 3) throw fail(`"${String(path[3])}" is one name too many.`, 'contacts.<body>.<body>.normalForce')
  const ids = path.slice(0, -1)
  const contacts = ids.map(id => indexOf(id, bodyIds, 'body', 'contacts', fail))
  const read = CONTACT_NUMBERS[chosen(quantity, names, ['contacts', ...ids].join('.'), fail)]!
  return { contacts, value: (frame, k) => read(frame.contacts, k) }
}

function jointChannel([id, name, ...rest]: readonly (string | number)[], { jointIds }: MeasuredScene, fail: Fail): MeasureChannel {
  const joint = indexOf(id, jointIds, 'joint', 'joints', fail)
  const quantity = chosen(name, [...JOINT_NUMBERS, ...JOINT_VECTORS], `joints.${String(id)}`, fail)
  if (quantity !== 'force' && quantity !== 'torque') return one(rest, fail, ({ joints }) => joints[quantity][joint]!)
  if (rest.length === 0) return one(rest, fail, ({ joints }) => sizeAt(joints[quantity], 3 * joint))
  const k = component(rest[0], 3, `joints.${String(id)}.${quantity}`, fail)
  return one(rest.slice(1), fail, ({ joints }) => joints[quantity][3 * joint + k]!)
}

function energyChannel([name, ...rest]: readonly (string | number)[], fail: Fail): MeasureChannel {
  const quantity = chosen(name, ENERGIES, 'energy', fail)
  if (quantity === 'total') return one(rest, fail, ({ certificate: { energy } }) => energy.kinetic + energy.potential + energy.elastic)
  return one(rest, fail, ({ certificate: { energy } }) => energy[quantity])
}

function one(rest: readonly (string | number)[], fail: Fail, value: (frame: MeasuredFrame) => number): MeasureChannel {
  if (rest.length > 0) throw fail(`"${String(rest[0])}" is one name or index too many.`)
  return { contacts: null, value }
}

function chosen<const T extends string>(name: string | number | undefined, known: readonly T[], of: string, fail: Fail): T {
  const found = known.find(candidate => candidate === name)
  if (found !== undefined) return found
  throw fail(name === undefined ? `${of} needs a quantity.` : `${of} has no "${String(name)}".${meant(String(name), known)}`, known.join(', '))
}

function indexOf(id: string | number | undefined, ids: readonly string[], what: string, of: string, fail: Fail): number {
  // `bodies[2]` is the third of the scene.
  const index = typeof id === 'number' ? id : ids.indexOf(id ?? '')
  if (index >= 0 && index < ids.length) return index
  const shown = ids.length > 20 ? `${ids.slice(0, 20).join(', ')}, … (${ids.length})` : ids.join(', ')
  throw fail(id === undefined ? `${of} needs the id of a ${what}.` : `There is no ${what} "${String(id)}".${meant(String(id), ids)}`, shown)
}

function component(k: string | number | undefined, size: number, of: string, fail: Fail): number {
  if (typeof k === 'number' && k < size) return k
  throw fail(k === undefined ? `${of} is a vector: give the index of a component.` : `${of} has no "${k}".`, `[0] to [${size - 1}]`)
}

function meant(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === null ? '' : ` Did you mean "${nearest}"?`
}

function sizeAt(values: Float64Array, at: number): number {
  const [x, y, z] = [values[at]!, values[at + 1]!, values[at + 2]!]
  return Math.sqrt(x * x + y * y + z * z)
}
