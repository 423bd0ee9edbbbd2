import { describe, expect, it } from 'vitest'
import { bodyAt, recorded, sceneOf, size, turn, worst } from './support'

const slopeScene = (shape: object, angle: number, height: number, friction: number, duration: number, orientation: readonly number[]): object => {
  const normal = [Math.sin(angle), 0, Math.cos(angle)]
  return sceneOf([
    { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] },
    { id: 'roller', type: 'dynamic', position: normal.map(x => height * x), orientation, shapes: [{ ...shape, material: 'stone' }] },
  ], friction, { duration, outputRate: 60 })
}

describe('a cylinder', () => {
  it('that stands does not move', () => {
    const run = recorded(slopeScene({ type: 'cylinder', radius: 0.5, height: 1 }, 0, 0.5, 0.5, 1, [0, 0, 0, 1]))
    expect(run.end.message + run.end.status).toBe('completed')
    const last = bodyAt(run.frames.at(-1)!, 1)
    expect(size(last.linearVelocity)).toBeLessThan(1e-12)
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
