import { describe, expect, it } from 'vitest'
import { inTurns } from '../../../../main/engine/turns'

describe('long work in turns', () => {
  it('lets a request in within a few milliseconds, and costs no pause for every piece', async () => {
    const turn = inTurns()
    let answered = 0
    const asked = performance.now()
    setImmediate(() => { answered = performance.now() })
    let pieces = 0
    while (answered === 0) {
      const end = performance.now() + 0.5
      while (performance.now() < end);
      pieces++
      await turn()
      expect(performance.now() - asked, 'no request was let in').toBeLessThan(1000)
    }
    expect(pieces).toBeGreaterThan(3)
    expect(pieces).toBeLessThan(20)
  })
})
