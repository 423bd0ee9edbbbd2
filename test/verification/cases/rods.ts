import { bodyIn, type BodyState } from '../support'
import { integral } from '../integrals'
import { absolute, furthest, relative, type VerificationCase } from './case'

const g = 9.81

/** Of the rod's axis (local z) above the floor, in the x-z plane. */
function inclination({ orientation: [, y, , w] }: BodyState): number {
  return Math.abs(Math.PI / 2 - Math.abs(2 * Math.atan2(y!, w!)))
}

const ladder = 60 * Math.PI / 180
const leaves = Math.asin(2 / 3 * Math.sin(ladder))

export const cases: readonly VerificationCase[] = [
  {
    title: 'falling rod', scene: 'falling-rod', method: 'event-driven',
    compare: run => {
      const start = 70 * Math.PI / 180
      const states = run.frames.slice(1).map(frame => bodyIn(run, 'rod', frame))
      return [
        furthest('θ̇² = 2g (sin θ₀ − sin θ)/(⅓ + cos² θ), relative', states.map(state => {
          const theta = inclination(state)
          return [1, state.angularVelocity[1]! ** 2 * (1 / 3 + Math.cos(theta) ** 2) / (2 * g * (Math.sin(start) - Math.sin(theta)))] as const
        }), 1e-8),
        furthest('centre sideways, m', states.map(state => [0, state.position[0]!] as const), 1e-12),
        absolute('at 0.6 s θ < 30°', 1, Number(inclination(states.at(-1)!) < 30 * Math.PI / 180), 0),
      ]
    },
  },
  {
    title: 'falling ladder', scene: 'falling-ladder', method: 'event-driven',
    compare: run => {
      // θ̇² = (3g/2l)(sin θ₀ − sin θ) with l = 1 m; θ = θ₀ − u² takes the singularity of dθ/θ̇ away.
      const time = integral(u => u === 0 ? 2 / Math.sqrt(1.5 * g * Math.cos(ladder))
        : 2 * u / Math.sqrt(1.5 * g * (Math.sin(ladder) - Math.sin(ladder - u * u))), 0, Math.sqrt(ladder - leaves))
      return [
        relative('leaves the wall at sin θ = ⅔ sin θ₀: time, s', time, run.events.find(event => event.kind === 'release')!.time, 1e-7),
        furthest('θ̇² until then, relative', run.frames.slice(1).filter(frame => frame.time < time).map(frame => {
          const state = bodyIn(run, 'ladder', frame)
          return [1, state.angularVelocity[1]! ** 2 / (1.5 * g * (Math.sin(ladder) - Math.sin(inclination(state))))] as const
        }), 1e-7),
      ]
    },
  },
]
