#!/usr/bin/env node
/**
 * `npm run bench [-- name … [--option …]]`: runs test/bench/<name>.ts, or all of them. Each exports a default function that prints its figures and
 * gets the arguments from the first option on. The script in package.json sets the same size of V8's young generation as for the application's runs.
 */
import { modulesIn, runModule } from './run-modules.js'

const all = modulesIn('test/bench')
const words = process.argv.slice(2)
const firstOption = words.findIndex(word => word.startsWith('-'))
const chosen = firstOption < 0 ? words : words.slice(0, firstOption)
const options = firstOption < 0 ? [] : words.slice(firstOption)
const unknown = chosen.filter(name => !all.includes(name))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}; there are: ${all.join(', ') || 'none'}.`)
  process.exit(2)
}
if (options.length > 0 && chosen.length !== 1) {
  console.error(`The options ${options.join(' ')} belong to one benchmark: name it before them.`)
  process.exit(2)
}
for (const name of chosen.length > 0 ? chosen : all) {
  console.log(`\n${name}`)
  await runModule(`test/bench/${name}.ts`, options)
}
