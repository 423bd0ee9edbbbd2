/** The joints of a scene: anchors, lines to their bodies, and the drawing of each type (`renderer/joints`). */

import type { Scene as BabylonScene } from '@babylonjs/core/scene'
import { jointsOf } from '../../state/scene-access'
import type { Joint, JointOf } from '../../../core/scene'
import { addScaled, distance, type Vec3 } from '../../../core/math/vector'
import { drawJoint } from '../../joints'
import { carryDirection, carryPoint } from '../../joints/carrier'
import { JointPen } from '../../joints/pen'
import { PointLayer, SegmentLayer } from '../layers/glyph-layers'
import type { SharedUniforms } from '../layers/uniforms'
import { KINDS } from '../body-plan'
import type { PosedScene } from '../posed-scene'
import { paletteIndex } from '../theme'
import { anchorNow, sidesOf, type BodyJoint } from './joint-pose'

const JOINT = paletteIndex('joint')
const ACCENT = paletteIndex('accent')

export interface ShownJoints {
  readonly shown: boolean
  readonly hidden: ReadonlySet<string>
  readonly selected: ReadonlySet<string>
  /** Ids of joints that broke. */
  readonly broken: ReadonlySet<string>
  /** Ids of joints that do not exist yet or any more. */
  readonly absent: ReadonlySet<string>
  /** A joint that is about to be made. */
  readonly planned: Joint | null
}

export class JointGlyphs {
  private readonly lines: SegmentLayer
  private readonly points: PointLayer
  private readonly pen: JointPen

  constructor(scene: BabylonScene, uniforms: SharedUniforms) {
    this.lines = new SegmentLayer(scene, uniforms)
    this.points = new PointLayer(scene, uniforms)
    this.lines.setXray(true)
    this.points.setXray(true)
    this.pen = new JointPen(this.lines, this.points, paletteIndex('muted'), paletteIndex('danger'))
  }

  set(scene: PosedScene | null, { shown, hidden, selected, broken, absent, planned }: ShownJoints, size: number, origin: Vec3): void {
    this.lines.begin(origin)
    this.points.begin(origin)
    if (scene && shown) {
      for (const joint of jointsOf(scene.scene)) {
        if (hidden.has(joint.id) || absent.has(joint.id)) continue
        const chosen = selected.has(joint.id)
        this.pen.color = chosen ? ACCENT : JOINT
        this.pen.width = chosen ? 2.6 : 1.8
        if (broken.has(joint.id)) this.addParted(scene, joint, sizeOf(scene, joint, size))
        else this.addJoint(scene, joint, sizeOf(scene, joint, size))
      }
    }
    if (scene && planned) {
      this.pen.color = ACCENT
      this.pen.width = 2.6
      this.addJoint(scene, planned, sizeOf(scene, planned, size))
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
    this.pen.dot(anchor)
    for (const { body } of [a, b]) {
      if (body >= 0 && scene.plan.kinds[body] !== KINDS.fixed) this.pen.line(anchor, scene.middle(body), this.pen.muted, 1, 4)
    }
    drawJoint(joint, { a, b, main, anchor, size }, this.pen)
  }

  /** Draws crosses at the former anchors on A and on B. */
  private addParted(scene: PosedScene, joint: Joint, size: number): void {
    const sides = joint.type === 'gear' ? null : sidesOf(scene, joint)
    if (joint.type === 'gear' || !sides) return
    for (const side of [sides.a, sides.b]) {
      const at = carryPoint(side, joint.anchor)
      const [u, v] = [carryDirection(side, [1, 0, 1]), carryDirection(side, [1, 0, -1])]
      for (const d of [u, v]) this.pen.line(addScaled(at, d, -0.2 * size), addScaled(at, d, 0.2 * size), this.pen.limit)
    }
  }

  private addGear(scene: PosedScene, joint: JointOf<'gear'>): void {
    const find = (id: string) => jointsOf(scene.scene).find((other): other is BodyJoint => other.id === id && other.type !== 'gear')
    const a = find(joint.jointA)
    const b = find(joint.jointB)
    const from = a && anchorNow(scene, a)
    const to = b && anchorNow(scene, b)
    if (from && to) this.pen.line(from, to, this.pen.color, this.pen.width, 7)
  }

  dispose(): void {
    this.lines.dispose()
    this.points.dispose()
  }
}

/** Half the size of a joint's drawing, taken from its smaller body. */
function sizeOf(scene: PosedScene, joint: Joint, fallback: number): number {
  if (joint.type === 'gear') return fallback
  const radii = [joint.bodyA, joint.bodyB].map(id => id === null ? 0 : scene.plan.radii[scene.index.get(id) ?? -1] ?? 0).filter(radius => radius > 0)
  const own = radii.length > 0 ? Math.min(...radii) : fallback
  return Math.min(own, fallback * 3) * 0.5
}

/** The joint whose anchor is nearest to a pixel, within `reach` pixels. */
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
