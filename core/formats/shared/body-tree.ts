/**
 * MJCF and URDF hold bodies in a tree: the joint by which a body hangs on its parent is an element inside it, and every other joint is an equality
 * constraint, or lost. Which joints become branches is decided here: the world's first, then those in which something acts, in document order.
 */

import type { ResolvedBody, ResolvedJoint, ResolvedScene } from '../../scene'

/** Joints that a branch of the tree can be. */
export type BranchJoint = Extract<ResolvedJoint, { type: 'ball' | 'hinge' | 'slider' | 'fixed' | 'universal' | 'cylindrical' | 'planar' }>

export interface TreeNode {
  readonly body: ResolvedBody
  readonly index: number
  /** How it hangs on its parent; null for a body that moves freely or not at all. */
  readonly branch: { readonly joint: BranchJoint; readonly index: number; readonly childIsA: boolean } | null
  readonly children: TreeNode[]
}

export interface BodyTree {
  readonly roots: readonly TreeNode[]
  /** Joints that are no branch, with their index in the document. */
  readonly loops: readonly { readonly joint: ResolvedJoint; readonly index: number }[]
}

const BRANCHES: readonly string[] = ['ball', 'hinge', 'slider', 'fixed', 'universal', 'cylindrical', 'planar']

/**
 * @param first joints that should rather be branches than close a loop
 * @param never ids of joints that are no branches
 */
export function bodyTree(scene: ResolvedScene, first: (joint: ResolvedJoint) => boolean = () => false, never: ReadonlySet<string> = new Set()): BodyTree {
  const nodes = scene.bodies.map((body, index): { -readonly [K in keyof TreeNode]: TreeNode[K] } => ({ body, index, branch: null, children: [] }))
  const indices = new Map(scene.bodies.map((body, index) => [body.id, index]))
  /** Set of each body: bodies of one set hang together already. The world and all bodies that are not dynamic are set −1. */
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
    // The child is a body that nothing carries yet: A by preference, since the joint's position is that of A.
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
