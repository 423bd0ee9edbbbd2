/** Formulas that numbers of an element follow, in the mirror: that of a coordinate along the mirror's axis changes its sign as the number does. */

import { formatPath, parsePath, turnField, type Scene } from '../scene'
import { negated, restated } from './mirror-formulas'
import type { MirrorImage } from './mirror-image'

type Expressions = NonNullable<Scene['expressions']>

/** How a field looks in the mirror: a point of the world, a vector, an axial one, or the same. */
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
    // Rotations about three axes in turn: each keeps its sense about the mirror's axis, and is reversed about the others.
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
  // Of a formula that is an image already, what it was.
  const former = inner === '' ? '' : negated(inner)
  return former !== '' && !former.startsWith('-(') ? former : `${head}${text})`
}
