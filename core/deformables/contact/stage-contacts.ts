/**
 * The contacts of an implicit stage: the current links, the poses of carriers, and the feasible length of Newton steps.
 *
 * Finders of contacts detect pairs that come near. A Newton step is shortened before any pair passes through each other, so that the configuration
 * stays free of intersections whether or not Newton's method converges. A blocking pair becomes a link, which the next iteration takes into account.
 */

import type { BlockMatrix } from '../../sparse'
import type { StageSums } from '../condition'
import { addTurning, moveCarriers, moves, type Carriers } from './carriers'
import { Drift } from './drift'
import type { HeldConditions } from './held-conditions'
import { addCurvature, Facing } from './link-curvature'
import { LinkForces } from './link-forces'
import { TIES } from './link-memory'
import { CONTACT, type Links } from './links'
import { measure, renew, soften, weigh } from './penalties'
import { shiftSlip, type Shift } from './predictor'
import { addHeld, scaleContacts } from './stage-multipliers'
import type { StageOfStep } from './stage-of-step'

/** Finds contacts of one kind. */
export interface Finder {
  /** Finds the pairs that may touch in a step of length h from x0 with velocities v0, and makes them links. */
  begin(x0: Float64Array, v0: Float64Array, h: number): void
  /** Writes gap, normal, slip and arm of link i with all blocks at X. */
  place(i: number, X: Float64Array): void
  /**
   * Pushes particles at X out of the way of kinematic carriers.
   *
   * @returns false if a carrier still passes through something
   */
  carry(X: Float64Array): boolean
  /** Updates the links' geometry that is fixed between renewals of the multipliers. */
  renew?(X: Float64Array): void
  /** Writes the two features of link i at the last placement. @returns false if the derivative of its normal is not available */
  face?(i: number, facing: Facing): boolean
  /** Feasible share of the motion from X to X + d; pairs that block it become links. */
  limit(X: Float64Array, d: Float64Array): number
  /** Share of the motion from x to X that particles can make without passing through each other. */
  untangled?(x: Float64Array, X: Float64Array): number
}

export interface StageContacts {
  readonly links: Links
  /** Whether there are links or conditions in this step. */
  readonly any: boolean
  /** N/m: greatest penalty. */
  readonly stiffest: number
  /** Multipliers of the last accepted step, the initial guess of the next. */
  memory: Float64Array
  /** The step is accepted. */
  accept(): void
  /**
   * Starts a step of length h. X, the first iterate, is x0 except for kinematic particles. @returns false if a kinematic motion would pass through
   * something
   *
   * @param stage of a method with several; absent: the step has one
   */
  begin(x0: Float64Array, v0: Float64Array, h: number, X: Float64Array, stage?: StageOfStep): boolean
  /** Slips count from x0 + shift; bounces act for a seconds of the step's h. Until the next `begin`. */
  startFrom(shift: Shift, bounceShare: number): void
  /** Adds the forces of the multipliers of ties, rods and conditions at x0, as they begin the step. */
  addHeld(x0: Float64Array, f: Float64Array): void
  /** Adds the forces of contacts at their last evaluation. */
  addContacts(f: Float64Array): void
  /** Whether no link had a force at the end of the last step, there are no ties, rods and conditions, and all carriers are at rest. */
  readonly idle: boolean
  /** Whether the motion from x to X is free of contacts. */
  passes(x: Float64Array, X: Float64Array): boolean
  /** Share of the motion from x to X that particles can make without passing through each other. */
  untangled(x: Float64Array, X: Float64Array): number
  /** Updates the links' geometry for positions x and the current poses of carriers. */
  place(x: Float64Array): void
  /** Adds the links' forces at X to f. */
  addForces(X: Float64Array, f: Float64Array, sums: StageSums): void
  /** Adds to c the part of the forces f on rotating bodies that is not the gradient of their potential. */
  addTurning(X: Float64Array, f: Float64Array, c: Float64Array): void
  /** Makes links of pairs that block the motion to X + d. @returns the feasible share of d */
  limit(X: Float64Array, d: Float64Array): number
  /** Renews the multipliers, and the geometry, at X. @returns the largest change of a force, N */
  renew(X: Float64Array): number
  /** Stores the multipliers, and takes them back. */
  keep(): void
  restore(): void
  /** Measures the penetration at the last evaluation of forces. */
  measure(): void
  /** Sets the penalties of new links. @param direct whether multipliers are unknowns of Newton's method */
  weigh(impedances: Float64Array, direct: boolean): void
  /** Lowers all penalties once the first of the contacts presses that change their active set together. @returns whether it did */
  soften(): boolean
  /** Adds the constraint errors of multipliers that are unknowns to the right-hand side of a Newton step. */
  addErrors(b: Float64Array): void
  /** Updates multipliers that are unknowns by their part of the Newton step whose other part is d. */
  step(d: Float64Array): void
  /** Adds the diagonal blocks of the links' part of the matrix. @returns whether the links have no other blocks */
  addDiagonal(matrix: BlockMatrix): boolean
  addProduct(x: Float64Array, y: Float64Array): void
  /** Whether the same contacts press and stick as when the blocks were last passed. */
  readonly unchanged: boolean
  /**
   * Passes the blocks of the links' part of the matrix to `add`, i ≥ j.
   *
   * @param X positions of the last evaluation of forces
   * @param whole whether the derivatives of normals are included exactly, which may make the matrix indefinite; otherwise their positive semidefinite parts
   * @returns whether `add` always returned true
   */
  addBlocks(X: Float64Array, add: (i: number, j: number, block: Float64Array) => boolean, whole: boolean): boolean
}

/** @param ties creates the permanent links of every step; @param conditions held by multipliers too; null for none */
export function stageContacts(links: Links, all: Carriers, held: Uint8Array, finders: readonly Finder[], ties: Finder | null,
  conditions: HeldConditions | null = null): StageContacts {
  const constraints = conditions?.any === true ? conditions : null
  let shift: Shift | null = null
  const place = (X: Float64Array): void => {
    for (let i = 0; i < links.count; i++) (links.finders[i] === TIES ? ties! : finders[links.finders[i]!]!).place(i, X)
    if (shift !== null) for (let i = 0; i < links.count; i++) if (links.kinds[i] === CONTACT) shiftSlip(links, i, shift)
  }
  const forces = new LinkForces(links)
  const facing = new Facing()
  const drift = new Drift()
  let memory: Float64Array = new Float64Array(0)
  return {
    links,
    get memory() { return memory },
    set memory(values: Float64Array) { memory = values },
    accept() { memory = constraints === null ? links.memory : Float64Array.from([...links.memory, ...constraints.memory]) },
    begin(x0, v0, h, X, stage) {
      shift = null
      links.clear()
      drift.forget()
      forces.forget()
      ties?.begin(x0, v0, h)
      constraints?.remember(memory)
      constraints?.begin(x0, v0, stage?.length ?? h, stage)
      moveCarriers(all, X)
      for (const finder of finders) finder.begin(x0, v0, h)
      const carried = finders.map(finder => finder.carry(X))
      links.remember(memory)
      if (stage !== undefined) scaleContacts(links, stage.contactScale)
      return carried.every(passed => passed)
    },
    startFrom(from, bounceShare) {
      shift = from
      links.bounceShare = bounceShare
    },
    addHeld(x0, f) {
      for (let i = 0; i < links.count; i++) if (links.kinds[i] !== CONTACT) ties!.place(i, x0)
      addHeld(links, f)
      constraints?.addHeld(x0, f)
    },
    addContacts: f => { forces.addForces(f, true) },
    untangled: (x, X) => finders.reduce((share, finder) => Math.min(share, finder.untangled?.(x, X) ?? 1), 1),
    place,
    get any() { return links.count > 0 || constraints !== null },
    get stiffest() { return Math.max(links.stiffest, constraints?.stiffest ?? 0) },
    get idle() {
      if (constraints !== null) return false
      for (let i = 0; i < links.count; i++) if (links.kinds[i] !== CONTACT) return false
      for (let c = 0; c < all.count; c++) if (all.blocks[c]! >= 0 || moves(all, c)) return false
      return memory.length === 0
    },
    passes(x, X) {
      if (finders.some(finder => finder.limit(x, X.map((value, k) => value - x[k]!)) < 1)) return false
      for (const finder of finders) finder.renew?.(X)
      place(X)
      for (let i = 0; i < links.count; i++) if (links.gaps[i]! < 0) return false
      return true
    },
    addForces(X, f, sums) {
      moveCarriers(all, X)
      place(X)
      forces.evaluate(sums)
      forces.addForces(f)
      constraints?.addForces(X, f, sums)
    },
    addTurning: (X, f, c) => { addTurning(all, X, f, c) },
    limit: (X, d) => finders.reduce((share, finder) => Math.min(share, finder.limit(X, d)), 1),
    renew(X) {
      for (const finder of finders) finder.renew?.(X)
      const open = Math.max(renew(links), drift.follow(links), constraints?.renew() ?? 0)
      place(X)
      measure(links)
      return open
    },
    keep() {
      links.keep()
      constraints?.keep()
    },
    restore() {
      links.restore()
      constraints?.restore()
    },
    measure: () => { measure(links) },
    weigh(impedances, direct) {
      weigh(links, impedances, held, direct)
      constraints?.weigh(impedances, direct)
    },
    soften() {
      const lower = soften(links)
      if (lower) forces.forget()
      return lower
    },
    get unchanged() { return constraints === null && forces.unchanged },
    addErrors(b) {
      forces.addErrors(b)
      constraints?.addErrors(b)
    },
    step(d) {
      forces.step(d)
      constraints?.step(d)
    },
    addDiagonal: ({ starts, values }) => forces.addDiagonal(starts, values),
    addProduct: (x, y) => { forces.addProduct(x, y) },
    addBlocks(X, add, whole) {
      let taken = forces.addBlocks(add)
      if (constraints !== null) taken = constraints.addBlocks(X, add, whole) && taken
      for (let i = 0; i < links.count; i++) {
        if (links.kinds[i] !== CONTACT || !(links.presses[i]! > 0) || finders[links.finders[i]!]!.face?.(i, facing) !== true) continue
        taken = addCurvature(facing, links.presses[i]!, all, add, whole) && taken
      }
      return taken
    },
  }
}
