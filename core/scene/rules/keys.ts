import type { Path } from '../path'
import type { RuleContext } from './context'

/** `start` of keys that may begin at 0: each holds from its time on. */
export const BEFORE_ALL = -Infinity

/** Keys of a motion: their times increase from `start` on, s. */
export function checkKeyTimes({ list }: RuleContext, keys: readonly { readonly time: number }[], start: number, path: Path, owner: readonly string[]): void {
  let before = start
  keys.forEach(({ time }, i) => {
    if (!(time > before)) {
      list.report('InvalidKeys', [...path, i, 'time'], `Key times must increase; the previous one is ${before}`, { value: time, allowed: `a number > ${before}`, ids: owner })
    }
    before = Math.max(before, time)
  })
}
