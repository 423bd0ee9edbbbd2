import { describe, expect, it } from 'vitest'
import type { ContactFrame } from '../../../../core/trajectory/frame'
import { ContactOrder, titleRanks, type ContactColumn } from '../../../../renderer/state/contact-order'

const header = { bodyIds: ['c', 'a', 'b'], deformableIds: ['sheet'] }
const ranks = titleRanks(header, id => id)

/** Contacts of bodies with these normal forces, gaps and features of A. */
function frame(rows: readonly { readonly a: number; readonly n: number; readonly gap?: number; readonly feature?: number }[]): ContactFrame {
  const ints = (of: (row: typeof rows[number]) => number) => Int32Array.from(rows, of)
  return {
    count: rows.length, bodyA: ints(row => row.a), bodyB: ints(() => 0), mode: ints(() => 1), featureKindA: ints(() => 2), featureA: ints(row => row.feature ?? 0),
    featureKindB: ints(() => 0), featureB: ints(() => 0), normalForce: Float64Array.from(rows, row => row.n), gap: Float64Array.from(rows, row => row.gap ?? 0),
    frictionForce: Float64Array.from(rows.flatMap(row => [row.n, 0, 0])), coneUsage: new Float64Array(rows.length),
  } as unknown as ContactFrame
}
const all = () => true
const sorted = (contacts: ContactFrame, column: ContactColumn, descending = false, order = new ContactOrder()) =>
  order.sorted(contacts, all, column, descending, ranks)

describe('the order of contacts in the table', () => {
  it('is by number, equal ones in the order of the frame', () => {
    const contacts = frame([{ a: 0, n: 5 }, { a: 1, n: 7 }, { a: 2, n: 5 }, { a: 1, n: 11 }])
    expect(sorted(contacts, 'normalForce')).toEqual([0, 2, 1, 3])
    expect(sorted(contacts, 'normalForce', true)).toEqual([3, 1, 0, 2])
    expect(sorted(contacts, 'frictionForce', true)).toEqual([3, 1, 0, 2])
  })

  it('is by title of bodies and deformables, and by number of features', () => {
    const contacts = frame([{ a: 0, n: 1, feature: 10 }, { a: 1, n: 1, feature: 9 }, { a: 3, n: 1, feature: 2 }, { a: 2, n: 1, feature: 30 }])
    expect(sorted(contacts, 'bodyA')).toEqual([1, 3, 0, 2])
    expect(sorted(contacts, 'features')).toEqual([2, 1, 0, 3])
  })

  it('does not depend on the frames before', () => {
    const order = new ContactOrder()
    const contacts = frame([3, 1, 2, 2, 9].map(n => ({ a: 0, n })))
    sorted(frame([9, 8, 7, 1, 2].map(n => ({ a: 0, n }))), 'normalForce', true, order)
    sorted(frame([4, 4].map(n => ({ a: 0, n }))), 'normalForce', false, order)
    expect(sorted(contacts, 'normalForce', false, order)).toEqual(sorted(contacts, 'normalForce'))
  })

  it('puts numbers that are not known first, and leaves out what the filter hides', () => {
    const contacts = frame([{ a: 0, n: 2 }, { a: 0, n: NaN }, { a: 0, n: 1 }, { a: 0, n: NaN }])
    expect(sorted(contacts, 'normalForce')).toEqual([1, 3, 2, 0])
    expect(new ContactOrder().sorted(contacts, (_, i) => i !== 3, 'normalForce', true, ranks)).toEqual([0, 2, 1])
  })
})
