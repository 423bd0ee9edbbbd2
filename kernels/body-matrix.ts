/**
 * Filling, factoring and solving the matrix of Newton's method in the velocities of bodies, in AssemblyScript with f64x2: pairs of columns of 6 × 6 blocks side
 * by side [core/methods/time-stepping/solvers/body-matrix.ts]. It adds in the order of the scalar formulas, so that results do not depend on the width of
 * vectors. All addresses are in bytes; blocks and vectors are numbered by their first double, as in the arrays of TypeScript.
 */

/** Bytes of a row of a block, of a block, and of a constraint row (two halves of six doubles). */
const LINE: usize = 48
const BLOCK: usize = 288
const ROW: usize = 96

/**
 * Adds M⁻¹ Jᵀ S Γ of every group of rows to the blocks of its bodies, where S are the slopes of its impulses.
 *
 * @param gradient Γ, 12 doubles a row
 * @param response M⁻¹ Jᵀ, the same
 * @param slopes 9 doubles a row: S of a contact, 3 × 3, at its normal; of other rows only the first
 * @param firsts the first row of every group, i32: first the single rows, then contacts of three rows
 * @param places four blocks a group, i32: (A, A), (B, B), (A, B), (B, A); −1 if absent
 * @param columns scratch, 36 doubles
 */
export function fill(
  blocks: usize, gradient: usize, response: usize, slopes: usize, firsts: usize, places: usize, singles: i32, count: i32, columns: usize,
): void {
  for (let g = 0; g < count; g++) {
    const first: usize = load<i32>(firsts + (<usize>g << 2))
    const s = slopes + first * 72
    const w = response + first * ROW
    const j = gradient + first * ROW
    const at = places + (<usize>g << 4)
    const own = load<i32>(at), other = load<i32>(at, 4), above = load<i32>(at, 8), below = load<i32>(at, 12)
    if (g < singles) {
      const slope = load<f64>(s)
      if (slope == 0) continue
      const x = f64x2.splat(slope)
      for (let k: usize = 0; k < ROW; k += 16) v128.store(columns + k, f64x2.mul(v128.load(w + k), x))
      if (own >= 0) addSingle(blocks + (<usize>own << 3), columns, j)
      if (other >= 0) addSingle(blocks + (<usize>other << 3), columns + LINE, j + LINE)
      if (above < 0) continue
      addSingle(blocks + (<usize>above << 3), columns, j + LINE)
      addSingle(blocks + (<usize>below << 3), columns + LINE, j)
      continue
    }
    // Friction has no slope if the normal force has none, unless the disc's radius is frozen.
    if (load<f64>(s) == 0 && load<f64>(s, 32) == 0 && load<f64>(s, 64) == 0) continue
    for (let c: usize = 0; c < 3; c++) {
      const x = v128.load64_splat(s + (c << 3))
      const y = v128.load64_splat(s + (c << 3), 24)
      const z = v128.load64_splat(s + (c << 3), 48)
      const to = columns + c * ROW
      for (let k: usize = 0; k < ROW; k += 16) {
        const o = w + k
        v128.store(to + k, f64x2.add(f64x2.add(f64x2.mul(v128.load(o), x), f64x2.mul(v128.load(o, 96), y)), f64x2.mul(v128.load(o, 192), z)))
      }
    }
    if (own >= 0) addContact(blocks + (<usize>own << 3), columns, j)
    if (other >= 0) addContact(blocks + (<usize>other << 3), columns + LINE, j + LINE)
    if (above < 0) continue
    addContact(blocks + (<usize>above << 3), columns, j + LINE)
    addContact(blocks + (<usize>below << 3), columns + LINE, j)
  }
}

function addSingle(block: usize, column: usize, row: usize): void {
  const a = v128.load(row), b = v128.load(row, 16), c = v128.load(row, 32)
  let to = block
  for (let r: usize = 0; r < LINE; r += 8, to += LINE) {
    const x = v128.load64_splat(column + r)
    v128.store(to, f64x2.add(v128.load(to), f64x2.mul(x, a)))
    v128.store(to, f64x2.add(v128.load(to, 16), f64x2.mul(x, b)), 16)
    v128.store(to, f64x2.add(v128.load(to, 32), f64x2.mul(x, c)), 32)
  }
}

function addContact(block: usize, columns: usize, rows: usize): void {
  const a = v128.load(rows), b = v128.load(rows, 16), c = v128.load(rows, 32)
  const d = v128.load(rows, 96), e = v128.load(rows, 112), f = v128.load(rows, 128)
  const g = v128.load(rows, 192), h = v128.load(rows, 208), i = v128.load(rows, 224)
  let to = block
  for (let r: usize = 0; r < LINE; r += 8, to += LINE) {
    const x = v128.load64_splat(columns + r)
    const y = v128.load64_splat(columns + r, 96)
    const z = v128.load64_splat(columns + r, 192)
    v128.store(to, f64x2.add(v128.load(to), f64x2.add(f64x2.add(f64x2.mul(x, a), f64x2.mul(y, d)), f64x2.mul(z, g))))
    v128.store(to, f64x2.add(v128.load(to, 16), f64x2.add(f64x2.add(f64x2.mul(x, b), f64x2.mul(y, e)), f64x2.mul(z, h))), 16)
    v128.store(to, f64x2.add(v128.load(to, 32), f64x2.add(f64x2.add(f64x2.mul(x, c), f64x2.mul(y, f)), f64x2.mul(z, i))), 32)
  }
}

/**
 * Factors the matrix as L U, in place.
 *
 * @param order bodies in the order of elimination, i32
 * @param counts later neighbours of each, i32, in this order; the same for all following
 * @param below, beside blocks below and to the right of each diagonal block, i32
 * @param targets blocks that receive the updates, row by row, i32
 * @param inverse the inverse of every diagonal block, by body
 * @param scratch 6 doubles
 * @returns whether every diagonal block is regular
 */
export function factor(
  order: usize, count: i32, counts: usize, below: usize, beside: usize, targets: usize, blocks: usize, inverse: usize, scratch: usize,
): bool {
  for (let k = 0; k < count; k++) {
    const own = <usize>load<i32>(order + (<usize>k << 2)) * BLOCK
    memory.copy(inverse + own, blocks + own, BLOCK)
    if (!invert(inverse + own, scratch)) return false
    const others = <usize>load<i32>(counts + (<usize>k << 2))
    for (let r: usize = 0; r < others; r++) {
      const row = blocks + (<usize>load<i32>(below + (r << 2)) << 3)
      multiply(row, inverse + own)
      for (let c: usize = 0; c < others; c++) {
        subtractProduct(blocks + (<usize>load<i32>(targets) << 3), row, blocks + (<usize>load<i32>(beside + (c << 2)) << 3))
        targets += 4
      }
    }
    below += others << 2
    beside += others << 2
  }
  return true
}

/** Replaces a block by its product with another. */
function multiply(block: usize, other: usize): void {
  for (let o = block; o < block + BLOCK; o += LINE) {
    const a = v128.load64_splat(o), b = v128.load64_splat(o, 8), c = v128.load64_splat(o, 16)
    const d = v128.load64_splat(o, 24), e = v128.load64_splat(o, 32), f = v128.load64_splat(o, 40)
    for (let k: usize = 0; k < LINE; k += 16) v128.store(o + k, combined(a, b, c, d, e, f, other + k))
  }
}

function subtractProduct(to: usize, left: usize, right: usize): void {
  for (let r: usize = 0; r < BLOCK; r += LINE) {
    const o = left + r
    const a = v128.load64_splat(o), b = v128.load64_splat(o, 8), c = v128.load64_splat(o, 16)
    const d = v128.load64_splat(o, 24), e = v128.load64_splat(o, 32), f = v128.load64_splat(o, 40)
    for (let k: usize = 0; k < LINE; k += 16) v128.store(to + r + k, f64x2.sub(v128.load(to + r + k), combined(a, b, c, d, e, f, right + k)))
  }
}

/** Two columns of a block, combined. */
// @ts-ignore: decorator of AssemblyScript
@inline
function combined(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, at: usize): v128 {
  let sum = f64x2.add(f64x2.mul(a, v128.load(at)), f64x2.mul(b, v128.load(at, 48)))
  sum = f64x2.add(sum, f64x2.mul(c, v128.load(at, 96)))
  sum = f64x2.add(sum, f64x2.mul(d, v128.load(at, 144)))
  sum = f64x2.add(sum, f64x2.mul(e, v128.load(at, 192)))
  return f64x2.add(sum, f64x2.mul(f, v128.load(at, 240)))
}

/**
 * Inverts a block in place by Gauss–Jordan with partial pivoting.
 *
 * @param swaps six i32, scratch
 * @returns whether the block is regular
 */
function invert(m: usize, swaps: usize): bool {
  for (let c: usize = 0; c < 6; c++) {
    let pivot = c
    for (let r = c + 1; r < 6; r++) if (abs<f64>(load<f64>(m + r * LINE + (c << 3))) > abs<f64>(load<f64>(m + pivot * LINE + (c << 3)))) pivot = r
    const size = load<f64>(m + pivot * LINE + (c << 3))
    if (size == 0 || !(abs<f64>(size) < Infinity)) return false
    store<i32>(swaps + (c << 2), <i32>pivot)
    const row = m + c * LINE
    if (pivot != c) {
      const other = m + pivot * LINE
      for (let k: usize = 0; k < LINE; k += 16) {
        const x = v128.load(other + k)
        v128.store(other + k, v128.load(row + k))
        v128.store(row + k, x)
      }
    }
    store<f64>(row + (c << 3), 1)
    const divisor = f64x2.splat(size)
    for (let k: usize = 0; k < LINE; k += 16) v128.store(row + k, f64x2.div(v128.load(row + k), divisor))
    for (let r: usize = 0; r < 6; r++) {
      const at = m + r * LINE
      const x = load<f64>(at + (c << 3))
      if (r == c || x == 0) continue
      store<f64>(at + (c << 3), 0)
      const share = f64x2.splat(x)
      for (let k: usize = 0; k < LINE; k += 16) v128.store(at + k, f64x2.sub(v128.load(at + k), f64x2.mul(share, v128.load(row + k))))
    }
  }
  // Row exchanges of the matrix become column exchanges of the inverse, in reverse order.
  for (let c: isize = 5; c >= 0; c--) {
    const from = <usize>c
    const pivot = <usize>load<i32>(swaps + (from << 2))
    if (pivot == from) continue
    for (let at = m; at < m + BLOCK; at += LINE) {
      const x = load<f64>(at + (from << 3))
      store<f64>(at + (from << 3), load<f64>(at + (pivot << 3)))
      store<f64>(at + (pivot << 3), x)
    }
  }
  return true
}

/**
 * Solves for a right-hand side with the factors, in place.
 *
 * @param others the later neighbours, i32
 * @param x 6 doubles a body
 * @param scratch 6 doubles
 */
export function solve(
  order: usize, count: i32, counts: usize, others: usize, below: usize, beside: usize, blocks: usize, inverse: usize, x: usize, scratch: usize,
): void {
  for (let k = 0; k < count; k++) {
    const from = x + <usize>load<i32>(order + (<usize>k << 2)) * LINE
    const end = others + (<usize>load<i32>(counts + (<usize>k << 2)) << 2)
    for (; others < end; others += 4, below += 4, beside += 4) {
      subtractFrom(x + <usize>load<i32>(others) * LINE, blocks + (<usize>load<i32>(below) << 3), from)
    }
  }
  for (let k = count - 1; k >= 0; k--) {
    const body: usize = load<i32>(order + (<usize>k << 2))
    const to = x + body * LINE
    const own = <usize>load<i32>(counts + (<usize>k << 2)) << 2
    others -= own
    beside -= own
    for (let c: usize = 0; c < own; c += 4) {
      subtractFrom(to, blocks + (<usize>load<i32>(beside + c) << 3), x + <usize>load<i32>(others + c) * LINE)
    }
    for (let r: usize = 0; r < 6; r++) store<f64>(scratch + (r << 3), product(inverse + body * BLOCK + r * LINE, to))
    memory.copy(to, scratch, LINE)
  }
}

function subtractFrom(to: usize, block: usize, from: usize): void {
  for (let r: usize = 0; r < 6; r++) {
    const at = to + (r << 3)
    store<f64>(at, load<f64>(at) - product(block + r * LINE, from))
  }
}

/** Product of a row of a block with six doubles. */
// @ts-ignore: decorator of AssemblyScript
@inline
function product(row: usize, y: usize): f64 {
  return load<f64>(row) * load<f64>(y) + load<f64>(row, 8) * load<f64>(y, 8) + load<f64>(row, 16) * load<f64>(y, 16)
    + load<f64>(row, 24) * load<f64>(y, 24) + load<f64>(row, 32) * load<f64>(y, 32) + load<f64>(row, 40) * load<f64>(y, 40)
}
