/**
 * The table of known answers that the suite must contain, row by row: the scenes of each answer, and its tolerance. A row without its scene, case or
 * tolerance fails (`scenes.test.ts`, `run-cases.ts`).
 */

import type { VerificationCase } from './cases/case'

/** Beginning of the name of a quantity that a case compares, and the largest tolerance that it may have there. */
export type Answer = readonly [quantity: string, tolerance: number]

export interface TableRow {
  readonly case: string
  /** By scene. */
  readonly 'event-driven': Readonly<Record<string, readonly Answer[]>>
  /** Scenes stepped at 1/240 s unless they say otherwise, each with its order of convergence if the table asks for it. */
  readonly 'time-stepping': readonly string[]
  /** The answer is a word, which has no order of convergence. */
  readonly verdict?: true
}

const bouncing = (e: number, stops = true): Record<string, readonly Answer[]> => ({
  [`bouncing-ball-${e}`]: [['times of', 1e-9], ['height after the first', 1e-9], ...stops ? [['stop time', 1e-6]] as const : []],
})
const arch = (ratio: number): Record<string, readonly Answer[]> => ({ [`arch-${ratio}`]: [['it', 0]] })

export const TABLE: readonly TableRow[] = [
  { case: 'free fall, projectile', 'event-driven': { projectile: [['position', 1e-12]] }, 'time-stepping': ['projectile'] },
  {
    case: 'bouncing ball, e = 0.5, 0.8, 0.9, 1',
    'event-driven': { ...bouncing(0.5), ...bouncing(0.8), ...bouncing(0.9), ...bouncing(1, false) },
    'time-stepping': ['bouncing-ball-0.5', 'bouncing-ball-0.8', 'bouncing-ball-0.9', 'bouncing-ball-1'],
  },
  {
    case: 'block on incline below/above tan⁻¹μ',
    'event-driven': {
      'block-at-rest': [['drift', 1e-12], ['friction', 1e-9]], 'block-sliding-down': [['acceleration', 1e-9]],
      'static-and-dynamic-friction': [['drift', 1e-12], ['speed', 1e-9]],
    },
    'time-stepping': ['block-at-rest', 'block-sliding-down', 'static-and-dynamic-friction'],
  },
  { case: 'sliding block decelerates to a stop', 'event-driven': { 'sliding-block-stops': [['stop time', 1e-9], ['distance', 1e-9]] }, 'time-stepping': ['sliding-block-stops'] },
  {
    case: 'sphere, cylinder, hoop rolling down',
    'event-driven': {
      'rolling-down': [['acceleration of the sphere', 1e-8], ['acceleration of the cylinder', 1e-8], ['acceleration of the hoop', 1e-8]],
      'rolling-or-slipping': [['mode with μ 1e-6 above', 0], ['mode with μ 1e-6 below', 0]],
    },
    'time-stepping': ['rolling-down'],
  },
  { case: 'sliding ball starts rolling', 'event-driven': { 'sliding-ball-rolls': [['time', 1e-8], ['speed', 1e-8]] }, 'time-stepping': ['sliding-ball-rolls'] },
  { case: 'block tipping', 'event-driven': { 'block-tipping': [['turning of the block 1e-6 rad too wide', 1e-12], ['turns of the one 1e-6 rad', 0]] }, 'time-stepping': ['block-tipping'] },
  { case: 'free asymmetric top', 'event-driven': { 'free-asymmetric-top': [['ω over 100 s', 1e-8], ['|L|', 1e-8], ['energy audit', 1e-8]] }, 'time-stepping': ['free-asymmetric-top'] },
  { case: 'heavy symmetric top', 'event-driven': { 'heavy-symmetric-top': [['centre', 1e-8]] }, 'time-stepping': ['heavy-symmetric-top'] },
  {
    case: 'physical, compound, conical, double pendulum',
    'event-driven': {
      'physical-pendulum': [['angle, let go at 0.1', 1e-8], ['angle, let go at 3.1', 1e-8], ['energy audit', 1e-8]],
      'spherical-pendulum': [['cos θ', 1e-8]],
      'conical-pendulum': [['on-ball-joint', 1e-8], ['on-rod', 1e-8]], 'double-pendulum': [['energy kept', 1e-8]],
    },
    'time-stepping': ['physical-pendulum', 'compound-pendulum', 'conical-pendulum', 'spherical-pendulum', 'double-pendulum'],
  },
  { case: 'falling rod, frictionless floor', 'event-driven': { 'falling-rod': [['θ̇²', 1e-8], ['centre sideways', 1e-8]] }, 'time-stepping': ['falling-rod'] },
  { case: 'falling ladder', 'event-driven': { 'falling-ladder': [['leaves the wall', 1e-7]] }, 'time-stepping': ['falling-ladder'] },
  {
    case: 'ellipsoid rocking on a plane',
    'event-driven': { 'rocking-ellipsoid': [['energy audit', 1e-8]], 'rocking-ellipsoid-slightly': [['period by quadrature', 1e-8], ['energy audit', 1e-8]] }, 'time-stepping': [],
  },
  {
    case: 'three equal balls, e = 1, one hits two at rest in contact',
    'event-driven': { 'three-balls-simultaneous': [['speed of ball 1', 1e-12], ['speed of ball 3', 1e-12]], 'three-balls-sequential': [['speed of ball 1', 1e-12], ['speed of ball 3', 1e-12]] },
    'time-stepping': ['three-balls-simultaneous', 'three-balls-sequential'],
  },
  {
    case: 'push at 45° to the friction axes',
    'event-driven': { 'push-at-45-degrees': [['acceleration at 0°', 1e-10], ['acceleration at 45°', 1e-10]] }, 'time-stepping': ['push-at-45-degrees'],
  },
  { case: 'free box of scpeters/benchmark', 'event-driven': { 'free-box': [['ωx at 10 s', 1e-7], ['energy', 1e-8], ['|L|', 1e-8]] }, 'time-stepping': ['free-box'] },
  { case: 'Newton\'s cradle (sequential)', 'event-driven': { 'newtons-cradle': [['speed of ball 1', 1e-12], ['speed of ball 5', 1e-12]] }, 'time-stepping': [] },
  { case: 'two-body oblique frictional impact', 'event-driven': { 'oblique-impact': [['rough, moving ball: v_t', 1e-10], ['smooth, moving ball: v_t', 1e-10]] }, 'time-stepping': [] },
  {
    case: 'Painlevé rod',
    'event-driven': {
      'painleve-consistent': [['critical μ', 5e-6], ['forces exist', 0]], 'rod-indeterminate': [['solutions', 0], ['force of the first', 1e-12], ['force of the second', 1e-12]],
      'rod-inconsistent': [['forces exist', 0], ['slip of the tip right after', 1e-12]],
    },
    'time-stepping': [],
  },
  { case: 'chair on four legs', 'event-driven': { chair: [['force of each leg', 1e-10], ['least force', 1e-10], ['greatest force', 1e-10]] }, 'time-stepping': ['chair'] },
  {
    case: 'stack of 10, 20; mass ratio 1:1000',
    'event-driven': {
      'stack-of-10': [['forces', 1e-9], ['drift', 1e-9]], 'stack-of-20': [['forces', 1e-9], ['drift', 1e-9]], 'mass-ratio-1000': [['forces', 1e-9], ['drift', 1e-9]],
    },
    'time-stepping': ['stack-of-10', 'stack-of-20', 'mass-ratio-1000'],
  },
  {
    case: 'semicircular arch, 25 stones', 'event-driven': { ...arch(0.1), ...arch(0.106), ...arch(0.108), ...arch(0.12) },
    'time-stepping': ['arch-0.1', 'arch-0.106', 'arch-0.108', 'arch-0.12'], verdict: true,
  },
  {
    case: 'four-bar, slider–crank, Bricard, flyball governor, Andrews\' squeezer',
    'event-driven': {
      'four-bar': [['pin of coupler and rocker', 1e-9], ['square of the crank', 1e-8]], 'slider-crank': [['piston', 1e-9]], bricard: [['sin φ₁', 1e-9]],
      'flyball-governor': [['height of the sleeve', 1e-8]], 'andrews-squeezer': [['β at 0.03 s', 2e-9], ['their rates', 1e-9]],
    },
    'time-stepping': [],
  },
]

/** What the table asks of a case with its scene's own settings. */
export function answersOf({ scene, method, simulation }: VerificationCase): readonly Answer[] {
  if (method !== 'event-driven' || simulation !== undefined) return []
  const row = TABLE.find(({ 'event-driven': scenes }) => scene in scenes)
  return row?.['event-driven'][scene] ?? []
}
