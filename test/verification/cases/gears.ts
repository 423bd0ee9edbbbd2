import { bodyIn, size, type Recorded } from '../support'
import { absolute, furthest, relative, type Comparison, type VerificationCase } from './case'

/** Teeth give both shafts λ and the housing −2 λ, N m; their accelerations, rad/s², keep α_left + α_right = 2 α_housing. */
const teeth = (2 * 0.6 / 0.06 + 0.1 / 0.03) / (1 / 0.02 + 1 / 0.03 + 4 / 0.06)
const differential = { housing: (0.6 - 2 * teeth) / 0.06, left: teeth / 0.02, right: (teeth - 0.1) / 0.03 }
/** The arm turns with the link's mass at its end, and the link at 1 − 3 times its rate. */
const swing = 2 / (0.06 + 2 * 0.3 * 0.3 + 0.6 * 0.6 + 4 * 0.02)
/** Accelerations: of the pinion, rad/s², with the rack's mass reduced because the cart gives way; of the rack relative to the cart, and of the cart, m/s². */
const crank = 0.05 / (0.008 + 0.1 * 0.1 * 2 * 5 / 7)
const rolled = 0.1 * crank * 2 / 7

const rates = (run: Recorded): (readonly [string, number, number])[] => [
  ...(['housing', 'left', 'right'] as const).map(id => [`ω of the ${id}`, differential[id], bodyIn(run, id).angularVelocity[0]!] as const),
  ['ω of the arm', swing, bodyIn(run, 'arm').angularVelocity[2]!], ['ω of the link', -2 * swing, bodyIn(run, 'link').angularVelocity[2]!],
  ['ω of the pinion', crank, bodyIn(run, 'pinion').angularVelocity[1]!],
  ['v of the rack', rolled - 0.1 * crank, bodyIn(run, 'rack').linearVelocity[0]!], ['v of the cart', rolled, bodyIn(run, 'cart').linearVelocity[0]!],
]

/** Positions after t: ½ a t² each, over any number of turns. */
const places = (run: Recorded): (readonly [number, number])[] => {
  const t2 = run.frames.at(-1)!.time ** 2 / 2
  const joint = (id: string): number => run.joints.at(-1)!.position[run.header.jointIds.indexOf(id)]!
  return [
    [differential.housing * t2, joint('bearing')], [(differential.left - differential.housing) * t2, joint('left-shaft')],
    [(differential.right - differential.housing) * t2, joint('right-shaft')], [swing * t2, joint('shoulder')], [-3 * swing * t2, joint('elbow')],
    [crank * t2, joint('axle')], [-0.1 * crank * t2, joint('guide')], [rolled * t2, bodyIn(run, 'cart').position[0]!],
  ]
}

const compare = (run: Recorded, rate: number, place: number): Comparison[] => [
  ...rates(run).map(([what, acceleration, got]) => relative(`${what} at the end`, run.frames.at(-1)!.time * acceleration, got, rate)),
  furthest('positions of the joints, rad or m', places(run), place),
  absolute('momentum of the cart and what is on it, kg m/s', 0, run.frames.reduce((worst, frame) => Math.max(worst, Math.abs(
    4 * bodyIn(run, 'cart', frame).linearVelocity[0]! + bodyIn(run, 'pinion', frame).linearVelocity[0]! + 2 * bodyIn(run, 'rack', frame).linearVelocity[0]!)), 0), 1e-10),
  // The teeth do not move the centres of the shafts and the housing.
  absolute('shift of the shafts, m', 0, size(bodyIn(run, 'left').position.map((x, k) => x - [-0.5, 0, 0][k]!)), 1e-10),
]

export const cases: readonly VerificationCase[] = [
  {
    title: 'gears on frames that move', scene: 'gears-on-moving-frames', method: 'event-driven', certificate: { joints: 1e-11 },
    compare: run => compare(run, 1e-9, 1e-8),
  },
  {
    title: 'gears on frames that move', scene: 'gears-on-moving-frames', method: 'time-stepping', simulation: { duration: 0.5, timeStepping: { step: 1 / 240 } },
    compare: run => compare(run, 1e-6, 1e-5),
    convergence: { quantity: 'positions, rad or m', exact: 1e-5, error: run => Math.max(...places(run).map(([expected, got]) => Math.abs(got - expected))) },
  },
]
