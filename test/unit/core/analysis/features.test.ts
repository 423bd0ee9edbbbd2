import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { featuresOf, measureBetween, ownMeasures, placedFeature, type Feature } from '../../../../core/analysis/features'
import { solidsOf } from '../../../../core/analysis/solids'
import { distanceToTriangle } from '../../../../core/geometry/surface-distance'
import { normalizeQuaternion, type Quat } from '../../../../core/math/quaternion'
import { add, addScaled, cross, distance, dot, length, normalize, scale, sub, type Vec3 } from '../../../../core/math/vector'
import type { Shape } from '../../../../core/scene'

const number = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true })
const point = fc.tuple(number(-2, 2), number(-2, 2), number(-2, 2)) as fc.Arbitrary<Vec3>
const anywhere = fc.tuple(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)).filter(q => q.some(x => Math.abs(x) > 0.1)) as fc.Arbitrary<Quat>
const unit = point.filter(p => length(p) > 0.1).map(normalize)

const vertex = (p: Vec3): Feature => ({ kind: 'vertex', point: p })
const edge = (a: Vec3, b: Vec3): Feature => ({ kind: 'edge', ends: [a, b] })
const face = (corners: readonly Vec3[]): Feature => ({
  kind: 'face', parts: [corners], outline: corners.map((a, k) => [a, corners[(k + 1) % corners.length]!]),
  normal: normalize(cross(sub(corners[1]!, corners[0]!), sub(corners[2]!, corners[0]!))),
})
const disc = (centre: Vec3, normal: Vec3, radius: number): Feature => ({ kind: 'disc', centre, normal, radius })
const of = (shape: Shape, kind: Feature['kind']) => featuresOf(shape).map(({ feature }) => feature).filter(feature => feature.kind === kind)
const box = (x: number, y: number, z: number): Shape => ({ type: 'box', size: [x, y, z], material: 'm' })

type Triangle = readonly [Vec3, Vec3, Vec3]
const triangle = fc.tuple(point, point, point).filter(([a, b, c]) => length(cross(sub(b, a), sub(c, a))) > 0.05) as fc.Arbitrary<Triangle>
/** Parallel, coplanar and touching sides are frequent; nearly parallel ones, of which rounding turns the common normal, do not occur. */
const coordinate = fc.integer({ min: -8, max: 8 }).map(x => x / 4)
const onGrid = fc.tuple(fc.tuple(coordinate, coordinate, coordinate), fc.tuple(coordinate, coordinate, coordinate), fc.tuple(coordinate, coordinate, coordinate))
  .filter(([a, b, c]) => length(cross(sub(b, a), sub(c, a))) > 0) as fc.Arbitrary<Triangle>
const sides = ([a, b, c]: Triangle) => [[a, b], [b, c], [c, a]] as const

function pointToSegment(p: Vec3, [q, r]: readonly [Vec3, Vec3]): number {
  const along = sub(r, q)
  return distance(p, addScaled(q, along, Math.max(0, Math.min(1, dot(sub(p, q), along) / dot(along, along)))))
}

/** By the crossing, else by each end against the other segment; independent of the code under test. */
function segmentDistance([a, b]: readonly [Vec3, Vec3], [c, d]: readonly [Vec3, Vec3]): number {
  const [u, v, w] = [sub(b, a), sub(d, c), sub(a, c)]
  const determinant = dot(u, u) * dot(v, v) - dot(u, v) ** 2
  const s = (dot(u, v) * dot(v, w) - dot(v, v) * dot(u, w)) / determinant
  const t = (dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / determinant
  const inner = s >= 0 && s <= 1 && t >= 0 && t <= 1 ? distance(addScaled(a, u, s), addScaled(c, v, t)) : Infinity
  return Math.min(inner, pointToSegment(a, [c, d]), pointToSegment(b, [c, d]), pointToSegment(c, [a, b]), pointToSegment(d, [a, b]))
}

function crosses([a, b]: readonly [Vec3, Vec3], t: Triangle): boolean {
  const n = cross(sub(t[1], t[0]), sub(t[2], t[0]))
  const [h, k] = [dot(n, sub(a, t[0])), dot(n, sub(b, t[0]))]
  return h * k < 0 && distanceToTriangle(addScaled(a, sub(b, a), h / (h - k)), t) < 1e-12
}

function triangleDistance(s: Triangle, t: Triangle): number {
  if (sides(s).some(side => crosses(side, t)) || sides(t).some(side => crosses(side, s))) return 0
  return Math.min(...s.map(p => distanceToTriangle(p, t)), ...t.map(p => distanceToTriangle(p, s)), ...sides(s).flatMap(a => sides(t).map(b => segmentDistance(a, b))))
}

describe('the shortest distance is that of the closed form', () => {
  const measured = (a: Feature, b: Feature, exact: number) => {
    const found = measureBetween(a, b)!
    expect(Math.abs(found.distance - exact)).toBeLessThan(1e-12)
    expect(Math.abs(distance(found.pointA, found.pointB) - exact)).toBeLessThan(1e-12)
  }

  it('of vertices, edges and faces with each other', () => {
    fc.assert(fc.property(triangle, triangle, (s, t) => {
      measured(vertex(s[0]), vertex(t[0]), distance(s[0], t[0]))
      measured(vertex(s[0]), edge(t[0], t[1]), pointToSegment(s[0], [t[0], t[1]]))
      measured(vertex(s[0]), face(t), distanceToTriangle(s[0], t))
      measured(edge(s[0], s[1]), edge(t[0], t[1]), segmentDistance([s[0], s[1]], [t[0], t[1]]))
      measured(edge(s[0], s[1]), face(t), crosses([s[0], s[1]], t) ? 0
        : Math.min(distanceToTriangle(s[0], t), distanceToTriangle(s[1], t), ...sides(t).map(side => segmentDistance([s[0], s[1]], side))))
      measured(face(s), face(t), triangleDistance(s, t))
    }), { numRuns: 2000 })
  })

  it('is proved by a plane that separates both faces by that distance', () => {
    fc.assert(fc.property(onGrid, onGrid, (s, t) => {
      const { distance: d, pointA, pointB } = measureBetween(face(s), face(t))!
      fc.pre(d > 0)
      const normal = scale(sub(pointB, pointA), 1 / d)
      const width = Math.min(...t.map(p => dot(normal, p))) - Math.max(...s.map(p => dot(normal, p)))
      expect(width).toBeGreaterThan(d - 1e-12)
    }), { numRuns: 2000 })
  })

  it('of a point from a disc', () => {
    fc.assert(fc.property(point, unit, number(0.1, 2), point, (centre, normal, radius, p) => {
      const height = dot(normal, sub(p, centre))
      const across = length(addScaled(sub(p, centre), normal, -height))
      measured(vertex(p), disc(centre, normal, radius), Math.hypot(height, Math.max(0, across - radius)))
    }), { numRuns: 2000 })
  })

  it('of discs side by side, above each other, and across each other', () => {
    measured(disc([0, 0, 0], [0, 0, 1], 0.7), disc([3, 0, 1], [0, 0, 1], 0.5), Math.hypot(1.8, 1))
    measured(disc([0, 0, 0], [0, 0, 1], 0.7), disc([0.2, 0, 1], [0, 0, -1], 0.5), 1)
    measured(disc([0, 0, 0], [0, 0, 1], 0.7), disc([0, 0, 0.1], [1, 0, 0], 0.5), 0)
    measured(disc([0, 0, 0], [0, 0, 1], 1), disc([0, 0, 3], [1, 0, 0], 1), 2)
  })

  it('from a plane, on both of its sides, and between planes', () => {
    const plane: Feature = { kind: 'plane', point: [0, 0, 0.5], normal: [0, 0, 1] }
    measured(vertex([3, 4, 2]), plane, 1.5)
    measured(vertex([3, 4, -2]), plane, 2.5)
    measured(edge([0, 0, 0], [0, 0, 1]), plane, 0)
    measured(disc([0, 0, 3], [1, 0, 0], 1), plane, 1.5)
    measured(plane, { kind: 'plane', point: [9, 9, -1], normal: [0, 0, -1] }, 1.5)
    const tilted = measureBetween(plane, { kind: 'plane', point: [0, 0, 0], normal: normalize([0, 1, 1]) })!
    expect(tilted).toMatchObject({ distance: 0, apart: null })
    expect(tilted.pointA[1]).toBeCloseTo(-0.5, 12)
    expect(tilted.angle).toBeCloseTo(45, 12)
  })

  it('of bodies: zero if they overlap, none between two half-spaces', () => {
    const body = (shape: Shape, position: Vec3): Feature => ({ kind: 'body', solids: solidsOf(shape).map(primitive => ({ primitive, pose: { position, orientation: [0, 0, 0, 1] } })) })
    const ground = body({ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'm' }, [0, 0, 0])
    measured(body(box(1, 1, 1), [0, 0, 0]), body(box(1, 1, 1), [0, 3, 0]), 2)
    measured(body(box(1, 1, 1), [0, 0, 0]), vertex([0, 0, 2]), 1.5)
    measured(body(box(1, 1, 1), [0, 0, 2]), ground, 1.5)
    measured(vertex([0, 0, -1]), ground, 0)
    expect(measureBetween(ground, ground)).toBeNull()
  })

  it('does not depend on the pose of both', () => {
    fc.assert(fc.property(triangle, triangle, point, anywhere, (s, t, position, q) => {
      const pose = { position, orientation: normalizeQuaternion(q) }
      const [here, there] = [measureBetween(face(s), face(t))!, measureBetween(placedFeature(face(s), pose), placedFeature(face(t), pose))!]
      expect(Math.abs(here.distance - there.distance)).toBeLessThan(1e-12)
      expect(Math.abs(here.angle! - there.angle!)).toBeLessThan(1e-6)
    }))
  })
})

describe('angles and parallel distances', () => {
  it('of edges: up to 90°, but at the vertex that they share up to 180°', () => {
    const [a, b] = [[1, 0, 0], [-0.5, Math.sqrt(0.75), 0]] as const
    expect(measureBetween(edge([0, 0, 0], a), edge([0, 0, 0], b))!.angle).toBeCloseTo(120, 12)
    expect(measureBetween(edge([0, 0, 0], a), edge([0, 0, 1], add(b, [0, 0, 1])))!.angle).toBeCloseTo(60, 12)
    expect(measureBetween(edge([0, 0, 0], [1, 0, 0]), edge([5, 3, 4], [7, 3, 4]))).toMatchObject({ angle: 0, apart: 5, distance: Math.hypot(4, 5) })
  })

  it('of an edge and a face: the angle to the plane, and the height of a parallel edge', () => {
    const square = face([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    expect(measureBetween(edge([0, 0, 1], [1, 0, 2]), square)!.angle).toBeCloseTo(45, 12)
    expect(measureBetween(square, edge([5, 0, 2], [6, 0, 2]))).toMatchObject({ angle: 0, apart: 2, distance: Math.hypot(4, 2) })
  })

  it('of faces: parallel planes, and the angle in the solid at a shared edge', () => {
    const faces = of(box(1, 2, 3), 'face') as (Feature & { kind: 'face' })[]
    for (const a of faces) {
      for (const b of faces) {
        if (a === b) continue
        const opposite = dot(a.normal, b.normal) < -0.5
        const found = measureBetween(a, b)!
        expect(found.angle).toBeCloseTo(opposite ? 0 : 90, 12)
        if (opposite) expect(found.apart).toBeCloseTo(found.distance, 12)
        else expect(found).toMatchObject({ apart: null, distance: 0 })
      }
    }
    const hexagon = Array.from({ length: 6 }, (_, k): Vec3 => [Math.cos(k * Math.PI / 3), Math.sin(k * Math.PI / 3), 0])
    const prism: Shape = { type: 'convexHull', points: [...hexagon, ...hexagon.map(p => add(p, [0, 0, 1]))], material: 'm' }
    const around = (of(prism, 'face') as (Feature & { kind: 'face' })[]).filter(({ normal }) => Math.abs(normal[2]) < 0.5)
    const angles = around.flatMap((a, i) => around.slice(i + 1).map(b => Math.round(measureBetween(a, b)!.angle!))).sort((a, b) => a - b)
    expect(angles).toEqual([0, 0, 0, 60, 60, 60, 60, 60, 60, 120, 120, 120, 120, 120, 120])
  })
})

describe('the features of a shape', () => {
  it('a box has 8 vertices, 12 edges and 6 faces, whose areas are its surface', () => {
    const shape = box(0.2, 0.3, 0.5)
    expect([of(shape, 'vertex').length, of(shape, 'edge').length, of(shape, 'face').length]).toEqual([8, 12, 6])
    const sum = (kind: Feature['kind']) => of(shape, kind).reduce((total, one) => total + ownMeasures(one)[0]!.value, 0)
    expect(sum('face')).toBeCloseTo(2 * (0.06 + 0.1 + 0.15), 14)
    expect(sum('edge')).toBeCloseTo(4, 14)
  })

  it('a cylinder has two rims, two ends and its axis; a cone its apex; a ball its centre', () => {
    const cylinder: Shape = { type: 'cylinder', radius: 0.2, height: 0.6, material: 'm' }
    expect(of(cylinder, 'circle').map(ownMeasures)).toEqual(Array(2).fill([{ quantity: 'radius', value: 0.2 }]))
    expect(ownMeasures(of(cylinder, 'axis')[0]!)).toEqual([{ quantity: 'radius', value: 0.2 }, { quantity: 'length', value: 0.6 }])
    const [top, bottom] = of(cylinder, 'disc')
    expect(ownMeasures(top!)[0]!.value).toBeCloseTo(0.04 * Math.PI, 14)
    expect(measureBetween(top!, bottom!)).toMatchObject({ distance: 0.6, apart: 0.6, angle: 0 })
    expect(of({ type: 'cone', radius: 0.2, height: 0.6, material: 'm' }, 'vertex')).toEqual([{ kind: 'vertex', point: [0, 0, 0.6] }])
    expect(of({ type: 'sphere', radius: 0.2, material: 'm' }, 'sphere')).toEqual([{ kind: 'sphere', centre: [0, 0, 0], radius: 0.2 }])
  })

  it('a mesh has whole faces and straight edges, however finely its surface is divided and whether or not it is convex', () => {
    // An L of three unit squares, 1 deep, its 2 outer sides divided in 2: 12 vertices of the L, 18 edges, 8 faces.
    const cells = [[0, 0], [1, 0], [0, 1]] as const
    const vertices: Vec3[] = []
    const faces: number[][] = []
    const quad = (...corners: Vec3[]) => {
      faces.push(corners.map(p => vertices.push(p) - 1))
    }
    const filled = (x: number, y: number) => cells.some(([u, v]) => u === x && v === y)
    for (const [x, y] of cells) {
      quad([x, y, 1], [x + 1, y, 1], [x + 1, y + 1, 1], [x, y + 1, 1])
      quad([x, y, 0], [x, y + 1, 0], [x + 1, y + 1, 0], [x + 1, y, 0])
      if (!filled(x, y - 1)) quad([x, y, 0], [x + 1, y, 0], [x + 1, y, 1], [x, y, 1])
      if (!filled(x, y + 1)) quad([x + 1, y + 1, 0], [x, y + 1, 0], [x, y + 1, 1], [x + 1, y + 1, 1])
      if (!filled(x - 1, y)) quad([x, y + 1, 0], [x, y, 0], [x, y, 1], [x, y + 1, 1])
      if (!filled(x + 1, y)) quad([x + 1, y, 0], [x + 1, y + 1, 0], [x + 1, y + 1, 1], [x + 1, y, 1])
    }
    const shape: Shape = { type: 'mesh', vertices, faces, scale: 2, material: 'm' }
    expect([of(shape, 'vertex').length, of(shape, 'edge').length, of(shape, 'face').length]).toEqual([12, 18, 8])
    expect(of(shape, 'face').map(one => Math.round(ownMeasures(one)[0]!.value)).sort((a, b) => a - b)).toEqual([4, 4, 4, 4, 8, 8, 12, 12])
    const inner = of(shape, 'face').filter(one => one.kind === 'face' && one.outline.length === 4 && one.parts.flat().every(p => p[0] === 2 || p[1] === 2)) as (Feature & { kind: 'face' })[]
    const [a, b] = inner.filter(one => one.parts.flat().every(p => p[0] >= 2 || p[1] >= 2) && ownMeasures(one)[0]!.value < 5 && one.parts.flat().every(p => p[0] === 2 ? p[1] >= 2 : p[0] >= 2))
    expect(measureBetween(a!, b!)!.angle).toBeCloseTo(270, 10)
    // Over the notch, the nearest point of the L-shaped face differs from that of its convex hull.
    const top = of(shape, 'face').find(one => one.kind === 'face' && one.normal[2] > 0.5)!
    expect(measureBetween(vertex([3.5, 3, 2]), top)!.distance).toBeCloseTo(1, 12)
  })

  it('a shape that cannot be built has no features', () => {
    expect(featuresOf({ type: 'box', size: [0, 1, 1], material: 'm' })).toEqual([])
    expect(featuresOf({ type: 'mesh', vertices: [[0, 0, 0]], faces: [[0, 0, 0]], material: 'm' })).toEqual([])
  })
})

it('components of a measured distance are those of the line between its points', () => {
  const found = measureBetween(vertex([1, 2, 3]), vertex([2, 4, 1]))!
  expect(sub(found.pointB, found.pointA)).toEqual([1, 2, -2])
  expect(scale(sub(found.pointB, found.pointA), 1 / found.distance)).toEqual([1 / 3, 2 / 3, -2 / 3])
})
