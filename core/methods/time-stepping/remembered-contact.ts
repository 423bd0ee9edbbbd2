/** A contact of the last step of its island, from which the next one is warm-started. */

import { ZERO, type Vec3 } from '../../math/vector'
import type { ActiveConstraint } from './active-constraint'
import type { StepConstraint } from './contact-model'
import type { StepProblem } from './step-problem'

export interface CarriedContact {
  readonly key: string
  readonly touched: boolean
  readonly warm: boolean
  readonly narrow: boolean
  readonly h: number
  /** Point and normal, three each, then `CONTACT_SIZE` numbers. */
  readonly numbers: readonly number[]
}

/**
 * Layout of a contact's numbers: impulse and angular impulse on A, N s and N m s, three doubles each in world axes; three
 * of the index set and two of the slip; the impulse along the three rows; and the part that leads the velocity of the
 * state, as the impulse.
 */
export const IMPULSE = 0
export const TURN = 3
export const BASIS = 6
export const SLIP = 9
export const ROWS = 11
export const LEAD = 14
const CONTACT_SIZE = 17

/** Objects are recycled for other contacts. */
export class RememberedContact {
  key = ''
  constraint: StepConstraint | null = null
  point: Vec3 = ZERO
  normal: Vec3 = ZERO
  /** Whether it touched at the start of that step: otherwise it may have pushed only to stop at the surface. */
  touched = false
  readonly values = new Float64Array(CONTACT_SIZE)
  /** s */
  h = 0
  warm = false
  /** Whether its island had no room for the usual gap target. */
  narrow = false
}

export function packed({ key, touched, warm, narrow, h, point, normal, values }: RememberedContact): CarriedContact {
  return { key, touched, warm, narrow, h, numbers: [...point, ...normal, ...values] }
}

export function unpacked({ key, touched, warm, narrow, h, numbers }: CarriedContact): RememberedContact {
  const contact = new RememberedContact()
  const [x, y, z, nx, ny, nz, ...values] = numbers
  contact.key = key
  contact.point = [x!, y!, z!]
  contact.normal = [nx!, ny!, nz!]
  contact.touched = touched
  contact.values.set(values)
  contact.h = h
  contact.warm = warm
  contact.narrow = narrow
  return contact
}

/** Identical rows keep their impulses: conversion to world axes and back would change them by rounding, and they would never become stationary. */
function isSame({ at: { normal } }: ActiveConstraint, { normal: last }: RememberedContact): boolean {
  return normal[0] === last[0] && normal[1] === last[1] && normal[2] === last[2]
}

/** N s, along the normal that the contact has now. */
export function normalImpulse(active: ActiveConstraint, found: RememberedContact): number {
  return isSame(active, found) ? found.values[ROWS]! : along(found.values, IMPULSE, active.at.normal)
}

/** Fills the rows of a contact with the impulses that the velocity of the state contains already. */
export function lead({ row, friction, at: { normal }, tangent1, tangent2 }: ActiveConstraint, { values }: RememberedContact, led: Float64Array): void {
  led[row] = along(values, LEAD, normal)
  if (!(friction > 0)) return
  led[row + 1] = along(values, LEAD, tangent1)
  led[row + 2] = along(values, LEAD, tangent2)
}

/** Fills the rows of a contact, × `scale`. @param friction index of the contact among those with friction; −1 without */
export function begin(problem: StepProblem, active: ActiveConstraint, friction: number, found: RememberedContact, scale: number): void {
  const { row, tangent1, tangent2 } = active
  const { values } = found
  const same = isSame(active, found)
  problem.p[row] = Math.max(0, scale * normalImpulse(active, found))
  problem.basis[row] = values[BASIS]!
  if (active.spins.length > 0) active.recallTurn(problem.p, [values[TURN]!, values[TURN + 1]!, values[TURN + 2]!], scale)
  if (friction < 0) return
  problem.p[row + 1] = scale * (same ? values[ROWS + 1]! : along(values, IMPULSE, tangent1))
  problem.p[row + 2] = scale * (same ? values[ROWS + 2]! : along(values, IMPULSE, tangent2))
  for (let k = 1; k <= 2; k++) {
    problem.basis[row + k] = values[BASIS + k]!
    problem.slip[2 * friction + k - 1] = values[SLIP + k - 1]!
  }
}

function along(values: Float64Array, at: number, direction: Vec3): number {
  return values[at]! * direction[0] + values[at + 1]! * direction[1] + values[at + 2]! * direction[2]
}
