import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bodyAt, box, recorded, sceneOf } from './support'

/**
 * Pendulums of projectchrono/chrono (BSD-3), computed there by MSC ADAMS and printed to six digits: 1 kg, 4 m long, released horizontally
 * from its joint; gravity 9.80665 m/s². ADAMS reports the force on the ground, the opposite of ours on the pendulum.
 */
const G = 9.80665

const folder = '../shared/reference/chrono-adams'

function table(kind: string, name: string, quantity: string): number[][] {
  const text = readFileSync(`${folder}/${kind}_joint/${name}_ADAMS_${quantity}.txt`, 'utf8')
  return text.split('\n').filter(line => /^[+-]/.test(line)).map(line => line.trim().split(/\s+/).map(Number))
}

const cases = [
  { kind: 'revolute', name: 'Revolute_Case01', anchor: [0, 0, 0], axis: [0, 1, 0] },
  { kind: 'revolute', name: 'Revolute_Case02', anchor: [1, 2, 3], axis: [0, 1, 1] },
  // In planar motion a ball joint swings as a hinge does. The printed Spherical_Case01 strays from the printed
  // Revolute_Case01 by 8e-4 m within 5 s, though both are the same motion, so the hinge's is the reference.
  { kind: 'revolute', name: 'Revolute_Case01', anchor: [0, 0, 0], axis: null },
  { kind: 'spherical', name: 'Spherical_Case02', anchor: [1, 2, 3], axis: null },
]

describe.skipIf(!existsSync(folder))('pendulums computed by ADAMS', () => {
  it.each(cases)('$name on axis $axis: positions, velocities and reactions', ({ kind, name, anchor, axis }) => {
    const pendulum = {
      ...box('pendulum', [4, 0.2, 0.2], [anchor[0]! + 2, anchor[1]!, anchor[2]!]),
      mass: { mass: 1, inertia: [0.04, 0.1, 0.1, 0, 0, 0] },
    }
    const joint = { id: 'j', bodyA: 'pendulum', bodyB: null, anchor, ...(axis === null ? { type: 'ball' } : { type: 'hinge', axis }) }
    const run = recorded(sceneOf([pendulum], 0, { duration: 5, outputRate: 100, eventDriven: { tolerance: 1e-11 } }, {
      gravity: [0, 0, -G], joints: [joint],
    }))
    expect(run.end.status).toBe('completed')
    const compare = (quantity: string, ours: (k: number) => readonly number[], sign: number) => {
      let worst = 0
      let size = 0
      table(kind, name, quantity).forEach((row, k) => row.slice(1).forEach((value, i) => {
        size = Math.max(size, Math.abs(value))
        worst = Math.max(worst, Math.abs(sign * ours(k)[i]! - value))
      }))
      return { worst, size }
    }
    const joints = (k: number, column: 'force' | 'torque') => [...run.joints[k]![column].subarray(0, 3)]
    // Half of the last digit printed.
    expect(compare('Pos', k => bodyAt(run.frames[k]!, 0).position, 1).worst).toBeLessThan(5.02e-6)
    expect(compare('Vel', k => bodyAt(run.frames[k]!, 0).linearVelocity, 1).worst).toBeLessThan(5.02e-6)
    expect(compare('Avel', k => bodyAt(run.frames[k]!, 0).angularVelocity, 1).worst).toBeLessThan(5.02e-6)
    // At 0.01 s the first pendulum's reaction is 6.865 mN along the rod; ADAMS prints 7.331 mN. Its reactions are good to about 1e-4 only.
    for (const [quantity, column] of [['Rforce', 'force'], ['Rtorque', 'torque']] as const) {
      const { worst, size } = compare(quantity, k => joints(k, column), -1)
      expect(worst).toBeLessThan(1.2e-4 * Math.max(size, 1))
    }
    // Closed form instead: with θ below the horizontal about an axis along which a share s of gravity acts, θ̈ = s m g l cos θ/J, θ̇² = 2 s m g l sin θ/J.
    const share = axis === null ? 1 : axis[1]! / Math.hypot(...axis)
    const rate2 = (share * G * 2) / 4.1
    const down = share === 1 ? [0, 0, -1] : [0, share, -share]
    for (let k = 0; k < run.frames.length; k++) {
      const { position } = bodyAt(run.frames[k]!, 0)
      const cosine = (position[0]! - anchor[0]!) / 2
      const sine = [0, 1, 2].reduce((sum, i) => sum + down[i]! * (position[i]! - anchor[i]!), 0) / 2
      for (let i = 0; i < 3; i++) {
        const outward = (i === 0 ? cosine : 0) + down[i]! * sine
        const forward = (i === 0 ? -sine : 0) + down[i]! * cosine
        const acceleration = 2 * (rate2 * cosine * forward - 2 * rate2 * sine * outward)
        const expected = acceleration + (i === 2 ? G : 0)
        expect(Math.abs(joints(k, 'force')[i]! - expected)).toBeLessThan(1e-8)
      }
    }
  })
})
