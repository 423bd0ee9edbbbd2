import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrozenSystem } from '../../../../core/contact/frozen'
import { halvesOf } from '../../../../core/contact/frozen-shape'
import { independentRows } from '../../../../core/contact/independent-rows'
import { Rows } from '../../../../core/contact/rows'
import { Snapshot } from '../../../../core/contact/snapshot'
import { rigidBody } from '../../../../core/dynamics/body'
import { initialState, stateLayout } from '../../../../core/dynamics/state-layout'
import { solveFrozen } from '../../../../core/lcp'
import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, ROW_FRICTION, ROW_UNILATERAL, type ContactProblem, type FrictionRows,
} from '../../../../core/lcp/problem'
import { diagonal } from '../../../../core/math/matrix'
import type { Vec3 } from '../../../../core/math/vector'

type Place = 'sticks' | 'slides' | 'parts'
interface Corner { readonly place: Place; readonly angle: number }

/** A stack of boxes on a fixed floor. Each has four contacts with given modes: sticking, sliding or separating. */
function tower(masses: readonly number[], corners: readonly (readonly Corner[])[], friction: number) {
  const bodies = [0, ...masses].map((mass, index) => rigidBody({
    index, id: `b${index}`, type: index === 0 ? 'fixed' : 'dynamic', mass: mass || 1, inertia: diagonal(0.2 * (mass || 1), 0.3 * (mass || 1), 0.4 * (mass || 1)),
    position: [0.01 * index, 0.02 * index, index - 0.5], orientation: [0, 0, 0, 1], linearVelocity: [0, 0, 0], angularVelocity: [0, 0, 0],
  }))
  const layout = stateLayout(bodies)
  const snapshot = new Snapshot(layout)
  snapshot.update(initialState(layout))
  const count = 12 * masses.length
  const rows = new Rows(count)
  const kind = new Uint8Array(count).fill(ROW_FRICTION)
  const basis = new Uint8Array(count)
  const slips: number[] = []
  const contacts: FrictionRows[] = []
  masses.forEach((_, level) => corners[level]!.forEach(({ place, angle }, k) => {
    const row = rows.count
    const at: Vec3 = [k % 2 - 0.5, Math.floor(k / 2) - 0.45, level]
    for (const direction of [[0, 0, 1], [1, 0, 0], [0, 1, 0]] as const) rows.pushPoint(snapshot, level + 1, level, at, direction, 0)
    kind[row] = ROW_UNILATERAL
    basis[row] = place === 'parts' ? BASIS_FREE : BASIS_CLAMPED
    basis[row + 1] = basis[row + 2] = place === 'parts' ? BASIS_FREE : place === 'slides' ? BASIS_LIMITED : BASIS_CLAMPED
    const slip = place === 'slides' ? [Math.cos(angle), Math.sin(angle)] as const : [0, 0] as const
    slips.push(...slip)
    contacts.push({
      normal: row, tangent1: row + 1, tangent2: row + 2, staticFriction: friction, dynamicFriction: friction,
      state: place === 'slides' ? 'sliding' : 'static', slip1: slip[0], slip2: slip[1],
    })
  }))
  const A = new Float64Array(count * count)
  rows.weigh(snapshot)
  rows.delassus(A)
  const problem: ContactProblem = {
    size: count, A, b: new Float64Array(count), kind, lower: new Float64Array(count).fill(-Infinity), upper: new Float64Array(count).fill(Infinity),
    friction: contacts, level: 'acceleration',
  }
  const slip = Float64Array.from(slips)
  return { problem, basis, slip, snapshot, system: new FrozenSystem({ rows, problem, slip, fillDelassus: () => undefined }, snapshot, basis) }
}

/** Forces in the directions allowed by the index set, and the resulting accelerations. */
function allowed({ problem, basis, slip }: ReturnType<typeof tower>, normals: readonly number[]): Float64Array {
  const f = new Float64Array(problem.size)
  problem.friction.forEach(({ normal, tangent1, tangent2, dynamicFriction }, c) => {
    if (basis[normal] !== BASIS_CLAMPED) return
    f[normal] = normals[c]!
    const slides = basis[tangent1] === BASIS_LIMITED
    f[tangent1] = slides ? -dynamicFriction * slip[2 * c]! * f[normal]! : 0.1 * normals[c + 1]!
    f[tangent2] = slides ? -dynamicFriction * slip[2 * c + 1]! * f[normal]! : -0.2 * normals[c + 2]!
  })
  return f
}

const times = (A: Float64Array, f: Float64Array): Float64Array => f.map((_, i) => f.reduce((sum, value, j) => sum + A[i * f.length + j]! * value, 0))
const norm = (f: Float64Array): number => Math.sqrt(f.reduce((sum, value) => sum + value * value, 0))

const place = fc.constantFrom<Place>('sticks', 'slides', 'slides', 'parts')
const towers = fc.integer({ min: 1, max: 4 }).chain(levels => fc.record({
  masses: fc.array(fc.constantFrom(0.1, 1, 2, 50), { minLength: levels, maxLength: levels }),
  corners: fc.array(fc.array(fc.record({ place, angle: fc.double({ min: 0, max: 6, noNaN: true }) }), { minLength: 4, maxLength: 4 }),
    { minLength: levels, maxLength: levels }),
  friction: fc.constantFrom(0.1, 0.3),
  normals: fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 4 * levels + 2, maxLength: 4 * levels + 2 }),
}))

describe('forces of a frozen index set', () => {
  it('give the prescribed accelerations, with the least norm', () => {
    fc.assert(fc.property(towers, ({ masses, corners, friction, normals }) => {
      const built = tower(masses, corners, friction)
      const { problem, basis, slip, snapshot, system } = built
      const given = allowed(built, normals)
      const b = times(problem.A, given)
      const f = system.solve(snapshot, b).slice()
      const scale = Math.max(...b.map(Math.abs), 1e-3)
      const a = times(problem.A, f)
      basis.forEach((where, row) => { if (where === BASIS_CLAMPED) expect(Math.abs(a[row]! - b[row]!)).toBeLessThan(1e-9 * scale) })
      expect(norm(f)).toBeLessThanOrEqual(norm(given) * (1 + 1e-9))
      const dense = solveFrozen({ ...problem, b }, basis, slip).f
      expect(norm(f)).toBeLessThanOrEqual(norm(dense) * (1 + 1e-8))
    }), { numRuns: 200 })
  })

  it('do not change if they continue forces that give the prescribed accelerations', () => {
    fc.assert(fc.property(towers, ({ masses, corners, friction, normals }) => {
      const built = tower(masses, corners, friction)
      const given = allowed(built, normals)
      fc.pre(built.basis.includes(BASIS_LIMITED))
      const f = built.system.solve(built.snapshot, times(built.problem.A, given), given)
      // Sticking contacts may redistribute their load only if the motion stays the same.
      f.forEach((value, i) => expect(Math.abs(value - given[i]!)).toBeLessThan(1e-8))
    }), { numRuns: 100 })
  })

  it('of a sliding, rotating box change smoothly, although one force of its corners is redundant', () => {
    // Four corners with different directions of slip: their directions of push have rank four, their rates three.
    const at = (angle: number): Float64Array => {
      const corners = [0, 1, 2, 3].map((k): Corner => ({ place: 'slides', angle: angle + 0.3 * k }))
      const { system, snapshot } = tower([1], [corners], 0.4)
      return system.solve(snapshot, Float64Array.from({ length: 12 }, (_, i) => i % 3 === 0 ? 9.81 : 0)).slice()
    }
    const steps = Array.from({ length: 201 }, (_, i) => at(i * 0.03))
    for (let i = 2; i < steps.length; i++) {
      const bend = steps[i]!.map((value, k) => value - 2 * steps[i - 1]![k]! + steps[i - 2]![k]!)
      expect(Math.max(...bend.map(Math.abs))).toBeLessThan(0.02)
    }
  })
})

describe('independent rows', () => {
  it('are six of the twelve rows of a box on its corners, and keep their number if it is given', () => {
    const { problem: { size }, snapshot } = tower([1], [[0, 1, 2, 3].map(() => ({ place: 'sticks', angle: 0 }))], 0.5)
    const rows = new Rows(size)
    for (let k = 0; k < 4; k++) {
      for (const direction of [[0, 0, 1], [1, 0, 0], [0, 1, 0]] as const) rows.pushPoint(snapshot, 1, 0, [k % 2, Math.floor(k / 2), 0], direction, 0)
    }
    const sparse = halvesOf(rows, Int32Array.from({ length: size }, (_, i) => i), snapshot, new Map())
    expect(independentRows(sparse)).toHaveLength(6)
    // Vertices slightly off the plane of the others increase the numerical rank.
    rows.jacobian[9 * 12 + 3] = rows.jacobian[9 * 12 + 3]! + 1e-4
    expect(independentRows(sparse, 6)).toHaveLength(6)
    const found = independentRows(sparse)
    expect([...found]).toEqual([...found].sort((a, b) => a - b))
  })
})
