/** Known answers of the time-stepping method at a step of 1/240 s, with default settings: flights, tops and pendulums. */

import { bodyIn, type Recorded } from '../support'
import { completeK } from '../integrals'
import { absolute, furthest, relative, type Comparison, type Convergence, type VerificationCase } from './case'
import { boxMoments, momentum, moments, precession } from './free-rotation'
import { amplitudes, compoundRate, cones, conical, momentumOf, physicalRate, spherical, upright } from './pendulums'
import { stepped } from './time-stepping'

const g = 9.81

/** E − E₀ of kinetic and potential energy in every frame, J, and the largest kinetic energy + the largest change of the potential one. */
function energies(run: Recorded): { changes: number[]; scale: number } {
  const all = run.certificates.map(({ energy }) => energy)
  const first = all[0]!
  return {
    changes: all.map(e => e.kinetic + e.potential - first.kinetic - first.potential),
    scale: Math.max(...all.map(e => e.kinetic)) + Math.max(...all.map(e => Math.abs(e.potential - first.potential))),
  }
}

function energyKept(run: Recorded, tolerance: number): Comparison {
  const { changes, scale } = energies(run)
  return furthest('energy, relative', changes.map(change => [0, change] as const), tolerance, scale)
}

const swinging: Convergence = {
  quantity: 'swing of the energy, J', exact: 1e-12, error: run => Math.max(...energies(run).changes.map(Math.abs)),
}

/** s: when a quantity first falls through 0, by a parabola between two frames from its values and its rate. */
function firstZero(run: Recorded, of: (frame: number) => { readonly value: number; readonly rate: number }): number {
  const k = run.frames.findIndex((_, i) => of(i).value <= 0)
  const [a, b] = [of(k - 1), of(k)]
  const [from, to] = [run.frames[k - 1]!.time, run.frames[k]!.time]
  // One Newton step from either end; the two results differ by the third order of the interval.
  const [left, right] = [from - a.value / a.rate, to - b.value / b.rate]
  const share = a.value / (a.value - b.value)
  return left * (1 - share) + right * share
}

/** 4 × the time from rest at the amplitude to the lowest point, and the closed form, s. */
function periods(run: Recorded): [number, number][] {
  return amplitudes.map((amplitude, k) => [
    4 * completeK(Math.sin(amplitude / 2)) / physicalRate,
    4 * firstZero(run, i => ({ value: amplitude + run.joints[i]!.position[k]!, rate: run.joints[i]!.velocity[k]! })),
  ])
}

/** The same of the compound pendulum, from 1 rad. */
function compound(run: Recorded): [number, number] {
  return [
    4 * completeK(Math.sin(0.5)) / compoundRate, 4 * firstZero(run, i => ({ value: 1 + run.joints[i]!.position[0]!, rate: run.joints[i]!.velocity[0]! })),
  ]
}

/** rad: the angle that a conical pendulum has turned through, and the expected one. */
function turned(run: Recorded, { id, x, rate }: (typeof cones)[number]): [number, number] {
  const { position } = bodyIn(run, id)
  const expected = rate * run.frames.at(-1)!.time
  const got = Math.atan2(position[1]!, position[0]! - x)
  return [expected, got + 2 * Math.PI * Math.round((expected - got) / (2 * Math.PI))]
}

const slowest = Math.sqrt((2 - Math.SQRT2) * g)
const quarter = (run: Recorded): number => firstZero(run, i => {
  const { position, linearVelocity } = bodyIn(run, 'upper', run.frames[i])
  return { value: position[0]!, rate: linearVelocity[0]! }
})

export const cases: readonly VerificationCase[] = [
  stepped('projectile', 'projectile', run => [furthest('position, m of 100', flight(run), 1e-12, 100)], {
    quantity: 'position, m', exact: 1e-10, error: run => Math.max(...flight(run).map(([expected, got]) => Math.abs(got - expected))),
  }),
  stepped('free asymmetric top', 'free-asymmetric-top', run => [
    energyKept(run, 1e-4), furthest('|L| kept', momentum(run, 'top', moments), 1e-12),
  ], swinging, { duration: 50 }),
  stepped('heavy symmetric top', 'heavy-symmetric-top', run => [
    furthest('centre ÷ l on its circle', precessing(run), 2e-2),
    furthest('|L| about the tip kept', pivotal(run), 1e-3),
    furthest('L about the vertical kept', upright(run, 'top', 0.5, topMoments), 1e-10),
    energyKept(run, 5e-3),
  ], { quantity: 'centre on its circle', exact: 0, error: run => Math.max(...precessing(run).map(([expected, got]) => Math.abs(got - expected))) }),
  stepped('free box of scpeters/benchmark, 1 ms', 'free-box', run => {
    const { changes } = energies(run)
    const scale = Math.hypot(...boxMoments.map((I, k) => I * [0.1, 5, 0.1][k]!))
    // The best of ODE, Bullet, DART and Simbody at this step, as published (Apache-2.0): 6.2e-3 J and 6.4e-3 of |L|, and 0.0245 m of the path.
    return [
      absolute('ΔE, J', 0, Math.max(...changes.map(Math.abs)), 6.2e-3),
      absolute('ΔL, kg m²/s', 0, Math.max(...momentum(run, 'box', boxMoments).map(([, ratio]) => Math.abs(ratio - 1))) * scale, 1e-12),
      absolute('height fallen to, m', -410, bodyIn(run, 'box').position[2]!, 1e-9),
    ]
  }, swinging, { step: 1e-3 }),
  stepped('physical pendulum', 'physical-pendulum', run => [
    ...periods(run).map(([expected, got], k) => relative(`period, let go at ${amplitudes[k]} rad, s`, expected, got, 1e-3)), energyKept(run, 5e-3),
  ], { quantity: 'periods, s', exact: 0, error: run => Math.max(...periods(run).map(([expected, got]) => Math.abs(got - expected))) },
  { duration: 1.7, outputRate: 240 }),
  stepped('compound pendulum', 'compound-pendulum', run => [relative('period, s', ...compound(run), 1e-3), energyKept(run, 5e-3)], {
    quantity: 'period, s', exact: 0,
    error: run => {
      const [expected, got] = compound(run)
      return Math.abs(got - expected)
    },
  }, { duration: 0.7, outputRate: 240 }),
  stepped('conical pendulum', 'conical-pendulum', run => [
    ...cones.flatMap(cone => {
      const [expected, got] = turned(run, cone)
      return [
        relative(`${cone.id}: period, s`, 2 * Math.PI / cone.rate, 2 * Math.PI / cone.rate * expected / got, 1e-3),
        furthest(`${cone.id}: position, m`, conical(run, cone), 5e-3),
      ]
    }),
    energyKept(run, 5e-3),
  ], {
    quantity: 'position, m', exact: 0,
    error: run => Math.max(...cones.flatMap(cone => conical(run, cone)).map(([expected, got]) => Math.abs(got - expected))),
  }),
  stepped('heavy symmetric top: |L| about its tip', 'heavy-symmetric-top', run => [furthest('|L| about the tip kept', pivotal(run), 1e-3)],
    { quantity: '|L| about the tip', exact: 1e-12, error: run => Math.max(...pivotal(run).map(([expected, got]) => Math.abs(got - expected))) }),
  stepped('spherical pendulum', 'spherical-pendulum', run => [
    furthest('cos θ', spherical(run), 5e-3), furthest('angular momentum about the vertical', upright(run, 'bob', 2, [0.02, 0.02, 0.02]), 1e-11), energyKept(run, 5e-3),
  ], { quantity: 'cos θ', exact: 0, error: run => Math.max(...spherical(run).map(([expected, got]) => Math.abs(got - expected))) }),
  stepped('double pendulum', 'double-pendulum', run => [energyKept(run, 5e-3)], swinging, { duration: 2, outputRate: 120 }),
  stepped('double pendulum, small oscillations', 'double-pendulum-slightly', run => [
    relative('period of the slower one, s', 2 * Math.PI / slowest, 4 * quarter(run), 1e-3), energyKept(run, 5e-3),
  ], { quantity: 'period, s', exact: 0, error: run => Math.abs(4 * quarter(run) - 2 * Math.PI / slowest) }, { duration: 1, outputRate: 240 }),
]

const topMoments = [5e-4, 5e-4, 4e-4]

/** |L| about the tip of the heavy top in every frame ÷ that at the start. */
function pivotal(run: Recorded): [number, number][] {
  const of = (frame: Recorded['frames'][number]): number => {
    const { position: r, linearVelocity: v, angularVelocity, orientation } = bodyIn(run, 'top', frame)
    const spin = momentumOf(orientation, angularVelocity, topMoments)
    return Math.hypot(...[0, 1, 2].map(k => spin[k]! + 0.5 * (r[(k + 1) % 3]! * v[(k + 2) % 3]! - r[(k + 2) % 3]! * v[(k + 1) % 3]!)))
  }
  const first = of(run.frames[0]!)
  return run.frames.map(frame => [1, of(frame) / first])
}

function flight(run: Recorded): [number, number][] {
  return run.frames.flatMap(frame => {
    const { position } = bodyIn(run, 'ball', frame)
    const t = frame.time
    return [3 * t, t, 100 + 20 * t - g * t * t / 2].map((expected, k): [number, number] => [expected, position[k]!])
  })
}

function precessing(run: Recorded): [number, number][] {
  const { l, theta, rate } = precession
  return run.frames.flatMap(frame => {
    const { position } = bodyIn(run, 'top', frame)
    return [Math.sin(theta) * Math.cos(rate * frame.time), Math.sin(theta) * Math.sin(rate * frame.time), Math.cos(theta)]
      .map((expected, k): [number, number] => [expected, position[k]! / l])
  })
}
