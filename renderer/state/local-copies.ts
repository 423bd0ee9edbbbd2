/**
 * Unsaved work in the browser's database, so that it outlives the host. Each window holds a lock while it is open: only copies of closed
 * windows are offered for recovery.
 */

import type { Draft, Handle } from '../../main/protocol/documents'

export interface LocalCopy {
  readonly name: string
  readonly text: string
  /** ms since the epoch. */
  readonly savedAt: number
}

interface StoredCopy extends LocalCopy {
  readonly draft: Draft
}

const DATABASE = 'cairn'
const STORE = 'drafts'
const LOCK = 'cairn-window-'

export class LocalCopies {
  private readonly window = crypto.randomUUID()
  private database: Promise<IDBDatabase> | null = null

  constructor() {
    // Held until the window closes: the promise never settles.
    void navigator.locks?.request(LOCK + this.window, () => new Promise(() => undefined))
  }

  /** Key of this window's unsaved work on a document. */
  draftOf(document: Handle): Draft {
    return `${this.window}/${document}`
  }

  async put(draft: Draft, copy: LocalCopy): Promise<void> {
    await this.run('readwrite', store => store.put({ ...copy, draft } satisfies StoredCopy))
  }

  async get(draft: Draft): Promise<LocalCopy | undefined> {
    return this.run('readonly', store => store.get(draft) as IDBRequest<StoredCopy | undefined>)
  }

  async remove(draft: Draft): Promise<void> {
    await this.run('readwrite', store => store.delete(draft))
  }

  /** Copies of closed windows, newest first. */
  async list(): Promise<{ draft: Draft; name: string; savedAt: number }[]> {
    const all = await this.run('readonly', store => store.getAll() as IDBRequest<StoredCopy[]>)
    const held = new Set((await navigator.locks?.query())?.held?.map(lock => lock.name))
    return all.filter(({ draft }) => !held.has(LOCK + draft.slice(0, draft.indexOf('/'))))
      .map(({ draft, name, savedAt }) => ({ draft, name, savedAt }))
      .sort((a, b) => b.savedAt - a.savedAt)
  }

  private async run<T>(mode: IDBTransactionMode, action: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await (this.database ??= open())
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const request = action(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('The browser refused to store data.'))
    })
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 2)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'draft' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser refused to open its database.'))
  })
}
