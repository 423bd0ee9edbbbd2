/** Work and impacts of the impulses of a substep, accounted for at its end, and the impulses stored to warm-start the next one. */

import { JACOBIAN_WIDTH } from '../../../dynamics/joints/joint'
import { BOUNCE } from '../settings'
import type { StepProblem } from '../step-problem'
import type { HeapBodies } from './heap-bodies'
import type { HeapContacts } from './heap-contacts'
import type { HeapImpacts } from './heap-impacts'
import type { HeapPairs } from './heap-pairs'

/** J: work of the contact impulses by normals, by friction, and on kinematic bodies; energy that substeps lose (< 0) or gain by themselves. */
export interface HeapWorks {
  normal: number
  friction: number
  kinematic: number
  numerical: number
}

interface Solved {
  readonly contacts: HeapContacts
  readonly pairs: HeapPairs
  readonly problem: StepProblem | null
  readonly bodies: HeapBodies
  readonly works: HeapWorks
  readonly impacts: HeapImpacts
}

/** @param restingSpeed m/s: slower approaches do not count as impacts */
export function book({ contacts, pairs, problem, bodies: columns, works, impacts }: Solved, restingSpeed: number, h: number): void {
  const { velocity, before, inverseMass, bodies } = columns
  const { rows, p } = problem!
  const { impulses, rows: along } = contacts
  for (let k = 0; k < contacts.count; k++) {
    const row = contacts.row[k]!
    const pair = contacts.pairs[k]!
    const end = row + (contacts.friction[k]! > 0 ? 3 : 1)
    const o = 3 * k
    // The first three entries of a row act on A's linear velocity.
    for (let j = 0; j < 3; j++) {
      let sum = 0
      for (let i = row; i < end; i++) sum += p[i]! * rows.jacobian[JACOBIAN_WIDTH * i + j]!
      impulses[o + j] = sum
      along[o + j] = row + j < end ? p[row + j]! : 0
    }
    if (p[row] === 0) continue
    pairs.memory(pair).remember(contacts, k, h)
    const approach = contacts.approach[k]!
    const after = rows.along(row, velocity)
    works.normal += p[row]! * (approach + after) / 2
    if (-approach > restingSpeed) impacts.add(contacts, pairs, k, approach, after, impactWork(p[row]!, approach, after, contacts.unmet[k]! - approach))
    for (let i = row + 1; i < end; i++) works.friction += p[i]! * (rows.along(i, before) + rows.along(i, velocity)) / 2
    const bodyB = pairs.bodyB[pair]!
    if (inverseMass[bodyB] !== 0 || bodies[bodyB]!.type !== 'kinematic') continue
    for (let i = row; i < end; i++) {
      for (let j = 0; j < 6; j++) works.kinematic -= p[i]! * rows.jacobian[JACOBIAN_WIDTH * i + 6 + j]! * before[6 * bodyB + j]!
    }
  }
}

/**
 * Adds what `book` leaves out for a body that contacts push. Its kick k (N s) changes its kinetic energy by k · (v⁻ + v⁺)/2, but its potential energy by
 * −k · v⁺, as the body moves by h v⁺. The difference, −k · (v⁺ − v⁻)/2, belongs to the contacts where they slow down its fall, because they act before the
 * kick then; where the body speeds up in spite of them, it is a loss of the method.
 */
export function bookKick(body: number, { kick, before, velocity }: HeapBodies, works: HeapWorks): void {
  const at = 6 * body
  let left = 0
  for (let k = at; k < at + 3; k++) left -= kick[k]! * (velocity[k]! - before[k]!) / 2
  if (left > 0) works.normal += left
  else works.numerical += left
}

/**
 * J: work of a normal impulse, both for an impact within the substep and for a persistent contact. As in `contact-work.ts`, exact to first order in
 * the velocity gained in free fall within a substep.
 *
 * @param change m/s: change of the normal velocity by all other causes
 */
function impactWork(p: number, before: number, after: number, change: number): number {
  return p * (before + after - (-before < BOUNCE * Math.abs(change) ? 0 : change)) / 2
}
