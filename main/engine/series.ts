/** Quantities over a whole run, for plots: each channel is read once for all quantities. */
import {
  BODY_STRIDE, type CertificateFrame, type ContactFrame, type DeformableFrame, type Frame, type JointFrame, type SensorFrame,
} from '../../core/trajectory/frame'
import { deformablePlaces, deformableState } from '../../core/analysis/deformable-state'
import { momentumOf } from '../../core/analysis/momentum'
import { sensorLayout } from '../../core/trajectory/sensors'
import { HostError } from '../protocol/host'
import type { Series, SeriesComponent, SeriesRequest } from '../protocol/runs'
import { markTransferable } from '../protocol/transport'
import { curvesOfRun, valuesOfCurves } from './curves'
import { featureName, massesOfRun } from './inspect'
import type { TrajectoryReader } from './reader'
import { inTurns } from './turns'

interface Source {
  readonly frame?: (frame: Frame) => number
  readonly contacts?: (contacts: ContactFrame) => number
  readonly joints?: (joints: JointFrame) => number
  readonly certificate?: (certificate: CertificateFrame) => number
  readonly sensors?: (sensors: SensorFrame) => number
  readonly deformables?: (deformables: DeformableFrame) => number
  readonly script?: string
  readonly unit: string
  readonly label: string
}

/** @throws HostError for bodies and joints that the run does not have, and for invalid formulas */
export async function seriesOf(reader: TrajectoryReader, requests: readonly SeriesRequest[]): Promise<Series[]> {
  const formulas = requests.filter(request => request.what === 'formula')
  const curves = formulas.length > 0 ? curvesOfRun(reader, formulas.map(({ text }) => text)) : []
  const quantities = await quantitiesOf(reader, requests.filter(request => request.what !== 'formula'))
  if (curves.length === 0) return quantities
  const time = quantities[0]?.time ?? timesOf(reader)
  const values = await valuesOfCurves(reader, curves, time)
  return requests.map((request): Series => {
    if (request.what !== 'formula') return quantities.shift()!
    const k = formulas.indexOf(request)
    return { time: markTransferable(time.slice()), values: markTransferable(values[k]!), unit: curves[k]!.unit, label: request.text }
  })
}

type Quantity = Exclude<SeriesRequest, { readonly what: 'formula' }>

const timesOf = (reader: TrajectoryReader) => Float64Array.from({ length: reader.frames }, (_, number) => reader.frame(number).time)

async function quantitiesOf(reader: TrajectoryReader, requests: readonly Quantity[]): Promise<Series[]> {
  if (requests.length === 0) return []
  const sources = requests.map(request => sourceOf(reader, request))
  const { frames } = reader
  const time = new Float64Array(frames)
  const values = sources.map(() => new Float64Array(frames).fill(NaN))
  const reads = (channel: keyof Source) => sources.some(source => source[channel] !== undefined)
  const [needsContacts, needsJoints, needsCertificate, needsSensors] = [reads('contacts'), reads('joints'), reads('certificate'), reads('sensors')]
  const needsDeformables = reads('deformables')
  // Frames are the largest messages, and the certificate has the same times.
  const needsFrames = reads('frame') || !needsCertificate
  const turn = inTurns()
  for (let number = 0; number < frames; number++) {
    const frame = needsFrames ? reader.frame(number) : null
    const contacts = needsContacts ? reader.contacts(number) : null
    const joints = needsJoints ? reader.joints(number) : null
    const certificate = needsCertificate ? reader.certificate(number) : null
    const sensors = needsSensors ? reader.sensors(number) : null
    const deformables = needsDeformables ? reader.deformables(number) : null
    time[number] = (frame ?? certificate)!.time
    sources.forEach((source, k) => {
      const value = (frame && source.frame?.(frame)) ?? (contacts && source.contacts?.(contacts)) ?? (joints && source.joints?.(joints)) ??
        (certificate && source.certificate?.(certificate)) ?? (sensors && source.sensors?.(sensors)) ??
        (deformables && source.deformables?.(deformables))
      if (value != null) values[k]![number] = value
    })
    await turn()
  }
  if (reads('script')) readScripts(reader, sources, values, frames)
  return sources.map(({ unit, label }, k) => ({ time: markTransferable(time.slice()), values: markTransferable(values[k]!), unit, label }))
}

function readScripts(reader: TrajectoryReader, sources: readonly Source[], values: readonly Float64Array[], frames: number): void {
  for (let number = 0; number < reader.count('script'); number++) {
    const script = reader.script(number)
    if (script.index >= frames) continue
    sources.forEach((source, k) => {
      const place = source.script === undefined ? -1 : script.names.lastIndexOf(source.script)
      if (place >= 0) values[k]![script.index] = script.values[place]!
    })
  }
}

const bodyOffsets = { position: 0, linearVelocity: 7, angularVelocity: 10 } as const
const units = {
  position: 'm', linearVelocity: 'm/s', angularVelocity: 'rad/s', normalForce: 'N', frictionForce: 'N', gap: 'm', coneUsage: '', contacts: '', pivots: '',
  maxPenetration: 'm', maxComplementarity: '', maxJointError: '', maxConeViolation: '',
} as const

const DEFORMABLE_UNITS = {
  kinetic: 'J', stretching: 'J', bending: 'J', worstStrain: '', meanStrain: '', largestTension: 'N', reaction: 'N',
} as const

function sourceOf(reader: TrajectoryReader, request: Quantity): Source {
  const { header } = reader
  const bodyIndex = (id: string) => indexIn(header.bodyIds, id, 'body')
  switch (request.what) {
    case 'body': {
      const at = bodyIndex(request.body) * BODY_STRIDE + bodyOffsets[request.quantity]
      const label = `${request.body} ${request.quantity} ${request.component}`
      return { frame: ({ bodies }) => componentAt(bodies, at, request.component), unit: units[request.quantity], label }
    }
    case 'contact': {
      const { contact, quantity } = request
      const [a, b] = [bodyIndex(contact.bodyA), bodyIndex(contact.bodyB)]
      const isIt = (c: ContactFrame, k: number) => c.bodyA[k] === a && c.bodyB[k] === b && c.shapeA[k] === contact.shapeA && c.shapeB[k] === contact.shapeB &&
        featureName(c.featureKindA[k]!, c.featureA[k]!) === contact.features[0] && featureName(c.featureKindB[k]!, c.featureB[k]!) === contact.features[1]
      return {
        contacts: c => {
          for (let k = 0; k < c.count; k++) if (isIt(c, k)) return quantity === 'frictionForce' ? lengthAt(c.frictionForce, 3 * k) : c[quantity][k]!
          return NaN
        },
        unit: units[quantity], label: `${contact.bodyA} on ${contact.bodyB} ${quantity}`,
      }
    }
    case 'pair': {
      const [a, b] = [bodyIndex(request.bodyA), bodyIndex(request.bodyB)]
      return {
        contacts: c => pairValue(c, a, b, request.quantity), unit: units[request.quantity], label: `${request.bodyA} on ${request.bodyB} ${request.quantity}`,
      }
    }
    case 'joint': {
      const index = indexIn(header.jointIds, request.joint, 'joint')
      const { quantity } = request
      const isVector = quantity === 'force' || quantity === 'torque'
      const column = request.coordinate !== 1 ? quantity : quantity === 'position' ? 'secondPosition' : quantity === 'velocity' ? 'secondVelocity' : quantity
      return {
        joints: joints => (isVector ? lengthAt(joints[quantity], 3 * index) : joints[column][index]!),
        unit: quantity === 'force' ? 'N' : quantity === 'torque' ? 'N m' : '', label: `${request.joint} ${quantity}`,
      }
    }
    case 'momentum': {
      const { quantity, component } = request
      const momentum = momentumOf(massesOfRun(reader.scene, header))
      return {
        frame: ({ bodies }) => {
          const vector = momentum(bodies)[quantity]
          return component === 'magnitude' ? Math.hypot(...vector) : vector['xyz'.indexOf(component)]!
        },
        unit: quantity === 'linear' ? 'kg m/s' : 'kg m²/s', label: `${quantity === 'linear' ? 'momentum' : 'angular momentum'} ${component}`,
      }
    }
    case 'energy': {
      const { quantity } = request
      return {
        certificate: ({ energy }) => (quantity === 'total' ? energy.kinetic + energy.potential + energy.elastic : energy[quantity]),
          unit: quantity === 'residual' ? '' : 'J',
        label: `energy ${quantity}`,
      }
    }
    case 'certificate': return { certificate: certificate => certificate[request.quantity], unit: units[request.quantity], label: request.quantity }
    case 'sensor': {
      const { quantities } = sensorLayout(header)
      const found = quantities.find(({ sensor, name }) => sensor === request.sensor && name === request.quantity)
      if (found === undefined) throw new HostError('UnknownReference', `This run has no ${request.quantity} of a sensor "${request.sensor}".`)
      const { at, length, unit } = found
      const single = length === 1 || request.component === 'x'
      return {
        sensors: ({ values }) => single ? values[at]! : componentAt(values, at, request.component), unit,
        label: `${request.sensor} ${request.quantity}${length === 1 ? '' : ` ${request.component}`}`,
      }
    }
    case 'deformable': {
      const { deformable, quantity, hold = 0 } = request
      const place = deformablePlaces(header)[indexIn(header.deformableIds, deformable, 'deformable')]!
      if (quantity === 'reaction' && hold >= place.holds) throw new HostError('UnknownReference', `Nothing with the number ${hold} holds "${deformable}": ${place.holds} do.`)
      return {
        deformables: frame => {
          const state = deformableState(frame, place)
          return quantity === 'reaction' ? lengthAt(state.reactions, 3 * hold) : state[quantity] ?? NaN
        },
        unit: DEFORMABLE_UNITS[quantity], label: `${deformable} ${quantity}${quantity === 'reaction' ? ` ${hold}` : ''}`,
      }
    }
    case 'script': return { script: request.name, unit: '', label: request.name }
  }
}

function indexIn(ids: readonly string[], id: string, what: string): number {
  const index = ids.indexOf(id)
  if (index < 0) throw new HostError('UnknownReference', `This run has no ${what} "${id}".`)
  return index
}

function componentAt(values: Float64Array, at: number, component: SeriesComponent): number {
  return component === 'magnitude' ? lengthAt(values, at) : values[at + 'xyz'.indexOf(component)]!
}

function lengthAt(values: Float64Array, at: number): number {
  return Math.hypot(values[at]!, values[at + 1]!, values[at + 2]!)
}

/** Over all contacts of two bodies, in either order: sum of normal forces, resultant of friction, number of contacts. */
function pairValue(c: ContactFrame, a: number, b: number, quantity: 'normalForce' | 'frictionForce' | 'contacts'): number {
  let [count, normal, x, y, z] = [0, 0, 0, 0, 0]
  for (let k = 0; k < c.count; k++) {
    if (!(c.bodyA[k] === a && c.bodyB[k] === b) && !(c.bodyA[k] === b && c.bodyB[k] === a)) continue
    count++
    normal += c.normalForce[k]!
    // All contacts of a pair have their bodies in the same order, so that forces on A add up.
    x += c.frictionForce[3 * k]!
    y += c.frictionForce[3 * k + 1]!
    z += c.frictionForce[3 * k + 2]!
  }
  return quantity === 'contacts' ? count : quantity === 'normalForce' ? normal : Math.hypot(x, y, z)
}
