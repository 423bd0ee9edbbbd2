import type { Recorded } from '../support'
import { absolute, furthest, relative, type Comparison, type VerificationCase } from './case'

const g = 9.81
const height = 1
const t0 = Math.sqrt(2 * height / g)

/** Bounce n at t₀ + Σ 2 g t₀ eᵏ/g with approach speed g t₀ eⁿ, from which it rises to e²⁽ⁿ⁺¹⁾ h. */
function bounces(run: Recorded, e: number, most: number): Comparison[] {
  const impacts = run.events.filter(event => event.kind === 'impact').slice(0, most)
  const times: [number, number][] = []
  const speeds: [number, number][] = []
  let time = t0
  let speed = g * t0
  for (const impact of impacts) {
    times.push([time, impact.time])
    speeds.push([speed, impact.approachSpeed])
    speed *= e
    time += 2 * speed / g
  }
  return [
    furthest(`times of ${impacts.length} bounces, s`, times, 1e-9),
    furthest('their approach speeds, m/s', speeds, 1e-9),
    relative('height after the first, m', height * e * e, impacts[0]!.reboundSpeed ** 2 / (2 * g), 1e-9),
  ]
}

const losing = [0.5, 0.8, 0.9].map((e): VerificationCase => ({
  title: `bouncing ball, e = ${e}`, scene: `bouncing-ball-${e}`, method: 'event-driven',
  compare: run => [
    ...bounces(run, e, 20),
    absolute('stop time t₀ (1 + e)/(1 − e), s', t0 * (1 + e) / (1 - e), run.events.findLast(event => event.kind === 'impact')!.restTime, 1e-6),
  ],
}))

export const cases: readonly VerificationCase[] = [...losing, {
  title: 'bouncing ball, e = 1', scene: 'bouncing-ball-1', method: 'event-driven',
  certificate: { energy: 1e-10 },
  compare: run => [
    ...bounces(run, 1, Infinity),
    absolute('bounces in 10 s', 11, run.events.filter(event => event.kind === 'impact').length, 0),
  ],
}]
