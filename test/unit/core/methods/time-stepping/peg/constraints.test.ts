import { describe, expect, it } from 'vitest'
import { solidAt } from '../../../../../../core/analysis/convex-solid'
import { bestGap } from '../../../../../../core/analysis/separation'
import { box } from '../../../../../../core/geometry/box'
import { toOuter, type Pose } from '../../../../../../core/math/pose'
import { multiplyQuaternions } from '../../../../../../core/math/quaternion'
import { add, addScaled, cross, dot, sub } from '../../../../../../core/math/vector'
import type { PairStep } from '../../../../../../core/methods/time-stepping/contact-model'
import { pairConstraints, pairFactories, type SidedConstraint } from '../../../../../../core/methods/time-stepping/peg/pair'
import { direction, random } from '../../../collision/random'
import { colliderOf, constraintsOf, encounter, gapOf, turned, type Encounter } from './pairs'

const encounters = Array.from({ length: 600 }, (_, k) => encounter(k + 1)).filter((found): found is Encounter => found !== null)
const trueGap = ({ a, b, step }: Encounter): number => bestGap(solidAt(a, step.endA), solidAt(b, step.endB))

describe('the constraints of two convex polyhedra in one step', () => {
  const judged = encounters.map(found => ({ truth: trueGap(found), found, constraints: constraintsOf(found) }))
  const violated = ({ found: { step }, constraints }: typeof judged[number]): SidedConstraint[] =>
    constraints.filter(constraint => gapOf(constraint, step.endA, step.endB) < -1e-9)

  it('are violated whenever the solids overlap at its end: no penetration is missed', () => {
    const overlapping = judged.filter(({ truth }) => truth < -1e-8)
    expect(overlapping.length).toBeGreaterThan(100)
    expect(overlapping.filter(entry => violated(entry).length === 0)).toEqual([])
  })

  it('hold whenever the solids are separated: no motion is trapped', () => {
    const apart = judged.filter(({ truth }) => truth > 1e-8)
    expect(apart.length).toBeGreaterThan(300)
    expect(apart.filter(entry => violated(entry).length > 0)).toEqual([])
  })

  it('have, if violated, an active candidate, except for a few per cent, which the step searches again', () => {
    const broken = judged.filter(entry => violated(entry).length > 0)
    expect(broken.filter(entry => !violated(entry).some(({ primaries }) => primaries > 0)).length).toBeLessThan(0.02 * broken.length)
  })

  it('would demand more as infinite half-spaces than the solids do', () => {
    const trapped = judged.filter(({ truth, found: { step }, constraints }) =>
      truth > 1e-8 && constraints.some(({ candidates }) => candidates.some(pair => pair.locate(step.endA, step.endB).gap < -1e-9)))
    expect(trapped.length).toBeGreaterThan(100)
  })
})

describe('every candidate', () => {
  it('has the same gap alone as with its location, bit for bit', () => {
    for (const found of encounters.slice(0, 80)) {
      const { step: { startA, startB, endA, endB } } = found
      for (const pair of constraintsOf(found).flatMap(({ candidates }) => candidates)) {
        expect(pair.gap!(startA, startB)).toBe(pair.locate(startA, startB).gap)
        expect(pair.gap!(endA, endB)).toBe(pair.locate(endA, endB).gap)
      }
    }
  })

  it('has a gap gradient given by its normal and point: it agrees with differences', () => {
    const r = random(3)
    const step = 1e-6
    let seen = 0
    for (const found of encounters.slice(0, 80)) {
      const { step: { startA, startB } } = found
      for (const pair of constraintsOf(found).flatMap(({ candidates }) => candidates)) {
        const { point, normal, gap } = pair.locate(startA, startB)
        const [velocity, axis] = [direction(r), direction(r)]
        const moved = (s: number): Pose => ({
          position: addScaled(startA.position, velocity, s), orientation: multiplyQuaternions(turned(axis, s), startA.orientation),
        })
        const [plus, minus] = [pair.locate(moved(step), startB).gap, pair.locate(moved(-step), startB).gap]
        // Where the ends of an edge or the vertices below it take turns the gap has a kink, and no gradient.
        if (Math.abs(plus + minus - 2 * gap) > 1e-9) continue
        // Parts of a solid beyond the plane of two edges also count and move differently. The edges are nearest only if there are none.
        const middle = dot(normal, point)
        const beyond = found.b.vertices.some(v => dot(normal, toOuter(startB, v)) > middle - gap / 2 + 1e-12)
          || found.a.vertices.some(v => dot(normal, toOuter(startA, v)) < middle + gap / 2 - 1e-12)
        if (pair.key.startsWith('edge') && pair.featureB.kind === 'edge' && beyond) continue
        seen++
        expect((plus - minus) / (2 * step)).toBeCloseTo(dot(normal, add(velocity, cross(axis, sub(point, startA.position)))), 4)
      }
    }
    expect(seen).toBeGreaterThan(1000)
  })
})

describe('the kinds of constraints follow the features', () => {
  const table = box([4, 4, 1])
  const cube = box([1, 1, 1])
  const kindsOf = (position: readonly [number, number, number], reach: number, orientation = turned([0, 0, 1], 0.3)): Map<string, number> => {
    const collider = colliderOf(cube, table)
    const a: Pose = { position, orientation }
    const b: Pose = { position: [0, 0, -0.5], orientation: [0, 0, 0, 1] }
    const counts = new Map<string, number>()
    const step: PairStep = { startA: a, startB: b, endA: a, endB: b, reach, tolerance: 1e-6, again: false, spacing: 1e-6 }
    for (const { kind, feature } of pairConstraints(cube, table, collider, step, 1, pairFactories(cube, table, 1e-6))) {
      counts.set(`${feature} ${kind}`, (counts.get(`${feature} ${kind}`) ?? 0) + 1)
    }
    return counts
  }

  it('vertex–face: a cube in the middle of a table has one unilateral constraint a corner', () => {
    expect([...kindsOf([0, 0, 0.501], 0.01)]).toEqual([['vertex unilateral', 4]])
  })

  it('vertex–edge: a corner near the table\'s edge may pass on either side, and its edges may cross the edge', () => {
    const corner = 2 - Math.cos(0.3) / 2 - Math.sin(0.3) / 2
    const counts = kindsOf([corner - 0.002, 0, 0.501], 0.01)
    expect(counts.get('vertex inter')).toBe(1)
    expect(counts.get('vertex unilateral')).toBe(3)
    expect(counts.get('edge cross')).toBeGreaterThanOrEqual(1)
  })

  it('edge–edge: a cube on its edge over the table\'s edge has a unilateral constraint of the two edges', () => {
    const kinds = kindsOf([2, 0, Math.SQRT1_2 + 0.001], 0.01, turned([1, 0, 0], Math.PI / 4))
    expect(kinds.get('edge unilateral')).toBe(1)
  })

  it('there are none out of reach', () => {
    expect(kindsOf([0, 0, 0.6], 0.01).size).toBe(0)
  })
})

describe('of the candidates that are applicable and feasible', () => {
  it('as many are active as requested, first those that release soonest when the bodies separate along the shortest way', () => {
    let several = 0
    for (const found of encounters.slice(0, 200)) {
      const { a, b, step: { endB }, predicted, collider } = found
      const { separation, normal } = collider.separating(predicted, endB)
      const parted = separation < 0 ? { ...predicted, position: addScaled(predicted.position, normal, -separation) } : predicted
      const all = pairConstraints(a, b, collider, { ...found.step, endA: predicted }, 8, pairFactories(a, b, 1e-6))
      const single = constraintsOf(found)
      all.forEach(({ feature, candidates, primaries }, k) => {
        if (feature !== 'vertex') return
        const gaps = candidates.slice(0, primaries).map(pair => pair.locate(parted, endB).gap)
        expect(gaps).toEqual([...gaps].sort((p, q) => q - p))
        expect(single[k]!.primaries).toBe(Math.min(1, primaries))
        expect(single[k]!.candidates[0]!.key).toBe(candidates[0]!.key)
        if (primaries > 1) several++
      })
    }
    expect(several).toBeGreaterThan(20)
  })
})
