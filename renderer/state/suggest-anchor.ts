import type { Vec3 } from '../../core/math/vector'
import type { Scene } from '../../core/scene'
import { bodiesOf, positionOf } from './scene-access'

/** Likely place of a joint: half-way between two bodies, or at the body that is joined to the world. */
export function suggestAnchor(scene: Scene, a: string, b: string | null): Vec3 {
  const place = (id: string): Vec3 => positionOf(bodiesOf(scene).find(body => body.id === id) ?? {})
  const pa = place(a)
  if (b === null) return pa
  const pb = place(b)
  return [(pa[0] + pb[0]) / 2, (pa[1] + pb[1]) / 2, (pa[2] + pb[2]) / 2]
}
