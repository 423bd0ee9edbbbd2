/**
 * The matrix of Newton's method in the velocities of bodies, I + M⁻¹ Jᵀ S Γ with the slopes S of the rows' impulses: sparse, of 6 × 6 blocks, one block row
 * and column a body, with off-diagonal blocks for bodies in contact. It is factored as L U without pivoting between bodies, in the elimination order of its
 * pattern. For chains, stacks and rings the cost is nearly proportional to the number of bodies.
 *
 * A WebAssembly kernel does the work. The matrix and the vectors of its problem share the kernel's memory (`newton-vectors.ts`).
 */

/// <reference path="./newton-kernel.d.ts" />
import { factor, fill, memory, push, rates, solve } from 'kernel:newton'
import { JACOBIAN_WIDTH } from '../../../dynamics/joints/joint'
import { kernelArrays } from '../../../math/kernel-arrays'
import type { StepProblem } from '../step-problem'
import type { BodyPattern } from './body-pattern'
import { vectorLengths } from './newton-vectors'

const SIDE = 6
const BLOCK = SIDE * SIDE
/** Doubles of three columns M⁻¹ Jᵀ S of a contact. */
const COLUMNS = 3 * JACOBIAN_WIDTH
/** Blocks of two bodies. */
const PLACES = 4

/** What the matrix reads of a problem. */
export type MatrixRows = Pick<StepProblem, 'gradient' | 'friction' | 'slotA' | 'slotB'> & { readonly rows: Pick<StepProblem['rows'], 'count' | 'inverseMassJacobian'> }

export class BodyMatrix {
  /** With the slopes S, `SLOPES` doubles a row: the 3 × 3 matrix of a frictional contact is stored at its normal; other rows use only the first entry. */
  readonly arrays: ReturnType<typeof arraysFor>
  private readonly rows: number

  /** @param single rows outside frictional contacts */
  constructor(private readonly pattern: BodyPattern, { rows, gradient, friction, slotA, slotB }: MatrixRows, private readonly single: Int32Array) {
    this.rows = rows.count
    const { count, order, later } = pattern
    const neighbours = later.reduce((sum, others) => sum + others.length, 0)
    const targets = later.reduce((sum, others) => sum + others.length * others.length, 0)
    const firsts = [...single, ...friction.map(({ normal }) => normal)]
    const arrays = this.arrays = arraysFor(count, rows.count, firsts.length, neighbours, targets)
    arrays.slopes.fill(0)
    arrays.gradient.set(gradient.subarray(0, JACOBIAN_WIDTH * rows.count))
    arrays.response.set(rows.inverseMassJacobian.subarray(0, JACOBIAN_WIDTH * rows.count))
    arrays.order.set(order)
    arrays.firsts.set(firsts)
    for (let row = 0; row < rows.count; row++) {
      arrays.slots[2 * row] = slotA[row]!
      arrays.slots[2 * row + 1] = slotB[row]!
    }
    // Blocks: the diagonal ones, then for each pair of neighbours (first, second) and (second, first) in the order of elimination.
    const place = new Map<number, number>()
    let blocks = count
    for (const body of order) {
      for (const other of later[body]!) {
        place.set(body * count + other, BLOCK * blocks++)
        place.set(other * count + body, BLOCK * blocks++)
      }
    }
    const blockOf = (body: number, other: number): number => body === other ? BLOCK * body : place.get(body * count + other)!
    let [next, target] = [0, 0]
    order.forEach((body, k) => {
      const others = later[body]!
      arrays.counts[k] = others.length
      for (const other of others) {
        arrays.others[next] = other
        arrays.below[next] = blockOf(other, body)
        arrays.beside[next++] = blockOf(body, other)
        for (const column of others) arrays.targets[target++] = blockOf(other, column)
      }
    })
    firsts.forEach((row, k) => {
      const [a, b] = [slotA[row]!, slotB[row]!]
      const coupled = a >= 0 && b >= 0 && a !== b
      arrays.places.set([a < 0 ? -1 : blockOf(a, a), b < 0 ? -1 : blockOf(b, b), coupled ? blockOf(a, b) : -1, coupled ? blockOf(b, a) : -1], PLACES * k)
    })
  }

  /** Fills the matrix with the present slopes. */
  fill(): void {
    const { pattern: { count }, single, arrays: { blocks, gradient, response, slopes, firsts, places, columns } } = this
    blocks.fill(0)
    for (let body = 0; body < count; body++) for (let k = 0; k < SIDE; k++) blocks[BLOCK * body + (SIDE + 1) * k] = 1
    fill(blocks.byteOffset, gradient.byteOffset, response.byteOffset, slopes.byteOffset, firsts.byteOffset, places.byteOffset, single.length, firsts.length,
      columns.byteOffset)
  }

  /** @returns whether the factorisation succeeded */
  factor(): boolean {
    const { order, counts, below, beside, targets, blocks, inverse, scratch } = this.arrays
    return factor(order.byteOffset, order.length, counts.byteOffset, below.byteOffset, beside.byteOffset, targets.byteOffset, blocks.byteOffset,
      inverse.byteOffset, scratch.byteOffset) === 1
  }

  /** out = M⁻¹ Jᵀ p; both are vectors of `arrays`. */
  push(p: Float64Array, out: Float64Array): void {
    const { pattern: { count }, rows, arrays: { slots, response } } = this
    push(rows, count, slots.byteOffset, response.byteOffset, p.byteOffset, out.byteOffset)
  }

  /** out = Γ u; both are vectors of `arrays`. */
  rates(u: Float64Array, out: Float64Array): void {
    const { rows, arrays: { slots, gradient } } = this
    rates(rows, slots.byteOffset, gradient.byteOffset, u.byteOffset, out.byteOffset)
  }

  /** Solves in place: six doubles a body. */
  solve(x: Float64Array): void {
    const { order, counts, others, below, beside, blocks, inverse, right, scratch } = this.arrays
    right.set(x)
    solve(order.byteOffset, order.length, counts.byteOffset, others.byteOffset, below.byteOffset, beside.byteOffset, blocks.byteOffset, inverse.byteOffset,
      right.byteOffset, scratch.byteOffset)
    x.set(right)
  }
}

/** @param groups single rows, and contacts of three rows */
function arraysFor(bodies: number, rows: number, groups: number, neighbours: number, targets: number) {
  return kernelArrays(memory, {
    ...vectorLengths(SIDE * bodies, rows),
    blocks: BLOCK * (bodies + 2 * neighbours), inverse: BLOCK * bodies, gradient: JACOBIAN_WIDTH * rows, response: JACOBIAN_WIDTH * rows,
    columns: COLUMNS, right: SIDE * bodies, scratch: SIDE,
  }, {
    order: bodies, counts: bodies, others: neighbours, below: neighbours, beside: neighbours, targets, firsts: groups, places: PLACES * groups, slots: 2 * rows,
  })
}
