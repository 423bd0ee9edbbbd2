/**
 * Islands in equilibrium. If every body of an island is at rest, its accelerations vanish, and its loads depend neither on time nor on bodies
 * outside, then rest is the exact solution until the next contact: it needs no integration and cannot creep.
 */

import { bodiesOfJoint } from '../dynamics/joints/joint'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../dynamics/state'
import { length } from '../math/vector'
import type { EquationsOfMotion } from './equations'
import type { Island } from './island'
import { staticForcesLast } from './island-forces'
import { servoOf } from './servo'

/** Forces that are constant while the body does not move. */
const STEADY: readonly string[] = ['gravity', 'gravityChange', 'uniform', 'point', 'torque', 'drag', 'ballDamping']
/** Rounding errors of speeds, × the speed scale, and of accelerations, × the force scale ÷ mass: the accuracy of the forces. */
const AT_REST = 1e-12

/**
 * Marks the islands in equilibrium, and sets their bodies' velocities to exactly zero.
 *
 * @param forces multipliers of each island, solved at this state
 */
export function markEquilibria(equations: EquationsOfMotion, forces: readonly Float64Array[], state: Float64Array): void {
  const { world } = equations
  const guided = world.joints.filter(({ coordinates }) => coordinates.some(elements => servoOf(elements)?.moves === true))
  const unsteady = new Set([
    ...world.forces.filter(force => !STEADY.includes(force.type)).flatMap(force => force.bodies),
    ...guided.flatMap(({ constraint }) => bodiesOfJoint(constraint)),
  ])
  equations.islands.forEach((island, k) => {
    island.equilibrium = null
    if (island.bodies.some(body => unsteady.has(body)) || !atRest(equations, island) || accelerates(equations, island, forces[k]!)) return
    if (!staticForcesLast(island, forces[k]!)) return
    island.equilibrium = forces[k]!
    for (const body of island.bodies) {
      const at = equations.layout.offsets[body]!
      state.fill(0, at + OFFSET_VELOCITY, at + OFFSET_VELOCITY + 3)
      state.fill(0, at + OFFSET_MOMENTUM, at + OFFSET_MOMENTUM + 3)
    }
  })
}

/** Whether the island's bodies, and all bodies of its points and joints, are at rest. */
function atRest(equations: EquationsOfMotion, island: Island): boolean {
  const { snapshot, world: { scales, bodies } } = equations
  const still = (body: number): boolean => {
    const { velocity, angularVelocity } = snapshot.motionOf(body)
    if (body >= 0 && bodies[body]!.path !== null) return false
    return length(velocity) + length(angularVelocity) * scales.size <= AT_REST * scales.speed
  }
  return island.bodies.every(still) && island.points.every(point => still(point.bodyA) && still(point.bodyB))
    && island.joints.every(({ element: { constraint } }) => bodiesOfJoint(constraint).every(still))
    && hangsStill(equations, island, still)
    && island.drives.length === 0 && !equations.jointLoads.saturated.some(drive => island.joints.some(joint => joint.index === drive.joint))
}

/** Whether the base bodies of the island's trees are at rest. */
function hangsStill({ snapshot: { trees } }: EquationsOfMotion, island: Island, still: (body: number) => boolean): boolean {
  return trees === null || island.bodies.every(body => !trees.has(body) || still(trees.forest.nodes[trees.nodeOf(body)]!.parent))
}

function accelerates(equations: EquationsOfMotion, island: Island, f: Float64Array): boolean {
  const { snapshot, world: { scales }, free } = equations
  const motion = new Float64Array(free.length)
  island.rows.weigh(snapshot)
  island.rows.addMotion(f, motion)
  return island.bodies.some(body => {
    const limit = AT_REST * scales.force * snapshot.inverseMass[body]!
    for (let k = 0; k < 6; k++) {
      const rate = Math.abs(free[6 * body + k]! + motion[6 * body + k]!) * (k < 3 ? 1 : scales.size)
      if (!(rate <= limit)) return true
    }
    return false
  })
}
