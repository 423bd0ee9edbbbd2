/** Forces of the document: arrows at the points where they act, springs as coils, wind boxes, centres of attraction. */

import type { Scene as BabylonScene } from '@babylonjs/core/scene'
import { bodiesOf, forcesOf } from '../../state/scene-access'
import type { Force, ForceOf } from '../../../core/scene'
import { toOuter } from '../../../core/math/pose'
import { rotate } from '../../../core/math/quaternion'
import { add, addScaled, cross, length, normalize, perpendicular, scale, sub, type Vec3 } from '../../../core/math/vector'
import { WRENCH_SOURCES, type ForceFrame } from '../../../core/trajectory/frame'
import { ArrowLayer, PointLayer, SegmentLayer } from '../layers/glyph-layers'
import type { SharedUniforms } from '../layers/uniforms'
import type { PosedScene } from '../posed-scene'
import { paletteIndex } from '../theme'
import type { ViewState } from '../view-state'
import type { ArrowScales } from './arrow-scale'
import { massOf } from './body-mass'

const FORCE = paletteIndex('force')
const TORQUE = paletteIndex('spin')
const ACCENT = paletteIndex('accent')
const COILS = 8
const PER_COIL = 12

/** The wrenches of one recorded frame, and the ids of the forces that cause them. */
export interface RecordedForces {
  readonly forceIds: readonly string[]
  readonly frame: ForceFrame
}

const FORCE_SOURCE = WRENCH_SOURCES.indexOf('force')
/** Forces that depend on the state of the bodies or on a script, and are shown as recorded. */
const OF_RECORD: ReadonlySet<Force['type']> = new Set<Force['type']>(['drag', 'wind', 'script', 'attractor', 'guide'])

export class ForceGlyphs {
  private readonly arrows: ArrowLayer
  private readonly torques: ArrowLayer
  private readonly lines: SegmentLayer
  private readonly points: PointLayer
  private color = FORCE

  /** N: the largest of the forces that are drawn. */
  largest = 0

  constructor(scene: BabylonScene, uniforms: SharedUniforms) {
    this.arrows = new ArrowLayer(scene, uniforms)
    this.torques = new ArrowLayer(scene, uniforms)
    this.lines = new SegmentLayer(scene, uniforms)
    this.points = new PointLayer(scene, uniforms)
  }

  /** Draws the forces at `time` (s). Forces that depend on states or scripts use their record if there is one. */
  set(scene: PosedScene | null, time: number, state: ViewState, scales: ArrowScales, origin: Vec3, recorded: RecordedForces | null): void {
    const layers = [this.arrows, this.torques, this.lines, this.points]
    for (const layer of layers) {
      layer.begin(origin)
      layer.setXray(state.xray)
    }
    this.arrows.setLengthScale(scales.force)
    this.largest = 0
    // A torque is as long as the force that causes it at a typical lever arm.
    this.torques.setLengthScale(scales.force / Math.max(scales.unit, 1e-9))
    if (scene) {
      for (const force of forcesOf(scene.scene)) {
        this.color = state.selected.has(force.id) ? ACCENT : FORCE
        if (!state.hidden.has(force.id)) this.addForce(scene, force, time, scales)
        if (recorded && OF_RECORD.has(force.type) && !state.hidden.has(force.id)) this.addRecorded(scene, recorded, force.id)
      }
    }
    for (const layer of layers) layer.end()
  }

  private addForce(scene: PosedScene, force: Force, time: number, scales: ArrowScales): void {
    switch (force.type) {
      case 'uniform':
        for (const b of affected(scene, force.bodies)) this.arrow(centerOf(scene, b), force.force)
        return
      case 'point': return this.addAt(scene, force.body, force.point, force.frame === 'body', force.force)
      case 'torque': return this.addTorque(scene, force.body, force.frame === 'body', force.torque)
      case 'spring': return this.addSpring(scene, force, scales.unit)
      case 'attractor': return this.addAttractor(scene, force)
      case 'wind': return this.addWind(force, scales)
      case 'keyframed': {
        const value = keyframeAt(force, time)
        if (!value) return
        const b = scene.index.get(force.body)
        const point = force.point ?? (b === undefined ? [0, 0, 0] as const : massOf(bodiesOf(scene.scene)[b]!, scene.scene)?.centerOfMass ?? [0, 0, 0] as const)
        this.addAt(scene, force.body, point, force.frame === 'body', value.force)
        return this.addTorque(scene, force.body, force.frame === 'body', value.torque)
      }
      // Drag depends on the velocities, and scripts run only in the engine: their arrows come from the record.
      case 'pair':
      case 'lennard-jones':
      case 'drag':
      case 'guide':
      case 'script': return
    }
  }

  private arrow(at: Vec3, force: Vec3): void {
    this.largest = Math.max(this.largest, length(force))
    this.arrows.add(at[0], at[1], at[2], force[0], force[1], force[2], this.color, 1)
  }

  private addAt(scene: PosedScene, id: string, point: Vec3, inBody: boolean, force: Vec3): void {
    const b = scene.index.get(id)
    if (b === undefined || !scene.exists(b)) return
    const pose = scene.pose(b)
    this.arrow(toOuter(pose, point), inBody ? rotate(pose.orientation, force) : force)
  }

  /** Drawn at the centre of mass, about which the recorded torque is taken. */
  private addRecorded(scene: PosedScene, { forceIds, frame }: RecordedForces, id: string): void {
    const source = forceIds.indexOf(id)
    for (let k = 0; k < frame.source.length; k++) {
      if (frame.source[k] !== source || frame.sourceKind[k] !== FORCE_SOURCE) continue
      const b = frame.sourceBody[k]!
      if (!scene.exists(b)) continue
      const at = (from: number): Vec3 => [frame.wrench[from]!, frame.wrench[from + 1]!, frame.wrench[from + 2]!]
      this.arrow(centerOf(scene, b), at(6 * k))
      this.addTorque(scene, bodiesOf(scene.scene)[b]!.id, false, at(6 * k + 3))
    }
  }

  private addTorque(scene: PosedScene, id: string, inBody: boolean, torque: Vec3): void {
    const b = scene.index.get(id)
    if (b === undefined || !scene.exists(b) || length(torque) === 0) return
    const at = centerOf(scene, b)
    const t = inBody ? rotate(scene.orientation(b), torque) : torque
    this.torques.add(at[0], at[1], at[2], t[0], t[1], t[2], this.color === ACCENT ? ACCENT : TORQUE, 1)
    // Three quarters of a turn around the arrow distinguish a torque from a force.
    const axis = normalize(t)
    const u = perpendicular(axis)
    const radius = 0.3 * (scene.plan.radii[b]! || 0.5)
    const point = (angle: number) => add(at, add(scale(u, radius * Math.cos(angle)), scale(cross(axis, u), radius * Math.sin(angle))))
    for (let i = 0; i < 18; i++) this.lines.addVectors(point(i * Math.PI / 12), point((i + 1) * Math.PI / 12), TORQUE, 1.5)
  }

  private addSpring(scene: PosedScene, spring: ForceOf<'spring'>, unit: number): void {
    const a = endOf(scene, spring.bodyA, spring.pointA ?? [0, 0, 0])
    const b = endOf(scene, spring.bodyB, spring.pointB ?? [0, 0, 0])
    if (!a || !b) return
    const along = sub(b, a)
    const l = length(along)
    this.points.add(a[0], a[1], a[2], this.color, 3)
    this.points.add(b[0], b[1], b[2], this.color, 3)
    if (l === 0) return
    const axis = scale(along, 1 / l)
    const u = perpendicular(axis)
    const v = cross(axis, u)
    const radius = Math.min(unit * 0.18, l * 0.2)
    const steps = COILS * PER_COIL
    let former = a
    for (let i = 1; i <= steps; i++) {
      const s = i / steps
      const angle = 2 * Math.PI * COILS * s
      // The coil narrows at both ends to the points where the spring is attached.
      const r = radius * Math.min(1, 8 * s, 8 * (1 - s))
      const point = add(addScaled(a, axis, l * s), add(scale(u, r * Math.cos(angle)), scale(v, r * Math.sin(angle))))
      this.lines.addVectors(former, point, this.color, 1.5)
      former = point
    }
  }

  private addAttractor(scene: PosedScene, force: ForceOf<'attractor'>): void {
    const center = endOf(scene, force.body ?? null, force.center ?? [0, 0, 0])
    if (!center) return
    this.points.add(center[0], center[1], center[2], this.color, 7, true)
    this.points.add(center[0], center[1], center[2], this.color, 3)
    for (const b of affected(scene, force.bodies)) this.lines.addVectors(center, centerOf(scene, b), this.color, 1, 4)
  }

  private addWind(force: ForceOf<'wind'>, scales: ArrowScales): void {
    if (!force.box) return
    const { min, max } = force.box
    const corner = (i: number): Vec3 => [i & 1 ? max[0] : min[0], i & 2 ? max[1] : min[1], i & 4 ? max[2] : min[2]]
    for (let i = 0; i < 8; i++) {
      for (const bit of [1, 2, 4]) if (!(i & bit)) this.lines.addVectors(corner(i), corner(i | bit), this.color, 1.2, 5)
    }
    const factor = scales.velocity / scales.force
    const v = scale(force.velocity, factor)
    for (let i = 0; i < 8; i++) {
      const inner = corner(i).map((c, k) => c + 0.5 * ((min[k]! + max[k]!) / 2 - c)) as unknown as Vec3
      this.arrows.add(inner[0], inner[1], inner[2], v[0], v[1], v[2], this.color, 1)
    }
  }

  dispose(): void {
    for (const layer of [this.arrows, this.torques, this.lines, this.points]) layer.dispose()
  }
}

/** Indices of the bodies that a force acts on: the named ones, or all dynamic ones. */
function affected(scene: PosedScene, ids: readonly string[] | undefined): number[] {
  const all = ids ? ids.map(id => scene.index.get(id) ?? -1) : Array.from({ length: scene.count }, (_, b) => b)
  return all.filter(b => b >= 0 && scene.plan.kinds[b] === 0 && scene.exists(b))
}

function centerOf(scene: PosedScene, b: number): Vec3 {
  return toOuter(scene.pose(b), massOf(bodiesOf(scene.scene)[b]!, scene.scene)?.centerOfMass ?? [0, 0, 0])
}

function endOf(scene: PosedScene, id: string | null, point: Vec3): Vec3 | null {
  if (id === null) return point
  const b = scene.index.get(id)
  return b !== undefined && scene.exists(b) ? toOuter(scene.pose(b), point) : null
}

/** The keyframed force and torque at a time, as the schema defines them; null without keyframes. */
export function keyframeAt(force: ForceOf<'keyframed'>, time: number): { force: Vec3; torque: Vec3 } | null {
  const { keys } = force
  const value = (i: number) => ({ force: keys[i]!.force ?? [0, 0, 0] as Vec3, torque: keys[i]!.torque ?? [0, 0, 0] as Vec3 })
  const next = keys.findIndex(key => key.time > time)
  const last = next < 0 ? keys.length - 1 : next - 1
  if (last < 0 || (next < 0 && keys[last]!.time < time)) {
    return force.outside === 'zero' ? null : value(last < 0 ? 0 : last)
  }
  if (next < 0) return value(last)
  const [from, to] = [value(last), value(next)]
  const span = keys[next]!.time - keys[last]!.time
  const s = (time - keys[last]!.time) / span
  const slope = (i: number, k: 'force' | 'torque'): Vec3 => {
    const jump = (x: number, y: number) => keys[x] === undefined || keys[y] === undefined || keys[x]!.time === keys[y]!.time
    const [before, after] = jump(i - 1, i) || jump(i, i + 1) ? [last, next] : [i - 1, i + 1]
    return scale(sub(value(after)[k], value(before)[k]), 1 / (keys[after]!.time - keys[before]!.time))
  }
  const blend = (k: 'force' | 'torque'): Vec3 => {
    if (force.interpolation !== 'cubic') return addScaled(scale(from[k], 1 - s), to[k], s)
    const hermite = add(scale(from[k], 1 + s * s * (2 * s - 3)), scale(to[k], s * s * (3 - 2 * s)))
    return add(hermite, add(scale(slope(last, k), span * s * (1 - s) * (1 - s)), scale(slope(next, k), -span * s * s * (1 - s))))
  }
  return { force: blend('force'), torque: blend('torque') }
}
