/**
 * From the scene's axes, z up, to glTF's, y up: x is kept, z becomes y and y becomes −z. Components are only permuted and negated, so nothing is
 * rounded.
 */

import type { Quat } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'

const negated = (x: number): number => x === 0 ? 0 : -x

export const toYUp = ([x, y, z]: Vec3): Vec3 => [x, z, negated(y)]
export const toZUp = ([x, y, z]: Vec3): Vec3 => [x, negated(z), y]
export const turnToYUp = ([x, y, z, w]: Quat): Quat => [x, z, negated(y), w]
export const turnToZUp = ([x, y, z, w]: Quat): Quat => [x, negated(z), y, w]
/** Lengths and moments along the axes have no sign, so they are only permuted. */
export const sizesToYUp = ([x, y, z]: Vec3): Vec3 => [x, z, y]
export const sizesToZUp = ([x, y, z]: Vec3): Vec3 => [x, z, y]
