/** A body held by the pointer in a session: its point is drawn to where the pointer meets the plane of the picture through it. */

import { toInner } from '../../core/math/pose'
import type { Vec3 } from '../../core/math/vector'
import { useLive } from '../state/live'
import type { Hit } from '../state/viewport-api'
import { meetPlane, rayThrough, type Projection } from './camera/projection'
import { sightAt } from './gizmos/handles'
import type { PosedScene } from './posed-scene'

export class HandDrag {
  private readonly live = useLive()

  private constructor(private readonly at: Vec3, private readonly normal: Vec3) {}

  /** Null where nothing that moves is under the pointer. */
  static begin(hit: Hit | null, posed: PosedScene | null, view: Projection): HandDrag | null {
    const live = useLive()
    const index = hit && posed ? posed.index.get(hit.body) : undefined
    if (!hit || !posed || index === undefined || !live.mayGrasp(hit.body)) return null
    live.grasp(hit.body, toInner(posed.pose(index), hit.point), hit.point)
    return new HandDrag(hit.point, sightAt(view, hit.point))
  }

  move(x: number, y: number, view: Projection): void {
    const target = meetPlane(rayThrough(view, x, y), this.at, this.normal)
    if (target) this.live.drag(target)
  }

  release(): void {
    this.live.release()
  }
}
