/**
 * Order of a frame's contacts by a column of the table. It runs for thousands of contacts with every frame, so it works on numbers: each column has a
 * number by contact, and only the contacts that are seen become rows.
 */

import { ownerId } from '../../core/trajectory/owner'
import type { ContactFrame, TrajectoryHeader } from '../../core/trajectory/frame'

export type ContactColumn = 'bodyA' | 'bodyB' | 'features' | 'mode' | 'normalForce' | 'frictionForce' | 'coneUsage' | 'gap'

/** Factor of an index of a feature in the number of a pair of features: larger than any index. */
const FEATURES = 2 ** 20
/** Larger than any kind of feature. */
const KINDS = 8

/** Rank of every body and deformable by title, so that titles are compared as numbers. */
export function titleRanks(header: Pick<TrajectoryHeader, 'bodyIds' | 'deformableIds'>, title: (id: string) => string): Int32Array {
  const count = header.bodyIds.length + header.deformableIds.length
  const titles = Array.from({ length: count }, (_, i) => title(ownerId(header, i)!))
  const distinct = new Map([...new Set(titles)].sort().map((text, rank) => [text, rank]))
  return Int32Array.from(titles, text => distinct.get(text)!)
}

/** The number by which a contact is sorted. */
function valueOf(frame: ContactFrame, i: number, column: ContactColumn, ranks: Int32Array): number {
  switch (column) {
    case 'bodyA': return ranks[frame.bodyA[i]!] ?? -1
    case 'bodyB': return ranks[frame.bodyB[i]!] ?? -1
    case 'features': return ((frame.featureKindA[i]! * FEATURES + frame.featureA[i]!) * KINDS + frame.featureKindB[i]!) * FEATURES + frame.featureB[i]!
    case 'mode': return frame.mode[i]!
    case 'frictionForce': return Math.hypot(frame.frictionForce[3 * i]!, frame.frictionForce[3 * i + 1]!, frame.frictionForce[3 * i + 2]!)
    default: return frame[column][i]!
  }
}

/** Keeps its arrays and its last order, which sorts the next frame in one pass where it still holds. */
export class ContactOrder {
  private values = new Float64Array(0)
  private order: number[] = []

  /**
   * Indices of the contacts that `shows` passes, sorted; equal ones in the frame's order.
   * @param ranks of `titleRanks`
   */
  sorted(
    frame: ContactFrame, shows: (frame: ContactFrame, i: number) => boolean, column: ContactColumn, descending: boolean, ranks: Int32Array,
  ): readonly number[] {
    const { count } = frame
    if (this.values.length < count) this.values = new Float64Array(count)
    const { values } = this
    for (let i = 0; i < count; i++) {
      const value = valueOf(frame, i, column, ranks)
      // Numbers that are not known come first.
      values[i] = Number.isNaN(value) ? -Infinity : value
    }
    if (this.order.length !== count) this.order = Array.from({ length: count }, (_, i) => i)
    const direction = descending ? -1 : 1
    // Array.prototype.sort merges runs that are already in order [TimSort].
    this.order.sort((a, b) => direction * (values[a]! - values[b]!) || a - b)
    return this.order.filter(i => shows(frame, i))
  }
}
