/**
 * Deformables as one triangle mesh: cloth as a surface, ropes, hair and springs as tubes, particles as balls. The triangles are fixed; their positions are
 * updated for every frame. For the viewport and for films of a run; the simulation does not use it.
 */

import { cos, sin } from '../math/elementary'
import type { ResolvedDeformable } from '../scene'
import { deformableShape } from './deformable-shape'

/** Sides of a tube. */
const SIDES = 6
/** × radius: thickness of springs relative to their particles. */
export const SPRING = 0.35

/** Vertices and faces of a ball: those of an icosahedron. */
const GOLDEN = (1 + Math.sqrt(5)) / 2
const BALL = [
  [-1, GOLDEN, 0], [1, GOLDEN, 0], [-1, -GOLDEN, 0], [1, -GOLDEN, 0], [0, -1, GOLDEN], [0, 1, GOLDEN], [0, -1, -GOLDEN], [0, 1, -GOLDEN],
  [GOLDEN, 0, -1], [GOLDEN, 0, 1], [-GOLDEN, 0, -1], [-GOLDEN, 0, 1],
].map(corner => corner.map(x => x / Math.sqrt(1 + GOLDEN * GOLDEN)))
const BALL_FACES = [
  0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8,
  3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1,
]

export interface SurfacePart {
  /** First vertex of the mesh. */
  readonly at: number
  /** Number of corners: the same for each particle, in the order of particles. */
  readonly vertices: number
  readonly radius: number
  /** Particles, in order: all of a sheet, those along a tube, or the one of a ball. */
  readonly particles: readonly number[]
  readonly kind: 'sheet' | 'tube' | 'ball'
  /** For a sheet: three mesh vertices per triangle, relative to `at`. */
  readonly triangles: readonly number[]
}

export class DeformableSurface {
  readonly positions: Float32Array
  readonly normals: Float32Array
  /** By vertex: the number of its deformable. */
  readonly owner: Int32Array
  readonly indices: Uint32Array
  /** m, 3 per particle, as in the document. */
  readonly initial: Float64Array
  readonly parts: readonly SurfacePart[]

  constructor(deformables: readonly ResolvedDeformable[]) {
    const parts: SurfacePart[] = []
    const indices: number[] = []
    const owners: number[] = []
    const initial: number[] = []
    let [vertices, particles] = [0, 0]
    const add = (kind: SurfacePart['kind'], radius: number, of: readonly number[], owner: number, faces: readonly number[], count: number): void => {
      parts.push({ at: vertices, vertices: count, radius, particles: of, kind, triangles: kind === 'sheet' ? faces : [] })
      for (const corner of faces) indices.push(vertices + corner)
      for (let i = 0; i < count; i++) owners.push(owner)
      vertices += count
    }
    deformables.forEach((deformable, d) => {
      const shape = deformableShape(deformable)
      const { radius } = deformable
      const first = particles
      const tube = (line: readonly number[], thick: number): void => add('tube', thick, line.map(i => first + i), d, tubeFaces(line.length), SIDES * line.length)
      if (shape.triangles.length > 0) add('sheet', radius, shape.vertices.map((_, i) => first + i), d, shape.triangles.flat(), shape.vertices.length)
      for (const strand of shape.strands) tube(strand, radius)
      for (const spring of shape.springs) tube(spring, SPRING * radius)
      if (deformable.type === 'particles') shape.vertices.forEach((_, i) => add('ball', radius, [first + i], d, BALL_FACES, BALL.length))
      particles += shape.vertices.length
      for (const vertex of shape.vertices) initial.push(...vertex)
    })
    this.parts = parts
    this.indices = Uint32Array.from(indices)
    this.owner = Int32Array.from(owners)
    this.initial = Float64Array.from(initial)
    this.positions = new Float32Array(3 * vertices)
    this.normals = new Float32Array(3 * vertices)
  }

  /** @param x m, 3 per particle; the origin is subtracted */
  place(x: Float64Array, [ox, oy, oz]: readonly [number, number, number]): void {
    for (const part of this.parts) {
      if (part.kind === 'sheet') this.placeSheet(part, x)
      else if (part.kind === 'tube') this.placeTube(part, x)
      else this.placeBall(part, x)
    }
    const { positions } = this
    for (let i = 0; i < positions.length; i += 3) {
      positions[i] = positions[i]! - ox
      positions[i + 1] = positions[i + 1]! - oy
      positions[i + 2] = positions[i + 2]! - oz
    }
  }

  private placeSheet({ at, particles, triangles }: SurfacePart, x: Float64Array): void {
    const { positions: p, normals: n } = this
    particles.forEach((particle, i) => {
      for (let k = 0; k < 3; k++) {
        p[3 * (at + i) + k] = x[3 * particle + k]!
        n[3 * (at + i) + k] = 0
      }
    })
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [3 * (at + triangles[t]!), 3 * (at + triangles[t + 1]!), 3 * (at + triangles[t + 2]!)]
      const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!]
      const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!]
      // Weighted by area: large triangles count more in the mean at a vertex.
      const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
      for (const corner of [a, b, c]) for (let k = 0; k < 3; k++) n[corner + k] = n[corner + k]! + normal[k]!
    }
  }

  private placeTube({ at, particles, radius }: SurfacePart, x: Float64Array): void {
    const { positions: p, normals: n } = this
    const along = [0, 0, 0]
    const side = [0, 0, 0]
    particles.forEach((particle, i) => {
      const [before, after] = [3 * particles[Math.max(0, i - 1)]!, 3 * particles[Math.min(particles.length - 1, i + 1)]!]
      for (let k = 0; k < 3; k++) along[k] = x[after + k]! - x[before + k]!
      const size = sizeOf(along) || 1
      for (let k = 0; k < 3; k++) along[k] = along[k]! / size
      // The projection of the last ring's direction onto the present plane avoids twist of the tube.
      if (i === 0) side.fill(0)[smallest(along)] = 1
      const part = side[0]! * along[0]! + side[1]! * along[1]! + side[2]! * along[2]!
      for (let k = 0; k < 3; k++) side[k] = side[k]! - part * along[k]!
      const length = sizeOf(side) || 1
      for (let k = 0; k < 3; k++) side[k] = side[k]! / length
      for (let s = 0; s < SIDES; s++) {
        const [c, w] = [cos(2 * Math.PI * s / SIDES), sin(2 * Math.PI * s / SIDES)]
        for (let k = 0; k < 3; k++) {
          const across = along[(k + 1) % 3]! * side[(k + 2) % 3]! - along[(k + 2) % 3]! * side[(k + 1) % 3]!
          const o = 3 * (at + i * SIDES + s) + k
          n[o] = c * side[k]! + w * across
          p[o] = x[3 * particle + k]! + radius * n[o]
        }
      }
    })
  }

  private placeBall({ at, particles, radius }: SurfacePart, x: Float64Array): void {
    BALL.forEach((corner, i) => {
      for (let k = 0; k < 3; k++) {
        const o = 3 * (at + i) + k
        this.normals[o] = corner[k]!
        this.positions[o] = x[3 * particles[0]! + k]! + radius * corner[k]!
      }
    })
  }
}

function tubeFaces(rings: number): number[] {
  const faces: number[] = []
  for (let i = 0; i + 1 < rings; i++) {
    for (let s = 0; s < SIDES; s++) {
      const [a, b] = [i * SIDES + s, i * SIDES + (s + 1) % SIDES]
      faces.push(a, b, b + SIDES, a, b + SIDES, a + SIDES)
    }
  }
  return faces
}

function sizeOf([x, y, z]: readonly number[]): number {
  return Math.sqrt(x! * x! + y! * y! + z! * z!)
}

function smallest(v: readonly number[]): number {
  const [x, y, z] = v.map(Math.abs) as [number, number, number]
  return x <= y && x <= z ? 0 : y <= z ? 1 : 2
}
