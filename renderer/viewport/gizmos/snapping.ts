/** Rounding of drags to increments. Avoids digits such as 0.15000000000000002 in the file, which come from binary multiples of 0.05. */

import type { Vec3 } from '../../../core/math/vector'

/** The nearest multiple of `step`; unchanged if the step is 0. */
export function snap(value: number, step: number): number {
  if (!(step > 0)) return value
  return tidy(Math.round(value / step) * step)
}

/** Twelve significant digits: 0.15000000000000002 becomes 0.15. */
export function tidy(value: number): number {
  return Number(value.toPrecision(12))
}

/** Increment of a drag with the keys held now: Ctrl inverts snapping, Shift divides the increment by ten. */
export function stepFor(increment: number, enabled: boolean, keys: { readonly ctrl: boolean; readonly shift: boolean }): number {
  if (enabled === keys.ctrl) return 0
  return keys.shift ? increment / 10 : increment
}

/** The vector with component k replaced. */
export function replaced(v: Vec3, k: 0 | 1 | 2, value: number): Vec3 {
  return [k === 0 ? value : v[0], k === 1 ? value : v[1], k === 2 ? value : v[2]]
}
