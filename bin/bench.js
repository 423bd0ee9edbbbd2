#!/usr/bin/env node
/** `npm run bench [-- name …]`: runs test/bench/<name>.ts, or all of them. Each has a default function that prints its figures. */
import { modulesIn, runModule } from './run-modules.js'

const all = modulesIn('test/bench')
const chosen = process.argv.slice(2)
const unknown = chosen.filter(name => !all.includes(name))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}; there are: ${all.join(', ') || 'none'}.`)
  process.exit(2)
}
for (const name of chosen.length > 0 ? chosen : all) {
  console.log(`\n${name}`)
  await runModule(`test/bench/${name}.ts`)
}
