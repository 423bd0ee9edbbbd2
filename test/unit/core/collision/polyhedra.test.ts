import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { solidAt } from '../../../../core/analysis/convex-solid'
import { signedDistance } from '../../../../core/analysis/separation'
import { PolyhedraCollider } from '../../../../core/collision/polyhedron-polyhedron'
import { composePoses, IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import type { Quat } from '../../../../core/math/quaternion'
import { add, addScaled, distance, dot, negate, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { between, direction, hull, orientation, pose, random, vector, type Random } from './random'
import type { Polyhedron } from '../../../../core/geometry/polyhedron'
import { box } from '../../../../core/geometry/box'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const scales = fc.constantFrom(1e-3, 1, 1e3)
const gaps = fc.constantFrom(0, 1e-16, 1e-15, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, -1e-15, -1e-12, -1e-10)

interface Near {
  readonly a: Polyhedron
  readonly b: Polyhedron
  readonly poseA: Pose
  readonly poseB: Pose
  readonly size: number
}

/** Two hulls moved together along the best direction until they are `gap` × size apart. */
function nearlyTouching(r: Random, size: number, gap: number): Near {
  const a = r() < 0.3 ? box([size * between(r, 0.5, 2), size, size * between(r, 0.5, 2)]) : hull(r, 4 + Math.floor(r() * 20), size)
  const b = r() < 0.3 ? box([size, size * between(r, 0.5, 2), size]) : hull(r, 4 + Math.floor(r() * 20), size)
  const poseB = pose(r, size)
  let poseA: Pose = { position: addScaled(poseB.position, direction(r), 6 * size), orientation: r() < 0.3 ? poseB.orientation : orientation(r) }
  const collider = new PolyhedraCollider(a, b)
  for (let k = 0; k < 60; k++) {
    const { separation, normal } = collider.separating(poseA, poseB)
    if (Math.abs(separation - gap * size) <= 1e-17 * size) {
      break
    }
    poseA = { ...poseA, position: addScaled(poseA.position, normal, gap * size - separation) }
  }
  return { a, b, poseA, poseB, size }
}

describe('the separation of two convex polyhedra', () => {
  it('is the distance of the nearest points, or minus the depth of overlap, by brute force', { tags: 'long' }, () => {
    fc.assert(fc.property(seeds, scales, (seed, size) => {
      const r = random(seed)
      const a = hull(r, 4 + Math.floor(r() * 20), size)
      const b = hull(r, 4 + Math.floor(r() * 20), size)
      const poseA = pose(r, size)
      const poseB = pose(r, 1.5 * size)
      const found = new PolyhedraCollider(a, b).separation(poseA, poseB)
      expect(Math.abs(found - signedDistance(solidAt(a, poseA), solidAt(b, poseB)))).toBeLessThan(1e-13 * size)
    }), { numRuns: 300 })
  })

  it('is the same with a cached witness, without one, and by brute force, at gaps of 1e-16 to 1e-6', { tags: 'long' }, () => {
    fc.assert(fc.property(seeds, scales, gaps, (seed, size, gap) => {
      const r = random(seed)
      const { a, b, poseA, poseB } = nearlyTouching(r, size, gap)
      const collider = new PolyhedraCollider(a, b)
      collider.separation(poseA, poseB)
      for (let k = 0; k < 5; k++) {
        const nearby: Pose = {
          position: add(poseA.position, vector(r, 1e-3 * size)),
          orientation: composePoses({ position: [0, 0, 0], orientation: [1e-3 * r(), 0, 0, 1] }, poseA).orientation,
        }
        const unit = { ...nearby, orientation: scaleToUnit(nearby.orientation) }
        const cached = collider.separation(unit, poseB)
        const afresh = new PolyhedraCollider(a, b).separation(unit, poseB)
        expect(Math.abs(cached - afresh)).toBeLessThan(1e-13 * size)
        expect(Math.abs(cached - signedDistance(solidAt(a, unit), solidAt(b, poseB)))).toBeLessThan(1e-12 * size)
      }
    }), { numRuns: 200 })
  })

  it('is reached in a region that exists exactly where the gap is within the tolerance', () => {
    fc.assert(fc.property(seeds, scales, gaps, (seed, size, gap) => {
      const { a, b, poseA, poseB } = nearlyTouching(random(seed), size, gap)
      const collider = new PolyhedraCollider(a, b)
      const tolerance = 1e-9 * size
      const separation = collider.separation(poseA, poseB)
      const region = collider.region(poseA, poseB, tolerance)
      expect(region.length > 0).toBe(separation <= tolerance)
      if (region.length > 0) {
        const least = Math.min(...region.map(pair => pair.locate(poseA, poseB).gap))
        expect(Math.abs(least - separation)).toBeLessThan(2e-9 * size)
        expect(region.every(pair => pair.margin(poseA, poseB) > 0)).toBe(true)
        expect(new Set(region.map(pair => pair.key)).size).toBe(region.length)
      }
    }), { numRuns: 300 })
  })

  it('has only normals along which the solids separate, where a vertex lies in a vertex too', () => {
    fc.assert(fc.property(seeds, scales, fc.constantFrom(0, 1e-15, 1e-13, 1e-11), (seed, size, miss) => {
      const r = random(seed)
      const a = hull(r, 4 + Math.floor(r() * 10), size)
      const b = hull(r, 4 + Math.floor(r() * 10), size)
      const poseB = pose(r, size)
      const turned: Pose = { position: [0, 0, 0], orientation: orientation(r) }
      const way = direction(r)
      const onA = extreme(a, turned, negate(way))
      const onB = extreme(b, poseB, way)
      const poseA: Pose = { ...turned, position: add(sub(onB, onA), vector(r, miss * size)) }
      const region = new PolyhedraCollider(a, b).region(poseA, poseB, 1e-9 * size)
      expect(region.length).toBeGreaterThan(0)
      for (const { normal } of region.map(pair => pair.locate(poseA, poseB))) {
        expect(dot(normal, sub(extreme(a, poseA, negate(normal)), extreme(b, poseB, normal)))).toBeGreaterThan(-3e-9 * size)
      }
    }), { numRuns: 300 })
  })

  it('does not depend on the pose of the whole scene', () => {
    fc.assert(fc.property(seeds, scales, gaps, (seed, size, gap) => {
      const r = random(seed)
      const { a, b, poseA, poseB } = nearlyTouching(r, size, gap)
      const motion = pose(r, size)
      const moved = (p: Pose): Pose => { const q = composePoses(motion, p); return { ...q, orientation: scaleToUnit(q.orientation) } }
      const here = new PolyhedraCollider(a, b).separating(poseA, poseB)
      const there = new PolyhedraCollider(a, b).separating(moved(poseA), moved(poseB))
      expect(Math.abs(here.separation - there.separation)).toBeLessThan(1e-13 * size)
    }), { numRuns: 200 })
  })

  it('reverses only its normals when A and B are exchanged', () => {
    fc.assert(fc.property(seeds, scales, gaps, (seed, size, gap) => {
      const { a, b, poseA, poseB } = nearlyTouching(random(seed), size, gap)
      const straight = new PolyhedraCollider(a, b)
      const turned = new PolyhedraCollider(b, a)
      expect(Math.abs(straight.separation(poseA, poseB) - turned.separation(poseB, poseA))).toBeLessThan(1e-12 * size)
      const tolerance = 1e-9 * size
      const one = straight.region(poseA, poseB, tolerance).map(pair => pair.locate(poseA, poseB))
      const other = turned.region(poseB, poseA, tolerance).map(pair => pair.locate(poseB, poseA))
      if (Math.abs(straight.separation(poseA, poseB) - tolerance) > 1e-13 * size) {
        expect(other.length).toBe(one.length)
        for (const p of one) {
          expect(other.some(q => distance(p.point, q.point) < 1e-8 * size)).toBe(true)
          // The normal at a vertex on a vertex or an edge is not unique: it may be that of a face of either solid.
          const free = straight.region(poseA, poseB, tolerance)
            .every(pair => pair.margin(poseA, poseB) > 3 * tolerance && !/vertex.*(vertex|edge)|edge.*vertex/.test(pair.key))
          expect(!free || other.some(q => dot(p.normal, negate(q.normal)) > 1 - 1e-8)).toBe(true)
        }
      }
    }), { numRuns: 300 })
  })
})

function scaleToUnit(q: Quat): Quat {
  const l = Math.hypot(...q)
  return [q[0] / l, q[1] / l, q[2] / l, q[3] / l]
}

/** The vertex that lies farthest in a direction, in the world. */
function extreme(solid: Polyhedron, at: Pose, way: Vec3): Vec3 {
  return solid.vertices.map(v => toOuter(at, v)).reduce((best, v) => dot(v, way) > dot(best, way) ? v : best)
}

describe('the contact region of two boxes', () => {
  const cube = box([1, 1, 1])
  const at = (position: Vec3, orientation: Quat = [0, 0, 0, 1]): Pose => ({ position, orientation })
  const tilt = (axis: Vec3, angle: number): Quat => [...scale(axis, Math.sin(angle / 2)), Math.cos(angle / 2)] as unknown as Quat
  const region = (a: Polyhedron, poseA: Pose, b: Polyhedron, poseB: Pose = IDENTITY_POSE, tolerance = 1e-9) =>
    new PolyhedraCollider(a, b).region(poseA, poseB, tolerance)
  const corners = (a: Polyhedron, poseA: Pose, b: Polyhedron, poseB: Pose = IDENTITY_POSE) =>
    region(a, poseA, b, poseB).map(pair => pair.locate(poseA, poseB))

  it('is four vertices where two equal cubes coincide face on face', () => {
    const found = region(cube, at([0, 0, 1]), cube)
    expect(found.map(pair => pair.key).sort()).toEqual(['vertex0/face5', 'vertex1/face5', 'vertex2/face5', 'vertex3/face5'])
    expect(found.every(pair => pair.locate(at([0, 0, 1]), IDENTITY_POSE).normal[2] === 1)).toBe(true)
  })

  it('is the same four vertices with the upper cube tilted or shifted by rounding', () => {
    const keys = ['vertex0/face5', 'vertex1/face5', 'vertex2/face5', 'vertex3/face5']
    for (const angle of [1e-16, 1e-14, 1e-13, 1e-12, -1e-13]) {
      for (const axis of [[1, 0, 0], [0, 1, 0], [0.6, 0.8, 0], [0, 0, 1]] as Vec3[]) {
        for (const shift of [0, 1e-12, -1e-12]) {
          expect(region(cube, at([shift, -shift, 1 + shift], tilt(axis, angle)), cube).map(pair => pair.key).sort()).toEqual(keys)
        }
      }
    }
  })

  it('is an octagon of edge crossings where the upper cube is turned by 45°', () => {
    const found = corners(cube, at([0, 0, 1], tilt([0, 0, 1], Math.PI / 4)), cube)
    expect(found).toHaveLength(8)
    expect(found.every(({ normal, gap }) => normal[2] > 1 - 1e-15 && Math.abs(gap) < 1e-15)).toBe(true)
  })

  it('is the overlap of the faces where the upper cube overhangs', () => {
    const found = corners(cube, at([0.3, 0.4, 1]), cube).map(({ point }) => point.map(x => Math.round(1e9 * x) / 1e9 + 0))
    expect(found.sort((p, q) => p[0]! - q[0]! || p[1]! - q[1]!)).toEqual([[-0.2, -0.1, 0.5], [-0.2, 0.5, 0.5], [0.5, -0.1, 0.5], [0.5, 0.5, 0.5]])
  })

  it('is two points where a cube stands on its edge, one where it stands on its vertex', () => {
    const onEdge = at([0, 0, 0.5 + Math.SQRT1_2], tilt([1, 0, 0], Math.PI / 4))
    expect(region(cube, onEdge, box([3, 3, 1])).map(pair => pair.featureA.kind)).toEqual(['vertex', 'vertex'])
    const lean = Math.atan(Math.SQRT2)
    const onVertex = at([0, 0, 0.5 + Math.sqrt(3) / 2], tilt([Math.SQRT1_2, -Math.SQRT1_2, 0], lean))
    expect(region(cube, onVertex, box([3, 3, 1]))).toHaveLength(1)
  })

  it('is one crossing where two cubes meet edge on edge at right angles', () => {
    const upper = at([0, 0, 2 * Math.SQRT1_2], tilt([1, 0, 0], Math.PI / 4))
    const lower = at([0, 0, 0], tilt([0, 1, 0], Math.PI / 4))
    const [only, ...others] = region(cube, upper, cube, lower)
    expect(others).toHaveLength(0)
    expect(only!.featureA.kind + only!.featureB.kind).toBe('edgeedge')
    expect(distance(only!.locate(upper, lower).normal, [0, 0, 1])).toBeLessThan(1e-15)
  })

  it('is two points where edges lie on each other in parallel, with the normal of a separating plane', () => {
    const upper = at([0.2, 0, 2 * Math.SQRT1_2], tilt([1, 0, 0], Math.PI / 4))
    const lower = at([0, 0, 0], tilt([1, 0, 0], Math.PI / 4))
    const found = region(cube, upper, cube, lower)
    expect(found).toHaveLength(2)
    for (const { normal, gap, point } of found.map(pair => pair.locate(upper, lower))) {
      expect(Math.abs(gap)).toBeLessThan(1e-15)
      expect(normal[2]).toBeGreaterThan(0.7)
      expect(Math.abs(point[1])).toBeLessThan(1e-9)
    }
  })

  it('is one point where vertex meets vertex and where vertex meets edge', () => {
    const lean = Math.atan(Math.SQRT2)
    const standing = tilt([Math.SQRT1_2, -Math.SQRT1_2, 0], lean)
    const onVertex = at([0, 0, Math.sqrt(3)], standing)
    expect(region(cube, onVertex, cube, at([0, 0, 0], standing))).toHaveLength(1)
    const onEdge = at([0, 0, Math.sqrt(3) / 2 + Math.SQRT1_2], standing)
    expect(region(cube, onEdge, cube, at([0, 0, 0], tilt([0.6, 0.8, 0], Math.PI / 4))).length).toBeGreaterThan(0)
    expect(region(cube, onEdge, cube, at([0, 0, 0], tilt([1, 0, 0], Math.PI / 4)))).toHaveLength(1)
  })

  it('includes as candidates the features on which a tipping box will land', () => {
    const collider = new PolyhedraCollider(cube, box([3, 3, 1]))
    const angle = 0.01
    const tipped = at([0, 0.5 - (0.5 * Math.cos(angle) - 0.5 * Math.sin(angle)), 0.5 + 0.5 * (Math.cos(angle) + Math.sin(angle))], tilt([1, 0, 0], -angle))
    const held = collider.region(tipped, IDENTITY_POSE, 1e-9)
    expect(held).toHaveLength(2)
    const landing = collider.candidates(tipped, IDENTITY_POSE, held)
    const gaps = landing.map(pair => pair.locate(tipped, IDENTITY_POSE).gap)
    expect(landing.filter((_, k) => gaps[k]! < 0.02).map(pair => pair.featureA.kind + pair.featureB.kind)).toEqual(['vertexface', 'vertexface'])
    expect(Math.abs(Math.min(...gaps) - Math.sin(angle))).toBeLessThan(1e-12)
  })
})
