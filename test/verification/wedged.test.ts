/**
 * The Lewis mechanism: a wedge rises between sliders in a slot. Its slope is below the friction angle, so that no impulse opens a contact of a slider again once
 * it is wedged; steps that took over from the event-driven method at such an instant found overlaps of rounding size and stopped.
 */

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { recorded, worst } from './support'

const file = resolve(import.meta.dirname, '../../../shared/reference/failures/lewis-StepSizeUnderflow/smaller-3-dynamic.cairn.json')

it.skipIf(!existsSync(file))('two sliders that get wedged in a slot go on, without overlap', () => {
  const run = recorded(JSON.parse(readFileSync(file, 'utf8')) as object)
  expect(run.end.status).toBe('completed')
  expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThanOrEqual(1e-12)
})
