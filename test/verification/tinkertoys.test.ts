/** The tinkertoys of the gallery: sticks keep their lengths, and the forces of the hook and the weights account for all momentum. */

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { runDeformables, unexplained, type DeformableRun } from './deformable-runs'
import { bodyAt } from './support'

interface Scene {
  readonly deformables: readonly { readonly points: readonly [number[], number[]]; readonly linearDensity: number }[]
  readonly simulation: object
}

const G = 9.81
/** s: of the scene; every step is a frame here. */
const H = 1 / 240
/** Hubs follow the ground and the hook. */
const HUBS = [2, 3, 4, 5, 6]
/** kg: a ball of 700 kg/m³. */
const HUB = 700 * 4 / 3 * Math.PI * 0.05 ** 3

describe('a tetrahedron of sticks with a flail, that swings on a hook', () => {
  const scene = JSON.parse(readFileSync(new URL('../../scenes/tinkertoys.cairn.json', import.meta.url), 'utf8')) as Scene
  const lengths = scene.deformables.map(({ points: [a, b] }) => Math.hypot(...a.map((x, k) => x - b[k]!)))
  const masses = scene.deformables.flatMap(({ linearDensity }, s) => [0, 1].map(() => linearDensity * lengths[s]! / 2))
  let run: DeformableRun
  beforeAll(() => { run = runDeformables({ ...scene, simulation: { ...scene.simulation, duration: 1, outputRate: 1 / H } }) }, 60_000)

  it('keeps the length of every stick to 1e-9 m', () => {
    expect(run.status).toBe('completed')
    for (const { position: p } of run.deformables) {
      lengths.forEach((length, s) => expect(Math.abs(Math.hypot(...[0, 1, 2].map(k => p[6 * s + k]! - p[6 * s + 3 + k]!)) - length)).toBeLessThan(1e-9))
    }
  })

  it('has in every step the momentum that weight and hook give it', () => {
    const momentum = (i: number, k: number): number => HUBS.reduce((sum, hub) => sum + HUB * bodyAt(run.frames[i]!, hub).linearVelocity[k]!, 0)
      // The particle held at the hook does not move.
      + masses.reduce((sum, m, v) => sum + (v === 0 || v === 2 || v === 4 ? 0 : m * run.deformables[i]!.velocity[3 * v + k]!), 0)
    const moving = HUBS.length * HUB + masses.reduce((sum, m, v) => sum + (v === 0 || v === 2 || v === 4 ? 0 : m), 0)
    for (let i = 1; i < run.frames.length; i++) {
      const { tension, position: p } = run.deformables[i]!
      for (let k = 0; k < 3; k++) {
        const hook = [0, 1, 2].reduce((sum, s) => sum + tension[s]! * (p[6 * s + k]! - p[6 * s + 3 + k]!) / lengths[s]!, 0)
        const change = (momentum(i, k) - momentum(i - 1, k)) / H
        expect(Math.abs(change - hook + (k === 2 ? moving * G : 0))).toBeLessThan(1e-6 * moving * G)
      }
    }
  })

  it('accounts for its energy', () => {
    expect(unexplained(run)).toBeLessThan(1e-9)
  })
})
