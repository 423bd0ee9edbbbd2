/** Tells which places the tests of a file have passed: each mark sets its byte. */
import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { Order, Reach } from './order'

const { watched = [], record } = JSON.parse(readFileSync(process.env.CAIRN_MUTATE!, 'utf8')) as Order
// One array for all files: modules are loaded once, and keep the one that they have seen.
const marks = globalThis as { reached?: Uint8Array }
const reached = marks.reached ??= new Uint8Array(watched.length)
reached.fill(0)
const started = performance.now()

afterAll(() => {
  if (record === undefined) return
  const reach: Reach = {
    test: relative(process.cwd(), expect.getState().testPath!), seconds: (performance.now() - started) / 1000,
    places: [...reached.keys()].filter(index => reached[index] === 1),
  }
  appendFileSync(record, `${JSON.stringify(reach)}\n`)
})
