/** Known answers of the time-stepping method at a step of 1/240 s, with default settings: bodies in contact. The others are in time-stepping-motion. */

import { bodyIn, contactForceOn, indexOf, size, type Recorded } from '../support'
import { absolute, furthest, relative, verdict, type Comparison, type Convergence, type VerificationCase } from './case'
import { acceleration, moved } from './incline'
import { ladder, ladderLeaves, rodSpeed } from './rods'

const g = 9.81
export const h = 1 / 240
const slope = 20 * Math.PI / 180

/** Iterations end at a tenth of the gap target of contacts. */
const certificate = { complementarity: 1e-6 }

export function stepped(
  title: string, scene: string, compare: (run: Recorded) => readonly Comparison[], convergence?: Convergence, { step = h, ...settings }: Readonly<Record<string, unknown>> = {},
): VerificationCase {
  return {
    title, scene, method: 'time-stepping', simulation: { timeStepping: { step }, ...settings }, certificate, compare,
    ...(convergence === undefined ? {} : { convergence }),
  }
}

/** m: deviation of bodies from ½ a t² along their path, at the end. */
function ahead(run: Recorded, accelerations: Readonly<Record<string, number>>): number {
  const t = run.frames.at(-1)!.time
  return Math.max(...Object.entries(accelerations).map(([id, a]) => Math.abs(moved(run, id) - a * t * t / 2)))
}

/** Accelerations to 1e-6 and positions to 1e-2, with the order of convergence. */
function accelerating(title: string, scene: string, accelerations: Readonly<Record<string, number>>, more: (run: Recorded) => Comparison[] = () => []): VerificationCase {
  return stepped(title, scene, run => [
    ...Object.entries(accelerations).flatMap(([id, a]) => {
      const t = run.frames.at(-1)!.time
      return [
        relative(`acceleration of ${id}, m/s²`, a, acceleration(run, id), 1e-6),
        relative(`way of ${id}, m`, a * t * t / 2, moved(run, id), 1e-2),
      ]
    }),
    ...more(run),
  ], { quantity: 'ways, m', exact: 1e-9, error: run => ahead(run, accelerations) })
}

const fall = Math.sqrt(2 / g)

/** m: height of the centre above its height in contact with the floor, of a ball released at 1 m. */
function bouncing(e: number, time: number): number {
  if (time < fall) return 1 - g * time * time / 2
  let [start, speed] = [fall, g * fall * e]
  while (time >= start + 2 * speed / g && speed > 1e-9) {
    start += 2 * speed / g
    speed *= e
  }
  const t = time - start
  return speed > 1e-9 ? speed * t - g * t * t / 2 : 0
}

function bounces(e: number): VerificationCase {
  const last = fall + 2 * fall * [0, 1, 2, 3].reduce((sum, k) => sum + e ** (k + 1), 0)
  return stepped(`bouncing ball, e = ${e}`, `bouncing-ball-${e}`, run => {
    const impacts = run.events.filter(event => event.kind === 'impact')
    return [
      ...impacts.slice(0, 5).map(({ time }, k) =>
        relative(`time of bounce ${k + 1}, s`, fall + 2 * fall * Array.from({ length: k }, (_, i) => e ** (i + 1)).reduce((a, b) => a + b, 0), time, 3e-2)),
      ...(e < 1 ? [relative('stop time t₀ (1 + e)/(1 − e), s', fall * (1 + e) / (1 - e), impacts.at(-1)!.time, 6e-2)] : []),
      absolute('bounces: 1 if at least five', 1, Number(impacts.length >= 5), 0),
    ]
  }, {
    quantity: 'mean error of the height up to the fifth bounce, m', exact: 5e-9, halvings: 2, phases: 4,
    error: run => {
      const frames = run.frames.filter(({ time }) => time < last)
      const start = bodyIn(run, 'ball', run.frames[0]).position[2]!
      return frames.reduce((sum, frame) => sum + Math.abs(bodyIn(run, 'ball', frame).position[2]! - start + 1 - bouncing(e, frame.time)), 0) / frames.length
    },
  }, { duration: Math.min(10, 1.02 * fall * (e < 1 ? (1 + e) / (1 - e) : 12)) })
}

function standing(run: Recorded, weight: number, ids: readonly string[]): Comparison[] {
  return [
    furthest('force on the ground, N, relative', run.contacts.map(contacts =>
      [weight, size(contactForceOn(contacts, indexOf(run, 'ground')).normal)] as const), 1e-6, weight),
    furthest('drift, m', ids.map(id => [0, moved(run, id)] as const), 1e-9),
  ]
}

function stack(title: string, scene: string, weight: number, ids: readonly string[]): VerificationCase {
  return stepped(title, scene, run => standing(run, weight, ids), {
    quantity: 'drift, m', exact: 1e-9, duration: 0.02, error: run => Math.max(...ids.map(id => moved(run, id))),
  }, { duration: 0.1, outputRate: 120 })
}

const boxes = (n: number): string[] => Array.from({ length: n }, (_, k) => `box-${k + 1}`)
const blocks = [1, 2, 3, 4, 5, 6, 7, 8].map(k => `block-${k}`)
const sliding = g * (Math.sin(slope) - 0.2 * Math.cos(slope))
const stones = Array.from({ length: 25 }, (_, k) => `stone-${k + 1}`)

/** rad: angle by which the narrow block has tipped. θ̈ = k² sin(ε + θ), where ε = 1e-6 is the angle by which it is too narrow: ε (cosh kt − 1) while θ is small. */
function tipped(run: Recorded): number {
  const [x0, y0, z0, w0] = bodyIn(run, 'narrow', run.frames[0]).orientation as [number, number, number, number]
  const [x, y, z, w] = bodyIn(run, 'narrow').orientation as [number, number, number, number]
  return 2 * Math.hypot(w0 * x - x0 * w + z0 * y - y0 * z, w0 * y - y0 * w + x0 * z - z0 * x, w0 * z - z0 * w + y0 * x - x0 * y)
}

/** rad: the closed form of that. */
function expectedTip(run: Recorded): number {
  const width = 0.499998750000625
  const rate = Math.sqrt(3 * g / (4 * Math.hypot(width, 1) / 2))
  return (Math.atan(0.5) - Math.atan(width)) * (Math.cosh(rate * run.frames.at(-1)!.time) - 1)
}

export const cases: readonly VerificationCase[] = [
  ...[0.5, 0.8, 0.9, 1].map(bounces),
  accelerating('sphere, cylinder and hoop rolling down', 'rolling-down',
    { sphere: 5 / 7 * g * Math.sin(slope), cylinder: 2 / 3 * g * Math.sin(slope), hoop: g * Math.sin(slope) / 2 }),
  accelerating('sphere rolls until tan θ = 7μ/2', 'rolling-or-slipping',
    { rolls: 5 / 7 * g * Math.sin(slope), slides: g * (Math.sin(slope) - 0.05 * Math.cos(slope)) }),
  stepped('sliding ball starts to roll', 'sliding-ball-rolls', run => [
    relative('speed 5v₀/7, m/s', 15 / 7, size(bodyIn(run, 'ball').linearVelocity), 1e-6),
    absolute('time 2v₀/7μg, s', 6 / (7 * 0.2 * g), run.events.find(event => event.kind === 'stick')!.time, 2 * h),
  ], {
    quantity: 'way, m', exact: 0, halvings: 2, phases: 4,
    error: run => {
      const rolls = 6 / (7 * 0.2 * g)
      return Math.abs(moved(run, 'ball') - (3 * rolls - 0.1 * g * rolls * rolls + 15 / 7 * (run.frames.at(-1)!.time - rolls)))
    },
  }),
  accelerating('block on an incline steeper than tan⁻¹ μ', 'block-sliding-down', Object.fromEntries(blocks.map(id => [id, sliding]))),
  stepped('block on an incline less steep than tan⁻¹ μ, 10 s', 'block-at-rest', run => [
    furthest('drift, m', blocks.map(id => [0, moved(run, id)] as const), 1e-9),
  ], { quantity: 'drift, m', exact: 1e-9, duration: 0.5, error: run => Math.max(...blocks.map(id => moved(run, id))) }, { duration: 10, outputRate: 2 }),
  stepped('static and dynamic friction differ', 'static-and-dynamic-friction', run => [
    absolute('drift of the resting block, m', 0, moved(run, 'resting'), 1e-9),
    relative('speed of the sliding one', 0.1 + g * (Math.sin(22 * Math.PI / 180) - 0.3 * Math.cos(22 * Math.PI / 180)),
      size(bodyIn(run, 'sliding').linearVelocity), 1e-6),
  ], {
    quantity: 'way of the sliding one, m', exact: 1e-12,
    error: run => Math.abs(moved(run, 'sliding') - 0.1 - g * (Math.sin(22 * Math.PI / 180) - 0.3 * Math.cos(22 * Math.PI / 180)) / 2),
  }),
  accelerating('push at 45° to the axes of friction', 'push-at-45-degrees', { 'box-1': 6 - 0.3 * g, 'box-2': 6 - 0.3 * g, 'box-3': 6 - 0.3 * g }),
  stepped('sliding block decelerates to a stop', 'sliding-block-stops', run => [
    absolute('stop time v₀/μg, s', 2 / (0.3 * g), run.events.find(event => event.kind === 'stick')!.time, 2 * h),
    relative('distance v₀²/2μg, m', 4 / (0.6 * g), moved(run, 'block'), 2e-2),
  ], { quantity: 'distance, m', exact: 0, halvings: 2, phases: 4, error: run => Math.abs(moved(run, 'block') - 4 / (0.6 * g)) }),
  stepped('block tipping at tan θ = width ÷ height', 'block-tipping', run => [
    verdict('the block 1e-6 rad too wide', 'stands', size(bodyIn(run, 'wide').angularVelocity) < 1e-9 ? 'stands' : 'tips'),
    verdict('the block 1e-6 rad too narrow', 'tips', size(bodyIn(run, 'narrow').angularVelocity) > 1e-7 ? 'tips' : 'stands'),
  ], { quantity: 'angle tipped, rad', exact: 0, error: run => Math.abs(tipped(run) - expectedTip(run)) }),
  stepped('falling rod', 'falling-rod', run => {
    const speeds = rodSpeed(run)
    return [
      furthest('θ̇² = 2g (sin θ₀ − sin θ)/(⅓ + cos² θ), relative to its largest', speeds, 3e-2, Math.max(...speeds.map(([expected]) => expected))),
      furthest('centre sideways, m', run.frames.map(frame => [0, bodyIn(run, 'rod', frame).position[0]!] as const), 1e-12),
    ]
  }, {
    quantity: 'θ̇² at the end, 1/s²', exact: 0,
    error: run => {
      const [expected, got] = rodSpeed(run).at(-1)!
      return Math.abs(got - expected)
    },
  }),
  stepped('falling ladder', 'falling-ladder', run => {
    const left = run.events.find(event => event.kind === 'release')!.time
    const speeds = ladder(run, ladderLeaves)
    return [
      relative('leaves the wall at sin θ = ⅔ sin θ₀: time, s', ladderLeaves, left, 2e-2),
      furthest('θ̇² until then, relative to its largest', speeds, 2e-2, Math.max(...speeds.map(([expected]) => expected))),
    ]
  }, {
    quantity: 'θ̇² before it leaves, 1/s²', exact: 0,
    error: run => {
      const [expected, got] = ladder(run, 0.9 * ladderLeaves).at(-1)!
      return Math.abs(got - expected)
    },
  }, { duration: 0.5, outputRate: 120 }),
  stepped('three equal balls, simultaneous impact', 'three-balls-simultaneous', run => [-1 / 3, 2 / 3, 2 / 3].map((value, k) =>
    absolute(`speed of ball ${k + 1}, m/s`, value, bodyIn(run, `ball-${k + 1}`).linearVelocity[0]!, 1e-9)), {
    quantity: 'speed of ball 1, m/s', exact: 1e-9, error: run => Math.abs(bodyIn(run, 'ball-1').linearVelocity[0]! + 1 / 3),
  }),
  ...['sequential', 'energy-consistent'].map(law => stepped(`three equal balls, ${law} impact`, `three-balls-${law}`, run => [0, 0, 1].map((value, k) =>
    absolute(`speed of ball ${k + 1}, m/s`, value, bodyIn(run, `ball-${k + 1}`).linearVelocity[0]!, 1e-9)), {
    quantity: 'speed of ball 3, m/s', exact: 1e-9, error: run => Math.abs(bodyIn(run, 'ball-3').linearVelocity[0]! - 1),
  })),
  stepped('Newton\'s cradle (sequential)', 'newtons-cradle', run => {
    const impacts = run.events.filter(event => event.kind === 'impact')
    const frame = run.frames.find(({ time }) => time > impacts[0]!.time)!
    // Released at 0.5 rad on a string of 1 m.
    const fastest = Math.sqrt(2 * g * (1 - Math.cos(0.5)))
    const energies = run.certificates.map(({ energy }) => energy.kinetic + energy.potential)
    return [
      ...[1, 2, 3, 4, 5].map(k => absolute(`speed of ball ${k} after the first impact ÷ that of the one let go`, k === 5 ? 1 : 0,
        size(bodyIn(run, `ball-${k}`, frame).linearVelocity) / fastest, 2e-2)),
      furthest('energy gained, relative', energies.map(energy => [0, Math.max(0, energy - energies[0]!)] as const), 1e-4,
        Math.max(...run.certificates.map(c => c.energy.kinetic))),
    ]
  }, undefined, { duration: 1.3 }),
  stepped('impacts never add energy', 'impact-pile-up', run => {
    const impacts = run.events.filter(event => event.kind === 'impact')
    return [
      absolute('energy gained in the worst, J', 0, Math.max(0, ...impacts.map(event => -event.energyLoss)), 1e-10),
      absolute('at least eight impacts: 1 if so', 1, Number(impacts.length >= 8), 0),
    ]
  }),
  stepped('chair on four legs', 'chair', run => [furthest('force of each leg, m g/4', run.contacts.flatMap(contacts =>
    [...contacts.normalForce].map(force => [g, force] as const)), 1e-8, 4 * g)], {
    quantity: 'drift, m', exact: 1e-9, error: run => moved(run, 'chair'),
  }),
  stack('stack of 10', 'stack-of-10', 10_000 * g, boxes(10)),
  stack('stack of 20', 'stack-of-20', 20_000 * g, boxes(20)),
  stack('mass ratio 1:1000', 'mass-ratio-1000', 1001 * g, ['light', 'heavy']),
  ...[[0.1, 'falls'], [0.106, 'falls'], [0.108, 'stands'], [0.12, 'stands']].map(([ratio, outcome]): VerificationCase => ({
    ...stepped(`arch of 25 stones, t/R = ${ratio}`, `arch-${ratio}`, run => [
      verdict('it', outcome as string, stones.every(id => moved(run, id) <= 1e-9) ? 'stands' : 'falls'),
    ], undefined, { duration: 0.0125, outputRate: 80 }),
    // A falling arch has too many contacts for the exact solver.
    ...(outcome === 'falls' ? { certificate: { complementarity: 1e-5 } } : {}),
  })),
]
