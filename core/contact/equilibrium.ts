/**
 * Islands in equilibrium. Where every body of an island is at rest, its accelerations vanish and nothing that acts on it depends on time or on
 * bodies outside, rest is the exact solution until something touches it: it costs nothing to integrate and cannot creep.
 */

import { bodiesOfJoint } from '../dynamics/joints/joint'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../dynamics/state'
import { length } from '../math/vector'
import type { EquationsOfMotion } from './equations'
import type { Island } from './island'
import { servoOf } from './servo'

/** Forces that are constant while the body does not move. */
const STEADY: readonly string[] = ['gravity', 'gravityChange', 'uniform', 'point', 'torque', 'drag', 'ballDamping']
/** Speeds, × the speed scale, and accelerations, × the force scale ÷ mass, that are rounding: the accuracy of the forces themselves. */
const AT_REST = 1e-12

/**
 * Marks the islands in equilibrium, with their bodies' velocities set to exactly zero.
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
    if (!island.lasts(forces[k]!)) return
    island.equilibrium = forces[k]!
    for (const body of island.bodies) {
      const at = equations.layout.offsets[body]!
      state.fill(0, at + OFFSET_VELOCITY, at + OFFSET_VELOCITY + 3)
      state.fill(0, at + OFFSET_MOMENTUM, at + OFFSET_MOMENTUM + 3)
    }
  })
}

/** The island's bodies, and all bodies that its points and joints act on. */
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
    && island.drives.length === 0 && !equations.saturated.some(drive => island.joints.some(joint => joint.index === drive.joint))
}

/** Whatever bodies of trees hang on. */
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
