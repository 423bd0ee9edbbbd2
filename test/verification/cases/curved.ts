import { bodyIn } from '../support'
import { furthest, relative, type VerificationCase } from './case'

const g = 9.81
const [a, c] = [1, 0.5]

export const cases: readonly VerificationCase[] = [
  {
    title: 'ellipsoid rocking on a plane', scene: 'rocking-ellipsoid', method: 'event-driven',
    compare: run => [furthest('centre sideways, m', run.frames.map(frame => [0, bodyIn(run, 'ellipsoid', frame).position[0]!] as const), 1e-12)],
  },
  {
    title: 'ellipsoid rocking slightly', scene: 'rocking-ellipsoid-slightly', method: 'event-driven',
    compare: run => {
      const period = 2 * Math.PI * Math.sqrt(c * (a * a + c * c) / (5 * g * (a * a - c * c)))
      const rate = 2 * Math.PI / period
      // Phase of tilt = A cos φ, tilt rate = −A Ω sin φ, and how often it has gone round; the period grows by about A² ≈ 4e-8 of itself.
      const { orientation, angularVelocity } = bodyIn(run, 'ellipsoid')
      const phase = Math.atan2(-angularVelocity[1]! / rate, 2 * orientation[1]!)
      const { time } = run.frames.at(-1)!
      const turns = Math.round((rate * time - phase) / (2 * Math.PI))
      return [relative('period, s', period, 2 * Math.PI * time / (2 * Math.PI * turns + phase), 1e-7)]
    },
  },
]
