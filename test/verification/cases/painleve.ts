import { bodyIn, indexOf, type Recorded } from '../support'
import { absolute, relative, verdict, type Comparison, type VerificationCase } from './case'

const g = 9.81
const angle = 72 * Math.PI / 180
/** 16 (cos² θ − μ cos θ sin θ) = −2 [Baraff92 fig. 10.1]; for I = m/8 the coefficient beyond which no force supports a rod without rotation. */
const mu = (Math.cos(angle) ** 2 + 1 / 8) / (Math.sin(angle) * Math.cos(angle))
const spin = Math.sqrt((1 + g) / Math.sin(angle))

const happened = (run: Recorded, kind: string): string => run.events.some(event => event.kind === kind && event.time === 0) ? 'yes' : 'no'

/** N: normal force of a body's only contact in the first frame; 0 if it has separated. */
function force(run: Recorded, id: string): number {
  const contacts = run.contacts[0]!
  const body = indexOf(run, id)
  for (let i = 0; i < contacts.count; i++) if ([contacts.bodyA[i], contacts.bodyB[i]].includes(body)) return contacts.normalForce[i]!
  return 0
}

/** Speed along x of the lower end of the rod in the first frame, m/s. */
function slip(run: Recorded): number {
  const { linearVelocity: v, angularVelocity: w } = bodyIn(run, 'rod', run.frames[0])
  return v[0]! - w[1]! * Math.sin(angle)
}

const jams = (run: Recorded): Comparison[] => [verdict('forces exist at t = 0', 'no', happened(run, 'inconsistent') === 'yes' ? 'no' : 'yes')]
const holds = (run: Recorded): Comparison[] => [verdict('forces exist at t = 0', 'yes', happened(run, 'inconsistent') === 'yes' ? 'no' : 'yes')]

export const cases: readonly VerificationCase[] = [
  {
    title: 'rod slides consistently, I = m/8 and μ = 0.7', scene: 'painleve-consistent', method: 'event-driven',
    compare: run => [
      absolute('critical μ', 0.75025, mu, 5e-6),
      ...holds(run),
      relative('normal force, N', g / (1 + 8 * Math.cos(angle) * (Math.cos(angle) - 0.7 * Math.sin(angle))), force(run, 'rod'), 1e-9),
      relative('friction used', 1, run.contacts[0]!.coneUsage[0]!, 1e-10),
    ],
  },
  {
    title: 'rod of fig. 10.2, indeterminate: it parts', scene: 'rod-indeterminate', method: 'event-driven',
    compare: run => {
      const event = run.events.find(one => one.kind === 'indeterminate')
      const [part, hold] = event?.solutions.map(contacts => contacts.normalForce[0]!) ?? []
      return [
        absolute('solutions at t = 0', 2, event?.solutions.length ?? 0, 0), absolute('force of the first, N', 0, part ?? NaN, 1e-12),
        absolute('force of the second, N: m', 1, hold ?? NaN, 1e-12), absolute('force with which the run goes on, N', 0, force(run, 'rod'), 1e-12),
        absolute('spin, rad/s', spin, bodyIn(run, 'rod', run.frames[0]).angularVelocity[1]!, 1e-12),
      ]
    },
  },
  {
    // The event's number is one more than that of the restart at t = 0.
    title: 'rod of fig. 10.2, the other branch: it holds', scene: 'rod-indeterminate', method: 'event-driven', simulation: { branch: [{ event: 1, solution: 1 }], duration: 0.001 },
    compare: run => [absolute('force with which the run goes on, N: m', 1, force(run, 'rod'), 1e-12)],
  },
  {
    title: 'rod of fig. 10.3a, inconsistent', scene: 'rod-inconsistent', method: 'event-driven',
    compare: run => [
      ...jams(run), absolute('slip of the tip right after, m/s', 0, slip(run), 1e-12),
      verdict('the impulse loses energy', 'yes', run.events.some(event => event.kind === 'inconsistent' && event.energyLoss > 0) ? 'yes' : 'no'),
    ],
  },
  {
    title: 'rod of fig. 10.3b skims without gravity', scene: 'rod-skimming', method: 'event-driven',
    compare: run => [
      ...holds(run), absolute('force, N', 0, force(run, 'rod'), 1e-12), absolute('speed after 0.5 s, m/s', -1, bodyIn(run, 'rod').linearVelocity[0]!, 1e-12),
    ],
  },
  {
    title: 'fig. 11.2: block between rods, nothing pushes', scene: 'block-between-rods', method: 'event-driven',
    compare: run => [...holds(run), absolute('force of E1, N', 0, force(run, 'E1'), 1e-12), absolute('force of E2, N', 0, force(run, 'E2'), 1e-12)],
  },
  { title: 'fig. 11.2: block between rods, pushed', scene: 'block-between-rods-pushed', method: 'event-driven', compare: jams },
  {
    title: 'fig. 11.3: subset of 2, 3, 7, 11 that sums to 12', scene: 'subset-sum', method: 'event-driven',
    // The rods keep falling, and force balance is lost right after t = 0. Frames state the residual until the restart that detects it.
    certificate: { complementarity: 1e-5 },
    compare: run => [
      ...holds(run),
      ...[2, 3, 7, 0].map((expected, k) => absolute(`force of R${k + 1}, N`, expected, force(run, `R${k + 1}`), 1e-9)),
      absolute('force of E1, N', 0, force(run, 'E1'), 1e-9), absolute('force of E2, N', 0, force(run, 'E2'), 1e-9),
    ],
  },
  { title: 'fig. 11.3: none that sums to 6', scene: 'subset-sum-without', method: 'event-driven', compare: jams },
  {
    title: 'fig. 12.4: rod that must part', scene: 'one-way-out', method: 'event-driven',
    compare: run => [...holds(run), absolute('force of R1, N', 0, force(run, 'R1'), 1e-9), absolute('force of E1, N', 0, force(run, 'E1'), 1e-9)],
  },
]
