/** Known answers of the event-driven method, each from its scene; those that take long are in test/long. */

import { allCases, runCases, takesLong } from './run-cases'

runCases((await allCases()).filter(known => known.method === 'event-driven' && !takesLong(known)))
