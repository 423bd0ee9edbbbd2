/** Measures overlap by volumes, without sharing code with contact finding. */

import { solidAt } from '../../core/analysis/convex-solid'
import { overlapVolume, volumeBelow } from '../../core/analysis/overlap'
import { HalfSpace } from '../../core/geometry/half-space'
import { Polyhedron } from '../../core/geometry/polyhedron'
import { createPrimitives, type ShapeSpec } from '../../core/geometry/primitives'
import { composePoses, toOuter, type Pose } from '../../core/math/pose'
import { distance, type Vec3 } from '../../core/math/vector'
import { bodyAt, type Recorded } from './support'

export interface SceneBody {
  readonly id: string
  readonly type: string
  readonly shapes: readonly (ShapeSpec & { readonly position?: Pose['position'], readonly orientation?: Pose['orientation'] })[]
}

/** Largest volume, in m³, in which two bodies overlap in any frame, by clipping. Curved shapes are left out. */
export function worstOverlap(bodies: readonly SceneBody[], { frames }: Recorded): number {
  const parts = bodies.map(body => body.shapes.flatMap(shape => createPrimitives(shape).map(primitive => ({
    primitive, pose: { position: shape.position ?? ([0, 0, 0] as const), orientation: shape.orientation ?? ([0, 0, 0, 1] as const) },
  }))))
  let worst = 0
  for (const frame of frames) {
    const solids = parts.map((own, i) => own.map(({ primitive, pose }) => {
      const state = bodyAt(frame, i)
      const at = composePoses({ position: state.position as unknown as Vec3, orientation: state.orientation as unknown as Pose['orientation'] }, pose)
      const center = toOuter(at, [0, 0, 0])
      return primitive instanceof Polyhedron ? { solid: solidAt(primitive, at), planes: null, center, radius: primitive.radius }
        : { solid: null, planes: primitive instanceof HalfSpace ? [primitive.placed(at)] : null, center, radius: Infinity }
    }))
    solids.forEach((own, i) => solids.slice(i + 1).forEach((others, k) => {
      if (bodies[i]!.type !== 'dynamic' && bodies[i + 1 + k]!.type !== 'dynamic') {
        return
      }
      for (const p of own) {
        for (const q of others) {
          const [solid, other] = p.solid ? [p, q] : [q, p]
          if (solid.solid && distance(p.center, q.center) <= p.radius + q.radius) {
            worst = Math.max(worst, other.solid ? overlapVolume(solid.solid, other.solid) : other.planes ? volumeBelow(solid.solid, other.planes) : 0)
          }
        }
      }
    }))
  }
  return worst
}
