// @module-tag long
/** The curtain of the gallery: the load of its ten rings, from the momentum of the cloth alone. */

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { runDeformables, type DeformableRun } from './deformable-runs'

interface Scene {
  readonly deformables: readonly [{ vertices: number[][]; triangles: [number, number, number][]; restUV: [number, number][]; arealDensity: number; attachments: unknown[] }]
  readonly forces: readonly [{ linear: number }]
  readonly simulation: object
}

const G = 9.81
/** s: of the scene; every step is a frame here. */
const H = 1 / 120

describe('a curtain that is drawn aside on ten rings', () => {
  const scene = JSON.parse(readFileSync(new URL('../../scenes/curtain-on-rings.cairn.json', import.meta.url), 'utf8')) as Scene
  const [{ triangles, restUV, arealDensity, attachments }] = scene.deformables
  const masses = new Float64Array(restUV.length)
  for (const [a, b, c] of triangles) {
    const [p, q, r] = [restUV[a]!, restUV[b]!, restUV[c]!]
    const area = Math.abs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / 2
    for (const v of [a, b, c]) masses[v]! += arealDensity * area / 3
  }
  const mass = masses.reduce((sum, m) => sum + m, 0)
  const momentum = (velocity: Float64Array, k: number): number => masses.reduce((sum, m, v) => sum + m * velocity[3 * v + k]!, 0)
  const pulls = (reaction: ArrayLike<number>, k: number): number => attachments.reduce<number>((sum, _, ring) => sum + reaction[3 * ring + k]!, 0)
  let run: DeformableRun
  beforeAll(() => { run = runDeformables({ ...scene, simulation: { ...scene.simulation, outputRate: 1 / H } }) }, 120_000)

  it('has in every step the momentum that rings, weight and air cause', () => {
    expect(run.status).toBe('completed')
    expect(run.deformables.length).toBe(361)
    for (let i = 1; i < run.deformables.length; i++) {
      const [before, after] = [run.deformables[i - 1]!, run.deformables[i]!]
      for (let k = 0; k < 3; k++) {
        const force = pulls(after.reaction, k) - (k === 2 ? mass * G : 0) - scene.forces[0].linear * momentum(after.velocity, k) / mass
        expect(Math.abs((momentum(after.velocity, k) - momentum(before.velocity, k)) / H - force)).toBeLessThan(1e-6 * mass * G)
      }
    }
  })

  it('loads them with its weight at rest, the rings at its ends least', () => {
    const { reaction } = run.deformables.at(-1)!
    expect(pulls(reaction, 2) / (mass * G)).toBeCloseTo(1, 2)
    const each = attachments.map((_, ring) => reaction[3 * ring + 2]!)
    expect(Math.max(each[0]!, each[9]!)).toBeLessThan(Math.min(...each.slice(1, 9)))
  })
})
