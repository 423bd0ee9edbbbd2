/** Times of WebAssembly kernels and their TypeScript twins: ns per contact of one sweep over heaps, the fastest of several rounds of both in turn. */

import { Cone } from '../../../core/methods/time-stepping/solvers/cone'
import { rowProduct } from '../../../core/methods/time-stepping/solvers/contact-record'
import { ContactSweep } from '../../../core/methods/time-stepping/solvers/contact-sweep'
import { sweepMemory } from '../../../core/methods/time-stepping/solvers/sweep-memory'
import { heapProblem } from '../../unit/core/methods/time-stepping/solvers/heap-problem'

const ROUNDS = 15
const SWEEPS = 32

console.log('contacts   TypeScript, ns   WebAssembly, ns   ratio')
for (const bodies of [200, 1000, 3000]) {
  const problem = heapProblem(1, 0, bodies)
  const { friction, rows, gradient, b } = problem
  const memory = sweepMemory(friction.length, bodies + 1, rows.count)
  const contacts = new ContactSweep(problem, new Cone(0), memory, Float64Array.from({ length: rows.count }, (_, i) => rowProduct(gradient, rows, i, i)))
  memory.b.set(b)
  const timeOf = (sweep: () => number): number => {
    memory.p.fill(0)
    memory.u.fill(0)
    const start = process.cpuUsage()
    for (let k = 0; k < SWEEPS; k++) sweep()
    const { user, system } = process.cpuUsage(start)
    return 1000 * (user + system) / (SWEEPS * friction.length)
  }
  const [twin, kernel] = [(): number => contacts.sweepScalar(1, false), (): number => contacts.sweep(1, false)]
  const times = Array.from({ length: ROUNDS }, () => [timeOf(twin), timeOf(kernel)] as const)
  const [slow, fast] = [0, 1].map(k => Math.min(...times.map(pair => pair[k]!))) as [number, number]
  console.log(`${String(friction.length).padStart(8)} ${slow.toFixed(1).padStart(16)} ${fast.toFixed(1).padStart(17)} ${(slow / fast).toFixed(2).padStart(7)}`)
}
