/**
 * Symmetric bodies get symmetric constraints: the choice of features prefers no side, whatever the rounding. The plane of symmetry is y = 0; boxes
 * across it, rotated only about y, are their own mirror images.
 */

import { describe, expect, it } from 'vitest'
import { box } from '../../../../../../core/geometry/box'
import { normalizeQuaternion, type Quat } from '../../../../../../core/math/quaternion'
import type { Pose } from '../../../../../../core/math/pose'
import type { Vec3 } from '../../../../../../core/math/vector'
import { pairConstraints, pairFactories } from '../../../../../../core/methods/time-stepping/peg/pair'
import { between, random, type Random } from '../../../collision/random'
import { colliderOf, turned } from './pairs'

const SCALES = [1e-2, 1, 1e2]
const NOISE = [0, 1e-16, 1e-14, 1e-12]
const TOLERANCE = 1e-6

/** Two boxes by their half sizes, and where they lie; all lengths × scale. */
interface Case {
  readonly half: readonly [Vec3, Vec3]
  readonly at: readonly [Vec3, Vec3]
  /** rad, about y. */
  readonly tilt: readonly [number, number]
}

/** Centre of a box rotated about y whose lower vertex is at this point. */
function onEdge([hx, , hz]: Vec3, tilt: number, sx: 1 | -1, sz: 1 | -1): readonly [number, number] {
  return [sx * hx * Math.cos(tilt) + sz * hz * Math.sin(tilt), -sx * hx * Math.sin(tilt) + sz * hz * Math.cos(tilt)]
}

const cases: Record<string, (r: Random) => Case> = {
  'a domino that leans on the next, sides flush': r => leaning(r, 0.25, 0.25),
  'a domino that leans on a narrower one': r => leaning(r, 0.25, between(r, 0.1, 0.24)),
  'a domino that leans on a wider one': r => leaning(r, between(r, 0.1, 0.24), 0.25),
  'a box on another with all sides flush': () => ({ half: [[0.5, 0.25, 0.1], [0.5, 0.25, 0.1]], at: [[0, 0, 0.2], [0, 0, 0]], tilt: [0, 0] }),
  'a box on another with two sides flush': r => ({ half: [[0.5, 0.25, 0.1], [0.5, 0.25, 0.1]], at: [[between(r, -0.7, 0.7), 0, 0.2], [0, 0, 0]], tilt: [0, 0] }),
  'a narrow box across a wide one': r => ({ half: [[0.5, 0.1, 0.1], [0.3, 0.25, 0.1]], at: [[between(r, -0.1, 0.1), 0, 0.2], [0, 0, 0]], tilt: [0, 0] }),
  'boxes side by side, tops coplanar and sides flush': () => ({ half: [[0.5, 0.25, 0.1], [0.3, 0.25, 0.1]], at: [[0.8, 0, 0], [0, 0, 0]], tilt: [0, 0] }),
  'a box on its edge, parallel to another\'s edge above it': r => {
    const tilt = between(r, 0.2, 1.2)
    const [x, z] = onEdge([0.3, 0.25, 0.1], tilt, -1, -1)
    return { half: [[0.3, 0.25, 0.1], [0.5, 0.25, 0.1]], at: [[0.5 - x, 0, 0.1 - z], [0, 0, 0]], tilt: [tilt, 0] }
  },
}

/** A domino turned by its tilt whose upper front edge lies on the back face of one that stands. */
function leaning(r: Random, width: number, next: number): Case {
  const tilt = between(r, 0.05, 1)
  const [x, z] = onEdge([0.05, width, 0.5], tilt, 1, 1)
  const high = between(r, -0.4, 0.45)
  return { half: [[0.05, width, 0.5], [0.05, next, 0.5]], at: [[-0.05 - x, 0, high - z], [0, 0, 0]], tilt: [tilt, 0] }
}

/** Rounded points and normals of all pushing constraints, as names. */
function pushing({ half, at, tilt }: Case, scale: number, noise: number, r: Random, reach: number): { readonly found: string[]; readonly mirrored: string[] } {
  const shaken = (size: number): number => noise * size * between(r, -1, 1)
  const solids = half.map(([x, y, z]) => box([2 * x * scale, 2 * y * scale, 2 * z * scale]))
  const poses = at.map(([x, y, z], k): Pose => {
    const turn: Quat = turned([0, 1, 0], tilt[k]!)
    return {
      position: [x * scale + shaken(scale), y * scale + shaken(scale), z * scale + shaken(scale)],
      orientation: normalizeQuaternion([turn[0] + shaken(1), turn[1] + shaken(1), turn[2] + shaken(1), turn[3] + shaken(1)]),
    }
  })
  const [a, b] = [solids[0]!, solids[1]!]
  const [startA, startB] = [poses[0]!, poses[1]!]
  const fallen: Pose = { ...startA, position: [startA.position[0], startA.position[1], startA.position[2] - reach * scale / 4] }
  const tolerance = TOLERANCE * scale
  const step = { startA, startB, endA: fallen, endB: startB, reach: reach * scale, tolerance, again: false, spacing: tolerance }
  const found: string[] = []
  const mirrored: string[] = []
  for (const { candidates, primaries } of pairConstraints(a, b, colliderOf(a, b), step, 1, pairFactories(a, b, tolerance))) {
    for (const pair of candidates.slice(0, primaries)) {
      const { point: [x, y, z], normal: [u, v, w] } = pair.locate(startA, startB)
      found.push(name([x / scale, y / scale, z / scale, u, v, w]))
      mirrored.push(name([x / scale, -y / scale, z / scale, u, -v, w]))
    }
  }
  // At a vertex several features may give the same constraint; one of them is kept.
  return { found: [...new Set(found)].sort(), mirrored: [...new Set(mirrored)].sort() }
}

/** To five digits: adding 0 makes −0 a zero. */
function name(values: readonly number[]): string {
  return values.map(value => (Math.round(value * 1e5) / 1e5 + 0).toFixed(5)).join(' ')
}

describe('symmetric bodies are held by symmetric features', () => {
  it.each(Object.entries(cases))('%s', (_, made) => {
    let rows = 0
    for (let seed = 1; seed <= 12; seed++) {
      for (const scale of SCALES) {
        for (const noise of NOISE) {
          for (const reach of [1e-3, 0.05]) {
            const { found, mirrored } = pushing(made(random(seed)), scale, noise, random(seed + 1000), reach)
            expect(found).toEqual(mirrored)
            rows += found.length
          }
        }
      }
    }
    expect(rows).toBeGreaterThan(12 * SCALES.length * NOISE.length)
  })
})
