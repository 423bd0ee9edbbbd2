/** Tests of many cases: some of them in the quick run, all of them in the long one. */
import { it } from 'vitest'

/** @param check tests the given number of cases */
export function sampled(name: string, { few, all }: { few: number; all: number }, check: (cases: number) => void | Promise<void>): void {
  it(`${name} (${few} cases)`, () => check(few))
  it(`${name} (${all} cases)`, { tags: 'long' }, () => check(all))
}
