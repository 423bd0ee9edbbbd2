/** Cache of recently read chunks, shared by all run files: the memory is bounded, however many runs are open. */

/** Bytes of chunks kept. */
const limit = 32 * 1024 * 1024

/** The chunks of one file, by index. */
export interface FileChunks {
  get(chunk: number): Uint8Array | undefined
  /** Caches a chunk, and drops the least recently used ones. */
  set(chunk: number, records: Uint8Array): void
  clear(): void
}

export class ChunkCache {
  /** In order of last use. */
  private readonly kept = new Map<string, Uint8Array>()
  private files = 0
  private keptBytes = 0

  constructor(private readonly limitBytes = limit) {}

  get bytes(): number {
    return this.keptBytes
  }

  /** Adds a file to the cache. */
  file(): FileChunks {
    const prefix = `${this.files++}:`
    return {
      get: chunk => {
        const key = prefix + chunk
        const found = this.kept.get(key)
        if (found === undefined) return undefined
        this.kept.delete(key)
        this.kept.set(key, found)
        return found
      },
      set: (chunk, records) => {
        const added = prefix + chunk
        this.drop(added)
        this.kept.set(added, records)
        this.keptBytes += records.length
        for (const key of this.kept.keys()) {
          if (this.keptBytes <= this.limitBytes || key === added) break
          this.drop(key)
        }
      },
      clear: () => {
        for (const key of [...this.kept.keys()]) if (key.startsWith(prefix)) this.drop(key)
      },
    }
  }

  private drop(key: string): void {
    this.keptBytes -= this.kept.get(key)?.length ?? 0
    this.kept.delete(key)
  }
}
