/** Possible contacts of the particles of a world, and their ties. */

import type { ContactMaterial, World } from '../../contact/world'
import {
  BodyPoints, elementContacts, featureContacts, featuresOf, HeldConditions, isCurved, Links, rigidSurface, skeletonOf, stageContacts, surfaceContacts,
  type Carriers, type Coefficients, type Features, type Solid, type StageContacts, type Surface, type Touch, type Touchable,
} from '../../deformables'
import type { Primitive } from '../../geometry/shape'
import { IDENTITY_POSE, toInner, toOuter } from '../../math/pose'
import { length } from '../../math/vector'
import { pointOf, ties, type AttachedPoint } from './attachments'
import { heldConditions } from './conditions'
import { rodsOf } from './rods'

export interface Touching {
  readonly contacts: StageContacts
  readonly conditions: HeldConditions
  /** Body and primitive of each solid, by its number, which is a link's second number. */
  readonly solids: readonly { readonly body: number; readonly primitive: number }[]
  /** Deformable of each particle. */
  readonly owners: Int32Array
  readonly features: Features
  /** Particles of each deformable that start inside a body to which they are not fixed; contact with this body is ignored in this run. */
  readonly inside: readonly { readonly deformable: number; readonly body: number; readonly count: number }[]
}

const coefficientsOf = ({ staticFriction, dynamicFriction }: ContactMaterial): Coefficients => ({ sticking: staticFriction, sliding: dynamicFriction })

/** Searches on surfaces by formulas take up to milliseconds, and a step asks for thousands of them. */
function interruptible(surface: Surface, { kind }: Primitive, interrupt: () => void): Surface {
  if (kind === 'sphere' || kind === 'halfSpace') return surface
  return {
    ...surface,
    distance(x, y, z, near, normal) {
      interrupt()
      return surface.distance(x, y, z, near, normal)
    },
  }
}

/** @param interrupt called before every distance to a solid for which there is no closed form; throws where the run was cancelled */
export function touchingOf(
  world: World, all: Carriers, held: Uint8Array, attached: readonly AttachedPoint[], exists: readonly boolean[], interrupt: () => void,
): Touching {
  const { list, mass, position } = world.deformables!
  const count = mass.length
  const owners = new Int32Array(count)
  const radii = new Float64Array(count)
  list.forEach(({ first, count: own, radius }, d) => {
    owners.fill(d, first, first + own)
    radii.fill(radius, first, first + own)
  })
  const apart = new Set<number>()
  const pair = (particle: number, body: number): number => body * count + particle
  for (const { particles, body } of attached) for (const particle of particles) if (body >= 0) apart.add(pair(particle, body))
  for (const { condition: { type, particles } } of list.flatMap(({ constraints }) => constraints)) {
    if (type !== 'coincide' || particles[1]! < world.deformables!.firstPoint) continue
    const { body } = world.deformables!.points[particles[1]! - world.deformables!.firstPoint]!
    if (body >= 0) apart.add(pair(particles[0]!, body))
  }
  const places = world.primitives.flatMap((own, body) => own.map((_, primitive) => ({ body, primitive })))
  const smallest = list.reduce((least, { radius }) => Math.min(least, radius), Infinity)
  const solids = places.map(({ body, primitive }): Solid => {
    const { primitive: shape, pose, material } = world.primitives[body]![primitive]!
    const with_ = list.map(deformable => world.contactMaterial(material, deformable.material))
    return {
      surface: interruptible(rigidSurface(shape, pose, smallest), shape, interrupt), carrier: body + 1, reach: length(pose.position) + shape.radius,
      friction: with_.map(coefficientsOf), restitution: with_.map(({ restitution }) => restitution),
    }
  })
  const offsets = new Map<number, number>()
  const normal = new Float64Array(3)
  const within = new Map<number, number>()
  solids.forEach(({ surface, carrier }, s) => {
    const body = carrier - 1
    const { pose } = world.bodies[body]!.initial
    for (let p = 0; p < count; p++) {
      if (apart.has(pair(p, body))) continue
      const [x, y, z] = toInner(pose, pointOf(position, p))
      const distance = surface.distance(x, y, z, radii[p]!, normal)
      if (distance > radii[p]!) continue
      if (distance > 0) {
        offsets.set(s * count + p, distance)
        continue
      }
      apart.add(pair(p, body))
      const key = owners[p]! * world.bodies.length + body
      within.set(key, (within.get(key) ?? 0) + 1)
    }
  })
  const particles: Touchable = {
    count, owners, radii, held, fixedTo: (particle, carrier) => !exists[carrier - 1] || apart.has(pair(particle, carrier - 1)),
  }
  const links = new Links(all)
  const inside = [...within].map(([key, number]) => ({
    deformable: Math.floor(key / world.bodies.length), body: key % world.bodies.length, count: number,
  }))
  const features = featuresOf({
    particles: count, owners, radii, fixedTo: particles.fixedTo,
    triangles: Int32Array.from(list.flatMap(({ sheet }) => sheet === null ? [] : [...sheet.triangles])),
    segments: Int32Array.from(list.flatMap(({ strands }) => strands.flatMap(({ particles: own }) =>
      [...own].flatMap((p, k) => k === 0 ? [] : [own[k - 1]!, p])))),
    skeletons: places.flatMap(({ body, primitive }, solid) => {
      const { primitive: shape, pose } = world.primitives[body]![primitive]!
      const skeleton = skeletonOf(shape, pose)
      return skeleton === null ? [] : [{ ...skeleton, carrier: body + 1, solid }]
    }),
  })
  const P = new Float64Array(3 * features.points)
  P.set(position)
  for (let k = count; k < features.points; k++) P.set(toOuter(world.bodies[features.carriers[k]! - 1]!.initial.pose, pointOf(features.places, k)), 3 * k)
  const touches = list.map(a => list.map((b): Touch => {
    const material = world.contactMaterial(a.material, b.material)
    return { friction: coefficientsOf(material), restitution: material.restitution }
  }))
  const finders = [
    surfaceContacts(0, links, all, solids, particles, offsets),
    featureContacts(1, links, all, features, P, (a, b) => touches[a]![b]!,
      (solid, d) => ({ friction: solids[solid]!.friction[d]!, restitution: solids[solid]!.restitution[d]! })),
    elementContacts(2, links, all, solids, places.map(({ body, primitive }) => {
      const placed = world.primitives[body]![primitive]!
      return isCurved(placed.primitive) ? placed : null
    }), features, P, [IDENTITY_POSE, ...world.bodies.map(({ initial }) => initial.pose)]),
  ]
  const { points, firstPoint } = world.deformables!
  const conditions = new HeldConditions(heldConditions(world.deformables!), held,
    new BodyPoints(firstPoint, all, points.map(({ body, point }) => ({ carrier: body + 1, point }))))
  const contacts = stageContacts(links, all, held, finders, ties(links, all, attached, rodsOf(world)), conditions)
  return { contacts, conditions, solids: places, owners, features, inside }
}
