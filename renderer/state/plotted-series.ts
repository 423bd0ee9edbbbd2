/** A recorded quantity for display: names in place of ids, and joint angles in degrees as in fields. */

import { holdsOf } from '../../core/analysis/deformable-state'
import { freedomsOf, resolveDeformable, type Scene } from '../../core/scene'
import type { Series, SeriesRequest } from '../../main/protocol/runs'
import { holdTitle } from './hold-title'
import { bodiesOf, jointsOf, titleOf } from './scene-access'

const DEGREES = 180 / Math.PI

const QUANTITIES: Readonly<Record<string, string>> = {
  linearVelocity: 'velocity', angularVelocity: 'angular velocity', normalForce: 'normal force', frictionForce: 'friction force', coneUsage: 'friction used',
  motorForce: 'motor', limitForce: 'limit stop', maxPenetration: 'deepest penetration', maxComplementarity: 'worst complementarity', maxJointError: 'worst joint error',
  maxConeViolation: 'worst cone violation', worstStrain: 'worst strain', meanStrain: 'mean strain', largestTension: 'largest tension', stretching: 'energy of stretching',
  bending: 'energy of bending', specificForce: 'specific force', angularRate: 'angular rate',
}

const ENERGIES: Readonly<Record<string, string>> = {
  kinetic: 'kinetic energy', potential: 'potential energy', total: 'total energy', friction: 'work of friction', impacts: 'lost in impacts', drag: 'work of drag', joints: 'work of joints',
  scripts: 'work of scripts and forces', kinematic: 'work of kinematic bodies', spawned: 'energy of spawned bodies', elastic: 'elastic energy', damping: 'lost by damping',
  numerical: 'numerical, by time steps', residual: 'energy unexplained',
}

export function forPeople(series: Series, request: SeriesRequest, scene: Scene): Series {
  const body = (id: string) => titleOf(bodiesOf(scene).find(one => one.id === id) ?? { id })
  const word = (quantity: string) => QUANTITIES[quantity] ?? quantity
  switch (request.what) {
    case 'body': return { ...series, label: `${body(request.body)} ${word(request.quantity)}${request.component === 'magnitude' ? '' : ` ${request.component}`}` }
    case 'contact': return { ...series, label: `${body(request.contact.bodyA)} on ${body(request.contact.bodyB)} ${word(request.quantity)}` }
    case 'pair': return { ...series, label: `${body(request.bodyA)} on ${body(request.bodyB)} ${word(request.quantity)}` }
    case 'joint': {
      const joint = jointsOf(scene).find(one => one.id === request.joint)
      const title = titleOf(joint ?? { id: request.joint })
      if (request.quantity !== 'position' && request.quantity !== 'velocity') return { ...series, label: `${title} ${word(request.quantity)}` }
      const coordinate = joint && freedomsOf(joint)[request.coordinate ?? 0]
      const label = `${title} ${request.quantity === 'velocity' ? 'rate of ' : ''}${coordinate?.label ?? request.quantity}`
      if (!coordinate) return { ...series, label }
      if (request.quantity === 'velocity') return { ...series, label, unit: `${coordinate.unit}/s` }
      return coordinate.unit === 'rad' ? { ...series, label, unit: '°', values: series.values.map(value => value * DEGREES) } : { ...series, label, unit: coordinate.unit }
    }
    case 'sensor': {
      const sensor = scene.sensors?.find(one => one.id === request.sensor)
      const component = request.quantity === 'distance' ? '' : ` ${request.component}`
      return { ...series, label: `${titleOf(sensor ?? { id: request.sensor })} ${word(request.quantity)}${component}` }
    }
    case 'deformable': {
      const found = scene.deformables?.find(one => one.id === request.deformable)
      const hold = request.quantity !== 'reaction' ? '' : ` of ${found ? holdTitle(holdsOf(resolveDeformable(found))[request.hold ?? 0], scene) : `hold ${request.hold ?? 0}`}`
      return { ...series, label: `${titleOf(found ?? { id: request.deformable })} ${word(request.quantity)}${hold}` }
    }
    case 'energy': return { ...series, label: ENERGIES[request.quantity] ?? request.quantity }
    case 'certificate': return { ...series, label: word(request.quantity) }
    default: return series
  }
}
