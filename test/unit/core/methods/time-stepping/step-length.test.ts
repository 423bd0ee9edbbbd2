import { describe, expect, it } from 'vitest'
import type { StepContext } from '../../../../../core/methods/time-stepping/context'
import { lengthLike, stepLength } from '../../../../../core/methods/time-stepping/step-length'

const at = (time: number, step: number): StepContext => ({ time, step }) as StepContext

describe('the length of a step', () => {
  it('is the same between all frames, although their times are rounded', () => {
    for (const rate of [60, 100, 240, 1000]) {
      const step = 1 / rate
      const differences = new Set<number>()
      for (let frame = 0; frame < 20_000; frame++) {
        differences.add((frame + 1) / rate - frame / rate)
        expect(stepLength(at(frame / rate, step), (frame + 1) / rate)).toBe(step)
      }
      expect(differences.size).toBeGreaterThan(1)
    }
  })

  it('is a half, a quarter and so on of that for halved steps', () => {
    const step = 1 / 240
    for (let frame = 0; frame < 1000; frame++) {
      const [from, to] = [frame / 240, (frame + 1) / 240]
      for (const parts of [2, 4, 8, 64]) {
        for (let k = 0; k < parts; k++) expect(stepLength(at(from + (to - from) * k / parts, step), from + (to - from) * (k + 1) / parts)).toBe(step / parts)
      }
    }
  })

  it('is the difference of the times if that exceeds rounding', () => {
    expect(stepLength(at(0.1, 1 / 60), 0.113)).toBe(0.113 - 0.1)
    expect(lengthLike(0.01, 1, 1.01 + 1e-12)).toBe(1.01 + 1e-12 - 1)
    expect(lengthLike(0.01, 1, 1.01)).toBe(0.01)
  })
})
