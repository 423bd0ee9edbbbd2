/** Joints of a stage: frames on two bodies, limits and drives [UsdPhysics]. Degrees are converted to radians, stage units to SI. */

import type { Pose } from '../../math/pose'
import { composePoses } from '../../math/pose'
import { transformPoint } from '../shared/affine'
import type { SceneDraft } from '../shared/draft'
import { driven } from '../shared/drives'
import { fromWxyz } from '../shared/rotations'
import { FREE, jointOfFreedoms, LOCKED, type Coordinate, type Lose, type SixFreedoms } from '../shared/six-freedoms'
import { distance } from '../../math/vector'
import type { Vec3 } from '../../math/vector'
import { booleanOf, numberOf, stringOf, tupleOf, valueOf, type UsdPrim } from './layer'
import { nameOf, shownName } from './names'
import type { PlacedPrim, StageUnits } from './stage'
import { DEGREE } from './transform'

/** The id of the body that a prim belongs to, or null for the world. */
export type BodyId = (path: string) => string | null

/** Threshold for the largest single-precision number, which means unbounded. */
const UNBREAKABLE = 3e38

/** Names of coordinates in drives and limits of a generic joint. */
const COORDINATES = ['transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ'] as const

export function isJoint(prim: UsdPrim): boolean {
  return /^Physics(\w*)Joint$|^(\w+)PhysicsJoint$/.test(prim.type)
}

/** Adds the joint to the draft, or records a loss. */
export function addJoint(placed: PlacedPrim, prims: ReadonlyMap<string, PlacedPrim>, bodyId: BodyId, units: StageUnits, draft: SceneDraft): void {
  const { prim } = placed
  const lose = (message: string, instead: string): void => draft.losses.add(prim.path, message, instead)
  if (!booleanOf(prim, 'physics:jointEnabled', true)) {
    lose('the joint is disabled', 'nothing')
    return
  }
  const side = (index: 0 | 1) => {
    const path = prim.relationships.get(`physics:body${index}`)?.[0]
    const found = path === undefined ? undefined : prims.get(path)
    return { path, placed: found, body: path === undefined ? null : bodyId(path), frame: frameOf(prim, index, found, units) }
  }
  const [b, a] = [side(0), side(1)]
  for (const { path, placed: found } of [a, b]) {
    if (path !== undefined && found === undefined) lose(`it joins "${path}", which does not exist`, 'a joint to the world')
  }
  if (a.body === b.body) {
    lose(a.body === null ? 'it joins the world to itself' : `it joins "${a.body}" to itself`, 'nothing')
    return
  }
  const base = { bodyA: a.body, bodyB: b.body, ...booleanOf(prim, 'physics:collisionEnabled', false) ? { collide: true } : {}, ...strength(placed, units, lose) }
  const name = nameOf(prim)
  if (/Distance/.test(prim.type)) {
    addDistance(placed, base, a.frame, b.frame, units, draft)
    return
  }
  const freedoms = freedomsOf(placed, units, lose)
  if (freedoms === null) {
    lose(`Cairn has no ${prim.type}`, 'nothing: the bodies are not joined')
    return
  }
  const { joint, losses } = jointOfFreedoms(base, a.frame, b.frame, freedoms)
  for (const [message, instead] of losses) lose(message, instead)
  if (joint !== null) draft.joint(name, joint, shownName(prim))
}

/** Break force and torque, N and N m; empty if unbreakable. */
function strength({ prim }: PlacedPrim, units: StageUnits, lose: Lose): { breakForce?: number; breakTorque?: number } {
  const stated = (key: 'breakForce' | 'breakTorque', unit: number): Partial<Record<typeof key, number>> => {
    const value = numberOf(prim, `physics:${key}`, Infinity)
    if (value > 0 && value < UNBREAKABLE) return { [key]: value * unit }
    if (value <= 0) lose(`its ${key} is ${value}`, 'a joint that does not break')
    return {}
  }
  const force = units.mass * units.length
  return { ...stated('breakForce', force), ...stated('breakTorque', force * units.length) }
}

function addDistance({ prim }: PlacedPrim, base: { bodyA: string | null; bodyB: string | null }, a: Pose, b: Pose, units: StageUnits, draft: SceneDraft): void {
  const low = numberOf(prim, 'physics:minDistance', -1) * units.length
  const high = numberOf(prim, 'physics:maxDistance', -1) * units.length
  const apart = distance(a.position, b.position)
  if (!(low > 0) || Math.abs(high - low) > 1e-9 * high) {
    draft.losses.add(prim.path, `it keeps a distance from ${low >= 0 ? low : 0} m to ${high >= 0 ? high : 'any'} m, and Cairn's distance joint has only one distance`, 'nothing: the bodies are not joined')
    return
  }
  if (Math.abs(apart - high) > 1e-6 * high) draft.losses.add(prim.path, `its points are ${apart.toPrecision(6)} m apart at the start`, `a rod of ${high.toPrecision(6)} m; the bodies have to be placed at that distance before a run`)
  draft.joint(nameOf(prim), { ...base, type: 'distance', anchor: a.position, anchorB: b.position, length: high }, shownName(prim))
}

/** The joint's frame on one of its bodies, in the world. */
function frameOf(prim: UsdPrim, index: 0 | 1, placed: PlacedPrim | undefined, units: StageUnits): Pose {
  const local = (tupleOf(valueOf(prim, `physics:localPos${index}`), 3) ?? [0, 0, 0]) as unknown as Vec3
  const orientation = fromWxyz(tupleOf(valueOf(prim, `physics:localRot${index}`), 4) ?? [1, 0, 0, 0]) ?? [0, 0, 0, 1]
  if (placed === undefined) {
    // The world's frame is that of the stage.
    const up: Pose = { position: [0, 0, 0], orientation: units.up === 'Z' ? [0, 0, 0, 1] : [Math.SQRT1_2, 0, 0, Math.SQRT1_2] }
    return composePoses(up, { position: local.map(x => x * units.length) as unknown as Vec3, orientation })
  }
  const turned = composePoses({ position: [0, 0, 0], orientation: placed.split.pose.orientation }, { position: [0, 0, 0], orientation })
  return { position: transformPoint(placed.world, local), orientation: turned.orientation }
}

function freedomsOf(placed: PlacedPrim, units: StageUnits, lose: Lose): SixFreedoms | null {
  const { prim } = placed
  const k = Math.max(0, 'XYZ'.indexOf(stringOf(prim, 'physics:axis', 'X').toUpperCase()))
  const locked = [LOCKED, LOCKED, LOCKED] as const
  const only = (coordinate: Coordinate) => [0, 1, 2].map(i => i === k ? coordinate : LOCKED) as unknown as SixFreedoms['linear']
  switch (prim.type.replace(/^(\w+)PhysicsJoint$/, 'Physics$1Joint')) {
    case 'PhysicsFixedJoint':
      return { linear: locked, angular: locked }
    case 'PhysicsRevoluteJoint':
      return {
        linear: locked,
        angular: only({
          locked: false, lower: numberOf(prim, 'physics:lowerLimit', -Infinity) * DEGREE, upper: numberOf(prim, 'physics:upperLimit', Infinity) * DEGREE,
          ...drive(placed, 'angular', units, lose),
        }),
      }
    case 'PhysicsPrismaticJoint':
      return {
        linear: only({
          locked: false, lower: numberOf(prim, 'physics:lowerLimit', -Infinity) * units.length,
          upper: numberOf(prim, 'physics:upperLimit', Infinity) * units.length, ...drive(placed, 'linear', units, lose),
        }),
        angular: locked,
      }
    case 'PhysicsSphericalJoint': {
      const cone = [0, 1].map(i => numberOf(prim, `physics:coneAngle${i}Limit`, -1))
      if (cone.some(angle => angle >= 0)) lose(`the ball joint keeps within a cone of ${cone.join(', ')} degrees`, 'a ball joint without limits')
      const turning: Coordinate = { ...FREE, ...drive(placed, 'angular', units, lose) }
      return { linear: locked, angular: [turning, turning, turning] }
    }
    case 'PhysicsJoint':
    case 'PhysicsD6Joint': {
      const coordinates = COORDINATES.map((name, i) => general(placed, name, i >= 3, units, lose))
      if (hasLimit(placed, 'distance')) lose('a limit of the distance between the frames', 'the joint without it')
      return { linear: coordinates.slice(0, 3) as unknown as SixFreedoms['linear'], angular: coordinates.slice(3) as unknown as SixFreedoms['angular'] }
    }
  }
  return null
}

function hasLimit({ schemas, prim }: PlacedPrim, name: string): boolean {
  return schemas.includes(`PhysicsLimitAPI:${name}`) || prim.attributes.has(`limit:${name}:physics:low`) || prim.attributes.has(`limit:${name}:physics:high`)
}

/** A coordinate of a generic joint: locked if its lower limit is at or above the upper one. */
function general(placed: PlacedPrim, name: string, angular: boolean, units: StageUnits, lose: Lose): Coordinate {
  const { prim } = placed
  const factor = angular ? DEGREE : units.length
  const lower = numberOf(prim, `limit:${name}:physics:low`, -Infinity)
  const upper = numberOf(prim, `limit:${name}:physics:high`, Infinity)
  if (hasLimit(placed, name) && lower >= upper) {
    if (lower === upper && lower !== 0) lose(`${name} is held at ${lower}`, 'a coordinate that is held at its initial value')
    return LOCKED
  }
  return { locked: false, lower: lower * factor, upper: upper * factor, ...drive(placed, name, units, lose) }
}

/** Drive of a coordinate: F = stiffness (target − position) + damping (target velocity − velocity), at most maxForce [UsdPhysicsDriveAPI]. */
function drive({ prim, schemas }: PlacedPrim, name: string, units: StageUnits, lose: Lose): Partial<Coordinate> {
  const key = (what: string): string => `drive:${name}:physics:${what}`
  if (!schemas.includes(`PhysicsDriveAPI:${name}`)) return {}
  const angular = name === 'angular' || name.startsWith('rot')
  const position = angular ? DEGREE : units.length
  const force = units.mass * units.length * (angular ? units.length : 1)
  const stiffness = numberOf(prim, key('stiffness'), 0) * force / position
  const damping = numberOf(prim, key('damping'), 0) * force / position
  const targetVelocity = numberOf(prim, key('targetVelocity'), 0) * position
  const maxForce = numberOf(prim, key('maxForce'), Infinity) * force
  if (stringOf(prim, key('type'), 'force') === 'acceleration') lose(`the stiffness and damping of the ${name} drive give accelerations`, 'a drive whose stiffness and damping have these values and give forces')
  return driven({ stiffness, damping, targetVelocity, maxForce, rest: numberOf(prim, key('targetPosition'), 0) * position }, `the ${name} drive`, lose)
}
