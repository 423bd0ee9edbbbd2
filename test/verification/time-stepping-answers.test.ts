/**
 * Known answers of the time-stepping method, each from its scene, with the order of convergence in the step, by the geometrically exact contact
 * model, which is the default.
 */

import { allCases, runCases } from './run-cases'

runCases((await allCases()).filter(known => known.method === 'time-stepping'))
