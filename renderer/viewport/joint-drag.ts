/** Dragging a body or an instance with joints in Compose: the mechanism follows kinematically, without simulation. One edit; Esc cancels it. */

import { DegenerateJointError } from '../../core/dynamics/joints'
import { toInner, toOuter } from '../../core/math/pose'
import type { Vec3 } from '../../core/math/vector'
import type { Joint, Scene } from '../../core/scene'
import { applyAssembly, assemblyAt, type PulledAssembly } from '../modelling/assembly-edit'
import { wholeOf } from '../modelling/pieces'
import { useDocument } from '../state/document'
import { startGesture, type Gesture } from '../state/gesture'
import { jointsOf, orientationOf, positionOf } from '../state/scene-access'
import { useShell } from '../state/shell'
import { useView } from '../state/view'
import type { Hit } from '../state/viewport-api'
import { meetPlane, rayThrough, type Projection } from './camera/projection'
import { sightAt } from './gizmos/handles'
import type { PosedScene } from './posed-scene'

/** Additional iterations after the last pointer move. */
const SETTLING = 8

export class JointDrag {
  private gesture: Gesture | null = null
  private pulled: PulledAssembly | null = null
  private before: Scene | null = null
  /** m, frame of the body or the instance. */
  private point: Vec3 | null = null
  /** m, world: the last target of the point. */
  private last: Vec3 | null = null

  /** @param at grabbed point, m, world, in the document */
  private constructor(private readonly id: string, private readonly at: Vec3, private readonly normal: Vec3) {}

  /** Whether pressing on this body may drag it: in Compose, with the select tool, if a joint acts on it. */
  static mayPull(hit: Hit | null): boolean {
    const { scene } = useDocument()
    if (!hit || useShell().workspace !== 'compose' || useView().gizmo !== 'select') return false
    const pulled = wholeOf(scene, hit.body)
    const holds = (joint: Joint) => {
      if (joint.type === 'gear') return false
      const [a, b] = [joint.bodyA, joint.bodyB].map(id => id === null ? null : wholeOf(scene, id))
      return (a === pulled) !== (b === pulled)
    }
    return jointsOf(scene).some(holds) && (scene.bodies?.find(body => body.id === hit.body)?.type ?? 'dynamic') === 'dynamic'
  }

  static begin(hit: Hit | null, posed: PosedScene | null, view: Projection): JointDrag | null {
    const index = hit && posed ? posed.index.get(hit.body) : undefined
    if (!hit || !posed || index === undefined || !JointDrag.mayPull(hit)) return null
    const body = useDocument().scene.bodies!.find(one => one.id === hit.body)!
    const point = toInner(posed.pose(index), hit.point)
    // The position in the document, since a run may be displayed at a later time.
    const at = toOuter({ position: positionOf(body), orientation: orientationOf(body) }, point)
    return new JointDrag(hit.body, at, sightAt(view, at))
  }

  move(x: number, y: number, view: Projection): void {
    if (!this.gesture) this.start()
    this.last = meetPlane(rayThrough(view, x, y), this.at, this.normal) ?? this.last
    if (this.last) this.follow(this.last)
  }

  private follow(target: Vec3): void {
    const { pulled, point, before, gesture } = this
    if (!pulled || !point || !before || !gesture?.open) return
    try {
      pulled.assembly.pull(pulled.body, point, target, pulled.size)
    } catch (error) {
      // The pose at the pointer makes a joint degenerate: the mechanism stays where it was.
      if (!(error instanceof DegenerateJointError)) throw error
    }
    gesture.update(draft => applyAssembly(draft, before, pulled))
  }

  release(): void {
    // Completes the motion: between two pointer moves there is time for few iterations only.
    for (let k = 0; k < SETTLING && this.last; k++) this.follow(this.last)
    this.gesture?.commit()
  }

  cancel(): void {
    this.gesture?.cancel()
  }

  private start(): void {
    const document = useDocument()
    this.gesture = startGesture('pull')
    this.before = document.scene
    try {
      this.pulled = assemblyAt(this.before, this.id)
      this.point = this.pulled && toInner(this.pulled.assembly.now[this.pulled.body]!, this.at)
    } catch (error) {
      useShell().notify(`The joints cannot be followed: ${(error as Error).message}`, { kind: 'error' })
    }
  }
}
