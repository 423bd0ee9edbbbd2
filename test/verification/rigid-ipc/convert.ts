/**
 * The scenes of the Rigid IPC fixtures [FLS*21] as Cairn scenes: y stays up, angles become radians, contacts are frictionless and inelastic.
 *
 * Differences from the fixtures: open planes become slabs of `SLAB` m behind the plane, as seen from the first moving body; concave meshes are replaced by
 * their exact convex pieces; bodies with fixed orientation get an inertia so large that no torque of the scene rotates them; bodies that rotate about one
 * point get a ball joint, and about one axis a hinge.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readObj } from '../../../core/formats/mesh/obj'
import { exactPieces } from '../../../core/geometry/convex-pieces'
import { enclosedMass, triangleMesh, type Mesh } from '../../../core/geometry/mesh'
import { ShapeError } from '../../../core/geometry/shape'
import type { Quat } from '../../../core/math/quaternion'
import { rotate } from '../../../core/math/quaternion'
import { add, cross, dot, scale, sub, type Vec3 } from '../../../core/math/vector'
import type { SceneBody } from '../overlap'
import { times, turn } from '../support'

export const FIXTURES = join(import.meta.dirname, '../../../../shared/reference/rigid-ipc')

const SLAB = 0.01
/** kg m²: inertia of a body that can translate but not rotate. */
const UNTURNED = 1e9

interface FixtureBody {
  readonly mesh: string
  readonly type?: 'static'
  readonly position?: Vec3
  readonly rotation?: Vec3
  readonly scale?: number | Vec3
  readonly dimensions?: Vec3
  readonly linear_velocity?: Vec3
  readonly angular_velocity?: Vec3
  readonly force?: Vec3
  readonly torque?: Vec3
  readonly density?: number
  readonly is_dof_fixed?: boolean | readonly boolean[]
}

interface Fixture {
  readonly timestep?: number
  readonly max_time?: number
  readonly rigid_body_problem: { readonly gravity?: Vec3; readonly rigid_bodies: readonly FixtureBody[] }
}

export interface ConvertedScene {
  readonly bodies: readonly SceneBody[]
  readonly simulation: { readonly duration: number; readonly outputRate: number }
}

/** A fixture that cannot be converted: its mesh, or the scene itself, is not among the files. */
export class AbsentError extends Error {}

/** @param name path below `fixtures/3D`, without ending */
export function convert(name: string): ConvertedScene {
  const text = readFileSync(join(FIXTURES, 'fixtures/3D', `${name}.json`), 'utf8')
  if (!text.trimStart().startsWith('{')) {
    throw new AbsentError(`only a link to ${text.trim()}, which is not there`)
  }
  const { timestep = 0.01, max_time = 10, rigid_body_problem: problem } = JSON.parse(text) as Fixture
  const moving = problem.rigid_bodies.find(body => !isFixed(body))
  const eye = moving?.position ?? [0, 0, 0]
  const bodies = problem.rigid_bodies.map((body, i) => bodyOf(body, `body${i}`, eye))
  const scene = {
    format: 'cairn-scene', version: 1, gravity: problem.gravity ?? [0, 0, 0],
    materials: problem.rigid_bodies.map((body, i) => ({ id: `m${i}`, density: body.density ?? 1000 })),
    bodies: bodies.map(({ body }) => body),
    joints: bodies.flatMap(({ joints }) => joints),
    forces: problem.rigid_bodies.flatMap((body, i) => [
      ...(nonZero(body.force) ? [{ id: `force${i}`, type: 'uniform', bodies: [`body${i}`], force: body.force }] : []),
      ...(nonZero(body.torque) ? [{ id: `torque${i}`, type: 'torque', body: `body${i}`, torque: body.torque }] : []),
    ]),
    simulation: { duration: max_time, outputRate: 1 / timestep, method: 'event-driven' },
  }
  return scene as unknown as ConvertedScene
}

function nonZero(v: Vec3 | undefined): boolean {
  return v !== undefined && dot(v, v) > 0
}

function isFixed(body: FixtureBody): boolean {
  const { is_dof_fixed: fixed } = body
  return body.type === 'static' || fixed === true || (Array.isArray(fixed) && fixed.every(Boolean))
}

function bodyOf(given: FixtureBody, id: string, eye: Vec3): { body: object; joints: object[] } {
  const position = given.position ?? [0, 0, 0]
  const orientation = orientationOf(given.rotation ?? [0, 0, 0])
  const mesh = meshOf(given)
  const shapes = isFlat(mesh)
    ? [{ type: 'convexHull', points: slab(mesh, position, orientation, eye), material: `m${id.slice(4)}` }]
    : pieces(mesh).map(points => ({ type: 'convexHull', points, material: `m${id.slice(4)}` }))
  const free = { linearVelocity: given.linear_velocity ?? [0, 0, 0], angularVelocity: scale(given.angular_velocity ?? [0, 0, 0], Math.PI / 180) }
  const body = { id, type: isFixed(given) ? 'fixed' : 'dynamic', position, orientation, shapes, ...(isFixed(given) ? {} : free) }
  const fixed = Array.isArray(given.is_dof_fixed) && !isFixed(given) ? given.is_dof_fixed as boolean[] : Array<boolean>(6).fill(false)
  const pattern = fixed.map(Number).join('')
  switch (pattern) {
    case '000000': return { body, joints: [] }
    case '000111': return { body: { ...body, mass: { inertia: [UNTURNED, UNTURNED, UNTURNED, 0, 0, 0] } }, joints: [] }
    case '111000': return { body, joints: [{ id: `${id}-joint`, type: 'ball', bodyA: id, bodyB: null, anchor: position }] }
    case '111110': return { body, joints: [{ id: `${id}-joint`, type: 'hinge', bodyA: id, bodyB: null, anchor: position, axis: [0, 0, 1] }] }
    default: throw new AbsentError(`no joint for the fixed degrees of freedom ${pattern}`)
  }
}

/** Turns about x, then y, then z, degrees. */
function orientationOf(rotation: Vec3): Quat {
  const [x, y, z] = scale(rotation, Math.PI / 180)
  return times(turn([0, 0, 1], z), times(turn([0, 1, 0], y), turn([1, 0, 0], x)))
}

function meshOf(given: FixtureBody): Mesh {
  const path = join(FIXTURES, 'meshes', given.mesh)
  if (!existsSync(path)) {
    throw new AbsentError(`the mesh ${given.mesh} is not there`)
  }
  const mesh = readObj(readFileSync(path))
  const box = [0, 1, 2].map(k => Math.max(...mesh.vertices.map(p => p[k]!)) - Math.min(...mesh.vertices.map(p => p[k]!)))
  const s = given.dimensions ? given.dimensions.map((d, k) => d / box[k]!) : typeof given.scale === 'number' ? [given.scale, given.scale, given.scale] : given.scale ?? [1, 1, 1]
  return { vertices: mesh.vertices.map(p => [p[0] * s[0]!, p[1] * s[1]!, p[2] * s[2]!]), faces: mesh.faces }
}

function isFlat(mesh: Mesh): boolean {
  return mesh.vertices.every(p => p[1] === mesh.vertices[0]![1])
}

function slab(mesh: Mesh, position: Vec3, orientation: Quat, eye: Vec3): Vec3[] {
  const [a, b, c] = mesh.faces[0]!.map(v => mesh.vertices[v]!) as [Vec3, Vec3, Vec3]
  const normal = cross(sub(b, a), sub(c, a))
  const unit = scale(normal, 1 / Math.sqrt(dot(normal, normal)))
  const towards = dot(rotate(orientation, unit), sub(eye, add(position, rotate(orientation, a)))) > 0 ? 1 : -1
  return [...mesh.vertices, ...mesh.vertices.map(p => add(p, scale(unit, -towards * SLAB)))]
}

function pieces(mesh: Mesh): readonly (readonly Vec3[])[] {
  const triangles = triangleMesh(mesh)
  try {
    enclosedMass(triangles)
  } catch (error) {
    if (error instanceof ShapeError) {
      throw new AbsentError(error.message)
    }
    throw error
  }
  const found = exactPieces(triangles, 64)
  if (found === null) {
    throw new AbsentError(`${mesh.faces.length} faces have no exact pieces`)
  }
  return found
}
