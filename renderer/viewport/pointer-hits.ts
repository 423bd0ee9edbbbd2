/** Finds the objects under the pointer: bodies, deformables, joints, sensors and contacts. */

import { toInner } from '../../core/math/pose'
import type { Vec3 } from '../../core/math/vector'
import type { ContactKey } from '../../main/protocol/runs'
import { contactKey } from '../state/contact-list'
import { usePick } from '../state/pick'
import { bodiesOf } from '../state/scene-access'
import { useView } from '../state/view'
import type { Hit } from '../state/viewport-api'
import { rayThrough, toPixel, toPixelInto } from './camera/projection'
import { surfaceAt, type SurfaceTarget } from './gizmos/surface-snap'
import { jointNear } from './glyphs/joints'
import { sensorNear } from './glyphs/sensors'
import { castRay } from './picking'
import { vertexNear } from './deformables/vertex-near'
import type { SceneView } from './scene-view'

/** CSS pixels within which a contact, and a joint or sensor, is hit. */
const CONTACT_REACH = 9
const JOINT_REACH = 9
/** CSS pixels within which a vertex is hit. */
const VERTEX_REACH = 14

/** A hit snapped to a nearby feature. */
export interface PickedHit extends Hit {
  readonly kind?: SurfaceTarget['kind']
}

export class PointerHits {
  private readonly viewStore = useView()
  private readonly pick = usePick()

  constructor(private readonly view: SceneView) {}

  /** Id of the joint, sensor, deformable or body under a pixel. */
  idAt(x: number, y: number): string | null {
    const { posed } = this.view
    if (!posed) return null
    if (!this.pick.request && this.viewStore.overlays.joints) {
      const view = this.view.currentProjection()
      const joint = jointNear(posed, this.viewStore.hidden, point => toPixel(view, point), x, y, JOINT_REACH)
      if (joint && !this.viewStore.locked.has(joint)) return joint
    }
    if (!this.pick.request && this.viewStore.overlays.sensors) {
      const view = this.view.currentProjection()
      const sensor = sensorNear(posed, this.viewStore.hidden, point => toPixel(view, point), x, y, JOINT_REACH)
      if (sensor && !this.viewStore.locked.has(sensor)) return sensor
    }
    const body = castRay(posed, rayThrough(this.view.currentProjection(), x, y), this.view.pickable)
    const deformable = this.pick.request ? null : this.view.deformableAt(x, y)
    if (deformable && (!body || deformable.distance < body.distance)) return deformable.id
    return body && bodiesOf(posed.scene)[body.body]!.id
  }

  hitAt(x: number, y: number): Hit | null {
    const { posed } = this.view
    const hit = posed && castRay(posed, rayThrough(this.view.currentProjection(), x, y), this.view.pickable)
    return hit && { body: bodiesOf(posed.scene)[hit.body]!.id, shape: hit.shape, point: hit.point, normal: hit.normal, edge: hit.edge }
  }

  /**
   * Result of a pick at a pixel. Unless snapping is off, points snap to a nearby corner, edge or face centre. A direction is that of an edge only near
   * to it, else the normal of the face.
   */
  pickedAt(x: number, y: number): PickedHit | null {
    if (this.pick.request?.what === 'place') return this.vertexAt(x, y, this.pick.request.without) ?? this.bodyPointAt(x, y)
    const hit = this.hitAt(x, y)
    const { posed } = this.view
    const what = this.pick.request?.what
    if (!hit || !posed || what === 'body') return hit
    if (what === 'point') return this.snapped(hit, x, y)
    const target = surfaceAt(posed, this.view.currentProjection(), x, y, this.view.pickable)
    return target?.isAlongEdge === false ? { ...hit, edge: null } : hit
  }

  private snapped(hit: Hit, x: number, y: number): PickedHit {
    const { posed } = this.view
    const target = posed && this.viewStore.snapping.enabled ? surfaceAt(posed, this.view.currentProjection(), x, y, this.view.pickable) : null
    return target ? { ...hit, point: target.point, kind: target.kind } : hit
  }

  private bodyPointAt(x: number, y: number): PickedHit | null {
    const { posed } = this.view
    const hit = this.hitAt(x, y)
    if (!hit || !posed) return null
    const snapped = this.snapped(hit, x, y)
    return { ...snapped, inBody: toInner(posed.pose(posed.index.get(hit.body)!), snapped.point) }
  }

  /** The vertex near a pixel, of all deformables but one. */
  private vertexAt(x: number, y: number, without: string | undefined): PickedHit | null {
    const { posed } = this.view
    const deformables = posed?.scene.deformables ?? []
    const wanted = (index: number): boolean => {
      const { id } = deformables[index]!
      return id !== without && !this.viewStore.hidden.has(id) && !this.viewStore.locked.has(id)
    }
    const found = posed && vertexNear(posed, this.view.currentProjection(), x, y, wanted, VERTEX_REACH)
    if (!posed || !found) return null
    const at = 3 * (posed.particlesOf(found.deformable)[0] + found.vertex)
    const [px, py, pz] = posed.particlePlaces.subarray(at, at + 3) as unknown as Vec3
    return { body: deformables[found.deformable]!.id, shape: -1, point: [px, py, pz], normal: [0, 0, 1], edge: null, vertex: found.vertex, kind: 'vertex' }
  }

  /** The contact whose point is drawn within a few pixels. */
  contactAt(x: number, y: number): ContactKey | null {
    const contacts = this.view.glyphs.contacts
    const { posed } = this.view
    if (!contacts || !posed || !this.viewStore.overlays.contactPoints) return null
    const view = this.view.currentProjection()
    const pixel: [number, number, number] = [0, 0, 0]
    let best = -1
    let least = CONTACT_REACH
    for (let i = 0; i < contacts.count; i++) {
      if (!toPixelInto(view, contacts.point[3 * i]!, contacts.point[3 * i + 1]!, contacts.point[3 * i + 2]!, pixel)) continue
      const d = Math.hypot(pixel[0] - x, pixel[1] - y)
      if (d < least) {
        least = d
        best = i
      }
    }
    return best < 0 ? null : contactKey(contacts, best, {
      bodyIds: bodiesOf(posed.scene).map(body => body.id), deformableIds: (posed.scene.deformables ?? []).map(({ id }) => id),
    })
  }
}
