/** The overlap of bodies from their poses, without contact detection of either engine. */

import { solidAt } from '../../../core/analysis/convex-solid'
import { supportDistance, supportIn } from '../../../core/analysis/distance'
import { overlapVolume } from '../../../core/analysis/overlap'
import { solidsOf } from '../../../core/analysis/solids'
import { Polyhedron } from '../../../core/geometry/polyhedron'
import { composePoses, type Pose } from '../../../core/math/pose'
import { distance, sub } from '../../../core/math/vector'
import type { ResolvedScene } from '../../../core/scene'

export interface Overlap {
  /** m³, summed over all pairs of solids with flat faces. */
  readonly volume: number
  /** m, the largest of a ball in a solid with flat faces; its centre stays outside in these scenes. */
  readonly depth: number
}

/** Pairs with a joint are left out, as their contacts are. */
export function overlapIn(scene: ResolvedScene): (poses: readonly Pose[]) => Overlap {
  const parts = scene.bodies.map(body => body.shapes.flatMap(shape => solidsOf(shape).map(primitive => ({ primitive, pose: shape }))))
  const jointed = new Set(scene.joints.flatMap(joint => joint.type === 'gear' ? [] : [`${joint.bodyA} ${joint.bodyB}`, `${joint.bodyB} ${joint.bodyA}`]))
  return poses => {
    const placed = parts.map((own, i) => own.map(({ primitive, pose }) => {
      const at = composePoses(poses[i]!, pose)
      return { primitive, pose: at, solid: primitive instanceof Polyhedron ? solidAt(primitive, at) : null }
    }))
    let [volume, depth] = [0, 0]
    for (let i = 0; i < placed.length; i++) {
      for (let k = i + 1; k < placed.length; k++) {
        const [a, b] = [scene.bodies[i]!, scene.bodies[k]!]
        if ((a.type === 'fixed' && b.type === 'fixed') || jointed.has(`${a.id} ${b.id}`)) continue
        for (const p of placed[i]!) {
          for (const q of placed[k]!) {
            if (distance(p.pose.position, q.pose.position) > p.primitive.radius + q.primitive.radius) continue
            if (p.solid !== null && q.solid !== null) volume += overlapVolume(p.solid, q.solid)
            else if (p.solid !== null || q.solid !== null) {
              const [flat, ball] = p.solid !== null ? [p, q] : [q, p]
              const gap = supportDistance(supportIn(flat), () => ball.pose.position, sub(ball.pose.position, flat.pose.position)).distance - ball.primitive.radius
              depth = Math.max(depth, -gap)
            }
          }
        }
      }
    }
    return { volume, depth }
  }
}
