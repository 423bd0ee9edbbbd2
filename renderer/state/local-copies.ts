/**
 * Unsaved work in the browser's own database, so that it outlives the host. Each window keeps a lock for as long as it lives: copies of
 * windows that are open are theirs, and only those of windows that are gone are offered for recovery.
 */

export interface LocalCopy {
  readonly name: string
  readonly text: string
  /** ms since the epoch. */
  readonly savedAt: number
}

interface StoredCopy extends LocalCopy {
  readonly handle: string
  readonly window: string
}

const DATABASE = 'cairn'
const STORE = 'unsaved'
const LOCK = 'cairn-window-'

export class LocalCopies {
  private readonly window = crypto.randomUUID()
  private database: Promise<IDBDatabase> | null = null

  constructor() {
    // Held until the window ends: a promise that never settles.
    void navigator.locks?.request(LOCK + this.window, () => new Promise(() => undefined))
  }

  async put(handle: string, copy: LocalCopy): Promise<void> {
    await this.run('readwrite', store => store.put({ ...copy, handle, window: this.window }))
  }

  async get(handle: string): Promise<LocalCopy | undefined> {
    return this.run('readonly', store => store.get(handle) as IDBRequest<StoredCopy | undefined>)
  }

  async remove(handle: string): Promise<void> {
    await this.run('readwrite', store => store.delete(handle))
  }

  /** Copies of windows that are no more, newest first. */
  async list(): Promise<{ handle: string; name: string; savedAt: number }[]> {
    const all = await this.run('readonly', store => store.getAll() as IDBRequest<StoredCopy[]>)
    const held = new Set((await navigator.locks?.query())?.held?.map(lock => lock.name))
    return all.filter(copy => !held.has(LOCK + copy.window))
      .map(({ handle, name, savedAt }) => ({ handle, name, savedAt }))
      .sort((a, b) => b.savedAt - a.savedAt)
  }

  private async run<T>(mode: IDBTransactionMode, action: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await (this.database ??= open())
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const request = action(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('The browser refused to store.'))
    })
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'handle' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser refused to open its database.'))
  })
}
