import type { Recorded } from '../support'
import { verdict, type VerificationCase } from './case'
import { moved } from './incline'

const stones = Array.from({ length: 25 }, (_, k) => `stone-${k + 1}`)

const stands = (run: Recorded): string => stones.every(id => moved(run, id) <= 1e-9) ? 'stands' : 'falls'

/** A semicircular arch of 25 flat stones stands from a thickness of 0.1070 of its mean radius on. */
export const cases: readonly VerificationCase[] = [[0.1, 'falls'], [0.106, 'falls'], [0.108, 'stands'], [0.12, 'stands']].map(([ratio, outcome]) => ({
  title: `arch of 25 stones, t/R = ${ratio}`, scene: `arch-${ratio}`, method: 'event-driven',
  compare: run => [verdict('it', outcome as string, stands(run))],
}))
