#!/usr/bin/env node
/** `npm run verify`: runs every known answer and prints what was expected, what came out and by how much they differ. */
import { runModule } from './run-modules.js'

await runModule('test/verification/table.ts', process.argv.slice(2))
