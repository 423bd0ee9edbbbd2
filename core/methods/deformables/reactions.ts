/** Loads of deformables on bodies, and of bodies on deformables, in the solved step: as forces of the world, and as contacts of a frame. */

import type { Snapshot } from '../../contact/snapshot'
import type { World } from '../../contact/world'
import { addConditionWrenches, CONTACT, ROD, TIE, type Links } from '../../deformables'
import type { ParticleBlock } from '../../dynamics/blocks'
import { elementsOf, type Deformables } from '../../dynamics/deformable'
import { velocityAt } from '../../geometry/motion'
import { addScaled, dot, length, normalize, sub, type Vec3 } from '../../math/vector'
import { NOT_COMPUTED, type SolvedContact } from '../method'
import { pointOf, type AttachedPoint } from './attachments'
import { keyOf, type MeanContact } from './contact-means'
import { sidesOf, weighted, type Side } from './sides'
import type { StageBodies } from './stage-bodies'
import type { Touching } from './touching'

/**
 * Adds the support forces of held particles of one implicit step. Reactions of a step of the run are the means over its implicit steps, so that they give its
 * impulses.
 *
 * @param held N on held particles
 * @param share length of the implicit step ÷ that of the run's step
 */
export function addSupports(attached: readonly AttachedPoint[], held: Float64Array, share: number, pulls: Float64Array): void {
  attached.forEach(({ particles: [particle], tied }, k) => { if (!tied) addScaledAt(pulls, 3 * k, held, 3 * particle!, share) })
}

/**
 * Adds the forces of ties, and the wrenches on bodies, by deformable, of one implicit step or stage.
 *
 * @param held, contact share of forces of ties, and of contacts, in the mean over the run's step
 */
export function addReactions({ contacts: { links }, conditions, owners }: Touching, { carriers: { blocks } }: StageBodies, held: number, contact: number,
  world: World, pulls: Float64Array): void {
  for (let i = 0; i < links.count; i++) {
    const share = links.kinds[i] === CONTACT ? contact : held
    if (links.kinds[i] === TIE) addScaledAt(pulls, 3 * links.first[i]!, links.forces, 3 * i, share)
    const body = links.carriers[i]! - 1
    if (body < 0 || blocks[body + 1]! < 0) continue
    const { wrenches } = world.reactions[owners[links.particles[4 * i]!]!]!
    const [x, y, z] = [links.forces[3 * i]!, links.forces[3 * i + 1]!, links.forces[3 * i + 2]!]
    const [rx, ry, rz] = [links.arms[3 * i]!, links.arms[3 * i + 1]!, links.arms[3 * i + 2]!]
    const wrench = [x, y, z, ry * z - rz * y, rz * x - rx * z, rx * y - ry * x]
    for (let k = 0; k < 6; k++) wrenches[6 * body + k] = wrenches[6 * body + k]! - share * wrench[k]!
  }
  addConditionWrenches(conditions, held, condition => world.reactions[conditionOwner(world, condition)]!.wrenches)
}

/** The deformable that has an exact constraint. */
function conditionOwner({ deformables }: World, condition: number): number {
  let before = 0
  return deformables!.list.findIndex(({ constraints }) => (before += constraints.length) > condition)
}

/**
 * Completes the wrenches on each body to its total impulse in the run's step, so that bodies receive exactly the momentum that particles lose. The remainder
 * (of friction, whose points of action differ, and of rounding) is assigned to the deformable with the largest force.
 */
export function completeReactions(bodies: StageBodies, h: number, world: World): void {
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

function addScaledAt(to: Float64Array, at: number, from: Float64Array, first: number, scale: number): void {
  for (let k = 0; k < 3; k++) to[at + k] = to[at + k]! + scale * from[first + k]!
}

/** By element of exact constraints, in the order of their reactions: the deformable that has the constraint. */
export function heldElements({ list }: Deformables): number[] {
  return list.flatMap(({ index, constraints }) => constraints.flatMap(({ condition }) => new Array<number>(elementsOf(condition)).fill(index)))
}

/** N, 3 each: for each deformable the reactions of its attached points, then those of its constraints. */
export function recordedReactions(deformables: Deformables, attached: readonly AttachedPoint[], pulls: Float64Array, holding: Float64Array): Float64Array {
  if (holding.length === 0) return pulls
  const elements = heldElements(deformables)
  return Float64Array.from(deformables.list.flatMap(({ index }) => [
    ...attached.flatMap(({ deformable }, k) => deformable === index ? [...pulls.subarray(3 * k, 3 * k + 3)] : []),
    ...elements.flatMap((deformable, k) => deformable === index ? [...holding.subarray(3 * k, 3 * k + 3)] : []),
  ]))
}

/** N: tensions of rods, in their order. */
export function rodTensions({ contacts: { links } }: Touching): number[] {
  const found: number[] = []
  for (let i = 0; i < links.count; i++) if (links.kinds[i] === ROD) found.push(-links.presses[i]!)
  return found
}

/**
 * Pressing contacts at the end of the bodies' step. Deformables are numbered after the bodies.
 *
 * @param means contacts of all implicit steps, if there were several: forces are means over the run's step, so that they give its impulses
 */
export function solvedContacts(world: World, touching: Touching, snapshot: Snapshot, particles: ParticleBlock, means: readonly MeanContact[] | null):
SolvedContact[] {
  const { contacts: { links } } = touching
  if (means !== null) {
    const places = new Map<string, number>()
    for (let i = 0; i < links.count; i++) if (links.kinds[i] === CONTACT) places.set(keyOf(links, i), i)
    return means.map(mean => contactOf(world, snapshot, atEnd(mean, places.get(mean.key), links, particles)))
  }
  const found: SolvedContact[] = []
  for (let i = 0; i < links.count; i++) {
    if (links.kinds[i] !== CONTACT || !(links.presses[i]! > 0)) continue
    const [mine, theirs] = sidesOf(world, touching, i)
    const normal = pointOf(links.normals, i)
    // Of the particles' side, and of the other side if it consists of particles too.
    const [position, velocity]: [Vec3, Vec3] = [weighted(links, i, particles.position, 1), weighted(links, i, particles.velocity, 1)]
    const other = theirs.body < world.bodies.length ? velocityAt(snapshot.motions[theirs.body]!, position) : weighted(links, i, particles.velocity, -1)
    const friction = sub(pointOf(links.forces, i), [0, 1, 2].map(k => links.presses[i]! * normal[k]!) as unknown as Vec3)
    found.push(recorded(world, mine, theirs, {
      position, normal, gap: links.gaps[i]!, normalForce: links.presses[i]!, friction, most: links.friction[i]! * links.presses[i]!,
      relativeVelocity: sub(velocity, other),
    }))
  }
  return found
}

/** What is recorded of a contact besides its sides. */
interface Pressing {
  /** m: the middle of the first side. */
  readonly position: Vec3
  readonly normal: Vec3
  readonly gap: number
  /** N, and the largest friction that it allows. */
  readonly normalForce: number
  readonly friction: Vec3
  readonly most: number
  readonly relativeVelocity: Vec3
}

function recorded(world: World, mine: Side, theirs: Side, { position, normal, gap, normalForce, friction, most, relativeVelocity }: Pressing): SolvedContact {
  const material = world.contactMaterial(theirs.material, mine.material)
  return {
    bodyA: mine.body, bodyB: theirs.body, shapeA: 0, shapeB: theirs.shape, featureA: mine.feature, featureB: theirs.feature,
    point: addScaled(position, normal, -mine.radius), normal, gap, normalForce, frictionForce: friction,
    frictionTorque: [0, 0, 0], staticFriction: material.staticFriction, dynamicFriction: material.dynamicFriction, torsionalFriction: 0, rollingFriction: 0,
    mode: length(friction) > (1 - 1e-9) * most ? 'sliding' : 'sticking', relativeVelocity,
    interval: null, clamped: true, island: -1, normalAcceleration: NaN, tangentialAcceleration: NOT_COMPUTED,
  }
}

/**
 * Places and gaps change once more after the last implicit step, when particles follow the bodies. A contact without a link at the end has left the reach of
 * the search before: its present gap is not measured. Its last one is recorded, at least 0, since overlap within the step is not overlap in the frame.
 */
function atEnd(mean: MeanContact, i: number | undefined, links: Links, { position, velocity }: ParticleBlock): MeanContact {
  if (i === undefined) return { ...mean, gap: Math.max(0, mean.gap) }
  return {
    ...mean, gap: links.gaps[i]!, place: weighted(links, i, position, 1), velocity: weighted(links, i, velocity, 1), other: weighted(links, i, velocity, -1),
  }
}

/** Its normal is the direction of its normal impulse; normal force and friction add to the whole force. */
function contactOf(world: World, { motions }: Snapshot, mean: MeanContact): SolvedContact {
  const { sides: [mine, theirs], force, pressed, most, place, velocity, gap, other } = mean
  const normal = normalize(pressed)
  const normalForce = dot(force, normal)
  const beyond = theirs.body < world.bodies.length ? velocityAt(motions[theirs.body]!, place) : other
  return recorded(world, mine, theirs, {
    position: place, normal, gap, normalForce, friction: addScaled(force, normal, -normalForce), most, relativeVelocity: sub(velocity, beyond),
  })
}
