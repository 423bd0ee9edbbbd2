import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { solidAt } from '../../../../core/analysis/convex-solid'
import { signedDistance } from '../../../../core/analysis/separation'
import { edgeEdgeContact, vertexFaceContact, type LinearContact } from '../../../../core/collision/linear-motion'
import { PolyhedraCollider } from '../../../../core/collision/polyhedron-polyhedron'
import { box } from '../../../../core/geometry/box'
import type { Mat3 } from '../../../../core/math/matrix'
import type { Pose } from '../../../../core/math/pose'
import { fromMatrix } from '../../../../core/math/quaternion'
import { length, sub, type Vec3 } from '../../../../core/math/vector'

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
      let [missed, unresolved] = [0, 0]
      for (const file of readdirSync(folder)) {
        for (const { points: p, truth } of readQueries(join(folder, file))) {
          const size = Math.max(...p.map(x => length(sub(x, p[0]!))))
          const tolerance = 1e-9 * size
          const found: LinearContact = kind === 'vertex-face'
            ? vertexFaceContact({ start: [p[0]!], end: [p[4]!] }, { start: p.slice(1, 4), end: p.slice(5, 8) }, tolerance)
            : edgeEdgeContact({ start: p.slice(0, 2), end: p.slice(4, 6) }, { start: p.slice(2, 4), end: p.slice(6, 8) }, tolerance)
          missed += truth && found.outcome === 'apart' ? 1 : 0
          unresolved += found.outcome === 'unresolved' ? 1 : 0
        }
      }
      // A contact is reported only where the distance is within the tolerance; what is not resolved could be more.
      expect({ missed, unresolved }).toEqual({ missed: 0, unresolved: 0 })
    })
})

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
