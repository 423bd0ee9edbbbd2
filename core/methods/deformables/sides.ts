/** What a link joins: the two sides of a contact, and their points. */

import type { Feature } from '../../collision/contact'
import type { World } from '../../contact/world'
import type { Links } from '../../deformables'
import type { Vec3 } from '../../math/vector'
import type { Touching } from './touching'

export interface Side {
  readonly body: number
  readonly shape: number
  readonly feature: Feature
  /** Index of the material. */
  readonly material: number
  /** m: at which distance it touches. */
  readonly radius: number
}

/** Assigns the sides of a link: the first is the particle side to which the normal points. */
export function sidesOf(world: World, { contacts: { links }, features, owners, solids }: Touching, i: number): readonly [Side, Side] {
  const particle = links.particles[4 * i]!
  const [first, second] = [links.first[i]!, links.second[i]!]
  const ofParticles = (kind: Feature['kind'], p: number, index: number): Side => {
    const deformable = world.deformables!.list[owners[p]!]!
    return { body: world.bodies.length + deformable.index, shape: 0, feature: { kind, index }, material: deformable.material, radius: deformable.radius }
  }
  const ofSolid = (solid: number, feature: Feature): Side => {
    const { body, primitive } = solids[solid]!
    const { shape, material } = world.primitives[body]![primitive]!
    return { body, shape, feature, material, radius: 0 }
  }
  const vertex = (p: number): Side => ofParticles('vertex', p, p - world.deformables!.list[owners[p]!]!.first)
  if (links.finders[i] === 0) return [vertex(particle), ofSolid(second, { kind: 'surface', index: 0 })]
  const { particles, triangles, edges, own, numbers } = features
  if (links.finders[i] === 2) {
    const mine = first < own ? ofParticles('edge', particle, numbers.edges[first]!) : ofParticles('face', particle, numbers.triangles[first - own]!)
    return [{ ...mine, radius: links.offsets[i]! }, ofSolid(second % solids.length, { kind: 'surface', index: 0 })]
  }
  if (first < 0) {
    const [a, b] = [edges[2 * (-1 - first)]!, edges[2 * second]!]
    const mine = ofParticles('edge', a, numbers.edges[-1 - first]!)
    return [mine, b < particles ? ofParticles('edge', b, numbers.edges[second]!) : ofSolid(features.owners[b]!, { kind: 'edge', index: numbers.edges[second]! })]
  }
  const triangle = ofParticles('face', triangles[3 * second]!, numbers.triangles[second]!)
  return first < particles ? [vertex(first), triangle] : [triangle, ofSolid(features.owners[first]!, { kind: 'vertex', index: numbers.points[first]! })]
}

/** Σ w x of the particles whose weights have the given sign. */
export function weighted({ particles, weights }: Links, i: number, x: Float64Array, sign: number): Vec3 {
  const sum: [number, number, number] = [0, 0, 0]
  for (let q = 4 * i; q < 4 * i + 4; q++) {
    const [p, w] = [particles[q]!, sign * weights[q]!]
    if (p >= 0 && w > 0) for (let k = 0; k < 3; k++) sum[k]! += w * x[3 * p + k]!
  }
  return sum
}
