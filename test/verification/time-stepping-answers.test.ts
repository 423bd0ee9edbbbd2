/**
 * Known answers of the time-stepping method, each from its scene, with the order in which their errors fall with the step: by the geometrically exact
 * contact model, which is the default, and those of polyhedra and balls that take little time by the standard model too.
 */

import { allCases, runCases } from './run-cases'

const stepped = (await allCases()).filter(({ method }) => method === 'time-stepping')

const STANDARD = [
  'bouncing-ball-0.5', 'bouncing-ball-0.8', 'bouncing-ball-1', 'block-at-rest', 'block-sliding-down', 'static-and-dynamic-friction', 'rolling-down', 'sliding-ball-rolls',
  'sliding-block-stops', 'block-tipping', 'falling-rod', 'falling-ladder', 'chair', 'three-balls-simultaneous', 'three-balls-sequential',
  'three-balls-energy-consistent', 'push-at-45-degrees', 'rolling-or-slipping', 'bouncing-ball-0.9', 'newtons-cradle', 'impact-pile-up', 'stack-of-10', 'stack-of-20',
  'mass-ratio-1000', 'arch-0.1', 'arch-0.106', 'arch-0.108', 'arch-0.12',
]

runCases(stepped)
runCases(stepped.filter(({ scene }) => STANDARD.includes(scene)).map(known => ({
  ...known, title: `${known.title}, standard contact model`, simulation: { ...known.simulation, timeStepping: { ...known.simulation!.timeStepping as object, contactModel: 'standard' } },
})))
