/**
 * A tree format has no spring, drive or limit at a loop closure. The body of such a joint is cut into two coincident halves that are welded together:
 * the joint, with its springs, drives and limits, carries one half in the tree, and the weld closes the loop.
 */

import { bodyMass, partsOf } from '../../../analysis/solids'
import { scaleMatrix } from '../../../math/matrix'
import type { ResolvedBody, ResolvedJoint, ResolvedScene } from '../../../scene'
import type { Loss } from '../../format'
import { bodyTree, isBranch, type BranchJoint } from '../../shared/body-tree'
import { componentsOf } from '../../shared/inertia'

/** Suffix of the name of a half, the weld to its body: the importer merges halves by it. */
export const HALVES = '.weld'

export interface CutScene {
  readonly scene: ResolvedScene
  /** Joints that must not become branches: the welds. */
  readonly welds: ReadonlySet<string>
  readonly losses: readonly Loss[]
}

interface Acting {
  readonly limits?: object
  readonly motor?: object
  readonly servo?: object
  readonly damping?: number
  readonly friction?: number
  readonly spring?: { readonly stiffness: number }
}

/** Whether a limit, drive, spring, damping or friction acts in the joint. */
function hasActions(joint: ResolvedJoint): boolean {
  const acts = (one: unknown): boolean => {
    const { limits, motor, servo, damping = 0, friction = 0, spring } = one as Acting
    return (limits !== undefined && Object.keys(limits).length > 0) || motor !== undefined || servo !== undefined
      || damping > 0 || friction > 0 || (spring?.stiffness ?? 0) > 0
  }
  if (joint.type === 'universal') return acts(joint.rotationA) || acts(joint.rotationB)
  if (joint.type === 'cylindrical') return acts(joint.rotation) || acts(joint.translation)
  return acts(joint)
}

/** Joints that are preferred as branches of the tree: those with forces in them, and those coupled by gears. */
export function branchesFirst(scene: ResolvedScene): (joint: ResolvedJoint) => boolean {
  const geared = new Set(scene.joints.flatMap(joint => joint.type === 'gear' ? [joint.jointA, joint.jointB] : []))
  return joint => geared.has(joint.id) || hasActions(joint)
}

export function cutLoops(scene: ResolvedScene): CutScene {
  const first = branchesFirst(scene)
  /** Joints that must be branches: MuJoCo has no equality for them, or none with forces. */
  const needsBranch = (joint: ResolvedJoint): joint is BranchJoint => isBranch(joint) && (first(joint) || !['ball', 'hinge', 'fixed'].includes(joint.type))
  const { loops } = bodyTree(scene, first)
  const bodies = new Map(scene.bodies.map(body => [body.id, body]))
  const isDynamic = (id: string | null): id is string => id !== null && bodies.get(id)!.type === 'dynamic'
  const cuts = loops.filter(({ joint }) => needsBranch(joint) && (isDynamic(joint.bodyA) || isDynamic(joint.bodyB)))
  const losses: Loss[] = []
  if (cuts.length === 0) return { scene, welds: new Set(), losses }
  const cutAt = new Map<string, string[]>()
  const joints = [...scene.joints]
  const welds: ResolvedJoint[] = []
  for (const { joint, index } of cuts) {
    if (!needsBranch(joint)) continue
    const inA = isDynamic(joint.bodyA)
    const id = inA ? joint.bodyA! : joint.bodyB!
    const half = `${id}.${joint.id}`
    cutAt.set(id, [...cutAt.get(id) ?? [], half])
    joints[index] = inA ? { ...joint, bodyA: half } : { ...joint, bodyB: half }
    welds.push({ id: `${half}${HALVES}`, type: 'fixed', bodyA: id, bodyB: half, anchor: joint.anchor, collide: false })
    losses.push({
      path: `bodies[${scene.bodies.findIndex(body => body.id === id)}].mass`, message: `"${id}" is cut in two where a loop closes`, instead: 'two halves of equal mass, welded',
    }, {
      path: `joints[${index}]`, message: `The joint "${joint.id}" closes a loop, where MuJoCo has no springs, drives, limits or sliding joints`,
      instead: `"${id}" as two halves of its mass, "${id}" and "${half}", with a weld, which is slightly soft, between them`,
    })
  }
  const cut = scene.bodies.map(body => halves(body, cutAt.get(body.id), scene))
  // Appended at the end, so that the paths of losses remain those of the document.
  const all = { ...scene, joints: [...joints, ...welds], bodies: [...cut.map(parts => parts[0]!), ...cut.flatMap(parts => parts.slice(1))] }
  return { scene: all, welds: new Set(welds.map(weld => weld.id)), losses }
}

function halves(body: ResolvedBody, cuts: readonly string[] | undefined, scene: ResolvedScene): ResolvedBody[] {
  if (cuts === undefined) return [body]
  const { mass, centerOfMass, inertia } = bodyMass(body, partsOf(body, scene))
  const share = 1 / (cuts.length + 1)
  const part = { mass: mass * share, centerOfMass, inertia: componentsOf(scaleMatrix(inertia, share)) }
  const { visuals: _, ...bare } = body
  return [{ ...body, mass: part }, ...cuts.map(id => ({ ...bare, id, shapes: [], mass: part }))]
}
