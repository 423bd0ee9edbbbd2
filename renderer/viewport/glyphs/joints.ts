/** Joints as drawings know them: axes, circles of rotation, rails, stops, rods and wires. */

import type { Scene as BabylonScene } from '@babylonjs/core/scene'
import { jointsOf } from '../../state/scene-access'
import type { Joint, JointOf } from '../../../core/scene'
import { add, addScaled, cross, distance, dot, normalize, perpendicular, scale, sub, type Vec3 } from '../../../core/math/vector'
import { PointLayer, SegmentLayer } from '../layers/glyph-layers'
import type { SharedUniforms } from '../layers/uniforms'
import { KINDS } from '../body-plan'
import type { PosedScene } from '../posed-scene'
import { paletteIndex } from '../theme'
import { anchorNow, carryDirection, carryPoint, sidesOf, type BodyJoint, type Carrier } from './joint-pose'
import { curvePoints } from './curve-points'

const JOINT = paletteIndex('joint')
const ACCENT = paletteIndex('accent')
const MUTED = paletteIndex('muted')
const LIMIT = paletteIndex('danger')
const TURN = 2 * Math.PI

export interface ShownJoints {
  readonly shown: boolean
  readonly hidden: ReadonlySet<string>
  readonly selected: ReadonlySet<string>
  /** Have parted. */
  readonly broken: ReadonlySet<string>
  /** Have not come yet, or have gone. */
  readonly absent: ReadonlySet<string>
}

export class JointGlyphs {
  private readonly lines: SegmentLayer
  private readonly points: PointLayer
  private color = JOINT
  private width = 1.8

  constructor(scene: BabylonScene, uniforms: SharedUniforms) {
    this.lines = new SegmentLayer(scene, uniforms)
    this.points = new PointLayer(scene, uniforms)
    this.lines.setXray(true)
    this.points.setXray(true)
  }

  set(scene: PosedScene | null, { shown, hidden, selected, broken, absent }: ShownJoints, size: number, origin: Vec3): void {
    this.lines.begin(origin)
    this.points.begin(origin)
    if (scene && shown) {
      for (const joint of jointsOf(scene.scene)) {
        if (hidden.has(joint.id) || absent.has(joint.id)) continue
        const chosen = selected.has(joint.id)
        this.color = chosen ? ACCENT : JOINT
        this.width = chosen ? 2.6 : 1.8
        if (broken.has(joint.id)) this.addParted(scene, joint, sizeOf(scene, joint, size))
        else this.addJoint(scene, joint, sizeOf(scene, joint, size))
      }
    }
    this.lines.end()
    this.points.end()
  }

  private addJoint(scene: PosedScene, joint: Joint, size: number): void {
    if (joint.type === 'gear') return this.addGear(scene, joint)
    const sides = sidesOf(scene, joint)
    if (!sides) return
    const { a, b } = sides
    const main = a.body >= 0 ? a : b
    const anchor = carryPoint(main, joint.anchor)
    this.points.add(anchor[0], anchor[1], anchor[2], this.color, this.width + 1.8)
    for (const { body } of [a, b]) {
      if (body >= 0 && scene.plan.kinds[body] !== KINDS.fixed) this.line(anchor, scene.middle(body), MUTED, 1, 4)
    }
    switch (joint.type) {
      case 'ball': return this.addBall(main, anchor, size)
      case 'hinge': return this.addHinge(joint, a, b, anchor, size)
      case 'slider': return this.addSlider(joint, a, b, anchor, size)
      case 'fixed': return this.addFixed(main, anchor, size)
      case 'universal': {
        this.axis(anchor, carryDirection(a, normalize(joint.axisA)), size)
        this.circle(anchor, carryDirection(a, normalize(joint.axisA)), size * 0.35)
        this.axis(anchor, carryDirection(b, normalize(joint.axisB)), size)
        return this.circle(anchor, carryDirection(b, normalize(joint.axisB)), size * 0.35)
      }
      case 'cylindrical': {
        const axis = carryDirection(b, normalize(joint.axis))
        this.axis(anchor, axis, size * 1.4)
        this.circle(anchor, axis, size * 0.4)
        return this.circle(addScaled(anchor, axis, size * 0.5), axis, size * 0.4)
      }
      case 'planar': return this.addPlanar(carryDirection(b, normalize(joint.normal)), anchor, size)
      case 'distance': {
        const other = carryPoint(b, joint.anchorB)
        this.points.add(other[0], other[1], other[2], this.color, this.width + 1.8)
        return this.line(anchor, other, this.color, this.width + 1)
      }
      case 'pointOnCurve': return this.polyline(curvePoints(joint.curve).map(point => carryPoint(b, point)))
    }
  }

  /** Where it was on A, and on B, as crosses. */
  private addParted(scene: PosedScene, joint: Joint, size: number): void {
    const sides = joint.type === 'gear' ? null : sidesOf(scene, joint)
    if (joint.type === 'gear' || !sides) return
    for (const side of [sides.a, sides.b]) {
      const at = carryPoint(side, joint.anchor)
      const [u, v] = [carryDirection(side, [1, 0, 1]), carryDirection(side, [1, 0, -1])]
      for (const d of [u, v]) this.line(addScaled(at, d, -0.2 * size), addScaled(at, d, 0.2 * size), LIMIT, this.width)
    }
  }

  private addBall(main: Carrier, anchor: Vec3, size: number): void {
    for (const axis of [[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const) this.circle(anchor, carryDirection(main, axis), size * 0.28)
  }

  /** The axis; the range that the limits leave, drawn on B; and the hand that turns with A. */
  private addHinge(joint: JointOf<'hinge'>, a: Carrier, b: Carrier, anchor: Vec3, size: number): void {
    const initial = normalize(joint.axis)
    const axis = carryDirection(b, initial)
    const zero = perpendicular(initial)
    const onB = carryDirection(b, zero)
    const hand = carryDirection(a, zero)
    const radius = size * 0.6
    this.axis(anchor, axis, size)
    const { lower, upper } = joint.limits ?? {}
    if (lower === undefined && upper === undefined) {
      this.circle(anchor, axis, radius, 0, TURN, MUTED)
    } else {
      const from = lower ?? -TURN / 2
      const to = upper ?? TURN / 2
      this.arc(anchor, axis, onB, radius, from, to, this.color)
      for (const [end, given] of [[from, lower], [to, upper]] as const) {
        if (given !== undefined) this.line(anchor, this.onArc(anchor, axis, onB, radius * 1.12, end), LIMIT, 1.6)
      }
    }
    this.line(anchor, addScaled(anchor, hand, radius), this.color, this.width)
  }

  private addSlider(joint: JointOf<'slider'>, a: Carrier, b: Carrier, anchor: Vec3, size: number): void {
    const axis = carryDirection(b, normalize(joint.axis))
    const zero = carryPoint(b, joint.anchor)
    const { lower, upper } = joint.limits ?? {}
    const present = dot(sub(a.body >= 0 ? anchor : carryPoint(a, joint.anchor), zero), axis)
    const from = lower ?? Math.min(-size, present - size)
    const to = upper ?? Math.max(size, present + size)
    const side = perpendicular(axis)
    const other = cross(axis, side)
    const mark = size * 0.16
    for (const offset of [side, scale(side, -1)]) {
      this.line(addScaled(addScaled(zero, axis, from), offset, mark * 0.5), addScaled(addScaled(zero, axis, to), offset, mark * 0.5), this.color, this.width)
    }
    for (const [end, given] of [[from, lower], [to, upper]] as const) {
      if (given === undefined) continue
      for (const d of [side, other]) {
        this.line(addScaled(addScaled(zero, axis, end), d, -mark), addScaled(addScaled(zero, axis, end), d, mark), LIMIT, 2)
      }
    }
  }

  private addFixed(main: Carrier, anchor: Vec3, size: number): void {
    const half = size * 0.16
    const [x, y, z] = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const).map(axis => scale(carryDirection(main, axis), half)) as [Vec3, Vec3, Vec3]
    for (const [along, s, t] of [[x, y, z], [y, z, x], [z, x, y]] as const) {
      for (const i of [-1, 1]) {
        for (const j of [-1, 1]) {
          const middle = addScaled(addScaled(anchor, s, i), t, j)
          this.line(sub(middle, along), add(middle, along), this.color, this.width)
        }
      }
    }
  }

  private addPlanar(normal: Vec3, anchor: Vec3, size: number): void {
    const u = perpendicular(normal)
    const v = cross(normal, u)
    const corner = (i: number, j: number) => addScaled(addScaled(anchor, u, i * size * 0.7), v, j * size * 0.7)
    this.polyline([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)])
    this.line(anchor, addScaled(anchor, normal, size * 0.5), this.color, this.width)
  }

  private addGear(scene: PosedScene, joint: JointOf<'gear'>): void {
    const find = (id: string) => jointsOf(scene.scene).find((other): other is BodyJoint => other.id === id && other.type !== 'gear')
    const a = find(joint.jointA)
    const b = find(joint.jointB)
    const from = a && anchorNow(scene, a)
    const to = b && anchorNow(scene, b)
    if (from && to) this.line(from, to, this.color, this.width, 7)
  }

  private line(a: Vec3, b: Vec3, color: number, width: number, dash = 0): void {
    this.lines.addVectors(a, b, color, width, dash)
  }

  private axis(anchor: Vec3, axis: Vec3, half: number): void {
    this.line(addScaled(anchor, axis, -half), addScaled(anchor, axis, half), this.color, this.width)
  }

  private polyline(points: readonly Vec3[]): void {
    for (let i = 1; i < points.length; i++) this.line(points[i - 1]!, points[i]!, this.color, this.width)
  }

  private onArc(center: Vec3, axis: Vec3, zero: Vec3, radius: number, angle: number): Vec3 {
    return addScaled(addScaled(center, zero, radius * Math.cos(angle)), cross(axis, zero), radius * Math.sin(angle))
  }

  private arc(center: Vec3, axis: Vec3, zero: Vec3, radius: number, from: number, to: number, color: number): void {
    const count = Math.max(2, Math.ceil(Math.abs(to - from) / (TURN / 48)))
    for (let i = 0; i < Math.min(count, 480); i++) {
      const at = (k: number) => this.onArc(center, axis, zero, radius, from + (to - from) * k / count)
      this.line(at(i), at(i + 1), color, this.width)
    }
  }

  private circle(center: Vec3, axis: Vec3, radius: number, from = 0, to = TURN, color = this.color): void {
    this.arc(center, axis, perpendicular(axis), radius, from, to, color)
  }

  dispose(): void {
    this.lines.dispose()
    this.points.dispose()
  }
}

/** Half the size of a joint's drawing: of the smaller of its bodies, so that it fits them. */
function sizeOf(scene: PosedScene, joint: Joint, fallback: number): number {
  if (joint.type === 'gear') return fallback
  const radii = [joint.bodyA, joint.bodyB].map(id => id === null ? 0 : scene.plan.radii[scene.index.get(id) ?? -1] ?? 0).filter(radius => radius > 0)
  const own = radii.length > 0 ? Math.min(...radii) : fallback
  return Math.min(own, fallback * 3) * 0.5
}

/** The joint whose anchor lies nearest to a pixel, within `reach` pixels. */
export function jointNear(
  scene: PosedScene, hidden: ReadonlySet<string>, toPixel: (point: Vec3) => readonly [number, number] | null, x: number, y: number, reach: number,
): string | null {
  let best: string | null = null
  let least = reach
  for (const joint of jointsOf(scene.scene)) {
    if (joint.type === 'gear' || hidden.has(joint.id)) continue
    const anchor = anchorNow(scene, joint)
    const pixel = anchor && toPixel(anchor)
    if (!pixel) continue
    const d = distance([pixel[0], pixel[1], 0], [x, y, 0])
    if (d < least) {
      least = d
      best = joint.id
    }
  }
  return best
}
