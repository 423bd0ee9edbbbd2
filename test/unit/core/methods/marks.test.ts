import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Marks } from '../../../../core/methods/marks'

function all(marks: Marks): number[] {
  const found: number[] = []
  for (; marks.next < Infinity; marks.advance()) found.push(marks.next)
  return found
}

const sorted = fc.array(fc.integer({ min: 0, max: 40 }).map(k => k / 10), { maxLength: 12 }).map(list => list.sort((a, b) => a - b))

describe('times at which a method stops', () => {
  it('come in order, each once, from all lists, after the start and up to the end', () => {
    fc.assert(fc.property(fc.array(sorted, { maxLength: 3 }), fc.array(sorted, { maxLength: 3 }), (exact, rounded) => {
      const expected = [...new Set([...exact, ...rounded].flat())].filter(time => time > 0.5 && time <= 3).sort((a, b) => a - b)
      expect(all(new Marks(exact, rounded, 0.5, 3))).toEqual(expected)
    }))
  })

  it('are the exact ones where others differ by rounding', () => {
    const rates = [3, 7, 10, 60]
    for (const rate of rates) {
      const frames = Array.from({ length: 3 * rate }, (_, k) => (k + 1) / rate)
      const period = 1 / rate
      const instants = frames.map((_, k) => (k + 1) * period)
      const off = instants.map((time, k) => time * (1 + (k % 3 - 1) * 2e-16))
      expect(all(new Marks([frames], [instants, off], 0, 3))).toEqual(frames)
    }
    expect(all(new Marks([], [[1, 2], [1 + 4e-16, 2 - 4e-16, 3]], 0, 3))).toEqual([1, 2 - 4e-16, 3])
  })

  it('may be added later', () => {
    const marks = new Marks([[1, 2, 4]], [], 0, 5)
    marks.add(0.5)
    expect(marks.next).toBe(0.5)
    marks.advance()
    marks.add(1)
    marks.add(3)
    expect(all(marks)).toEqual([1, 2, 3, 4])
    marks.add(7)
    expect(all(marks)).toEqual([7])
  })

  it('are generated one by one, however many there are', () => {
    function* ticks(): Generator<number> {
      for (let k = 1; ; k++) yield k / 1e6
    }
    const marks = new Marks([ticks()], [ticks()], 0, 1e9)
    for (let k = 1; k <= 1000; k++, marks.advance()) expect(marks.next).toBe(k / 1e6)
  })
})
