import { bodyIn } from '../support'
import { absolute, relative, verdict, type VerificationCase } from './case'

const g = 9.81
const angle = 72 * Math.PI / 180
const critical = (Math.cos(angle) ** 2 + 1 / 8) / (Math.sin(angle) * Math.cos(angle))

export const cases: readonly VerificationCase[] = [
  {
    title: 'Painlevé\'s rod, consistent', scene: 'painleve-consistent', method: 'event-driven',
    compare: run => [
      absolute('critical μ', 0.75025, critical, 5e-6),
      verdict('inconsistent', 'no', run.events.some(event => event.kind === 'inconsistent') ? 'yes' : 'no'),
      relative('normal force, N', g / (1 + 8 * Math.cos(angle) * (Math.cos(angle) - 0.7 * Math.sin(angle))), run.contacts[0]!.normalForce[0]!, 1e-9),
      relative('friction used', 1, run.contacts[0]!.coneUsage[0]!, 1e-10),
    ],
  },
  {
    title: 'Painlevé\'s rod, inconsistent', scene: 'painleve-inconsistent', method: 'event-driven',
    compare: run => {
      const jam = run.events.find(event => event.kind === 'inconsistent')
      const { linearVelocity: v, angularVelocity: w } = bodyIn(run, 'rod', run.frames[0])
      return [
        absolute('time of the contact impulse, s', 0, jam?.time ?? NaN, 0),
        absolute('slip of the tip right after, m/s', 0, v[0]! - w[1]! * Math.sin(angle), 1e-12),
        absolute('the impulse loses energy', 1, Number(jam !== undefined && jam.energyLoss > 0), 0),
      ]
    },
  },
]
