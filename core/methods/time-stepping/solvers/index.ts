/**
 * Choice of the solver of an island. `auto` solves exactly up to `EXACT_ROWS` rows (memory and time of the dense matrix grow with the square and the
 * cube of their number), in scenes of many bodies up to `PILE_ROWS` only. Larger islands use Newton's method in the velocities if each body touches
 * few others (rows, stacks, walls), and otherwise the accelerated iteration (heaps, moving piles). A polyhedral cone is solved exactly only by
 * explicit choice of an exact solver.
 */

import type { TimeSteppingSettings } from '../settings'
import type { StepIsland } from '../step-island'
import type { StepSolver } from '../step-problem'
import { eliminating } from './eliminating'
import { exactDantzig, exactLemke } from './exact'
import { accelerated, gaussSeidel, jacobi, sor } from './iterative'
import { MAX_PRODUCTS } from './augmented'
import { newton, newtonAtRest, newtonInPile, staysSparse } from './newton'
import { polished, polishedAtRest } from './polished'
import { exactPolyhedral } from './polyhedral'

/** Rows up to which `auto` solves exactly: about 20 boxes resting on each other. */
export const EXACT_ROWS = 240
/** Rows of joints, and other rows, up to which joints are eliminated: the matrix of all rows is dense, and so is that of the others after it. */
const ELIMINATED_ROWS = 600
const REMAINING_ROWS = 90
/** With friction against rotation, whose directions pivoting guesses: with more rows it takes a hundred times as long as the iteration. */
const REMAINING_ROWS_WITH_SPINS = 12
/** The same in a pile, moving or at rest: a few bodies that collide. */
export const PILE_ROWS = 72

/**
 * @param resting whether its bodies are at rest at the start of the step
 * @param pile whether the island is part of a pile
 * @param newtonFails whether Newton's method has failed for most of its bodies
 */
export function solverFor(
  { solver, frictionDirections }: TimeSteppingSettings, island: StepIsland, resting: boolean, pile: boolean, newtonFails: boolean,
): StepSolver {
  // The other solvers assume one inverse mass for each body; bodies of trees have one for each pair.
  if (island.inTrees && solver === 'auto') return frictionDirections === 0 ? exactDantzig : exactPolyhedral('dantzig', frictionDirections)
  switch (solver) {
    case 'auto':
      if (frictionDirections > 0) return accelerated(frictionDirections)
      if (mayEliminate(island)) return eliminating
      if (rowsOf(island) <= (pile ? PILE_ROWS : EXACT_ROWS)) return resting ? polishedAtRest : polished
      if (pile && (!resting || newtonFails)) return accelerated(frictionDirections, false)
      if (!staysSparse(island, MAX_PRODUCTS)) return accelerated(frictionDirections, !pile)
      return pile ? newtonInPile : resting ? newtonAtRest : newton
    case 'dantzig':
      return frictionDirections === 0 ? exactDantzig : exactPolyhedral('dantzig', frictionDirections)
    case 'lemke':
      return frictionDirections === 0 ? exactLemke : exactPolyhedral('lemke', frictionDirections)
    case 'slack':
      return exactPolyhedral('slack', frictionDirections)
    case 'gauss-seidel':
      return gaussSeidel(frictionDirections)
    case 'jacobi':
      return jacobi(frictionDirections)
    case 'sor':
      return sor(frictionDirections)
    case 'accelerated':
      return accelerated(frictionDirections)
  }
}

function mayEliminate(island: StepIsland): boolean {
  const tied = island.tiedRows
  const spins = island.jointSpins.length > 0 || island.constraints.some(active => active.spins.length > 0)
  return tied > 0 && tied <= ELIMINATED_ROWS && rowsOf(island) - tied <= (spins ? REMAINING_ROWS_WITH_SPINS : REMAINING_ROWS)
}

function rowsOf({ joints, drives, limits, jointSpins, constraints }: StepIsland): number {
  let rows = drives.length + limits.length + 3 * jointSpins.length
  for (const { element } of joints) rows += element.constraint.rows
  for (const { constraint: { pair: { material } } } of constraints) {
    rows += (material.staticFriction > 0 ? 3 : 1) + (material.torsionalFriction > 0 ? 1 : 0) + (material.rollingFriction > 0 ? 2 : 0)
  }
  return rows
}
