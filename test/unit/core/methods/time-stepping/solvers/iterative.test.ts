/** Accelerated sweeps over a heap: the residual decreases with every window of sweeps, whatever the friction and the rotated gaps. */

import { describe, expect, it } from 'vitest'
import { Cone } from '../../../../../../core/methods/time-stepping/solvers/cone'
import { ContactSweep } from '../../../../../../core/methods/time-stepping/solvers/contact-sweep'
import { rowProduct } from '../../../../../../core/methods/time-stepping/solvers/contact-record'
import { sweepMemory, VELOCITY } from '../../../../../../core/methods/time-stepping/solvers/sweep-memory'
import { accelerate, gaussSeidel, sor } from '../../../../../../core/methods/time-stepping/solvers/iterative'
import type { StepProblem } from '../../../../../../core/methods/time-stepping/step-problem'
import { between, random } from '../../../collision/random'
import { BODIES, heapProblem } from './heap-problem'

const seeds = Array.from({ length: 12 }, (_, k) => k + 1)
/** Problems with gaps rotated by 0.3 in which friction pulls points into the surface, in proportion to the normal force. */
const UNBOUNDED = [2, 10]

describe('the accelerated iteration', () => {
  it('converges for most heaps with friction, and nearly for all', () => {
    const residuals = seeds.map(seed => accelerate(heapProblem(seed, 0), 0, 1e-8, 1e-8).residual)
    expect(residuals.filter(residual => residual <= 1e-8).length).toBeGreaterThanOrEqual(8)
    expect(Math.max(...residuals)).toBeLessThanOrEqual(0.02)
  })

  it('does not oscillate if gap gradients differ from the directions of the impulses', () => {
    for (const seed of seeds.filter(number => !UNBOUNDED.includes(number))) {
      const { residual, history } = accelerate(heapProblem(seed, 0.3), 0, 1e-6, 1e-6, false)
      expect(residual).toBeLessThan(0.5 * history[0]!)
      expect(Math.max(...history)).toBeLessThanOrEqual(2 * history[0]!)
    }
  })

  it('reports problems without a solution, and ends early', () => {
    for (const seed of UNBOUNDED) {
      const { residual, iterations, history } = accelerate(heapProblem(seed, 0.3), 0, 1e-6, 1e-6, false)
      expect(residual).toBeGreaterThan(history[0]!)
      expect(iterations).toBeLessThanOrEqual(100)
    }
  })
})

describe('an unreachable accuracy', () => {
  it('is never reported as reached', () => {
    const solvers = [(problem: StepProblem) => accelerate(problem, 0, 1e-6, 1e-6), ...[gaussSeidel(0), sor(0)].map(solver => (problem: StepProblem) => solver.solve(problem, 1e-6))]
    for (const solve of solvers) {
      const problem = heapProblem(1, 0)
      problem.b[6] = Infinity
      const { solved, residual } = solve(problem)
      expect(solved).toBe(false)
      expect(residual <= 1e-6).toBe(false)
    }
  })
})

describe('the WebAssembly kernel of a sweep', () => {
  /** Impulses and velocities after each sweep, from a random start, and the violations found. */
  function swept(seed: number, sweepWith: 'sweep' | 'sweepScalar'): number[] {
    const problem = heapProblem(seed, 0.3)
    const next = random(100 + seed)
    const memory = sweepMemory(problem.friction.length, BODIES + 1, problem.rows.count)
    const diagonal = Float64Array.from({ length: problem.rows.count }, (_, i) => rowProduct(problem.gradient, problem.rows, i, i))
    const contacts = new ContactSweep(problem, new Cone(0), memory, diagonal)
    memory.b.set(problem.b)
    for (let row = 0; row < memory.p.length; row++) memory.p[row] = row % 3 === 0 ? Math.max(0, between(next, -1, 1)) : between(next, -1, 1)
    for (let k = 0; k < memory.u.length - VELOCITY; k++) memory.u[k] = k % 4 === 3 ? 0 : between(next, -1, 1)
    const out: number[] = []
    for (let k = 0; k < 12; k++) out.push(contacts[sweepWith](k % 3 === 0 ? 1 : 0.9, k % 2 === 1), ...memory.p, ...memory.u)
    return out
  }

  it.each(seeds)('equals its twin, bit for bit (seed %i)', seed => {
    const [kernel, twin] = [swept(seed, 'sweep'), swept(seed, 'sweepScalar')]
    expect(kernel.length).toBeGreaterThan(1000)
    // 0 and −0 are one number.
    expect(kernel.findIndex((value, k) => value !== twin[k])).toBe(-1)
    expect(kernel.every(Number.isFinite)).toBe(true)
  })

  it('keeps NaN, as its twin does', () => {
    const violation = (sweepWith: 'sweep' | 'sweepScalar'): number => {
      const problem = heapProblem(1, 0)
      const memory = sweepMemory(problem.friction.length, BODIES + 1, problem.rows.count)
      const contacts = new ContactSweep(problem, new Cone(0), memory, new Float64Array(problem.rows.count).fill(1))
      memory.b.fill(NaN, 6, 7)
      return contacts[sweepWith](1, false)
    }
    expect([violation('sweep'), violation('sweepScalar')]).toEqual([NaN, NaN])
  })
})
