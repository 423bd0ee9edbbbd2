import { CONTACT_MODES } from '../../../core/vocabulary'
import { bodyIn, indexOf, size, type Recorded } from '../support'
import { relative, verdict, type VerificationCase } from './case'
import { acceleration } from './incline'

const g = 9.81
const slope = 20 * Math.PI / 180

/** Mode of a body's contact in the last frame. */
function modeOf(run: Recorded, id: string): string {
  const contacts = run.contacts.at(-1)!
  return CONTACT_MODES[contacts.mode[contacts.bodyA.indexOf(indexOf(run, id))]!]!
}

export const cases: readonly VerificationCase[] = [
  {
    title: 'sphere, cylinder and hoop rolling down', scene: 'rolling-down', method: 'event-driven',
    compare: run => [['sphere', 5 / 7], ['cylinder', 2 / 3], ['hoop', 1 / 2]].map(([id, share]) =>
      relative(`acceleration of the ${id}`, (share as number) * g * Math.sin(slope), acceleration(run, id as string), 1e-8)),
  },
  {
    title: 'sphere rolls until tan θ = 7μ/2', scene: 'rolling-or-slipping', method: 'event-driven',
    compare: run => [
      verdict('mode with μ 1e-6 above 2/7 tan θ', 'rolling', modeOf(run, 'rolls')),
      verdict('mode with μ 1e-6 below', 'sliding', modeOf(run, 'slips')),
      relative('acceleration of the first', 5 / 7 * g * Math.sin(slope), acceleration(run, 'rolls'), 1e-8),
      relative('acceleration with μ = 0.05', g * (Math.sin(slope) - 0.05 * Math.cos(slope)), acceleration(run, 'slides'), 1e-8),
    ],
  },
  {
    title: 'sliding ball starts to roll', scene: 'sliding-ball-rolls', method: 'event-driven',
    compare: run => [
      relative('time 2v₀/7μg, s', 6 / (7 * 0.2 * g), run.events.find(event => event.kind === 'stick')!.time, 1e-8),
      relative('speed 5v₀/7, m/s', 15 / 7, size(bodyIn(run, 'ball').linearVelocity), 1e-8),
    ],
  },
]
