import { bodyAt, bodyIn, contactForceOn, indexOf, size, type Recorded } from '../support'
import { absolute, furthest, relative, type VerificationCase } from './case'

const g = 9.81
const slope = 20 * Math.PI / 180
const weight = 1000 * g
const blocks = [1, 2, 3, 4, 5, 6, 7, 8].map(k => `block-${k}`)

/** m: distance of a body from its start. */
export function moved(run: Recorded, id: string): number {
  const [from, to] = [bodyIn(run, id, run.frames[0]).position, bodyIn(run, id).position]
  return size(to.map((x, k) => x - from[k]!))
}

/** m/s² along the path: final speed ÷ time, from rest. */
export function acceleration(run: Recorded, id: string): number {
  return size(bodyIn(run, id).linearVelocity) / run.frames.at(-1)!.time
}

const sliding = g * (Math.sin(slope) - 0.2 * Math.cos(slope))
const steep = 22 * Math.PI / 180
const steeper = Math.atan(0.5) + 1e-3

export const cases: readonly VerificationCase[] = [
  {
    title: 'block on an incline steeper than tan⁻¹ μ', scene: 'block-sliding-down', method: 'event-driven',
    compare: run => [
      furthest('acceleration g (sin θ − μ cos θ), 8 ways round', blocks.map(id => [sliding, acceleration(run, id)] as const), 1e-9, sliding),
      furthest('angular velocity, rad/s', blocks.map(id => [0, size(bodyIn(run, id).angularVelocity)] as const), 1e-9),
    ],
  },
  {
    title: 'block on an incline less steep than tan⁻¹ μ', scene: 'block-at-rest', method: 'event-driven',
    compare: run => [
      furthest('drift, m', blocks.map(id => [0, moved(run, id)] as const), 1e-12),
      furthest('friction m g sin θ', run.contacts.flatMap(contacts =>
        blocks.map(id => [weight * Math.sin(slope), size(contactForceOn(contacts, indexOf(run, id)).friction)] as const)), 1e-9, weight),
      furthest('normal force m g cos θ', run.contacts.flatMap(contacts =>
        blocks.map(id => [weight * Math.cos(slope), size(contactForceOn(contacts, indexOf(run, id)).normal)] as const)), 1e-9, weight),
    ],
  },
  {
    title: 'static and dynamic friction differ', scene: 'static-and-dynamic-friction', method: 'event-driven',
    compare: run => [
      absolute('drift of the resting block, m', 0, moved(run, 'resting'), 1e-12),
      relative('speed of the sliding one', 0.1 + g * (Math.sin(steep) - 0.3 * Math.cos(steep)), size(bodyIn(run, 'sliding').linearVelocity), 1e-9),
    ],
  },
  {
    title: 'block 1e-3 rad below the angle of friction', scene: 'slope-just-below-friction', method: 'event-driven',
    compare: run => [absolute('drift, m', 0, moved(run, 'block'), 1e-12)],
  },
  {
    title: 'block 1e-3 rad above the angle of friction', scene: 'slope-just-above-friction', method: 'event-driven',
    // The difference of two nearly equal forces has their absolute error.
    compare: run => [absolute('acceleration, m/s²', g * (Math.sin(steeper) - 0.5 * Math.cos(steeper)), acceleration(run, 'block'), 1e-9 * g)],
  },
  {
    title: 'push at 45° to the axes of friction', scene: 'push-at-45-degrees', method: 'event-driven',
    compare: run => ['box-1', 'box-2', 'box-3'].map((id, k) => relative(`acceleration at ${[0, 45, 57.3][k]}°`, 6 - 0.3 * g, acceleration(run, id), 1e-10)),
  },
  {
    title: 'sliding block decelerates to a stop', scene: 'sliding-block-stops', method: 'event-driven',
    compare: run => [
      relative('stop time v₀/μg, s', 2 / (0.3 * g), run.events.find(event => event.kind === 'stick')!.time, 1e-9),
      relative('distance v₀²/2μg, m', 4 / (0.6 * g), size(bodyIn(run, 'block').position.slice(0, 2)), 1e-9),
      absolute('speed then, m/s', 0, size(bodyAt(run.frames.at(-1)!, 1).linearVelocity), 1e-12),
    ],
  },
  {
    title: 'block tipping at tan θ = width ÷ height', scene: 'block-tipping', method: 'event-driven',
    compare: run => [
      absolute('turning of the block 1e-6 rad too wide, rad/s', 0, size(bodyIn(run, 'wide').angularVelocity), 1e-12),
      // α = m g (h sin θ − w cos θ)/2 ÷ (m (w² + h²)/3) at the start; it increases later.
      absolute('turns of the one 1e-6 rad too narrow', 1, Number(size(bodyIn(run, 'narrow').angularVelocity) > 1e-7), 0),
    ],
  },
]
