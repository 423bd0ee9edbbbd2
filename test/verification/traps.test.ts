/**
 * The traps of PEG17's figures 2, 3, 5 and 6: plane situations near corners, as thin prisms between x and z. A model of infinite half-spaces demands
 * motions that are not needed there, or misses crossing edges; the geometrically exact constraints demand exactly that the solids do not overlap.
 */

import { describe, expect, it } from 'vitest'
import { solidAt } from '../../core/analysis/convex-solid'
import { bestGap } from '../../core/analysis/separation'
import { createCollider } from '../../core/collision/collider'
import { convexHull } from '../../core/geometry/hull'
import type { Polyhedron } from '../../core/geometry/polyhedron'
import { IDENTITY_POSE, type Pose } from '../../core/math/pose'
import { pairConstraints, pairFactories, type SidedConstraint } from '../../core/methods/time-stepping/peg/pair'
import { bodyAt, recorded, sceneOf, turn } from './support'

type Point = readonly [x: number, z: number]

/** A prism over a convex polygon in the plane of x and z, from y = −width to width. */
function prism(width: number, ...polygon: Point[]): [number, number, number][] {
  return polygon.flatMap(([x, z]): [number, number, number][] => [[x, -width, z], [x, width, z]])
}

const solid = (points: [number, number, number][]): Polyhedron => convexHull('convexHull', points)
const pose = (x: number, z: number, angle = 0): Pose => ({ position: [x, 0, z], orientation: turn([0, 1, 0], angle) })

/** Body B has its corner at the origin and fills the quarter to the left and below. */
const corner = prism(0.2, [0, 0], [-1, 0], [-1, -1], [0, -1])
/** A wedge that stands on its vertex at the origin, with its left side upright. */
const wedge = prism(0.02, [0, 0], [0.3, 0.5], [0, 0.5])

function constraints(a: Polyhedron, b: Polyhedron, start: Pose, end: Pose, reach: number): SidedConstraint[] {
  const collider = createCollider({ primitive: a, pose: IDENTITY_POSE }, { primitive: b, pose: IDENTITY_POSE })!
  const step = { startA: start, startB: IDENTITY_POSE, endA: end, endB: IDENTITY_POSE, reach, tolerance: 1e-6, again: false, spacing: 1e-6 }
  return pairConstraints(a, b, collider, step, 1, pairFactories(a, b, 1e-6))
}

const gaps = ({ candidates }: SidedConstraint, end: Pose): number[] => candidates.map(pair => pair.locate(end, IDENTITY_POSE).gap)
const holds = (list: readonly SidedConstraint[], end: Pose): boolean => list.every(constraint => Math.max(...gaps(constraint, end)) >= -1e-12)
/** The motion demanded by the half-space of each face alone [PEG17 eq. 9]. */
const standardHolds = (list: readonly SidedConstraint[], end: Pose): boolean => list
  .filter(({ feature, primaries }) => feature === 'vertex' && primaries > 0).every(constraint => gaps(constraint, end).every(gap => gap >= -1e-12))
const overlaps = (a: Polyhedron, b: Polyhedron, end: Pose): boolean => bestGap(solidAt(a, end), solidAt(b, IDENTITY_POSE)) < -1e-12

describe('figure 2: a vertex passes a corner', () => {
  const [a, b] = [solid(wedge), solid(corner)]
  const start = pose(0.003, 0.01)
  const end = pose(0.003, -0.02)
  const list = constraints(a, b, start, end, 0.035)

  it('where half-spaces would hold it up, the exact constraints let it pass', () => {
    expect(overlaps(a, b, end)).toBe(false)
    expect(list.some(({ kind }) => kind === 'inter')).toBe(true)
    expect(standardHolds(list, end)).toBe(false)
    expect(holds(list, end)).toBe(true)
  })

  it('and stop it where it would enter', () => {
    expect(overlaps(a, b, pose(-0.002, -0.02))).toBe(true)
    expect(holds(list, pose(-0.002, -0.02))).toBe(false)
  })

  it('in a run it falls freely along the side, as if the corner were not there', () => {
    const run = recorded(sceneOf([
      { id: 'corner', type: 'fixed', shapes: [{ type: 'convexHull', points: corner, material: 'stone' }] },
      { id: 'wedge', position: [0.003, 0, 0.01], shapes: [{ type: 'convexHull', points: wedge, material: 'stone' }] },
    ], 0.5, { method: 'time-stepping', duration: 0.3, outputRate: 100, timeStepping: { step: 0.01 } }))
    expect(run.end.status).toBe('completed')
    const { position, orientation } = bodyAt(run.frames.at(-1)!, 1)
    expect(position[0]).toBeCloseTo(0.003, 12)
    expect(position[2]).toBeCloseTo(0.01 - 0.5 * 9.81 * 0.3 * 0.3, 9)
    expect(orientation[3]).toBeCloseTo(1, 12)
    expect(run.contacts.every(({ count, normalForce }) => count === 0 || normalForce.every(force => force === 0))).toBe(true)
  })
})

describe('figure 3: two vertices, each behind the line of an edge that it does not face', () => {
  /** A leans over B's corner: its foot is below the top's plane beside the body, its arm behind the side's plane above the body. */
  const hook = solid(prism(0.02, [0.004, -0.006], [-0.006, 0.004], [0.3, 0.4], [0.4, 0.3]))
  const b = solid(corner)
  const here = pose(0.0035, 0.0035)

  it('has no solution with half-spaces: both are violated where nothing overlaps', () => {
    const list = constraints(hook, b, here, here, 0.02)
    expect(overlaps(hook, b, here)).toBe(false)
    const vertices = list.filter(({ feature, side, kind }) => feature === 'vertex' && side === 'a' && kind === 'inter')
    expect(vertices.filter(constraint => gaps(constraint, here).some(gap => gap < -1e-3)).length).toBeGreaterThanOrEqual(2)
    expect(standardHolds(list, here)).toBe(false)
    expect(holds(list, here)).toBe(true)
  })
})

describe('figures 5 and 6: vertex near vertex', () => {
  /** A's vertex is its lower left corner. */
  const block = solid(prism(0.02, [0, 0], [1, 0], [1, 1], [0, 1]))
  const b = solid(corner)
  const start = pose(0.002, 0.002)
  const reach = 0.02

  it('may pass on either side: on top, or beside', () => {
    for (const end of [pose(-0.008, 0.001), pose(0.001, -0.008)]) {
      const list = constraints(block, b, start, end, reach)
      expect(overlaps(block, b, end)).toBe(false)
      expect(standardHolds(list, end)).toBe(false)
      expect(holds(list, end)).toBe(true)
    }
  })

  it('but not through each other: edges that cross while both vertices are outside are seen', () => {
    /** A blade lies across B's corner: the ends of both are outside the other, and their edges cross. */
    const blade = solid(prism(0.02, [-0.012, 0.002], [0.002, -0.012], [0.3, 0.1], [0.1, 0.3]))
    const from = pose(0.012, 0.012)
    const to = pose(0, 0)
    const list = constraints(blade, b, from, to, 0.03)
    expect(overlaps(blade, b, from)).toBe(false)
    expect(overlaps(blade, b, to)).toBe(true)
    const ofVertices = list.filter(({ feature, side }) => feature === 'vertex' && side === 'a')
    expect(ofVertices.length).toBeGreaterThan(0)
    expect(holds(ofVertices, to)).toBe(true)
    expect(holds(list, to)).toBe(false)
  })
})
