/**
 * Known answers of the time-stepping method, each from its scene, with the order in which their errors fall with the step: by the geometrically exact
 * contact model, which is the default.
 */

import { allCases, runCases } from './run-cases'

runCases((await allCases()).filter(known => known.method === 'time-stepping'))
