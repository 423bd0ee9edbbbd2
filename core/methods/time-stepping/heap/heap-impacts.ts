/** The contacts that met in the substeps of a heap's step: what each took, in all. */

import type { FeaturePair } from '../../../collision/contact'
import { add, type Vec3 } from '../../../math/vector'
import type { ReportedImpact } from '../reported-impact'
import type { ContactOwner, HeapContacts } from './heap-contacts'

interface Impact {
  readonly pair: ContactOwner
  readonly point: Vec3
  readonly normal: Vec3
  /** N s on A, world axes. */
  impulse: Vec3
  /** m/s: at first, and at last. */
  readonly approach: number
  rebound: number
  /** J */
  loss: number
  bounces: boolean
}

export class HeapImpacts {
  private readonly met = new Map<FeaturePair, Impact>()

  clear(): void {
    this.met.clear()
  }

  /** @param before, after m/s: normal velocity, negative where it approaches */
  add(contacts: HeapContacts, k: number, impulse: Vec3, before: number, after: number, work: number): void {
    const features = contacts.features[k]!
    const bounces = contacts.bounce[k]! > -Infinity
    const known = this.met.get(features)
    if (known === undefined) {
      const { point, normal } = contacts.at[k]!
      this.met.set(features, { pair: contacts.pairs[k]!, point, normal, impulse, approach: -before, rebound: Math.max(0, after), loss: -work, bounces })
      return
    }
    known.impulse = add(known.impulse, impulse)
    known.rebound = Math.max(0, after)
    known.loss -= work
    known.bounces ||= bounces
  }

  /** Makes events, at a time in s, of what has met so far. */
  get told(): (time: number) => ReportedImpact[] {
    const met = [...this.met]
    return time => met.map(([{ featureA, featureB, key }, { pair: { pair }, point, normal, impulse, approach, rebound, loss, bounces }]) => {
      const { bodyA, bodyB, shapeA, shapeB } = pair
      return {
        key: `${pair.key}/${key}`, bounces,
        event: {
          kind: 'impact', time, bodyA, bodyB, shapeA, shapeB, featureA, featureB, point, normal, message: '', impulse, approachSpeed: approach,
          reboundSpeed: rebound, energyLoss: loss,
        },
      }
    })
  }
}
