import { describe, expect, it } from 'vitest'
import type { Coupling } from '../../../../../core/methods/time-stepping/coupling'
import { PastFailures } from '../../../../../core/methods/time-stepping/past-failures'
import { firstPlans, planOfMeeting, UNDIVIDED, type Plan, type Way } from '../../../../../core/methods/time-stepping/step-plans'

const BODIES = [0, 1, 2, 3, 4, 5]
/** Bodies 2 and 3 are coupled. */
const coupling = { closure: (bodies: Iterable<number>) => new Set([...bodies].flatMap(body => body === 2 || body === 3 ? [2, 3] : [body])) } as Coupling

function failing(halved: readonly number[], fellBack: readonly number[]): PastFailures {
  const past = new PastFailures(BODIES.length)
  for (let step = 0; step < 2; step++) past.note(BODIES, { halved: halved.map(body => [body]), fellBack: fellBack.map(body => [body]) })
  return past
}

const told = (plans: readonly Plan[]): (readonly [Way, string])[] => plans.map(({ way, bodies }) => [way, bodies.join(' ')])

describe('the first plans of a step', () => {
  it('are one step of all bodies, even if there are none, as long as nothing has failed', () => {
    expect(told(firstPlans(BODIES, failing([], []), coupling, UNDIVIDED, true))).toEqual([['one', '0 1 2 3 4 5']])
    expect(told(firstPlans([], failing([], []), coupling, UNDIVIDED, true))).toEqual([['one', '']])
  })

  it('are other ways for bodies whose steps have failed, and for those coupled to them', () => {
    expect(told(firstPlans(BODIES, failing([5], [2]), coupling, UNDIVIDED, true))).toEqual([['one', '0 1 4'], ['halves', '5'], ['fallback', '2 3']])
    expect(told(firstPlans(BODIES, failing([3], [2]), coupling, UNDIVIDED, true))).toEqual([['one', '0 1 4 5'], ['halves', '2 3']])
  })

  it('are apart for unrelated bodies that failed', () => {
    expect(told(firstPlans(BODIES, failing([], [0, 5]), coupling, UNDIVIDED, true))).toEqual([['one', '1 2 3 4'], ['fallback', '0'], ['fallback', '5']])
  })

  it('do not halve the parts of a divided step, and are one plan for bodies that keep the same parts', () => {
    const past = failing([5], [2])
    expect(told(firstPlans(BODIES, past, coupling, { ...UNDIVIDED, times: 1 }, false))).toEqual([['one', '0 1 4 5'], ['fallback', '2 3']])
    expect(told(firstPlans(BODIES, past, coupling, { ...UNDIVIDED, together: true }, false))).toEqual([['fallback', '0 1 2 3 4 5']])
  })
})

describe('bodies that were stepped separately and met', () => {
  const of = (...ways: Way[]): Plan => planOfMeeting([3, 1, 2], [1, 3], ways.map(way => (
    { bodies: [], way, met: false, failure: { reason: '', at: [], bodies: [], divisionPoint: way === 'impact' ? { after: 0.1, islandImpacts: [] } : null } }
  )))

  it('are stepped together in the way that the one with the hardest step needed', () => {
    expect((['halves', 'impact', 'piled', 'fallback', 'one'] as const).map((_, k, all) => of(...all.slice(k).reverse()).way)).toEqual(['halves', 'impact', 'piled', 'fallback', 'one'])
    expect([of('one', 'one').way, of('one', 'piled').way]).toEqual(['one', 'piled'])
    expect(of('one').bodies).toEqual([1, 2, 3])
  })

  it('are divided at the first of their impacts', () => {
    expect(of('fallback', 'impact').failure!.divisionPoint).toEqual({ after: 0.1, islandImpacts: [] })
    expect(of('halves', 'impact').failure!.divisionPoint).toBeNull()
  })
})
