#!/usr/bin/env node
/** `npm run verify [-- filter]`: runs the known answers and prints their errors against the tolerances. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { status } = spawnSync(process.execPath, [
  join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'verification', '--reporter=./bin/table-reporter.js', ...process.argv.slice(2),
], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
