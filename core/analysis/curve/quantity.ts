/** Recorded quantities for curves, by their paths: those of measures, and also vectors, sensors and momentum. */

import { MeasureError } from '../../expression'
import { nearestName } from '../../scene'
import { sensorLayout } from '../../trajectory/sensors'
import { JOINT_VECTORS, measureChannel, type ContactChoice, type MeasuredFrame, type MeasuredScene } from '../measure/channels'
import { MEASURE_QUANTITIES, type MeasureSource } from '../measure/quantities'
import type { Momentum } from '../momentum'
import { unitNamed, UNKNOWN, type Unit } from './unit'

/** All data of one output time; unused parts are not read. */
export interface CurveFrame extends MeasuredFrame {
  readonly index: number
  /** In the layout of `sensorLayout`; empty in runs without sensors. */
  readonly sensors: Float64Array
  readonly momentum: Momentum
}

export interface CurveScene extends MeasuredScene {
  /** Type of each joint, in the scene's order, which determines its coordinates. */
  readonly jointTypes: readonly string[]
  readonly sensorIds: readonly string[]
  readonly sensorTypes: readonly string[]
}

/** One number per frame for each component; for contacts, one for each contact of the frame. */
export interface Quantity {
  readonly unit: Unit
  readonly contacts: ContactChoice | null
  readonly parts: readonly ((frame: CurveFrame, contact: number) => number)[]
}

/** First names of paths, with their continuations. */
export const CURVE_QUANTITIES: readonly string[] = [
  'time', 'bodies.<id>.position.z', 'bodies.<id>.linearVelocity', 'bodies.<id>.angularVelocity', 'bodies.<id>.speed', 'joints.<id>.position',
  'joints.<id>.velocity', 'joints.<id>.force', 'joints.<id>.torque', 'joints.<id>.motorForce', 'contacts.<body>.<body>.normalForce',
  'contacts.<body>.frictionForce', 'energy.kinetic', 'momentum.linear', 'sensors.<id>.<quantity>', 'plots.<name>', 'certificate.maxPenetration',
]

const AXES = ['x', 'y', 'z', 'w']
const BODY_VECTORS = ['position', 'linearVelocity', 'angularVelocity']
/** Units of the first and the second coordinate of joints. */
const COORDINATES: Readonly<Record<string, readonly string[]>> = {
  hinge: ['rad'], slider: ['m'], universal: ['rad', 'rad'], cylindrical: ['rad', 'm'], pointOnCurve: ['m'],
}
const RATES: Readonly<Record<string, string>> = { rad: 'rad/s', m: 'm/s' }
const DRIVES: Readonly<Record<string, string>> = { rad: 'N m', m: 'N' }

/** @throws MeasureError if the scene does not contain the quantity */
export function quantityAt(path: readonly (string | number)[], scene: CurveScene, at: number, text: string): Quantity {
  const fail = (message: string, allowed?: string) => new MeasureError(message, at, text, allowed)
  // An axis is the last name and never an id.
  const written = path.map((name, k) => k > 1 && k === path.length - 1 && path[0] !== 'contacts' && AXES.includes(String(name)) ? AXES.indexOf(String(name)) : name)
  const [first, id, name, index] = written
  if (first === 'sensors') return sensor(id, name, index, scene, fail)
  if (first === 'momentum') return momentum(id, name, fail)
  const isVector = index === undefined && (first === 'bodies' && BODY_VECTORS.includes(String(name)) ||
    first === 'joints' && JOINT_VECTORS.some(known => known === name))
  const unit = unitOf(written, scene)
  if (isVector) {
    const parts = [0, 1, 2].map(k => measureChannel([...written, k], scene, at, text).value)
    return { unit, contacts: null, parts }
  }
  if (first === 'joints' && typeof index === 'number' && (name === 'position' || name === 'velocity')) {
    const joint = scene.jointIds.indexOf(String(id))
    const coordinates = COORDINATES[scene.jointTypes[joint] ?? ''] ?? []
    if (joint >= 0 && index >= coordinates.length) throw fail(`joints.${String(id)} has no coordinate ${index}.`, `[0] to [${coordinates.length - 1}]`)
    if (joint >= 0 && index === 1) {
      const column = name === 'position' ? 'secondPosition' : 'secondVelocity'
      return { unit, contacts: null, parts: [({ joints }) => joints[column][joint]!] }
    }
    return { unit, contacts: null, parts: [measureChannel([first, id!, name], scene, at, text).value] }
  }
  if (first !== undefined && !KNOWN.includes(String(first))) throw fail(`There is no quantity "${String(first)}".${meant(String(first))}`, KNOWN.join(', '))
  const { contacts, value } = measureChannel(written, scene, at, text)
  return { unit, contacts, parts: [value] }
}

const KNOWN = ['time', 'bodies', 'joints', 'contacts', 'energy', 'momentum', 'sensors', 'certificate', 'events', 'plots']
const meant = (name: string) => {
  const nearest = nearestName(name, KNOWN)
  return nearest === null ? '' : ` Did you mean "${nearest}"?`
}

type Fail = (message: string, allowed?: string) => MeasureError

function unitOf([first, id, name, index]: readonly (string | number)[], scene: CurveScene): Unit {
  if (first === 'time') return unitNamed('s')
  if (first === 'plots') return UNKNOWN
  if (first === 'energy') return unitNamed(id === 'residual' ? '' : 'J')
  if (first === 'joints' && (name === 'position' || name === 'velocity' || name === 'motorForce' || name === 'limitForce')) {
    const joint = typeof id === 'number' ? id : scene.jointIds.indexOf(String(id))
    const coordinate = COORDINATES[scene.jointTypes[joint] ?? '']?.[typeof index === 'number' ? index : 0]
    if (coordinate === undefined) return UNKNOWN
    return unitNamed(name === 'position' ? coordinate : name === 'velocity' ? RATES[coordinate]! : DRIVES[coordinate]!)
  }
  const path = first === 'contacts' ? [id, name, index].filter(part => part !== undefined).at(-1) : first === 'certificate' ? id
    : first === 'events' ? `${String(id)}.${String(name ?? 'count')}` : name
  const found = MEASURE_QUANTITIES[first as MeasureSource]?.find(one => one.name === path)
  return unitNamed(found?.unit ?? '')
}

type Name = string | number | undefined

function sensor(id: Name, name: Name, index: Name, scene: CurveScene, fail: Fail): Quantity {
  const { quantities } = sensorLayout(scene)
  const own = quantities.filter(({ sensor: of }) => of === id)
  if (own.length === 0) throw fail(`There is no sensor "${String(id ?? '')}".`, scene.sensorIds.join(', ') || 'this run has no sensors')
  const found = own.find(one => one.name === name)
  if (found === undefined) throw fail(`The sensor "${String(id)}" has no "${String(name ?? '')}".`, own.map(one => one.name).join(', '))
  const components = index === undefined ? Array.from({ length: found.length }, (_, k) => k) : [index]
  if (components.some(k => typeof k !== 'number' || k >= found.length)) throw fail(`"${String(index)}" is not one of its components.`, `[0] to [${found.length - 1}]`)
  return { unit: unitNamed(found.unit), contacts: null, parts: components.map(k => ({ sensors }: CurveFrame) => sensors[found.at + Number(k)] ?? NaN) }
}

function momentum(name: Name, index: Name, fail: Fail): Quantity {
  if (name !== 'linear' && name !== 'angular') throw fail(`momentum has no "${String(name ?? '')}".`, 'linear, angular')
  if (index !== undefined && !(typeof index === 'number' && index < 3)) throw fail(`momentum.${name} has no "${String(index)}".`, '[0] to [2]')
  const parts = (index === undefined ? [0, 1, 2] : [index]).map(k => (frame: CurveFrame) => frame.momentum[name][k as 0 | 1 | 2])
  return { unit: unitNamed(name === 'linear' ? 'kg m/s' : 'kg m²/s'), contacts: null, parts }
}
