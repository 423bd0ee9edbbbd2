/** Rigid bodies of a stage, with their colliders, materials and masses [UsdPhysics]. */

import { bodyMass } from '../../analysis/solids'
import { composePoses, type Pose } from '../../math/pose'
import { scaleMatrix, symmetric, transform } from '../../math/matrix'
import { rotate, rotateInverse } from '../../math/quaternion'
import { scale, sub, type Vec3 } from '../../math/vector'
import { resolveShape, type Body, type MassOverride, type Shape, type Visual } from '../../scene'
import { relativeAffine, splitAffine, transformPoint } from '../shared/affine'
import type { SeenMesh } from '../mesh'
import { hexOfLinear } from '../shared/colors'
import type { SceneDraft } from '../shared/draft'
import { componentsOf, fromPrincipal, validMass } from '../shared/inertia'
import { solidParts } from '../shared/mesh-solid'
import { scaledMesh, type MeshFiles } from '../shared/meshes'
import { fromWxyz } from '../shared/rotations'
import { textureOf, visualOfMesh, visualOfShape } from '../shared/visuals'
import { booleanOf, numberOf, tupleOf, valueOf, type UsdPrim } from './layer'
import { nameOf, shownName } from './names'
import { boundLook, seenMeshOf, type BoundLook } from './read-looks'
import { shapeOfPrim, written } from './read-shapes'
import { hasSchema, isEnabledBody, type PlacedPrim, type StageUnits } from './stage'
import { DEGREE } from './transform'

export interface ReadingOptions {
  /** Friction of colliders without a bound material. */
  readonly friction: number
}

/** kg/m³, without a stated mass or density [UsdPhysics: mass]. */
const DEFAULT_DENSITY = 1000
/** Mass, kg, and radius, m, of the ball that replaces a body without mass and colliders. */
const BARE_MASS = 1
const BARE_RADIUS = 0.1

export class BodyReader {
  constructor(
    private readonly prims: ReadonlyMap<string, PlacedPrim>, private readonly units: StageUnits, private readonly draft: SceneDraft,
    private readonly files: MeshFiles, private readonly options: ReadingOptions,
  ) {}

  /** @returns the new body's id; null if nothing of it can be kept */
  body(placed: PlacedPrim, colliders: readonly PlacedPrim[], seen: readonly PlacedPrim[]): string | null {
    const { prim, split: { pose } } = placed
    const dynamic = hasSchema(placed, 'PhysicsRigidBodyAPI') && isEnabledBody(placed)
    const kinematic = dynamic && booleanOf(prim, 'physics:kinematicEnabled', false)
    const type = !dynamic ? 'fixed' : kinematic ? 'kinematic' : 'dynamic'
    const shapes = colliders.flatMap(collider => {
      const shape = shapeOfPrim(collider, pose, type !== 'fixed', this.draft.losses)
      if (shape === null) return []
      if (shape.type === 'halfSpace' && type !== 'fixed') {
        this.draft.losses.add(collider.prim.path, 'a plane on a body that moves', 'nothing: only fixed bodies can be half-spaces')
        return []
      }
      return [{ ...shape, material: this.material(collider, placed, shape) } as Shape]
    })
    const visuals = seen.flatMap(prim => this.visual(prim, pose) ?? [])
    if (shapes.length === 0 && visuals.length === 0 && type !== 'dynamic') return null
    if (booleanOf(prim, 'physics:startsAsleep', false)) this.draft.losses.add(prim.path, 'the body starts asleep', 'a body that is awake')
    const mass = type === 'dynamic' ? this.mass(placed, shapes) : undefined
    const body: Omit<Body, 'id'> = {
      ...type === 'dynamic' ? {} : { type }, ...written(pose), ...type === 'fixed' ? {} : this.velocities(placed), ...shapes.length > 0 ? { shapes } : {},
      ...visuals.length > 0 ? { visuals } : {}, ...mass === undefined ? {} : { mass },
    }
    const id = this.draft.body(nameOf(prim), body)
    const shown = shownName(prim)
    if (shown !== undefined && shown !== id) this.draft.bodies[this.draft.bodies.length - 1]!.name = shown.slice(0, 1000)
    return id
  }

  private visual(placed: PlacedPrim, body: Pose): Visual | null {
    const { prim } = placed
    const linear = this.colorOf(placed)
    const color = linear === null ? null : hexOfLinear(linear)
    if (prim.type !== 'Mesh') {
      const shape = shapeOfPrim(placed, body, true, this.draft.losses)
      return shape === null ? null : visualOfShape({ ...shape, material: '' } as Shape, color, this.draft)
    }
    const { picture, color: tint } = this.lookOf(placed)
    const mesh = seenMeshOf(prim, picture?.primvar ?? null)
    if (prim.children.some(child => child.type === 'GeomSubset' && child.relationships.has('material:binding'))) {
      this.draft.losses.add(prim.path, 'materials of some of its faces', 'one material for the whole mesh')
    }
    if (mesh === null || mesh.faces.length === 0) {
      this.draft.losses.add(prim.path, 'its faces refer to points that do not exist', 'nothing')
      return null
    }
    const { pose, scale: factors } = splitAffine(relativeAffine(body, placed.world))
    if (picture !== null && mesh.uv === undefined) this.draft.lostTexture(prim.path, picture.file, `for which the mesh has no coordinates "${picture.primvar.slice(0, 40)}"`)
    const texture = picture === null || mesh.uv === undefined ? null : textureOf(picture, '', this.files, this.draft, picture.place)
    // A picture, and colours of vertices, take the place of a constant displayColor.
    const factor = picture !== null ? tint && hexOfLinear(tint) : mesh.colors !== undefined ? null : color
    return visualOfMesh(scaledMesh(picture === null ? mesh : withoutColors(mesh), factors), nameOf(prim), pose, factor, this.draft, texture)
  }

  /** Linear red, green and blue. */
  private colorOf(placed: PlacedPrim): readonly number[] | null {
    return tupleOf(first(valueOf(placed.prim, 'primvars:displayColor')), 3) ?? this.lookOf(placed).color
  }

  /** Whether a picture is on the prim. */
  isPictured(placed: PlacedPrim): boolean {
    return this.lookOf(placed).picture !== null
  }

  private lookOf(placed: PlacedPrim): BoundLook {
    return boundLook(this.bound(placed, 'material:binding'), this.prims, this.draft)
  }

  /** In the node's parent space [UsdPhysicsRigidBodyAPI], in stage units and degrees. */
  private velocities({ prim, parent }: PlacedPrim): Pick<Body, 'linearVelocity' | 'angularVelocity'> {
    const outer = parent?.split.pose.orientation ?? (this.units.up === 'Z' ? [0, 0, 0, 1] as const : [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const)
    const linear = tupleOf(valueOf(prim, 'physics:velocity') ?? valueOf(prim, 'physics:linearVelocity'), 3) as Vec3 | null
    const angular = tupleOf(valueOf(prim, 'physics:angularVelocity'), 3) as Vec3 | null
    const moves = (v: Vec3 | null): v is Vec3 => v !== null && v.some(x => x !== 0)
    const inWorld = (v: Vec3): Vec3 => parent === null ? rotate(outer, scale(v, this.units.length)) : transform(parent.world.m, v)
    return {
      ...moves(linear) ? { linearVelocity: inWorld(linear) } : {},
      ...moves(angular) ? { angularVelocity: rotate(outer, scale(angular, DEGREE)) } : {},
    }
  }

  /** The scene's material of a collider, with the density of the body or collider if stated. */
  private material(collider: PlacedPrim, body: PlacedPrim, shape: object): string {
    const bound = this.bound(collider, 'material:binding:physics') ?? this.bound(collider, 'material:binding')
    const physical = bound !== null && hasSchema(bound, 'PhysicsMaterialAPI') ? bound.prim : null
    const perVolume = this.units.mass / (this.units.length * this.units.length * this.units.length)
    const stated = [body.prim, collider.prim, physical].map(prim => prim === null ? 0 : numberOf(prim, 'physics:density', 0) * perVolume)
    let density = stated.find(value => value > 0) ?? DEFAULT_DENSITY
    const own = numberOf(collider.prim, 'physics:mass', 0) * this.units.mass
    if (own > 0 && collider !== body && !(stated[0]! > 0)) {
      const volume = solidParts(resolveShape({ ...shape, material: 'm' } as Shape)).reduce((sum, { massProperties }) => sum + (massProperties?.volume ?? 0), 0)
      if (volume > 0 && Number.isFinite(volume)) density = own / volume
    }
    const color = this.colorOf(collider)
    const fixed = physical === null ? this.options.friction : 0
    const stuck = physical === null ? fixed : numberOf(physical, 'physics:staticFriction', 0)
    const sliding = physical === null ? fixed : numberOf(physical, 'physics:dynamicFriction', 0)
    if (sliding > stuck) this.draft.losses.add(bound!.prim.path, `its dynamic friction ${sliding} is larger than the static one, ${stuck}`, 'the static coefficient for both')
    const restitution = physical === null ? 0 : Math.min(1, Math.max(0, numberOf(physical, 'physics:restitution', 0)))
    return this.draft.material({
      ...physical === null ? {} : { name: nameOf(physical) }, density, restitution,
      friction: { static: Math.max(0, stuck), dynamic: Math.max(0, Math.min(stuck, sliding)) },
      ...color === null ? {} : { color: hexOfLinear(color) },
    })
  }

  /** The binding of the prim or its nearest ancestor. */
  private bound(placed: PlacedPrim, relationship: string): PlacedPrim | null {
    for (let at: PlacedPrim | null = placed; at !== null; at = at.parent) {
      const target = at.prim.relationships.get(relationship)?.[0]
      if (target !== undefined) return this.prims.get(target) ?? null
    }
    return null
  }

  private mass(placed: PlacedPrim, shapes: readonly Shape[]): MassOverride | undefined {
    const { prim, split: { pose } } = placed
    const given = numberOf(prim, 'physics:mass', 0) * this.units.mass
    const center = tupleOf(valueOf(prim, 'physics:centerOfMass'), 3) as Vec3 | null
    const diagonal = tupleOf(valueOf(prim, 'physics:diagonalInertia'), 3) as Vec3 | null
    const stated: { mass?: number; centerOfMass?: Vec3; inertia?: MassOverride['inertia'] } = {}
    if (given > 0) stated.mass = given
    if (center !== null && center.every(Number.isFinite)) {
      stated.centerOfMass = rotateInverse(pose.orientation, sub(transformPoint(placed.world, center), pose.position))
    }
    if (diagonal !== null && diagonal.every(x => x > 0)) {
      const axes = fromWxyz(tupleOf(valueOf(prim, 'physics:principalAxes'), 4) ?? [1, 0, 0, 0]) ?? [0, 0, 0, 1]
      stated.inertia = componentsOf(scaleMatrix(fromPrincipal(diagonal, axes), this.units.mass * this.units.length * this.units.length))
    }
    if (shapes.length === 0) return this.bare(prim, stated)
    if (stated.inertia !== undefined) {
      const whole = bodyMass({ mass: stated }, stated.mass === undefined || stated.centerOfMass === undefined ? this.parts(shapes) : [])
      const { mass, changes } = validMass(whole)
      for (const change of changes) this.draft.losses.add(prim.path, 'this mass or inertia is not physically possible', change)
      if (changes.length > 0) return { mass: mass.mass, centerOfMass: mass.centerOfMass, inertia: componentsOf(mass.inertia) }
    }
    return Object.keys(stated).length > 0 ? stated : undefined
  }

  private parts(shapes: readonly Shape[]) {
    return shapes.flatMap(shape => {
      const resolved = resolveShape(shape)
      const density = this.draft.materials.find(material => material.id === shape.material)?.density ?? DEFAULT_DENSITY
      return solidParts(resolved).map(primitive => ({ primitive, pose: composePoses({ position: [0, 0, 0], orientation: [0, 0, 0, 1] }, resolved), density }))
    })
  }

  /** A body without shapes must state its full mass properties. */
  private bare(prim: UsdPrim, { mass = 0, centerOfMass = [0, 0, 0], inertia }: { mass?: number; centerOfMass?: Vec3; inertia?: MassOverride['inertia'] }): MassOverride {
    const kg = mass > 0 ? mass : BARE_MASS
    if (!(mass > 0) || inertia === undefined) {
      this.draft.losses.add(prim.path, 'a body without colliders, mass and inertia', `the missing values of a ball of ${BARE_RADIUS} m and ${kg} kg`)
    }
    const moment = 0.4 * kg * BARE_RADIUS * BARE_RADIUS
    const tensor = inertia === undefined ? symmetric(moment, moment, moment, 0, 0, 0) : symmetric(...inertia)
    const { mass: sound, changes } = validMass({ mass: kg, centerOfMass, inertia: tensor })
    for (const change of changes) this.draft.losses.add(prim.path, 'this mass or inertia is not physically possible', change)
    return { mass: sound.mass, centerOfMass: sound.centerOfMass, inertia: componentsOf(sound.inertia) }
  }
}

function first(value: ReturnType<typeof valueOf>): ReturnType<typeof valueOf> {
  return Array.isArray(value) && Array.isArray(value[0]) ? value[0] as ReturnType<typeof valueOf> : value
}

/** A picture hides the display colours. */
function withoutColors({ colors: _, ...mesh }: SeenMesh): SeenMesh {
  return mesh
}
