/** Every example runs its default duration to the end, and its certificate holds in every frame; the one that takes minutes is in test/long. */

import { EXAMPLES, LONG_EXAMPLES, runExamples } from './run-examples'

runExamples(EXAMPLES.filter(name => !LONG_EXAMPLES.has(name)))
