/** Joint errors decay as prescribed by the feedback [PBM01-F §2]: C̈ + k_d Ċ + k_s C = 0. */

import { describe, expect, it } from 'vitest'
import { bodyAt, ball, recorded, sceneOf, worst } from './support'

/** C and Ċ of C̈ + 2 δ Ċ + k C = 0 from C = 0 and a rate. */
function returned(k: number, d: number, rate: number, t: number): number {
  const square = k - d * d / 4
  if (square > 0) return rate * Math.exp(-d * t / 2) * Math.sin(Math.sqrt(square) * t) / Math.sqrt(square)
  if (square === 0) return rate * t * Math.exp(-d * t / 2)
  return rate * Math.exp(-d * t / 2) * Math.sinh(Math.sqrt(-square) * t) / Math.sqrt(-square)
}

/** A bob that swings on a distance joint, with an initial velocity along it. */
const swing = (feedback: object | undefined) => recorded(sceneOf([ball('bob', 0.1, [1, 0, 0], { linearVelocity: [0.3, 0, -1] })], 0, {
  method: 'event-driven', duration: 2, outputRate: 20, eventDriven: { tolerance: 1e-12, ...feedback === undefined ? {} : { jointFeedback: feedback } },
}, { joints: [{ id: 'rod', type: 'distance', bodyA: 'bob', bodyB: null, anchor: [1, 0, 0], anchorB: [0, 0, 0] }] }))

describe('feedback of joints', () => {
  it.each([[100, 20], [100, 4], [50, 30]])('with k_s = %d and k_d = %d a rod that is stretched returns by the closed form', (stiffness, damping) => {
    const run = swing({ stiffness, damping })
    expect(run.end.status).toBe('completed')
    for (const [i, frame] of run.frames.entries()) {
      const expected = returned(stiffness, damping, 0.3, frame.time)
      expect(Math.abs(Math.hypot(...bodyAt(frame, 0).position) - 1 - expected)).toBeLessThanOrEqual(1e-6)
      // The initial error is reported and not removed.
      expect(Math.abs(run.joints[i]!.error[0]! - Math.abs(expected))).toBeLessThanOrEqual(1e-6)
    }
    expect(worst(run, certificate => certificate.energy.residual)).toBeLessThanOrEqual(1e-8)
  })

  it('without it the rod keeps its length', () => {
    for (const frame of swing(undefined).frames) expect(Math.abs(Math.hypot(...bodyAt(frame, 0).position) - 1)).toBeLessThanOrEqual(1e-9)
  })
})
