import type { Joint, JointType, Scene } from '../../core/scene'
import type { Vec3 } from '../../core/math/vector'
import { bodiesOf, positionOf } from './scene-access'

export interface JointKind {
  readonly type: JointType
  readonly label: string
  readonly help: string
  /** What its direction is called; empty where it has none. */
  readonly axis: string
}

export const JOINT_KINDS: readonly JointKind[] = [
  { type: 'hinge', label: 'Hinge', help: 'Turns about one axis, like a door.', axis: 'Axis' },
  { type: 'slider', label: 'Slider', help: 'Slides along one axis without turning.', axis: 'Axis' },
  { type: 'ball', label: 'Ball joint', help: 'Turns freely about one point.', axis: '' },
  { type: 'fixed', label: 'Fixed joint', help: 'Holds the two bodies together.', axis: '' },
  { type: 'universal', label: 'Universal joint', help: 'Turns about two axes that stay perpendicular.', axis: 'Axis on A' },
  { type: 'cylindrical', label: 'Cylindrical joint', help: 'Turns about an axis and slides along it.', axis: 'Axis' },
  { type: 'planar', label: 'Planar joint', help: 'Moves in a plane and turns about its normal.', axis: 'Normal' },
  { type: 'distance', label: 'Distance', help: 'A rigid rod between two points.', axis: '' },
]

/** Where two bodies are most likely to be joined: half-way between them, or at the one that is joined to the world. */
export function suggestAnchor(scene: Scene, a: string, b: string | null): Vec3 {
  const place = (id: string): Vec3 => positionOf(bodiesOf(scene).find(body => body.id === id) ?? {})
  const pa = place(a)
  if (b === null) return pa
  const pb = place(b)
  return [(pa[0] + pb[0]) / 2, (pa[1] + pb[1]) / 2, (pa[2] + pb[2]) / 2]
}

export function newJoint(type: JointType, id: string, bodyA: string, bodyB: string | null, anchor: Vec3, axis: Vec3): Joint {
  const joined = { id, bodyA, bodyB, anchor }
  switch (type) {
    case 'hinge': return { ...joined, type, axis }
    case 'slider': return { ...joined, type, axis }
    case 'cylindrical': return { ...joined, type, axis }
    case 'ball': return { ...joined, type }
    case 'fixed': return { ...joined, type }
    case 'universal': return { ...joined, type, axisA: axis, axisB: perpendicularTo(axis) }
    case 'planar': return { ...joined, type, normal: axis }
    case 'distance': return { ...joined, type, anchorB: [anchor[0], anchor[1], anchor[2] + 1] }
    case 'pointOnCurve': return { ...joined, type, curve: { type: 'line', point: anchor, direction: axis } }
    case 'gear': throw new Error('A gear joins two joints, not two bodies.')
  }
}

function perpendicularTo([x, y, z]: Vec3): Vec3 {
  return Math.abs(x) < 0.9 * Math.hypot(x, y, z) ? [0, z, -y] : [-z, 0, x]
}
