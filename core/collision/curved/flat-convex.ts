/**
 * A convex solid as plain numbers, in the frame of its primitive: its support function, and its features as columns. A sphere and a capsule are the ball
 * that is rolled over a core, a point or a segment; everything here is about the core, whose distances are as exact as those of the solid.
 */

import type { Capsule } from '../../geometry/capsule'
import type { Cone } from '../../geometry/cone'
import type { Cylinder } from '../../geometry/cylinder'
import type { Ellipsoid } from '../../geometry/ellipsoid'
import type { Polyhedron } from '../../geometry/polyhedron'
import type { Primitive, PrimitiveKind } from '../../geometry/shape'
import type { SmoothPrimitive } from '../../geometry/smooth'
import type { Sphere } from '../../geometry/sphere'
import type { Superquadric } from '../../geometry/superquadric'
import { hypot } from '../../math/elementary'
import { flatSolid, type FlatSolid } from '../flat-solid'
import { DualNorm } from './dual-norm'

/** Kinds of features, in the order in which pairs of them are solved. */
export const POINT = 0
/** A straight edge, or the side of a cylinder: a line with a radius around it. */
export const LINE = 1
/** The side of a cone. */
export const SIDE = 2
export const PLANE = 3
export const RIM = 4
/** All of a smooth solid: an ellipsoid, a superquadric, a surface given by formulas. */
export const SMOOTH = 5

interface Feature {
  readonly type: number
  /** A point; the end of a line from which its axis points away; a cone's apex; a rim's centre. */
  readonly at?: readonly number[]
  /** Unit: of a line, a cone (towards the apex), a rim; the outward normal of a plane. */
  readonly axis?: readonly number[]
  /** m: of a line or a cone's side, from `at` against the axis. */
  readonly length?: number
  /** Cosine between the axis of a cone and the outward normals of its side. */
  readonly lean?: number
  /** m: around a line, or of a rim. */
  readonly radius?: number
}

const known = new WeakMap<Primitive, FlatConvex>()

/** Made once for each primitive; a half-space has none. */
export function flatConvex(primitive: Primitive): FlatConvex {
  let flat = known.get(primitive)
  if (flat === undefined) known.set(primitive, flat = new FlatConvex(primitive))
  return flat
}

export class FlatConvex {
  /** m: the scale of rounding, and the radius of the ball around the core. */
  size: number
  ball: number
  readonly solid: FlatSolid | null
  readonly count: number
  readonly types: Uint8Array
  readonly points: Float64Array
  readonly axes: Float64Array
  readonly lengths: Float64Array
  readonly leans: Float64Array
  readonly radii: Float64Array
  /** For a polyhedron, whose features are its vertices, edges and faces: index of the first edge and face. */
  readonly firstEdge: number
  readonly firstPlane: number
  /** The point found last, m, and where the next climb over a polyhedron's vertices starts: the index of that found last. */
  x = 0
  y = 0
  z = 0
  start = 0
  private readonly kind: PrimitiveKind
  private readonly a: number
  private readonly b: number
  private c: number
  private readonly dual: DualNorm | null = null
  private readonly smooth: SmoothPrimitive | null = null

  constructor(primitive: Primitive) {
    this.kind = primitive.kind
    this.size = primitive.radius
    let ball = 0
    let solid: FlatSolid | null = null
    let sizes: readonly number[] = [0, 0, 0]
    let features: readonly Feature[]
    switch (primitive.kind) {
      case 'sphere':
        ball = (primitive as Sphere).radius
        features = [{ type: POINT }]
        break
      case 'capsule': {
        const { girth, height } = primitive as Capsule
        ball = girth
        sizes = [0, 0, height / 2]
        features = [
          { type: POINT, at: [0, 0, -height / 2] }, { type: POINT, at: [0, 0, height / 2] },
          { type: LINE, at: [0, 0, height / 2], axis: [0, 0, 1], length: height },
        ]
        break
      }
      case 'polyhedron':
        solid = flatSolid(primitive as Polyhedron)
        features = ofPolyhedron(solid.solid)
        break
      case 'ellipsoid':
        sizes = (primitive as Ellipsoid).radii
        features = [{ type: SMOOTH }]
        break
      case 'superquadric': {
        const { radii, exponents } = primitive as Superquadric
        this.dual = new DualNorm(radii, exponents)
        features = [{ type: SMOOTH }]
        break
      }
      case 'formula':
        this.smooth = primitive as SmoothPrimitive
        features = [{ type: SMOOTH }]
        break
      case 'cylinder': {
        const { girth, height } = primitive as Cylinder
        sizes = [girth, girth, height / 2]
        features = [
          { type: LINE, at: [0, 0, height / 2], axis: [0, 0, 1], length: height, radius: girth },
          { type: RIM, at: [0, 0, -height / 2], axis: [0, 0, -1], radius: girth }, { type: RIM, at: [0, 0, height / 2], axis: [0, 0, 1], radius: girth },
          { type: PLANE, at: [0, 0, -height / 2], axis: [0, 0, -1], radius: girth }, { type: PLANE, at: [0, 0, height / 2], axis: [0, 0, 1], radius: girth },
        ]
        break
      }
      case 'cone': {
        const { girth, height } = primitive as Cone
        const slant = hypot(girth, height)
        sizes = [girth, girth, height]
        features = [
          { type: POINT, at: [0, 0, height] },
          { type: SIDE, at: [0, 0, height], axis: [0, 0, 1], length: slant, lean: girth / slant },
          { type: RIM, axis: [0, 0, -1], radius: girth }, { type: PLANE, axis: [0, 0, -1], radius: girth },
        ]
        break
      }
      case 'halfSpace':
        throw new RangeError('A half-space has no support function.')
    }
    this.ball = ball
    this.solid = solid
    this.a = sizes[0]!
    this.b = sizes[1]!
    this.c = sizes[2]!
    this.count = features.length
    this.types = Uint8Array.from(features, feature => feature.type)
    this.points = Float64Array.from(features.flatMap(({ at = [0, 0, 0] }) => at))
    this.axes = Float64Array.from(features.flatMap(({ axis = [0, 0, 1] }) => axis))
    this.lengths = Float64Array.from(features, ({ length = 0 }) => length)
    this.leans = Float64Array.from(features, ({ lean = 0 }) => lean)
    this.radii = Float64Array.from(features, ({ radius = 0 }) => radius)
    this.firstEdge = solid === null ? 0 : solid.vertexCount
    this.firstPlane = solid === null ? 0 : solid.vertexCount + solid.edgeCount
  }

  /** Turns a capsule into a bare segment of this length, m, about its middle; one object serves every segment. */
  stretch(length: number): void {
    const half = length / 2
    const { points, lengths } = this
    this.ball = 0
    this.size = this.c = half
    points[2] = -half
    points[5] = points[8] = half
    lengths[2] = length
  }

  /** The core's point farthest along a direction that is not zero, into x, y and z. */
  support(mx: number, my: number, mz: number): void {
    const { a, b, c } = this
    switch (this.kind) {
      case 'sphere':
        this.x = this.y = this.z = 0
        return
      case 'capsule':
        this.x = this.y = 0
        this.z = mz < 0 ? -c : c
        return
      case 'polyhedron': {
        const { vertices, solid } = this.solid!
        const v = this.start = solid.supportIndex(mx, my, mz, this.start)
        this.x = vertices[3 * v]!
        this.y = vertices[3 * v + 1]!
        this.z = vertices[3 * v + 2]!
        return
      }
      case 'ellipsoid': {
        const x = a * mx
        const y = b * my
        const z = c * mz
        const h = 1 / Math.sqrt(x * x + y * y + z * z)
        this.x = a * (x * h)
        this.y = b * (y * h)
        this.z = c * (z * h)
        return
      }
      case 'superquadric': {
        const dual = this.dual!
        dual.point(mx, my, mz)
        this.x = dual.x
        this.y = dual.y
        this.z = dual.z
        return
      }
      case 'formula': {
        const point = this.smooth!.support([mx, my, mz])
        this.x = point[0]
        this.y = point[1]
        this.z = point[2]
        return
      }
      case 'cylinder': {
        const around = Math.sqrt(mx * mx + my * my)
        const share = around > 0 ? a / around : 0
        this.x = mx * share
        this.y = my * share
        this.z = mz < 0 ? -c : c
        return
      }
      case 'cone': {
        const around = Math.sqrt(mx * mx + my * my)
        const isApex = mz * c > around * a
        const share = isApex || !(around > 0) ? 0 : a / around
        this.x = mx * share
        this.y = my * share
        this.z = isApex ? c : 0
      }
    }
  }

  /** uᵀ ∇²h v of a smooth solid at a unit direction, m: how far along u its point moves as the direction turns along v. */
  hessian(mx: number, my: number, mz: number, ux: number, uy: number, uz: number, vx: number, vy: number, vz: number): number {
    if (this.kind === 'superquadric') return this.dual!.second(mx, my, mz, ux, uy, uz, vx, vy, vz)
    if (this.smooth !== null) {
      const H = this.smooth.supportHessian([mx, my, mz])
      return ux * (H[0] * vx + H[1] * vy + H[2] * vz) + uy * (H[3] * vx + H[4] * vy + H[5] * vz) + uz * (H[6] * vx + H[7] * vy + H[8] * vz)
    }
    const { a, b, c } = this
    const x = a * mx
    const y = b * my
    const z = c * mz
    const square = x * x + y * y + z * z
    const along = (a * x * ux + b * y * uy + c * z * uz) * ((a * x * vx + b * y * vy + c * z * vz) / square)
    return (a * a * ux * vx + b * b * uy * vy + c * c * uz * vz - along) / Math.sqrt(square)
  }
}

function ofPolyhedron({ vertices, edges, faces }: Polyhedron): Feature[] {
  return [
    ...vertices.map((at): Feature => ({ type: POINT, at })),
    ...edges.map(({ to, direction, length }): Feature => ({ type: LINE, at: vertices[to]!, axis: direction, length })),
    ...faces.map(({ normal, loop }): Feature => ({ type: PLANE, at: vertices[loop[0]!]!, axis: normal })),
  ]
}
