/** Units of formulas over recorded quantities, as exponents of metre, kilogram, second and radian. */

export type Dimension = readonly [m: number, kg: number, s: number, rad: number]

/** Unit of a value, if known. A literal number takes the unit of the value to which it is added. */
export type Unit =
  | { readonly kind: 'known'; readonly dimension: Dimension; readonly name: string }
  | { readonly kind: 'number' }
  | { readonly kind: 'unknown' }

const DIMENSIONS: Readonly<Record<string, Dimension>> = {
  '': [0, 0, 0, 0], 'm': [1, 0, 0, 0], 'kg': [0, 1, 0, 0], 's': [0, 0, 1, 0], 'rad': [0, 0, 0, 1], 'm/s': [1, 0, -1, 0], 'm/s²': [1, 0, -2, 0],
  'rad/s': [0, 0, -1, 1], 'N': [1, 1, -2, 0], 'N m': [2, 1, -2, 0], 'J': [2, 1, -2, 0], 'W': [2, 1, -3, 0], 'N s': [1, 1, -1, 0],
  'kg m/s': [1, 1, -1, 0], 'kg m²/s': [2, 1, -1, 0],
}
/** Names that are displayed instead of products of base units. */
const NAMED = ['N', 'J', 'W'] as const

export const NUMBER: Unit = { kind: 'number' }
export const UNKNOWN: Unit = { kind: 'unknown' }
export const PURE: Unit = unitNamed('')

/** @param name a unit of a recorded quantity */
export function unitNamed(name: string): Unit {
  const dimension = DIMENSIONS[name]
  return dimension === undefined ? UNKNOWN : { kind: 'known', dimension, name }
}

/** Displayed text; empty for pure numbers and unknown units. */
export const unitText = (unit: Unit): string => unit.kind === 'known' ? unit.name : ''

/** Angles are ratios of lengths: rad is displayed only without other units, and never makes a sum invalid. */
export function sameUnit(a: Dimension, b: Dimension): boolean {
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2]
}

/** Unit of a product a^p b^q. */
export function productUnit(a: Unit, p: number, b: Unit, q: number): Unit {
  if (a.kind === 'unknown' || b.kind === 'unknown') return UNKNOWN
  if (a.kind === 'number' && b.kind === 'number') return NUMBER
  const of = (unit: Unit): Dimension => unit.kind === 'known' ? unit.dimension : [0, 0, 0, 0]
  const [x, y] = [of(a), of(b)]
  const dimension = x.map((exponent, k) => p * exponent + q * y[k]!) as unknown as Dimension
  const [only, power] = b.kind === 'number' ? [a, p] : a.kind === 'number' ? [b, q] : [null, 0]
  // 2 × 3 N m stays N m.
  return { kind: 'known', dimension, name: only?.kind === 'known' && power === 1 ? only.name : nameOf(dimension) }
}

const BASES = ['kg', 'm', 's', 'rad'] as const

function nameOf([m, kg, s, angle]: Dimension): string {
  const rad = m === 0 && kg === 0 ? angle : 0
  const named = NAMED.find(name => sameUnit(DIMENSIONS[name]!, [m, kg, s, 0]))
  if (named !== undefined) return named
  const powers = [kg, m, s, rad]
  const part = (sign: 1 | -1) => BASES.flatMap((base, k) => sign * powers[k]! > 0 ? [base + raised(sign * powers[k]!)] : [])
  const [above, below] = [part(1), part(-1)]
  if (below.length === 0) return above.join(' ')
  return `${above.length === 0 ? '1' : above.join(' ')}/${below.length > 1 ? `(${below.join(' ')})` : below[0]!}`
}

const raised = (power: number): string => power === 1 ? '' : power === 2 ? '²' : power === 3 ? '³' : `^${power}`
