import { setImmediate as macrotask } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inTurns } from '../../../../main/engine/turns'

afterEach(() => vi.restoreAllMocks())

describe('long work in turns', () => {
  it('lets a request in after four milliseconds of work, and not after every piece', async () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const turn = inTurns()
    const answered: number[] = []
    let pieces = 0
    for (; pieces < 40; pieces++) {
      if (pieces % 8 === 0) void macrotask().then(() => answered.push(pieces))
      now += 0.5
      await turn()
    }
    // Each was asked before the first of eight pieces, and answered during the wait after the last of them.
    expect(answered).toEqual([7, 15, 23, 31, 39])
  })
})
