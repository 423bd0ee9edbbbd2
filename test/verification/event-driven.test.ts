/** Known answers of the event-driven method, each from its scene. */

import { allCases, runCases } from './run-cases'

runCases((await allCases()).filter(known => known.method === 'event-driven'))
