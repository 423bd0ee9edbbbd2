import { bodyIn, size, type BodyState, type Recorded } from '../support'
import { jacobi } from '../integrals'
import { furthest, type Comparison, type VerificationCase } from './case'

const g = 9.81

/** θ of a pendulum released at `amplitude`: sin(θ/2) = k cd(u, k). */
export function swing(amplitude: number, u: number): number {
  const k = Math.sin(amplitude / 2)
  const { cn, dn } = jacobi(u, k)
  return 2 * Math.asin(k * cn / dn)
}

export const amplitudes = [0.1, 1, 2.5, 3.1]

/** √(m g l/J) of the physical pendulums, rad/s. */
export const physicalRate = Math.sqrt(2 * g * 0.7 / (0.3 + 2 * 0.7 * 0.7))

/** √(m g l/J) of the rod with the ball, rad/s. */
export const compoundRate = (() => {
  const [rod, ball] = [1000 * 0.04 * 0.04, 1000 * 4 / 3 * Math.PI * 0.15 ** 3]
  return Math.sqrt(g * (rod * 0.5 + ball * 1.15) / (rod * ((1 + 0.04 ** 2) / 12 + 0.25) + ball * (0.4 * 0.15 ** 2 + 1.15 ** 2)))
})()

function physical(run: Recorded): Comparison[] {
  return amplitudes.map((amplitude, k) => furthest(`angle, let go at ${amplitude} rad`, run.frames.map((frame, i) =>
    [swing(amplitude, physicalRate * frame.time), amplitude + run.joints[i]!.position[k]!] as const), 1e-8))
}

/** The two conical pendulums: start position, and angular rate of their circles, rad/s. */
export const cones = [['on-ball-joint', -2, 0.1], ['on-rod', 2, 0]].map(([id, x, across]) => {
  const [theta, l] = [0.6, 1.3]
  return { id: id as string, x: x as number, l, theta, rate: Math.sqrt(g * l / (((across as number) + l * l) * Math.cos(theta))) }
})

/** m: expected and recorded coordinates in every frame. */
export function conical(run: Recorded, { id, x, l, theta, rate }: (typeof cones)[number]): [number, number][] {
  return run.frames.flatMap(frame => {
    const { position } = bodyIn(run, id, frame)
    const angle = rate * frame.time
    return [x + l * Math.sin(theta) * Math.cos(angle), l * Math.sin(theta) * Math.sin(angle), -l * Math.cos(theta)]
      .map((expected, k): [number, number] => [expected, position[k]!])
  })
}

/** Expected and recorded cos θ of the spherical pendulum in every frame. */
export function spherical(run: Recorded): [number, number][] {
  const [m, l, J, theta, speed] = [2, 1, 0.02, 1.2, 1.5]
  const square = m * g * l / (J + m * l * l)
  const [low, across] = [Math.cos(theta), Math.sin(theta) * speed / l]
  const energy = (speed / l) ** 2 / 2 - square * low
  // u̇² = 2 (e + k² u)(1 − u²) − λ² divided by its known root u₁, the start, leaves u² + p u + q.
  const p = energy / square + low
  const q = p * low - 1
  const [high, other] = [1, -1].map(sign => (-p + sign * Math.sqrt(p * p - 4 * q)) / 2) as [number, number]
  if (Math.abs(q * low - (2 * energy - across * across) / (2 * square)) > 1e-12) throw new Error('the start is not a turning point')
  return run.frames.map(frame => {
    const { cn, dn } = jacobi(Math.sqrt(square * (high - other) / 2) * frame.time, Math.sqrt((high - low) / (high - other)))
    return [high - (high - low) * (cn / dn) ** 2, -bodyIn(run, 'bob', frame).position[2]! / l]
  })
}

/** Angular momentum about the vertical in every frame ÷ that at the start: of a body with moments I and mass m on a pivot at the origin. */
export function upright(run: Recorded, id: string, m: number, I: readonly number[]): [number, number][] {
  const of = (state: BodyState): number => {
    const { position: [x, y], linearVelocity: [u, v], orientation, angularVelocity } = state as { [K in keyof BodyState]: [number, number, number, number] }
    return m * (x * v - y * u) + momentumOf(orientation, angularVelocity, I)[2]!
  }
  const first = of(bodyIn(run, id, run.frames[0]))
  return run.frames.map(frame => [1, of(bodyIn(run, id, frame)) / first])
}

/** R I Rᵀ ω in the world frame; I: moments of inertia about body axes. */
export function momentumOf(orientation: readonly number[], angularVelocity: readonly number[], I: readonly number[]): number[] {
  const axes = [0, 1, 2].map(k => rotated(orientation, [0, 1, 2].map(j => Number(j === k))))
  const parts = axes.map((axis, k) => I[k]! * axis.reduce((rate, value, j) => rate + value * angularVelocity[j]!, 0))
  return [0, 1, 2].map(j => axes.reduce((sum, axis, k) => sum + parts[k]! * axis[j]!, 0))
}

function rotated([x, y, z, w]: readonly number[], v: readonly number[]): number[] {
  const t = [2 * (y! * v[2]! - z! * v[1]!), 2 * (z! * v[0]! - x! * v[2]!), 2 * (x! * v[1]! - y! * v[0]!)] as const
  return [
    v[0]! + w! * t[0] + y! * t[2] - z! * t[1], v[1]! + w! * t[1] + z! * t[0] - x! * t[2], v[2]! + w! * t[2] + x! * t[1] - y! * t[0],
  ]
}

export const cases: readonly VerificationCase[] = [
  {
    title: 'spherical pendulum', scene: 'spherical-pendulum', method: 'event-driven',
    compare: run => [furthest('cos θ', spherical(run), 1e-8), furthest('angular momentum about the vertical', upright(run, 'bob', 2, [0.02, 0.02, 0.02]), 1e-8)],
  },
  { title: 'physical pendulum', scene: 'physical-pendulum', method: 'event-driven', compare: physical },
  {
    title: 'compound pendulum', scene: 'compound-pendulum', method: 'event-driven',
    compare: run => [furthest('angle, rad', run.frames.map((frame, i) => [swing(1, compoundRate * frame.time), 1 + run.joints[i]!.position[0]!] as const), 1e-8)],
  },
  { title: 'conical pendulum', scene: 'conical-pendulum', method: 'event-driven', compare: run => cones.map(cone => furthest(`${cone.id}: position, m`, conical(run, cone), 1e-8)) },
  {
    title: 'double pendulum', scene: 'double-pendulum', method: 'event-driven',
    compare: run => {
      const energies = run.certificates.map(({ energy: { kinetic, potential } }) => kinetic + potential)
      return [furthest('energy kept, relative to the largest kinetic', energies.map(energy => [energies[0]!, energy] as const), 1e-8,
        Math.max(...run.certificates.map(c => c.energy.kinetic)))]
    },
  },
  {
    title: 'double pendulum, small oscillations', scene: 'double-pendulum-slightly', method: 'event-driven',
    compare: run => {
      const rate = Math.sqrt((2 - Math.SQRT2) * g)
      const small = 1e-4
      // The amplitude shifts the frequency by a share of about 1e-9.
      return [furthest('deflection of the upper ÷ amplitude', run.frames.map(frame =>
        [Math.cos(rate * frame.time), bodyIn(run, 'upper', frame).position[0]! / small] as const), 1e-7)]
    },
  },
  {
    title: 'damped spring', scene: 'damped-spring', method: 'event-driven',
    compare: run => {
      const decay = 1.5 / 4
      const rate = Math.sqrt(25 - decay * decay)
      return [furthest('length, m', run.frames.map(({ time: t }, i) => [
        1 + 0.2 * Math.exp(-decay * t) * (Math.cos(rate * t) + decay / rate * Math.sin(rate * t)), -bodyIn(run, 'mass', run.frames[i]).position[2]!,
      ] as const), 1e-10)]
    },
  },
  {
    title: 'Kepler\'s ellipse', scene: 'kepler', method: 'event-driven',
    compare: run => {
      const [a, e, strength] = [1.5, 0.6, 4]
      return [furthest('position, m', run.frames.flatMap(frame => {
        const mean = Math.sqrt(strength / a ** 3) * frame.time
        let E = mean
        for (let k = 0; k < 50; k++) E -= (E - e * Math.sin(E) - mean) / (1 - e * Math.cos(E))
        const { position } = bodyIn(run, 'planet', frame)
        return [[a * (Math.cos(E) - e), position[0]!], [a * Math.sqrt(1 - e * e) * Math.sin(E), position[1]!]] as const
      }), 1e-9)]
    },
  },
  {
    title: 'fall through air', scene: 'terminal-speed', method: 'event-driven',
    compare: run => {
      const terminal = Math.sqrt(3 * g / 0.4)
      return [furthest('speed ÷ terminal speed', run.frames.map(frame =>
        [Math.tanh(g * frame.time / terminal), size(bodyIn(run, 'body', frame).linearVelocity) / terminal] as const), 1e-10)]
    },
  },
  {
    title: 'bead on a helix', scene: 'bead-on-helix', method: 'event-driven',
    compare: run => {
      const rise = 0.8 / (2 * Math.PI)
      const sine = rise / Math.hypot(0.5, rise)
      return [furthest('way, m', run.frames.map((frame, i) => [0.5 * g * sine * frame.time ** 2, run.joints[i]!.position[0]!] as const), 1e-9)]
    },
  },
  {
    title: 'bead on a circle', scene: 'bead-on-circle', method: 'event-driven',
    compare: run => [furthest('angle, rad', run.frames.map(frame => {
      const { position } = bodyIn(run, 'bead', frame)
      return [swing(2, Math.sqrt(g) * frame.time), Math.atan2(position[0]!, -position[2]!)] as const
    }), 1e-8)],
  },
]
