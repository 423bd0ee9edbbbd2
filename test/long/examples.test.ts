/** Examples that take minutes. */

import { LONG_EXAMPLES, runExamples } from '../verification/run-examples'

runExamples([...LONG_EXAMPLES])
