import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { solidAt } from '../../../../core/analysis/convex-solid'
import { signedDistance } from '../../../../core/analysis/separation'
import { BestPlane } from '../../../../core/collision/best-plane'
import { flatSolid } from '../../../../core/collision/flat-solid'
import { relativePose } from '../../../../core/collision/relative'
import { box } from '../../../../core/geometry/box'
import { convexHull } from '../../../../core/geometry/hull'
import type { Polyhedron } from '../../../../core/geometry/polyhedron'
import { composePoses, toOuter, type Pose } from '../../../../core/math/pose'
import { dot, length, sub, type Vec3 } from '../../../../core/math/vector'
import { between, direction, hull, orientation, pose, random, vector, type Random } from './random'
import { sampled } from '../../../sampled'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const scales = fc.constantFrom(1e-3, 1, 1e3)
const gaps = fc.constantFrom(-0.3, -1e-3, -1e-10, 0, 1e-13, 1e-10, 1e-7, 1e-3, 0.4)

/** A prism over a regular polygon: parallel faces and edges, corners of many ties. */
function prism(sides: number, radius: number, height: number): Polyhedron {
  const points = Array.from({ length: 2 * sides }, (_, k): Vec3 => {
    const angle = 2 * Math.PI * (k % sides) / sides
    return [radius * Math.cos(angle), radius * Math.sin(angle), k < sides ? -height / 2 : height / 2]
  })
  return convexHull('prism', points)
}

/** Boxes, prisms, needles and plates. */
function regular(r: Random, size: number): Polyhedron {
  const pick = r()
  if (pick < 0.4) return box([size, size * between(r, 0.5, 2), size])
  if (pick < 0.7) return prism(3 + Math.floor(4 * r()), size / 2, size)
  return pick < 0.85 ? box([0.01 * size, 0.01 * size, 2 * size]) : box([2 * size, 2 * size, 0.01 * size])
}

/** Two such solids face to face, edge to edge or vertex to vertex: rotated by right angles and shifted along their axes. */
function aligned(r: Random, size: number, gap: number): { a: Polyhedron, b: Polyhedron, poseA: Pose, poseB: Pose } {
  const a = regular(r, size)
  const b = regular(r, size)
  const turns: Pose['orientation'][] = [
    [0, 0, 0, 1], [Math.SQRT1_2, 0, 0, Math.SQRT1_2], [0, 0, Math.SQRT1_2, Math.SQRT1_2], [0.5, 0.5, 0.5, 0.5],
    [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)], [Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)],
  ]
  const turned = turns[Math.floor(turns.length * r())]!
  const axis = Math.floor(3 * r())
  const reach = (solid: Polyhedron, way: number, q: Pose['orientation']): number => way * solid.vertices
    .map(v => toOuter({ position: [0, 0, 0], orientation: q }, v)[axis]!).reduce((most, x) => way * x > way * most ? x : most)
  const beside = [0, 0, 0.25, 0.5, 1][Math.floor(5 * r())]! * size
  const position = [beside, beside, beside]
  position[axis] = gap * size + reach(a, -1, turned) + reach(b, 1, [0, 0, 0, 1])
  const poseB = r() < 0.5 ? { position: [0, 0, 0] as Vec3, orientation: [0, 0, 0, 1] as const } : pose(r, size)
  const poseA = composePoses(poseB, { position: position as unknown as Vec3, orientation: turned })
  return { a, b, poseA, poseB }
}

/** The distance in space that holds along the plane's normal, by all vertices. */
function along(normal: Vec3, a: Polyhedron, b: Polyhedron, relative: ReturnType<typeof relativePose>): number {
  const r = relative.rotation
  const onB = b.vertices.map(([x, y, z]): Vec3 => [
    relative.position[0] + r[0] * x + r[1] * y + r[2] * z, relative.position[1] + r[3] * x + r[4] * y + r[5] * z,
    relative.position[2] + r[6] * x + r[7] * y + r[8] * z,
  ])
  return Math.min(...a.vertices.map(v => dot(normal, v))) - Math.max(...onB.map(v => dot(normal, v)))
}

describe('the best separating plane', () => {
  sampled('equals the best one by brute force for parallel faces and edges and touching corners, also for needles and plates', { few: 60, all: 300 }, cases => {
    fc.assert(fc.property(seeds, scales, gaps, (seed, size, gap) => {
      const { a, b, poseA, poseB } = aligned(random(seed), size, gap)
      const relative = relativePose(poseA, poseB)
      const { separation, normal } = new BestPlane(a, b).find(relative)
      const least = signedDistance(solidAt(a, poseA), solidAt(b, poseB))
      // Points closer than 1e-9 of the size span no direction: there a plane of faces or edges stands for theirs.
      const lag = Math.abs(gap) > 0 && Math.abs(gap) < 1e-9 ? 1e-9 : 1e-13
      expect(separation).toBeLessThan(least + 1e-13 * size)
      expect(separation).toBeGreaterThan(least - lag * size)
      expect(Math.abs(length(normal) - 1)).toBeLessThan(1e-14)
      expect(Math.abs(separation - along(normal, a, b, relative))).toBeLessThan(1e-14 * size)
    }), { numRuns: cases })
  })

  sampled('misses no pair of edges with the least overlap for solids deep inside each other', { few: 60, all: 400 }, cases => {
    fc.assert(fc.property(seeds, scales, fc.constantFrom(0.02, 0.3, 0.7), (seed, size, apart) => {
      const r = random(seed)
      const [a, b] = [hull(r, 4 + Math.floor(5 * r()), size), hull(r, 4 + Math.floor(5 * r()), size)]
      const poseA = { position: vector(r, apart * size), orientation: orientation(r) }
      const poseB: Pose = { position: [0, 0, 0], orientation: orientation(r) }
      const { separation } = new BestPlane(a, b).find(relativePose(poseA, poseB))
      expect(Math.abs(separation - signedDistance(solidAt(a, poseA), solidAt(b, poseB)))).toBeLessThan(1e-13 * size)
    }), { numRuns: cases })
  })

  it('does not depend on earlier queries', () => {
    fc.assert(fc.property(seeds, scales, gaps, (seed, size, gap) => {
      const r = random(seed)
      const { a, b, poseA, poseB } = aligned(r, size, gap)
      const asked = new BestPlane(a, b)
      for (let k = 0; k < 5; k++) asked.find(relativePose({ position: vector(r, 2 * size), orientation: orientation(r) }, poseB))
      const before = asked.find(relativePose(poseA, poseB)).separation
      expect(Math.abs(before - new BestPlane(a, b).find(relativePose(poseA, poseB)).separation)).toBeLessThan(1e-11 * size)
    }), { numRuns: 300 })
  })

  it('is found by a few steps of descent if the solids are separated', () => {
    let steps = 0
    let pairs = 0
    fc.assert(fc.property(seeds, scales, fc.constantFrom(2.01, 3, 10), (seed, size, far) => {
      const r = random(seed)
      const [a, b] = [hull(r, 20, size), hull(r, 20, size)]
      const plane = new BestPlane(a, b)
      const poseB = pose(r, size)
      const poseA: Pose = { position: sub(poseB.position, direction(r).map(x => far * size * x) as unknown as Vec3), orientation: orientation(r) }
      const { separation, distance } = plane.find(relativePose(poseA, poseB))
      expect(Math.abs(separation - distance)).toBeLessThan(1e-14 * size)
      steps += plane.counts.iterations
      pairs++
    }), { numRuns: 300 })
    expect(steps / pairs).toBeLessThan(8)
  })

  it('uses arrays that are created once for each solid', () => {
    const solid = box([1, 2, 3])
    expect(flatSolid(solid)).toBe(flatSolid(solid))
    expect(flatSolid(solid).edgeBetween(solid.edges[4]!.to, solid.edges[4]!.from)).toBe(4)
  })
})
