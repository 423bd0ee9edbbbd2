import { describe, expect, it } from 'vitest'
import { residual } from '../../../../core/lcp'
import { dantzig, fastDantzig } from '../../../../core/lcp/dantzig'
import { bySubsets, slidingContacts } from '../../../../core/lcp/closed-subset'
import { mayBeIndeterminate } from '../../../../core/lcp/uniqueness'
import { randomProblem } from './problems'

describe('sliding contacts assumed closed or open', () => {
  it('have one solution if the motion is unique, which is the one found with all of them free to separate', () => {
    let closed = 0
    let parted = 0
    for (let seed = 1; seed <= 200; seed++) {
      const problem = randomProblem(seed, 'acceleration', 30)
      const sliding = slidingContacts(problem)
      if (sliding.length === 0 || sliding.length > 3 || mayBeIndeterminate(problem)) continue
      const free = dantzig.solve(problem)
      if (free.status !== 'solved') continue
      const found = [...bySubsets(problem, 1e-10, reduced => {
        expect(slidingContacts(reduced)).toEqual([])
        return fastDantzig.solve(reduced)
      })]
      expect(found.length, `seed ${seed}`).toBeGreaterThan(0)
      const scale = Math.max(...problem.b.map(Math.abs))
      for (const { f, a } of found) {
        expect(residual(problem, f, a)).toBeLessThanOrEqual(1e-10)
        expect(Math.max(...a.map((value, i) => Math.abs(value - free.a[i]!))), `seed ${seed}`).toBeLessThan(1e-7 * scale)
      }
      for (const { normal } of sliding) if (free.f[normal]! > 1e-6) closed++
      for (const { normal } of sliding) if (free.a[normal]! > 1e-6) parted++
    }
    expect(closed).toBeGreaterThan(10)
    expect(parted).toBeGreaterThan(5)
  })
})
