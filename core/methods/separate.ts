/**
 * Moves overlapping bodies apart at the start, or at a spawn, before the run: each pair along the direction of least overlap, in the mass metric, by
 * Gauss–Seidel over all pairs and joints. Velocities do not change, so bodies are not thrown out. A light body between heavy ones oscillates in that
 * metric and needs a number of sweeps proportional to the mass ratio. Remaining overlaps are therefore removed with equal masses.
 */

import type { ContactSet } from '../contact/contact-set'
import type { EquationsOfMotion } from '../contact/equations'
import { allowedOverlap, overlapsAt } from '../contact/overlaps'
import { Rows } from '../contact/rows'
import type { World } from '../contact/world'
import { OFFSET_CENTER, OFFSET_ORIENTATION } from '../dynamics/state'
import { readMotion, type StateLayout } from '../dynamics/state-layout'
import { evaluateJoint } from '../dynamics/joints/joint'
import { jointEquations } from '../dynamics/joints/rows'
import { add, scale } from '../math/vector'
import { multiplyQuaternions, normalizeQuaternion, type Quat } from '../math/quaternion'
import { shortNumber } from '../math/short-number'
import { StopError, stopWhereCancelled, type MethodEnvironment } from './method'
import { openTouching } from './open-touching'
import { GAP_ROUNDING, GAP_TARGET, NARROW_GAP } from './time-stepping/tolerances'

/** Maximum number of sweeps over all pairs; a heap of a hundred cubes that half overlap needs a few hundred. */
const MAX_SWEEPS = 5000
/** The same for gaps that are opened by less than the gap target. */
const OPENING_SWEEPS = 500
/** Linear problems for the gaps of heaps: each takes in pairs that the ones before have brought together. */
const OPENING_ROUNDS = 10
/** Number of initial sweeps in which corrections are weighted by mass. */
const BY_MASS = 500
/** × gap target: joint errors that may remain. The projection of joints that follows then closes no gap that a pair was given. */
const JOINT_ACCURACY = 0.01
/** Sweeps without overlaps in which joints may converge; the projection of joints takes over from there. */
const JOINT_SWEEPS = 500
/** × scene size: the largest displacement of a body by one correction. */
const MAX_DISPLACEMENT = 0.1

const ONE = Float64Array.of(1)

/** Poses of bodies, and possible overlaps. */
interface Heap {
  readonly world: World
  readonly contacts: ContactSet
  readonly equations: EquationsOfMotion
  /** s */
  readonly time: number
  readonly state: Float64Array
  readonly warnings: string[]
  readonly environment: Pick<MethodEnvironment, 'observer' | 'cancelled' | 'preparing'>
}

/**
 * Moves overlapping bodies apart at the context's state, in place, and reports deep overlaps.
 *
 * @param deep whether the scene allows any depth
 * @throws as `separateHeap`
 */
export function separate(heap: Heap, deep: boolean): void {
  let deepest = 0
  // Bodies are moved one at a time, also those of trees; joints are equations meanwhile.
  heap.equations.snapshot.withoutTrees(() => { deepest = separateHeap(heap, deep) })
  if (deepest <= allowedOverlap(heap.world)) return
  warn(heap, `bodies that overlapped by up to ${shortNumber(deepest)} m were moved apart`)
}

function warn({ warnings, environment, time }: Heap, message: string): void {
  warnings.push(message)
  environment.observer.event({ kind: 'warning', time, message })
}

/**
 * @returns the deepest initial overlap, m
 * @throws StopError InitialPenetration if it is deeper than projection allows and the scene does not allow separation, or if it cannot be resolved
 */
function separateHeap(context: Heap, deep: boolean): number {
  const { world, equations: { snapshot }, state, time } = context
  const allowed = allowedOverlap(world)
  const { least: first, ids: overlapping } = sweepPairs(context, -Infinity, GAP_TARGET, true)
  const deepest = Math.max(-first, 0)
  // Bodies that do not overlap are not moved.
  if (deepest === 0) return 0
  if (deepest > allowed && !deep) {
    throw new StopError('InitialPenetration', `"${overlapping[0]}" and "${overlapping[1]}" overlap by ${shortNumber(deepest)} m`, time, overlapping)
  }
  // Gaps of the usual size may not fit, as where bodies fill the space between walls.
  const solved = openHeaps(context, 0, GAP_TARGET) || openHeaps(context, 0, NARROW_GAP * GAP_TARGET)
  if (!solved && -sweepPairs(context, -Infinity, GAP_TARGET, true).least <= GAP_ROUNDING * world.scales.size) return deepest
  const opened = state.slice()
  // m or rad
  let jointError = 0
  let apart = 0
  for (let sweep = 0; ; sweep++) {
    const { least, ids } = sweepPairs(context, 0, GAP_TARGET, sweep < BY_MASS)
    const worst = Math.max(-least, 0)
    if (worst === 0 && (jointError <= JOINT_ACCURACY * GAP_TARGET || ++apart > JOINT_SWEEPS)) break
    context.environment.preparing?.(`moving overlapping bodies apart: sweep ${sweep + 1} of at most ${MAX_SWEEPS}, ${shortNumber(worst, 2)} m left`)
    if (worst > 0 && sweep >= MAX_SWEEPS - 1) {
      if (worst <= allowed) {
        // Sweeps move a body without room back and forth by more than it overlapped.
        if (deepest <= allowed) state.set(opened)
        const left = sweepPairs(context, -Infinity, GAP_TARGET, true)
        warn(context, `${left.ids.map(id => `"${id}"`).join(' and ')} have no room to be moved apart; they overlap by ${shortNumber(-left.least, 2)} m, and time steps leave no overlap`)
        break
      }
      throw new StopError('InitialPenetration', `"${ids[0]}" and "${ids[1]}" could not be moved apart: they still overlap by ${shortNumber(worst)} m`, time, ids)
    }
    jointError = sweepJoints(context, sweep < BY_MASS)
  }
  snapshot.update(state)
  return deepest
}

/**
 * Opens the gaps of pairs that touch, without a change of velocities. A state that cannot be opened (a body that fits its slot exactly) stays as it is.
 *
 * @param least m: a pair with a smaller gap is opened
 * @param target m: its gap afterwards
 * @returns whether all gaps are open
 */
export function openGaps(heap: Heap, least: number, target: number): boolean {
  const { equations: { snapshot }, state } = heap
  const before = state.slice()
  openHeaps(heap, least, target)
  for (let sweep = 0; sweep < OPENING_SWEEPS; sweep++) {
    if (sweepPairs(heap, least, target, true).least >= least) return true
    sweepJoints(heap, true)
  }
  state.set(before)
  snapshot.update(state)
  return false
}

/** Requires that bodies that were moved apart stay so once joints hold exactly. @throws StopError InitialPenetration */
export function requireApart({ world, contacts, equations: { snapshot }, time }: Heap): void {
  for (const { bodyA, bodyB, depth } of overlapsAt(world, contacts, snapshot)) {
    if (depth <= allowedOverlap(world)) continue
    const ids = [world.bodies[bodyA]!.id, world.bodies[bodyB]!.id]
    throw new StopError('InitialPenetration', `"${ids[0]}" and "${ids[1]}" could not be moved apart: where joints hold, they overlap by ${shortNumber(depth)} m`, time, ids)
  }
}

/**
 * Opens heaps without joints, until gaps that were open at first do not close any more.
 *
 * @returns whether a solution was found for every heap
 */
function openHeaps({ world, contacts, equations: { snapshot, layout }, state, environment }: Heap, least: number, target: number): boolean {
  let solved = true
  for (let round = 0; round < OPENING_ROUNDS; round++) {
    snapshot.update(state)
    const found = openTouching(world, contacts, snapshot, least, target, () => { stopWhereCancelled(environment) })
    solved = found.solved
    if (found.moves === null) return solved
    for (let body = 0; body < snapshot.motions.length; body++) if (snapshot.inverseMass[body]! > 0) displace(layout, state, body, found.moves)
  }
  snapshot.update(state)
  return solved
}

/** One sweep over all pairs with a gap below `least`, which get `target`, m. @returns the least gap before, and the ids of its bodies */
function sweepPairs(context: Heap, least: number, target: number, byMass: boolean): { least: number, ids: readonly string[] } {
  const { world, contacts, equations: { snapshot }, state } = context
  const row = new Rows(1)
  const moves = new Float64Array(6 * snapshot.motions.length)
  snapshot.update(state)
  let smallest = Infinity
  let ids: readonly string[] = []
  for (const { bodyA, bodyB, collider } of contacts.nearAt(snapshot, GAP_TARGET)) {
    stopWhereCancelled(context.environment)
    const a = snapshot.motions[bodyA]!.pose
    const b = snapshot.motions[bodyB]!.pose
    const { separation, normal, point } = collider.separating(a, b)
    if (separation < smallest) {
      smallest = separation
      ids = [world.bodies[bodyA]!.id, world.bodies[bodyB]!.id]
    }
    if (separation >= least) continue
    row.clear()
    // A push at only one of several equally deep corners would rotate the body.
    const touching = separation < -GAP_TARGET ? [] : collider.region(a, b, GAP_TARGET).map(features => features.locate(a, b).point)
    const middle = touching.length === 0 ? point : scale(touching.reduce((sum, corner) => add(sum, corner)), 1 / touching.length)
    row.pushPoint(snapshot, bodyA, bodyB, middle, normal, 0)
    correct(context, row, target - separation, byMass, moves)
  }
  return { least: smallest, ids }
}

/** One sweep over the equations of all joints. @returns the largest error before, m or rad */
function sweepJoints(context: Heap, byMass: boolean): number {
  const { world, equations: { snapshot } } = context
  const row = new Rows(1)
  const moves = new Float64Array(6 * snapshot.motions.length)
  let largest = 0
  for (const { constraint, broken } of world.joints) {
    if (broken) continue
    const equations = jointEquations(constraint)
    for (let r = 0; r < constraint.rows; r++) {
      evaluateJoint(constraint, body => snapshot.motionOf(body), equations)
      row.clear()
      row.pushJoint(constraint, equations, r)
      largest = Math.max(largest, Math.abs(equations.error[r]!))
      correct(context, row, -equations.error[r]!, byMass, moves)
    }
  }
  return largest
}

/**
 * Moves the bodies of a row so that it changes by `amount`, m or rad, and updates their motions.
 *
 * @param byMass whether heavier bodies move less
 * @param moves scratch, 6 a body, zero before and after
 */
function correct({ world, equations: { snapshot, layout }, state }: Heap, row: Rows, amount: number, byMass: boolean, moves: Float64Array): void {
  row.weigh(snapshot)
  row.addMotion(ONE, moves)
  const bodies = new Set([row, ...row.owners.length > 0 ? [row.second!] : []].flatMap(({ bodyA, bodyB }) => [bodyA[0]!, bodyB[0]!]))
  if (!byMass) {
    for (const body of bodies) {
      const inverse = body < 0 ? 0 : snapshot.inverseMass[body]!
      if (inverse > 0) for (let k = 6 * body; k < 6 * body + 6; k++) moves[k]! /= inverse
    }
  }
  const compliance = row.along(0, moves)
  const longest = MAX_DISPLACEMENT * world.scales.size
  const share = Math.min(Math.max(amount, -longest), longest) / compliance
  for (const body of bodies) {
    if (body < 0) continue
    const at = 6 * body
    if (compliance > 0 && snapshot.inverseMass[body]! > 0) {
      for (let k = at; k < at + 6; k++) moves[k]! *= share
      displace(layout, state, body, moves)
      snapshot.motions[body] = readMotion(layout, body, state)
    }
    moves.fill(0, at, at + 6)
  }
}

/** @param moves m and rad, 6 a body */
function displace(layout: StateLayout, state: Float64Array, body: number, moves: Float64Array): void {
  const o = layout.offsets[body]!
  const at = 6 * body
  for (let k = 0; k < 3; k++) state[o + OFFSET_CENTER + k] = state[o + OFFSET_CENTER + k]! + moves[at + k]!
  const t = o + OFFSET_ORIENTATION
  const q: Quat = [state[t]!, state[t + 1]!, state[t + 2]!, state[t + 3]!]
  const turned = multiplyQuaternions([moves[at + 3]! / 2, moves[at + 4]! / 2, moves[at + 5]! / 2, 1], q)
  state.set(normalizeQuaternion(turned), t)
}
