/** A scene with the displayed poses, from a recorded frame or from the document. Drawing and picking both use it. */

import { bodiesOf, orientationOf, positionOf } from '../state/scene-access'
import { normalizeQuaternion, type Quat } from '../../core/math/quaternion'
import { composePoses, toOuter, type Pose } from '../../core/math/pose'
import { add, distance, scale, type Vec3 } from '../../core/math/vector'
import { BODY_STRIDE, type Frame } from '../../core/trajectory/frame'
import type { Scene } from '../../core/scene'
import { initialParticles, particlesOf } from '../modelling/particles'
import { AS_THEY_LOOK, planBodies, samePlan, type BodyPlan, type Drawn, type ShapeInstance } from './body-plan'
import type { Sphere } from './camera/projection'

export class PosedScene {
  constructor(
    readonly scene: Scene,
    readonly plan: BodyPlan,
    /** `BODY_STRIDE` doubles a body, as in `Frame.bodies`. */
    readonly columns: Float64Array,
    /** Index of a body in the scene. */
    readonly index: ReadonlyMap<string, number>,
    /** Particles of a run, m, 3 each; null: those of the document. */
    readonly particles: Float64Array | null = null,
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

  /** Mean of the shapes' origins, used as the body's location; the body's origin without shapes. World. */
  middle(body: number): Vec3 {
    const shapes = this.plan.shapes[body]!
    if (shapes.length === 0) return this.position(body)
    const sum = shapes.reduce<Vec3>((s, shape) => add(s, shape.pose.position), [0, 0, 0])
    return toOuter(this.pose(body), scale(sum, 1 / shapes.length))
  }

  /** The body's pose in the document, which joint anchors refer to. */
  initialPose(body: number): Pose {
    const of = bodiesOf(this.scene)[body]!
    return { position: positionOf(of), orientation: normalizeQuaternion(orientationOf(of)) }
  }

  /** The axis-aligned box of these bodies' shapes, or of all bodies'; half-spaces are ignored. Null without shapes. */
  bounds(bodies?: Iterable<number>): Box | null {
    const box = emptyBox()
    for (const b of bodies ?? this.plan.shapes.keys()) {
      if (!this.exists(b)) continue
      const pose = this.pose(b)
      for (const shape of this.plan.shapes[b]!) growBox(box, shape, composePoses(pose, shape.pose))
    }
    if (bodies === undefined) this.growByParticles(box)
    return box.low[0] <= box.high[0] ? box : null
  }

  /** m, 3 a particle of all deformables: of the run, or of the document. */
  get particlePlaces(): Float64Array {
    return this.particles ?? initialParticles(this.scene)
  }

  /** A deformable's first particle and number of particles, by its index. */
  particlesOf(deformable: number): readonly [first: number, count: number] {
    return particlesOf(this.scene, deformable)
  }

  /** The box of deformables, by index; null if there are none. */
  deformableBounds(deformables: Iterable<number>): Box | null {
    const box = emptyBox()
    for (const deformable of deformables) this.growByParticles(box, ...this.particlesOf(deformable))
    return box.low[0] <= box.high[0] ? box : null
  }

  private growByParticles(box: Box, first = 0, count = Infinity): void {
    const x = this.particlePlaces
    for (let i = 3 * first; i < Math.min(x.length, 3 * (first + count)); i++) {
      const k = (i % 3) as 0 | 1 | 2
      box.low[k] = Math.min(box.low[k], x[i]!)
      box.high[k] = Math.max(box.high[k], x[i]!)
    }
  }

  /** A bounding sphere of everything, from the shapes' bounding spheres: fast, but not tight. */
  sphere(): Sphere | null {
    const box = emptyBox()
    for (let b = 0; b < this.count; b++) {
      const radius = this.plan.radii[b]!
      if (radius === 0 || !this.exists(b)) continue
      const at = b * BODY_STRIDE
      for (const k of [0, 1, 2] as const) {
        box.low[k] = Math.min(box.low[k], this.columns[at + k]! - radius)
        box.high[k] = Math.max(box.high[k], this.columns[at + k]! + radius)
      }
    }
    this.growByParticles(box)
    return box.low[0] <= box.high[0] ? { center: middleOf(box), radius: 0.5 * distance(box.low, box.high) } : null
  }
}

export interface Box {
  readonly low: [number, number, number]
  readonly high: [number, number, number]
}

function emptyBox(): Box {
  return { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] }
}

/** Exact for shapes with few vertices, by bounding sphere for the others. */
function growBox(box: Box, shape: ShapeInstance, pose: Pose): void {
  const p = shape.mesh.positions.length > 0 ? shape.mesh.positions : shape.mesh.edges
  const exact = p.length <= 3 * 400 && shape.mesh.axis === undefined
  for (let i = 0; i < (exact ? p.length : 3); i += 3) {
    const at = exact ? toOuter(pose, [p[i]! * shape.scale[0], p[i + 1]! * shape.scale[1], p[i + 2]! * shape.scale[2]]) : pose.position
    const radius = exact ? 0 : shape.radius
    for (const k of [0, 1, 2] as const) {
      box.low[k] = Math.min(box.low[k], at[k] - radius)
      box.high[k] = Math.max(box.high[k], at[k] + radius)
    }
  }
}

export function middleOf({ low, high }: Box): Vec3 {
  return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2]
}

export function cornersOf({ low, high }: Box): Vec3[] {
  return Array.from({ length: 8 }, (_, i): Vec3 => [i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]])
}

/** Columns of the document's initial poses and velocities. */
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

const sameDrawn = (a: Drawn, b: Drawn): boolean => a.by === b.by && a.pieces === b.pieces && a.coloured === b.coloured

/** The scene at a frame (null: at its initial poses). Reuses the unchanged parts of the former one. */
export function poseScene(
  scene: Scene, frame: Frame | null, former: PosedScene | null, drawn = AS_THEY_LOOK, particles: Float64Array | null = null,
): PosedScene {
  const kept = former && sameDrawn(former.plan.drawn, drawn) && samePlan(former.plan.scene, scene)
  const plan = kept ? former.plan : planBodies(scene, drawn)
  const index = former && former.plan === plan ? former.index : new Map(bodiesOf(scene).map((body, i) => [body.id, i]))
  const recorded = frame && frame.bodies.length === plan.kinds.length * BODY_STRIDE
  return new PosedScene(scene, plan, recorded ? frame.bodies : initialColumns(scene), index, recorded ? particles : null)
}
