import { describe, expect, it } from 'vitest'
import { bodyAt, recorded, sceneOf, size, turn, worst } from './support'

const g = 9.81

const slopeScene = (shape: object, angle: number, height: number, friction: number, duration: number, orientation: readonly number[]): object => {
  const normal = [Math.sin(angle), 0, Math.cos(angle)]
  return sceneOf([
    { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] },
    { id: 'roller', type: 'dynamic', position: normal.map(x => height * x), orientation, shapes: [{ ...shape, material: 'stone' }] },
  ], friction, { duration, outputRate: 60 })
}

describe('a rolling cylinder', () => {
  it('accelerates with ⅔ g sin θ down a slope, and its energy is accounted for', () => {
    const angle = 0.2
    // Axis along y, across the slope.
    const run = recorded(slopeScene({ type: 'cylinder', radius: 0.5, height: 1 }, angle, 0.5, 0.5, 1, turn([1, 0, 0], Math.PI / 2)))
    expect(run.end.message + run.end.status).toBe('completed')
    const last = bodyAt(run.frames.at(-1)!, 1)
    expect(Math.abs(size(last.linearVelocity) / (2 / 3 * g * Math.sin(angle)) - 1)).toBeLessThan(1e-8)
    expect(worst(run, c => c.energy.residual)).toBeLessThan(1e-8)
  })

  it('that stands does not move', () => {
    const run = recorded(slopeScene({ type: 'cylinder', radius: 0.5, height: 1 }, 0, 0.5, 0.5, 1, [0, 0, 0, 1]))
    expect(run.end.message + run.end.status).toBe('completed')
    const last = bodyAt(run.frames.at(-1)!, 1)
    expect(size(last.linearVelocity)).toBeLessThan(1e-12)
  })
})

describe('an ellipsoid that rocks without friction on a plane', () => {
  const [a, b, c] = [1, 0.8, 0.5]
  const rocking = (amplitude: number, duration: number): object => slopeScene(
    { type: 'ellipsoid', radii: [a, b, c] }, 0, Math.sqrt(a * a * Math.sin(amplitude) ** 2 + c * c * Math.cos(amplitude) ** 2), 0, duration,
    turn([0, 1, 0], amplitude))

  it('keeps its energy to 1e-8 over 10 s', () => {
    const run = recorded(rocking(0.5, 10))
    expect(run.end.message + run.end.status).toBe('completed')
    expect(worst(run, x => x.energy.residual)).toBeLessThan(1e-8)
    expect(worst(run, x => x.maxPenetration)).toBeLessThan(1e-9)
  })

  it('swings with T = 2π √(c (a² + c²) / (5 g (a² − c²))) at small amplitudes', () => {
    const amplitude = 2e-4
    const run = recorded(rocking(amplitude, 10))
    const period = 2 * Math.PI * Math.sqrt(c * (a * a + c * c) / (5 * g * (a * a - c * c)))
    const rate = 2 * Math.PI / period
    // Phase of tilt = A cos φ, tilt rate = −A Ω sin φ, and how often it has gone round.
    const { orientation, angularVelocity } = bodyAt(run.frames.at(-1)!, 1)
    const phase = Math.atan2(-angularVelocity[1]! / rate, 2 * orientation[1]!)
    const time = run.frames.at(-1)!.time
    const turns = Math.round((rate * time - phase) / (2 * Math.PI))
    expect(Math.abs((2 * Math.PI * turns + phase) / (rate * time) - 1)).toBeLessThan(1e-6)
  })
})

describe('a capsule and a superquadric', () => {
  it('dropped come to rest or roll without sinking', () => {
    for (const shape of [{ type: 'capsule', radius: 0.3, height: 1 }, { type: 'superquadric', radii: [0.5, 0.4, 0.3], exponents: [0.8, 0.8] }]) {
      const run = recorded(slopeScene(shape, 0, 1.2, 0.4, 2, turn([0.6, 0.8, 0], 0.7)))
      expect(run.end.message + run.end.status).toBe('completed')
      expect(worst(run, c => c.maxPenetration)).toBeLessThan(1e-9)
      expect(worst(run, c => c.energy.residual)).toBeLessThan(1e-6)
    }
  })
})
