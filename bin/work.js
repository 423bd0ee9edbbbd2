#!/usr/bin/env node
/** `npm run work`: recounts the engine's work for small problems, writes the counts and prints what changed; see docs/reliability.md. */
import { runModule } from './run-modules.js'

await runModule('test/verification/work/record.ts')
