/** Mirrors the formulas of an element's numbers: the formula of a coordinate along the mirror's axis changes its sign like the number. */

import { formatPath, parsePath, turnField, type Force, type Scene } from '../scene'
import { negated, inOtherForm } from './mirror-formulas'
import type { MirrorImage } from './mirror-image'

type Expressions = NonNullable<Scene['expressions']>

/**
 * Behaviour of a field under reflection: a point of the world, a polar vector, an axial vector, or unchanged. The component of a
 * `corner` of a box along the axis becomes that of the opposite corner, and has no separate image.
 */
type Kind = 'point' | 'polar' | 'axial' | 'same' | 'corner'

/** By the field's path without its indices. */
export type Kinds = Readonly<Record<string, Kind>>

export const OF_BODIES: Kinds = {
  'position': 'point', 'linearVelocity': 'polar', 'angularVelocity': 'axial', 'spawnTime': 'same', 'removeTime': 'same', 'mass.mass': 'same',
  'mass.centerOfMass': 'polar', 'shapes.position': 'polar', 'shapes.size': 'same', 'shapes.radius': 'same', 'shapes.height': 'same', 'shapes.radii': 'same',
}
export const OF_JOINTS: Kinds = { anchor: 'point', anchorB: 'point', length: 'same', damping: 'same', friction: 'same', spawnTime: 'same', removeTime: 'same' }

export const OF_SENSORS: Kinds = {
  'position': 'polar', 'direction': 'polar', 'maximum': 'same', 'noise': 'same', 'rateNoise': 'same', 'torqueNoise': 'same',
}
/** Of the conditions of vertices in a list. */
const ofConditions = (list: string): Kinds => Object.fromEntries(([
  ['distance', 'same'], ['angle', 'same'], ['area', 'same'], ['volume', 'same'], ['point', 'point'], ['direction', 'polar'], ['normal', 'polar'],
] as const).map(([field, kind]) => [`${list}.condition.${field}`, kind]))

export const OF_DEFORMABLES: Kinds = {
  'radius': 'same', 'damping': 'same', 'linearDensity': 'same', 'arealDensity': 'same', 'axialStiffness': 'same', 'bendingStiffness': 'same', 'stretchWarp': 'same',
  'stretchWeft': 'same', 'shear': 'same', 'bendWarp': 'same', 'bendWeft': 'same', 'velocity': 'polar', 'points': 'point', 'vertices': 'point', 'strands.points': 'point',
  'particles.position': 'point', 'particles.velocity': 'polar', 'particles.mass': 'same', 'springs.restLength': 'same', 'springs.stiffness': 'same',
  'springs.damping': 'same', 'restUV': 'same', 'stretchFactors': 'same', 'shearFactors': 'same', 'bendFactors': 'same',
  'controlled.motion.keys.time': 'same', 'controlled.motion.keys.offset': 'polar', 'controlled.motion.semiAxisA': 'polar', 'controlled.motion.semiAxisB': 'polar',
  'controlled.motion.points': 'polar', 'controlled.motion.period': 'same',
  'behaviours.stiffness': 'same', 'behaviours.damping': 'same', ...ofConditions('behaviours'),
  'constraints.feedback.stiffness': 'same', 'constraints.feedback.damping': 'same', ...ofConditions('constraints'),
}

const STRENGTHS: Kinds = {
  'stiffness': 'same', 'damping': 'same', 'restLength': 'same', 'linear': 'same', 'quadratic': 'same', 'angular': 'same', 'strength': 'same', 'exponent': 'same',
  'softening': 'same', 'falloff': 'same', 'energy': 'same', 'depth': 'same', 'diameter': 'same', 'cutOff': 'same', 'keys.time': 'same',
  'keys.stiffness': 'same', 'keys.damping': 'same', 'keys.length': 'same',
}

/** Points in the frames of mirrored bodies are polar, and those of other bodies stay. */
export function kindsOfForce(force: Force, mirrored: ReadonlySet<string>): Kinds {
  const pointOn = (body: string | null | undefined): Kind => body == null ? 'point' : mirrored.has(body) ? 'polar' : 'same'
  switch (force.type) {
    case 'uniform': return { force: 'polar' }
    case 'point': return { force: 'polar', point: 'polar' }
    case 'torque': return { torque: 'axial' }
    case 'keyframed': return { ...STRENGTHS, 'point': 'polar', 'keys.force': 'polar', 'keys.torque': 'axial' }
    case 'wind': return { ...STRENGTHS, 'velocity': 'polar', 'box.min': 'corner', 'box.max': 'corner' }
    case 'attractor': return { ...STRENGTHS, center: pointOn(force.body) }
    case 'spring': return { ...STRENGTHS, pointA: pointOn(force.bodyA), pointB: pointOn(force.bodyB) }
    // The points of a guide's keys are in the frames of different bodies, which the field's path without indices does not distinguish.
    default: return STRENGTHS
  }
}

/** @throws the result of `refused` for the first field whose formula has no mirror image */
export function mirroredExpressions(expressions: Expressions, kinds: Kinds, image: MirrorImage, refused: (field: string) => Error): Expressions {
  return expressions.map(one => {
    const turn = turnField(one.field)
    // Successive rotations about three axes: the rotation about the mirror's axis keeps its sense, the others are reversed.
    if (turn?.orientation === 'orientation') return { ...one, formula: (turn.axis === image.axis ? inOtherForm : negated)(one.formula) }
    const path = parsePath(one.field) ?? []
    const kind = kinds[formatPath(path.filter(part => typeof part === 'string'))]
    const component = path.at(-1)
    if (kind === undefined || turn) throw refused(one.field)
    if (kind === 'same') return one
    const changes = (component === image.axis) === (kind !== 'axial')
    if (!changes) return one
    if (kind === 'corner') throw refused(one.field)
    if (kind !== 'point') return { ...one, formula: negated(one.formula) }
    return { ...one, formula: reflected(one.formula, image.point([0, 0, 0])[image.axis]) }
  })
}

/** 2 a − f, for a mirror at a. */
function reflected(formula: string, twice: number): string {
  const head = `${twice} - (`
  const text = formula.trim()
  const inner = text.startsWith(head) ? `-${text.slice(head.length - 1)}` : ''
  // For a formula that is already an image, the original.
  const former = inner === '' ? '' : negated(inner)
  return former !== '' && !former.startsWith('-(') ? former : `${head}${text})`
}
