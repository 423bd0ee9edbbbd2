/** Gravity of a session as three sliders: its size, how far it is turned from straight down, and where to. */

import { atan2, cos, hypot, sin } from '../../core/math/elementary'
import type { Vec3 } from '../../core/math/vector'

export interface GravityPart {
  readonly key: 'size' | 'tilt' | 'heading'
  readonly label: string
  readonly unit: 'm/s²' | 'rad'
  readonly value: number
  readonly min: number
  readonly max: number
}

/** m/s²: as far as the size goes at least, twice that of the earth. */
const REACH = 20
const HALF_TURN = Math.PI

/** The parts of a field; `tilt` is from −z, and `heading` about z from +x, rad. In a plane there is no heading, and the tilt has a sign. */
export interface Field { readonly size: number; readonly tilt: number; readonly heading: number }

export function fieldOf([x, y, z]: Vec3, planar: boolean): Field {
  const across = hypot(x, y)
  return { size: hypot(across, z), tilt: planar ? atan2(x, -z) : atan2(across, -z), heading: across === 0 || planar ? 0 : atan2(y, x) }
}

export function gravityOf({ size, tilt, heading }: Field): Vec3 {
  const across = size * sin(tilt)
  // JSON knows no −0, and the kept session is to be the same to the bit.
  return [across * cos(heading) || 0, across * sin(heading) || 0, -size * cos(tilt) || 0]
}

/** @param first m/s², at the start of the session: the slider reaches three times as far */
export function gravityParts({ size, tilt, heading }: Field, first: number, planar: boolean): GravityPart[] {
  return [
    { key: 'size', label: 'Gravity', unit: 'm/s²', value: size, min: 0, max: Math.max(REACH, 3 * first) },
    { key: 'tilt', label: 'Gravity: tilt from straight down', unit: 'rad', value: tilt, min: planar ? -HALF_TURN : 0, max: HALF_TURN },
    ...planar ? [] : [{ key: 'heading', label: 'Gravity: direction of the tilt', unit: 'rad', value: heading, min: -HALF_TURN, max: HALF_TURN } as const],
  ]
}
