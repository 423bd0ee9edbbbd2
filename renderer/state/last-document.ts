/** Remembers the document of this window for a reload: by handle, and by name for a restarted host, which does not know the handle. */

import type { Draft, Handle } from '../../main/protocol/documents'

const KEY = 'cairn.document'
const DRAFT = 'cairn.draft'

export interface LastDocument {
  readonly handle: Handle
  readonly name: string
  /** Whether it is saved in a file, which a new host finds among its recent files. */
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

/** Remembers the copy of this window's unsaved work, with which a reload continues. */
export function keepLastDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(DRAFT, draft)
  } catch {
    // No storage: the copy is offered for recovery instead.
  }
}

export function readLastDraft(): string | null {
  try {
    return sessionStorage.getItem(DRAFT)
  } catch {
    return null
  }
}
