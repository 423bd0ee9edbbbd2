import { bodyIn, type BodyState, type Recorded } from '../support'
import { integral } from '../integrals'
import { absolute, furthest, relative, type VerificationCase } from './case'

const g = 9.81

/** Angle of the rod's axis (local z) above the floor, in the x-z plane. */
function inclination({ orientation: [, y, , w] }: BodyState): number {
  return Math.abs(Math.PI / 2 - Math.abs(2 * Math.atan2(y!, w!)))
}

const upright = 70 * Math.PI / 180

/** θ̇² = 2g (sin θ₀ − sin θ)/(⅓ + cos² θ) of the falling rod, expected and recorded, 1/s², in every frame but the first. */
export function rodSpeed(run: Recorded): [number, number][] {
  return run.frames.slice(1).map(frame => {
    const state = bodyIn(run, 'rod', frame)
    const theta = inclination(state)
    return [2 * g * (Math.sin(upright) - Math.sin(theta)) / (1 / 3 + Math.cos(theta) ** 2), state.angularVelocity[1]! ** 2]
  })
}

const leaning = 60 * Math.PI / 180
const leaves = Math.asin(2 / 3 * Math.sin(leaning))

/** s: when the ladder leaves the wall; θ̇² = (3g/2l)(sin θ₀ − sin θ) with l = 1 m, and θ = θ₀ − u² removes the singularity of dθ/θ̇. */
export const ladderLeaves = integral(u => u === 0 ? 2 / Math.sqrt(1.5 * g * Math.cos(leaning))
  : 2 * u / Math.sqrt(1.5 * g * (Math.sin(leaning) - Math.sin(leaning - u * u))), 0, Math.sqrt(leaning - leaves))

/** 1/s²: θ̇² of the ladder by this formula, and as recorded, in every frame before `time` but the first. */
export function ladder(run: Recorded, time: number): [number, number][] {
  return run.frames.slice(1).filter(frame => frame.time < time).map(frame => {
    const state = bodyIn(run, 'ladder', frame)
    return [1.5 * g * (Math.sin(leaning) - Math.sin(inclination(state))), state.angularVelocity[1]! ** 2]
  })
}

export const cases: readonly VerificationCase[] = [
  {
    title: 'falling rod', scene: 'falling-rod', method: 'event-driven',
    compare: run => [
      furthest('θ̇² = 2g (sin θ₀ − sin θ)/(⅓ + cos² θ), relative', rodSpeed(run).map(([expected, got]) => [1, got / expected] as const), 1e-8),
      furthest('centre sideways, m', run.frames.slice(1).map(frame => [0, bodyIn(run, 'rod', frame).position[0]!] as const), 1e-12),
      absolute('at 0.6 s θ < 30°', 1, Number(inclination(bodyIn(run, 'rod')) < 30 * Math.PI / 180), 0),
    ],
  },
  {
    title: 'falling ladder', scene: 'falling-ladder', method: 'event-driven',
    compare: run => [
      relative('leaves the wall at sin θ = ⅔ sin θ₀: time, s', ladderLeaves, run.events.find(event => event.kind === 'release')!.time, 1e-7),
      furthest('θ̇² until then, relative', ladder(run, ladderLeaves).map(([expected, got]) => [1, got / expected] as const), 1e-7),
    ],
  },
]
