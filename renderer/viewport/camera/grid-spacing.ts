/** Spacing of grid lines for a zoom and its label: a power of ten, so that two fine lines are 8 to 80 pixels apart. */

import { halfHeightAt } from './camera-state'
import type { CameraState } from '../../state/view'

/** m: spacing of the fine lines; every tenth line is stronger. */
export function gridSpacing(camera: CameraState, height: number): number {
  const perPixel = 2 * halfHeightAt(camera) / Math.max(1, height)
  return Math.pow(10, Math.ceil(Math.log10(9 * perPixel)))
}

const UNITS: readonly (readonly [number, string])[] = [[1e3, 'km'], [1, 'm'], [1e-2, 'cm'], [1e-3, 'mm'], [1e-6, 'µm']]

/** A round length with the unit that makes it a small integer: `10 cm`. */
export function lengthLabel(metres: number): string {
  const [size, unit] = UNITS.find(([u]) => metres >= u * (1 - 1e-9)) ?? [1e-6, 'µm']
  return `${Number((metres / size).toPrecision(6))} ${unit}`
}
