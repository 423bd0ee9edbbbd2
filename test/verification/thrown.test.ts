import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyIn, box, floor, recorded, sceneOf, turn, worst, type Recorded } from './support'

const g = 9.81
/** Evenly spaced values, including the ends and zero. */
const between = (min: number, max: number) => fc.integer({ min: 0, max: 1000 }).map(k => min + (max - min) * k / 1000)

/** Forces that satisfy their laws in every frame. */
function keepsItsLaws(run: Recorded): void {
  expect(worst(run, ({ maxComplementarity }) => maxComplementarity)).toBeLessThanOrEqual(1e-9)
  expect(worst(run, ({ maxConeViolation }) => maxConeViolation)).toBeLessThanOrEqual(1e-9)
}

describe('thrown bodies', () => {
  /** A thin rod at `angle` from the floor whose lower end slides at `speed` along `azimuth` while it turns with `spin`: every regime of Painlevé's rod. */
  const rod = (angle: number, azimuth: number, speed: number, spin: number, mu: number): object => {
    const r = 0.01
    const along = [Math.cos(azimuth), Math.sin(azimuth), 0]
    const across = [-Math.sin(azimuth), Math.cos(azimuth), 0]
    const arm = [along[0]! * Math.cos(angle), along[1]! * Math.cos(angle), Math.sin(angle)]
    const omega = across.map(x => spin * x)
    const velocity = [
      omega[1]! * arm[2]! - omega[2]! * arm[1]! - speed * along[0]!, omega[2]! * arm[0]! - omega[0]! * arm[2]! - speed * along[1]!,
      omega[0]! * arm[1]! - omega[1]! * arm[0]!,
    ]
    return sceneOf([floor, {
      id: 'rod', position: arm, orientation: turn(across, Math.PI / 2 - angle), linearVelocity: velocity, angularVelocity: omega,
      shapes: [{ type: 'convexHull', material: 'stone', points: [[0, 0, -1], [0, 0, 1], [r, 0, 0], [0, r, 0], [-r, 0, 0], [0, -r, 0]] }],
      mass: { mass: 1, centerOfMass: [0, 0, 0], inertia: [1 / 16, 1 / 16, 1 / 100, 0, 0, 0] },
    }], mu, { duration: 0.05, outputRate: 1000 })
  }

  /** A_NN − μ A_Nt of the rod × its mass, whose zero is the dynamic jam: sliding towards it, the normal force grows without bound [Génot and Brogliato 1999]. */
  const determinant = (run: Recorded, mu: number, time: number): number => {
    const at = (index: number): number => {
      const { orientation: [x, y] } = bodyIn(run, 'rod', run.frames[index])
      const sine = 1 - 2 * (x! * x! + y! * y!)
      const cosine = Math.sqrt(1 - sine * sine)
      return 1 + 16 * cosine * (cosine - mu * sine)
    }
    const after = run.frames.findIndex(frame => frame.time >= time)
    const share = (run.frames[after]!.time - time) * 1000
    return share * at(Math.max(0, after - 1)) + (1 - share) * at(after)
  }

  it('rods slide, take off, or jam and continue by time-stepping, at any angle, friction and spin', () => {
    let jams = 0
    fc.assert(fc.property(between(0.2, 1.5), between(0, 6), between(-2, 2), between(-5, 5), between(0, 2.5), (angle, azimuth, speed, spin, mu) => {
      const run = recorded(rod(angle, azimuth, speed, spin, mu))
      keepsItsLaws(run)
      expect([run.end.status, run.end.message]).toEqual(['completed', ''])
      const jam = run.events.find(({ kind, message }) => kind === 'degraded' && message!.includes('cannot be resolved'))
      if (jam === undefined) return
      jams++
      expect(Math.abs(determinant(run, mu, jam.time))).toBeLessThan(0.05)
    }), { numRuns: 30, seed: 4, examples: [[0.2, 1.122, 1.988, -4.94, 2.5]] })
    expect(jams).toBeGreaterThan(0)
  })

  it('boxes are simulated to the end, with any friction and restitution', () => {
    const thrown = fc.record({
      edges: fc.tuple(between(0.2, 1.2), between(0.2, 1.2), between(0.1, 1)), at: fc.tuple(between(-0.4, 0.4), between(-0.4, 0.4)),
      velocity: fc.tuple(between(-3, 3), between(-3, 3), between(-4, 0)), spin: fc.tuple(between(-5, 5), between(-5, 5), between(-5, 5)),
      axis: fc.tuple(between(0.1, 1), between(-1, 1), between(-1, 1)), angle: between(0, 3),
    })
    fc.assert(fc.property(fc.array(thrown, { minLength: 2, maxLength: 2 }), between(0, 1.5), between(0, 0.8), (bodies, mu, restitution) => {
      let height = 0.02
      const boxes = bodies.map(({ edges, at, velocity, spin, axis, angle }, i) => {
        const radius = Math.hypot(...edges) / 2
        const z = height + radius
        height = z + radius + 0.02
        return box(`b${i}`, edges, [...at, z], { linearVelocity: velocity, angularVelocity: spin, orientation: turn(axis, angle) })
      })
      const scene = sceneOf([floor, ...boxes], mu, { duration: 0.15 + Math.sqrt(0.1 / g), outputRate: 20 }) as { materials: { restitution: number }[] }
      for (const material of scene.materials) material.restitution = restitution
      const run = recorded(scene)
      expect([run.end.status, run.end.message]).toEqual(['completed', ''])
      keepsItsLaws(run)
    }), { numRuns: 4, seed: 9 })
  })
})
