/** Records, for the table of `npm run verify`, the comparison of each known answer that came nearest to its tolerance. */
import { chai } from 'vitest'

interface Measured {
  readonly value: number
  readonly limit: number
}

declare module 'vitest' {
  interface TaskMeta {
    /** The comparison that came nearest to its limit. */
    tightest?: Measured
    /** How many comparisons with a limit there were. */
    comparisons?: number
  }
}

interface Noted {
  meta: { tightest?: Measured; comparisons?: number }
}

/** Value ÷ limit; infinite for a nonzero value with the limit 0. */
const share = ({ value, limit }: Measured) => (limit === 0 ? (value === 0 ? 0 : Infinity) : Math.abs(value) / Math.abs(limit))

/** Assertions that compare a number with a limit: the compared value and limit, from the value under test and the arguments. */
const comparisons: Readonly<Record<string, (value: number, first: number, second: number | undefined) => Measured>> = {
  toBeLessThan: (value, limit) => ({ value, limit }),
  toBeLessThanOrEqual: (value, limit) => ({ value, limit }),
  toBeCloseTo: (value, expected, digits = 2) => ({ value: Math.abs(value - expected), limit: 0.5 * 10 ** -digits }),
}

/** Files of a worker share modules and thus assertions, which are replaced once. */
const shared = globalThis as { isMeasured?: boolean }

if (!shared.isMeasured) chai.use((_, utils) => {
  shared.isMeasured = true
  for (const [name, compared] of Object.entries(comparisons)) {
    utils.overwriteMethod(chai.Assertion.prototype, name, (original: (...args: unknown[]) => unknown) => function (this: object, first: unknown, second?: number) {
      const value: unknown = utils.flag(this, 'object')
      const test = utils.flag(this, 'vitest-test') as Noted | undefined
      if (test && typeof value === 'number' && typeof first === 'number') note(test.meta, compared(value, first, second))
      return original.call(this, first, second)
    })
  }
})

function note(meta: Noted['meta'], measured: Measured): void {
  meta.comparisons = (meta.comparisons ?? 0) + 1
  if (!meta.tightest || share(measured) > share(meta.tightest)) meta.tightest = measured
}
