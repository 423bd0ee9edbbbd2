/**
 * Which bodies joints hold together as trees: each body of a tree hangs by one joint on its parent, and its pose follows from the parent's and from the joint's
 * coordinates. Joints that close a loop are in no tree, and stay equations [PBM01-F §5.1]; so do those without a parametric form, those that may part, and
 * those of bodies that come later.
 */

import type { RigidBody } from '../body'
import type { JointConstraint } from '../joints/joint'
import { alongCount, type Mobility } from '../joints/mobility'

/** A body of a tree, by the joint on which it hangs. */
export interface Link {
  readonly joint: number
  readonly mobility: Mobility
  /** The body is A of the joint, and its parent B. */
  readonly isA: boolean
  /** Places of its positions and velocities among those of all trees: along B, then turns. */
  readonly position: number
  readonly velocity: number
  readonly positions: number
  readonly velocities: number
}

export interface Node {
  readonly body: number
  /** Index of the body on which it hangs; −1 is the world. Its own for a dynamic body that hangs on nothing. */
  readonly parent: number
  /** Index of the parent among the nodes; −1 if the parent does not move. */
  readonly parentNode: number
  /** Null for a dynamic body that hangs on nothing, and carries a tree. */
  readonly link: Link | null
  readonly tree: number
}

export interface Forest {
  /** Tree by tree, parents before what hangs on them. */
  readonly nodes: readonly Node[]
  /** First node of each tree, and behind the last. */
  readonly start: readonly number[]
  /** Of each body of the world; −1 of those in no tree. */
  readonly nodeOf: Int32Array
  /** Of each joint of the world; −1 of those that stay equations. */
  readonly nodeOfJoint: Int32Array
  readonly positions: number
  readonly velocities: number
}

/** What of a joint counts here. */
export interface TreeJoint {
  readonly constraint: JointConstraint
  /** Null: it never parts. */
  readonly breaking: object | null
  readonly spawnTime: number
  readonly removeTime: number
}

/** @returns null where no joint can be a tree's */
export function forestOf(bodies: readonly RigidBody[], joints: readonly TreeJoint[]): Forest | null {
  const dynamic = (body: number): boolean => body >= 0 && bodies[body]!.type === 'dynamic'
  const holding = spanning(bodies, joints)
  if (holding.length === 0) return null
  const nodes: Node[] = []
  const start: number[] = []
  const nodeOf = new Int32Array(bodies.length).fill(-1)
  const nodeOfJoint = new Int32Array(joints.length).fill(-1)
  const counts = { positions: 0, velocities: 0 }
  const left = new Set(holding)

  const hang = (joint: number, parent: number): void => {
    left.delete(joint)
    const { bodyA, bodyB, mobility } = joints[joint]!.constraint
    const isA = bodyB === parent
    const { turns, free } = mobility!
    const velocities = alongCount(mobility!) + turns.length
    const link: Link = {
      joint, mobility: mobility!, isA, position: counts.positions, velocity: counts.velocities,
      positions: free ? velocities + 1 : velocities, velocities,
    }
    counts.positions += link.positions
    counts.velocities += link.velocities
    const body = isA ? bodyA : bodyB
    nodeOf[body] = nodeOfJoint[joint] = nodes.length
    nodes.push({ body, parent, parentNode: parent < 0 ? -1 : nodeOf[parent]!, link, tree: start.length - 1 })
  }
  /** Hangs everything on what the tree's nodes from `from` on carry. */
  const grow = (from: number): void => {
    for (let n = from; n < nodes.length; n++) {
      const { body } = nodes[n]!
      for (const joint of left) {
        const { bodyA, bodyB } = joints[joint]!.constraint
        if (bodyA === body || bodyB === body) hang(joint, body)
      }
    }
  }
  for (const joint of holding) {
    const { bodyA, bodyB } = joints[joint]!.constraint
    if (!left.has(joint) || (dynamic(bodyA) && dynamic(bodyB))) continue
    start.push(nodes.length)
    hang(joint, dynamic(bodyA) ? bodyB : bodyA)
    grow(start.at(-1)!)
  }
  for (const joint of holding) {
    if (!left.has(joint)) continue
    const { constraint: { bodyA } } = joints[joint]!
    start.push(nodes.length)
    nodeOf[bodyA] = nodes.length
    nodes.push({ body: bodyA, parent: bodyA, parentNode: -1, link: null, tree: start.length - 1 })
    grow(start.at(-1)!)
  }
  start.push(nodes.length)
  return { nodes, start, nodeOf, nodeOfJoint, ...counts }
}

/** The joints that close no loop, in their order; bodies that nothing moves are one with the world. */
function spanning(bodies: readonly RigidBody[], joints: readonly TreeJoint[]): number[] {
  // Place 0 is the world, i + 1 body i.
  const home = bodies.map((_, i) => i + 1)
  home.unshift(0)
  const find = (body: number): number => {
    let at = body >= 0 && bodies[body]!.type === 'dynamic' ? body + 1 : 0
    while (home[at] !== at) at = home[at] = home[home[at]!]!
    return at
  }
  return joints.flatMap(({ constraint: { bodyA, bodyB, mobility }, breaking, spawnTime, removeTime }, joint) => {
    if (mobility === undefined || breaking !== null || spawnTime > 0 || removeTime < Infinity) return []
    if ([bodyA, bodyB].some(body => body >= 0 && (bodies[body]!.spawnTime > 0 || bodies[body]!.removeTime < Infinity))) return []
    const a = find(bodyA)
    const b = find(bodyB)
    if (a === b) return []
    home[Math.max(a, b)] = Math.min(a, b)
    return [joint]
  })
}
