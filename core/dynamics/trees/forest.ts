/**
 * Trees of bodies: each body of a tree is connected by one joint to its parent, and its pose follows from the parent's pose and the joint's
 * coordinates. Joints that close a loop belong to no tree, and remain equations [PBM01-F §5.1]; so do joints without a parametric form, breakable
 * joints, and joints of bodies that are added later.
 */

import type { RigidBody } from '../body'
import type { JointConstraint } from '../joints/joint'
import { alongCount, type Mobility } from '../joints/mobility'

/** A body of a tree, with the joint that connects it to its parent. */
export interface Link {
  readonly joint: number
  readonly mobility: Mobility
  /** The body is A of the joint, and its parent B. */
  readonly isA: boolean
  /** Starts of its positions and velocities among those of all trees: coordinates along B first, then turns. */
  readonly position: number
  readonly velocity: number
  readonly positions: number
  readonly velocities: number
}

export interface Node {
  readonly body: number
  /** Index of the parent body; −1 is the world. The body's own index for a dynamic body that is the root of a tree. */
  readonly parent: number
  /** Index of the parent among the nodes; −1 if the parent does not move. */
  readonly parentNode: number
  /** Null for a dynamic body that is the root of a tree. */
  readonly link: Link | null
  readonly tree: number
}

export interface Forest {
  /** Tree by tree, parents before their children. */
  readonly nodes: readonly Node[]
  /** First node of each tree; the last entry is the number of nodes. */
  readonly start: readonly number[]
  /** By body of the world: its node; −1 for bodies of no tree. */
  readonly nodeOf: Int32Array
  /** By joint of the world: its node; −1 for joints that remain equations. */
  readonly nodeOfJoint: Int32Array
  readonly positions: number
  readonly velocities: number
}

/** The properties of a joint that matter here. */
export interface TreeJoint {
  readonly constraint: JointConstraint
  /** Null: it never breaks. */
  readonly breaking: object | null
  readonly spawnTime: number
  readonly removeTime: number
}

/** @returns null if no joint belongs to a tree */
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
  /** Adds all descendants of the tree's nodes, beginning with the node `from`. */
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

/** The joints that close no loop, in their order. Immovable bodies count as the world. */
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
