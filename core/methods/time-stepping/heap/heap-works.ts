/** What the impulses of a substep did, booked as it ends; and the impulses themselves, where the next one begins. */

import type { Snapshot } from '../../../contact/snapshot'
import { JACOBIAN_WIDTH } from '../../../dynamics/joints/joint'
import { add, cross, perpendicular, scale } from '../../../math/vector'
import type { BodyMotions } from '../body-motions'
import { BOUNCE } from '../settings'
import type { StepProblem } from '../step-problem'
import type { HeapContacts } from './heap-contacts'
import type { HeapImpacts } from './heap-impacts'

/** J, of the contacts' impulses: of normals, of friction, and to bodies whose motion is given. */
export interface HeapWorks {
  normal: number
  friction: number
  kinematic: number
}

interface Solved {
  readonly contacts: HeapContacts
  readonly problem: StepProblem | null
  readonly motions: BodyMotions
  readonly snapshot: Snapshot
  readonly works: HeapWorks
  readonly impacts: HeapImpacts
}

/** @param restingSpeed m/s: slower approaches are no impacts */
export function book({ contacts, problem, motions, works, impacts, snapshot: { inverseMass, bodies } }: Solved, restingSpeed: number, h: number): void {
  const { rows, p } = problem!
  for (let k = 0; k < contacts.count; k++) {
    const row = contacts.row[k]!
    const { normal } = contacts.at[k]!
    const rubs = contacts.friction[k]! > 0
    let impulse = scale(normal, p[row]!)
    if (rubs) {
      const tangent1 = perpendicular(normal)
      impulse = add(add(impulse, scale(tangent1, p[row + 1]!)), scale(cross(normal, tangent1), p[row + 2]!))
    }
    contacts.impulses.set(impulse, 3 * k)
    if (p[row] === 0) continue
    contacts.pairs[k]!.remember({ features: contacts.features[k]!, normal, impulse, rows: [p[row]!, rubs ? p[row + 1]! : 0, rubs ? p[row + 2]! : 0], h })
    const before = contacts.approach[k]!
    const after = rows.along(row, motions.velocity)
    const work = impactWork(p[row]!, before, after, contacts.unmet[k]! - before)
    works.normal += work
    if (-before > restingSpeed) impacts.add(contacts, k, impulse, before, after, work)
    const end = row + (rubs ? 3 : 1)
    for (let i = row + 1; i < end; i++) works.friction += p[i]! * (rows.along(i, motions.before) + rows.along(i, motions.velocity)) / 2
    const { bodyB } = contacts.pairs[k]!.pair
    if (inverseMass[bodyB] !== 0 || bodies[bodyB]!.type !== 'kinematic') continue
    for (let i = row; i < end; i++) {
      for (let j = 0; j < 6; j++) works.kinematic -= p[i]! * rows.jacobian[JACOBIAN_WIDTH * i + 6 + j]! * motions.before[6 * bodyB + j]!
    }
  }
}

/**
 * J: of a normal impulse whose contact meets within the substep, or holds; as in `contact-work.ts`, to first order in what the body falls within a substep.
 *
 * @param change m/s: of the normal velocity by what else there is
 */
function impactWork(p: number, before: number, after: number, change: number): number {
  return p * (before + after - (-before < BOUNCE * Math.abs(change) ? 0 : change)) / 2
}
