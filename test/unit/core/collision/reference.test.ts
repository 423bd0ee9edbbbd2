import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { solidAt } from '../../../../core/analysis/convex-solid'
import { signedDistance } from '../../../../core/analysis/separation'
import { edgeEdgeContact, vertexFaceContact, type LinearContact } from '../../../../core/collision/linear-motion'
import { PolyhedraCollider } from '../../../../core/collision/polyhedron-polyhedron'
import { createCollider, type PlacedPrimitive } from '../../../../core/collision/collider'
import { box } from '../../../../core/geometry/box'
import { Cylinder } from '../../../../core/geometry/cylinder'
import type { Primitive } from '../../../../core/geometry/shape'
import type { Mat3 } from '../../../../core/math/matrix'
import { IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { fromMatrix, normalizeQuaternion, rotateInverse } from '../../../../core/math/quaternion'
import { cross, dot, length, lerp, scale, sub, type Vec3 } from '../../../../core/math/vector'

const REFERENCE = resolve(import.meta.dirname, '../../../../../shared/reference')
const queries = join(REFERENCE, 'ccd-sample-queries')
const boxes = join(REFERENCE, 'gjk-adversarial-boxes.json')

interface Query {
  readonly points: readonly Vec3[]
  readonly truth: boolean
}

function readQueries(file: string): Query[] {
  const rows = readFileSync(file, 'utf8').trim().split('\n').map(line => line.split(','))
  const number = (n: string, d: string): number => Number(n) / Number(d)
  return Array.from({ length: rows.length / 8 }, (_, k) => {
    const eight = rows.slice(8 * k, 8 * k + 8)
    return {
      points: eight.map((r): Vec3 => [number(r[0]!, r[1]!), number(r[2]!, r[3]!), number(r[4]!, r[5]!)]),
      truth: eight[0]![6] === '1',
    }
  })
}

const scenes = existsSync(queries) ? readdirSync(queries).filter(name => existsSync(join(queries, name, 'edge-edge'))) : []

/** Published queries with exact ground truth by rational arithmetic (NYU CCD sample queries, MIT). */
describe.skipIf(scenes.length === 0)('the time of contact on linear trajectories, against exact ground truth', () => {
  it.each(scenes.flatMap(scene => ['vertex-face', 'edge-edge'].map(kind => [scene, kind] as const)))(
    'misses nothing in %s, %s, and reports nothing farther apart than its tolerance', (scene, kind) => {
      const folder = join(queries, scene, kind)
      let [missed, unresolved, asked, farther] = [0, 0, 0, 0]
      for (const file of readdirSync(folder)) {
        for (const { points: p, truth } of readQueries(join(folder, file))) {
          const size = Math.max(...p.map(x => length(sub(x, p[0]!))))
          const tolerance = 1e-9 * size
          const found: LinearContact = kind === 'vertex-face'
            ? vertexFaceContact({ start: [p[0]!], end: [p[4]!] }, { start: p.slice(1, 4), end: p.slice(5, 8) }, tolerance)
            : edgeEdgeContact({ start: p.slice(0, 2), end: p.slice(4, 6) }, { start: p.slice(2, 4), end: p.slice(6, 8) }, tolerance)
          asked++
          const at = (i: number): Vec3 => lerp(p[i]!, p[4 + i]!, found.time)
          const apart = kind === 'vertex-face' ? toTriangle(at(0), [at(1), at(2), at(3)]) : segments([at(0), at(1)], [at(2), at(3)])
          farther += found.outcome === 'contact' && apart > tolerance + 1e-14 * size ? 1 : 0
          missed += truth && found.outcome === 'apart' ? 1 : 0
          unresolved += found.outcome === 'unresolved' ? 1 : 0
        }
      }
      expect(asked).toBeGreaterThan(0)
      expect({ missed, unresolved, farther }).toEqual({ missed: 0, unresolved: 0, farther: 0 })
    })
})

type Segment = readonly [Vec3, Vec3]

function toSegment(p: Vec3, [a, b]: Segment): number {
  const d = sub(b, a)
  const t = Math.min(1, Math.max(0, dot(sub(p, a), d) / (dot(d, d) || 1)))
  return length(sub(p, lerp(a, b, t)))
}

/** Ends against the other, and the common perpendicular where its feet lie within both. */
function segments(one: Segment, other: Segment): number {
  const ends = Math.min(toSegment(one[0], other), toSegment(one[1], other), toSegment(other[0], one), toSegment(other[1], one))
  const [u, v, w] = [sub(one[1], one[0]), sub(other[1], other[0]), sub(one[0], other[0])]
  const normal = cross(u, v)
  const square = dot(normal, normal)
  const s = dot(cross(v, w), normal) / square
  const t = dot(cross(u, w), normal) / square
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? Math.min(ends, Math.abs(dot(w, normal)) / Math.sqrt(square)) : ends
}

function toTriangle(p: Vec3, [a, b, c]: readonly [Vec3, Vec3, Vec3]): number {
  const sides: Segment[] = [[a, b], [b, c], [c, a]]
  const edges = Math.min(...sides.map(side => toSegment(p, side)))
  const normal = cross(sub(b, a), sub(c, a))
  const over = sides.every(([from, to]) => dot(cross(sub(to, from), sub(p, from)), normal) >= 0)
  return over && length(normal) > 0 ? Math.min(edges, Math.abs(dot(sub(p, a), normal)) / length(normal)) : edges
}

interface AdversarialBox {
  readonly size: Vec3
  /** Absent: the identity. */
  readonly R?: readonly (readonly number[])[]
  readonly p: Vec3
}

/** Poses that broke published implementations, from public issue threads. */
describe.skipIf(!existsSync(boxes))('box poses that broke other implementations', () => {
  const cases = existsSync(boxes) ? (JSON.parse(readFileSync(boxes, 'utf8')) as {
    cases: { id: string, A?: AdversarialBox, B?: AdversarialBox, expect: { abs_signed_distance_max?: number, penetration_depth?: number } }[]
  }).cases : []
  const poseOf = ({ R, p }: AdversarialBox): Pose =>
    ({ position: p, orientation: R ? fromMatrix(R.flat() as unknown as Mat3) : [0, 0, 0, 1] })
  it.each(cases.filter(({ A, B }) => A && B).map(c => [c.id, c] as const))('%s', (_, { A, B, expect: expected }) => {
    const [a, b] = [box(A!.size), box(B!.size)]
    const [poseA, poseB] = [poseOf(A!), poseOf(B!)]
    const found = new PolyhedraCollider(a, b).separation(poseA, poseB)
    expect(Math.abs(found - signedDistance(solidAt(a, poseA), solidAt(b, poseB)))).toBeLessThan(1e-12)
    if (expected.abs_signed_distance_max !== undefined) {
      expect(Math.abs(found)).toBeLessThan(1e-12)
    }
    if (expected.penetration_depth !== undefined) {
      expect(Math.abs(found + expected.penetration_depth)).toBeLessThan(1e-12)
    }
  })
})

/** A box and a cylinder that broke a published implementation, from a public issue thread. */
describe.skipIf(!existsSync(boxes))('the box and the cylinder that broke another implementation', () => {
  it('have the separation of the best of many directions, also with exchanged bodies and from a witness', () => {
    const { cases } = JSON.parse(existsSync(boxes) ? readFileSync(boxes, 'utf8') : '{"cases":[]}') as {
      cases: { box?: { size: Vec3, p: Vec3, q_wxyz: number[] }, cylinder?: { length: number, radius: number, p: Vec3, q_wxyz: number[] } }[]
    }
    const found = cases.find(c => c.cylinder && c.box)!
    const poseOf = (p: Vec3, [w, x, y, z]: number[]): Pose => ({ position: p, orientation: normalizeQuaternion([x!, y!, z!, w!]) })
    const [solid, round] = [box(found.box!.size), new Cylinder(found.cylinder!.radius, found.cylinder!.length)]
    const [poseA, poseB] = [poseOf(found.box!.p, found.box!.q_wxyz), poseOf(found.cylinder!.p, found.cylinder!.q_wxyz)]
    const placed = (primitive: Primitive): PlacedPrimitive => ({ primitive, pose: IDENTITY_POSE })
    const collider = createCollider(placed(solid), placed(round))!
    const separation = collider.separation(poseA, poseB)
    expect(Math.abs(collider.separation(poseA, poseB) - separation)).toBeLessThan(1e-15)
    expect(Math.abs(createCollider(placed(round), placed(solid))!.separation(poseB, poseA) - separation)).toBeLessThan(1e-14)
    // The box's wide face faces the cylinder: distance of the face from the cylinder's extreme point against its normal.
    const along = (n: Vec3): number => dot(n, sub(
      toOuter(poseA, solid.support(rotateInverse(poseA.orientation, scale(n, -1)))), toOuter(poseB, round.support(rotateInverse(poseB.orientation, n)))))
    let best = -Infinity
    for (let i = 0; i <= 400; i++) {
      for (let j = 0; j < 800; j++) {
        const [u, v] = [Math.PI * i / 400, Math.PI * j / 400]
        best = Math.max(best, along([Math.sin(u) * Math.cos(v), Math.sin(u) * Math.sin(v), Math.cos(u)]))
      }
    }
    expect(separation).toBeGreaterThan(best - 1e-12)
    expect(separation).toBeLessThan(best + 1e-3)
  })
})
