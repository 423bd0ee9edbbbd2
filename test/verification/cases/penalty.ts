import { bodyIn, size, type Recorded } from '../support'
import { absolute, furthest, relative, type VerificationCase } from './case'

const g = 9.81

/** Time at which the lower end of the rod stops sliding, s, and the largest overlap until then, m. */
function stop(run: Recorded): { time: number; depth: number } {
  const at = run.frames.findIndex(frame => {
    const { linearVelocity: v, angularVelocity: w, orientation } = bodyIn(run, 'rod', frame)
    return v[0]! - w[1]! * Math.cos(2 * Math.asin(orientation[1]!)) >= -1e-3
  })
  return { time: run.frames[at]?.time ?? Infinity, depth: Math.max(...run.certificates.slice(0, at + 1).map(c => c.maxPenetration)) }
}

/**
 * [Baraff92 §12.1] Under the jamming rod d̈ = K d/m + g: overlap and friction amplify each other until slip ends. That takes a time of the order √(m/K), and
 * the depth is at most this time × the speed. So as K → ∞ the rod is stopped by an impulse, at once and without overlap.
 */
const jams = [1e4, 1e6, 1e8].map((stiffness): VerificationCase => {
  const unit = 1 / Math.sqrt(stiffness)
  return {
    title: `fig. 12.1: rod that jams on springs of ${stiffness.toExponential(0).replace('+', '')} N/m`, scene: 'rod-inconsistent', method: 'penalty',
    simulation: { penalty: { stiffness, damping: 0, step: unit / 100 }, duration: 10 * unit, outputRate: 100 / (10 * unit) },
    certificate: { energy: 1e-6 },
    compare: run => {
      const { time, depth } = stop(run)
      return [
        absolute('its end has stopped within 10 √(m/K): 1 if so', 1, Number(time <= 10 * unit), 0),
        absolute('overlap ≤ ½ v₀ √(m/K): 1 if so', 1, Number(depth <= 0.5 * unit), 0),
        absolute('but > 0', 1, Number(depth > 0.1 * unit), 0),
      ]
    },
  }
})

/** N: force on the rod's lower end in each frame; 0 without contact. */
function forces(run: Recorded): number[] {
  return run.contacts.map(({ count, normalForce }) => count === 0 ? 0 : normalForce[0]!)
}

/**
 * [Baraff92 §12.2] Of the indeterminate rod, d̈ = K d/m − 1 with d the overlap: springs choose by what overlap there is to begin with.
 * At d = m/K the force is m, and stays there for a few √(m/K), for as long as the equilibrium that it is lasts.
 */
const chooses: readonly VerificationCase[] = [
  {
    title: 'fig. 12.2: rod that may hold, on springs without overlap', scene: 'rod-indeterminate', method: 'penalty',
    simulation: { penalty: { stiffness: 1e8, damping: 0, step: 1e-6 }, duration: 2e-4, outputRate: 1e5 }, certificate: { energy: 1e-6 },
    compare: run => [
      furthest('force, N', forces(run).map(f => [0, f] as const), 1e-3),
      absolute('overlap at the end, m', 0, run.certificates.at(-1)!.maxPenetration, 0),
    ],
  },
  {
    title: 'fig. 12.3: rod that may hold, on springs that overlap by m/K', scene: 'rod-indeterminate-overlapping', method: 'penalty', certificate: { energy: 1e-6 },
    compare: run => [
      furthest('force, N', forces(run).map(f => [1, f] as const), 2e-2),
      furthest('overlap m/K, m', run.certificates.map(c => [1e-8, c.maxPenetration] as const), 2e-10),
    ],
  },
]

/** Torsional and rolling friction of balls of R = 0.5 m on penalty springs follow the laws of the exact methods after a second. */
const spins: readonly VerificationCase[] = [
  {
    title: 'spinning ball slowed by torsional friction, on springs', scene: 'spinning-ball-stops', method: 'penalty',
    simulation: { penalty: { stiffness: 1e7, damping: 1e4, step: 2e-4 }, duration: 1 }, certificate: { energy: 1e-3 },
    compare: run => [relative('spin ω₀ − μ_t m g t/I, rad/s', 10 - 0.02 * g / (0.4 * 0.25), bodyIn(run, 'ball').angularVelocity[2]!, 1e-3)],
  },
  {
    title: 'rolling ball slowed by rolling friction, on springs', scene: 'rolling-ball-stops', method: 'penalty',
    simulation: { penalty: { stiffness: 1e7, damping: 1e4, step: 2e-4 }, duration: 1 }, certificate: { energy: 1e-3 },
    compare: run => [
      relative('speed v₀ − 5/7 μ_r g t/R, m/s', 2 - 5 / 7 * 0.02 * g / 0.5, bodyIn(run, 'ball').linearVelocity[0]!, 1e-3),
      relative('rolling: ω R, m/s', bodyIn(run, 'ball').linearVelocity[0]!, 0.5 * bodyIn(run, 'ball').angularVelocity[1]!, 1e-3),
      relative('share of rolling friction used', 1, size([...run.contacts.at(-1)!.frictionTorque]) / (run.contacts.at(-1)!.normalForce[0]! * 0.02), 1e-6),
    ],
  },
]

export const cases: readonly VerificationCase[] = [
  ...jams,
  ...chooses,
  ...spins,
  {
    title: 'sliding block that stops, on springs', scene: 'sliding-block-stops', method: 'penalty',
    simulation: { penalty: { stiffness: 1e7, damping: 1e4, step: 1e-4 } }, certificate: { energy: 1e-3 },
    compare: run => [
      relative('distance v₀²/2μg, m', 4 / (0.6 * g), size(bodyIn(run, 'block').position.slice(0, 2)), 1e-3),
      furthest('overlap at the end m g/4K, m', run.certificates.slice(-3).map(c => [200 * g / 4e7, c.maxPenetration] as const), 1e-9),
    ],
  },
]
