/**
 * Mirrors bodies and their attached objects in a plane perpendicular to a world axis. Points, velocities and forces change the sign of their
 * component along the axis; rotations, angular velocities and torques, which are axial, change the sign of the other two. A body's frame is mirrored
 * with its contents: R' = M R M.
 */

import { multiplyQuaternions, type Quat } from '../math/quaternion'
import type { Vec3 } from '../math/vector'
import type { Body, Scene, Shape, Visual } from '../scene'
import { ModellingError, shapeName } from './fault'
import { mirroredExpressions, OF_BODIES } from './mirror-expressions'
import { negated, ofNegated } from './mirror-formulas'
import { AXES, mirrorImage, type Axis, type MirrorImage } from './mirror-image'
import { mirroredJoint } from './mirror-joints'
import { mirroredMeshes } from './mirror-meshes'
import { heldDeformables, mirroredDeformable, mirroredForce, mirroredSensor } from './mirror-references'
import { mirroredScripts } from './mirror-scripts'

/**
 * Changes a draft.
 * @param at position of the mirror along the axis, m
 * @throws ModellingError if something cannot be mirrored, before any change
 */
export function mirrorBodies(scene: Scene, ids: readonly string[], axis: Axis, at: number): (draft: Scene) => void {
  if (ids.length === 0) throw new ModellingError('noBody', null, 'No body is selected: select those to mirror')
  if (scene.simulation?.dimensions === 2 && axis === 1) throw new ModellingError('offPlane', null, 'In two dimensions bodies are mirrored along x or z')
  const image = mirrorImage(axis, at)
  const among = new Set(ids)
  const held = new Set(heldDeformables(scene, among))
  const mirrored = new Set([...ids, ...[...held].map(({ id }) => id)])
  const isAmong = (id: string | null) => id === null || among.has(id)
  const meshes = mirroredMeshes(scene, among, image)
  const bodies = changesOf(scene.bodies, body => among.has(body.id) ? mirroredBody(body, image, mesh => meshes.get(mesh)!.id) : body)
  const joints = changesOf(scene.joints, joint => joint.type !== 'gear' && isAmong(joint.bodyA) && isAmong(joint.bodyB) ? mirroredJoint(joint, image) : joint)
  const deformables = changesOf(scene.deformables, one => held.has(one) ? mirroredDeformable(one, image) : one)
  const forces = changesOf(scene.forces, force => mirroredForce(force, mirrored, image))
  const images = mirroredScripts(scene, mirrored, image, at)
  const scripts = changesOf(scene.scripts, script => images.get(script.id) ?? script)
  const sensors = changesOf(scene.sensors, sensor => mirroredSensor(sensor, mirrored, image))
  return draft => {
    for (const [former, mesh] of meshes) {
      if (mesh.id === former) draft.meshes![draft.meshes!.findIndex(({ id }) => id === former)] = mesh
      else draft.meshes!.push(mesh)
    }
    for (const [index, body] of bodies) draft.bodies![index] = body
    for (const [index, joint] of joints) draft.joints![index] = joint
    for (const [index, deformable] of deformables) draft.deformables![index] = deformable
    for (const [index, force] of forces) draft.forces![index] = force
    for (const [index, sensor] of sensors) draft.sensors![index] = sensor
    for (const [index, script] of scripts) draft.scripts![index] = script
  }
}

/** The elements that differ from their image, with their indices. */
function changesOf<T>(elements: readonly T[] | undefined, imageOf: (element: T) => T): [number, T][] {
  return (elements ?? []).flatMap((element, index) => {
    const changed = imageOf(element)
    return changed === element ? [] : [[index, changed]]
  })
}

/** @param meshImage maps a mesh's id to the id of its image */
function mirroredBody(body: Body, image: MirrorImage, meshImage: (mesh: string) => string): Body {
  const name = `"${body.name ?? body.id}"`
  const { point, polar, axial, turned } = image
  const { mass } = body
  const copy: Body = { ...body, position: point(body.position ?? [0, 0, 0]) }
  if (body.expressions) {
    copy.expressions = mirroredExpressions(body.expressions, OF_BODIES, image, field => new ModellingError('invalid', body.id,
      `${name} follows a formula in ${field}, which has no mirror image: formulas of positions, velocities, the body's orientation and sizes have one`))
  }
  if (body.orientation) copy.orientation = turned(body.orientation)
  if (body.linearVelocity) copy.linearVelocity = polar(body.linearVelocity)
  if (body.angularVelocity) copy.angularVelocity = axial(body.angularVelocity)
  if (body.shapes) copy.shapes = body.shapes.map((shape, index) => mirroredShape(body, shape, index, image))
  if (body.visuals) copy.visuals = body.visuals.map(visual => ({ ...visual, ...placedIn(visual, image), ...visual.type === 'mesh' ? { mesh: meshImage(visual.mesh) } : {} }))
  if (mass) {
    copy.mass = { ...mass }
    if (mass.centerOfMass) copy.mass.centerOfMass = polar(mass.centerOfMass)
    if (mass.inertia) copy.mass.inertia = mirroredInertia(mass.inertia, image.axis)
  }
  if (body.path) {
    copy.path = body.path.map(key => ({
      ...key, ...key.position ? { position: point(key.position) } : {}, ...key.orientation ? { orientation: turned(key.orientation) } : {},
    }))
  }
  return copy
}

type Inertia = NonNullable<NonNullable<Body['mass']>['inertia']>

/** xx, yy, zz, xy, xz, yz: products with the axis change their sign. */
function mirroredInertia([xx, yy, zz, xy, xz, yz]: Inertia, axis: Axis): Inertia {
  const sign = (a: Axis, b: Axis) => (a === axis) === (b === axis) ? 1 : -1
  return [xx, yy, zz, sign(0, 1) * xy + 0, sign(0, 2) * xz + 0, sign(1, 2) * yz + 0]
}

/** Position of the image of a shape or visual in the image of its body. */
function placedIn({ type, position, orientation }: Shape | Visual, { axis, polar, turned }: MirrorImage): { position?: Vec3, orientation?: Quat } {
  const placed = { ...position ? { position: polar(position) } : {}, ...orientation ? { orientation: turned(orientation) } : {} }
  // A cone is not symmetric along its z axis. For a mirror perpendicular to another axis it is its own image; half a turn converts between the two.
  return type === 'cone' && axis === 2 ? { ...placed, orientation: multiplyQuaternions(placed.orientation ?? [0, 0, 0, 1], [0, 1, 0, 0]) } : placed
}

function mirroredShape(body: Body, shape: Shape, index: number, image: MirrorImage): Shape {
  const { polar } = image
  const along = AXES[image.axis]
  const placed = placedIn(shape, image)
  const points = (list: readonly Vec3[]): Vec3[] => list.map(polar)
  const faces = (list: readonly (readonly number[])[]): number[][] => list.map(face => [...face].reverse())
  const refused = (why: string) => new ModellingError('invalid', body.id, `${shapeName(shape.type, index)} of "${body.name ?? body.id}" ${why}: every other shape can be mirrored`)
  switch (shape.type) {
    case 'implicit': return { ...shape, ...placed, formula: ofNegated(shape.formula, along) }
    // The image of the surface with reversed orientation, so that the outside remains the outside.
    case 'parametric': return { ...shape, ...placed, [along]: negated(shape[along]) }
    case 'convexHull': return { ...shape, ...placed, points: points(shape.points) }
    case 'polyhedron': return { ...shape, ...placed, vertices: points(shape.vertices), faces: faces(shape.faces) }
    case 'halfSpace': return { ...shape, ...placed, normal: polar(shape.normal) }
    case 'mesh': {
      if (shape.file !== undefined || !shape.vertices || !shape.faces) throw refused('is a file, which cannot be mirrored')
      return {
        ...shape, ...placed, vertices: points(shape.vertices), faces: faces(shape.faces),
        ...shape.pieces ? { pieces: shape.pieces.map(piece => ({ points: points(piece.points) })) } : {},
      }
    }
    default: return { ...shape, ...placed }
  }
}
