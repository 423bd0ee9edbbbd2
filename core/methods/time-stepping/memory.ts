/**
 * Impulses and index sets of the last step of each island, the warm start of the next step. Contacts are matched by their identity, or else to the
 * nearest one of the same pair: at coincident corners a contact may change its identity from one step to the next.
 */

import type { PairCollider } from '../../collision/contact'
import type { PrimitivePair } from '../../contact/contact-set'
import { distanceSquared } from '../../math/vector'
import type { ActiveConstraint } from './active-constraint'
import type { LocalScales } from './local-scales'
import {
  BASIS, begin, IMPULSE, LEAD, lead, normalImpulse, packed, RememberedContact, ROWS, SLIP, TURN, unpacked, type CarriedContact,
} from './remembered-contact'
import type { StepConstraint } from './contact-model'
import type { StepIsland } from './step-island'

/** State that a continued run starts from: without it, everything at rest would be solved again. */
export interface CarriedImpulses {
  readonly rows: readonly (readonly [key: string, row: RememberedRow])[]
  readonly pairs: readonly CarriedPair[]
}

interface CarriedPair {
  readonly key: string
  readonly bodies: readonly [number, number]
  readonly contacts: readonly CarriedContact[]
}

interface RememberedRow {
  readonly p: number
  /** s: time over which it acted. */
  readonly h: number
  /** N s and N m s: the part that leads the velocity of the state. */
  readonly lead: number
  readonly basis: number
  /** Whether the index set was that of an exact solution. */
  readonly warm: boolean
}

/** × size of the pair: largest displacement of a contact point in a step for a match under another identity. */
const SAME_CONTACT = 0.02

const NO_CONTACTS: readonly RememberedContact[] = []

/** A copy of the memory at an earlier instant. */
export interface RememberedState {
  readonly rows: ReadonlyMap<string, RememberedRow>
  readonly contacts: ReadonlyMap<PairCollider, RememberedContact[]>
}

export class ImpulseMemory {
  private readonly rows = new Map<string, RememberedRow>()
  /** By pair of primitives; each is used once. */
  private readonly contacts = new Map<PairCollider, RememberedContact[]>()
  private readonly unused: RememberedContact[] = []
  private recycles = true
  /** Contacts of a continued run, until one of their bodies steps; by key of the pair. */
  private readonly awaited = new Map<string, { readonly bodies: readonly [number, number]; readonly contacts: readonly RememberedContact[] }>()

  constructor(private readonly scales: LocalScales) {}

  get carried(): CarriedImpulses {
    const pairs: CarriedPair[] = []
    for (const contacts of this.contacts.values()) {
      const { key, bodyA, bodyB } = contacts[0]!.constraint!.pair
      pairs.push({ key, bodies: [bodyA, bodyB], contacts: contacts.map(packed) })
    }
    for (const [key, { bodies, contacts }] of this.awaited) pairs.push({ key, bodies, contacts: contacts.map(packed) })
    return { rows: [...this.rows], pairs }
  }

  set carried({ rows, pairs }: CarriedImpulses) {
    for (const [key, row] of rows) this.rows.set(key, row)
    for (const { key, bodies, contacts } of pairs) this.awaited.set(key, { bodies, contacts: contacts.map(unpacked) })
  }

  /** Returns a copy of the memory. From now on contact objects are not recycled, until `recycle` is called. */
  save(): RememberedState {
    this.recycles = false
    return { rows: new Map(this.rows), contacts: new Map(this.contacts) }
  }

  /** Restores the saved memory of some bodies. @param bodiesOf returns the bodies of a joint */
  restore(saved: RememberedState, bodies: ReadonlySet<number>, bodiesOf: (joint: number) => readonly number[]): void {
    const { rows, contacts } = this
    const isPart = (list: readonly RememberedContact[]): boolean => {
      const { bodyA, bodyB } = list[0]!.constraint!.pair
      return bodies.has(bodyA) || bodies.has(bodyB)
    }
    const isOfPart = (key: string): boolean => bodiesOf(Number(key.split('/')[1])).some(body => bodies.has(body))
    for (const [pair, list] of contacts) if (isPart(list)) contacts.delete(pair)
    for (const [pair, list] of saved.contacts) if (isPart(list)) contacts.set(pair, list)
    for (const key of rows.keys()) if (isOfPart(key)) rows.delete(key)
    for (const [key, row] of saved.rows) if (isOfPart(key)) rows.set(key, row)
  }

  /** Discards saved copies: contact objects may be recycled again. */
  recycle(): void {
    this.recycles = true
  }

  /** Finds which contacts of an island touched and carried an impulse in the last step. */
  press(island: StepIsland): void {
    for (const active of island.constraints) {
      const found = this.find(active)
      active.pressed = found !== null && found.touched && normalImpulse(active, found) > 0
    }
  }

  /** Warm-starts a newly assembled island. */
  recall(island: StepIsland): void {
    const { problem, kickTime: h } = island
    if (problem === null) return
    let known = true
    visitRows(island, (key, row) => {
      const found = this.rows.get(key)
      known &&= found?.warm ?? false
      if (found === undefined) return
      problem.p[row] = found.p * h / found.h
      if (island.leapfrog) island.led[row] = found.lead
      problem.basis[row] = found.basis
    })
    let friction = 0
    for (const active of island.constraints) {
      const index = active.friction > 0 ? friction++ : -1
      const found = this.find(active)
      known &&= found !== null && found.warm && found.key === active.constraint.key
      if (found === null) continue
      begin(problem, active, index, found, h / found.h)
      if (island.leapfrog) lead(active, found, island.led)
    }
    // Index sets of spins are not stored.
    problem.warm = known && problem.spin.length === 0
  }

  /** Whether some contact of an island belonged to one without room for the usual gap target. */
  wasNarrow({ constraints }: StepIsland): boolean {
    return constraints.some(({ constraint: { pair } }) => this.inLastStep(pair)?.[0]!.narrow ?? false)
  }

  /** Appends the constraints of a pair that had an impulse in the last step. */
  pushing(pair: PairCollider, out: StepConstraint[]): void {
    for (const { constraint, values } of this.contacts.get(pair) ?? NO_CONTACTS) {
      if (values[IMPULSE] !== 0 || values[IMPULSE + 1] !== 0 || values[IMPULSE + 2] !== 0) out.push(constraint!)
    }
  }

  private inLastStep(pair: PrimitivePair): readonly RememberedContact[] | undefined {
    return this.contacts.get(pair.collider) ?? (this.awaited.size > 0 ? this.awaited.get(pair.key)?.contacts : undefined)
  }

  private find({ constraint: { pair, key }, at: { point } }: ActiveConstraint): RememberedContact | null {
    const list = this.inLastStep(pair)
    if (list === undefined) return null
    let best: RememberedContact | null = null
    const reach = SAME_CONTACT * this.scales.size(pair.bodyA, pair.bodyB)
    let nearest = reach * reach
    for (const contact of list) {
      if (contact.key === key) return contact
      const square = distanceSquared(contact.point, point)
      if (square < nearest) {
        nearest = square
        best = contact
      }
    }
    return best
  }

  /** Replaces the data of previous islands by the new solution. */
  keep(islands: readonly StepIsland[], replaced: readonly StepIsland[]): void {
    for (const island of replaced) this.forget(island)
    if (this.awaited.size > 0) {
      const stepped = new Set(islands.flatMap(({ bodies }) => bodies))
      for (const [key, { bodies }] of this.awaited) if (bodies.some(body => stepped.has(body))) this.awaited.delete(key)
    }
    for (const island of islands) this.add(island)
  }

  private forget(island: StepIsland): void {
    visitRows(island, key => this.rows.delete(key))
    for (const { constraint: { pair: { collider } } } of island.constraints) {
      const list = this.contacts.get(collider)
      if (list === undefined) continue
      if (this.recycles) for (const contact of list) this.unused.push(contact)
      this.contacts.delete(collider)
    }
  }

  private add(island: StepIsland): void {
    const { problem, endKick } = island
    if (problem === null || island.mode !== 'contact') return
    const { basis, slip, warm } = problem
    // The last impulses: where forces changed suddenly, those of the second half of the step.
    const p = endKick?.p ?? problem.p
    const h = endKick === null ? island.kickTime : island.h / 2
    const leads = island.leapfrog ? island.leads() : null
    visitRows(island, (key, row) => this.rows.set(key, { p: p[row]!, h, lead: leads?.[row] ?? 0, basis: basis[row]!, warm }))
    let friction = 0
    for (const active of island.constraints) {
      const { row, constraint, at: { point, normal }, friction: mu } = active
      const { pair, key } = constraint
      const index = mu > 0 ? friction++ : -1
      const contact = this.unused.pop() ?? new RememberedContact()
      const { values } = contact
      contact.key = key
      contact.constraint = constraint
      contact.point = point
      contact.normal = normal
      contact.touched = active.touches
      contact.h = h
      contact.warm = warm
      contact.narrow = island.narrow
      values.set(active.impulse(p), IMPULSE)
      if (leads === null) values.fill(0, LEAD, LEAD + 3)
      else values.set(active.impulse(leads), LEAD)
      values.set(active.angularImpulse(p), TURN)
      values[BASIS] = basis[row]!
      values[ROWS] = p[row]!
      for (let k = 1; k <= 2; k++) {
        values[ROWS + k] = index < 0 ? 0 : p[row + k]!
        values[BASIS + k] = index < 0 ? 0 : basis[row + k]!
        values[SLIP + k - 1] = index < 0 ? 0 : slip[2 * index + k - 1]!
      }
      const list = this.contacts.get(pair.collider)
      if (list === undefined) this.contacts.set(pair.collider, [contact])
      else list.push(contact)
    }
  }
}

/** Rows of joints, their friction, drives and limits, by their identity. */
function visitRows(island: StepIsland, at: (key: string, row: number) => void): void {
  for (const { index, element, firstRow } of island.joints) {
    for (let r = 0; r < element.constraint.rows; r++) at(`joint/${index}/${r}`, firstRow + r)
  }
  for (const { of: { joint }, rows: { rows } } of island.spins) {
    if (joint !== undefined) rows.forEach((row, r) => { at(`spin/${joint.joint}/${r}`, row) })
  }
  for (const { drive, row } of island.drives) at(`${drive.source}/${drive.joint}/${drive.coordinate}`, row)
  for (const { joint, coordinate, side, row } of island.limits) at(`limit/${joint}/${coordinate}/${side}`, row)
}
