/**
 * Bodies that overlap at the start, or where one spawns, are moved apart before anything moves: each pair along the direction in which it overlaps least, in
 * the metric of the masses, by Gauss–Seidel over all pairs and joints. Velocities stay as they are, so that nothing is thrown out.
 */

import { Rows } from '../../contact/rows'
import { OFFSET_CENTER, OFFSET_ORIENTATION } from '../../dynamics/state'
import { readMotion } from '../../dynamics/state-layout'
import { JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
import { jointEquations } from '../../dynamics/joints/rows'
import { multiplyQuaternions, normalizeQuaternion, type Quat } from '../../math/quaternion'
import { INITIAL_OVERLAP } from '../../math/tolerances'
import { StopError } from '../method'
import type { StepContext } from './context'
import { GAP_TARGET } from './settings'

/** Sweeps over all pairs; a heap of a hundred cubes half inside each other takes a few hundred. */
const MAX_SWEEPS = 5000
/** × scene size: the farthest that one correction moves a body. */
const LONGEST_MOVE = 0.1

/**
 * Moves apart what overlaps at the context's state, in place.
 *
 * @returns the deepest overlap that there was, m
 * @throws StopError InitialPenetration where it is deeper than what is projected out and the scene does not ask for separation, or where it cannot be undone
 */
export function separate(context: StepContext): number {
  const { world, contacts, equations: { snapshot }, state, settings } = context
  const allowed = INITIAL_OVERLAP * world.scales.size
  const row = new Rows(1)
  let deepest = 0
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    snapshot.update(state)
    let worst = 0
    let ids: readonly string[] = []
    for (const { bodyA, bodyB, collider } of contacts.nearAt(snapshot, GAP_TARGET)) {
      const { separation, normal, point } = collider.separating(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose)
      if (separation >= 0) continue
      if (-separation > worst) {
        worst = -separation
        ids = [world.bodies[bodyA]!.id, world.bodies[bodyB]!.id]
      }
      row.clear()
      row.pushPoint(snapshot, bodyA, bodyB, point, normal, 0)
      correct(context, row, GAP_TARGET - separation)
    }
    if (sweep === 0) {
      deepest = worst
      if (worst > allowed && !settings.separate) {
        throw new StopError('InitialPenetration', `"${ids[0]}" and "${ids[1]}" overlap by ${worst} m`, context.time, ids)
      }
    }
    if (worst === 0) break
    if (sweep === MAX_SWEEPS - 1) {
      throw new StopError('InitialPenetration', `"${ids[0]}" and "${ids[1]}" could not be moved apart: they still overlap by ${worst} m`, context.time, ids)
    }
    for (const { constraint } of world.joints) {
      const equations = jointEquations(constraint.rows)
      for (let r = 0; r < constraint.rows; r++) {
        constraint.evaluate(snapshot.motionOf(constraint.bodyA), snapshot.motionOf(constraint.bodyB), equations)
        row.clear()
        row.pushJacobian(constraint.bodyA, constraint.bodyB, equations.jacobian, r * JACOBIAN_WIDTH, 1, 0)
        correct(context, row, -equations.error[r]!)
      }
    }
  }
  snapshot.update(state)
  return deepest
}

/** Moves the two bodies of a row so that it changes by `amount`, m or rad, and reads them anew. */
function correct({ world, equations: { snapshot, layout }, state }: StepContext, row: Rows, amount: number): void {
  row.weigh(snapshot)
  const { jacobian: J, inverseMassJacobian: W } = row
  let compliance = 0
  for (let k = 0; k < JACOBIAN_WIDTH; k++) compliance += J[k]! * W[k]!
  if (!(compliance > 0)) return
  const longest = LONGEST_MOVE * world.scales.size
  const p = Math.min(Math.max(amount, -longest), longest) / compliance
  for (const [side, body] of [row.bodyA[0]!, row.bodyB[0]!].entries()) {
    if (body < 0 || snapshot.inverseMass[body] === 0) continue
    const o = layout.offsets[body]!
    const at = 6 * side
    for (let k = 0; k < 3; k++) state[o + OFFSET_CENTER + k] = state[o + OFFSET_CENTER + k]! + p * W[at + k]!
    const t = o + OFFSET_ORIENTATION
    const q: Quat = [state[t]!, state[t + 1]!, state[t + 2]!, state[t + 3]!]
    const turned = multiplyQuaternions([p * W[at + 3]! / 2, p * W[at + 4]! / 2, p * W[at + 5]! / 2, 1], q)
    state.set(normalizeQuaternion(turned), t)
    snapshot.motions[body] = readMotion(layout, body, state)
  }
}
