/**
 * The engine does as much work as is written down in work/work.json, no more and no less. A change that means to alter it, or the motions themselves, runs
 * `npm run work`, which prints what changed and writes it down, so that whoever reads the change sees what it costs.
 */
import { expect, it } from 'vitest'
import { changes, writtenDown } from './work/record'
import { workloads } from './work/workloads'

const known = writtenDown()
const all = workloads()

it.each(all)('%s', (name, work) => {
  expect(changes(known[name], work())).toEqual([])
})

it('nothing is written down that is not done', () => {
  expect(Object.keys(known).sort()).toEqual(all.map(([name]) => name).sort())
})
