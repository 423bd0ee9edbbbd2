/** Admissible forces for the motion of a solution: the range of each row or contact for unchanged relative accelerations. */

import { ROW_BOX, ROW_EQUALITY, ROW_UNILATERAL, type ContactProblem } from './problem'
import type { CoupledForces, ForceSet } from './projection'
import { rowScales, slippingFriction, stickingFriction } from './scaling'
import { sizeOf } from './spin'

/** Threshold of the relative acceleration of a held row, × the largest of |b| and |f| (equilibrated). */
const HELD = 1e-11

type Coupling = { -readonly [K in keyof CoupledForces]: CoupledForces[K] extends readonly (infer T)[] ? T[] : CoupledForces[K] }

/** The admissible set of each force for the motion of a solution. */
export function allowedForces(problem: ContactProblem, f: Float64Array, a: Float64Array): ForceSet[] {
  const { size: n, b, kind, friction, spin = [], level } = problem
  const s = rowScales(problem)
  let scale = 0
  for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(b[i]! * s[i]!), Math.abs(f[i]! / s[i]!))
  const held = (i: number): boolean => Math.abs(a[i]! * s[i]!) <= HELD * scale
  const sets: ForceSet[] = []
  const frictional = new Uint8Array(n)
  const coupled = new Map<number, Coupling>()
  const coupling = (normal: number): Coupling => {
    let found = coupled.get(normal)
    if (found === undefined) {
      coupled.set(normal, found = { kind: 'coupled', normal, slaved: [], discs: [], contact: -1, slides: false, spins: [] })
      if (held(normal)) sets.push(found)
    }
    return found
  }
  friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2, slip1, slip2 } = contact
    frictional[normal] = 1
    const set = coupling(normal)
    const mu = slippingFriction(contact, level)
    const a1 = a[tangent1]!
    const a2 = a[tangent2]!
    set.contact = c
    if (contact.state === 'sliding') set.slaved.push({ row: tangent1, x: -mu * slip1 }, { row: tangent2, x: -mu * slip2 })
    else if (held(tangent1) && held(tangent2)) set.discs.push({ rows: [tangent1, tangent2], mu: stickingFriction(contact) })
    else {
      const size = Math.sqrt(a1 * a1 + a2 * a2)
      set.slaved.push({ row: tangent1, x: -mu * a1 / size }, { row: tangent2, x: -mu * a2 / size })
    }
    set.slides = set.discs.length === 0
  })
  spin.forEach(({ normal, rows, limit, state, slip }, c) => {
    const rests = state === 'static' && rows.every(held)
    const size = sizeOf(rows.map(row => a[row]!))
    const direction = rests ? [] : state === 'sliding' ? slip : rows.map(row => a[row]! / size)
    if (normal < 0 && rests) sets.push({ kind: 'ball', rows, spin: c, radius: limit })
    else if (normal < 0) sets.push({ kind: 'fixed', rows, spin: c, values: direction.map(d => -limit * d) })
    else {
      frictional[normal] = 1
      const set = coupling(normal)
      set.spins.push({ spin: c, slides: !rests })
      if (rests) set.discs.push({ rows, mu: limit })
      else rows.forEach((row, k) => set.slaved.push({ row, x: -limit * direction[k]! }))
    }
  })
  for (let i = 0; i < n; i++) {
    if (kind[i] === ROW_EQUALITY) sets.push({ kind: 'free', row: i })
    else if (kind[i] === ROW_BOX) {
      const bound = held(i) ? undefined : a[i]! > 0 ? 'lower' : 'upper'
      const lower = bound === 'upper' ? problem.upper[i]! : problem.lower[i]!
      sets.push({ kind: 'interval', row: i, lower, upper: bound === 'lower' ? lower : problem.upper[i]!, bound })
    } else if (kind[i] === ROW_UNILATERAL && !frictional[i] && held(i)) {
      sets.push({ kind: 'interval', row: i, lower: 0, upper: Infinity })
    }
  }
  return sets
}
