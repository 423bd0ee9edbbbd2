import { describe, expect, it } from 'vitest'
import { recorded } from '../../../verification/support'

/** A ball that strikes the ground at 1 m/s down, moving along it at `along` m/s. */
function struck(along: number, friction: { static: number; dynamic: number }) {
  return recorded({
    format: 'cairn-scene', version: 1, gravity: [0, 0, 0], materials: [{ id: 'm', density: 1000, friction, restitution: 0.5 }],
    bodies: [
      { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'm' }] },
      { id: 'ball', position: [0, 0, 0.2], linearVelocity: [along, 0, -1], shapes: [{ type: 'sphere', radius: 0.1, material: 'm' }] },
    ],
    simulation: { duration: 0.2, outputRate: 20, method: 'event-driven' },
  }).events.find(({ kind }) => kind === 'impact')!
}

describe('friction in an impact', () => {
  const friction = { static: 0.9, dynamic: 0.2 }

  it('is dynamic where the bodies slide on each other before', () => {
    // Slip of 3 m/s: 3.5 × μ Δv n, which is what friction takes from it, stays below.
    const [x, , z] = struck(3, friction).impulse
    expect(-x! / z!).toBeCloseTo(0.2, 12)
  })

  it('is the friction required for sticking if that is less', () => {
    // A slip of 0.3 m/s ends where (2/7) m v is below μ p.
    const { impulse: [x, , z], bodyA } = struck(0.3, friction)
    const mass = 1000 * 4 / 3 * Math.PI * 0.1 ** 3
    expect(bodyA).toBe(1)
    expect(-x!).toBeCloseTo(mass * 0.3 * 2 / 7, 10)
    expect(-x! / z!).toBeLessThan(0.2)
  })
})
