/** The impacts in the substeps of a heap's step, with the total impulse of each contact. */

import type { FeaturePair } from '../../../collision/contact'
import { add, type Vec3 } from '../../../math/vector'
import type { ReportedImpact } from '../reported-impact'
import { unilateral } from '../standard-model'
import type { HeapContacts } from './heap-contacts'
import type { HeapPairs } from './heap-pairs'

interface Impact {
  readonly pair: number
  readonly point: Vec3
  readonly normal: Vec3
  /** N s on A, world axes. */
  impulse: Vec3
  /** m/s: the first and the last approach velocity. */
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
  add(contacts: HeapContacts, pairs: HeapPairs, k: number, before: number, after: number, work: number): void {
    const features = featuresOf(contacts, pairs, k)
    const impulse = at(contacts.impulses, k)
    const bounces = contacts.bounce[k]! > -Infinity
    const known = this.met.get(features)
    if (known === undefined) {
      this.met.set(features, {
        pair: contacts.pairs[k]!, point: at(contacts.points, k), normal: at(contacts.normals, k), impulse, approach: -before, rebound: Math.max(0, after),
        loss: -work, bounces,
      })
      return
    }
    known.impulse = add(known.impulse, impulse)
    known.rebound = Math.max(0, after)
    known.loss -= work
    known.bounces ||= bounces
  }

  /** Returns a function that makes the events of these impacts at a time in s. */
  events({ pairs }: HeapPairs): (time: number) => ReportedImpact[] {
    const met = [...this.met]
    return time => met.map(([features, { pair, point, normal, impulse, approach, rebound, loss, bounces }]) => {
      const { bodyA, bodyB, shapeA, shapeB } = pairs[pair]!
      const { featureA, featureB } = features
      return {
        key: unilateral(pairs[pair]!, features).key, bounces,
        event: {
          kind: 'impact', time, bodyA, bodyB, shapeA, shapeB, featureA, featureB, point, normal, message: '', impulse, approachSpeed: approach,
          reboundSpeed: rebound, energyLoss: loss,
        },
      }
    })
  }
}

/** The features of contact k. */
export function featuresOf(contacts: HeapContacts, pairs: HeapPairs, k: number): FeaturePair {
  return contacts.features[k] ?? pairs.manifold(contacts.pairs[k]!).featuresOf(contacts.codes[k]!)
}

/** The three doubles of contact k in a column. */
export function at(column: Float64Array, k: number): Vec3 {
  return [column[3 * k]!, column[3 * k + 1]!, column[3 * k + 2]!]
}
