/** Records the places that the tests of a file reach: each mark sets its byte. */
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { RunnerTask } from 'vitest/node'
import type { Order, Reach } from './order'

const { watched = [], records } = JSON.parse(readFileSync(process.env.CAIRN_MUTATE!, 'utf8')) as Order
// One array for all files, since modules are loaded once and keep a reference to it.
const marks = globalThis as { passedPlaces?: Uint8Array }
const reached = marks.passedPlaces ??= new Uint8Array(watched.length)
reached.fill(0)
const started = performance.now()

const failed = (task: RunnerTask): boolean => task.result?.state === 'fail' || ('tasks' in task && task.tasks.some(failed))

afterAll(({}, file) => {
  const test = relative(process.cwd(), expect.getState().testPath!)
  const record = records?.[test]
  if (record === undefined) return
  const passed = [...reached.keys()].filter(index => reached[index] === 1)
  const reach: Reach = { test, seconds: (performance.now() - started) / 1000, places: failed(file as RunnerTask) ? [] : passed }
  writeFileSync(record, JSON.stringify(reach))
})
