import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ROW_BOX, ROW_FRICTION, ROW_UNILATERAL } from '../../../../../../core/lcp/problem'
import { solveWith } from '../../../../../../core/methods/time-stepping/solvers/augmented'
import { shiftsToBound } from '../../../../../../core/methods/time-stepping/solvers/load-shift'
import { RowResponse } from '../../../../../../core/methods/time-stepping/solvers/row-response'
import { seeded, stack } from '../../../lcp/problems'

const MU = 0.5
const contact = (normal: number) => ({ normal, tangent1: normal + 1, tangent2: normal + 2, staticFriction: MU, dynamicFriction: MU, state: 'static' as const, slip1: 0, slip2: 0 })

/** A contact, a limit and a drive of at most ±3. */
const rows = {
  kind: Uint8Array.of(ROW_UNILATERAL, ROW_FRICTION, ROW_FRICTION, ROW_UNILATERAL, ROW_BOX), friction: [contact(0)],
  lower: Float64Array.of(0, 0, 0, 0, -3), upper: Float64Array.of(Infinity, 0, 0, Infinity, 3),
}

/** The least distance of impulses to a bound, negative beyond it. */
function room(p: readonly number[]): number {
  return Math.min(p[0]!, MU * p[0]! - Math.hypot(p[1]!, p[2]!), p[3]!, 3 - Math.abs(p[4]!))
}

it('load shifts until the first bound is reached', () => {
  const part = fc.double({ min: -1, max: 1, noNaN: true }).map(value => Math.round(1e3 * value) / 1e3)
  fc.assert(fc.property(fc.array(part, { minLength: 5, maxLength: 5 }), fc.array(part, { minLength: 5, maxLength: 5 }), (start, shift) => {
    const p = [1 + start[0]!, 0.3 * start[1]! * (1 + start[0]!), 0.3 * start[2]! * (1 + start[0]!), 1 + start[3]!, 2 * start[4]!]
    fc.pre(room(p) > 1e-3)
    const times = shiftsToBound(rows, Int32Array.of(3, 4), Float64Array.from(p), Float64Array.from(shift))
    const after = (k: number): number => room(p.map((value, i) => value + k * shift[i]!))
    if (times === Infinity) expect(after(1e9)).toBeGreaterThan(0)
    else {
      expect(Math.abs(after(times))).toBeLessThan(1e-12 * (1 + times))
      for (let k = 1; k < 20; k++) expect(after(times * k / 20)).toBeGreaterThan(0)
    }
  }), { numRuns: 2000 })
})

it('contacts that contradict each other slightly leave a tenth of the residual if load may be shifted between them', () => {
  const chair = stack({ count: 1 })
  const resting = { ...chair, b: chair.b.map(value => value / 60) } // m/s in a step
  const random = seeded(5)
  const residuals = (shifts: number): number[] => Array.from({ length: 30 }, () => {
    const { tangent1, tangent2 } = resting.friction[Math.floor(random() * resting.friction.length)]!
    const b = resting.b.map((value, i) => (i === tangent1 || i === tangent2 ? value + 1e-7 * (random() - 0.5) : value))
    const law = { ...resting, lower: resting.lower, upper: resting.upper, b, p: new Float64Array(resting.size), compliance: new Float64Array(resting.size) }
    return solveWith(law, new RowResponse({ ...resting, b }, new Float64Array(resting.size).fill(1)), true, { accuracy: 1e-12, sufficient: 1e-12, shifts })!.residual
  })
  const mean = (found: readonly number[]): number => found.reduce((sum, residual) => sum + residual, 0) / found.length
  expect(mean(residuals(0))).toBeGreaterThan(1e-8)
  expect(mean(residuals(10))).toBeLessThan(2e-9)
})
