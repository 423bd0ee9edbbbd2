/** A body or particle dragged in a live session: the grabbed point is pulled to the pointer, in the plane through it parallel to the picture. */

import { resolveDeformable } from '../../core/scene'
import { deformableShape } from '../../core/analysis/deformable-shape'
import { toInner } from '../../core/math/pose'
import { distance, type Vec3 } from '../../core/math/vector'
import { useLive } from '../state/live'
import type { Hit } from '../state/viewport-api'
import { meetPlane, rayThrough, toPixelInto, type Projection } from './camera/projection'
import { sightAt } from './gizmos/handles'
import type { PosedScene } from './posed-scene'

/** CSS pixels within which the pointer grabs a particle. */
const REACH = 10

interface FoundParticle {
  readonly deformable: string
  readonly index: number
  readonly point: Vec3
}

export class HandDrag {
  private readonly live = useLive()

  private constructor(private readonly at: Vec3, private readonly normal: Vec3) {}

  /** Null if nothing movable is under the pointer. */
  static begin(hit: Hit | null, posed: PosedScene | null, view: Projection, x: number, y: number): HandDrag | null {
    if (!posed) return null
    const live = useLive()
    const particle = particleNear(posed, view, x, y)
    if (particle && !(hit && distance(hit.point, view.eye) < distance(particle.point, view.eye))) {
      live.graspParticle(particle.deformable, particle.index, particle.point)
      return new HandDrag(particle.point, sightAt(view, particle.point))
    }
    const index = hit ? posed.index.get(hit.body) : undefined
    if (!hit || index === undefined || !live.mayGrasp(hit.body)) return null
    live.grasp(hit.body, toInner(posed.pose(index), hit.point), hit.point)
    return new HandDrag(hit.point, sightAt(view, hit.point))
  }

  /** @param at ms, of the pointer's move */
  move(x: number, y: number, view: Projection, at: number): void {
    const target = meetPlane(rayThrough(view, x, y), this.at, this.normal)
    if (target) this.live.drag(target, at)
  }

  release(): void {
    this.live.release()
  }
}

/** The particle drawn nearest to a pixel, within reach. */
export function particleNear({ scene, particles }: PosedScene, view: Projection, x: number, y: number): FoundParticle | null {
  if (!particles) return null
  const pixel: [number, number, number] = [0, 0, 0]
  let found: FoundParticle | null = null
  let least = REACH
  let at = 0
  for (const deformable of scene.deformables ?? []) {
    const count = deformableShape(resolveDeformable(deformable)).vertices.length
    for (let index = 0; index < count; index++, at += 3) {
      const point: Vec3 = [particles[at]!, particles[at + 1]!, particles[at + 2]!]
      if (!toPixelInto(view, ...point, pixel)) continue
      const d = Math.hypot(pixel[0] - x, pixel[1] - y)
      if (d >= least) continue
      least = d
      found = { deformable: deformable.id, index, point }
    }
  }
  return found
}
