/** A failed body takes with it the bodies of its island and those coupled to it by joints and forces, through any number of either, and their joints. */

import { expect, it } from 'vitest'
import type { Coupling } from '../../../../../core/methods/time-stepping/coupling'
import { jointsWithout, spread } from '../../../../../core/methods/time-stepping/failed-bodies'
import type { StepJoints } from '../../../../../core/methods/time-stepping/gather-joints'
import type { StepIsland } from '../../../../../core/methods/time-stepping/step-island'

/** Groups of bodies that are stepped together, and islands in contact. */
function removedWith(body: number, groups: readonly (readonly number[])[], contacts: readonly (readonly number[])[], part = new Uint8Array(10).fill(1)): number[] {
  const closure = (bodies: Iterable<number>): Set<number> => {
    const all = new Set(bodies)
    for (const each of [...all]) for (const other of groups.find(group => group.includes(each)) ?? []) all.add(other)
    return all
  }
  const removed = new Set([body])
  spread(removed, { closure } as Coupling, contacts.map(bodies => ({ bodies }) as unknown as StepIsland), part)
  return [...removed].sort((a, b) => a - b)
}

it('spreads through contacts and couplings in turn, whatever their order', () => {
  const groups = [[1, 2], [3, 4], [7, 8]]
  const contacts = [[4, 5], [2, 3], [8, 9], [0, 1]]
  expect(removedWith(0, groups, contacts)).toEqual([0, 1, 2, 3, 4, 5])
  expect(removedWith(5, groups, contacts)).toEqual([0, 1, 2, 3, 4, 5])
  expect(removedWith(7, groups, contacts)).toEqual([7, 8, 9])
  expect(removedWith(6, groups, contacts)).toEqual([6])
})

it('leaves bodies that do not take part in the step, and what only they couple', () => {
  const part = new Uint8Array(10).fill(1)
  part[2] = 0
  expect(removedWith(1, [[1, 2]], [[2, 3]], part)).toEqual([1])
})

it('removes joints, limits, drives and spins of removed bodies alone', () => {
  const element = (bodyA: number, bodyB: number) => ({ constraint: { bodyA, bodyB, bodies: [bodyA, bodyB] } })
  const joint = (bodyA: number, bodyB: number) => ({ element: element(bodyA, bodyB) })
  const all = [joint(0, 1), joint(1, 2), joint(2, 3), joint(-1, 1), joint(-1, 3)]
  const { joints, limits, drives, jointSpins } = jointsWithout(new Set([1, 4]), {
    joints: all, limits: all, drives: all.map(drive => ({ drive })), jointSpins: all,
  } as unknown as StepJoints)
  const stay = [all[2], all[4]]
  expect(joints).toEqual(stay)
  expect(limits).toEqual(stay)
  expect(drives.map(({ drive }) => drive)).toEqual(stay)
  expect(jointSpins).toEqual(stay)
})
