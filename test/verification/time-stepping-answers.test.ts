/** Known answers of the time-stepping method, each from its scene, with the order in which their errors fall with the step. */

import { allCases, runCases } from './run-cases'

runCases((await allCases()).filter(({ method }) => method === 'time-stepping'))
