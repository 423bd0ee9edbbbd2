/** Contacts as points, normals, forces and friction cones. Writes into arrays; allocates nothing. */

import type { Scene } from '@babylonjs/core/scene'
import type { Vec3 } from '../../../core/math/vector'
import type { ContactFrame } from '../../../core/trajectory/frame'
import type { ActionSide, Overlays } from '../../state/view'
import { ArrowLayer, ConeLayer, PointLayer, SegmentLayer } from '../layers/glyph-layers'
import type { SharedUniforms } from '../layers/uniforms'
import { paletteIndex } from '../theme'
import type { ArrowScales } from './arrow-scale'
import { contactRegions, pointOf } from './contact-regions'

export interface ContactOptions {
  readonly overlays: Overlays
  readonly side: ActionSide
  /** Direction against gravity, of any length; zero without gravity. */
  readonly up: Vec3
  readonly scales: ArrowScales
  readonly xray: boolean
  /** Index of the contact in the frame, or −1. */
  readonly selected: number
  readonly hovered: number
  /** Per body: 0 if it is hidden. */
  readonly shown: Uint8Array
}

const INK = paletteIndex('ink')
const ACCENT = paletteIndex('accent')
const MUTED = paletteIndex('muted')
/** `CONTACT_MODES` and the palette begin with the same four. */
const SLIDING = paletteIndex('sliding')

/** 1 if the force on A is shown, −1 if the force on B is, null for both. */
export function signOf({ normal }: ContactFrame, i: number, { side, up }: Pick<ContactOptions, 'side' | 'up'>): 1 | -1 | null {
  if (side === 'both') return null
  if (side !== 'upper') return side === 'A' ? 1 : -1
  return normal[3 * i]! * up[0] + normal[3 * i + 1]! * up[1] + normal[3 * i + 2]! * up[2] >= 0 ? 1 : -1
}

export class ContactGlyphs {
  private readonly points: PointLayer
  private readonly normals: ArrowLayer
  private readonly forces: ArrowLayer
  private readonly cones: ConeLayer
  private readonly regions: SegmentLayer

  constructor(scene: Scene, uniforms: SharedUniforms) {
    this.regions = new SegmentLayer(scene, uniforms)
    this.cones = new ConeLayer(scene, uniforms)
    this.normals = new ArrowLayer(scene, uniforms)
    this.forces = new ArrowLayer(scene, uniforms)
    this.points = new PointLayer(scene, uniforms)
  }

  set(contacts: ContactFrame | null, options: ContactOptions, origin: Vec3): void {
    for (const layer of this.layers) {
      layer.begin(origin)
      layer.setXray(options.xray)
    }
    this.normals.setLengthScale(options.scales.unit)
    this.forces.setLengthScale(options.scales.force)
    this.cones.setLengthScale(options.scales.force)
    if (contacts) {
      for (let i = 0; i < contacts.count; i++) {
        const a = contacts.bodyA[i]!
        const b = contacts.bodyB[i]!
        if ((options.shown[a] ?? 1) > 0 || (options.shown[b] ?? 1) > 0) this.add(contacts, i, options)
      }
      if (options.overlays.contactRegions) this.addRegions(contacts, options.shown)
    }
    for (const layer of this.layers) layer.end()
  }

  private get layers() {
    return [this.regions, this.points, this.normals, this.forces, this.cones]
  }

  private addRegions(contacts: ContactFrame, shown: Uint8Array): void {
    for (const region of contactRegions(contacts)) {
      const first = region[0]!
      if ((shown[contacts.bodyA[first]!] ?? 1) === 0 && (shown[contacts.bodyB[first]!] ?? 1) === 0) continue
      const ends = region.length === 2 ? 1 : region.length
      for (let k = 0; k < ends; k++) {
        const p = pointOf(contacts, region[k]!)
        const q = pointOf(contacts, region[(k + 1) % region.length]!)
        this.regions.add(p[0], p[1], p[2], q[0], q[1], q[2], INK, 1.2)
      }
    }
  }

  private add(contacts: ContactFrame, i: number, options: ContactOptions): void {
    const { overlays } = options
    const at = 3 * i
    const x = contacts.point[at]!
    const y = contacts.point[at + 1]!
    const z = contacts.point[at + 2]!
    const chosen = i === options.selected
    const mode = contacts.mode[i]!
    if (overlays.contactPoints || chosen) this.points.add(x, y, z, mode, chosen ? 5 : 3.2)
    if (chosen || i === options.hovered) this.points.add(x, y, z, ACCENT, 10, true)
    if (overlays.contactNormals || chosen) {
      const s = signOf(contacts, i, options) ?? 1
      this.normals.add(x, y, z, s * contacts.normal[at]!, s * contacts.normal[at + 1]!, s * contacts.normal[at + 2]!, MUTED, 0.7)
    }
    const sign = signOf(contacts, i, options)
    if (sign !== -1) this.addForces(contacts, i, 1, options, chosen)
    if (sign !== 1) this.addForces(contacts, i, -1, options, chosen)
  }

  /** `sign` 1: the force on A; −1: on B. */
  private addForces(contacts: ContactFrame, i: number, sign: number, { overlays }: ContactOptions, chosen: boolean): void {
    const at = 3 * i
    const x = contacts.point[at]!
    const y = contacts.point[at + 1]!
    const z = contacts.point[at + 2]!
    const f = sign * contacts.normalForce[i]!
    const nx = f * contacts.normal[at]!
    const ny = f * contacts.normal[at + 1]!
    const nz = f * contacts.normal[at + 2]!
    const tx = sign * contacts.frictionForce[at]!
    const ty = sign * contacts.frictionForce[at + 1]!
    const tz = sign * contacts.frictionForce[at + 2]!
    const mode = contacts.mode[i]!
    if (overlays.normalForces || chosen) this.forces.add(x, y, z, nx, ny, nz, mode, chosen ? 1.25 : 1)
    if (overlays.frictionForces || chosen) this.forces.add(x, y, z, tx, ty, tz, mode, chosen ? 1.05 : 0.8)
    if (overlays.totalForces || chosen) this.forces.add(x, y, z, nx + tx, ny + ty, nz + tz, chosen ? ACCENT : INK, 1.1)
    if (overlays.frictionCones || chosen) {
      const slope = mode === SLIDING ? contacts.dynamicFriction[i]! : contacts.staticFriction[i]!
      if (slope > 0) this.cones.add(x, y, z, nx, ny, nz, slope, mode)
    }
  }

  dispose(): void {
    for (const layer of this.layers) layer.dispose()
  }
}
