/** The symmetric matrix of an implicit stage, M/a² + Σ element matrices, assembled into a fixed pattern, and the solution of its linear systems. */

import { blockJacobi, blockLDL, blockMatrix, blockPattern, conjugateGradients, elementSlots, holdRows, incompleteCholesky, iterationWorkspace, multiply, type BlockLDL, type Iterated } from '../../sparse'
import type { StageElements } from '../condition'
import { stageElements } from '../stage-elements'
import type { StageContacts } from '../contact/stage-contacts'
import type { ParticleSystem } from '../system'
import { linkedMatrix, PIVOT, type LinkedMatrix } from './linked-matrix'
import { PairBlocks } from './pair-blocks'

/** Linear solver: direct, or conjugate gradients with the named preconditioner. */
export type LinearSolver = 'direct' | 'block-jacobi' | 'incomplete-cholesky'

/**
 * Entries of a direct factor, × unknowns, up to which the direct solver is used: chains have 3 to 10, a sheet of 289 vertices 78 and of 4,000 vertices 240.
 * Contacts of sheets require the direct solver, which makes their multipliers unknowns: 2,601 vertices that land on a ball take 3.4 s a step by it, and 7.1 s
 * by iteration, which ends at its limit in half of the steps. Springs alone converge by iteration: lattices of 1,000 to 2,200 particles take a quarter to two
 * thirds of the direct solver's time.
 */
const DIRECT_FILL = 120
const DIRECT_FILL_OF_SHEETS = 300
/** Particles of an element of a sheet. */
const TRIANGLE = 3

/** Above this size finding an order takes a second, and so does a factorisation. */
const DIRECT_VERTICES = 5000
/** The same with interactions of near particles, whose pattern changes with every pair that comes or goes. Sheets need the direct solver in any case. */
const DIRECT_INTERACTING = 200

/** Iterations, × unknowns, after which conjugate gradients give up: rounding may cost a few iterations more than the number of unknowns. */
const ITERATIONS = 2

export interface StageMatrix {
  readonly solver: LinearSolver
  /** Of each of the system's energies. */
  readonly elements: readonly StageElements[]
  /** Total number of iterations; a direct solve counts as 1. */
  readonly iterations: number
  /** Largest diagonal element from energies and loads in the matrix last assembled, N/m. */
  readonly stiffest: number
  /** Mean of each particle's diagonal elements, N/m. */
  readonly impedances: Float64Array
  /** Evaluates `impedances` and `stiffest` at X for a stage of length a, without a factorisation. */
  impede(t: number, X: Float64Array, V: Float64Array, before: readonly Float64Array[], a: number): void
  /**
   * Assembles at X for a stage of length a.
   *
   * @param saddle whether an indefinite matrix is of use; if not, its factorisation ends at the first negative pivot
   * @returns false if the matrix is found not to be positive definite
   */
  assemble(t: number, X: Float64Array, V: Float64Array, before: readonly Float64Array[], a: number, semidefinite: boolean, contacts: StageContacts | null,
    saddle: boolean): boolean
  /** Whether the last matrix assembled was factored whole, definite or not. */
  readonly factored: boolean
  /** Solves for the free particles; held particles get 0. @returns false if the matrix turns out not to be positive definite */
  solve(b: Float64Array, d: Float64Array, tolerance: number): boolean
}

export function stageMatrix(system: ParticleSystem, solver?: LinearSolver): StageMatrix {
  const { masses, energies, loads, held } = system
  const n = masses.length
  const pattern = blockPattern(n, energies.map(({ condition }) => condition))
  const A = blockMatrix(pattern)
  const elements = energies.map(energy => stageElements(energy, elementSlots(pattern, energy.condition)))
  let direct: BlockLDL | null = null
  const hasSheets = energies.some(({ condition: { arity } }) => arity >= TRIANGLE)
  const interact = loads.some(({ pairs }) => pairs !== undefined)
  if (solver === 'direct' || (!solver && n <= (interact && !hasSheets ? DIRECT_INTERACTING : DIRECT_VERTICES))) {
    direct = blockLDL(pattern)
    const most = hasSheets ? DIRECT_FILL_OF_SHEETS : DIRECT_FILL
    if (!solver && direct.fill > most * 3 * n) direct = null
  }
  const chosen = direct ? 'direct' : solver ?? 'block-jacobi'
  const preconditioner = chosen === 'incomplete-cholesky' ? incompleteCholesky(pattern) : blockJacobi(n)
  const vectors = iterationWorkspace(3 * n)
  const iterated: Iterated = { iterations: 0, residual: 0, negative: false }
  let iterations = 0
  let stiffest = 0
  /**
   * Links couple blocks outside the pattern: the direct solver extends the pattern; iterative solvers use the links' diagonal blocks in the
   * preconditioner.
   */
  let linked: StageContacts | null = null
  /** Interactions couple them too. */
  const couplings = new PairBlocks()
  /** Whether the last matrix was factored with blocks outside the pattern. */
  let extended = false
  const impedances = new Float64Array(n)
  const bare = blockMatrix(pattern)
  const product = (x: Float64Array, y: Float64Array): void => {
    multiply(linked ? bare : A, x, y)
    linked?.addProduct(x, y)
    couplings.addProduct(x, y)
  }
  const project = (v: Float64Array): void => {
    for (let i = 0; i < n; i++) if (held[i]) v[3 * i] = v[3 * i + 1] = v[3 * i + 2] = 0
  }
  for (let i = 0; i < n; i++) impedances[i] = masses[i]!
  let linkedFactor: LinkedMatrix | null = null
  let factored = false

  function couple(i: number, j: number, block: Float64Array): void {
    if (i !== j) couplings.push(i, j, block)
    else for (let e = 0, to = 9 * (A.starts[i + 1]! - 1); e < 9; e++) A.values[to + e]! += block[e]!
  }

  function fill(t: number, X: Float64Array, V: Float64Array, before: readonly Float64Array[], a: number, semidefinite: boolean): void {
    A.values.fill(0)
    elements.forEach((each, k) => { each.addMatrix(X, before[k]!, a, semidefinite, A.values) })
    for (const load of loads) load.addStiffness?.(t, X, V, a, A)
    couplings.clear()
    for (const { pairs } of loads) pairs?.addBlocks(X, semidefinite, couple)
    stiffest = 0
    for (let i = 0; i < n; i++) {
      impedances[i] = masses[i]! / (a * a)
      for (let k = 9 * (A.starts[i + 1]! - 1); k < 9 * A.starts[i + 1]!; k += 4) {
        stiffest = Math.max(stiffest, A.values[k]!)
        impedances[i]! += A.values[k]! / 3
        A.values[k]! += masses[i]! / (a * a)
      }
    }
  }

  return {
    solver: chosen,
    elements,
    get iterations() { return iterations },
    get stiffest() { return stiffest },
    impedances,
    get factored() { return factored },
    impede(t, X, V, before, a) { fill(t, X, V, before, a, true) },
    assemble(t, X, V, before, a, semidefinite, contacts, saddle) {
      fill(t, X, V, before, a, semidefinite)
      linked = null
      extended = direct !== null && (contacts !== null || couplings.count > 0)
      if (direct && extended) {
        linkedFactor ??= linkedMatrix(held, direct)
        factored = linkedFactor.factor(A, {
          addBlocks: add => (contacts?.addBlocks(X, add, !semidefinite) ?? true) && couplings.addBlocks(add),
        }, saddle)
        return factored && linkedFactor.negatives === 0
      }
      if (contacts && !direct) {
        bare.values.set(A.values)
        if (!contacts.addDiagonal(A)) linked = contacts
      }
      if (direct) {
        holdRows(A, held)
        factored = direct.factor(A, PIVOT, saddle)
        return factored && direct.negatives === 0
      }
      return preconditioner.factor(A)
    },
    solve(b, d, tolerance) {
      if (direct) {
        d.set(b)
        project(d)
        if (extended) linkedFactor!.solve(d)
        else direct.solve(d)
        iterations++
        return true
      }
      d.fill(0)
      conjugateGradients(product, b, d, preconditioner, project, { tolerance, iterations: ITERATIONS * 3 * n }, vectors, iterated)
      iterations += iterated.iterations
      return !iterated.negative
    },
  }
}
