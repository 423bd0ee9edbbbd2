/** What deformables do to bodies, and bodies to them, in the step that was solved: as forces of the world, and as contacts of a frame. */

import type { Snapshot } from '../../contact/snapshot'
import type { World } from '../../contact/world'
import { CONTACT, TIE } from '../../deformables'
import type { ParticleBlock } from '../../dynamics/blocks'
import { velocityAt } from '../../geometry/motion'
import { addScaled, length, sub, type Vec3 } from '../../math/vector'
import { NOT_COMPUTED, type SolvedContact } from '../method'
import { pointOf, type AttachedPoint } from './attachments'
import type { StageBodies } from './stage-bodies'
import type { Touching } from './touching'

/**
 * Writes the wrenches on bodies, by deformable, and the forces of what particles are fixed to.
 *
 * A body's impulse of the whole step is shared between the deformables as their links push at its end; so what bodies get is what particles gave.
 */
export function reactionsOf({ contacts: { links }, owners }: Touching, attached: readonly AttachedPoint[], bodies: StageBodies, held: Float64Array, h: number,
  world: World, pulls: Float64Array): void {
  attached.forEach(({ particles: [particle], tied }, k) => { if (!tied) pulls.set(held.subarray(3 * particle!, 3 * particle! + 3), 3 * k) })
  for (let i = 0; i < links.count; i++) {
    if (links.kinds[i] === TIE) pulls.set(links.forces.subarray(3 * i, 3 * i + 3), 3 * links.first[i]!)
    const body = links.carriers[i]! - 1
    if (body < 0 || bodies.carriers.blocks[body + 1]! < 0) continue
    const { wrenches } = world.reactions[owners[links.particles[4 * i]!]!]!
    const [x, y, z] = [links.forces[3 * i]!, links.forces[3 * i + 1]!, links.forces[3 * i + 2]!]
    const [rx, ry, rz] = [links.arms[3 * i]!, links.arms[3 * i + 1]!, links.arms[3 * i + 2]!]
    const wrench = [x, y, z, ry * z - rz * y, rz * x - rx * z, rx * y - ry * x]
    for (let k = 0; k < 6; k++) wrenches[6 * body + k] = wrenches[6 * body + k]! - wrench[k]!
  }
  // What the links' forces at the end of the last implicit step leave of the whole impulse goes with the deformable that pushes most.
  for (const body of bodies.dynamic) {
    let [most, size] = [-1, 0]
    world.reactions.forEach(({ wrenches }, d) => {
      let square = 0
      for (let k = 6 * body; k < 6 * body + 6; k++) square += wrenches[k]! * wrenches[k]!
      if (square > size) [most, size] = [d, square]
    })
    if (most < 0) continue
    for (let k = 0; k < 6; k++) {
      const sum = world.reactions.reduce((total, { wrenches }) => total + wrenches[6 * body + k]!, 0)
      const { wrenches } = world.reactions[most]!
      wrenches[6 * body + k] = wrenches[6 * body + k]! + bodies.impulses[6 * body + k]! / h - sum
    }
  }
}

/** Contacts that press, at the end of the bodies' step. Deformables are numbered behind the bodies. */
export function solvedContacts(world: World, { contacts: { links }, solids, owners }: Touching, snapshot: Snapshot, particles: ParticleBlock): SolvedContact[] {
  const found: SolvedContact[] = []
  for (let i = 0; i < links.count; i++) {
    if (links.kinds[i] !== CONTACT || !(links.presses[i]! > 0)) continue
    const particle = links.particles[4 * i]!
    const deformable = world.deformables!.list[owners[particle]!]!
    const { body, primitive } = solids[links.second[i]!]!
    const shape = world.primitives[body]![primitive]!
    const [x, normal]: Vec3[] = [pointOf(particles.position, particle), pointOf(links.normals, i)]
    const material = world.contactMaterial(shape.material, deformable.material)
    const friction = sub(pointOf(links.forces, i), [0, 1, 2].map(k => links.presses[i]! * normal![k]!) as unknown as Vec3)
    const slides = length(friction) > (1 - 1e-9) * links.friction[i]! * links.presses[i]!
    found.push({
      bodyA: world.bodies.length + deformable.index, bodyB: body, shapeA: 0, shapeB: shape.shape,
      featureA: { kind: 'vertex', index: particle - deformable.first }, featureB: { kind: 'surface', index: 0 },
      point: addScaled(x!, normal!, -deformable.radius), normal: normal!, gap: links.gaps[i]!, normalForce: links.presses[i]!, frictionForce: friction,
      frictionTorque: [0, 0, 0], staticFriction: material.dynamicFriction, dynamicFriction: material.dynamicFriction, torsionalFriction: 0, rollingFriction: 0,
      mode: slides ? 'sliding' : 'sticking', relativeVelocity: sub(pointOf(particles.velocity, particle), velocityAt(snapshot.motions[body]!, x!)),
      interval: null, clamped: true, island: -1, normalAcceleration: NaN, tangentialAcceleration: NOT_COMPUTED,
    })
  }
  return found
}
