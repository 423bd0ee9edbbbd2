/** Sources of the bodies' accelerations and of contact forces, in the form of `cairn inspect --json`. */
import { contactRow } from '../../core/analysis/contact-row'
import { forceBalance, type ForceSource, type RecordedFrame } from '../../core/analysis/force-balance'
import type { TrajectoryHeader } from '../../core/trajectory/frame'

/** Force balance of every body with a force: `sum` is over all sources; `rate` is m a and the rate of angular momentum. */
export function forcesJson(recorded: RecordedFrame): object[] {
  return recorded.header.bodyIds.flatMap((body, index) => {
    const balance = forceBalance(recorded, index)
    if (balance === null || (balance.entries.length === 0 && balance.rate === null)) return []
    const sources = balance.entries.map(entry => ({ ...sourceJson(entry, recorded.header), wrench: { force: entry.force, torque: entry.torque } }))
    return { body, sources, sum: balance.sum, rate: balance.rate }
  })
}

/** Normal rows a = A f − b of all contacts in the problem; `contact` is the index in `contacts`. */
export function rowsJson(recorded: RecordedFrame): object[] {
  return Array.from({ length: recorded.contacts.count }, (_, contact) => contact).flatMap(contact => {
    const row = contactRow(recorded, contact)
    if (row === null) return []
    const { acceleration, b, own } = row
    const terms = row.terms.map(({ source, side, coefficient, normalForce, friction, acceleration: term }) => ({
      ...sourceJson(source, recorded.header), side, ...(source.kind === 'contact' ? { coefficient, normalForce, friction } : {}), acceleration: term,
    }))
    return { contact, acceleration, b, own, terms }
  })
}

/** A contact by its index in `contacts`, others by id. */
function sourceJson({ kind, index }: ForceSource | { kind: 'motion'; index: number }, header: TrajectoryHeader): object {
  switch (kind) {
    case 'gravity':
    case 'motion': return { source: kind }
    case 'contact': return { source: kind, contact: index }
    case 'force': return { source: kind, force: header.forceIds[index] ?? null }
    default: return { source: kind, joint: header.jointIds[index] ?? null }
  }
}
