/**
 * Smooth closed surfaces as black boxes [Baraff92 §5.2, app. A]: an implicit function, or a parametric one, with first and second derivatives.
 * Extremal points of surfaces given in either way: `core/collision/extremal-points.ts`.
 */

import type { Mat3 } from '../math/matrix'
import type { Vec3 } from '../math/vector'

/** F < 0 inside, 0 on the surface, > 0 outside; ∇F points outwards. In the shape's frame. */
export interface ImplicitSurface {
  value(p: Vec3): number
  gradient(p: Vec3): Vec3
  /** ∇²F, symmetric. */
  hessian(p: Vec3): Mat3
}

/** S and its partial derivatives at (u, v). */
export interface SurfacePatch {
  readonly point: Vec3
  readonly u: Vec3
  readonly v: Vec3
  readonly uu: Vec3
  readonly uv: Vec3
  readonly vv: Vec3
}

/** S(u, v) over a rectangle of parameters, with S_u × S_v pointing outwards. In the shape's frame. */
export interface ParametricSurface {
  readonly domain: { readonly u: readonly [number, number], readonly v: readonly [number, number] }
  at(u: number, v: number): SurfacePatch
  /** Parameters of a point of the surface. */
  parameters(p: Vec3): readonly [number, number]
}
