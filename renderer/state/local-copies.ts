/** Unsaved work in the browser's own database, so that it outlives the host. */

export interface LocalCopy {
  readonly name: string
  readonly text: string
  /** ms since the epoch. */
  readonly savedAt: number
}

const DATABASE = 'cairn'
const STORE = 'unsaved'

export class LocalCopies {
  private database: Promise<IDBDatabase> | null = null

  async put(handle: string, copy: LocalCopy): Promise<void> {
    await this.run('readwrite', store => store.put({ ...copy, handle }))
  }

  async get(handle: string): Promise<LocalCopy | undefined> {
    return this.run('readonly', store => store.get(handle) as IDBRequest<LocalCopy | undefined>)
  }

  async remove(handle: string): Promise<void> {
    await this.run('readwrite', store => store.delete(handle))
  }

  async list(): Promise<{ handle: string; name: string; savedAt: number }[]> {
    const all = await this.run('readonly', store => store.getAll() as IDBRequest<(LocalCopy & { handle: string })[]>)
    return all.map(({ handle, name, savedAt }) => ({ handle, name, savedAt })).sort((a, b) => b.savedAt - a.savedAt)
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
