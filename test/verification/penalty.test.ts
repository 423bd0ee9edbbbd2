// @module-tag long
/** Known answers of the penalty method, each from its scene. */

import { allCases, runCases } from './run-cases'

runCases((await allCases()).filter(known => known.method === 'penalty'))
