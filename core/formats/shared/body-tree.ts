/**
 * MJCF and URDF represent bodies as a tree: the joint between a body and its parent is an element of the body, and every other joint becomes an
 * equality constraint, or is lost. This file selects the joints that become branches: the world's first, then those with forces in them, in document
 * order.
 */

import type { ResolvedBody, ResolvedJoint, ResolvedScene } from '../../scene'

/** Joint types that can be branches of the tree. */
export type BranchJoint = Extract<ResolvedJoint, { type: 'ball' | 'hinge' | 'slider' | 'fixed' | 'universal' | 'cylindrical' | 'planar' }>

export interface TreeNode {
  readonly body: ResolvedBody
  readonly index: number
  /** The joint to its parent; null for free and static bodies. */
  readonly branch: { readonly joint: BranchJoint; readonly index: number; readonly childIsA: boolean } | null
  readonly children: TreeNode[]
}

export interface BodyTree {
  readonly roots: readonly TreeNode[]
  /** Joints that are not branches, with their index in the document. */
  readonly loops: readonly { readonly joint: ResolvedJoint; readonly index: number }[]
}

const BRANCHES: readonly string[] = ['ball', 'hinge', 'slider', 'fixed', 'universal', 'cylindrical', 'planar']

/**
 * @param first joints preferred as branches
 * @param never ids of joints that must not be branches
 */
export function bodyTree(scene: ResolvedScene, first: (joint: ResolvedJoint) => boolean = () => false, never: ReadonlySet<string> = new Set()): BodyTree {
  const nodes = scene.bodies.map((body, index): { -readonly [K in keyof TreeNode]: TreeNode[K] } => ({ body, index, branch: null, children: [] }))
  const indices = new Map(scene.bodies.map((body, index) => [body.id, index]))
  /** Set of each body for union–find: bodies of one set are already connected. The world and all bodies that are not dynamic are set −1. */
  const hangsOn = nodes.map((node, index) => node.body.type === 'dynamic' ? index : -1)
  const rootOf = (index: number): number => {
    while (index >= 0 && hangsOn[index] !== index) index = hangsOn[index]!
    return index
  }
  const parents = new Map<number, number | null>()
  const loops: { joint: ResolvedJoint; index: number }[] = []
  const candidates = scene.joints.map((joint, index) => ({ joint, index }))
  const touchesWorld = (joint: ResolvedJoint): boolean => joint.type !== 'gear'
    && [joint.bodyA, joint.bodyB].some(id => id === null || scene.bodies[indices.get(id)!]!.type !== 'dynamic')
  const rank = (joint: ResolvedJoint): number => (touchesWorld(joint) ? 0 : 2) + (first(joint) ? 0 : 1)
  for (const { joint, index } of [...candidates].sort((x, y) => rank(x.joint) - rank(y.joint) || x.index - y.index)) {
    if (!isBranch(joint) || never.has(joint.id)) {
      loops.push({ joint, index })
      continue
    }
    const a = joint.bodyA === null ? -1 : indices.get(joint.bodyA)!
    const b = joint.bodyB === null ? -1 : indices.get(joint.bodyB)!
    const free = (body: number): boolean => body >= 0 && nodes[body]!.body.type === 'dynamic' && rootOf(body) === body
    const apart = (a < 0 ? -1 : rootOf(a)) !== (b < 0 ? -1 : rootOf(b))
    // The child is a body without a parent, preferably A, since the joint's position is that of A.
    const child = apart && free(a) ? a : apart && free(b) ? b : -1
    if (child < 0) {
      loops.push({ joint, index })
      continue
    }
    const parent = child === a ? b : a
    nodes[child]!.branch = { joint, index, childIsA: child === a }
    hangsOn[child] = parent < 0 || nodes[parent]!.body.type !== 'dynamic' ? -1 : parent
    parents.set(child, parent < 0 ? null : parent)
  }
  const roots: TreeNode[] = []
  nodes.forEach((node, index) => {
    const parent = parents.get(index)
    if (parent === undefined || parent === null) roots.push(node)
    else nodes[parent]!.children.push(node)
  })
  return { roots, loops: loops.sort((x, y) => x.index - y.index) }
}

export function isBranch(joint: ResolvedJoint): joint is BranchJoint {
  return BRANCHES.includes(joint.type)
}
