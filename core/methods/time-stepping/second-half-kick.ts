/** The second half of the kick at the end of a step, for bodies without contacts and deformables, with velocities that satisfy the joints there. */

import type { EquationsOfMotion } from '../../contact/equations'
import { settleTrees } from '../../contact/settle-trees'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import { renormalize } from '../../dynamics/state-layout'
import type { BodyMotions } from './body-motions'
import { kickToEnd } from './end-kick'
import { projectVelocities } from './rattle'
import type { LocalScales } from './local-scales'
import type { StepIsland } from './step-island'
import { TreeKick } from './tree-kick'

/** Change of half a kick ÷ the velocity change that causes it: above this, forces are stiff for the step. */
const STIFF = 0.5

export interface SteppedBodies {
  readonly bodies: readonly number[]
  /** By body: whether it is one of them. */
  readonly part: Uint8Array
  readonly loaded: Uint8Array
  readonly islands: readonly StepIsland[]
  readonly motions: Pick<BodyMotions, 'trees'>
  readonly scales: LocalScales
  /** s */
  readonly h: number
}

export interface StepEnds {
  /** State at the start; state at the end with the first half of the kick, to which the second half is added. */
  readonly start: Float64Array
  readonly end: Float64Array
  /** Sum of the forces at the start, six doubles a body. */
  readonly external: Float64Array
  /** s: of the end. */
  readonly time: number
  /** Sets the poses and velocities of bodies on paths at the end, in place. */
  readonly arrive: (end: Float64Array) => void
}

/** Applies the second half of the kick. Afterwards `equations` contains the forces at the end and their power. */
export function secondHalfKick(equations: EquationsOfMotion, stepped: SteppedBodies, ends: StepEnds): void {
  const { bodies, islands, loaded, part, h } = stepped
  const { end } = ends
  const whole = loaded.slice()
  for (const island of islands) if (island.mode === 'contact') for (const body of island.bodies) whole[body] = 1
  renormalize(equations.layout, end)
  const half = end.slice()
  const kicked = bodies.filter(index => equations.snapshot.inverseMass[index]! > 0 && whole[index] === 0)
  const { trees } = stepped.motions
  const inTrees = trees === null ? [] : kicked.filter(index => trees.has(index))
  if (trees !== null) settleTrees(equations, end, body => whole[body] === 1 && part[body] === 1)
  const kick = trees === null || inTrees.length === 0 ? null : new TreeKick(equations, trees, new Set(inTrees), end)
  predictForces(equations, stepped, ends, half, kicked, kick)
  for (const index of kicked) {
    if (trees?.has(index) === true) continue
    const m = equations.snapshot.inverseMass[index]!
    const o = equations.layout.offsets[index]!
    for (let k = 0; k < 3; k++) {
      end[o + OFFSET_VELOCITY + k] = half[o + OFFSET_VELOCITY + k]! + m * h / 2 * equations.external[6 * index + k]!
      end[o + OFFSET_MOMENTUM + k] = half[o + OFFSET_MOMENTUM + k]! + h / 2 * equations.external[6 * index + 3 + k]!
    }
  }
  kick?.finish(h, half, end, ends.arrive)
  endJoints(equations, stepped, ends, half)
}

/**
 * Forces at the end of the step. Velocity-dependent forces use the predicted velocities of the end. If the prediction changes the forces so much that
 * they are stiff for the step, they would reverse velocities, and the present velocities are used.
 */
function predictForces(
  equations: EquationsOfMotion, { part, h }: SteppedBodies, { start, end, external, time }: StepEnds, half: Float64Array, kicked: readonly number[],
  kick: TreeKick | null,
): void {
  const parts = kicked.flatMap(index => {
    const o = equations.layout.offsets[index]!
    return [
      { at: o + OFFSET_VELOCITY, from: 6 * index, weight: h / 2 * equations.snapshot.inverseMass[index]! },
      { at: o + OFFSET_MOMENTUM, from: 6 * index + 3, weight: h / 2 },
    ]
  })
  for (const { at } of parts) for (let k = at; k < at + 3; k++) end[k] = 2 * half[k]! - start[k]!
  kick?.predict(start, end)
  equations.loads(time, end, null, part)
  const stiff = parts.filter(({ at, from, weight }) => {
    let [change, response] = [0, 0]
    for (let k = 0; k < 3; k++) {
      change += (half[at + k]! - start[at + k]!) * (half[at + k]! - start[at + k]!)
      response += (equations.external[from + k]! - external[from + k]!) * (equations.external[from + k]! - external[from + k]!)
    }
    return weight * weight * response > STIFF * STIFF * change
  })
  if (stiff.length === 0) return
  for (const { at } of stiff) for (let k = at; k < at + 3; k++) end[k] = half[k]!
  equations.loads(time, end, null, part)
}

/** Velocities of joints, and forces that changed suddenly. @param half the state at the end without the second half of the kick */
function endJoints(equations: EquationsOfMotion, { islands, scales, h }: SteppedBodies, { end, external, time }: StepEnds, half: Float64Array): void {
  const joined = islands.filter(island => island.jointed || island.sudden)
  if (joined.length === 0) return
  const velocitiesAt = (state: Float64Array): Float64Array => {
    const velocities = new Float64Array(external.length)
    equations.snapshot.update(state)
    equations.snapshot.velocities(velocities)
    return velocities
  }
  // No body belongs to two islands; joint loads on immovable bodies are not needed.
  const motion = { before: velocitiesAt(half), velocities: velocitiesAt(end), wrench: new Float64Array(external.length) }
  for (const island of joined) {
    if (island.sudden) island.endKick = kickToEnd(equations, island, end, motion.velocities, external, h)
    if (island.endKick !== null || !island.jointed) continue
    island.sudden = false
    projectVelocities(equations, island, end, time, scales.size(...island.bodies), motion)
  }
}
