/**
 * A disc of radius R and height h that rolls steadily with its centre at rest, tilted by α. It rotates about the line through its centre and the
 * contact, ω = s (R e − h/2 n) with the downward direction e in its plane and the axis n, and precesses with Ω about the vertical, s R = −Ω sin α.
 * The moment of its weight changes its angular momentum: Ω² sin α/R (I₁ R cos α − I₃ h/2 sin α) = m g (R cos α − h/2 sin α).
 */

import { describe, expect, it } from 'vitest'
import { bodyAt, recorded, worst } from './support'

const [R, H, G] = [0.0375, 0.006, 9.81]

function run(degrees: number, friction: number, step: number) {
  const alpha = degrees * Math.PI / 180
  const [sin, cos] = [Math.sin(alpha), Math.cos(alpha)]
  const [transverse, axial] = [(3 * R * R + H * H) / 12, R * R / 2]
  const out = R * cos - H / 2 * sin
  const precession = Math.sqrt(G * out / (sin / R * (transverse * R * cos - axial * H / 2 * sin)))
  const s = -precession * sin / R
  const height = R * sin + H / 2 * cos
  const material = { id: 'm', density: 7800, friction: { static: friction, dynamic: friction } }
  const made = recorded({
    format: 'cairn-scene', version: 1, gravity: [0, 0, -G], materials: [material],
    bodies: [
      { id: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'm' }] },
      {
        id: 'disc', position: [0, 0, height], orientation: [0, Math.sin(alpha / 2), 0, Math.cos(alpha / 2)], angularVelocity: [s * out, 0, -s * height],
        shapes: [{ type: 'cylinder', radius: R, height: H, material: 'm' }],
      },
    ],
    simulation: { method: 'time-stepping', duration: 0.2, outputRate: 250, timeStepping: { step } },
  })
  return { made, height, fall: Math.max(...made.frames.map(frame => Math.abs(bodyAt(frame, 1).position[2]! - height))) }
}

describe.each([[10, 0.6], [15, 0.6], [10, 0], [15, 0]])('tilted by %s degrees, with a coefficient of friction of %s', (degrees, friction) => {
  it('continues to roll with every step, converges to the steady motion, and its energy residual is of second order', () => {
    const runs = [1 / 500, 1 / 1000, 1 / 2000].map(step => run(degrees, friction, step))
    for (const { made } of runs) {
      expect(made.end).toMatchObject({ status: 'completed' })
      expect(worst(made, ({ maxPenetration }) => maxPenetration)).toBeLessThanOrEqual(1e-9)
    }
    const audits = runs.map(({ made }) => worst(made, ({ energy }) => energy.residual))
    expect(audits[0]).toBeLessThan(5e-3)
    for (let k = 1; k < 3; k++) {
      expect(audits[k]).toBeLessThan(audits[k - 1]! / 3)
      expect(runs[k]!.fall).toBeLessThan(runs[k - 1]!.fall / 1.5)
    }
    expect(runs[2]!.fall).toBeLessThan(0.05 * runs[2]!.height)
  })
})
