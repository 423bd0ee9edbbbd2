/** Gravity of a live session as three sliders: magnitude, tilt from straight down, and heading of the tilt. */

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

/** m/s²: minimum range of the magnitude, about twice the earth's. */
const REACH = 20
const HALF_TURN = Math.PI

/** Parts of the gravity vector: `tilt` from −z, `heading` about z from +x, rad. In two dimensions there is no heading, and the tilt has a sign. */
export interface Field { readonly size: number; readonly tilt: number; readonly heading: number }

export function fieldOf([x, y, z]: Vec3, planar: boolean): Field {
  const across = hypot(x, y)
  return { size: hypot(across, z), tilt: planar ? atan2(x, -z) : atan2(across, -z), heading: across === 0 || planar ? 0 : atan2(y, x) }
}

export function gravityOf({ size, tilt, heading }: Field): Vec3 {
  const across = size * sin(tilt)
  // JSON has no −0, and the kept session must reproduce the live one bit by bit.
  return [across * cos(heading) || 0, across * sin(heading) || 0, -size * cos(tilt) || 0]
}

/** @param first m/s², magnitude at the start of the session: the slider's range is three times this */
export function gravityParts({ size, tilt, heading }: Field, first: number, planar: boolean): GravityPart[] {
  return [
    { key: 'size', label: 'Gravity', unit: 'm/s²', value: size, min: 0, max: Math.max(REACH, 3 * first) },
    { key: 'tilt', label: 'Tilt of gravity', unit: 'rad', value: tilt, min: planar ? -HALF_TURN : 0, max: HALF_TURN },
    ...planar ? [] : [{ key: 'heading', label: 'Direction of the tilt', unit: 'rad', value: heading, min: -HALF_TURN, max: HALF_TURN } as const],
  ]
}
