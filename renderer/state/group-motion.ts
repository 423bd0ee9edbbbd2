/** Initial velocity of several bodies that move as one rigid body: that of their common centre of mass, and the angular velocity. */

import { toOuter } from '../../core/math/pose'
import { add, addScaled, cross, distance, scale, sub, ZERO, type Vec3 } from '../../core/math/vector'
import type { Body, Scene } from '../../core/scene'
import { useDocument } from './document'
import { massOf } from './mass'
import { bodiesOf, poseOf, typeOf } from './scene-access'

export interface GroupMotion {
  /** m/s, of the common centre of mass. */
  readonly linear: Vec3
  /** rad/s */
  readonly angular: Vec3
  /** Whether the bodies have different angular velocities, or velocities that no rigid motion has. */
  readonly mixed: { readonly linear: boolean; readonly angular: boolean }
}

/** Difference of two velocities, relative to the larger one, that is rounding. */
const SAME = 1e-9

/** Null if none of the bodies moves. */
export function motionOf(scene: Scene, ids: readonly string[]): GroupMotion | null {
  const { bodies, centers, center } = membersOf(scene, ids)
  const [first] = bodies
  if (!first) return null
  const angular = angularOf(first)
  const parts = bodies.map((body, i) => sub(linearOf(body), cross(angularOf(body), sub(centers[i]!, center))))
  const differ = (vectors: readonly Vec3[]) => vectors.some(v => distance(v, vectors[0]!) > SAME * Math.max(1, ...vectors.flatMap(one => one.map(Math.abs))))
  return { linear: parts[0]!, angular, mixed: { linear: differ(parts), angular: differ(bodies.map(angularOf)) } }
}

/** Gives all of them the velocities of one rigid body. */
export function setMotion(ids: readonly string[], { linear, angular }: Pick<GroupMotion, 'linear' | 'angular'>): void {
  const document = useDocument()
  const { bodies, centers, center } = membersOf(document.scene, ids)
  const velocities = new Map(bodies.map(({ id }, i) => [id, add(linear, cross(angular, sub(centers[i]!, center)))]))
  document.edit('change velocity of the group', draft => {
    for (const body of draft.bodies ?? []) {
      const velocity = velocities.get(body.id)
      if (!velocity) continue
      body.linearVelocity = [...velocity]
      body.angularVelocity = [...angular]
    }
  })
}

const linearOf = (body: Body) => (body.linearVelocity ?? ZERO) as Vec3
const angularOf = (body: Body) => (body.angularVelocity ?? ZERO) as Vec3

/** Those that can move, with their centres of mass and the common one, m. */
function membersOf(scene: Scene, ids: readonly string[]): { bodies: Body[]; centers: Vec3[]; center: Vec3 } {
  const wanted = new Set(ids)
  const bodies = bodiesOf(scene).filter(body => wanted.has(body.id) && typeOf(body) !== 'fixed')
  const found = bodies.map(body => massOf(body, scene).properties)
  const centers = bodies.map((body, i) => toOuter(poseOf(body), found[i]?.centerOfMass ?? ZERO))
  const masses = found.map(one => Math.max(one?.mass ?? 0, 0))
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  const weighed = centers.reduce((sum, at, i) => addScaled(sum, at, total > 0 ? masses[i]! : 1), ZERO)
  return { bodies, centers, center: scale(weighed, 1 / (total > 0 ? total : Math.max(1, bodies.length))) }
}
