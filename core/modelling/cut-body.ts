/**
 * Cuts bodies in two by a plane. Both halves keep the frame of the body, so its coordinates remain valid. The half behind the plane keeps the id, the
 * half in front gets a new one. Attached objects follow the half that contains their point. Each half of a dynamic body keeps the velocity of its
 * centre of mass in the whole body: v + ω × (c − c₀). A given mass is divided in the ratio of the masses by density.
 */

import { bodyMass, partsOf } from '../analysis/solids'
import type { BodyMass } from '../geometry/mass'
import { toOuter, type Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { add, cross, dot, lengthSquared, sub, ZERO, type Vec3 } from '../math/vector'
import { freshIds, resolveBody, resolveScene, type Body, type ResolvedScene, type Scene, type Shape } from '../scene'
import { letReferencesFollow, type Halved } from './cut-references'
import { cutShape, planeIn, type CutPlane } from './cut-shapes'
import { ModellingError } from './fault'

export interface Cut {
  /** Ids of the halves of each body that the plane crosses: behind, in front. */
  readonly halves: readonly (readonly [string, string])[]
  /** Notes for the user. */
  readonly notes: readonly string[]
  /** Changes a draft of the scene that was cut. */
  apply(draft: Scene): void
}

/**
 * @param plane in the world
 * @throws ModellingError if a body cannot be cut, or the plane crosses none
 */
export function cutBodies(scene: Scene, ids: readonly string[], plane: CutPlane): Cut {
  if (ids.length === 0) throw new ModellingError('noBody', null, 'No body is selected: select the bodies to cut')
  if (!(lengthSquared(plane.normal) > 0) || ![...plane.point, ...plane.normal].every(Number.isFinite)) {
    throw new ModellingError('invalid', null, `(${plane.normal.join(', ')}) is not a normal: finite numbers that are not all 0 are allowed`)
  }
  if (scene.simulation?.dimensions === 2 && plane.normal[1] !== 0) {
    throw new ModellingError('offPlane', null, 'In two dimensions the cut runs across the plane y = 0: its normal has y = 0')
  }
  const resolved = resolveScene(scene)
  const makeId = freshIds(scene)
  const cuts = ids.flatMap(id => {
    const index = scene.bodies?.findIndex(body => body.id === id) ?? -1
    return index < 0 ? [] : halvesOf(scene.bodies![index]!, resolved, plane, makeId) ?? []
  })
  if (cuts.length === 0) {
    const names = ids.map(id => `"${scene.bodies?.find(body => body.id === id)?.name ?? id}"`).join(', ')
    throw new ModellingError('missed', ids.length === 1 ? ids[0]! : null, `The plane does not cross ${names}: move it until the cut is drawn`)
  }
  return {
    halves: cuts.map(({ behind, front }) => [behind.id, front.id]),
    notes: cuts.flatMap(({ notes }) => notes),
    apply: draft => {
      for (const cut of cuts) {
        const index = draft.bodies!.findIndex(({ id }) => id === cut.behind.id)
        draft.bodies!.splice(index, 1, cut.behind, cut.front)
        letReferencesFollow(draft, scene, cut.halved)
      }
    },
  }
}

interface BodyCut {
  readonly behind: Body
  readonly front: Body
  readonly halved: Halved
  readonly notes: readonly string[]
}

/** Null if the plane does not cross the body. */
function halvesOf(body: Body, resolved: ResolvedScene, plane: CutPlane, makeId: (wanted: string) => string): BodyCut | null {
  const pose: Pose = { position: body.position ?? ZERO, orientation: resolveBody(body).orientation }
  const inner = planeIn(pose, plane)
  const shapes = (body.shapes ?? []).map((_, index) => cutShape(body, index, inner))
  const [behind, front] = [shapes.flatMap(shape => shape.behind), shapes.flatMap(shape => shape.front)]
  if (behind.length === 0 || front.length === 0) return null
  const name = body.name ?? body.id
  if (body.mass && (body.mass.inertia !== undefined || body.mass.centerOfMass !== undefined)) {
    throw new ModellingError('ownMass', body.id, `"${name}" has ${body.mass.inertia !== undefined ? 'an inertia' : 'a centre of mass'} of its own, which a cut cannot divide: `
      + 'masses from densities, and a mass of its own, can be')
  }
  const { expressions, left } = formulasKept(body)
  const half = (id: string, letter: string, own: readonly Shape[]): Body => {
    const { visuals: _visuals, expressions: _formulas, collision, ...rest } = body
    // Each half gets its own lists, which are edited below.
    return {
      ...rest, id, name: `${name} ${letter}`, shapes: [...own],
      ...collision ? { collision: { ...collision } } : {}, ...expressions.length > 0 ? { expressions } : {},
    }
  }
  const massOf = (one: Body): BodyMass => {
    const solved = resolveBody(one)
    return bodyMass(solved, partsOf(solved, resolved))
  }
  const whole = massOf(body)
  const spins = (body.type ?? 'dynamic') === 'dynamic' && lengthSquared(body.angularVelocity ?? ZERO) > 0
  const halves = [half(body.id, 'a', behind), half(makeId(body.id), 'b', front)].map(one => ({ one, byDensity: massOf({ ...one, mass: undefined }) }))
  const total = halves.reduce((sum, { byDensity }) => sum + byDensity.mass, 0)
  const [a, b] = halves.map(({ one, byDensity }): Body => ({
    ...one,
    ...body.mass?.mass === undefined ? {} : { mass: { mass: body.mass.mass * byDensity.mass / total } },
    ...spins ? { linearVelocity: velocityAt(body, pose, whole.centerOfMass, byDensity.centerOfMass) } : {},
  })) as [Body, Body]
  const partOf = shapes.map(({ behind: kept }) => kept.length > 0)
  return {
    behind: a, front: b,
    halved: {
      from: body.id, to: b.id, pose, center: toOuter(pose, whole.centerOfMass),
      isFront: point => dot(plane.normal, sub(point, plane.point)) > 0,
      shapeAfter: index => partOf[index] === true
        ? { front: false, index: shapes.slice(0, index).reduce((sum, shape) => sum + shape.behind.length, 0) }
        : { front: true, index: shapes.slice(0, index).reduce((sum, shape) => sum + shape.front.length, 0) },
    },
    notes: [
      ...shapes.flatMap(({ notes }) => notes),
      ...body.visuals?.length ? [`"${name}" had visuals, which are not cut: its halves are drawn by their shapes`] : [],
      ...left.length > 0 ? [`The halves of "${name}" no longer follow the formulas of ${left.join(', ')}`] : [],
    ],
  }
}

function velocityAt(body: Body, pose: Pose, from: Vec3, to: Vec3): Vec3 {
  return add(body.linearVelocity ?? ZERO, cross(body.angularVelocity!, rotate(pose.orientation, sub(to, from))))
}

/** Formulas of sizes, masses and velocities apply to the whole body. */
function formulasKept({ expressions = [] }: Body): { readonly expressions: NonNullable<Body['expressions']>, readonly left: readonly string[] } {
  const isOfWhole = ({ field }: { readonly field: string }) => /^(shapes|mass|visuals|linearVelocity|collision)\b/.test(field)
  return { expressions: expressions.filter(one => !isOfWhole(one)), left: expressions.filter(isOfWhole).map(({ field }) => field) }
}
