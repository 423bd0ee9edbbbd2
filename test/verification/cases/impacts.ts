import { BODY_STRIDE } from '../../../core/trajectory/frame'
import { bodyIn, indexOf, size, type Recorded } from '../support'
import { absolute, furthest, type Comparison, type VerificationCase } from './case'

const balls = ['ball-1', 'ball-2', 'ball-3']

function shares(expected: readonly number[]): (run: Recorded) => Comparison[] {
  return run => expected.map((value, k) => absolute(`speed of ball ${k + 1}, m/s`, value, bodyIn(run, balls[k]!).linearVelocity[0]!, 1e-12))
}

/** Speeds of all balls of the cradle right after the impacts of one instant, from the states in the impact events. */
function cradle(run: Recorded): Comparison[] {
  const impacts = run.events.filter(event => event.kind === 'impact')
  const first = impacts.filter(event => Math.abs(event.time - impacts[0]!.time) < 1e-9)
  const strongest = first[0]!
  const stateIn = (columns: Float64Array, side: number): number => size([...columns.subarray(side * BODY_STRIDE + 7, side * BODY_STRIDE + 10)])
  const incoming = strongest.bodyA === indexOf(run, 'ball-1') ? stateIn(strongest.before, 0) : stateIn(strongest.before, 1)
  const after = new Map<number, number>()
  for (const event of first) {
    after.set(event.bodyA, stateIn(event.after, 0))
    after.set(event.bodyB, stateIn(event.after, 1))
  }
  return [1, 2, 3, 4, 5].map(k =>
    absolute(`speed of ball ${k} ÷ that of the one let go`, k === 5 ? 1 : 0, (after.get(indexOf(run, `ball-${k}`)) ?? NaN) / incoming, 1e-12))
}

/** Only speeds are compared, so the mass is arbitrary: 1 kg. v_n = 1, v_t = 0.8 m/s, e = 0.5. */
function oblique(run: Recorded): Comparison[] {
  const normal = 1.5 / 2
  return ['rough', 'smooth'].flatMap(pair => {
    const tangential = pair === 'rough' ? 0.8 / 7 : 0.1 * normal
    // The impulse acts at R from both centres and turns both the same way: ω = J_t R/(2/5 m R²), R = 0.5 m.
    const expected = { moving: [1 - normal, 0.8 - tangential], resting: [normal, tangential] } as const
    return (['moving', 'resting'] as const).flatMap(which => {
      const { linearVelocity, angularVelocity } = bodyIn(run, `${pair}-${which}`)
      const name = `${pair}, ${which} ball`
      return [
        absolute(`${name}: v_n, m/s`, expected[which][0], linearVelocity[0]!, 1e-10),
        absolute(`${name}: v_t, m/s`, expected[which][1], linearVelocity[1]!, 1e-10),
        absolute(`${name}: ω, rad/s`, -5 * tangential, angularVelocity[2]!, 1e-10),
      ]
    })
  })
}

export const cases: readonly VerificationCase[] = [
  { title: 'three equal balls, simultaneous impact', scene: 'three-balls-simultaneous', method: 'event-driven', compare: shares([-1 / 3, 2 / 3, 2 / 3]) },
  { title: 'three equal balls, sequential impact', scene: 'three-balls-sequential', method: 'event-driven', compare: shares([0, 0, 1]) },
  { title: 'three equal balls, energy-consistent impact', scene: 'three-balls-energy-consistent', method: 'event-driven', compare: shares([0, 0, 1]) },
  {
    title: 'billiard break, energy-consistent impact', scene: 'billiard-break', method: 'event-driven', certificate: { energy: 1e-12 },
    compare: run => [
      absolute('speed of the cue ball, m/s', -1 / 5, bodyIn(run, 'cue').linearVelocity[0]!, 1e-10),
      ...(['left', 'right'] as const).map(id => absolute(`speed of the ball on the ${id}, m/s`, 2 * Math.sqrt(3) / 5, size(bodyIn(run, id).linearVelocity), 1e-10)),
      absolute('their speeds across, summed, m/s', 0, bodyIn(run, 'left').linearVelocity[1]! + bodyIn(run, 'right').linearVelocity[1]!, 1e-10),
    ],
  },
  {
    title: 'impacts never add energy', scene: 'impact-pile-up', method: 'event-driven',
    compare: run => {
      const impacts = run.events.filter(event => event.kind === 'impact')
      return [
        absolute('energy gained in the worst, J', 0, Math.max(0, ...impacts.map(event => -event.energyLoss)), 1e-10),
        absolute('at least eight impacts: 1 if so', 1, Number(impacts.length >= 8), 0),
      ]
    },
  },
  {
    title: 'Newton\'s cradle', scene: 'newtons-cradle', method: 'event-driven',
    compare: run => [...cradle(run), furthest('energy audit, every frame', run.certificates.map(c => [0, c.energy.residual] as const), 1e-8)],
  },
  { title: 'two-body oblique frictional impact', scene: 'oblique-impact', method: 'event-driven', compare: oblique },
]
