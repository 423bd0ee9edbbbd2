/**
 * Edges and triangles of deformables against curved bodies between their vertices. Depth is measured independently of the engine: by the equations of
 * the bodies at points all over the elements.
 */

import { describe, expect, it } from 'vitest'
import { runDeformables as run, type DeformableRun } from './deformable-runs'
import { bodyAt, floor, sceneOf } from './support'

interface Solid {
  readonly shape: object
  /** Negative inside, in the body's frame. */
  inside(x: number, y: number, z: number): number
}

const power = (x: number, e: number): number => Math.abs(x) ** e

const SOLIDS: Record<string, Solid> = {
  ellipsoid: { shape: { type: 'ellipsoid', radii: [0.1, 0.06, 0.04] }, inside: (x, y, z) => (x / 0.1) ** 2 + (y / 0.06) ** 2 + (z / 0.04) ** 2 - 1 },
  superquadric: {
    shape: { type: 'superquadric', radii: [0.07, 0.07, 0.05], exponents: [0.6, 0.8] },
    inside: (x, y, z) => (power(x / 0.07, 2 / 0.8) + power(y / 0.07, 2 / 0.8)) ** (0.8 / 0.6) + power(z / 0.05, 2 / 0.6) - 1,
  },
  cylinder: { shape: { type: 'cylinder', radius: 0.05, height: 0.12 }, inside: (x, y, z) => Math.max(Math.sqrt(x * x + y * y) - 0.05, Math.abs(z) - 0.06) },
  cone: { shape: { type: 'cone', radius: 0.06, height: 0.12 }, inside: (x, y, z) => Math.max(-z, Math.sqrt(x * x + y * y) - 0.06 * (1 - z / 0.12)) },
  'formula shape': {
    shape: { type: 'implicit', formula: '(x/0.08)^2 + (y/0.05)^2 + (z/0.06)^2 - 1' }, inside: (x, y, z) => (x / 0.08) ** 2 + (y / 0.05) ** 2 + (z / 0.06) ** 2 - 1,
  },
}

/** Points of elements inside the body, of all frames: 20 to an edge, or 210 to a triangle. */
function within({ frames, deformables }: DeformableRun, elements: readonly (readonly number[])[], { inside }: Solid): number {
  let found = 0
  frames.forEach((frame, f) => {
    const { position: [px, py, pz], orientation: [a, b, c, w] } = bodyAt(frame, 0)
    const x = deformables[f]!.position
    for (const element of elements) {
      for (let i = 0; i <= 20; i++) {
        for (let j = 0; j <= (element.length === 3 ? 20 - i : 0); j++) {
          const shares = [1 - (i + j) / 20, i / 20, j / 20]
          const [dx, dy, dz] = [px, py, pz].map((origin, k) => element.reduce((sum, p, q) => sum + shares[q]! * x[3 * p + k]!, -origin!)) as [number, number, number]
          const [tx, ty, tz] = [2 * (c! * dy - b! * dz), 2 * (a! * dz - c! * dx), 2 * (b! * dx - a! * dy)]
          if (inside(dx + w! * tx + c! * ty - b! * tz, dy + w! * ty + a! * tz - c! * tx, dz + w! * tz + b! * tx - a! * ty) < 0) found++
        }
      }
    }
  })
  return found
}

const deepest = ({ contacts }: DeformableRun): number => Math.max(0, ...contacts.flatMap(({ gap }) => [...gap].map(value => -value)))

const settings = { duration: 0.5, outputRate: 60, timeStepping: { step: 1 / 120 } }
const held = [0, 1, 2, 3, 5, 6, 7, 8]
const cells = [[0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [3, 6, 7], [3, 7, 4], [4, 7, 8], [4, 8, 5]]
/** 2 × 2 cells of 30 cm. */
const net = {
  id: 'n', type: 'cloth', material: 'stone', vertices: Array.from({ length: 9 }, (_, k) => [0.3 * Math.floor(k / 3) - 0.3, 0.3 * (k % 3) - 0.3, 0]), triangles: cells,
  damping: 0.02, stretchWarp: 5000, stretchWeft: 5000, shear: 500, pins: held,
}
const thrown = (solid: Solid, position: readonly number[], rest: object = {}): object =>
  ({ id: 'b', position, shapes: [{ ...solid.shape, material: 'stone' }], linearVelocity: [0, 0, -1.5], angularVelocity: [1, 2, 3], ...rest })

describe.each(Object.entries(SOLIDS))('an %s', (kind, solid) => {
  const places = [['the inside of a triangle', [0.2, 0.1, 0.16]], ['an edge', [0, 0.15, 0.16]]] as const
  it.each(places)('that falls on %s of a coarse net does not cut it, and every step is solved', { tags: 'long' }, (_, at) => {
    const result = run(sceneOf([thrown(solid, at)], 0.4, settings, { deformables: [net] }))
    expect(result.status).toBe('completed')
    expect(within(result, cells, solid)).toBe(0)
    expect(deepest(result)).toBeLessThan(1e-9)
    expect(result.events.filter(({ kind }) => kind === 'degraded')).toEqual([])
    expect(result.frames.every(frame => bodyAt(frame, 0).position[2]! > -0.12)).toBe(true)
    expect(result.contacts.some(({ gap }) => gap.length > 0)).toBe(true)
  })

  it('that falls across a rope of four segments does not cut it', { tags: kind === 'formula shape' || kind === 'superquadric' ? ['long'] : [] }, () => {
    const rope = {
      id: 'r', type: 'rope', material: 'stone', radius: 0.004, points: [[-0.5, 0, 0], [0.5, 0, 0]], segments: 4, linearDensity: 0.2, damping: 0.01, axialStiffness: 2000,
      attachments: [{ vertex: 0, body: null }, { vertex: 4, body: null }],
    }
    const result = run(sceneOf([thrown(solid, [0.13, 0.01, 0.14], { angularVelocity: [0, 0, 0] })], 0.4, { ...settings, duration: 0.25 }, { deformables: [rope] }))
    expect(within(result, [[0, 1], [1, 2], [2, 3], [3, 4]], solid)).toBe(0)
    expect(deepest(result)).toBeLessThan(1e-9)
    expect(result.contacts.some(({ gap }) => gap.length > 0)).toBe(true)
  })
})

it('a coarse sheet that falls on a small fixed ellipsoid is held by its edges, and comes to rest out of it', () => {
  const solid = SOLIDS['ellipsoid']!
  const sheet = { ...net, pins: [], vertices: net.vertices.map(([x, y]) => [x! + 0.13, y! + 0.08, 0.2]), stretchWarp: 300, stretchWeft: 300, shear: 30 }
  const result = run(sceneOf([thrown(solid, [0, 0, 0.1], { type: 'fixed', linearVelocity: [0, 0, 0], angularVelocity: [0, 0, 0] }), floor], 0.5, { ...settings, duration: 0.4 }, { deformables: [sheet] }))
  expect(within(result, cells, solid)).toBe(0)
  expect(deepest(result)).toBeLessThan(1e-9)
})
