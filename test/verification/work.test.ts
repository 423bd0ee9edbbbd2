/**
 * The engine does exactly the work recorded in work/work.json. A change that intends to alter the work or the motions runs `npm run work`, which
 * prints the differences and stores the new counts, so that readers of the change see its cost.
 */
import { expect, it } from 'vitest'
import { changes, writtenDown } from './work/record'
import { workloads } from './work/workloads'

const known = writtenDown()
const all = workloads()

it.each(all)('%s', (name, work) => {
  expect(changes(known[name], work())).toEqual([])
})

it('every recorded scene is run', () => {
  expect(Object.keys(known).sort()).toEqual(all.map(([name]) => name).sort())
})
