/** A scene with the poses that are on display: those of a recorded frame, or the document's own. What all drawing and picking looks at. */

import { bodiesOf, orientationOf, positionOf } from '../state/scene-access'
import { normalizeQuaternion, rotate, type Quat } from '../../core/math/quaternion'
import type { Pose } from '../../core/math/pose'
import { add, type Vec3 } from '../../core/math/vector'
import { BODY_STRIDE, type Frame } from '../../core/trajectory/frame'
import type { Scene } from '../../core/scene'
import { boundsOf, planBodies, samePlan, type BodyPlan } from './body-plan'

export class PosedScene {
  constructor(
    readonly scene: Scene,
    readonly plan: BodyPlan,
    /** `BODY_STRIDE` doubles a body, as in `Frame.bodies`. */
    readonly columns: Float64Array,
    /** Index of a body in the scene. */
    readonly index: ReadonlyMap<string, number>,
  ) {}

  get count(): number {
    return this.plan.kinds.length
  }

  /** False before a body's spawn time. */
  exists(body: number): boolean {
    return !Number.isNaN(this.columns[body * BODY_STRIDE])
  }

  position(body: number): Vec3 {
    const c = this.columns
    const at = body * BODY_STRIDE
    return [c[at]!, c[at + 1]!, c[at + 2]!]
  }

  orientation(body: number): Quat {
    const c = this.columns
    const at = body * BODY_STRIDE + 3
    return [c[at]!, c[at + 1]!, c[at + 2]!, c[at + 3]!]
  }

  pose(body: number): Pose {
    return { position: this.position(body), orientation: this.orientation(body) }
  }

  /** The pose that the body has in the document, from which joints' anchors are taken. */
  initialPose(body: number): Pose {
    const of = bodiesOf(this.scene)[body]!
    return { position: positionOf(of), orientation: normalizeQuaternion(orientationOf(of)) }
  }

  /** The smallest sphere found quickly that holds these bodies' shapes, or all bodies'; planes do not count. */
  bounds(bodies?: Iterable<number>): { center: Vec3; radius: number } | null {
    const spheres: { center: Vec3; radius: number }[] = []
    for (const b of bodies ?? this.plan.shapes.keys()) {
      if (!this.exists(b)) continue
      const orientation = this.orientation(b)
      for (const shape of this.plan.shapes[b]!) {
        spheres.push({ center: add(this.position(b), rotate(orientation, shape.pose.position)), radius: shape.radius })
      }
    }
    return boundsOf(spheres)
  }
}

/** Columns of the document's own poses and velocities. */
function initialColumns(scene: Scene): Float64Array {
  const bodies = bodiesOf(scene)
  const columns = new Float64Array(bodies.length * BODY_STRIDE)
  bodies.forEach((body, i) => {
    const at = i * BODY_STRIDE
    columns.set(positionOf(body), at)
    columns.set(normalizeQuaternion(orientationOf(body)), at + 3)
    columns.set(body.linearVelocity ?? [0, 0, 0], at + 7)
    columns.set(body.angularVelocity ?? [0, 0, 0], at + 10)
  })
  return columns
}

/** The scene at a frame (null: at its initial poses), keeping of the former one whatever has not changed. */
export function poseScene(scene: Scene, frame: Frame | null, former: PosedScene | null): PosedScene {
  const plan = former && samePlan(former.plan.scene, scene) ? former.plan : planBodies(scene)
  const index = former && former.plan === plan ? former.index : new Map(bodiesOf(scene).map((body, i) => [body.id, i]))
  const recorded = frame && frame.bodies.length === plan.kinds.length * BODY_STRIDE
  return new PosedScene(scene, plan, recorded ? frame.bodies : initialColumns(scene), index)
}
