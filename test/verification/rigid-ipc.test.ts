/**
 * Scenes that break other simulators [FLS*21, Erleben 2018]: no overlap in any frame. Three of them only in
 * part: `npm run bench -- rigid-ipc` runs all to their ends.
 */

import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FIXTURES } from './rigid-ipc/convert'
import { fixtures, outcome } from './rigid-ipc/run'

/** s, where a test has no time for all of it. */
const BEGINNINGS: Readonly<Record<string, number>> = { 'unit-tests/bat': 0.01, 'unit-tests/rotation/rotating-ellipsoid-minor': 10, 'unit-tests/erleben/spike-in-hole': 0.6 }

const FOLDERS = ['unit-tests', 'unit-tests/rotation', 'unit-tests/tunnel', 'unit-tests/erleben']
const names = existsSync(FIXTURES) ? fixtures(...FOLDERS) : []

describe.skipIf(names.length === 0)('no two bodies ever overlap (skipped where the fixtures are not there)', () => {
  it.each(names)('%s', name => {
    const { status, message, overlap, penetration } = outcome(name, { duration: BEGINNINGS[name] ?? Infinity })
    if (status === 'absent') {
      expect(message).toMatch(/not there/)
      return
    }
    expect(message).toBe('')
    expect(status).toBe('completed')
    expect(overlap).toBeLessThanOrEqual(1e-12)
    expect(penetration).toBeLessThanOrEqual(1e-9)
  })
})
