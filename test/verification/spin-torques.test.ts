/** Torsional and rolling friction: recorded moments are those that change the spin, and equal the coefficient times the normal force. */

import { describe, expect, it } from 'vitest'
import { ball, bodyIn, floor, recorded, size, type Recorded } from './support'

const RADIUS = 0.1
const MASS = 1000 * 4 / 3 * Math.PI * RADIUS ** 3
const INERTIA = 0.4 * MASS * RADIUS * RADIUS
const WEIGHT = MASS * 9.81

function run(method: string, friction: object, state: object, rest: object = {}, duration = 0.5): Recorded {
  const made = recorded({
    format: 'cairn-scene', version: 1, materials: [{ id: 'stone', density: 1000, friction: { static: 0.5, dynamic: 0.5, ...friction } }],
    bodies: [floor, ball('ball', RADIUS, [0, 0, RADIUS], state)], simulation: { method, duration, outputRate: 100, timeStepping: { step: 0.01 } }, ...rest,
  })
  expect(made.end.status).toBe('completed')
  return made
}

const torqueAt = (made: Recorded, frame: number): number[] => [...made.contacts[frame]!.frictionTorque.subarray(0, 3)].map(value => (made.contacts[frame]!.bodyA[0] === 1 ? value : -value))

describe.each(['event-driven', 'time-stepping'])('%s', method => {
  it('a ball that spins in place is decelerated by its torsional friction, and then rests', () => {
    const coefficient = 0.002
    const made = run(method, { torsional: coefficient }, { angularVelocity: [0, 0, 1.5] })
    const rate = coefficient * WEIGHT / INERTIA
    const stop = 1.5 / rate
    expect(stop).toBeLessThan(0.4)
    for (const [k, frame] of made.frames.entries()) {
      if (k === 0) continue
      // In the step in which the spin ends, friction only removes the remaining spin.
      const spinning = frame.time < stop
      if (Math.abs(frame.time - stop) < 0.02) continue
      expect(Math.abs(bodyIn(made, 'ball', frame).angularVelocity[2]! - (spinning ? 1.5 - rate * frame.time : 0))).toBeLessThanOrEqual(1e-9)
      const torque = torqueAt(made, k)
      expect(Math.abs(torque[2]! - (spinning ? -coefficient * WEIGHT : 0))).toBeLessThanOrEqual(1e-8)
      expect(size(torque.slice(0, 2))).toBeLessThanOrEqual(1e-12)
    }
  })

  it('an impact on a ball that spins in place brakes it at once: coefficient × impulse, and after it by the weight of both', () => {
    const coefficient = 0.002
    const height = 0.05
    const made = run(method, { torsional: coefficient }, { angularVelocity: [0, 0, 6] }, {
      bodies: [
        floor, ball('ball', RADIUS, [0, 0, RADIUS], { angularVelocity: [0, 0, 6] }),
        { id: 'above', position: [0, 0, 3 * RADIUS + height], shapes: [{ type: 'sphere', radius: RADIUS, material: 'smooth' }] },
      ],
      materials: [
        { id: 'stone', density: 1000, friction: { static: 0.5, dynamic: 0.5, torsional: coefficient } }, { id: 'smooth', density: 1000, friction: { static: 0, dynamic: 0 } },
      ],
      materialPairs: [{ materials: ['stone', 'smooth'], friction: { static: 0, dynamic: 0 } }],
    }, 0.3)
    const rate = coefficient * WEIGHT / INERTIA
    const fall = Math.sqrt(2 * height / 9.81)
    const lost = coefficient * MASS * 9.81 * fall / INERTIA
    const within = method === 'event-driven' ? 1e-8 : 2e-3
    let after = 0
    for (const frame of made.frames) {
      const { angularVelocity } = bodyIn(made, 'ball', frame)
      if (Math.abs(frame.time - fall) < 0.02) continue
      if (frame.time > fall) after++
      const expected = frame.time < fall ? 6 - rate * frame.time : 6 - rate * fall - lost - 2 * rate * (frame.time - fall)
      expect(Math.abs(angularVelocity[2]! - expected)).toBeLessThanOrEqual(within)
    }
    expect(after).toBeGreaterThan(10)
  })

  it('a torque on a ball at rest is balanced by torsional friction up to its limit', () => {
    const most = 0.002 * WEIGHT
    const twisted = (torque: number) => run(method, { torsional: 0.002 }, {}, { forces: [{ id: 'twist', type: 'torque', body: 'ball', torque: [0, 0, torque] }] }, 0.2)
    const held = twisted(0.9 * most)
    for (let k = 1; k < held.frames.length; k++) expect(Math.abs(torqueAt(held, k)[2]! + 0.9 * most)).toBeLessThanOrEqual(1e-8)
    expect(Math.abs(bodyIn(held, 'ball').angularVelocity[2]!)).toBeLessThanOrEqual(1e-12)
    const turning = twisted(1.5 * most)
    for (let k = 2; k < turning.frames.length; k++) expect(Math.abs(torqueAt(turning, k)[2]! + most)).toBeLessThanOrEqual(1e-8)
    expect(Math.abs(bodyIn(turning, 'ball').angularVelocity[2]! - 0.2 * 0.5 * most / INERTIA)).toBeLessThanOrEqual(1e-7)
  })

  it('rolling friction opposes the direction of rolling, also after the direction has changed', () => {
    // Pushed along x until it rolls, and then along y: the path and the direction of friction turn.
    const coefficient = 0.001
    const made = run(method, { rolling: coefficient }, {}, {
      forces: [{
        id: 'push', type: 'keyframed', body: 'ball', interpolation: 'linear',
        keys: [{ time: 0 }, { time: 0.1, force: [6, 0, 0] }, { time: 0.2, force: [0, 10, 0] }, { time: 1, force: [0, 10, 0] }],
      }],
    }, 0.6)
    let bent = 0
    let least = Infinity
    let most = -Infinity
    for (const [k, frame] of made.frames.entries()) {
      const { angularVelocity: w } = bodyIn(made, 'ball', frame)
      const speed = Math.hypot(w[0]!, w[1]!)
      if (k < 3 || speed < 1) continue
      bent++
      const angle = Math.atan2(w[1]!, w[0]!)
      least = Math.min(least, angle)
      most = Math.max(most, angle)
      const torque = torqueAt(made, k)
      expect(Math.abs(size(torque.slice(0, 2)) - coefficient * WEIGHT)).toBeLessThanOrEqual(1e-8)
      // The moment in a step opposes the rotation in this step, which has already moved the ball.
      const moved = bodyIn(made, 'ball', frame).position.map((value, i) => value - bodyIn(made, 'ball', made.frames[k - 1]!).position[i]!)
      const [x, y] = method === 'event-driven' ? [w[0]!, w[1]!] : [-moved[1]!, moved[0]!]
      expect((torque[0]! * x + torque[1]! * y) / (coefficient * WEIGHT * Math.hypot(x, y))).toBeLessThanOrEqual(-1 + 1e-6)
    }
    expect(bent).toBeGreaterThan(20)
    expect(most - least).toBeGreaterThan(0.5)
  })
})
