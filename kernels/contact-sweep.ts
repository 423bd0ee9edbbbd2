/**
 * One projected Gauss–Seidel sweep over frictional contacts, in AssemblyScript with f64x2: the two tangents side by side, vectors in pairs of components.
 * Its twin in TypeScript is `ContactSweep.sweepScalar` (core/methods/time-stepping/solvers), which adds in the same order: results are equal to the bit.
 *
 * A contact is a record of 74 doubles; offsets in bytes are those of `RECORD` in core/methods/time-stepping/solvers/contact-record.ts:
 *
 *   0    nine pairs (tangent 1, tangent 2): direction, moment about A, moment about B
 *   144  the normal's direction, moments about A and B, four doubles each, the last 0
 *   240  directions of the impulses: normal, tangents
 *   336  angular velocities of A by unit impulses: normal, tangents
 *   432  the same of B
 *   528  inverse masses of A and B, scales of the normal and of the tangents, matrix entries A of the tangents' rows in the normal's column (two), μ
 *
 * A body's velocity is eight doubles: linear, 0, angular, 0.
 */

const RECORD: usize = 592

/**
 * @param records address of the first contact; all addresses in bytes
 * @param rows first row of every contact, i32
 * @param placesA offsets of its bodies in u, in doubles, i32
 * @param placesB
 * @param u velocities
 * @param p impulses of rows, N s
 * @param b targets of the rows, m/s
 * @returns the largest violation × relaxation, m/s
 */
export function sweep(
  records: usize, rows: usize, placesA: usize, placesB: usize, u: usize, p: usize, b: usize, count: i32, relaxation: f64, backwards: bool,
): f64 {
  let worst: f64 = 0
  for (let k = 0; k < count; k++) {
    const c: usize = backwards ? count - 1 - k : k
    const o = records + c * RECORD
    const row: usize = load<i32>(rows + (c << 2))
    const x = u + ((<usize>load<i32>(placesA + (c << 2))) << 3)
    const y = u + ((<usize>load<i32>(placesB + (c << 2))) << 3)
    const atP = p + (row << 3)
    const atB = b + (row << 3)
    const linearA = v128.load(x)
    const linearA2 = v128.load(x, 16)
    const angularA = v128.load(x, 32)
    const angularA2 = v128.load(x, 48)
    const linearB = v128.load(y)
    const linearB2 = v128.load(y, 16)
    const angularB = v128.load(y, 32)
    const angularB2 = v128.load(y, 48)
    const v = f64x2.sub(linearA, linearB)
    const v2 = f64x2.sub(linearA2, linearB2)
    const first = f64x2.add(f64x2.add(f64x2.mul(v128.load(o, 144), v), f64x2.mul(v128.load(o, 176), angularA)), f64x2.mul(v128.load(o, 208), angularB))
    const third = f64x2.add(f64x2.add(f64x2.mul(v128.load(o, 160), v2), f64x2.mul(v128.load(o, 192), angularA2)), f64x2.mul(v128.load(o, 224), angularB2))
    const sum = f64x2.add(first, third)
    const rate = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1) - load<f64>(atB)
    const pn = load<f64>(atP)
    const normal = load<f64>(o, 544)
    let dn = -relaxation * rate / normal
    if (pn + dn < 0) dn = -pn
    const s = v128.load(atP, 8)
    const radius = load<f64>(o, 576) * (pn + dn)
    let d = f64x2.neg(s)
    const tangent = load<f64>(o, 552)
    if (radius > 0) {
      let even = f64x2.mul(v128.load(o), v128.shuffle<f64>(v, v, 0, 0))
      even = f64x2.add(even, f64x2.mul(v128.load(o, 16), v128.shuffle<f64>(v, v, 1, 1)))
      even = f64x2.add(even, f64x2.mul(v128.load(o, 64), v128.shuffle<f64>(angularA, angularA, 1, 1)))
      even = f64x2.add(even, f64x2.mul(v128.load(o, 96), v128.shuffle<f64>(angularB, angularB, 0, 0)))
      even = f64x2.add(even, f64x2.mul(v128.load(o, 128), v128.shuffle<f64>(angularB2, angularB2, 0, 0)))
      let odd = f64x2.mul(v128.load(o, 32), v128.shuffle<f64>(v2, v2, 0, 0))
      odd = f64x2.add(odd, f64x2.mul(v128.load(o, 48), v128.shuffle<f64>(angularA, angularA, 0, 0)))
      odd = f64x2.add(odd, f64x2.mul(v128.load(o, 80), v128.shuffle<f64>(angularA2, angularA2, 0, 0)))
      odd = f64x2.add(odd, f64x2.mul(v128.load(o, 112), v128.shuffle<f64>(angularB, angularB, 1, 1)))
      odd = f64x2.add(odd, f64x2.mul(v128.load(o, 560), f64x2.splat(dn)))
      const rates = f64x2.sub(f64x2.add(even, odd), v128.load(atB, 8))
      let t = f64x2.sub(s, f64x2.mul(f64x2.splat(relaxation / tangent), rates))
      const squares = f64x2.mul(t, t)
      const square = f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1)
      if (square > radius * radius) t = f64x2.mul(t, f64x2.splat(radius / sqrt<f64>(square)))
      d = f64x2.add(d, t)
    }
    const sizes = f64x2.abs(d)
    const change = max<f64>(max<f64>(abs<f64>(dn) * normal, f64x2.extract_lane(sizes, 0) * tangent), f64x2.extract_lane(sizes, 1) * tangent)
    if (change == 0) continue
    // NaN compares false with everything: it has to be kept, or the sweep would count as converged.
    if (!(change <= worst)) worst = change
    store<f64>(atP, pn + dn)
    v128.store(atP, f64x2.add(s, d), 8)
    const n = f64x2.splat(dn)
    const d1 = v128.shuffle<f64>(d, d, 0, 0)
    const d2 = v128.shuffle<f64>(d, d, 1, 1)
    const j = along(o, 240, n, d1, d2)
    const j2 = along(o, 256, n, d1, d2)
    const massA = load<f64>(o, 528)
    if (massA > 0) {
      const m = f64x2.splat(massA)
      v128.store(x, f64x2.add(linearA, f64x2.mul(m, j)))
      v128.store(x, f64x2.add(linearA2, f64x2.mul(m, j2)), 16)
      v128.store(x, f64x2.add(angularA, along(o, 336, n, d1, d2)), 32)
      v128.store(x, f64x2.add(angularA2, along(o, 352, n, d1, d2)), 48)
    }
    const massB = load<f64>(o, 536)
    if (massB > 0) {
      const m = f64x2.splat(massB)
      v128.store(y, f64x2.sub(linearB, f64x2.mul(m, j)))
      v128.store(y, f64x2.sub(linearB2, f64x2.mul(m, j2)), 16)
      v128.store(y, f64x2.add(angularB, along(o, 432, n, d1, d2)), 32)
      v128.store(y, f64x2.add(angularB2, along(o, 448, n, d1, d2)), 48)
    }
  }
  return worst
}

/** Two components of three vectors, 32 bytes apart, times the impulses of the normal and of the tangents. */
// @ts-ignore: decorator of AssemblyScript
@inline
function along(record: usize, offset: usize, n: v128, d1: v128, d2: v128): v128 {
  const at = record + offset
  return f64x2.add(f64x2.add(f64x2.mul(v128.load(at), n), f64x2.mul(v128.load(at, 32), d1)), f64x2.mul(v128.load(at, 64), d2))
}
