/**
 * Scenes that break other simulators [FLS*21, Erleben 2018]: no overlap in any frame. The quick ones, and the beginnings of slower ones;
 * `npm run bench -- rigid-ipc` runs all of them to their ends.
 */

import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FIXTURES } from './rigid-ipc/convert'
import { fixtures, outcome } from './rigid-ipc/run'

/** s of the slower ones; 0 leaves a scene to the benchmark. */
const BEGINNINGS: Readonly<Record<string, number>> = {
  'unit-tests/bat': 0.002, 'unit-tests/cube-falling-on-edge': 0, 'unit-tests/lever-arm': 0, 'unit-tests/tunneling': 0,
  'unit-tests/rotation/rotating-ellipsoid-intermediate': 1, 'unit-tests/rotation/rotating-ellipsoid-major': 1, 'unit-tests/rotation/rotating-ellipsoid-minor': 1,
  'unit-tests/rotation/rotating-sphere': 1,
  'unit-tests/erleben/spike-in-crack': 0.3, 'unit-tests/erleben/spike-in-hole': 0.6, 'unit-tests/erleben/wedge-in-crack': 0.3, 'unit-tests/erleben/wedges': 0.5,
}

const FOLDERS = ['unit-tests', 'unit-tests/rotation', 'unit-tests/tunnel', 'unit-tests/erleben']
const names = existsSync(FIXTURES) ? fixtures(...FOLDERS).filter(name => BEGINNINGS[name] !== 0) : []

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
