/** List of measurable quantities for selection: the tables of the channels with their units. */
import { EVENT_KINDS } from '../../vocabulary'
import { CERTIFICATE, CONTACT_NUMBERS, ENERGIES, EVENT_NUMBERS, JOINT_NUMBERS, JOINT_VECTORS, SPEEDS, VECTORS } from './channels'

export type MeasureSource = 'bodies' | 'contacts' | 'joints' | 'energy' | 'certificate' | 'events'

export interface MeasureQuantity {
  /** The name in a path. */
  readonly name: string
  /** SI; empty for pure numbers, and if it depends on the joint. */
  readonly unit: string
  /** Number of components for an index; 0: a single number. */
  readonly components: number
  /** Without an index the value is the vector's magnitude. */
  readonly size: boolean
}

const UNITS: Readonly<Record<string, string>> = {
  'bodies.position': 'm', 'bodies.linearVelocity': 'm/s', 'bodies.angularVelocity': 'rad/s', 'bodies.speed': 'm/s', 'bodies.spin': 'rad/s',
  'contacts.normalForce': 'N', 'contacts.frictionForce': 'N', 'contacts.frictionTorque': 'N m', 'contacts.gap': 'm', 'contacts.slipSpeed': 'm/s',
  'joints.force': 'N', 'joints.torque': 'N m', 'joints.error': 'm', 'certificate.maxPenetration': 'm', 'certificate.maxJointError': 'm',
  'events.firstTime': 's', 'events.lastTime': 's', 'events.impulse': 'N s',
}

function quantity(source: MeasureSource, name: string, components = 0, size = false): MeasureQuantity {
  const last = source === 'events' ? name.replace(/^.*\./, '') : name
  return { name, unit: source === 'energy' ? 'J' : UNITS[`${source}.${last}`] ?? '', components, size }
}

/** By source. Quantities of bodies, contacts and joints follow an id in the path. */
export const MEASURE_QUANTITIES: Readonly<Record<MeasureSource, readonly MeasureQuantity[]>> = {
  bodies: [
    ...Object.entries(VECTORS).map(([name, [, size]]) => quantity('bodies', name, size)), ...Object.keys(SPEEDS).map(name => quantity('bodies', name)),
  ],
  contacts: Object.keys(CONTACT_NUMBERS).map(name => quantity('contacts', name)),
  joints: [...JOINT_NUMBERS.map(name => quantity('joints', name)), ...JOINT_VECTORS.map(name => quantity('joints', name, 3, true))],
  energy: ENERGIES.map(name => quantity('energy', name)),
  certificate: CERTIFICATE.map(name => quantity('certificate', name)),
  events: EVENT_KINDS.flatMap(kind => EVENT_NUMBERS.map(number => quantity('events', `${kind}.${number}`))),
}
