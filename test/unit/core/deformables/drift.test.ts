import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Drift } from '../../../../core/deformables/contact/drift'
import { CONTACT, Links } from '../../../../core/deformables/contact/links'
import { renew } from '../../../../core/deformables/contact/penalties'
import { carriers } from '../../../../core/deformables/contact/carriers'

/** N: load of a plate on props. */
const LOAD = 10
/** N/m */
const PENALTY = 1
const NOBODY = carriers([])

/** A plate on props of these heights, m, that rests on the highest only. @returns the load of each, N, and the number of renewals */
function stand(heights: readonly number[], first: readonly number[], drift: Drift | null, most = 20_000) {
  const links = new Links(NOBODY)
  heights.forEach((_, i) => {
    links.add(CONTACT, 0, i, 0)
    links.pressures[i] = first[i]!
  })
  for (let round = 1; round <= most; round++) {
    // Height of the plate for these multipliers: contact forces decrease with its height.
    let [low, high] = [Math.min(...heights) - LOAD / PENALTY - 1, Math.max(...heights) + LOAD + 1]
    for (let k = 0; k < 100; k++) {
      const middle = (low + high) / 2
      const sum = heights.reduce((total, height, i) => total + Math.max(0, links.pressures[i]! - PENALTY * (middle - height)), 0)
      if (sum > LOAD) low = middle
      else high = middle
    }
    heights.forEach((height, i) => {
      links.presses[i] = Math.max(0, links.pressures[i]! - PENALTY * (low - height))
      links.forces[3 * i] = links.presses[i]!
      links.normals[3 * i] = 1
    })
    const open = Math.max(renew(links), drift?.follow(links) ?? 0)
    if (open < 1e-12) return { carried: heights.map((_, i) => links.pressures[i]!), rounds: round }
  }
  return { carried: heights.map((_, i) => links.pressures[i]!), rounds: most }
}

it('the load of a slightly lower support moves to the other in a few multiplier updates, not in thousands', () => {
  const [heights, first] = [[0, 1e-3], [LOAD, 0]] as const
  const alone = stand(heights, first, null)
  const led = stand(heights, first, new Drift())
  expect(alone.rounds).toBeGreaterThan(10_000)
  expect(led.rounds).toBeLessThan(20)
  for (const { carried } of [alone, led]) carried.forEach((force, i) => { expect(force).toBeCloseTo([0, LOAD][i]!, 9) })
})

it('leads to the highest of several supports, whichever carries first', () => {
  const parts = fc.array(fc.record({ height: fc.integer({ min: 0, max: 10_000 }), share: fc.integer({ min: 0, max: 9 }) }), { minLength: 2, maxLength: 5 })
  fc.assert(fc.property(parts, props => {
    const heights = props.map(({ height }, i) => (10 * height + i) * 1e-6)
    const total = props.reduce((sum, { share }) => sum + share, 0) || 1
    const { carried, rounds } = stand(heights, props.map(({ share }) => share * LOAD / total), new Drift(), 2_000)
    const highest = heights.indexOf(Math.max(...heights))
    expect(rounds).toBeLessThan(2_000)
    carried.forEach((force, i) => { expect(force).toBeCloseTo(i === highest ? LOAD : 0, 6) })
  }))
})

it('does not extrapolate multipliers that converge by themselves, or change direction', () => {
  const links = new Links(NOBODY)
  links.add(CONTACT, 0, 0, 0)
  const drift = new Drift()
  for (const pressure of [8, 4, 2, 1, 0.5]) {
    links.pressures[0] = pressure
    expect(drift.follow(links)).toBe(0)
  }
  for (const pressure of [5, 4, 5, 4, 5]) {
    links.pressures[0] = pressure
    expect(drift.follow(links)).toBe(0)
  }
})

it('does not extrapolate multipliers that continue in another direction', () => {
  const links = new Links(NOBODY)
  for (const i of [0, 1]) links.add(CONTACT, 0, i, 0)
  const drift = new Drift()
  for (const pressures of [[9, 5], [8, 5], [7, 6], [7, 7]]) {
    links.pressures.set(pressures)
    expect(drift.follow(links)).toBe(0)
  }
})

it('restarts when a contact is added, and in every step', () => {
  const links = new Links(NOBODY)
  links.add(CONTACT, 0, 0, 0)
  const drift = new Drift()
  const follow = (pressure: number) => {
    links.pressures[0] = pressure
    return drift.follow(links)
  }
  expect([follow(9), follow(8.9)]).toEqual([0, 0])
  links.add(CONTACT, 0, 1, 0)
  expect([follow(8.8), follow(8.7)]).toEqual([0, 0])
  drift.forget()
  expect([follow(8.6), follow(8.5)]).toEqual([0, 0])
  expect(follow(8.4)).toBeCloseTo(8.4, 9)
  expect(links.pressures[0]).toBeCloseTo(0, 9)
})
