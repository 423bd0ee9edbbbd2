/** Bodies of the scene as links: inertia, collisions with their surfaces, and visuals of the same shapes. */

import { bodyMass, partsOf, solidsOf } from '../../analysis/solids'
import type { Mesh } from '../../geometry/mesh'
import { composePoses, IDENTITY_POSE, type Pose } from '../../math/pose'
import { addScaled } from '../../math/vector'
import type { ResolvedBody, ResolvedMaterial, ResolvedScene, ResolvedShape } from '../../scene'
import type { FormatFile } from '../format'
import { bitOf, collisionClasses, maskOf, type CollisionClasses } from '../shared/collision-classes'
import { srgbOf } from '../shared/colors'
import { writeObj } from '../shared/hull-points'
import type { Losses } from '../shared/losses'
import { curvedName, surfaceOf } from '../shared/surface'
import { VisualFiles } from '../shared/visual-files'
import { meshesOf, picturesOf, shapeOfVisual } from '../shared/visuals'
import type { SensorWriter } from './write-sensors'
import { poseTag, tag, type SdfElement } from './text'

/** Corners of a circle in a hull of points. */
const AROUND = 32
/** Of a collision's masks. */
const MAX_BITS = 16
/** m, size of a displayed plane. */
const PLANE = 100

export class LinkWriter {
  /** Meshes beside the main file. */
  readonly files: FormatFile[] = []
  private readonly materials: ReadonlyMap<string, ResolvedMaterial>
  readonly visualFiles: VisualFiles
  private readonly classes: CollisionClasses | null

  constructor(private readonly scene: ResolvedScene, private readonly stem: string, private readonly sensors: SensorWriter, private readonly losses: Losses) {
    this.materials = new Map(scene.materials.map(material => [material.id, material]))
    this.visualFiles = new VisualFiles(meshesOf(scene), picturesOf(scene), visualFolder(stem))
    const fits = (classes: CollisionClasses | null): boolean => classes === null || classes.touch.length <= MAX_BITS
    const [classes, groups] = [collisionClasses(scene, true), collisionClasses(scene, false)]
    this.classes = fits(classes) ? classes : fits(groups) ? groups : null
    if (!fits(classes)) losses.add('bodies[].collision.except', 'SDFormat has collision groups but no exceptions of single bodies', 'bodies that touch each other')
    if (!fits(groups)) losses.add('bodies[].collision', `more than ${MAX_BITS} collision classes`, 'bodies that all touch each other')
  }

  /** @param pose in its model */
  link(body: ResolvedBody, index: number, name: string, pose: Pose): SdfElement {
    const shapes = body.shapes.map((shape, k) => this.shape(shape, `${body.id}_${k}`, `bodies[${index}].shapes[${k}]`, body.visuals === undefined, this.bitmasks(index)))
    const collisions = shapes.map(parts => parts.filter(part => part.name === 'collision').map(part => part.attributes.name!))
    return tag('link', [
      poseTag(pose), body.type === 'kinematic' ? tag('kinematic', true) : null, body.type === 'dynamic' ? this.inertial(body) : null,
      ...shapes.flat(), ...this.visuals(body), ...this.sensors.ofBody(body.id, collisions),
    ], { name })
  }

  /** One bit for each collision class, at most sixteen. */
  private bitmasks(body: number): SdfElement | null {
    const { classes } = this
    if (classes === null) return null
    const own = classes.of[body]!
    return tag('contact', [tag('collide_bitmask', maskOf(classes, own)), tag('category_bitmask', bitOf(own))])
  }

  /** Visuals that are not shapes. */
  private visuals(body: ResolvedBody): SdfElement[] {
    if (body.visuals !== undefined && body.shapes.length > 0) this.losses.add('materials[].color', 'SDFormat gives collisions no colour of their own', 'that of the first visual')
    return (body.visuals ?? []).flatMap((visual, k) => {
      const name = `${body.id}_visual_${k}`
      const shape = shapeOfVisual(visual, this.visualFiles.meshes)
      if (visual.type !== 'mesh') return this.geometries(shape, '', '').map(({ pose, geometry }) => visualTag(name, pose, geometry, visual.color))
      const { mesh, picture, colored } = this.visualFiles.add(visual, '')
      // A material would hide the colours of vertices.
      return [visualTag(name, shape, tag('mesh', [tag('uri', this.uri(mesh))]), colored && picture === null ? null : visual.color, picture && this.uri(picture))]
    })
  }

  private uri(file: string): string {
    return `${visualFolder(this.stem)}/${file}`
  }

  private inertial(body: ResolvedBody): SdfElement {
    const { mass, centerOfMass, inertia: I } = bodyMass(body, partsOf(body, this.scene))
    const entries = [['ixx', I[0]], ['ixy', I[1]], ['ixz', I[2]], ['iyy', I[4]], ['iyz', I[5]], ['izz', I[8]]] as const
    return tag('inertial', [
      poseTag({ position: centerOfMass, orientation: [0, 0, 0, 1] }), tag('mass', mass), tag('inertia', entries.map(([name, value]) => tag(name, value))),
    ])
  }

  /** @param seen whether the shape is also the body's appearance */
  private shape(shape: ResolvedShape, name: string, where: string, seen: boolean, bitmasks: SdfElement | null): SdfElement[] {
    const material = this.materials.get(shape.material)!
    return this.geometries(shape, name, where).flatMap(({ pose, geometry }, k) => {
      const own = k === 0 ? name : `${name}_${k}`
      return [
        tag('collision', [poseTag(pose), tag('geometry', [geometry]), surface(material, bitmasks), tag('density', material.density)], { name: own }),
        ...seen ? [visualTag(own, pose, geometry, material.color)] : [],
      ]
    })
  }

  private geometries(shape: ResolvedShape, name: string, where: string): { readonly pose: Pose; readonly geometry: SdfElement }[] {
    const own: Pose = { position: shape.position, orientation: shape.orientation }
    const one = (kind: string, content: readonly SdfElement[], pose = own) => [{ pose, geometry: tag(kind, content) }]
    const hull = (mesh: Mesh, file: string) => ({ pose: own, geometry: this.mesh(mesh, file, 'convex_hull') })
    switch (shape.type) {
      case 'box':
        return one('box', [tag('size', shape.size)])
      case 'sphere':
        return one('sphere', [tag('radius', shape.radius)])
      case 'ellipsoid':
        return one('ellipsoid', [tag('radii', shape.radii)])
      case 'capsule':
      case 'cylinder':
        return one(shape.type, [tag('radius', shape.radius), tag('length', shape.height)])
      case 'cone':
        return one('cone', [tag('radius', shape.radius), tag('length', shape.height)], composePoses(own, { position: [0, 0, shape.height / 2], orientation: [0, 0, 0, 1] }))
      case 'halfSpace':
        return one('plane', [tag('normal', shape.normal), tag('size', [PLANE, PLANE])],
          composePoses(own, { ...IDENTITY_POSE, position: addScaled([0, 0, 0], shape.normal, shape.offset) }))
      case 'convexHull':
      case 'polyhedron':
        return [hull(surfaceOf(shape, 0), name)]
      case 'superquadric':
      case 'implicit':
      case 'parametric':
        this.losses.add(where, `SDFormat has no ${curvedName(shape)}`, 'the convex hull of points on its surface')
        return [hull(surfaceOf(shape, 0, AROUND), name)]
      case 'mesh': {
        if (shape.pieces === undefined) {
          if (shape.vertices !== undefined) return [{ pose: own, geometry: this.mesh(surfaceOf(shape, 0), name, 'convex_decomposition') }]
          this.losses.add(where, `the mesh "${shape.file ?? ''}" is in a file, and its pieces have not been found`, 'nothing: cut it into convex pieces first')
          return []
        }
        this.losses.add(where, 'a mesh in convex pieces is several collisions', `${shape.pieces.length} convex hulls`)
        return solidsOf(shape).map((_, k) => hull(surfaceOf({ ...shape, vertices: undefined, faces: undefined, pieces: [shape.pieces![k]!] } as ResolvedShape, 0), `${name}_${k}`))
      }
    }
  }

  private mesh(mesh: Mesh, file: string, optimization: string): SdfElement {
    const uri = `${this.stem}_meshes/${file}.obj`
    this.files.push({ name: uri, content: writeObj(mesh) })
    return tag('mesh', [tag('uri', uri)], { optimization })
  }
}

const visualFolder = (stem: string): string => `${stem}_meshes/visual`

/** @param color null for a visual without a material */
function visualTag(name: string, pose: Pose, geometry: SdfElement, color: string | null, picture: string | null = null): SdfElement {
  const rgba = color === null ? [] : [...srgbOf(color), 1]
  const pbr = picture === null ? null : tag('pbr', [tag('metal', [tag('albedo_map', picture)])])
  return tag('visual', [
    poseTag(pose), tag('geometry', [geometry]), color === null ? null : tag('material', [tag('ambient', rgba), tag('diffuse', rgba), pbr]),
  ], { name })
}

function surface({ friction, restitution }: ResolvedMaterial, bitmasks: SdfElement | null): SdfElement {
  const { static: mu, torsional } = friction
  // The spin friction of a patch of radius a is 3 π a μ N / 16 [SDFormat: torsional patch_radius].
  const patch = 16 * torsional / (3 * Math.PI)
  const spin = torsional > 0 ? tag('torsional', [tag('coefficient', 1), tag('use_patch_radius', true), tag('patch_radius', patch)]) : null
  return tag('surface', [
    tag('friction', [tag('ode', [tag('mu', mu), tag('mu2', mu)]), spin]), restitution > 0 ? tag('bounce', [tag('restitution_coefficient', restitution), tag('threshold', 0)]) : null,
    bitmasks,
  ])
}
