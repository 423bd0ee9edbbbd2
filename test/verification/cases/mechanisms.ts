import { bodyIn, size, type Recorded } from '../support'
import { absolute, furthest, relative, type Comparison, type VerificationCase } from './case'

const g = 9.81

/** Piston at x = r cos ωt + √(l² − r² sin² ωt); the motor's work is the gain of kinetic energy. */
function sliderCrank(run: Recorded): Comparison[] {
  const [r, l, w] = [0.5, 1.5, 6]
  const kinetic = (t: number): number => {
    const s = Math.sin(w * t)
    const c = Math.cos(w * t)
    const q = Math.sqrt(l * l - r * r * s * s)
    const piston = -r * w * s * (1 + r * c / q)
    const rodRate = r * w * c / q
    // The rod's centre is the mean of its ends.
    const rodSpeed2 = ((-r * w * s + piston) / 2) ** 2 + (r * w * c / 2) ** 2
    return 0.5 * 3 * piston ** 2 + 0.5 * 2 * rodSpeed2 + 0.5 * (2 * l * l / 12) * rodRate ** 2
  }
  return [
    furthest('piston, m', run.frames.map(frame => {
      const angle = w * frame.time
      return [r * Math.cos(angle) + Math.sqrt(l * l - (r * Math.sin(angle)) ** 2), bodyIn(run, 'piston', frame).position[0]!] as const
    }), 1e-9),
    furthest('work of the motor, J of 50', run.frames.map((frame, i) => [kinetic(frame.time) - kinetic(0), run.certificates[i]!.energy.joints] as const), 1e-9, 50),
  ]
}

/**
 * Crank of 1 m about A = (0, 0), coupler of √4.25 m, rocker of √2.5 m about D = (2.5, 0), all of 1 kg and slender, in the x-z plane: the pin C lies
 * where the circles about B and D meet, on the side on which it began, and the energy gives the crank's rate for its angle.
 */
function fourBar(run: Recorded): Comparison[] {
  const states = run.frames.map(frame => {
    const [crank, rocker] = ['crank', 'rocker'].map(id => bodyIn(run, id, frame).position)
    const B = [2 * crank![0]!, 2 * crank![2]!] as const
    const C = [2 * rocker![0]! - 2.5, 2 * rocker![2]!] as const
    const [dx, dz] = [2.5 - B[0], -B[1]]
    const d2 = dx * dx + dz * dz
    const along = (d2 + 4.25 - 2.5) / (2 * d2)
    const across = Math.sqrt(4.25 / d2 - along * along)
    return { B, C, meets: [B[0] + along * dx - across * dz, B[1] + along * dz + across * dx] as const, rate: bodyIn(run, 'crank', frame).angularVelocity[1]! }
  })
  // For 1 rad/s of the crank: rates of rocker and coupler from the loop equation, and twice the kinetic energy.
  const inertia = ({ B: [bx, bz], C: [cx, cz] }: (typeof states)[number]): number => {
    const [lx, lz] = [cx - bx, cz - bz]
    const rocker = (bz * lx - bx * lz) / (cz * lx - (cx - 2.5) * lz)
    const vC = [rocker * cz, -rocker * (cx - 2.5)] as const
    const coupler = ((vC[0] - bz) * lz - (vC[1] + bx) * lx) / 4.25
    const middle = ((bz + vC[0]) ** 2 + (vC[1] - bx) ** 2) / 4
    return 1 / 3 + middle + 4.25 / 12 * coupler * coupler + 2.5 / 3 * rocker * rocker
  }
  const height = ({ B, C }: (typeof states)[number]): number => B[1] / 2 + (B[1] + C[1]) / 2 + C[1] / 2
  const squares = states.map(state => [2 * g * (height(states[0]!) - height(state)) / inertia(state), state.rate ** 2] as const)
  return [
    furthest('pin of coupler and rocker, m', states.flatMap(({ C, meets }) => [[meets[0], C[0]], [meets[1], C[1]]] as const), 1e-9),
    furthest('square of the crank\'s rate by its angle, relative to the largest', squares, 1e-8, Math.max(...squares.map(([expected]) => expected))),
  ]
}

/** Orthogonal Bricard linkage with equal bars [Chen, You and Tarnai 2005]: opposite joints have equal angles, neighbouring ones satisfy the relation below. */
function bricard(run: Recorded): Comparison[] {
  const angles = run.joints.map(joints => [...joints.position.subarray(0, 6)])
  const relation = (first: number, second: number): number => {
    const [s, t] = [Math.sin(first), Math.sin(second)]
    return Math.min(...[[1, 1], [1, -1], [-1, 1], [-1, -1]].map(([p, q]) => Math.abs(p! * s + q! * t + p! * q! * s * t)))
  }
  return [
    furthest('sin φ₁, sin φ₂: relation of neighbours', angles.map(a => [0, relation(a[0]!, a[1]!)] as const), 1e-9),
    furthest('|φ₁| = |φ₃| = |φ₅|, rad', angles.flatMap(a => [[Math.abs(a[0]!), Math.abs(a[2]!)], [Math.abs(a[0]!), Math.abs(a[4]!)]] as const), 1e-9),
    furthest('|φ₂| = |φ₄| = |φ₆|, rad', angles.flatMap(a => [[Math.abs(a[1]!), Math.abs(a[3]!)], [Math.abs(a[1]!), Math.abs(a[5]!)]] as const), 1e-9),
    absolute('it moves by more than ½ rad', 1, Number(Math.max(...angles.map(a => Math.abs(a[0]!))) > 0.5), 0),
  ]
}

function governor(run: Recorded): Comparison[] {
  const [l, theta, m, M] = [0.5, 40 * Math.PI / 180, 1, 3]
  const arm = (m + M / 2) * g / Math.cos(theta)
  const link = M * g / (2 * Math.cos(theta))
  const of = (id: string) => run.joints.map(joints => {
    const at = run.header.jointIds.indexOf(id)
    return size([...joints.force.subarray(3 * at, 3 * at + 3)])
  })
  return [
    furthest('height of the sleeve, m', run.frames.map(frame => [-2 * l * Math.cos(theta), bodyIn(run, 'sleeve', frame).position[2]!] as const), 1e-8),
    ...['arm-1', 'arm-2'].map(id => furthest(`force of ${id}, N`, of(id).map(force => [arm, force] as const), 1e-8, arm)),
    ...['link-1', 'link-2'].map(id => furthest(`force of ${id}, N`, of(id).map(force => [link, force] as const), 1e-8, link)),
  ]
}

/** q at 0.03 s from the Test Set for IVP Solvers (Bari/CWI), to 14 digits; that state violates the energy balance by 1.5e-10. */
const SQUEEZER = [
  15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805303, 0.5347301163226948, 1.048080741042263,
]
const SQUEEZER_RATES = [
  1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385, 0.5735699284790808, -19.29337464421385, 0.3231791658026955,
]

/** β, Θ, γ, φ, δ, Ω, ε are angles of the bodies relative to the ground or to one another. */
function squeezer(run: Recorded): Comparison[] {
  const ids = ['K1', 'K2', 'K3', 'K4', 'K5', 'K6', 'K7']
  const angles = ids.map(id => {
    let last = 0
    run.frames.forEach((frame, i) => {
      const { orientation: [, , z, w] } = bodyIn(run, id, frame)
      const angle = 2 * Math.atan2(z!, w!)
      last = i === 0 ? angle : angle + 2 * Math.PI * Math.round((last - angle) / (2 * Math.PI))
    })
    return last
  })
  const rates = ids.map(id => bodyIn(run, id).angularVelocity[2]!)
  const relativeOf = (x: readonly number[]) => [x[0]!, x[1]! - x[0]!, x[2]!, x[3]! - x[4]!, x[4]!, x[5]! - x[6]!, x[6]!]
  const names = ['β', 'Θ', 'γ', 'φ', 'δ', 'Ω', 'ε']
  return [
    ...relativeOf(angles).map((q, k) => absolute(`${names[k]} at 0.03 s, rad`, SQUEEZER[k]!, q, 1e-10 * Math.max(1, Math.abs(SQUEEZER[k]!)))),
    furthest('their rates, of the fastest', relativeOf(rates).map((rate, k) => [SQUEEZER_RATES[k]!, rate] as const), 1e-9, 1424),
  ]
}

function spinOf(run: Recorded, id: string, frame: Recorded['frames'][number]): number {
  return bodyIn(run, id, frame).angularVelocity[2]!
}

/** ω of sun and carrier after `time` under 0.4 N m on the sun: the accelerations are constant and follow from the energy as a function of both rates. */
function planetaryRates(time: number, sun: number, carrier: number): [string, number][] {
  const [a, b] = [20 / 15, 20 / 50]
  const m11 = 0.04 + 0.02 * a * a + 0.9 * b * b
  const m12 = -0.02 * a * (1 + a) - 0.9 * b * (1 + b)
  const m22 = 0.05 + 1.5 * 0.35 * 0.35 + 0.02 * (1 + a) * (1 + a) + 0.9 * (1 + b) * (1 + b)
  const determinant = m11 * m22 - m12 * m12
  return [['sun', sun + time * 0.4 * m22 / determinant], ['carrier', carrier - time * 0.4 * m12 / determinant]]
}

export const cases: readonly VerificationCase[] = [
  {
    title: 'universal joint', scene: 'universal-joint', method: 'event-driven',
    compare: run => [furthest('speed of the driven shaft, rad/s', run.frames.map(frame => {
      const angle = 2 * frame.time
      return [2 * Math.cos(0.5) / (1 - (Math.sin(0.5) * Math.cos(angle)) ** 2), size(bodyIn(run, 'driven', frame).angularVelocity)] as const
    }), 1e-7)],
  },
  { title: 'four-bar linkage', scene: 'four-bar', method: 'event-driven', certificate: { joints: 1e-12 }, compare: fourBar },
  {
    title: 'planetary gear train', scene: 'planetary-gear', method: 'event-driven',
    compare: run => [
      furthest('Willis: (ω_sun − ω_carrier)/(ω_ring − ω_carrier)', run.frames.map(frame => {
        const [sun, carrier, ring] = ['sun', 'carrier', 'ring'].map(id => spinOf(run, id, frame))
        return [-2.5, (sun! - carrier!) / (ring! - carrier!)] as const
      }), 1e-9),
      ...planetaryRates(3 / 2, 4, 1).map(([id, rate]) => relative(`ω of the ${id} at the end, rad/s`, rate, spinOf(run, id, run.frames.at(-1)!), 1e-9)),
    ],
  },
  { title: 'slider–crank', scene: 'slider-crank', method: 'event-driven', compare: sliderCrank },
  { title: 'Bricard\'s six bars', scene: 'bricard', method: 'event-driven', certificate: { joints: 1e-12 }, compare: bricard },
  { title: 'flyball governor', scene: 'flyball-governor', method: 'event-driven', compare: governor },
  { title: 'Andrews\' squeezing mechanism', scene: 'andrews-squeezer', method: 'event-driven', certificate: { joints: 1e-15, energy: 1e-10 }, compare: squeezer },
]
