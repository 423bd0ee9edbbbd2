/**
 * Velocities of bodies from impulses of rows, and rates of rows from velocities of bodies [core/methods/time-stepping/solvers/body-response.ts], in
 * AssemblyScript. All addresses are in bytes. Rows have 12 doubles, six a body; slots are two i32 a row: its bodies, −1 for an immovable one.
 */

const ROW: usize = 96
const HALF: usize = 48

/**
 * u = M⁻¹ Jᵀ p.
 *
 * @param response M⁻¹ Jᵀ, by row
 * @param p one double a row
 * @param u out, six doubles a body
 */
export function push(rows: i32, bodies: i32, slots: usize, response: usize, p: usize, u: usize): void {
  memory.fill(u, 0, <usize>bodies * HALF)
  for (let i = 0; i < rows; i++, slots += 8, response += ROW, p += 8) {
    const impulse = load<f64>(p)
    if (impulse == 0) continue
    const factor = f64x2.splat(impulse)
    const a = load<i32>(slots)
    const b = load<i32>(slots, 4)
    if (a >= 0) add(u + <usize>a * HALF, response, factor)
    if (b >= 0) add(u + <usize>b * HALF, response + HALF, factor)
  }
}

// @ts-ignore: decorator of AssemblyScript
@inline
function add(to: usize, column: usize, factor: v128): void {
  v128.store(to, f64x2.add(v128.load(to), f64x2.mul(v128.load(column), factor)))
  v128.store(to, f64x2.add(v128.load(to, 16), f64x2.mul(v128.load(column, 16), factor)), 16)
  v128.store(to, f64x2.add(v128.load(to, 32), f64x2.mul(v128.load(column, 32), factor)), 32)
}

/**
 * The rates Γ u of all rows.
 *
 * @param gradient Γ, by row
 * @param out one double a row
 */
export function rates(rows: i32, slots: usize, gradient: usize, u: usize, out: usize): void {
  for (let i = 0; i < rows; i++, slots += 8, gradient += ROW, out += 8) {
    const a = load<i32>(slots)
    const b = load<i32>(slots, 4)
    let sum: f64 = 0
    if (a >= 0) sum = added(sum, gradient, u + <usize>a * HALF)
    if (b >= 0) sum = added(sum, gradient + HALF, u + <usize>b * HALF)
    store<f64>(out, sum)
  }
}

/** The sum and six products, in this order. */
// @ts-ignore: decorator of AssemblyScript
@inline
function added(sum: f64, row: usize, u: usize): f64 {
  return sum + load<f64>(row) * load<f64>(u) + load<f64>(row, 8) * load<f64>(u, 8) + load<f64>(row, 16) * load<f64>(u, 16)
    + load<f64>(row, 24) * load<f64>(u, 24) + load<f64>(row, 32) * load<f64>(u, 32) + load<f64>(row, 40) * load<f64>(u, 40)
}
