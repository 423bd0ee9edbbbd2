/** Joints in URDF, with one axis each; joints of several axes become chains with nearly massless links. */

import type { Pose } from '../../math/pose'
import { cross, negate, perpendicular, type Vec3 } from '../../math/vector'
import type { ResolvedJointOf } from '../../scene'
import type { TreeNode } from '../shared/body-tree'
import type { Losses } from '../shared/losses'
import { localDirection } from '../shared/rotations'
import { element, type XmlElement } from '../shared/write-xml'

type Freedom = Pick<ResolvedJointOf<'hinge'>, 'limits' | 'motor' | 'damping' | 'friction' | 'spring'>

interface Step { readonly type: 'revolute' | 'prismatic'; readonly axis: Vec3; readonly freedom: Freedom }

const BARE: Freedom = { damping: 0, friction: 0, spring: { stiffness: 0, rest: 0 } }
/** rad or m: bound written for the open side of a limit. */
const UNLIMITED = 1e6
/** kg and kg m²: mass and inertia of an intermediate link. */
const BETWEEN = 1e-9

export interface WrittenJoint {
  readonly elements: readonly XmlElement[]
  /** Name of the joint with the coordinate of the scene's joint; null if there is none. */
  readonly coordinate: string | null
}

/**
 * @param frame of the child link, at the joint
 * @param origin of that frame in the parent link
 */
export function jointElements(branch: NonNullable<TreeNode['branch']>, frame: Pose, origin: XmlElement, parent: string, child: string, losses: Losses): WrittenJoint {
  const { joint, index, childIsA } = branch
  const path = `joints[${index}]`
  if (joint.collide) losses.add(`${path}.collide`, 'URDF does not say whether joined links touch each other', 'links that do not')
  // The scene's position is that of A relative to B: for a child B the axis is reversed.
  const local = (axis: Vec3): Vec3 => localDirection(frame, childIsA ? axis : negate(axis))
  const ends = [element('parent', { link: parent }), element('child', { link: child })]
  const chain = (steps: readonly Step[], why: string): WrittenJoint => {
    losses.add(path, why, `${steps.length} joints with links of ${BETWEEN} kg between them`)
    return { elements: chainElements(joint.id, steps, origin, parent, child, path, losses), coordinate: null }
  }
  switch (joint.type) {
    case 'fixed':
      return { elements: [element('joint', { name: joint.id, type: 'fixed' }, [...ends, origin])], coordinate: null }
    case 'hinge':
      return { elements: [axial(joint.id, { type: 'revolute', axis: local(joint.axis), freedom: joint }, origin, ends, path, losses)], coordinate: joint.id }
    case 'slider':
      return { elements: [axial(joint.id, { type: 'prismatic', axis: local(joint.axis), freedom: joint }, origin, ends, path, losses)], coordinate: joint.id }
    case 'ball':
      if (joint.damping > 0 || joint.friction > 0) losses.add(path, 'Damping and friction of a ball joint', 'a joint without them')
      return chain(([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const).map(axis => ({ type: 'revolute', axis, freedom: BARE })), 'URDF has no ball joint')
    case 'universal': {
      const [onA, onB]: Step[] = [
        { type: 'revolute', axis: local(joint.axisA), freedom: joint.rotationA }, { type: 'revolute', axis: local(joint.axisB), freedom: joint.rotationB },
      ]
      return chain(childIsA ? [onB!, onA!] : [onA!, onB!], 'URDF has no universal joint')
    }
    case 'cylindrical':
      return chain([
        { type: 'prismatic', axis: local(joint.axis), freedom: joint.translation }, { type: 'revolute', axis: local(joint.axis), freedom: joint.rotation },
      ], 'URDF has no cylindrical joint')
    case 'planar': {
      const x = perpendicular(joint.normal)
      return chain([
        { type: 'prismatic', axis: local(x), freedom: BARE }, { type: 'prismatic', axis: local(cross(joint.normal, x)), freedom: BARE },
        { type: 'revolute', axis: local(joint.normal), freedom: BARE },
      ], 'Readers of URDF differ in what a planar joint is')
    }
  }
}

function chainElements(id: string, steps: readonly Step[], origin: XmlElement, parent: string, child: string, path: string, losses: Losses): XmlElement[] {
  const elements: XmlElement[] = []
  let below = parent
  steps.forEach((step, k) => {
    const last = k === steps.length - 1
    const link = last ? child : `${id}.${k + 1}`
    if (!last) {
      elements.push(element('link', { name: link }, [element('inertial', {}, [
        element('mass', { value: BETWEEN }), element('inertia', { ixx: BETWEEN, ixy: 0, ixz: 0, iyy: BETWEEN, iyz: 0, izz: BETWEEN }),
      ])]))
    }
    const at = k === 0 ? origin : element('origin', { xyz: [0, 0, 0], rpy: [0, 0, 0] })
    elements.push(axial(`${id}:${k + 1}`, step, at, [element('parent', { link: below }), element('child', { link })], path, losses))
    below = link
  })
  return elements
}

function axial(name: string, { type, axis, freedom }: Step, origin: XmlElement, ends: readonly XmlElement[], path: string, losses: Losses): XmlElement {
  const { limits, motor, damping, friction, spring } = freedom
  if (spring.stiffness > 0) losses.add(`${path}.spring`, 'URDF has no springs', 'a joint without it')
  if (motor !== undefined) losses.add(`${path}.motor`, 'URDF does not specify the behaviour of a drive', 'its force limit as the effort limit')
  const bounded = limits?.lower !== undefined || limits?.upper !== undefined
  const limit = bounded || type === 'prismatic' || motor !== undefined ? element('limit', {
    lower: bounded || type === 'prismatic' ? limits?.lower ?? -UNLIMITED : undefined, upper: bounded || type === 'prismatic' ? limits?.upper ?? UNLIMITED : undefined,
    effort: motor?.maxForce ?? UNLIMITED, velocity: UNLIMITED,
  }) : null
  return element('joint', { name, type: type === 'revolute' && !bounded ? 'continuous' : type }, [
    ...ends, origin, element('axis', { xyz: axis }), limit,
    damping > 0 || friction > 0 ? element('dynamics', { damping, friction }) : null,
  ])
}
