/** Elements of a prefab's world at the pose of an instance: data in the world frame are transformed, data in a body frame are not. */
import { composePoses, toOuter, type Pose } from '../../math/pose'
import { IDENTITY_ROTATION, normalizeQuaternion, rotate, type Quat } from '../../math/quaternion'
import { ZERO, type Vec3 } from '../../math/vector'
import { mappedDeformable } from '../mapped-deformable'
import type { Body, Curve, Deformable, Force, Joint, Sensor } from '../types'

type Bag = Record<string, unknown>

/** The existing keys, changed. */
function changed<T extends object>(element: T, keys: readonly string[], change: (value: never) => unknown): T {
  const copy = { ...element } as Bag
  for (const key of keys) if (copy[key] !== undefined) copy[key] = change(copy[key] as never)
  return copy as T
}

const points = <T extends object>(pose: Pose, element: T, ...keys: string[]): T => changed(element, keys, (point: Vec3) => toOuter(pose, point))
const directions = <T extends object>(pose: Pose, element: T, ...keys: string[]): T => changed(element, keys, (v: Vec3) => rotate(pose.orientation, v))
const lists = <T extends object>(pose: Pose, element: T, ...keys: string[]): T =>
  changed(element, keys, (all: readonly Vec3[]) => all.map(point => toOuter(pose, point)))

function poses<T extends { position?: Vec3; orientation?: Quat }>(outer: Pose, inner: T): T {
  const { position, orientation } = composePoses(outer, { position: inner.position ?? ZERO, orientation: inner.orientation ?? IDENTITY_ROTATION })
  return { ...inner, position, orientation: isIdentity(outer.orientation) ? inner.orientation ?? IDENTITY_ROTATION : normalizeQuaternion(orientation) }
}

const isIdentity = (q: Quat) => q[0] === 0 && q[1] === 0 && q[2] === 0 && q[3] === 1

export function placedBody(pose: Pose, body: Body): Body {
  const moved = directions(pose, poses(pose, body), 'linearVelocity', 'angularVelocity')
  if (moved.path === undefined) return moved
  const turned = (orientation: Quat) => poses(pose, { orientation }).orientation
  return { ...moved, path: moved.path.map(key => changed(points(pose, key, 'position'), ['orientation'], turned)) }
}

export function placedJoint(pose: Pose, joint: Joint): Joint {
  if (joint.type === 'gear') return joint
  const moved = directions(pose, points(pose, joint, 'anchor', 'anchorB'), 'axis', 'axisA', 'axisB', 'normal')
  const posed = changed(moved, ['poseA', 'poseB'], (at: Pose) => poses(pose, at))
  return posed.type === 'pointOnCurve' ? { ...posed, curve: placedCurve(pose, posed.curve) } : posed
}

function placedCurve(pose: Pose, curve: Curve): Curve {
  const moved = lists(pose, directions(pose, points(pose, curve, 'point', 'center'), 'direction', 'normal', 'axis', 'semiAxisA', 'semiAxisB'), 'points')
  return moved.type === 'formula' ? { ...moved, orientation: poses(pose, { orientation: moved.orientation ?? IDENTITY_ROTATION }).orientation } : moved
}

/** @throws PlacementFault if the format has no such force at that pose */
export function placedForce(pose: Pose, force: Force): Force {
  switch (force.type) {
    case 'uniform': return directions(pose, force, 'force')
    case 'point':
    case 'torque': return force.frame === 'body' ? force : directions(pose, force, 'force', 'torque')
    case 'keyframed': return force.frame === 'body' ? force : { ...force, keys: force.keys.map(key => directions(pose, key, 'force', 'torque')) }
    case 'spring': {
      const [a, b] = [force.pointA ?? ZERO, force.pointB ?? ZERO]
      return { ...force, ...force.bodyA === null ? { pointA: toOuter(pose, a) } : {}, ...force.bodyB === null ? { pointB: toOuter(pose, b) } : {} }
    }
    case 'attractor': return force.body == null ? { ...force, center: toOuter(pose, force.center ?? ZERO) } : force
    case 'wind': {
      const blown = directions(pose, force, 'velocity')
      return blown.box === undefined ? blown : { ...blown, box: placedBox(pose, blown.box, force.id) }
    }
    case 'guide': return { ...force, keys: force.keys.map(key => key.on === undefined ? { ...key, target: toOuter(pose, key.target ?? ZERO) } : key) }
    case 'drag':
    case 'pair':
    case 'lennard-jones':
    case 'script': return force
  }
}

/** A property that cannot be expressed at a pose. */
export class PlacementFault extends Error {
  override readonly name = 'PlacementFault'
  /** @param key of the instance that prevents the placement */
  constructor(readonly key: 'id' | 'orientation' | 'overrides', message: string, readonly allowed: string) {
    super(message)
  }
}

/** Deviation of an edge of a rotated box from an axis that counts as rounding, for a quaternion of a quarter turn written with nine digits. */
const ASKEW = 1e-8

function placedBox(pose: Pose, { min, max }: { readonly min: Vec3; readonly max: Vec3 }, id: string): { min: Vec3; max: Vec3 } {
  for (const axis of [[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const) {
    const along = rotate(pose.orientation, axis).filter(x => Math.abs(x) > ASKEW)
    if (along.length > 1) throw new PlacementFault('orientation', `The box of the wind "${id}" lies along the axes of the world, and can be turned by quarter turns alone`, 'a quarter turn')
  }
  const [a, b] = [toOuter(pose, min), toOuter(pose, max)]
  const of = (choose: (x: number, y: number) => number): Vec3 => [choose(a[0], b[0]), choose(a[1], b[1]), choose(a[2], b[2])]
  return { min: of(Math.min), max: of(Math.max) }
}

export function placedSensor(pose: Pose, sensor: Sensor): Sensor {
  if (sensor.type !== 'range' || sensor.body !== null) return sensor
  return { ...directions(pose, sensor, 'direction'), position: toOuter(pose, sensor.position ?? ZERO) }
}

export function placedDeformable(pose: Pose, deformable: Deformable): Deformable {
  return mappedDeformable(deformable, { point: p => toOuter(pose, p), direction: v => rotate(pose.orientation, v) })
}
