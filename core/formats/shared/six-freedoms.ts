/**
 * Joints as in glTF and USD: a frame on each body, and for each of the six relative coordinates whether it is locked, limited or driven. Coordinates
 * are those of the frame on A relative to the frame on B, as in the scene: three along B's axes, three about them.
 */

import { atan2 } from '../../math/elementary'
import type { Pose } from '../../math/pose'
import { conjugate, fromMatrix, multiplyQuaternions, rotate, rotateInverse, type Quat } from '../../math/quaternion'
import { cross, length, perpendicular, sub, UNIT_X, UNIT_Y, UNIT_Z, type Vec3 } from '../../math/vector'
import type { Joint, ResolvedJoint, ResolvedJointOf } from '../../scene'

/** One coordinate, zero for coincident frames. m and N, or rad and N m. */
export interface Coordinate {
  readonly locked: boolean
  readonly lower?: number
  readonly upper?: number
  readonly stiffness?: number
  /** Rest position of the spring. */
  readonly rest?: number
  readonly damping?: number
  readonly friction?: number
  readonly motor?: { readonly targetVelocity: number; readonly maxForce: number }
  readonly servo?: { readonly target: number; readonly stiffness: number; readonly damping: number; readonly maxForce?: number }
}

type Three = readonly [Coordinate, Coordinate, Coordinate]

export interface SixFreedoms {
  readonly linear: Three
  readonly angular: Three
}

export const LOCKED: Coordinate = { locked: true }
export const FREE: Coordinate = { locked: false }

/** Directions of the three axes of a frame. */
export const AXES: readonly Vec3[] = [UNIT_X, UNIT_Y, UNIT_Z]

type Freedom = Pick<ResolvedJointOf<'hinge'>, 'limits' | 'motor' | 'servo' | 'damping' | 'friction' | 'spring'>

/** A joint of the scene as frames and coordinates; the frames coincide at the initial pose. */
export interface FramedJoint {
  /** Common pose of both frames in the world. */
  readonly frame: Pose
  readonly freedoms: SixFreedoms
}

/** Path of a coordinate between a joint's JSON path and `limits`, `motor`, `spring`. */
export function coordinatePath({ type }: ResolvedJoint, kind: 'linear' | 'angular', k: number): string {
  if (type === 'universal') return k === 0 ? '.rotationB' : '.rotationA'
  return type === 'cylindrical' ? kind === 'linear' ? '.translation' : '.rotation' : ''
}

/** Null for joints that are not described by locked coordinates: rods, gears and curves that are not straight. */
export function framedJoint(joint: ResolvedJoint): FramedJoint | null {
  const locked: Three = [LOCKED, LOCKED, LOCKED]
  switch (joint.type) {
    case 'fixed':
      return { frame: { position: joint.anchor, orientation: [0, 0, 0, 1] }, freedoms: { linear: locked, angular: locked } }
    case 'ball': {
      const turning: Coordinate = { locked: false, ...nonZero({ damping: joint.damping, friction: joint.friction }) }
      return { frame: { position: joint.anchor, orientation: [0, 0, 0, 1] }, freedoms: { linear: locked, angular: [turning, turning, turning] } }
    }
    case 'hinge':
      return { frame: along(joint.anchor, joint.axis), freedoms: { linear: locked, angular: [coordinate(joint), LOCKED, LOCKED] } }
    case 'slider':
      return { frame: along(joint.anchor, joint.axis), freedoms: { linear: [coordinate(joint), LOCKED, LOCKED], angular: locked } }
    case 'cylindrical':
      return {
        frame: along(joint.anchor, joint.axis),
        freedoms: { linear: [coordinate(joint.translation), LOCKED, LOCKED], angular: [coordinate(joint.rotation), LOCKED, LOCKED] },
      }
    case 'planar':
      return { frame: along(joint.anchor, joint.normal), freedoms: { linear: [LOCKED, FREE, FREE], angular: [FREE, LOCKED, LOCKED] } }
    case 'universal':
      return {
        frame: { position: joint.anchor, orientation: withAxes(joint.axisB, joint.axisA) },
        freedoms: { linear: locked, angular: [coordinate(joint.rotationB), coordinate(joint.rotationA), LOCKED] },
      }
    case 'pointOnCurve':
      if (joint.curve.type !== 'line') return null
      return {
        frame: along(joint.anchor, joint.curve.direction),
        freedoms: {
          linear: [{ locked: false, ...nonZero({ damping: joint.damping, friction: joint.friction }) }, LOCKED, LOCKED], angular: [FREE, FREE, FREE],
        },
      }
    default:
      return null
  }
}

function coordinate({ limits, motor, servo, damping, friction, spring }: Freedom): Coordinate {
  return {
    locked: false,
    ...limits?.lower === undefined ? {} : { lower: limits.lower }, ...limits?.upper === undefined ? {} : { upper: limits.upper },
    ...nonZero({ stiffness: spring.stiffness, damping, friction }), ...spring.stiffness > 0 ? { rest: spring.rest } : {},
    ...motor !== undefined && motor.maxForce > 0 ? { motor } : {}, ...servo !== undefined && servo.maxForce !== 0 ? { servo } : {},
  }
}

function nonZero<T extends Readonly<Record<string, number>>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== 0)) as Partial<T>
}

function along(position: Vec3, axis: Vec3): Pose {
  return { position, orientation: withAxes(axis, perpendicular(axis)) }
}

/** The orientation of a frame with these perpendicular unit vectors as x and y axes. */
function withAxes(x: Vec3, y: Vec3): Quat {
  const z = cross(x, y)
  return fromMatrix([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
}

/** Called for each loss, with its replacement. */
export type Lose = (message: string, instead: string) => void

export interface JointBase {
  readonly bodyA: string | null
  readonly bodyB: string | null
  readonly collide?: boolean
}

/** A joint without id, which the draft assigns. */
export type UnnamedJoint = Joint extends infer J ? J extends Joint ? Omit<J, 'id' | 'name'> : never : never

export interface FoundJoint {
  /** Null if the scene has no joint with exactly these free coordinates. */
  readonly joint: UnnamedJoint | null
  /** Losses of the joint, as message and replacement. */
  readonly losses: readonly (readonly [string, string])[]
}

/** m, along locked directions, and rad: larger misalignments of the frames are reported. */
const MISFIT = 1e-6

/** The scene's joint with the given free coordinates. @param a the frame on A, in the world @param b the frame on B */
export function jointOfFreedoms(base: JointBase, a: Pose, b: Pose, { linear, angular }: SixFreedoms): FoundJoint {
  const losses: [string, string][] = []
  const apart = rotateInverse(b.orientation, sub(a.position, b.position))
  const turned = multiplyQuaternions(conjugate(b.orientation), a.orientation)
  const sliding = [0, 1, 2].filter(k => !linear[k]!.locked)
  const turning = [0, 1, 2].filter(k => !angular[k]!.locked)
  const axis = (k: number): Vec3 => rotate(b.orientation, AXES[k]!)
  const offset = length(apart.map((x, k) => sliding.includes(k) ? 0 : x) as unknown as Vec3)
  if (offset > MISFIT) losses.push([`its frames are ${offset.toPrecision(3)} m apart at the start`, 'a joint that holds the bodies at their initial poses'])
  const swing = turning.length === 3 ? 0 : angleLeft(turned, turning)
  if (swing > MISFIT) losses.push([`its frames differ by a rotation of ${swing.toPrecision(3)} rad at the start`, 'a joint that holds the bodies at their initial poses'])
  const reportForces = (k: Coordinate, which: string): void => {
    const keys = (['lower', 'upper', 'stiffness', 'damping', 'friction', 'motor', 'servo'] as const).filter(key => k[key] !== undefined && k[key] !== 0)
    if (keys.length > 0) losses.push([`${keys.join(', ')} ${which}`, 'a joint without them'])
  }
  const anchor = b.position
  const twist = (k: number): number => 2 * atan2(turned[3] < 0 ? -turned[k]! : turned[k]!, Math.abs(turned[3]))
  const lose: Lose = (message, instead) => void losses.push([message, instead])
  const found = (joint: UnnamedJoint): FoundJoint => ({ joint, losses })
  switch (`${sliding.length} ${turning.length}`) {
    case '0 0':
      return found({ ...base, type: 'fixed', anchor })
    case '0 1': {
      const k = turning[0]!
      return found({ ...base, type: 'hinge', anchor, axis: axis(k), ...freedomOf(angular[k]!, twist(k), lose) })
    }
    case '1 0': {
      const k = sliding[0]!
      return found({ ...base, type: 'slider', anchor: a.position, axis: axis(k), ...freedomOf(linear[k]!, apart[k]!, lose) })
    }
    case '0 3': {
      const [x, y, z] = angular
      const same = x.damping === y.damping && y.damping === z.damping && x.friction === y.friction && y.friction === z.friction
      const { damping = 0, friction = 0 } = same ? x : {}
      for (const [k, which] of [[x, 'x'], [y, 'y'], [z, 'z']] as const) {
        reportForces(same ? { ...k, damping: 0, friction: 0 } : k, `of a ball joint about ${which}`)
      }
      return found({ ...base, type: 'ball', anchor, ...damping > 0 ? { damping } : {}, ...friction > 0 ? { friction } : {} })
    }
    case '0 2': {
      const [first, second] = turning as [number, number]
      const [alpha, beta] = cardanAngles(turned, first, second)
      return found({
        ...base, type: 'universal', anchor, axisB: axis(first), axisA: rotate(a.orientation, AXES[second]!),
        rotationB: freedomOf(angular[first]!, alpha, lose), rotationA: freedomOf(angular[second]!, beta, lose),
      })
    }
    case '1 1': {
      const k = sliding[0]!
      if (turning[0] !== k) break
      return found({
        ...base, type: 'cylindrical', anchor: a.position, axis: axis(k), rotation: freedomOf(angular[k]!, twist(k), lose), translation: freedomOf(linear[k]!, apart[k]!, lose),
      })
    }
    case '2 1': {
      const k = turning[0]!
      if (sliding.includes(k)) break
      for (const i of sliding) reportForces(linear[i]!, 'of a planar joint')
      reportForces(angular[k]!, 'of a planar joint')
      return found({ ...base, type: 'planar', anchor: a.position, normal: axis(k) })
    }
    case '1 3': {
      const k = sliding[0]!
      const { damping = 0, friction = 0, ...rest } = linear[k]!
      reportForces(rest, 'of a point on a line')
      for (const turn of angular) reportForces(turn, 'of a point on a line')
      return found({
        ...base, type: 'pointOnCurve', anchor: a.position, curve: { type: 'line', point: b.position, direction: axis(k) },
        ...damping > 0 ? { damping } : {}, ...friction > 0 ? { friction } : {},
      })
    }
  }
  const locks = [...[0, 1, 2].filter(k => linear[k]!.locked).map(k => `translation ${'xyz'[k]}`), ...[0, 1, 2].filter(k => angular[k]!.locked).map(k => `rotation ${'xyz'[k]}`)]
  losses.push([locks.length === 0 ? 'it locks nothing' : `Cairn has no joint that locks just ${locks.join(', ')}`, 'nothing: the bodies are not joined'])
  return { joint: null, losses }
}

/** Violations of limits up to this are single-precision rounding errors; the joint is at its limit. */
const ON_LIMIT = 1e-6

/** In the scene, limits and springs count from the initial pose; in the file, from coincident frames. */
export function freedomOf({ lower: low, upper: high, stiffness = 0, rest = 0, damping = 0, friction = 0, motor, servo }: Coordinate, at: number, lose: Lose) {
  const lower = low === undefined ? undefined : Math.min(low, at)
  const upper = high === undefined ? undefined : Math.max(high, at)
  if ((low !== undefined && low > at + ON_LIMIT) || (high !== undefined && high < at - ON_LIMIT)) {
    lose(`it starts at ${at.toPrecision(4)}, outside its limits ${low ?? -Infinity} to ${high ?? Infinity}`, 'limits extended to the initial position')
  }
  const limits = {
    ...lower !== undefined && lower > -Infinity ? { lower: lower - at } : {}, ...upper !== undefined && upper < Infinity ? { upper: upper - at } : {},
  }
  return {
    ...Object.keys(limits).length > 0 ? { limits } : {},
    ...stiffness > 0 ? { spring: { stiffness, rest: rest - at } } : {},
    ...damping > 0 ? { damping } : {}, ...friction > 0 ? { friction } : {},
    ...motor === undefined ? {} : { motor: { ...motor } },
    ...servo === undefined ? {} : { servo: { ...servo, target: servo.target - at } },
  }
}

/** Angle of the part of a rotation outside its free axes. */
function angleLeft(q: Quat, turning: readonly number[]): number {
  if (turning.length === 2) {
    const [first, second] = turning as [number, number]
    // Axis `first` of B and axis `second` of A stay perpendicular.
    return Math.abs(rotate(q, AXES[second]!)[first]!)
  }
  const rest = q.slice(0, 3).map((x, k) => turning.includes(k) ? 0 : x) as unknown as Vec3
  return 2 * length(rest)
}

/** Angles α, β of a rotation about `first`, fixed in the outer frame, followed by one about `second`, fixed in the inner frame. */
function cardanAngles(q: Quat, first: number, second: number): readonly [number, number] {
  const third = 3 - first - second
  const turn = (first + 1) % 3 === second ? 1 : -1
  // R = R_first(α) R_second(β): its column `second` is R_first(α) e_second; its row `first` is e_first R_second(β).
  const column = rotate(q, AXES[second]!)
  const row = rotateInverse(q, AXES[first]!)
  return [turn * atan2(column[third]!, column[second]!), turn * atan2(row[third]!, row[first]!)]
}
