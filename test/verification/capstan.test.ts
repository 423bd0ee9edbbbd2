/**
 * The ropes of the gallery on a drum: static friction of one, and sliding of the other, by the capstan equation with the weight and inertia of the
 * rope.
 */

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { runDeformables, type DeformableRun } from './deformable-runs'
import { bodyAt } from './support'

interface Scene { readonly deformables: readonly { readonly points: number[][]; readonly linearDensity: number }[]; readonly simulation: object }

const G = 9.81
const FRICTION = 0.25
/** m: the rope's middle lies this far from the axis. */
const REACH = 0.26
const TURNS = 24
/** m */
const SEGMENT = 2 * REACH * Math.sin(Math.PI / TURNS / 2)
/** e^{μπ} on half a polygon: a vertex that turns the rope by δ has T₁/T₂ = (1 + μ tan(δ/2)) / (1 − μ tan(δ/2)). */
const RATIO = ((1 + FRICTION * Math.tan(Math.PI / TURNS / 2)) / (1 - FRICTION * Math.tan(Math.PI / TURNS / 2))) ** TURNS
const [HOLDS_LIGHT, HOLDS_HEAVY, SLIDES_LIGHT, SLIDES_HEAVY] = [2, 3, 4, 5]

describe('two ropes over a fixed drum', () => {
  const scene = JSON.parse(readFileSync(new URL('../../scenes/ropes-on-a-capstan.cairn.json', import.meta.url), 'utf8')) as Scene
  const [holding, sliding] = scene.deformables as [Scene['deformables'][number], Scene['deformables'][number]]
  const density = sliding.linearDensity
  let run: DeformableRun
  beforeAll(() => { run = runDeformables({ ...scene, simulation: { ...scene.simulation, duration: 0.2 } }) }, 60_000)

  it('are such that the limit e^{μπ} lies between them', () => {
    expect(RATIO / Math.exp(FRICTION * Math.PI)).toBeCloseTo(1, 2)
    expect([holding.points.length, sliding.points.length]).toEqual([TURNS + 49, TURNS + 43])
  })

  it('with loads in the ratio 2.1 nothing moves, and the rope pulls at each load with its weight', () => {
    expect(run.status).toBe('completed')
    for (const body of [HOLDS_LIGHT, HOLDS_HEAVY]) {
      const start = bodyAt(run.frames[0]!, body).position
      for (const frame of run.frames) bodyAt(frame, body).position.forEach((x, k) => expect(Math.abs(x - start[k]!)).toBeLessThan(1e-6))
    }
    const { tension } = run.deformables.at(-1)!
    const end = density * SEGMENT / 2
    expect(tension[0]! / (G * (1 + end))).toBeCloseTo(1, 4)
    expect(tension[holding.points.length - 2]! / (G * (2.1 + end))).toBeCloseTo(1, 4)
  })

  it('with loads in the ratio 2.6 the rope slides by T₁ = e^{μφ} T₂ with its own weight and inertia', () => {
    // dT/dφ = μ (T + ρ g R sin φ) + ρ R (a + g cos φ) from the light side, which hangs 34 segments, to the heavy one, which hangs 8. ρ v² is still negligible.
    const [light, heavy] = [1 + 34 * density * SEGMENT, 2.6 + 8 * density * SEGMENT]
    const weight = 2 * FRICTION * density * REACH * (RATIO + 1) / (1 + FRICTION * FRICTION)
    const a = G * (heavy - RATIO * light - weight) / (heavy + RATIO * light + density * REACH * (RATIO - 1) / FRICTION)
    const { time } = run.frames.at(-1)!
    for (const [body, sign] of [[SLIDES_LIGHT, 1], [SLIDES_HEAVY, -1]] as const) {
      expect(Math.abs(sign * bodyAt(run.frames.at(-1)!, body).linearVelocity[2]! / (a * time) - 1)).toBeLessThan(5e-3)
    }
    const { tension } = run.deformables.at(-1)!
    const first = holding.points.length - 1
    expect(Math.abs(tension[first + 34 + TURNS]! / (heavy * (G - a)) - 1)).toBeLessThan(2e-3)
    expect(Math.abs(tension[first + 33]! / (light * (G + a)) - 1)).toBeLessThan(2e-3)
  })
})
