/** Keeps the quantities that the scales of arrows depend on, and updates the scales when one changes. */

import { bodiesOf } from '../../state/scene-access'
import type { ContactFrame, TrajectoryEvent } from '../../../core/trajectory/frame'
import { distance, length } from '../../../core/math/vector'
import type { Box, PosedScene } from '../posed-scene'
import { arrowScales, largestContactForce, largestImpactImpulse, typicalRadius, type ArrowScales, type ScaleInput } from './arrow-scale'
import { massOf } from './body-mass'

export class ArrowScaling {
  scales: ArrowScales
  private input: ScaleInput = { radius: 0.5, sceneRadius: 2, masses: [], gravity: 9.81, slider: 1, largestForce: 0, largestImpulse: 0, largestApplied: 0 }

  /** @param changed called when `scales` changes */
  constructor(private readonly changed: () => void) {
    this.scales = arrowScales(this.input)
  }

  /** Radius of the typical body, m. */
  get radius(): number {
    return this.input.radius
  }

  private take(part: Partial<ScaleInput>): void {
    this.input = { ...this.input, ...part }
    this.scales = arrowScales(this.input)
    this.changed()
  }

  /** The shapes changed, and with them the sizes. */
  setExtent(posed: PosedScene, box: Box | null): void {
    const sceneRadius = box ? 0.5 * distance(box.low, box.high) : 2
    this.take({ radius: typicalRadius(posed.plan), sceneRadius, largestForce: 0, largestApplied: 0 })
  }

  /** Masses and gravity give the scale until a force is known. */
  setScene(posed: PosedScene): void {
    const masses = bodiesOf(posed.scene).map((body, i) => posed.plan.kinds[i] === 0 ? massOf(body, posed.scene)?.mass ?? 0 : 0)
    this.take({ masses, gravity: length(posed.scene.gravity ?? [0, 0, -9.81]) })
  }

  setSlider(slider: number): void {
    if (slider !== this.input.slider) this.take({ slider })
  }

  addContacts(contacts: ContactFrame | null): void {
    const largest = contacts ? largestContactForce(contacts) : 0
    if (largest > this.input.largestForce) this.take({ largestForce: largest })
  }

  /** @param largest N, of the scene's forces */
  addApplied(largest: number): void {
    if (largest > this.input.largestApplied) this.take({ largestApplied: largest })
  }

  setEvents(events: readonly TrajectoryEvent[]): void {
    const largestImpulse = largestImpactImpulse(events)
    if (largestImpulse !== this.input.largestImpulse) this.take({ largestImpulse })
  }

  /** Another run was loaded: its forces may have another magnitude. */
  forgetForces(): void {
    this.take({ largestForce: 0, largestImpulse: 0, largestApplied: 0 })
  }
}
