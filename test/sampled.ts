/** Tests of random or numerous cases: a part of the cases in the quick run, all of them in the long one. */
import { it } from 'vitest'

/** @param check tests as many cases as it is told */
export function sampled(name: string, { few, all }: { few: number; all: number }, check: (cases: number) => void | Promise<void>): void {
  it(`${name} (${few} cases)`, () => check(few))
  it(`${name} (${all} cases)`, { tags: 'long' }, () => check(all))
}
