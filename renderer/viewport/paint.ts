/** Colours that replace materials: one colour per body, or colours by speed. */

import { BODY_STRIDE } from '../../core/trajectory/frame'
import type { Vec3 } from '../../core/math/vector'

/** Hues differ by the golden angle, so that successive bodies of the document have different colours. */
export function bodyColor(body: number): [number, number, number] {
  const hue = (body * 0.61803398875 + 0.08) % 1
  const channel = (shift: number) => {
    const x = ((hue + shift) % 1) * 6
    return 0.42 + 0.4 * Math.min(1, Math.max(0, Math.abs(x - 3) - 1))
  }
  return [channel(0), channel(2 / 3), channel(1 / 3)]
}

/** Control points of a perceptually uniform ramp from dark blue over green to yellow. */
const RAMP: readonly Vec3[] = [[0.24, 0.27, 0.54], [0.17, 0.49, 0.56], [0.2, 0.66, 0.51], [0.62, 0.81, 0.27], [0.99, 0.9, 0.25]]

/** `full` is the speed (m/s) at the bright end of the ramp. */
export function speedColor(columns: Float64Array, body: number, full: number): [number, number, number] {
  const at = body * BODY_STRIDE + 7
  const speed = Math.sqrt(columns[at]! ** 2 + columns[at + 1]! ** 2 + columns[at + 2]! ** 2)
  const s = Math.min(1, speed / full) * (RAMP.length - 1)
  const i = Math.min(RAMP.length - 2, Math.floor(s) || 0)
  const t = Number.isFinite(s) ? s - i : 0
  const mix = (k: 0 | 1 | 2) => RAMP[i]![k] + (RAMP[i + 1]![k] - RAMP[i]![k]) * t
  return [mix(0), mix(1), mix(2)]
}
