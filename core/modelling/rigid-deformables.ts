/**
 * Deformables as rigid bodies in their initial shape, for dropping them to rest, alone or with the body that holds them, and for dropping other bodies onto
 * them.
 */

import { deformableShape } from '../analysis/deformable-shape'
import { hullVolume } from '../geometry/hull'
import type { Quat } from '../math/quaternion'
import { add, addScaled, cross, distance, dot, length, normalize, scale, sub, type Vec3 } from '../math/vector'
import { bodiesOfDeformable, elementsOf, freshIds, isHeldByWorld, ownerOf, ownersIn, resolveDeformable, type Body, type Deformable, type Joint, type Scene, type Shape } from '../scene'

export interface RigidDeformables {
  readonly scene: Scene
  /** Objects to be put down: the chosen ones, and the deformables that move with them. */
  readonly placed: readonly string[]
}

/**
 * Each deformable becomes a body with its id. A deformable held by a single body that is to be put down is fixed to that body; one that something else
 * holds too is left out.
 * @param placed ids of bodies, instances and deformables
 */
export function withRigidDeformables(scene: Scene, placed: readonly string[]): RigidDeformables {
  const deformables = elementsOf(scene, 'deformables')
  if (deformables.length === 0) return { scene, placed }
  const owners = ownersIn(scene)
  const wholeOf = (id: string) => ownerOf(owners, id) ?? id
  const chosen = new Set(placed)
  const makeId = freshIds(scene)
  const bodies: Body[] = []
  const joints: Joint[] = []
  const carried: string[] = []
  for (const deformable of deformables) {
    const { id } = deformable
    const holders = [...new Set(bodiesOfDeformable(deformable))]
    const wholes = new Set(holders.map(wholeOf))
    const isPart = ownerOf(owners, id) !== null
    if (!isPart && !chosen.has(id) && [...wholes].some(whole => chosen.has(whole))) {
      if (wholes.size > 1 || isHeldByWorld(deformable)) continue
      carried.push(id)
      joints.push({ id: makeId(`${id}-hold`), type: 'fixed', bodyA: id, bodyB: holders[0]!, anchor: centerOf(deformable) })
    }
    bodies.push(isPart || holders.length === 0 ? rigidBody(deformable) : { ...rigidBody(deformable), collision: { except: holders } })
  }
  return {
    scene: { ...scene, deformables: [], bodies: [...elementsOf(scene, 'bodies'), ...bodies], joints: [...elementsOf(scene, 'joints'), ...joints] },
    placed: [...placed, ...carried],
  }
}

/** m: mean of the vertices. A deformable has no frame of its own; this is the origin of the body that replaces it. */
export function centerOf(deformable: Deformable): Vec3 {
  const { vertices } = deformableShape(resolveDeformable(deformable))
  return scale(vertices.reduce(add), 1 / vertices.length)
}

function rigidBody(deformable: Deformable): Body {
  const position = centerOf(deformable)
  return { id: deformable.id, position, shapes: shapesOf(deformable).map(shape => ({ ...shape, ...placedFrom(shape, position) }) as Shape) }
}

function placedFrom(shape: Shape, origin: Vec3): object {
  return shape.type === 'convexHull' ? { points: shape.points.map(point => sub(point, origin)) } : { position: sub(shape.position!, origin) }
}

/** Its surface, a radius from the middle of the material, in the world frame. */
function shapesOf(deformable: Deformable): Shape[] {
  const resolved = resolveDeformable(deformable)
  const { material, radius } = resolved
  const { vertices, strands, triangles } = deformableShape(resolved)
  if (resolved.type === 'cloth') return sheets(vertices, triangles, radius).map(points => ({ type: 'convexHull', points, material }))
  if (resolved.type === 'particles') return vertices.map(position => ({ type: 'sphere', radius, position, material }))
  return strands.flatMap(strand => straightRuns(strand.map(vertex => vertices[vertex]!)).map(([a, b]): Shape => (
    { type: 'capsule', radius, height: distance(a, b), position: scale(add(a, b), 0.5), orientation: zTowards(normalize(sub(b, a))), material }
  )))
}

/** Largest number of triangles of a bent sheet that become separate convex solids; a finer sheet becomes its hull. */
const MOST_TRIANGLES = 1000
/** Relative difference of volumes: a flat sheet whose outline is convex is its hull. */
const ROUNDING = 1e-9
/** Share of the radius by which vertices of a flat sheet may be off its plane. */
const LEVEL = 1e-6

function sheets(vertices: readonly Vec3[], triangles: readonly (readonly number[])[], radius: number): Vec3[][] {
  const normals = triangles.map(([a, b, c]) => cross(sub(vertices[b!]!, vertices[a!]!), sub(vertices[c!]!, vertices[a!]!)))
  const thick = (points: readonly Vec3[], along: Vec3) => points.flatMap(point => [addScaled(point, along, radius), addScaled(point, along, -radius)])
  const along = normalize(normals[0]!)
  const area = normals.reduce((sum, normal) => sum + length(normal) / 2, 0)
  const isFlat = normals.every(normal => Math.abs(dot(normal, along)) > (1 - ROUNDING) * length(normal))
    && vertices.every(vertex => Math.abs(dot(sub(vertex, vertices[0]!), along)) < LEVEL * radius)
  const whole = thick(vertices, along)
  if (isFlat && Math.abs(hullVolume(whole) / (2 * radius * area) - 1) < 1e3 * ROUNDING) return [whole]
  if (triangles.length > MOST_TRIANGLES) return [whole]
  return triangles.map((triangle, t) => thick(triangle.map(vertex => vertices[vertex]!), normalize(normals[t]!)))
}

/** Sine of the angle between two segments that count as one. */
const STRAIGHT = 1e-9

/** Ends of the straight runs of a polyline. */
function straightRuns(points: readonly Vec3[]): [Vec3, Vec3][] {
  const runs: [Vec3, Vec3][] = []
  let start = 0
  for (let i = 1; i < points.length; i++) {
    const next = points[i + 1]
    const [run, turn] = [sub(points[i]!, points[start]!), next && sub(next, points[i]!)]
    if (turn && dot(run, turn) > 0 && length(cross(run, turn)) <= STRAIGHT * length(run) * length(turn)) continue
    runs.push([points[start]!, points[i]!])
    start = i
  }
  return runs
}

/** A rotation of the z axis to a unit vector or its opposite: a capsule has two equal ends. */
function zTowards([x, y, z]: Vec3): Quat {
  const [a, b, c] = z < 0 ? [-x, -y, -z] : [x, y, z]
  const size = Math.sqrt(2 * (1 + c))
  return [-b / size, a / size, 0, (1 + c) / size]
}
