/** Newton's method in the velocities for islands with very different masses. */

import { describe, expect, it } from 'vitest'
import { ROW_FRICTION, ROW_UNILATERAL, type FrictionRows } from '../../../../../../core/lcp/problem'
import { Rows } from '../../../../../../core/contact/rows'
import type { StepProblem } from '../../../../../../core/methods/time-stepping/step-problem'
import { augmented } from '../../../../../../core/methods/time-stepping/solvers/augmented'
import { newtonAlone } from '../../../../../../core/methods/time-stepping/solvers/newton'

/**
 * Unit cubes on each other on a floor, each at its four corners, after a second's fall under g = 10 m/s²: masses from the ground up, kg, and how fast the
 * topmost one slides beforehand, m/s.
 */
function column(masses: readonly number[], friction: number, sliding: number): StepProblem {
  const size = 12 * masses.length
  const rows = new Rows(size)
  const slotA = new Int32Array(size)
  const slotB = new Int32Array(size)
  const b = new Float64Array(size)
  const coefficients: FrictionRows[] = []
  masses.forEach((mass, level) => {
    for (const [x, y] of [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]] as const) {
      const row = rows.count
      coefficients.push({ normal: row, tangent1: row + 1, tangent2: row + 2, staticFriction: friction, dynamicFriction: friction, state: 'static', slip1: 0, slip2: 0 })
      const directions = [[0, 0, 1], [1, 0, 0], [0, 1, 0]] as const
      for (const d of directions) {
        const i = rows.count++
        const arm = (z: number): readonly number[] => [y * d[2] - z * d[1], z * d[0] - x * d[2], x * d[1] - y * d[0]]
        rows.jacobian.set([...d, ...arm(-0.5)], 12 * i)
        rows.inverseMassJacobian.set([...d.map(v => v / mass), ...arm(-0.5).map(v => 6 * v / mass)], 12 * i)
        slotA[i] = level
        slotB[i] = level - 1
        if (level === 0) continue
        const below = masses[level - 1]!
        rows.jacobian.set([...d, ...arm(0.5)].map(v => -v), 12 * i + 6)
        rows.inverseMassJacobian.set([...d.map(v => -v / below), ...arm(0.5).map(v => -6 * v / below)], 12 * i + 6)
      }
      // Free motion: everything falls with 10 m/s, so that only the lowest meets the floor, and the topmost slides.
      b[row] = level === 0 ? 10 : 0
      if (level === masses.length - 1) b[row + 1] = -sliding
    }
  })
  return {
    rows, gradient: rows.jacobian, kind: Uint8Array.from({ length: size }, (_, i) => i % 3 === 0 ? ROW_UNILATERAL : ROW_FRICTION),
    lower: new Float64Array(size), upper: new Float64Array(size), friction: coefficients, spin: [], alternatives: [], b, p: new Float64Array(size), basis: new Uint8Array(size),
    slip: new Float64Array(0), warm: false, pivotingFailed: false, eliminated: { value: null },
    bodyCount: masses.length, slotA, slotB, secondSlotA: new Int32Array(0), secondSlotB: new Int32Array(0),
  }
}

/** N s: sum of the four impulses of a level along its normals, or its first tangents. */
function carried({ p }: StepProblem, level: number, component: 0 | 1): number {
  return [0, 1, 2, 3].reduce((sum, corner) => sum + p[12 * level + 3 * corner + component]!, 0)
}

const columns: readonly { masses: readonly number[] }[] = [
  { masses: [1, 1e6] }, { masses: [1e6, 1] }, { masses: [1, 1e6, 1] }, { masses: [1e6, 1, 1e6] }, { masses: [1e-3, 1e3, 1e-3, 1e3] }, { masses: [1, 1, 1] },
]

describe.each(columns)('a column of $masses kg', ({ masses }) => {
  const weightOn = (level: number): number => 10 * masses.slice(level).reduce((sum, mass) => sum + mass, 0)

  it.each([0, 0.5])('has at every level the force of the weight above, μ = %s', friction => {
    const problem = column(masses, friction, 0)
    const found = augmented(problem, { accuracy: 1e-9, sufficient: 1e-9 })
    expect(found).not.toBeNull()
    expect(found!.residual).toBeLessThanOrEqual(1e-8)
    masses.forEach((_, level) => expect(carried(problem, level, 0) / weightOn(level)).toBeCloseTo(1, 7))
  })

  it('slides at its topmost cube, with μ × its weight', () => {
    const problem = column(masses, 0.02, 5)
    const found = augmented(problem, { accuracy: 1e-9, sufficient: 1e-9 })
    expect(found!.residual).toBeLessThanOrEqual(1e-8)
    const top = masses.length - 1
    expect(carried(problem, top, 0) / weightOn(top)).toBeCloseTo(1, 7)
    expect(carried(problem, top, 1) / (-0.02 * weightOn(top))).toBeCloseTo(1, 7)
  })
})

it('cubes of a column that are pushed apart sideways take few Newton steps: many contacts reverse their slip in one', () => {
  const levels = 40
  const problem = column(Array.from({ length: levels }, () => 1), 0.4, 0)
  for (let level = 0; level < levels; level++) {
    for (let corner = 0; corner < 4; corner++) problem.b[12 * level + 3 * corner + 1] = level % 2 === 0 ? 3 + 0.1 * level : -2
  }
  const found = augmented(problem, { accuracy: 1e-9, sufficient: 1e-9 })
  expect(found!.residual).toBeLessThanOrEqual(1e-8)
  // Steps with the derivatives of the friction law alone: 338.
  expect(found!.steps).toBeLessThanOrEqual(200)
})

describe('rows with gradients at the end of the step', () => {
  /** A column whose bodies have rotated a little: contacts change along other arms than those along which impulses act. */
  function turnedColumn(): StepProblem {
    const problem = column([1, 2, 3], 0, 0)
    const gradient = problem.rows.jacobian.slice()
    for (let row = 0; row < problem.p.length; row += 3) for (const k of [3, 4, 9, 10]) gradient[12 * row + k]! *= k % 2 === 0 ? 1.04 : 0.97
    // The corners of the lowest cube meet the floor at different speeds, so that bodies turn.
    for (let corner = 0; corner < 4; corner++) problem.b[3 * corner]! += 0.3 * corner
    return { ...problem, gradient }
  }

  it('are solved with their own rates: impulses act along the rows, and contacts that push are at rest along the gradients', () => {
    const problem = turnedColumn()
    const { rows: { jacobian, inverseMassJacobian: W, count }, gradient, friction, slotA, slotB, b, p } = problem
    expect(newtonAlone.solve(problem, 1e-9)).toMatchObject({ solved: true, solver: 'newton' })
    const u = new Float64Array(6 * problem.bodyCount)
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 6; k++) {
        u[6 * slotA[i]! + k]! += W[12 * i + k]! * p[i]!
        if (slotB[i]! >= 0) u[6 * slotB[i]! + k]! += W[12 * i + 6 + k]! * p[i]!
      }
    }
    const rate = (i: number, of: Float64Array): number => {
      let sum = -b[i]!
      for (let k = 0; k < 6; k++) sum += of[12 * i + k]! * u[6 * slotA[i]! + k]! + (slotB[i]! < 0 ? 0 : of[12 * i + 6 + k]! * u[6 * slotB[i]! + k]!)
      return sum
    }
    expect(carried(problem, 0, 0)).toBeGreaterThan(1)
    for (const { normal } of friction) {
      expect(p[normal]).toBeGreaterThanOrEqual(0)
      expect(rate(normal, gradient)).toBeGreaterThanOrEqual(-1e-9)
      expect(p[normal]! * rate(normal, gradient)).toBeLessThanOrEqual(1e-8)
    }
    expect(Math.max(...friction.map(({ normal }) => p[normal]! > 0 ? Math.abs(rate(normal, jacobian)) : 0))).toBeGreaterThan(1e-3)
  })

  it('are not solved from a guess that is no number', () => {
    const problem = turnedColumn()
    problem.p.fill(NaN)
    expect(newtonAlone.solve(problem, 1e-9)).toMatchObject({ solved: false, residual: Infinity })
  })
})
