#!/usr/bin/env node
/** `npm run mutate`: small faults put into the code of contact, methods and collision, to see whether the tests find them; see docs/reliability.md. */
import { runModule } from './run-modules.js'

await runModule('test/mutate/run.ts', process.argv.slice(2))
