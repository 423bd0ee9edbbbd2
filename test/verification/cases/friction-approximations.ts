import { bodyAt, bodyIn, contactForceOn, indexOf, size, type Recorded } from '../support'
import { absolute, furthest, relative, verdict, type VerificationCase } from './case'
import { moved } from './incline'

const g = 9.81
const slope = 20 * Math.PI / 180
const blocks = [1, 2, 3, 4, 5, 6, 7, 8].map(k => `block-${k}`)

const by = (staticFriction: string) => ({ eventDriven: { staticFriction } })
/** × μ f_N: excess of a pyramid over the cone at its edges. */
const EDGES = Math.SQRT2 - 1

/** The run states its friction law in its header, its warnings and its events. */
const labelled = (law: string, run: Recorded) => verdict(
  'law named by the run', `${law} approximated approximated`,
  [run.header.staticFriction, ...[...run.end.warnings.slice(0, 1), run.events.find(event => event.kind === 'warning')?.message ?? '']
    .map(text => /is approximated/.test(text) ? 'approximated' : text)].join(' '))

const rests = (law: string): VerificationCase => ({
  title: `static friction by ${law}: a block less steep than tan⁻¹ μ`, scene: 'block-at-rest', method: 'event-driven', simulation: by(law), certificate: { cone: EDGES },
  compare: run => [furthest('drift, m', blocks.map(id => [0, moved(run, id)] as const), 1e-12), labelled(law, run)],
})

const pyramid = (law: string): VerificationCase => ({
  title: `static friction by ${law}: pushed along and across the axes`, scene: 'friction-pyramid', method: 'event-driven', simulation: by(law), certificate: { cone: EDGES },
  compare: run => [
    relative('acceleration along an axis, 1.2 μg − μg', 1, size(bodyIn(run, 'along').linearVelocity) / 0.5, 1e-9),
    absolute('drift at 45° with 1.2 μmg, m', 0, moved(run, 'across'), 1e-12),
    absolute('drift at 45° with 1.41 μmg < √2 μmg, m', 0, moved(run, 'almost'), 1e-12),
    verdict('at 45° with 1.42 μmg', 'slides', moved(run, 'beyond') > 0.1 ? 'slides' : 'stays'),
    relative('friction of the third, 1.41 μmg, N', 1.41 * 0.5 * 1000, size(contactForceOn(run.contacts.at(-1)!, indexOf(run, 'almost')).friction), 1e-9),
    verdict('friction used of the third, by its law', 'at most 100 %', used(run, 'almost') <= 1 + 1e-9 ? 'at most 100 %' : 'more'),
  ],
})

/** Greatest share of the law's friction used by a body's contacts in the last frame. */
function used(run: Recorded, id: string): number {
  const contacts = run.contacts.at(-1)!
  return Math.max(...[...contacts.coneUsage].filter((_, k) => contacts.bodyA[k] === indexOf(run, id)))
}

const step = 1e-3
/** Σ of the normal forces at the beginnings of the steps before, times the step: the impulse of friction by Lötstedt's law after a second, ÷ μ, N s. */
const lateImpulse = 10 + 20 * step * step * (1000 - 1) * (1000 - 2) / 2

/** Below ε the block approaches its creep speed with this time constant, s. */
const relaxation = 0.01 / (0.5 * g * Math.cos(slope))
const creep = 0.01 * Math.tan(slope) / 0.5

export const cases: readonly VerificationCase[] = [
  rests('lotstedt'), rests('sign-guess'), pyramid('lotstedt'), pyramid('sign-guess'),
  {
    title: 'static friction by lotstedt: friction is one step late', scene: 'friction-lagging-one-step', method: 'event-driven', certificate: { cone: 1e-3 },
    compare: run => [
      relative('speed after 1 s, m/s', 20 - 0.5 * lateImpulse, bodyIn(run, 'block').linearVelocity[0]!, 1e-9),
      furthest('friction μ f_N(t − step), N', run.contacts.slice(1).map(contacts =>
        [0.5 * (10 + 20 * (contacts.time - step)), size(contactForceOn(contacts, 1).friction)] as const), 1e-9, 15),
      furthest('friction used', run.contacts.slice(1, -1).flatMap(contacts => [...contacts.coneUsage].map(value => [1, value] as const)), 1e-9),
      labelled('lotstedt', run),
    ],
  },
  {
    title: 'static friction by lotstedt: sliding block decelerates to a stop', scene: 'sliding-block-stops', method: 'event-driven', simulation: by('lotstedt'),
    compare: run => [relative('stop time v₀/μg, s', 2 / (0.3 * g), run.events.find(event => event.kind === 'stick')!.time, 1e-9)],
  },
  {
    title: 'static friction by lotstedt: the inconsistent rod has forces', scene: 'rod-inconsistent', method: 'event-driven', simulation: by('lotstedt'),
    certificate: { cone: Infinity },
    compare: run => [
      absolute('impulses for want of forces', 0, run.events.filter(event => event.kind === 'inconsistent').length, 0),
      verdict('first bounds', 'do not settle', run.end.warnings.some(text => /did not converge/.test(text)) ? 'do not settle' : 'settle'),
    ],
  },
  {
    title: 'static friction by crawl: a block creeps', scene: 'friction-crawling', method: 'event-driven',
    compare: run => [
      relative('creep speed ε tan θ/μ, m/s', creep, bodyIn(run, 'block').linearVelocity[0]!, 1e-8),
      relative('way, m', creep * (1 - relaxation), bodyIn(run, 'block').position[0]!, 1e-8),
      furthest('friction used, tan θ/μ', [...run.contacts.at(-1)!.coneUsage].map(value => [Math.tan(slope) / 0.5, value] as const), 1e-8),
      labelled('crawl', run),
    ],
  },
  {
    title: 'static friction by crawl: sliding block slows to a crawl', scene: 'sliding-block-stops', method: 'event-driven',
    simulation: { eventDriven: { staticFriction: 'crawl', crawlSpeed: 0.05 } },
    compare: run => [
      relative('time at which it crawls, (v₀ − ε)/μg, s', 1.95 / (0.3 * g), run.events.find(event => event.kind === 'stick')!.time, 1e-9),
      // From there on v = ε exp(−μ g t/ε): the remaining distance is ε²/μg.
      relative('distance, m', (4 + 0.05 * 0.05) / (0.6 * g), size(bodyIn(run, 'block').position.slice(0, 2)), 1e-8),
      verdict('mode at the end', 'crawls', size(bodyAt(run.frames.at(-1)!, 1).linearVelocity) < 0.05 ? 'crawls' : 'slides'),
    ],
  },
]
