import type { Joint, JointOf, JointType, Scene } from '../../core/scene'
import { addScaled, cross, normalize, scale } from '../../core/math/vector'
import type { Vec3 } from '../../core/math/vector'
import { bodiesOf, positionOf } from './scene-access'

type Curve = JointOf<'pointOnCurve'>['curve']

/** What two bodies are joined by, before it is known how. */
interface Joined {
  readonly id: string
  readonly bodyA: string
  readonly bodyB: string | null
  readonly anchor: Vec3
}

interface JointKind<T extends JointType> {
  readonly label: string
  readonly help: string
  /** What its direction is called; empty where it has none. */
  readonly axis: string
  /** Absent: it couples other joints. */
  make?(joined: Joined, axis: Vec3, curve: CurveType): JointOf<T>
}

/** Every kind of joint, in the order of menus. */
const JOINTS: { readonly [T in JointType]: JointKind<T> } = {
  hinge: { label: 'Hinge', help: 'Turns about one axis, like a door.', axis: 'Axis', make: (joined, axis) => ({ ...joined, type: 'hinge', axis }) },
  slider: { label: 'Slider', help: 'Slides along one axis without turning.', axis: 'Axis', make: (joined, axis) => ({ ...joined, type: 'slider', axis }) },
  ball: { label: 'Ball joint', help: 'Turns freely about one point.', axis: '', make: joined => ({ ...joined, type: 'ball' }) },
  fixed: { label: 'Fixed joint', help: 'Holds the two bodies together.', axis: '', make: joined => ({ ...joined, type: 'fixed' }) },
  universal: {
    label: 'Universal joint', help: 'Turns about two axes that stay perpendicular.', axis: 'Axis on A',
    make: (joined, axis) => ({ ...joined, type: 'universal', axisA: axis, axisB: perpendicularTo(axis) }),
  },
  cylindrical: {
    label: 'Cylindrical joint', help: 'Turns about an axis and slides along it.', axis: 'Axis', make: (joined, axis) => ({ ...joined, type: 'cylindrical', axis }),
  },
  planar: {
    label: 'Planar joint', help: 'Moves in a plane and turns about its normal.', axis: 'Normal', make: (joined, axis) => ({ ...joined, type: 'planar', normal: axis }),
  },
  distance: {
    label: 'Distance', help: 'A rigid rod between two points.', axis: '',
    make: joined => ({ ...joined, type: 'distance', anchorB: [joined.anchor[0], joined.anchor[1], joined.anchor[2] + 1] }),
  },
  pointOnCurve: {
    label: 'Point on a curve', help: 'A point of A slides along a curve of B, like a bead on a wire.', axis: 'Direction',
    make: (joined, axis, curve) => ({ ...joined, type: 'pointOnCurve', curve: curveThrough(curve, joined.anchor, axis) }),
  },
  gear: { label: 'Gear', help: 'Keeps the positions of two hinges or sliders in a fixed ratio.', axis: '' },
}

export const jointTypes = Object.keys(JOINTS) as JointType[]
export const jointKind = (type: JointType): JointKind<JointType> => JOINTS[type] as JointKind<JointType>

export type CurveType = Curve['type']
export const CURVE_KINDS: readonly (readonly [CurveType, string])[] = [
  ['line', 'Line'], ['circle', 'Circle'], ['ellipse', 'Ellipse'], ['helix', 'Helix'], ['spline', 'Spline through points'],
]

/** A curve through a point: along the axis, or about it. Radii of half a metre can be seen and grasped; the inspector has the rest. */
export function curveThrough(type: CurveType, point: Vec3, axis: Vec3): Curve {
  const across = normalize(perpendicularTo(axis))
  const other = normalize(cross(axis, across))
  const along = normalize(axis)
  const at = (x: number, y: number, z = 0): Vec3 => addScaled(addScaled(addScaled(point, across, x), other, y), along, z)
  switch (type) {
    case 'line': return { type, point, direction: axis }
    case 'circle': return { type, center: at(-RADIUS, 0), normal: axis, radius: RADIUS }
    case 'ellipse': return { type, center: at(-RADIUS, 0), semiAxisA: scale(across, RADIUS), semiAxisB: scale(other, RADIUS / 2) }
    case 'helix': return { type, center: at(-RADIUS, 0), axis, radius: RADIUS, pitch: RADIUS / 2 }
    case 'spline': return { type, points: [at(-RADIUS, 0, -RADIUS), point, at(RADIUS, 0, -RADIUS)] }
  }
}
const RADIUS = 0.5

/** A curve whose points are moved; its directions stay. */
export function movedCurve(curve: Curve, moved: (point: Vec3) => Vec3): Curve {
  switch (curve.type) {
    case 'line': return { ...curve, point: moved(curve.point) }
    case 'spline': return { ...curve, points: curve.points.map(moved) }
    default: return { ...curve, center: moved(curve.center) }
  }
}

/** Joints that a gear can couple: hinges and sliders. */
export const canGear = (joint: Joint): boolean => joint.type === 'hinge' || joint.type === 'slider'

/** Where two bodies are most likely to be joined: half-way between them, or at the one that is joined to the world. */
export function suggestAnchor(scene: Scene, a: string, b: string | null): Vec3 {
  const place = (id: string): Vec3 => positionOf(bodiesOf(scene).find(body => body.id === id) ?? {})
  const pa = place(a)
  if (b === null) return pa
  const pb = place(b)
  return [(pa[0] + pb[0]) / 2, (pa[1] + pb[1]) / 2, (pa[2] + pb[2]) / 2]
}

export function newJoint(
  type: Exclude<JointType, 'gear'>, id: string, bodyA: string, bodyB: string | null, anchor: Vec3, axis: Vec3, curve: CurveType = 'line',
): Joint {
  return jointKind(type).make!({ id, bodyA, bodyB, anchor }, axis, curve)
}

function perpendicularTo([x, y, z]: Vec3): Vec3 {
  return Math.abs(x) < 0.9 * Math.hypot(x, y, z) ? [0, z, -y] : [-z, 0, x]
}
