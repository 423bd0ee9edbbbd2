/** Mirrors the formulas of an element's numbers: the formula of a coordinate along the mirror's axis changes its sign like the number. */

import { formatPath, parsePath, turnField, type Scene } from '../scene'
import { negated, restated } from './mirror-formulas'
import type { MirrorImage } from './mirror-image'

type Expressions = NonNullable<Scene['expressions']>

/** Behaviour of a field under reflection: a point of the world, a polar vector, an axial vector, or unchanged. */
type Kind = 'point' | 'polar' | 'axial' | 'same'

/** By the field's path without its indices. */
export type Kinds = Readonly<Record<string, Kind>>

export const OF_BODIES: Kinds = {
  'position': 'point', 'linearVelocity': 'polar', 'angularVelocity': 'axial', 'spawnTime': 'same', 'removeTime': 'same', 'mass.mass': 'same',
  'mass.centerOfMass': 'polar', 'shapes.position': 'polar', 'shapes.size': 'same', 'shapes.radius': 'same', 'shapes.height': 'same', 'shapes.radii': 'same',
}
export const OF_JOINTS: Kinds = { anchor: 'point', anchorB: 'point', length: 'same', damping: 'same', friction: 'same', spawnTime: 'same', removeTime: 'same' }

/** @throws the result of `refused` for the first field whose formula has no mirror image */
export function mirroredExpressions(expressions: Expressions, kinds: Kinds, image: MirrorImage, refused: (field: string) => Error): Expressions {
  return expressions.map(one => {
    const turn = turnField(one.field)
    // Successive rotations about three axes: the rotation about the mirror's axis keeps its sense, the others are reversed.
    if (turn?.orientation === 'orientation') return { ...one, formula: (turn.axis === image.axis ? restated : negated)(one.formula) }
    const path = parsePath(one.field) ?? []
    const kind = kinds[formatPath(path.filter(part => typeof part === 'string'))]
    const component = path.at(-1)
    if (kind === undefined || turn) throw refused(one.field)
    if (kind === 'same') return one
    const changes = (component === image.axis) === (kind !== 'axial')
    if (!changes) return one
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
