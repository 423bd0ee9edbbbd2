/**
 * Rounds of solving and checking in one step. A round solves the islands that are open, then checks their constraints and the pairs of their bodies.
 * Omitted constraints that are violated join the problem, and overlapping pairs add new ones; the islands that gain constraints are open in the next
 * round. Piles stop after a few rounds: a position correction removes what still overlaps at the end of the step, while pairs that passed through
 * each other have failed.
 */

import { bodiesOfJoint } from '../../dynamics/joints'
import type { PrimitivePair } from '../../contact/contact-set'
import { stopWhereCancelled } from '../method'
import type { ContactModel } from './contact-model'
import type { StepContext } from './context'
import type { StepJoints } from './gather-joints'
import type { IslandCache } from './island-cache'
import { correctOverlaps, combineCorrections, type PositionCorrection } from './position-correction'
import { overlaps, type MovedPairs } from './overlaps'
import { partition } from './partition'
import { pileGap } from './pile-gap'
import { solveIsland, type IslandHistory } from './solve-island'
import type { StepArrays } from './step-arrays'
import type { StepConstraints } from './step-constraints'
import type { DivisionPoint } from './division-point'
import type { StepIsland } from './step-island'

const MAX_ROUNDS = 32
const MAX_PILE_ROUNDS = 2

const UNPREVENTED = 'bodies overlap at the end of the step, and no contact would prevent it'

/** A step after the free motion of its bodies. */
export interface StepInProgress extends MovedPairs, IslandHistory {
  readonly context: StepContext
  readonly constraints: StepConstraints
  readonly joints: StepJoints
  readonly kept: IslandCache
  /** Sorted; failed bodies included. */
  readonly bodies: readonly number[]
  islands: StepIsland[]
  /** By body: whether it takes part and has not failed. */
  readonly part: Uint8Array
  readonly failed: Uint8Array
  /** By body: whether it was stepped as part of a heap. */
  readonly heaped: Uint8Array
  /** By body: whether its island is to be solved, or solved again. */
  readonly open: Uint8Array
  /** By body: whether it has moved since its constraints, and its pairs, were last evaluated. */
  readonly moved: Uint8Array
  /** By body: whether it has moved since its pairs were last proven separated. */
  readonly unproven: Uint8Array
  /** State at the end of the step. */
  readonly end: Float64Array
  correction: PositionCorrection | null
  /** Free motion of some bodies, under forces and joints. */
  moveFreely(step: StepArrays, bodies: readonly number[]): void
  /** Removes bodies whose step failed or has to be divided. @param divisionPoint the instant at which the step is divided */
  fail(reason: string, at: readonly number[], divisionPoint?: DivisionPoint): void
}

/** Solves until every island is separated or has failed. @param moving bodies of the step and kinematic ones */
export function solveUntilSeparated(stepper: StepInProgress, step: StepArrays, model: ContactModel, moving: readonly number[]): void {
  const { context: { settings }, near, constraints, part, open, moved, unproven, clusters, heaped, h } = stepper
  let overlapping: readonly PrimitivePair[] = []
  /** Pairs of piles that overlap after their last round. */
  const uncorrected: PrimitivePair[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    solveOpen(stepper, step, round === 0)
    const hasRoundsLeft = ({ bodyA, bodyB }: PrimitivePair): boolean =>
      heaped[bodyA] === 0 && heaped[bodyB] === 0 && (round < MAX_PILE_ROUNDS || !clusters.isPile(bodyA))
    const violated = constraints.engageViolated(model, moved).filter(active => hasRoundsLeft(active.constraint.pair))
    moved.fill(0)
    if (violated.length > 0) {
      reopen(stepper, violated.map(active => active.constraint.pair))
      continue
    }
    near.follow(moving, part)
    const found = overlaps(stepper, unproven)
    if (settings.linearizations !== null) {
      unproven.fill(0)
      if (constraints.widen(model, found.map(({ pair }) => pair)) === 0) break
      reopen(stepper, found.map(({ pair }) => pair))
      continue
    }
    uncorrected.push(...found.filter(({ pair }) => !hasRoundsLeft(pair)).map(({ pair }) => pair))
    const again = found.filter(({ pair }) => hasRoundsLeft(pair))
    overlapping = again.map(({ pair }) => pair)
    unproven.fill(0)
    if (overlapping.length === 0) break
    const added = again.reduce((sum, { pair, time }) => sum + constraints.again(model, pair, time, h), 0)
    if (added === 0) break
    reopen(stepper, overlapping)
  }
  overlapping = [...uncorrected, ...overlapping]
  const isOpen = (body: number): boolean => unproven[body] === 1 || open[body] === 1
  if (overlapping.length === 0 && !stepper.bodies.some(isOpen)) return
  const piled = overlapping.filter(({ bodyA }) => clusters.isPile(bodyA))
  const others = overlapping.filter(({ bodyA }) => !clusters.isPile(bodyA))
  if (piled.length > 0) overlapping = [...others, ...correctPositions(stepper, moving, piled)]
  for (const { bodyA, bodyB } of overlapping) stepper.fail(UNPREVENTED, [bodyA, bodyB])
  // Out of rounds: bodies still unsolved, or unchecked since their solve, have failed.
  for (const body of stepper.bodies) if (isOpen(body)) stepper.fail(UNPREVENTED, [body])
}

/** Corrects the positions of overlapping pairs. @returns those that still overlap, and those that passed through each other */
function correctPositions(stepper: StepInProgress, moving: readonly number[], overlapping: readonly PrimitivePair[]): readonly PrimitivePair[] {
  const { context, motions, near, end, part, unproven, islands, open } = stepper
  const inTrees = new Set(islands.flatMap(island => island.inTrees ? island.bodies : []))
  if (overlapping.some(({ bodyA, bodyB }) => inTrees.has(bodyA) || inTrees.has(bodyB))) return overlapping
  const held = new Set(islands.flatMap(({ joints }) => joints.flatMap(({ element: { constraint } }) => bodiesOfJoint(constraint))))
  const gapOf = ({ bodyA, bodyB }: PrimitivePair): number => pileGap(context, [bodyA, bodyB])
  const corrected = correctOverlaps(motions, near.pairs, overlapping, end, gapOf, held, () => { stopWhereCancelled(context.environment) })
  if (corrected === null) return overlapping
  for (const body of corrected.bodies) unproven[body] = 1
  // No displacement at the end brings back a pair that passed through each other within the step: it is found again.
  for (const { bodyA, bodyB } of overlapping) unproven[bodyA] = unproven[bodyB] = 1
  near.follow(moving, part)
  const remaining = overlaps(stepper, unproven)
  unproven.fill(0)
  open.fill(0)
  if (corrected.bodies.size > 0) stepper.correction = combineCorrections(stepper.correction, corrected)
  return remaining.map(({ pair }) => pair)
}

/**
 * Opens the bodies of pairs that are violated or overlap; their islands follow in `solveOpen`. A pair that gained no constraint may belong to no
 * island: it is not solved again, but must be found again.
 */
function reopen({ open, unproven, motions: { snapshot: { inverseMass } } }: StepInProgress, pairs: readonly PrimitivePair[]): void {
  for (const pair of pairs) {
    for (const body of [pair.bodyA, pair.bodyB]) if (inverseMass[body]! > 0) open[body] = unproven[body] = 1
  }
}

/** Groups bodies again and solves the islands with open bodies; the others keep their solution. Leaves none open. */
function solveOpen(stepper: StepInProgress, step: StepArrays, first: boolean): void {
  const { open, failed, constraints, context, kept } = stepper
  if (!first) releaseOpen(stepper, step, stepper.islands)
  const { joints, limits, drives, jointSpins } = stepper.joints
  constraints.engagePredicted(open)
  const engaged = constraints.list.filter(active => active.engaged)
  const grouped = partition(context.equations.snapshot, joints, limits, drives, jointSpins, engaged)
  // If an island has merged with others, those are solved from the start too.
  if (!first) releaseOpen(stepper, step, grouped)
  const before = stepper.islands
  const solved = new Map(before.map(island => [island.bodies[0]!, island]))
  stepper.islands = grouped.filter(({ bodies }) => failed[bodies[0]!] === 0)
    .map(island => island.bodies.every(body => open[body] === 0) ? solved.get(island.bodies[0]!) ?? island : island)
  const present = new Set(stepper.islands)
  kept.drop(before.filter(island => !present.has(island)))
  for (const island of stepper.islands) {
    if (!island.bodies.some(body => open[body] === 1)) continue
    // A failing step is solved about a hundred times, in repeated halves.
    stopWhereCancelled(context.environment)
    const reason = solveIsland(context, island, step, stepper)
    if (reason !== null) {
      stepper.fail(reason, island.bodies)
      continue
    }
    if (island.divisionPoint !== null) stepper.fail('', island.bodies, island.divisionPoint)
  }
  open.fill(0)
}

/** Opens every body of the islands that have an open one, and restores free motion to all of them. */
function releaseOpen(stepper: StepInProgress, step: StepArrays, islands: readonly StepIsland[]): void {
  const { open, moved, unproven } = stepper
  const bodies = islands.filter(island => island.bodies.some(body => open[body] === 1)).flatMap(island => island.bodies)
  for (const body of bodies) open[body] = moved[body] = unproven[body] = 1
  stepper.moveFreely(step, bodies)
}
