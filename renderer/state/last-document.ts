/** The document of this window, kept for a reload: by its handle, and by its name for a host that was started anew and knows no handles. */

import type { Handle } from '../../main/protocol/documents'

const KEY = 'cairn.document'

export interface LastDocument {
  readonly handle: Handle
  readonly name: string
  /** It has a file of its own, which a new host finds among the recent ones. */
  readonly saved: boolean
}

export function keepLastDocument(last: LastDocument): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(last))
  } catch {
    // No storage: a reload opens the first example.
  }
}

export function readLastDocument(): LastDocument | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<LastDocument> | null
    return typeof kept?.handle === 'string' && typeof kept.name === 'string' ? { handle: kept.handle, name: kept.name, saved: kept.saved === true } : null
  } catch {
    return null
  }
}
