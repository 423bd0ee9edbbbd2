/** Friction of deformables on a slope: they rest below atan μ_s, and once sliding, slide with μ_d. */

import { describe, expect, it } from 'vitest'
import { recorded, type Recorded } from './support'

const G = 9.81
const [STATIC, DYNAMIC] = [0.5, 0.3]
const RADIUS = 0.01
/** s */
const DURATION = 0.4

/** Vertices in the plane of the slope, m: along it downhill, across it, above it. */
type Slope = (along: number, across: number, above: number) => [number, number, number]

/** @param speed m/s, downhill at the start */
function lying(angle: number, kind: 'particles' | 'cloth', speed: number, ground: object, friction = { static: STATIC, dynamic: DYNAMIC }): Recorded {
  const [s, c] = [Math.sin(angle), Math.cos(angle)]
  const at: Slope = (along, across, above) => [along * c + above * s, across, -along * s + above * c]
  const positions = [0, 1, 2].flatMap(i => [0, 1, 2].map(j => at(0.05 * i, 0.05 * j, RADIUS)))
  const triangles = [0, 1].flatMap(i => [0, 1].flatMap(j => [[3 * i + j, 3 * i + j + 3, 3 * i + j + 1], [3 * i + j + 1, 3 * i + j + 3, 3 * i + j + 4]]))
  const velocity = [speed * c, 0, -speed * s]
  const sheet = kind === 'particles' ? { type: 'particles', particles: positions.map(position => ({ position, velocity, mass: 0.01 })) }
    : { type: 'cloth', vertices: positions, triangles, velocity }
  return recorded({
    format: 'cairn-scene', version: 1, materials: [{ id: 'stone', density: 1000, friction, restitution: 0 }],
    bodies: [{ id: 'ground', type: 'fixed', orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)], shapes: [{ ...ground, material: 'stone' }] }],
    deformables: [{ id: 'sheet', material: 'stone', radius: RADIUS, ...sheet }],
    simulation: { method: 'time-stepping', duration: DURATION, outputRate: 50, timeStepping: { step: 0.005 } },
  })
}

/** m and m/s: downhill, mean over all vertices. */
function along(run: Recorded, angle: number, what: 'position' | 'velocity', frame = run.deformables.length - 1): number {
  const values = run.deformables[frame]![what]
  let sum = 0
  for (let k = 0; k < values.length; k += 3) sum += values[k]! * Math.cos(angle) - values[k + 2]! * Math.sin(angle)
  return sum / (values.length / 3)
}

const moved = (run: Recorded, angle: number): number => along(run, angle, 'position') - along(run, angle, 'position', 0)
const halfSpace = { type: 'halfSpace', normal: [0, 0, 1], offset: 0 }
const slab = { type: 'box', size: [2, 2, 0.2], position: [0, 0, -0.1] }
const holds = Math.atan(STATIC)

describe.each([['particles', halfSpace], ['cloth', halfSpace], ['cloth', slab]] as const)('%s on a slope, %o', (kind, ground) => {
  it('stick below atan μ_s, although dynamic friction alone would let them slide', () => {
    for (const angle of [Math.atan(DYNAMIC) + 0.02, holds - 0.01]) {
      const run = lying(angle, kind, 0, ground)
      expect(Math.abs(moved(run, angle))).toBeLessThan(1e-7)
      const { count, normalForce, frictionForce } = run.contacts.at(-1)!
      let [pressed, rubbed] = [0, 0]
      for (let i = 0; i < count; i++) {
        pressed += normalForce[i]!
        rubbed += Math.hypot(...frictionForce.subarray(3 * i, 3 * i + 3))
      }
      expect(rubbed / pressed).toBeGreaterThanOrEqual(Math.tan(angle) - 1e-6)
      expect(run.certificates.at(-1)!.maxConeViolation).toBeLessThan(1e-6)
    }
  })

  it('slide above it with μ_d from the first step on', () => {
    const angle = holds + 0.01
    const run = lying(angle, kind, 0, ground)
    const a = G * (Math.sin(angle) - DYNAMIC * Math.cos(angle))
    expect(Math.abs(along(run, angle, 'velocity') - a * DURATION)).toBeLessThan(1e-5)
  })

  it('continue to slide below it if they slide already', () => {
    const angle = holds - 0.05
    const run = lying(angle, kind, 0.5, ground)
    expect(Math.abs(along(run, angle, 'velocity') - 0.5 - G * DURATION * (Math.sin(angle) - DYNAMIC * Math.cos(angle)))).toBeLessThan(1e-3)
  })

  it('stop if it is flatter than atan μ_d, and stay at rest', () => {
    const angle = 0.2
    const run = lying(angle, kind, 0.2, ground)
    expect(Math.abs(along(run, angle, 'velocity'))).toBeLessThan(1e-6)
    const way = 0.2 * 0.2 / (2 * G * (DYNAMIC * Math.cos(angle) - Math.sin(angle)))
    expect(Math.abs(moved(run, angle) / way - 1)).toBeLessThan(0.05)
  })
})
