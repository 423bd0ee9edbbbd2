/** Torsional and rolling friction of contacts, Coulomb friction of ball and universal joints. */

import { bodyAt, bodyIn, indexOf, size, type Recorded } from '../support'
import { absolute, furthest, relative, verdict, type Comparison, type VerificationCase } from './case'
import { acceleration, moved } from './incline'

const g = 9.81
const R = 0.5
const h = 1 / 240
const slope = Math.atan(0.1)

interface Known {
  readonly title: string
  readonly scene: string
  /** Tolerances. `stop`: of a time, s; `law`: relative, of quantities that do not depend on the step; `way`: relative, of a distance. */
  compare(run: Recorded, tolerance: { readonly stop: number; readonly law: number; readonly way: number }): readonly Comparison[]
}

const stopTime = (run: Recorded, what: string): number => run.events.find(event => event.kind === 'stick' && event.message.includes(what))?.time ?? NaN

/** m/s² and rad/s²: rates of change between the second frame and the tenth. */
function rate(run: Recorded, id: string, of: (body: ReturnType<typeof bodyIn>) => number): number {
  const [from, to] = [run.frames[1]!, run.frames[9]!]
  return (of(bodyIn(run, id, to)) - of(bodyIn(run, id, from))) / (to.time - from.time)
}

/** rad: turning points of a pendulum released at θ₀ that loses the energy T per radian, and the angle at which friction finally holds it. */
function heldAt(theta: number, moment: number, torque: number): number {
  let [side, at] = [1, theta]
  while (moment * Math.sin(at) > torque) {
    let [low, high] = [-at * 0.999, at]
    for (let k = 0; k < 200; k++) {
      const middle = (low + high) / 2
      if (moment * (Math.cos(middle) - Math.cos(at)) > torque * (at + middle)) low = middle
      else high = middle
    }
    at = low
    side = -side
  }
  return side * at
}

const known: readonly Known[] = [
  {
    title: 'spinning ball stopped by torsional friction', scene: 'spinning-ball-stops',
    compare: (run, { stop, law }) => [
      absolute('stop time I ω₀/μ_t m g, s', 0.4 * R * R * 10 / (0.02 * g), stopTime(run, 'torsional'), stop),
      relative('deceleration μ_t m g/I', 0.02 * g / (0.4 * R * R), -rate(run, 'ball', ({ angularVelocity }) => angularVelocity[2]!), law),
      absolute('spin at the end, rad/s', 0, size(bodyIn(run, 'ball').angularVelocity), 1e-12),
    ],
  },
  {
    title: 'rolling ball stopped by rolling friction', scene: 'rolling-ball-stops',
    compare: (run, { stop, law, way }) => [
      absolute('stop time 7 v₀ R/5 μ_r g, s', 7 * 2 * R / (5 * 0.02 * g), stopTime(run, 'rolling'), stop),
      relative('deceleration 5/7 μ_r g/R', 5 / 7 * 0.02 * g / R, -rate(run, 'ball', ({ linearVelocity }) => linearVelocity[0]!), law),
      relative('distance, m', 7 * 4 * R / (10 * 0.02 * g), bodyIn(run, 'ball').position[0]!, way),
      furthest('sliding friction that keeps it rolling', run.contacts.filter(({ time }) => time > 0 && time < 7).map(c =>
        [5 / 7 * 0.02 / R * c.normalForce[0]!, size([...c.frictionForce.subarray(0, 3)])] as const), law * 1000 * g),
    ],
  },
  {
    title: 'ball that spins while it rolls', scene: 'spinning-and-rolling',
    compare: (run, { stop, law, way }) => {
      const { position } = bodyIn(run, 'ball')
      return [
        absolute('spin stops at I ω₀/μ_t m g, s', 0.4 * R * R * 7 / (0.03 * g), stopTime(run, 'torsional'), stop),
        relative('deceleration 5/7 μ_r g/R', 5 / 7 * 0.02 * g / R, -rate(run, 'ball', ({ linearVelocity }) => size(linearVelocity)), law),
        relative('straight on: y/x', 4 / 3, position[1]! / position[0]!, law),
        relative('distance, m', 2 * 3 - 0.5 * 5 / 7 * 0.02 * g / R * 9, size(position.slice(0, 2)), way),
      ]
    },
  },
  {
    title: 'ball on a slope with rolling friction', scene: 'rolling-friction-threshold',
    compare: (run, { law }) => [
      absolute('way with μ_r 1e-6 above R tan θ, m', 0, moved(run, 'ball-stays'), 1e-12),
      verdict('with μ_r 1e-6 below it', 'rolls', size(bodyIn(run, 'ball-starts').angularVelocity) > 1e-6 ? 'rolls' : 'stays'),
      relative('acceleration 5/7 g (sin θ − μ_r cos θ/R)', 5 / 7 * g * (Math.sin(slope) - 0.025 * Math.cos(slope) / R), acceleration(run, 'ball-rolls'), law),
    ],
  },
  {
    title: 'arm on a turning drum', scene: 'arm-on-a-drum',
    compare: (run, { law }) => [
      furthest('normal force m g c/(L − μ_r)', run.contacts.map(({ normalForce }) => [4 * g * 0.6 / 0.9, normalForce[0]!] as const), law, 4 * g),
    ],
  },
  {
    title: 'block that spins on its four corners', scene: 'block-spinning-on-corners',
    compare: (run, { stop }) => [absolute('stop time I ω₀/μ_t m g, s', 3 / 6 / (0.05 * g), stopTime(run, 'torsional'), stop)],
  },
  {
    title: 'friction of a ball joint', scene: 'ball-joint-friction',
    compare: (run, { law }) => [
      relative('deceleration T/I', 10, -rate(run, 'ball', ({ angularVelocity }) => size(angularVelocity)), law),
      furthest('direction of ω stays', run.frames.filter(({ time }) => time < 1.25).map(frame => {
        const { angularVelocity: w } = bodyAt(frame, 0)
        return [3 / 13, w[0]! / size(w)] as const
      }), law),
      absolute('ω after I ω₀/T', 0, size(bodyIn(run, 'ball').angularVelocity), 1e-12),
    ],
  },
  {
    title: 'friction on both axes of universal joints', scene: 'universal-joint-friction',
    compare: (run, { law }) => [
      relative('deceleration T/I about the axis on A', 1.5, -rate(run, 'first', ({ angularVelocity }) => angularVelocity[0]!), law),
      relative('about the axis on B', 2.5, -rate(run, 'second', ({ angularVelocity }) => angularVelocity[1]!), law),
      furthest('ω at the end', ['first', 'second'].map(id => [0, size(bodyIn(run, id).angularVelocity)] as const), 1e-12),
    ],
  },
]

export const cases: readonly VerificationCase[] = [
  ...known.map((entry): VerificationCase => ({
    ...entry, method: 'event-driven', compare: run => entry.compare(run, { stop: 1e-8, law: 1e-9, way: 1e-9 }),
  })),
  {
    title: 'friction of a ball joint: when it stops', scene: 'ball-joint-friction', method: 'event-driven',
    compare: run => [absolute('stop time I ω₀/T, s', 1.3, stopTime(run, 'socket'), 1e-8)],
  },
  {
    title: 'pendulum held by a ball joint with friction', scene: 'ball-joint-pendulum', method: 'event-driven',
    compare: run => {
      const { position } = bodyAt(run.frames.at(-1)!, indexOf(run, 'bob'))
      return [absolute('angle in the end, rad', heldAt(Math.atan2(0.8, 0.6), 2 * g, 1.5), Math.atan2(position[0]!, -position[2]!), 1e-7)]
    },
  },
  ...known.map((entry): VerificationCase => ({
    ...entry, method: 'time-stepping', simulation: { timeStepping: { step: h } }, certificate: { complementarity: 1e-6 },
    compare: run => entry.compare(run, { stop: 2 * h, law: 1e-6, way: 2e-2 }),
  })),
]
