/**
 * A tree format has no spring, drive or limit where a loop closes. Such a joint's body is cut into two halves of the same place and motion, that are
 * welded together: the joint hangs the one half in the tree with everything that acts in it, and the weld closes the loop.
 */

import { bodyMass, partsOf } from '../../../analysis/solids'
import { scaleMatrix } from '../../../math/matrix'
import type { ResolvedBody, ResolvedJoint, ResolvedScene } from '../../../scene'
import type { Loss } from '../../format'
import { bodyTree, isBranch, type BranchJoint } from '../../shared/body-tree'
import { componentsOf } from '../../shared/inertia'

export interface CutScene {
  readonly scene: ResolvedScene
  /** Joints that may not become branches: the welds. */
  readonly welds: ReadonlySet<string>
  readonly losses: readonly Loss[]
}

/** Whether something acts in the joint, or MuJoCo has no equality of its kind. */
function needsBranch(joint: ResolvedJoint): joint is BranchJoint {
  return isBranch(joint) && (hasActions(joint) || !['ball', 'hinge', 'fixed'].includes(joint.type))
}

interface Acting {
  readonly limits?: object
  readonly motor?: object
  readonly damping?: number
  readonly friction?: number
  readonly spring?: { readonly stiffness: number }
}

/** Whether a limit, a drive, a spring, damping or friction acts in the joint. */
export function hasActions(joint: ResolvedJoint): boolean {
  const acts = (one: unknown): boolean => {
    const { limits, motor, damping = 0, friction = 0, spring } = one as Acting
    return (limits !== undefined && Object.keys(limits).length > 0) || motor !== undefined || damping > 0 || friction > 0 || (spring?.stiffness ?? 0) > 0
  }
  if (joint.type === 'universal') return acts(joint.rotationA) || acts(joint.rotationB)
  if (joint.type === 'cylindrical') return acts(joint.rotation) || acts(joint.translation)
  return acts(joint)
}

export function cutLoops(scene: ResolvedScene): CutScene {
  const { loops } = bodyTree(scene, hasActions)
  const cuts = loops.filter(({ joint }) => needsBranch(joint))
  const losses: Loss[] = []
  if (cuts.length === 0) return { scene, welds: new Set(), losses }
  const bodies = new Map(scene.bodies.map(body => [body.id, body]))
  const isDynamic = (id: string | null): id is string => id !== null && bodies.get(id)!.type === 'dynamic'
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
    welds.push({ id: `${half}.weld`, type: 'fixed', bodyA: id, bodyB: half, anchor: joint.anchor, collide: false })
    losses.push({
      path: `bodies[${scene.bodies.findIndex(body => body.id === id)}].mass`, message: `"${id}" is cut in two where a loop closes.`, instead: 'halves of equal mass, welded',
    }, {
      path: `joints[${index}]`, message: `The joint "${joint.id}" closes a loop, where MuJoCo has no springs, drives, limits or sliding joints.`,
      instead: `"${id}" as two halves of its mass, "${id}" and "${half}", with a weld (which yields a little) between them`,
    })
  }
  const whole = { ...scene, joints: [...joints, ...welds], bodies: scene.bodies.flatMap(body => halves(body, cutAt.get(body.id), scene)) }
  return { scene: whole, welds: new Set(welds.map(weld => weld.id)), losses }
}

function halves(body: ResolvedBody, cuts: readonly string[] | undefined, scene: ResolvedScene): ResolvedBody[] {
  if (cuts === undefined) return [body]
  const { mass, centerOfMass, inertia } = bodyMass(body, partsOf(body, scene))
  const share = 1 / (cuts.length + 1)
  const part = { mass: mass * share, centerOfMass, inertia: componentsOf(scaleMatrix(inertia, share)) }
  return [{ ...body, mass: part }, ...cuts.map(id => ({ ...body, id, shapes: [], mass: part }))]
}
