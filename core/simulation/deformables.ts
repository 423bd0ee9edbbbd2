/** Compiles the scene's deformables to particles and their constraints. */

import { linearDensity } from '../analysis/deformable-mass'
import { clampedSegments, deformableShape, resampled } from '../analysis/deformable-shape'
import type { Attachment, Deformable, Deformables, Sheet, Springs, Strand } from '../dynamics/deformable'
import type { RigidBody } from '../dynamics/body'
import { particlePath } from '../dynamics/joints/particle-path'
import { toInner } from '../math/pose'
import { addScaled, cross, distance, dot, length, scale, sub, type Vec3 } from '../math/vector'
import { particleCondition, type Numbering } from './vertex-conditions'
import type { ResolvedDeformable, ResolvedDeformableOf, ResolvedScene } from '../scene'

/** Null if the scene has none. */
export function compileDeformables(scene: ResolvedScene, bodies: readonly RigidBody[]): Deformables | null {
  if (scene.deformables.length === 0) return null
  const parts: Part[] = []
  let first = 0
  for (const deformable of scene.deformables) {
    const part = partOf(deformable, scene, first)
    parts.push(part)
    first += part.positions.length
  }
  const byId = new Map(bodies.map(body => [body.id, body]))
  const numbering: Numbering = {
    firsts: new Map(parts.map((part, index) => [scene.deformables[index]!.id, part.first])),
    mass: Float64Array.from(parts.flatMap(({ masses }) => [...masses])),
    position: Float64Array.from(parts.flatMap(({ positions }) => positions.flat())),
    bodies: byId, points: [], firstPoint: first + 2 * bodies.filter(({ type }) => type === 'dynamic').length,
  }
  const { mass, position, points, firstPoint } = numbering
  return {
    list: parts.map((part, index) => complete(part, scene.deformables[index]!, index, scene, byId, numbering)),
    mass, position, points, firstPoint,
    velocity: Float64Array.from(parts.flatMap(({ velocities }) => velocities.flat())),
  }
}

/** One deformable's particles and the elements between them, by the particles' numbers in the block. */
interface Part {
  readonly first: number
  readonly positions: readonly Vec3[]
  readonly velocities: readonly Vec3[]
  /** kg */
  readonly masses: Float64Array
  readonly springs: Springs | null
  readonly strands: readonly Strand[]
  readonly sheet: Sheet | null
  /** Particles at the fixed roots of hair, with their bodies. */
  readonly roots: readonly { readonly particle: number; readonly body: string | null }[]
}

function partOf(deformable: ResolvedDeformable, scene: ResolvedScene, first: number): Part {
  switch (deformable.type) {
    case 'particles': return particlesPart(deformable, first)
    case 'rope': return ropePart(deformable, scene, first)
    case 'hair': return hairPart(deformable, scene, first)
    case 'cloth': return clothPart(deformable, first)
  }
}

function particlesPart({ particles, springs }: ResolvedDeformableOf<'particles'>, first: number): Part {
  return {
    first, positions: particles.map(({ position }) => position), velocities: particles.map(({ velocity }) => velocity),
    masses: Float64Array.from(particles, ({ mass }) => mass), strands: [], sheet: null, roots: [],
    springs: springs.length === 0 ? null : {
      a: Int32Array.from(springs, ({ a }) => first + a), b: Int32Array.from(springs, ({ b }) => first + b),
      restLength: Float64Array.from(springs, ({ restLength }) => restLength), stiffness: Float64Array.from(springs, ({ stiffness }) => stiffness),
      damping: Float64Array.from(springs, ({ damping }) => damping),
    },
  }
}

function ropePart(rope: ResolvedDeformableOf<'rope'>, scene: ResolvedScene, first: number): Part {
  const positions = resampled(rope.points, rope.segments)
  const strand = strandOf(rope, positions, first, true, rope.inextensible, clampedSegments(rope, deformableShape(rope))[0]!)
  return {
    first, positions, velocities: positions.map(() => rope.velocity), masses: strandMasses(strand, linearDensity(rope, scene)), springs: null,
      strands: [strand],
    sheet: null, roots: [],
  }
}

function hairPart(hair: ResolvedDeformableOf<'hair'>, scene: ResolvedScene, first: number): Part {
  const density = linearDensity(hair, scene)
  const clamped = clampedSegments(hair, deformableShape(hair))
  let next = first
  const strands = hair.strands.map(({ points }, i) => {
    const { stretchFactors: stretch, bendFactors: bend } = hair
    const own = next - first
    const strand: Strand = {
      ...strandOf(hair, points, next, false, false, clamped[i]!),
      stretchFactors: stretch === undefined ? null
        : Float64Array.from({ length: points.length - 1 }, (_, k) => (stretch[own + k]! + stretch[own + k + 1]!) / 2),
      bendFactors: bend === undefined ? null : Float64Array.from(bend.slice(own, own + points.length)),
    }
    next += points.length
    return strand
  })
  const positions = hair.strands.flatMap(({ points }) => points)
  return {
    first, positions, velocities: positions.map((): Vec3 => [0, 0, 0]),
      masses: Float64Array.from(strands.flatMap(strand => [...strandMasses(strand, density)])),
    springs: null, strands, sheet: null,
    roots: strands.flatMap(({ particles }, i) => [0, 1].map(k => ({ particle: particles[k]!, body: hair.strands[i]!.body }))),
  }
}

type Line = Pick<ResolvedDeformableOf<'rope'>, 'axialStiffness' | 'bendingStiffness'>

function strandOf(
  { axialStiffness, bendingStiffness }: Line, points: readonly Vec3[], first: number, straight: boolean, inextensible: boolean, clamped: Uint8Array,
): Strand {
  return {
    particles: Int32Array.from(points, (_, i) => first + i), restLength: Float64Array.from(points.slice(1), (point, i) => distance(points[i]!, point)),
    straight, axial: axialStiffness, bending: bendingStiffness, inextensible, clamped, stretchFactors: null, bendFactors: null,
  }
}

/** Each segment adds half of its mass to either end. */
function strandMasses({ restLength }: Strand, density: number): Float64Array {
  return Float64Array.from({ length: restLength.length + 1 }, (_, i) => 0.5 * density * ((restLength[i - 1] ?? 0) + (restLength[i] ?? 0)))
}

function clothPart(cloth: ResolvedDeformableOf<'cloth'>, first: number): Part {
  const { vertices, triangles, restUV, seams, warp = DEFAULT_WARP } = cloth
  const uv = Float64Array.from(triangles.flatMap(triangle => restUV === undefined
    ? flattened(triangle.map(vertex => vertices[vertex]!), warp) : triangle.flatMap(vertex => [...restUV[vertex]!])))
  const masses = new Float64Array(vertices.length)
  triangles.forEach((triangle, t) => {
    const [u0, v0, u1, v1, u2, v2] = uv.subarray(6 * t, 6 * t + 6) as unknown as [number, number, number, number, number, number]
    const area = 0.5 * Math.abs((u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0))
    for (const vertex of triangle) masses[vertex] = masses[vertex]! + cloth.arealDensity * area / 3
  })
  return {
    first, positions: vertices, velocities: vertices.map(() => cloth.velocity), masses, springs: null, strands: [], roots: [],
    sheet: {
      triangles: Int32Array.from(triangles.flat(), vertex => first + vertex), restUV: uv, flat: restUV !== undefined, stretchWarp: cloth.stretchWarp,
      stretchWeft: cloth.stretchWeft, shear: cloth.shear, bendWarp: cloth.bendWarp, bendWeft: cloth.bendWeft,
      stretchFactors: meansOf(cloth.stretchFactors, triangles), shearFactors: meansOf(cloth.shearFactors, triangles),
      bendFactors: meansOf(cloth.bendFactors, triangles),
      seams: Int32Array.from(seams.flat(), vertex => first + vertex),
    },
  }
}

/** Of the corners of each triangle: the mean of a linear function over it. */
function meansOf(factors: readonly number[] | undefined, triangles: readonly (readonly number[])[]): Float64Array | null {
  return factors === undefined ? null : Float64Array.from(triangles, ([a, b, c]) => (factors[a!]! + factors[b!]! + factors[c!]!) / 3)
}

const DEFAULT_WARP: Vec3 = [1, 0, 0]
/** Sine of the angle: triangles steeper than this relative to the warp have it in another direction. */
const STEEP = 1e-3

/**
 * The triangle mapped to the plane: the warp is along the projection of the given direction, or of the horizontal direction across it if that projection
 * vanishes (y for x).
 */
function flattened([a, b, c]: readonly Vec3[], direction: Vec3): number[] {
  const [p, q] = [sub(b!, a!), sub(c!, a!)]
  const across = cross(p, q)
  const normal = scale(across, 1 / length(across))
  const within = (axis: Vec3): Vec3 => addScaled(axis, normal, -dot(axis, normal))
  const given = within(scale(direction, 1 / length(direction)))
  const along = length(given) > STEEP ? given : within(besides(direction))
  const warp = scale(along, 1 / length(along))
  const weft = cross(normal, warp)
  return [0, 0, dot(p, warp), dot(p, weft), dot(q, warp), dot(q, weft)]
}

/** Horizontal and perpendicular to a direction; y if that is vertical. */
function besides(direction: Vec3): Vec3 {
  const side = cross([0, 0, 1], direction)
  const size = length(side)
  return size > 0 ? scale(side, 1 / size) : [0, 1, 0]
}

function complete(part: Part, deformable: ResolvedDeformable, index: number, scene: ResolvedScene, bodies: ReadonlyMap<string, RigidBody>,
  numbering: Numbering): Deformable {
  const { first, positions, springs, strands, sheet, roots } = part
  const held = (particles: readonly number[], weights: readonly number[], id: string | null, point: Vec3 | undefined): Attachment => {
    const body = id === null ? undefined : bodies.get(id)!
    const world = particles.reduce<Vec3>((sum, particle, k) => addScaled(sum, positions[particle - first]!, weights[k]!), [0, 0, 0])
    return {
      particles: Int32Array.from(particles), weights: Float64Array.from(weights), body: body?.index ?? -1,
      point: point ?? (body === undefined ? world : toInner(body.initial.pose, world)),
    }
  }
  const third = 1 / 3
  return {
    index, id: deformable.id, type: deformable.type, first, count: positions.length, radius: deformable.radius,
    material: scene.materials.findIndex(({ id }) => id === deformable.material), damping: deformable.damping, springs, strands, sheet,
    pins: Int32Array.from(deformable.pins, vertex => first + vertex),
    attachments: [
      ...roots.map(({ particle, body }) => held([particle], [1], body, undefined)),
      ...deformable.attachments.map(({ vertex, triangle, weights, body, point }) => vertex === undefined
        ? held([...sheet!.triangles.subarray(3 * triangle!, 3 * triangle! + 3)], weights ?? [third, third, third], body, point)
          : held([first + vertex], [1], body, point)),
    ],
    controlled: deformable.controlled.flatMap(({ vertices, motion }) => {
      const path = particlePath(motion)
      return vertices.map(vertex => ({ particle: first + vertex, from: positions[vertex]!, path }))
    }),
    behaviours: deformable.behaviours.map(({ condition, stiffness, damping }) => ({
      condition: particleCondition(condition, first, numbering), stiffness, damping,
    })),
    constraints: deformable.constraints.map(({ condition, feedback }) => ({
      condition: particleCondition(condition, first, numbering), feedback: feedback ?? null,
    })),
  }
}
