/** Local transform of a prim: its xformOps combined in order [UsdGeomXformable]. */

import { inverse, IDENTITY, type Mat3 } from '../../math/matrix'
import { toMatrix, type Quat } from '../../math/quaternion'
import { negate, ZERO, type Vec3 } from '../../math/vector'
import { transform as transformed } from '../../math/matrix'
import { composeAffine, NO_TRANSFORM, scaling, type Affine } from '../shared/affine'
import { FormatError } from '../shared/error'
import { aboutAxis, fromWxyz } from '../shared/rotations'
import { tupleOf, valueOf, type UsdPrim, type UsdValue } from './layer'

const AXES: Readonly<Record<string, Vec3>> = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] }
export const DEGREE = Math.PI / 180

export interface LocalTransform {
  readonly affine: Affine
  /** Whether the transforms of the ancestors are ignored. */
  readonly resets: boolean
}

/** @throws FormatError for an unreadable op */
export function localTransform(prim: UsdPrim): LocalTransform {
  const order = valueOf(prim, 'xformOpOrder')
  let affine = NO_TRANSFORM
  let resets = false
  for (const op of Array.isArray(order) ? order as readonly UsdValue[] : []) {
    if (op === '!resetXformStack!') {
      affine = NO_TRANSFORM
      resets = true
    } else if (typeof op === 'string') {
      const inverted = op.startsWith('!invert!')
      const name = inverted ? op.slice('!invert!'.length) : op
      const one = opTransform(name.split(':')[1] ?? '', valueOf(prim, name), `${prim.path}.${name}`)
      affine = composeAffine(affine, inverted ? inverseOf(one) : one)
    }
  }
  return { affine, resets }
}

function opTransform(kind: string, value: UsdValue | undefined, where: string): Affine {
  const refused = (allowed: string) => new FormatError('InvalidValue', where, `"${where}" is not a valid ${kind}.`, { value, allowed })
  // An op without a value is neutral.
  if (value === undefined) return NO_TRANSFORM
  const triple = (): Vec3 => (tupleOf(value, 3) ?? (() => { throw refused('three numbers') })()) as unknown as Vec3
  const rotation = /^rotate([XYZ]{1,3})$/.exec(kind)
  if (rotation !== null) {
    const axes = [...rotation[1]!]
    if (axes.length === 1) {
      if (typeof value !== 'number') throw refused('an angle in degrees')
      return turn(aboutAxis(AXES[axes[0]!]!, value * DEGREE))
    }
    const angles = triple()
    // For XYZ, x is applied first; the last axis is the outermost.
    return axes.reduce((sum, axis) => composeAffine(turn(aboutAxis(AXES[axis]!, angles['XYZ'.indexOf(axis)]! * DEGREE)), sum), NO_TRANSFORM)
  }
  switch (kind) {
    case 'translate':
      return { m: IDENTITY, t: triple() }
    case 'scale':
      return typeof value === 'number' ? scaling([value, value, value]) : scaling(triple())
    case 'orient': {
      const q = fromWxyz(tupleOf(value, 4) ?? [])
      if (q === null) throw refused('a quaternion (w, x, y, z) other than 0')
      return turn(q)
    }
    case 'transform': {
      const rows = Array.isArray(value) ? value as readonly UsdValue[] : []
      const flat = rows.length === 4 ? rows.flatMap(row => tupleOf(row, 4) ?? []) : rows.filter(item => typeof item === 'number')
      if (flat.length !== 16) throw refused('a 4 × 4 matrix')
      const k = (i: number): number => flat[i]!
      // USD uses row vectors: p' = p M.
      return { m: [k(0), k(4), k(8), k(1), k(5), k(9), k(2), k(6), k(10)], t: [k(12), k(13), k(14)] }
    }
  }
  throw refused('translate, scale, rotate…, orient or transform')
}

function turn(q: Quat): Affine {
  return { m: toMatrix(q), t: ZERO }
}

function inverseOf({ m, t }: Affine): Affine {
  const back: Mat3 = inverse(m)
  return { m: back, t: negate(transformed(back, t)) }
}
