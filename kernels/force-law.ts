/**
 * The impulses of rows and their slopes [core/methods/time-stepping/solvers/force-law.ts, which has the formulas], in AssemblyScript. All addresses are in
 * bytes; arrays have one double a row unless stated.
 */

/**
 * Evaluates the impulses at a change of rates.
 *
 * @param firsts the first row of every group, i32: first the single rows, then contacts of three rows
 * @param change change of the rates since those from `given`
 * @param dual q, read where contacts slip
 * @param frozen whether discs keep the radius given by p₀
 * @param yielding s_i A_ii
 * @param force, slopes out; 9 slopes a row, of which single rows set the first
 * @param given p₀
 * @param missed J u₀ − b
 * @param compliance, least, most R and the bounds, read at single rows
 * @param friction μ, read at normals
 */
export function look(
  firsts: usize, singles: i32, groups: i32, change: usize, stiffness: f64, dual: usize, frozen: bool, yielding: usize,
  force: usize, slopes: usize, given: usize, missed: usize, compliance: usize, least: usize, most: usize, friction: usize,
): void {
  for (let g = 0; g < singles; g++) {
    const o: usize = <usize>load<i32>(firsts + (<usize>g << 2)) << 3
    const full = stiffness / load<f64>(yielding + o)
    const share = 1 / (1 + full * load<f64>(compliance + o))
    const reach = share * full
    const z = share * load<f64>(given + o) - reach * (load<f64>(missed + o) + load<f64>(change + o))
    const low = load<f64>(least + o)
    const high = load<f64>(most + o)
    store<f64>(force + o, min<f64>(max<f64>(z, low), high))
    store<f64>(slopes + 9 * o, z > low && z < high ? reach : 0)
  }
  for (let g = singles; g < groups; g++) {
    const o: usize = <usize>load<i32>(firsts + (<usize>g << 2)) << 3
    const s = slopes + 9 * o
    memory.fill(s, 0, 72)
    const reach = stiffness / load<f64>(yielding + o)
    const pressed = load<f64>(given + o)
    const normal = max<f64>(0, pressed - reach * (load<f64>(missed + o) + load<f64>(change + o)))
    store<f64>(force + o, normal)
    if (normal > 0) store<f64>(s, reach)
    const radius = load<f64>(friction + o) * (frozen ? pressed : normal)
    if (!(radius > 0)) {
      store<f64>(force + o, 0, 8)
      store<f64>(force + o, 0, 16)
      continue
    }
    const across = stiffness / load<f64>(yielding + o, 8)
    const x = load<f64>(given + o, 8) - across * (load<f64>(missed + o, 8) + load<f64>(change + o, 8))
    const y = load<f64>(given + o, 16) - across * (load<f64>(missed + o, 16) + load<f64>(change + o, 16))
    const size = sqrt<f64>(x * x + y * y)
    if (size <= radius) {
      store<f64>(force + o, x, 8)
      store<f64>(force + o, y, 16)
      store<f64>(s, across, 32)
      store<f64>(s, across, 64)
      continue
    }
    slip(force + o, s, dual + o, x / size, y / size, radius, across / size)
    if (frozen) continue
    const steep = load<f64>(s)
    store<f64>(s, load<f64>(friction + o) * (x / size) * steep, 24)
    store<f64>(s, load<f64>(friction + o) * (y / size) * steep, 48)
  }
}

/** The friction of a slipping contact in the direction (x, y), and its slopes. */
function slip(force: usize, slopes: usize, dual: usize, x: f64, y: f64, radius: f64, turning: f64): void {
  store<f64>(force, radius * x, 8)
  store<f64>(force, radius * y, 16)
  const v = load<f64>(dual, 8)
  const w = load<f64>(dual, 16)
  // Impulses beyond the disc would make the slopes indefinite.
  const share = min<f64>(1, radius / sqrt<f64>(v * v + w * w))
  const mixed = -turning * share * (v * y + w * x) / 2
  store<f64>(slopes, turning * (radius - share * v * x), 32)
  store<f64>(slopes, mixed, 40)
  store<f64>(slopes, mixed, 56)
  store<f64>(slopes, turning * (radius - share * w * y), 64)
}
