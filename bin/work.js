#!/usr/bin/env node
/** `npm run work`: what the engine does for some small things, counted and written down anew, with what changed; see docs/reliability.md. */
import { runModule } from './run-modules.js'

await runModule('test/verification/work/record.ts')
