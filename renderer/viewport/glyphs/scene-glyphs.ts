/**
 * Everything drawn to explain a scene: contacts, impacts, joints, sensors, axes and velocities of bodies, forces and trails. Keeps the displayed data,
 * and compiles the changed parts to glyphs before a frame is drawn.
 */

import type { Scene } from '@babylonjs/core/scene'
import type { Joint } from '../../../core/scene'
import type { ContactFrame, TrajectoryEvent } from '../../../core/trajectory/frame'
import type { Vec3 } from '../../../core/math/vector'
import type { SharedUniforms } from '../layers/uniforms'
import type { PosedScene } from '../posed-scene'
import type { ViewState } from '../view-state'
import type { ArrowScales } from './arrow-scale'
import { BodyGlyphs } from './bodies'
import { ContactGlyphs } from './contacts'
import { ForceGlyphs, type RecordedForces } from './forces'
import { impactsIn, ImpactGlyphs, type Impact } from './impacts'
import { JointGlyphs } from './joints'
import { ArrowScaling } from './scaling'
import { SensorGlyphs } from './sensors'
import { TrailGlyphs, type Trail } from './trails'
import { VertexConditionGlyphs } from './vertex-conditions'

/** What glyphs are compiled for. */
export interface GlyphContext {
  readonly posed: PosedScene
  readonly state: ViewState
  /** Against gravity, of any length. */
  readonly up: Vec3
  /** 1 for each visible body, else 0. */
  readonly shown: Uint8Array
  /** Origin of the single precision coordinates, m. */
  readonly origin: Vec3
}

export class SceneGlyphs {
  readonly scaling = new ArrowScaling(() => this.invalidate('contacts', 'glyphs', 'impacts'))
  contacts: ContactFrame | null = null
  private readonly contactGlyphs: ContactGlyphs
  private readonly impactGlyphs: ImpactGlyphs
  private readonly jointGlyphs: JointGlyphs
  private readonly sensorGlyphs: SensorGlyphs
  private readonly bodyGlyphs: BodyGlyphs
  private readonly forceGlyphs: ForceGlyphs
  private readonly trailGlyphs: TrailGlyphs
  private readonly conditionGlyphs: VertexConditionGlyphs
  private broken: ReadonlySet<string> = new Set()
  private absent: ReadonlySet<string> = new Set()
  private planned: Joint | null = null
  private trails: readonly Trail[] = []
  private events: readonly TrajectoryEvent[] = []
  private impacts: readonly Impact[] = []
  private time = 0
  private recorded: RecordedForces | null = null
  /** Parts that must be compiled again before the next frame. */
  private readonly dirty = { contacts: true, glyphs: true, impacts: true, trails: true }

  /** @param changed called when something must be drawn again */
  constructor(scene: Scene, uniforms: SharedUniforms, private readonly changed: () => void) {
    this.contactGlyphs = new ContactGlyphs(scene, uniforms)
    this.impactGlyphs = new ImpactGlyphs(scene, uniforms)
    this.jointGlyphs = new JointGlyphs(scene, uniforms)
    this.sensorGlyphs = new SensorGlyphs(scene, uniforms)
    this.bodyGlyphs = new BodyGlyphs(scene, uniforms)
    this.forceGlyphs = new ForceGlyphs(scene, uniforms)
    this.trailGlyphs = new TrailGlyphs(scene, uniforms)
    this.conditionGlyphs = new VertexConditionGlyphs(scene, uniforms)
  }

  get scales(): ArrowScales {
    return this.scaling.scales
  }

  /** N: the largest of the scene's forces that are drawn. */
  get applied(): number {
    return this.forceGlyphs.largest
  }

  setContacts(contacts: ContactFrame | null): void {
    this.contacts = contacts
    this.scaling.addContacts(contacts)
    this.invalidate('contacts', 'glyphs')
  }

  /** Ids of the joints that are broken at the displayed time. */
  setBroken(ids: ReadonlySet<string>): void {
    if (ids.size === 0 && this.broken.size === 0) return
    this.broken = ids
    this.invalidate('glyphs')
  }

  /** Ids of the joints that do not exist at the displayed time. */
  setAbsentJoints(ids: ReadonlySet<string>): void {
    this.absent = ids
    this.invalidate('glyphs')
  }

  /** A joint that is about to be made. */
  setPlannedJoint(joint: Joint | null): void {
    if (joint === this.planned) return
    this.planned = joint
    this.invalidate('glyphs')
  }

  /** Recorded forces of the displayed frame, for forces that depend on states or scripts. */
  setRecordedForces(forces: RecordedForces | null): void {
    if (forces === null && this.recorded === null) return
    this.recorded = forces
    this.invalidate('glyphs')
  }

  setEvents(events: readonly TrajectoryEvent[], from: number, to: number): void {
    if (events !== this.events) {
      this.events = events
      this.scaling.setEvents(events)
    }
    // A run that is being computed adds events, mostly of later times.
    const impacts = impactsIn(events, from, to)
    if (impacts.length === this.impacts.length && impacts.every((impact, i) => impact === this.impacts[i])) return
    this.impacts = impacts
    this.invalidate('impacts')
  }

  setTime(time: number): void {
    if (time === this.time) return
    this.time = time
    this.invalidate('glyphs')
  }

  setTrails(trails: readonly Trail[]): void {
    if (trails.length === 0 && this.trails.length === 0) return
    this.trails = trails
    this.invalidate('trails')
  }

  invalidate(...parts: (keyof typeof this.dirty)[]): void {
    for (const part of parts) this.dirty[part] = true
    this.changed()
  }

  invalidateAll(): void {
    this.invalidate('contacts', 'glyphs', 'impacts', 'trails')
  }

  /** @param highlighted highlights of bodies changed, which glyphs of bodies and joints follow */
  compile(context: GlyphContext, highlighted: boolean): void {
    const { dirty } = this
    const { state, origin } = context
    if (dirty.contacts) this.compileContacts(context)
    if (dirty.glyphs || highlighted) this.compileGlyphs(context)
    if (dirty.impacts) this.compileImpacts(context)
    if (dirty.trails) this.trailGlyphs.set(state.overlays.trails ? this.trails : [], origin)
    dirty.contacts = dirty.glyphs = dirty.impacts = dirty.trails = false
    this.scaling.addApplied(this.forceGlyphs.largest)
  }

  private compileContacts({ state, up, shown, origin }: GlyphContext): void {
    const { selectedContact: selected, hoveredContact: hovered } = state
    const options = { overlays: state.overlays, side: state.actionSide, up, scales: this.scales, xray: state.xray, selected, hovered, shown }
    this.contactGlyphs.set(this.contacts, options, origin)
  }

  private compileGlyphs({ posed, state, shown, origin }: GlyphContext): void {
    const { scales, scaling: { radius } } = this
    const { broken, absent, planned } = this
    const joints = { shown: state.overlays.joints, hidden: state.hidden, selected: state.selected, broken, absent, planned }
    this.jointGlyphs.set(posed, joints, radius, origin)
    this.conditionGlyphs.set(state.overlays.joints ? posed : null, state.hidden, state.selected, origin)
    this.sensorGlyphs.set(state.overlays.sensors ? posed : null, state.hidden, state.selected, radius, this.contacts, origin)
    this.bodyGlyphs.set(posed, state, scales, shown, origin)
    this.forceGlyphs.set(state.overlays.forces ? posed : null, this.time, state, scales, origin, this.recorded)
  }

  private compileImpacts({ state, origin }: GlyphContext): void {
    const side = state.actionSide === 'upper' ? 'A' as const : state.actionSide
    const options = { side, xray: state.xray, lengthScale: this.scales.impulse }
    this.impactGlyphs.set(state.overlays.impulses ? this.impacts : [], options, origin)
  }
}
