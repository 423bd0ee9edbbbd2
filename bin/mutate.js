#!/usr/bin/env node
/** `npm run mutate`: mutation tests of contact, methods and collision: checks whether the tests detect small faults; see docs/reliability.md. */
import { runModule } from './run-modules.js'

await runModule('test/mutate/run.ts', process.argv.slice(2))
