/**
 * What an implicit stage knows of contact: the links that are there, where carriers are, and how far a Newton step may go.
 *
 * Finders of contacts tell of pairs that come near. A Newton step ends before any of them would pass through each other, so that what is untangled stays so,
 * whether or not Newton's method converges; a pair that is met becomes a link, and the next iteration knows of it.
 */

import type { BlockMatrix } from '../../sparse'
import type { StageSums } from '../condition'
import { moveCarriers, moves, type Carriers } from './carriers'
import { Drift } from './drift'
import { addCurvature, Facing } from './link-curvature'
import { LinkForces } from './link-forces'
import { CONTACT, type Links } from './links'
import { measure, renew, weigh } from './penalties'

/** What finds contacts of one kind. */
export interface Finder {
  /** Finds the pairs that may touch in a step of length h from x0 with velocities v0, and makes them links. */
  begin(x0: Float64Array, v0: Float64Array, h: number): void
  /** Writes gap, normal, slip and arm of link i with all blocks at X. */
  place(i: number, X: Float64Array): void
  /**
   * Takes along, at X, what carriers that are led would pass through on their way to the end of the step.
   *
   * @returns false where something is passed through all the same
   */
  carry(X: Float64Array): boolean
  /** Looks at its links' geometry anew, where that is kept between renewals of the multipliers. */
  renew?(X: Float64Array): void
  /** Writes what link i compares, as it was placed last. @returns false where how its normal turns is not known */
  face?(i: number, facing: Facing): boolean
  /** Share of the way from X to X + d that may be gone; what is met on the way becomes a link. */
  limit(X: Float64Array, d: Float64Array): number
  /** Share of the way from x to X that particles may go without passing through each other. */
  untangled?(x: Float64Array, X: Float64Array): number
}

export interface StageContacts {
  readonly links: Links
  /** Multipliers of the last step that stands: the next one begins with them. */
  memory: Float64Array
  /** The step stands. */
  accept(): void
  /** A step of length h begins: X, the first iterate, is x0 but for what is led. @returns false where what is led would pass through something */
  begin(x0: Float64Array, v0: Float64Array, h: number, X: Float64Array): boolean
  /** Nothing pressed at the end of the last step, there are no ties and rods, and all carriers rest. */
  readonly idle: boolean
  /** Whether the way from x to X meets nothing. */
  passes(x: Float64Array, X: Float64Array): boolean
  /** Share of the way from x to X that particles may go without passing through each other. */
  untangled(x: Float64Array, X: Float64Array): number
  /** Writes the links' geometry at particles' positions x, carriers where they have been put. */
  place(x: Float64Array): void
  /** Adds the links' forces at X to f. */
  addForces(X: Float64Array, f: Float64Array, sums: StageSums): void
  /** Makes links of what would be met on the way to X + d. @returns the share of d that may be gone, m in all blocks */
  limit(X: Float64Array, d: Float64Array): number
  /** Renews the multipliers, and the geometry, at X. @returns the largest change of a force, N */
  renew(X: Float64Array): number
  /** Gives new links their penalties. @param direct whether multipliers are unknowns of Newton's method */
  weigh(impedances: Float64Array, direct: boolean): void
  /** Adds what multipliers that are unknowns ask for to the right-hand side of a Newton step. */
  addErrors(b: Float64Array): void
  /** Multipliers that are unknowns go on by their part of the Newton step whose other part is d. */
  step(d: Float64Array): void
  /** Adds the diagonal blocks of the links' part of the matrix. @returns whether that is all of it */
  addDiagonal(matrix: BlockMatrix): boolean
  addProduct(x: Float64Array, y: Float64Array): void
  /**
   * Tells the blocks of the links' part of the matrix, i ≥ j.
   *
   * @param turning with how normals turn, which may make it indefinite
   * @returns whether `add` was always true
   */
  addBlocks(add: (i: number, j: number, block: Float64Array) => boolean, turning: boolean): boolean
}

/** @param ties makes the links that are there in every step */
export function stageContacts(links: Links, all: Carriers, held: Uint8Array, finders: readonly Finder[], ties: Finder | null): StageContacts {
  const place = (X: Float64Array): void => {
    for (let i = 0; i < links.count; i++) (links.finders[i] === TIES ? ties! : finders[links.finders[i]!]!).place(i, X)
  }
  const forces = new LinkForces(links)
  const facing = new Facing()
  const drift = new Drift()
  let memory: Float64Array = new Float64Array(0)
  return {
    links,
    get memory() { return memory },
    set memory(values: Float64Array) { memory = values },
    accept() { memory = links.memory },
    begin(x0, v0, h, X) {
      links.clear()
      drift.forget()
      ties?.begin(x0, v0, h)
      moveCarriers(all, X)
      for (const finder of finders) finder.begin(x0, v0, h)
      const carried = finders.map(finder => finder.carry(X))
      links.remember(memory)
      return carried.every(passed => passed)
    },
    untangled: (x, X) => finders.reduce((share, finder) => Math.min(share, finder.untangled?.(x, X) ?? 1), 1),
    place,
    get idle() {
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
    },
    limit: (X, d) => finders.reduce((share, finder) => Math.min(share, finder.limit(X, d)), 1),
    renew(X) {
      for (const finder of finders) finder.renew?.(X)
      const open = Math.max(renew(links), drift.follow(links))
      place(X)
      measure(links)
      return open
    },
    weigh: (impedances, direct) => { weigh(links, impedances, held, direct) },
    addErrors: b => { forces.addErrors(b) },
    step: d => { forces.step(d) },
    addDiagonal: ({ starts, values }) => forces.addDiagonal(starts, values),
    addProduct: (x, y) => { forces.addProduct(x, y) },
    addBlocks(add, turning) {
      let whole = forces.addBlocks(add)
      if (!turning) return whole
      for (let i = 0; i < links.count; i++) {
        if (links.kinds[i] !== CONTACT || !(links.presses[i]! > 0) || finders[links.finders[i]!]!.face?.(i, facing) !== true) continue
        whole = addCurvature(facing, links.presses[i]!, all, add) && whole
      }
      return whole
    },
  }
}

/** Number of the finder of ties among finders. */
export const TIES = 255
