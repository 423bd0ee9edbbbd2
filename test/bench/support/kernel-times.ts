/**
 * Times of WebAssembly kernels and their TypeScript twins, the fastest of several rounds of both in turn: ns per contact of one sweep over heaps, and µs of one
 * factorisation of the matrix of a sheet, and of filling and factoring that of a row of bodies with four contacts each; and µs of the force law of those contacts.
 */

import { BodyMatrix, type MatrixRows } from '../../../core/methods/time-stepping/solvers/body-matrix'
import { SLOPES } from '../../../core/methods/time-stepping/solvers/newton-vectors'
import { BodyPattern } from '../../../core/methods/time-stepping/solvers/body-pattern'
import { Cone } from '../../../core/methods/time-stepping/solvers/cone'
import { rowProduct } from '../../../core/methods/time-stepping/solvers/contact-record'
import { ContactSweep } from '../../../core/methods/time-stepping/solvers/contact-sweep'
import { ForceLaw, singleRows, type LawProblem } from '../../../core/methods/time-stepping/solvers/force-law'
import { RowResponse } from '../../../core/methods/time-stepping/solvers/row-response'
import { ROW_EQUALITY, ROW_UNILATERAL, type ContactProblem } from '../../../core/lcp/problem'
import { sweepMemory } from '../../../core/methods/time-stepping/solvers/sweep-memory'
import { blockLDL, blockMatrix, blockPattern } from '../../../core/sparse'
import { eliminateScalar } from '../../unit/core/sparse/scalar-elimination'
import { forcesAt } from '../../unit/core/methods/time-stepping/solvers/scalar-force-law'
import { ScalarBodyMatrix } from '../../unit/core/methods/time-stepping/solvers/scalar-body-matrix'
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

console.log('vertices   TypeScript, µs   WebAssembly, µs   ratio')
for (const side of [9, 17, 33]) {
  // Vertices are coupled with those at most two cells away, as by bending.
  const pairs: number[] = []
  for (let i = 0; i < side * side; i++) {
    for (let j = 0; j < i; j++) {
      if (Math.max(Math.floor(i / side) - Math.floor(j / side), Math.abs(i % side - j % side)) <= 2) pairs.push(i, j)
    }
  }
  const matrix = blockMatrix(blockPattern(side * side, [{ arity: 2, vertices: Int32Array.from(pairs) }]))
  matrix.values.fill(0.1)
  for (let i = 0; i < matrix.n; i++) for (let e = 0; e < 9; e += 4) matrix.values[9 * (matrix.starts[i + 1]! - 1) + e] = 10
  const factors = [blockLDL(matrix, eliminateScalar), blockLDL(matrix)]
  const times = Array.from({ length: ROUNDS }, () => factors.map(factor => {
    factor.factor(matrix, 0)
    const start = process.cpuUsage()
    for (let k = 0; k < SWEEPS; k++) factor.factor(matrix, 0)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / SWEEPS
  }))
  const [slow, fast] = [0, 1].map(k => Math.min(...times.map(pair => pair[k]!))) as [number, number]
  console.log(`${String(side * side).padStart(8)} ${slow.toFixed(0).padStart(16)} ${fast.toFixed(0).padStart(17)} ${(slow / fast).toFixed(2).padStart(7)}`)
}

console.log('  bodies   TypeScript, µs   WebAssembly, µs   ratio')
for (const bodies of [10, 40, 160]) {
  const rows = 12 * bodies
  const slotA = Int32Array.from({ length: rows }, (_, row) => Math.floor(row / 12))
  const gradient = Float64Array.from({ length: 12 * rows }, (_, k) => Math.sin(k))
  const friction = Array.from({ length: rows / 3 }, (_, k) => ({ normal: 3 * k }))
  const problem = { gradient, friction, slotA, slotB: slotA.map(body => body - 1), rows: { count: rows, inverseMassJacobian: gradient } } as unknown as MatrixRows
  const pattern = new BodyPattern(bodies, slotA, problem.slotB, Infinity)
  const single = singleRows(problem.rows.count, problem.friction)
  const slopes = Float64Array.from({ length: SLOPES * rows }, (_, k) => k % 27 % 4 === 0 && k % 27 < 9 ? 1 : 0)
  const matrix = new BodyMatrix(pattern, problem, single)
  matrix.arrays.slopes.set(slopes)
  const matrices = [new ScalarBodyMatrix(pattern, problem, single, slopes), matrix]
  const times = Array.from({ length: ROUNDS }, () => matrices.map(each => {
    const start = process.cpuUsage()
    for (let k = 0; k < SWEEPS; k++) {
      each.fill()
      if (!each.factor()) throw new Error('a block is singular')
    }
    const { user, system } = process.cpuUsage(start)
    return (user + system) / SWEEPS
  }))
  const [slow, fast] = [0, 1].map(k => Math.min(...times.map(pair => pair[k]!))) as [number, number]
  console.log(`${String(bodies).padStart(8)} ${slow.toFixed(0).padStart(16)} ${fast.toFixed(0).padStart(17)} ${(slow / fast).toFixed(2).padStart(7)}`)
}

console.log('contacts   TypeScript, µs   WebAssembly, µs   ratio')
for (const contacts of [40, 160]) {
  const size = 3 * contacts
  const ones = new Float64Array(size).fill(1)
  const A = new Float64Array(size * size)
  for (let i = 0; i < size; i++) A[i * (size + 1)] = 1
  const friction = Array.from({ length: contacts }, (_, k) => ({ normal: 3 * k, tangent1: 3 * k + 1, tangent2: 3 * k + 2, staticFriction: 0.5 }))
  const kind = Uint8Array.from({ length: size }, (_, i) => i % 3 === 0 ? ROW_UNILATERAL : ROW_EQUALITY)
  const problem = { kind, lower: ones, upper: ones, friction, b: ones, p: ones, compliance: ones } as unknown as LawProblem
  const response = new RowResponse({ ...problem, size, A } as unknown as ContactProblem, ones)
  const law = new ForceLaw(problem, response)
  const { vectors, vectors: { rates, dual } } = response
  law.begin(problem.p)
  // Some contacts stick, others slip or open.
  for (let i = 0; i < size; i++) rates[i] = dual[i] = Math.sin(i)
  const ways = [(): unknown => forcesAt(problem, vectors, rates, 10, dual, false), (): unknown => law.look(rates, 10, dual, false)]
  const times = Array.from({ length: ROUNDS }, () => ways.map(way => {
    const start = process.cpuUsage()
    for (let k = 0; k < 100 * SWEEPS; k++) way()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / (100 * SWEEPS)
  }))
  const [slow, fast] = [0, 1].map(k => Math.min(...times.map(pair => pair[k]!))) as [number, number]
  console.log(`${String(contacts).padStart(8)} ${slow.toFixed(2).padStart(16)} ${fast.toFixed(2).padStart(17)} ${(slow / fast).toFixed(2).padStart(7)}`)
}
