/**
 * Sobol's sequence: fills a cube more evenly than random points. In base 2, any 2^m points whose first index is a multiple of 2^m have exactly one in
 * each of 2^m equal slices of every axis. Direction numbers of [Joe, Kuo: Constructing Sobol sequences with better two-dimensional projections,
 * 2008].
 */

/**
 * By dimension, starting with the second: coefficients of the primitive polynomial as bits, and the first direction numbers, as many as its
 * degree.
 */
const DIRECTIONS: readonly (readonly [polynomial: number, ...first: number[]])[] = [
  [0, 1], [1, 1, 3], [1, 1, 3, 1], [2, 1, 1, 1], [1, 1, 1, 3, 3], [4, 1, 3, 5, 13], [2, 1, 1, 5, 5, 17], [4, 1, 1, 5, 5, 5], [7, 1, 1, 7, 11, 19],
  [11, 1, 1, 5, 1, 1], [13, 1, 1, 1, 3, 11], [14, 1, 3, 5, 5, 31], [1, 1, 3, 3, 9, 7, 49], [13, 1, 1, 1, 15, 21, 21], [16, 1, 3, 1, 13, 27, 49],
  [19, 1, 1, 1, 15, 7, 5], [22, 1, 3, 1, 15, 13, 25], [25, 1, 1, 5, 5, 19, 61], [1, 1, 3, 7, 11, 23, 15, 103], [4, 1, 3, 7, 13, 13, 15, 69],
]

export const SOBOL_DIMENSIONS = DIRECTIONS.length + 1
const BITS = 32

/**
 * Coordinates of point `index` in [0, 1). Digital shifts (exclusive or with `shift`) keep the uniformity and give different sequences for
 * different seeds.
 *
 * @param shift 32 bits per dimension
 */
export function sobolPoint(index: number, shift: Uint32Array): number[] {
  const gray = (index ^ (index >>> 1)) >>> 0
  return Array.from(shift, (bits, dimension) => {
    const v = directionNumbers(dimension)
    let x = bits
    for (let k = 0; k < BITS; k++) if ((gray >>> k) & 1) x ^= v[k]!
    return (x >>> 0) / 0x100000000
  })
}

const known: Uint32Array[] = []

/** v₁ … v₃₂ of a dimension, each shifted to the top of 32 bits. @throws RangeError beyond `SOBOL_DIMENSIONS` */
function directionNumbers(dimension: number): Uint32Array {
  if (dimension >= SOBOL_DIMENSIONS) throw new RangeError(`Sobol's sequence has ${SOBOL_DIMENSIONS} dimensions here.`)
  return known[dimension] ??= computed(dimension)
}

function computed(dimension: number): Uint32Array {
  const v = new Uint32Array(BITS)
  if (dimension === 0) {
    for (let k = 0; k < BITS; k++) v[k] = 1 << (BITS - 1 - k)
    return v
  }
  const [polynomial, ...first] = DIRECTIONS[dimension - 1]!
  const degree = first.length
  for (let k = 0; k < BITS; k++) {
    if (k < degree) {
      v[k] = first[k]! << (BITS - 1 - k)
      continue
    }
    let value = v[k - degree]! ^ (v[k - degree]! >>> degree)
    for (let j = 1; j < degree; j++) if ((polynomial >>> (degree - 1 - j)) & 1) value ^= v[k - j]!
    v[k] = value
  }
  return v
}
