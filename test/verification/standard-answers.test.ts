// @module-tag long
/** Known answers of polyhedra and balls by the standard contact model, which is not the default. */

import { allCases, runCases } from './run-cases'

const STANDARD = [
  'bouncing-ball-0.5', 'bouncing-ball-0.8', 'bouncing-ball-1', 'block-at-rest', 'block-sliding-down', 'static-and-dynamic-friction', 'rolling-down', 'sliding-ball-rolls',
  'sliding-block-stops', 'block-tipping', 'falling-rod', 'falling-ladder', 'chair', 'three-balls-simultaneous', 'three-balls-sequential',
  'three-balls-energy-consistent', 'push-at-45-degrees', 'rolling-or-slipping', 'bouncing-ball-0.9', 'newtons-cradle', 'impact-pile-up', 'stack-of-10', 'stack-of-20',
  'mass-ratio-1000', 'arch-0.1', 'arch-0.106', 'arch-0.108', 'arch-0.12',
]

runCases((await allCases()).filter(({ method, scene }) => method === 'time-stepping' && STANDARD.includes(scene)).map(known => ({
  ...known, title: `${known.title}, standard contact model`, simulation: { ...known.simulation, timeStepping: { ...known.simulation!.timeStepping as object, contactModel: 'standard' } },
})))
