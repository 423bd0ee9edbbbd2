/**
 * Elimination of one block row of a sparse factor L D Lᵀ of 3 × 3 blocks, in AssemblyScript with f64x2 [core/sparse/block-ldl.ts]. It adds in the order of the
 * scalar formulas, so that results do not depend on the width of vectors.
 *
 * A block of the working row y and of L is nine doubles, the first two columns of y (rows of L) side by side:
 *
 *   y   00 01, 10 11, 20 21, 02 12, 22
 *   L   00 10, 01 11, 02 12, 20 21 22
 *
 * A block of D is six: l₁₀, l₂₀, l₂₁ of its own factor, and its pivots.
 */

/** Bytes of a block. */
const BLOCK: usize = 72
const DIAGONAL: usize = 48

/**
 * Subtracts from row k what the columns before it eliminate, and appends its blocks to these columns of L.
 *
 * @param columns the columns in order, i32; all addresses in bytes
 * @param count of them
 * @param starts first block of every column of L, i32
 * @param counts blocks that every column has so far, i32
 * @param rows row of every block of L, i32
 * @param pivot lower triangle of the row's own block by rows, six doubles: what is left of it on return
 */
export function eliminate(
  columns: usize, count: i32, k: i32, starts: usize, counts: usize, rows: usize, L: usize, D: usize, y: usize, pivot: usize,
): void {
  const zero = f64x2.splat(0)
  let p00 = load<f64>(pivot)
  let p10 = load<f64>(pivot, 8)
  let p11 = load<f64>(pivot, 16)
  let p20 = load<f64>(pivot, 24)
  let p21 = load<f64>(pivot, 32)
  let p22 = load<f64>(pivot, 40)
  for (let s = 0; s < count; s++) {
    const i: usize = load<i32>(columns + (<usize>s << 2))
    const o = y + i * BLOCK
    const y00 = load<f64>(o), y01 = load<f64>(o, 8)
    const y10 = load<f64>(o, 16), y11 = load<f64>(o, 24)
    const y20 = load<f64>(o, 32), y21 = load<f64>(o, 40)
    const t2 = v128.load(o, 48)
    const y22 = load<f64>(o, 64)
    const y02 = f64x2.extract_lane(t2, 0)
    const y12 = f64x2.extract_lane(t2, 1)
    v128.store(o, zero)
    v128.store(o, zero, 16)
    v128.store(o, zero, 32)
    v128.store(o, zero, 48)
    store<f64>(o, 0, 64)
    const s00 = f64x2.splat(y00), s01 = f64x2.splat(y01), s02 = f64x2.splat(y02)
    const s10 = f64x2.splat(y10), s11 = f64x2.splat(y11), s12 = f64x2.splat(y12)
    const s20 = f64x2.splat(y20), s21 = f64x2.splat(y21), s22 = f64x2.splat(y22)
    const t0 = f64x2.replace_lane(s00, 1, y10)
    const t1 = f64x2.replace_lane(s01, 1, y11)
    const first = load<i32>(starts + (i << 2))
    const had = load<i32>(counts + (i << 2))
    let l = L + <usize>first * BLOCK
    let r = rows + (<usize>first << 2)
    const end = r + (<usize>had << 2)
    for (; r < end; r += 4, l += BLOCK) {
      const to = y + <usize>load<i32>(r) * BLOCK
      const a = v128.load(l)
      const b = v128.load(l, 16)
      const c = v128.load(l, 32)
      const l20 = v128.load64_splat(l, 48)
      const l21 = v128.load64_splat(l, 56)
      const l22 = v128.load64_splat(l, 64)
      v128.store(to, f64x2.sub(v128.load(to), f64x2.add(f64x2.add(f64x2.mul(s00, a), f64x2.mul(s01, b)), f64x2.mul(s02, c))))
      v128.store(to, f64x2.sub(v128.load(to, 16), f64x2.add(f64x2.add(f64x2.mul(s10, a), f64x2.mul(s11, b)), f64x2.mul(s12, c))), 16)
      v128.store(to, f64x2.sub(v128.load(to, 32), f64x2.add(f64x2.add(f64x2.mul(s20, a), f64x2.mul(s21, b)), f64x2.mul(s22, c))), 32)
      v128.store(to, f64x2.sub(v128.load(to, 48), f64x2.add(f64x2.add(f64x2.mul(t0, l20), f64x2.mul(t1, l21)), f64x2.mul(t2, l22))), 48)
      store<f64>(to, load<f64>(to, 64)
        - (y20 * f64x2.extract_lane(l20, 0) + y21 * f64x2.extract_lane(l21, 0) + y22 * f64x2.extract_lane(l22, 0)), 64)
    }
    // Rows of y times the inverse of D's block.
    const d = D + i * DIAGONAL
    const d10 = load<f64>(d), d20 = load<f64>(d, 8), d21 = load<f64>(d, 16)
    const e0 = load<f64>(d, 24), e1 = load<f64>(d, 32), e2 = load<f64>(d, 40)
    const z01 = y01 - d10 * y00
    const x02 = (y02 - d20 * y00 - d21 * z01) / e2
    const x01 = z01 / e1 - d21 * x02
    const x00 = y00 / e0 - d10 * x01 - d20 * x02
    const z11 = y11 - d10 * y10
    const x12 = (y12 - d20 * y10 - d21 * z11) / e2
    const x11 = z11 / e1 - d21 * x12
    const x10 = y10 / e0 - d10 * x11 - d20 * x12
    const z21 = y21 - d10 * y20
    const x22 = (y22 - d20 * y20 - d21 * z21) / e2
    const x21 = z21 / e1 - d21 * x22
    const x20 = y20 / e0 - d10 * x21 - d20 * x22
    store<f64>(l, x00)
    store<f64>(l, x10, 8)
    store<f64>(l, x01, 16)
    store<f64>(l, x11, 24)
    store<f64>(l, x02, 32)
    store<f64>(l, x12, 40)
    store<f64>(l, x20, 48)
    store<f64>(l, x21, 56)
    store<f64>(l, x22, 64)
    store<i32>(r, k)
    store<i32>(counts + (i << 2), had + 1)
    p00 -= x00 * y00 + x01 * y01 + x02 * y02
    p10 -= x10 * y00 + x11 * y01 + x12 * y02
    p20 -= x20 * y00 + x21 * y01 + x22 * y02
    p11 -= x10 * y10 + x11 * y11 + x12 * y12
    p21 -= x20 * y10 + x21 * y11 + x22 * y12
    p22 -= x20 * y20 + x21 * y21 + x22 * y22
  }
  store<f64>(pivot, p00)
  store<f64>(pivot, p10, 8)
  store<f64>(pivot, p11, 16)
  store<f64>(pivot, p20, 24)
  store<f64>(pivot, p21, 32)
  store<f64>(pivot, p22, 40)
}
