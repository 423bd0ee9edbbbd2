/**
 * Units in typed expressions, as a factor to SI and exponents of metre, kilogram, second and radian. The radian is a separate dimension,
 * so that `30deg` is refused for a length.
 */

export type Dimension = readonly [m: number, kg: number, s: number, rad: number]

export interface Quantity {
  /** In SI units. */
  readonly value: number
  readonly dimension: Dimension
}

export const PURE: Dimension = [0, 0, 0, 0]

const unit = (value: number, m = 0, kg = 0, s = 0, rad = 0): Quantity => ({ value, dimension: [m, kg, s, rad] })

export const UNITS: ReadonlyMap<string, Quantity> = new Map([
  ['m', unit(1, 1)], ['km', unit(1e3, 1)], ['dm', unit(0.1, 1)], ['cm', unit(0.01, 1)], ['mm', unit(1e-3, 1)], ['µm', unit(1e-6, 1)], ['um', unit(1e-6, 1)],
  ['in', unit(0.0254, 1)], ['ft', unit(0.3048, 1)],
  ['kg', unit(1, 0, 1)], ['g', unit(1e-3, 0, 1)], ['t', unit(1e3, 0, 1)], ['lb', unit(0.45359237, 0, 1)],
  ['s', unit(1, 0, 0, 1)], ['ms', unit(1e-3, 0, 0, 1)], ['min', unit(60, 0, 0, 1)], ['h', unit(3600, 0, 0, 1)],
  ['rad', unit(1, 0, 0, 0, 1)], ['deg', unit(Math.PI / 180, 0, 0, 0, 1)], ['°', unit(Math.PI / 180, 0, 0, 0, 1)], ['turn', unit(2 * Math.PI, 0, 0, 0, 1)],
  ['rpm', unit(Math.PI / 30, 0, 0, -1, 1)],
  ['N', unit(1, 1, 1, -2)], ['kN', unit(1e3, 1, 1, -2)], ['mN', unit(1e-3, 1, 1, -2)], ['J', unit(1, 2, 1, -2)], ['W', unit(1, 2, 1, -3)],
  ['Hz', unit(1, 0, 0, -1)], ['kHz', unit(1e3, 0, 0, -1)],
])

export const sameDimension = (a: Dimension, b: Dimension) => a.every((exponent, i) => exponent === b[i])

export const isPure = (dimension: Dimension) => sameDimension(dimension, PURE)

export function multiply(a: Quantity, b: Quantity): Quantity {
  return { value: a.value * b.value, dimension: combine(a.dimension, b.dimension, 1) }
}

export function divide(a: Quantity, b: Quantity): Quantity {
  return { value: a.value / b.value, dimension: combine(a.dimension, b.dimension, -1) }
}

export function power(a: Quantity, exponent: number): Quantity {
  const [m, kg, s, rad] = a.dimension
  return { value: Math.pow(a.value, exponent), dimension: [m * exponent, kg * exponent, s * exponent, rad * exponent] }
}

function combine(a: Dimension, b: Dimension, sign: number): Dimension {
  return [a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3]]
}
