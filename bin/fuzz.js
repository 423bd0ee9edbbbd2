#!/usr/bin/env node
/** `npm run fuzz`: random scenes, texts, run files, meshes, scripts and requests; see docs/reliability.md. */
import { runModule } from './run-modules.js'

await runModule('test/fuzz/run.ts', process.argv.slice(2))
