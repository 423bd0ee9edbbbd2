/** Scenes that are difficult for other simulators [FLS*21; Erleben 2018], run to their end: no overlap in any frame. */

import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FIXTURES } from './rigid-ipc/convert'
import { fixtures, outcome } from './rigid-ipc/run'

const FOLDERS = ['unit-tests', 'unit-tests/rotation', 'unit-tests/tunnel', 'unit-tests/erleben']
const names = existsSync(FIXTURES) ? fixtures(...FOLDERS) : []

describe.skipIf(names.length === 0)('no two bodies ever overlap (skipped where the fixtures are not there)', () => {
  it.each(names)('%s', name => {
    const { status, message, overlap, penetration, contactTolerance } = outcome(name)
    if (status === 'absent') {
      expect(message).toMatch(/not there/)
      return
    }
    expect(message).toBe('')
    expect(status).toBe('completed')
    expect(overlap).toBeLessThanOrEqual(1e-12)
    expect(penetration).toBeLessThanOrEqual(contactTolerance)
  })
})
