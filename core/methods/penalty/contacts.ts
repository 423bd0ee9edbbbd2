/**
 * Contacts as springs [Baraff92 ch. 7]: where solids overlap, each point of their contact region pushes them apart with
 *
 *   f_N = max(0, −K C − D Ċ),   f_t = −min(μ f_N, |v_t|/(n h W)) v_t/|v_t|,   C < 0 the gap
 *
 * W is the inverse mass of the point along v_t and n the number of points of the pair, so that friction at most removes the slip within a step h.
 * Friction equals that of a sliding contact except at the lowest speeds, where it decreases to zero: bodies at rest on a slope creep. Solids overlap
 * by f_N/K. Torsional and rolling friction follow the same formula for relative rotation, with a length times f_N instead of μ f_N and the inverse
 * inertia about ω instead of W.
 */

import { spinsOfMaterial } from '../../contact/constraints'
import { ContactSet, type PrimitivePair } from '../../contact/contact-set'
import { opposedPart } from '../../contact/island-spin'
import { Snapshot } from '../../contact/snapshot'
import type { World } from '../../contact/world'
import type { FeaturePair } from '../../collision/contact'
import { worldInverseInertia } from '../../dynamics/body'
import type { ForceElement, WrenchSink } from '../../dynamics/forces/force'
import { stateLayout } from '../../dynamics/state-layout'
import { velocityAt, type BodyMotion } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import { addScaled, cross, dot, length, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { NOT_COMPUTED, type SolvedContact } from '../method'

export interface PenaltyLaw {
  /** K, N/m, of each contact point. */
  readonly stiffness: number
  /** D, N s/m. */
  readonly damping: number
  /** h, s. */
  readonly step: number
}

interface Push {
  readonly pair: PrimitivePair
  readonly features: FeaturePair
  readonly point: Vec3
  readonly normal: Vec3
  readonly gap: number
  readonly normalForce: number
  /** The spring part of the normal force; the rest is damping. */
  readonly springForce: number
  readonly friction: Vec3
  /** N m on A. */
  readonly frictionTorque: Vec3
  readonly slides: boolean
  readonly relativeVelocity: Vec3
}

export class PenaltyContacts implements ForceElement {
  readonly id = 'penalty'
  readonly type = 'penalty'
  readonly bodies: readonly number[]
  readonly breakpoints: readonly number[] = []
  private readonly contacts: ContactSet
  private readonly snapshot: Snapshot

  constructor(private readonly world: World, private readonly law: PenaltyLaw) {
    this.bodies = world.bodies.map(body => body.index)
    this.contacts = new ContactSet(world)
    this.snapshot = new Snapshot(stateLayout(world.bodies))
  }

  potential(motions: readonly BodyMotion[], exists: readonly boolean[]): number {
    return this.pushes(motions, exists).reduce((sum, { gap }) => sum + 0.5 * this.law.stiffness * gap * gap, 0)
  }

  apply(_time: number, motions: readonly BodyMotion[], exists: readonly boolean[], sink: WrenchSink): void {
    for (const { pair: { bodyA, bodyB }, point, normal, normalForce, springForce, friction, frictionTorque } of this.pushes(motions, exists)) {
      const damping = scale(normal, normalForce - springForce)
      for (const [body, sign] of [[bodyA, 1], [bodyB, -1]] as const) {
        sink.force(body, scale(normal, sign * springForce), point, 'potential')
        sink.force(body, scale(damping, sign), point, 'drag')
        sink.force(body, scale(friction, sign), point, 'friction')
        if (frictionTorque !== ZERO) sink.torque(body, scale(frictionTorque, sign), 'friction')
      }
    }
  }

  /** The overlapping points with their forces, in the form of a frame. */
  solved({ motions, exists }: Pick<Snapshot, 'motions' | 'exists'>): SolvedContact[] {
    return this.pushes(motions, exists).map((push): SolvedContact => {
      const { pair, features, point, normal, gap, normalForce, friction, frictionTorque, slides, relativeVelocity } = push
      return {
        bodyA: pair.bodyA, bodyB: pair.bodyB, shapeA: pair.shapeA, shapeB: pair.shapeB, featureA: features.featureA, featureB: features.featureB,
        point, normal, gap, normalForce, frictionForce: friction, frictionTorque, relativeVelocity,
        staticFriction: pair.material.dynamicFriction, dynamicFriction: pair.material.dynamicFriction,
        torsionalFriction: pair.material.torsionalFriction, rollingFriction: pair.material.rollingFriction,
        mode: normalForce === 0 ? 'separating' : slides ? 'sliding' : 'sticking',
        interval: null, clamped: normalForce > 0, island: -1, normalAcceleration: NaN, tangentialAcceleration: NOT_COMPUTED,
      }
    })
  }

  private pushes(motions: readonly BodyMotion[], exists: readonly boolean[]): Push[] {
    const { snapshot, law } = this
    motions.forEach((motion, i) => { snapshot.motions[i] = motion })
    exists.forEach((there, i) => { snapshot.exists[i] = there })
    return this.contacts.nearAt(snapshot, 0).flatMap(pair => {
      const a = motions[pair.bodyA]!
      const b = motions[pair.bodyB]!
      const region = pair.collider.region(a.pose, b.pose, 0)
      return region.map((features): Push => {
        const { point, normal, gap } = features.locate(a.pose, b.pose)
        const relativeVelocity = sub(velocityAt(a, point), velocityAt(b, point))
        const springForce = gap < 0 ? -law.stiffness * gap : 0
        const normalForce = gap < 0 ? Math.max(0, springForce - law.damping * dot(normal, relativeVelocity)) : 0
        const slip = tangential(relativeVelocity, normal)
        const speed = length(slip)
        const along = speed > 0 ? scale(slip, 1 / speed) : ZERO
        const most = speed / (region.length * law.step * (this.inverseMass(pair.bodyA, a, point, along) + this.inverseMass(pair.bodyB, b, point, along)))
        const limit = pair.material.dynamicFriction * normalForce
        const friction = normalForce === 0 || speed === 0 ? ZERO : scale(along, -Math.min(limit, most))
        const frictionTorque = this.spinFriction(pair, a, b, normal, normalForce, region.length)
        return {
          pair, features, point, normal, gap: Math.min(gap, 0), normalForce, springForce, friction, frictionTorque, slides: most > limit, relativeVelocity,
        }
      })
    })
  }

  /** Torque of torsional and rolling friction on A, N m, of one of the `count` points of a pair. */
  private spinFriction({ bodyA, bodyB, material }: PrimitivePair, a: BodyMotion, b: BodyMotion, normal: Vec3, normalForce: number, count: number): Vec3 {
    const omega = sub(a.angularVelocity, b.angularVelocity)
    let torque = ZERO
    for (const { kind, limit } of spinsOfMaterial(material)) {
      const spin = opposedPart(kind, omega, normal)
      const rate = length(spin)
      if (normalForce === 0 || rate === 0) continue
      const along = scale(spin, 1 / rate)
      const most = rate / (count * this.law.step * (this.inverseInertia(bodyA, a, along) + this.inverseInertia(bodyB, b, along)))
      torque = addScaled(torque, along, -Math.min(limit * normalForce, most))
    }
    return torque
  }

  /** Angular acceleration of the body about `direction` by a unit torque about it, 1/(kg m²). */
  private inverseInertia(index: number, motion: BodyMotion, direction: Vec3): number {
    const body = this.world.bodies[index]!
    return body.type === 'dynamic' ? dot(direction, transform(worldInverseInertia(body, motion.rotation), direction)) : 0
  }

  /** Acceleration of the body's point along `direction` by a unit force along it, 1/kg. */
  private inverseMass(index: number, motion: BodyMotion, point: Vec3, direction: Vec3): number {
    const body = this.world.bodies[index]!
    if (body.type !== 'dynamic') return 0
    const moment = cross(sub(point, motion.center), direction)
    return body.inverseMass + dot(moment, transform(worldInverseInertia(body, motion.rotation), moment))
  }
}

function tangential(v: Vec3, normal: Vec3): Vec3 {
  return addScaled(v, normal, -dot(v, normal))
}
