/** Glyphs of bodies: centre of mass, inertia ellipsoid, velocities. */

import type { Scene as BabylonScene } from '@babylonjs/core/scene'
import { bodiesOf } from '../../state/scene-access'
import { BODY_STRIDE } from '../../../core/trajectory/frame'
import { toOuter } from '../../../core/math/pose'
import { rotate } from '../../../core/math/quaternion'
import { add, scale, type Vec3 } from '../../../core/math/vector'
import { ArrowLayer, PointLayer, SegmentLayer } from '../layers/glyph-layers'
import type { SharedUniforms } from '../layers/uniforms'
import type { PosedScene } from '../posed-scene'
import { paletteIndex } from '../theme'
import type { ViewState } from '../view-state'
import type { ArrowScales } from './arrow-scale'
import { massOf } from './body-mass'
import { inertiaSemiAxes, principalAxes } from './principal-axes'

const VELOCITY = paletteIndex('velocity')
const SPIN = paletteIndex('spin')
const INK = paletteIndex('ink')
const AXES = [paletteIndex('axisX'), paletteIndex('axisY'), paletteIndex('axisZ')] as const
const ROUND = 40

export class BodyGlyphs {
  private readonly velocities: ArrowLayer
  private readonly spins: ArrowLayer
  private readonly points: PointLayer
  private readonly lines: SegmentLayer

  constructor(scene: BabylonScene, uniforms: SharedUniforms) {
    this.velocities = new ArrowLayer(scene, uniforms)
    this.spins = new ArrowLayer(scene, uniforms)
    this.lines = new SegmentLayer(scene, uniforms)
    this.points = new PointLayer(scene, uniforms)
  }

  set(scene: PosedScene, state: ViewState, scales: ArrowScales, shown: Uint8Array, origin: Vec3): void {
    const layers = [this.velocities, this.spins, this.points, this.lines]
    for (const layer of layers) {
      layer.begin(origin)
      layer.setXray(true)
    }
    this.velocities.setLengthScale(scales.velocity)
    this.spins.setLengthScale(scales.spin)
    const { velocities, massCenters, inertiaEllipsoids, axes } = state.overlays
    const bodies = bodiesOf(scene.scene)
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      const selected = state.selected.has(body.id)
      if (!(velocities || massCenters || inertiaEllipsoids || (axes && selected))) continue
      if (shown[b] === 0 || !scene.exists(b)) continue
      if (velocities && scene.plan.kinds[b] !== 1) this.addVelocities(scene, b)
      if (axes && selected) this.addAxes(scene, b)
      // Shows mass properties of the selected bodies; of all bodies if nothing is selected.
      if ((massCenters || inertiaEllipsoids) && scene.plan.kinds[b] === 0 && (selected || state.selected.size === 0)) {
        this.addMass(scene, b, massCenters, inertiaEllipsoids)
      }
    }
    for (const layer of layers) layer.end()
  }

  private addVelocities(scene: PosedScene, b: number): void {
    const body = bodiesOf(scene.scene)[b]!
    const center = toOuter(scene.pose(b), massOf(body, scene.scene)?.centerOfMass ?? [0, 0, 0])
    const at = b * BODY_STRIDE
    const c = scene.columns
    this.velocities.add(center[0], center[1], center[2], c[at + 7]!, c[at + 8]!, c[at + 9]!, VELOCITY)
    this.spins.add(center[0], center[1], center[2], c[at + 10]!, c[at + 11]!, c[at + 12]!, SPIN, 0.8)
  }

  private addAxes(scene: PosedScene, b: number): void {
    const pose = scene.pose(b)
    const reach = 0.5 * (scene.plan.radii[b]! || 0.5)
    const unit = [[reach, 0, 0], [0, reach, 0], [0, 0, reach]] as const
    unit.forEach((v, k) => this.lines.addVectors(pose.position, toOuter(pose, v), AXES[k]!, 2))
  }

  private addMass(scene: PosedScene, b: number, center: boolean, ellipsoid: boolean): void {
    const mass = massOf(bodiesOf(scene.scene)[b]!, scene.scene)
    if (!mass) return
    const pose = scene.pose(b)
    const at = toOuter(pose, mass.centerOfMass)
    if (center) {
      this.points.add(at[0], at[1], at[2], INK, 6, true)
      this.points.add(at[0], at[1], at[2], INK, 2.5)
    }
    if (!ellipsoid) return
    const { values, axes } = principalAxes(mass.inertia)
    const semi = inertiaSemiAxes(values, mass.mass)
    const along = axes.map((axis, k) => rotate(pose.orientation, scale(axis, semi[k]!))) as [Vec3, Vec3, Vec3]
    for (const [i, j, k] of [[0, 1, 2], [1, 2, 0], [2, 0, 1]] as const) {
      const point = (step: number) => {
        const angle = 2 * Math.PI * step / ROUND
        return add(at, add(scale(along[i], Math.cos(angle)), scale(along[j], Math.sin(angle))))
      }
      for (let step = 0; step < ROUND; step++) this.lines.addVectors(point(step), point(step + 1), AXES[k], 1.4)
    }
  }

  dispose(): void {
    for (const layer of [this.velocities, this.spins, this.points, this.lines]) layer.dispose()
  }
}
