/** Known answers of the time-stepping method at a step of 1/240 s. */

import { bodyIn, contactForceOn, indexOf, size, type BodyState, type Recorded } from '../support'
import { absolute, furthest, relative, verdict, type Comparison, type VerificationCase } from './case'
import { acceleration, moved } from './incline'

const g = 9.81
const h = 1 / 240
const slope = 20 * Math.PI / 180

/** What is iterated is found to a tenth of the gap that contacts are solved for. */
const certificate = { complementarity: 1e-6 }
const simulation = { timeStepping: { step: h, contactModel: 'standard' } }
const known = (title: string, scene: string, compare: (run: Recorded) => readonly Comparison[], settings: object = {}): VerificationCase =>
  ({ title, scene, method: 'time-stepping', simulation: { ...simulation, ...settings }, certificate, compare })

/** Of a rod's axis (local z) above the floor, in the x-z plane. */
function inclination({ orientation: [, y, , w] }: BodyState): number {
  return Math.abs(Math.PI / 2 - Math.abs(2 * Math.atan2(y!, w!)))
}

/** Largest |E − E₀| ÷ (largest kinetic energy + largest change of the potential one). */
function energyKept(run: Recorded, tolerance: number): Comparison {
  const energies = run.certificates.map(({ energy }) => energy)
  const first = energies[0]!.kinetic + energies[0]!.potential
  const scale = Math.max(...energies.map(e => e.kinetic)) + Math.max(...energies.map(e => Math.abs(e.potential - energies[0]!.potential)))
  return furthest('energy, relative', energies.map(e => [0, e.kinetic + e.potential - first] as const), tolerance, scale)
}

function standing(run: Recorded, weight: number): Comparison[] {
  return [
    furthest('force on the ground, after the first tenth of a second', run.contacts.filter(({ time }) => time > 0.1).map(contacts =>
      [weight, size(contactForceOn(contacts, indexOf(run, 'ground')).normal)] as const), 1e-6, weight),
    furthest('drift, m', run.end.status === 'completed' ? run.frames[0]!.bodies.map((_, i) => i).filter(i => i % 13 === 2)
      .reduce<[number, number][]>((list, i) => [...list, [run.frames[0]!.bodies[i]!, run.frames.at(-1)!.bodies[i]!]], []) : [], 1e-7),
  ]
}

export const cases: readonly VerificationCase[] = [
  known('sphere, cylinder and hoop rolling down', 'rolling-down', run => [['sphere', 5 / 7], ['cylinder', 2 / 3], ['hoop', 1 / 2]].map(([id, share]) =>
    relative(`acceleration of the ${id}`, (share as number) * g * Math.sin(slope), acceleration(run, id as string), 1e-6))),
  known('sliding ball starts to roll', 'sliding-ball-rolls', run => [
    relative('speed 5v₀/7, m/s', 15 / 7, size(bodyIn(run, 'ball').linearVelocity), 1e-6),
    absolute('time 2v₀/7μg, s', 6 / (7 * 0.2 * g), run.events.find(event => event.kind === 'stick')!.time, 2 * h),
  ]),
  known('block on an incline steeper than tan⁻¹ μ', 'block-sliding-down', run => {
    const sliding = g * (Math.sin(slope) - 0.2 * Math.cos(slope))
    return [furthest('acceleration g (sin θ − μ cos θ), 8 ways round', [1, 2, 3, 4, 5, 6, 7, 8].map(k =>
      [sliding, acceleration(run, `block-${k}`)] as const), 1e-6, sliding)]
  }),
  known('static and dynamic friction differ', 'static-and-dynamic-friction', run => [
    absolute('drift of the resting block, m', 0, moved(run, 'resting'), 2e-9),
    relative('speed of the sliding one', 0.1 + g * (Math.sin(22 * Math.PI / 180) - 0.3 * Math.cos(22 * Math.PI / 180)),
      size(bodyIn(run, 'sliding').linearVelocity), 1e-6),
  ]),
  known('push at 45° to the axes of friction', 'push-at-45-degrees', run => ['box-1', 'box-2', 'box-3'].map((id, k) =>
    relative(`acceleration at ${[0, 45, 57.3][k]}°`, 6 - 0.3 * g, acceleration(run, id), 1e-6))),
  known('sliding block decelerates to a stop', 'sliding-block-stops', run => [
    absolute('stop time v₀/μg, s', 2 / (0.3 * g), run.events.find(event => event.kind === 'stick')!.time, 2 * h),
    relative('distance v₀²/2μg, m', 4 / (0.6 * g), size(bodyIn(run, 'block').position.slice(0, 2)), 2e-2),
  ]),
  known('free asymmetric top', 'free-asymmetric-top', run => [energyKept(run, 1e-4)], { duration: 20 }),
  known('heavy symmetric top', 'heavy-symmetric-top', run => {
    const [m, l, I3, theta, spin] = [0.5, 0.08, 4e-4, 0.5, 300]
    const I1 = 5e-4 + m * l * l
    const rate = (I3 * spin - Math.sqrt((I3 * spin) ** 2 - 4 * I1 * m * g * l * Math.cos(theta))) / (2 * I1 * Math.cos(theta))
    return [furthest('centre ÷ l on its circle', run.frames.flatMap(frame => {
      const { position } = bodyIn(run, 'top', frame)
      const expected = [Math.sin(theta) * Math.cos(rate * frame.time), Math.sin(theta) * Math.sin(rate * frame.time), Math.cos(theta)]
      return expected.map((x, k) => [x, position[k]! / l] as const)
    }), 2e-2)]
  }),
  known('physical pendulum', 'physical-pendulum', run => [energyKept(run, 5e-3)]),
  known('double pendulum', 'double-pendulum', run => [energyKept(run, 5e-3)]),
  known('falling rod', 'falling-rod', run => {
    const start = 70 * Math.PI / 180
    const states = run.frames.map(frame => ({ time: frame.time, state: bodyIn(run, 'rod', frame) })).filter(({ time }) => time > 0.3)
    return [
      furthest('θ̇² = 2g (sin θ₀ − sin θ)/(⅓ + cos² θ), relative, from 0.3 s', states.map(({ state }) => {
        const theta = inclination(state)
        return [1, state.angularVelocity[1]! ** 2 * (1 / 3 + Math.cos(theta) ** 2) / (2 * g * (Math.sin(start) - Math.sin(theta)))] as const
      }), 3e-2),
      furthest('centre sideways, m', states.map(({ state }) => [0, state.position[0]!] as const), 1e-9),
    ]
  }),
  known('three equal balls, simultaneous impact', 'three-balls-simultaneous', run => [-1 / 3, 2 / 3, 2 / 3].map((value, k) =>
    absolute(`speed of ball ${k + 1}, m/s`, value, bodyIn(run, `ball-${k + 1}`).linearVelocity[0]!, 1e-6))),
  known('chair on four legs', 'chair', run => [furthest('force of each leg, m g/4', run.contacts.flatMap(contacts =>
    [...contacts.normalForce].map(force => [g, force] as const)), 1e-8, 4 * g)]),
  known('stack of 10', 'stack-of-10', run => standing(run, 10_000 * g), { duration: 0.5 }),
  known('mass ratio 1:1000', 'mass-ratio-1000', run => standing(run, 1001 * g), { duration: 0.5 }),
  known('block tipping at tan θ = width ÷ height', 'block-tipping', run => [
    verdict('the block 1e-6 rad too wide', 'stands', size(bodyIn(run, 'wide').angularVelocity) < 1e-9 ? 'stands' : 'tips'),
  ]),
]
