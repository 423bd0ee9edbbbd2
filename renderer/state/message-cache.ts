/**
 * Decoded messages of one run and channel, read from the host and limited in bytes; the least recently used ones are dropped first. Cached messages
 * are returned synchronously, so scrubbing over cached parts never waits. Small messages are read in blocks, to save round trips; of large ones no
 * more is read than is asked for, since a block of them would take longer than the next move of the pointer.
 */

export interface Block<T> {
  readonly messages: readonly T[]
  /** Of the encoded messages; decoded ones take about the same. */
  readonly bytes: number
}

/** Reads messages `from … to − 1`; fewer if the run has not computed them yet. */
export type BlockReader<T> = (from: number, to: number) => Promise<Block<T>>

interface Kept<T> {
  readonly message: T
  readonly bytes: number
}

/** Bytes of a read: takes a few milliseconds to copy, send and decode. */
const READ_BYTES = 512 * 1024

export class MessageCache<T> {
  private readonly kept = new Map<number, Kept<T>>()
  /** The read that a message is part of. */
  private readonly pending = new Map<number, Promise<Block<T>>>()
  private bytes = 0
  private generation = 0
  /** Messages per read. */
  private length: number

  /** @param longest number of messages per read @param expected bytes of a message, before the first one is known */
  constructor(private readonly read: BlockReader<T>, private readonly longest: number, private readonly byteLimit: number, expected: number) {
    this.length = this.lengthFor(expected)
  }

  /** A power of two, so that blocks of different lengths do not overlap in part. */
  private lengthFor(bytes: number): number {
    return Math.max(1, Math.min(this.longest, 2 ** Math.floor(Math.log2(READ_BYTES / Math.max(1, bytes)))))
  }

  /** The message if it is cached, else undefined. */
  get(index: number): T | undefined {
    const found = this.kept.get(index)
    if (!found) return undefined
    this.kept.delete(index)
    this.kept.set(index, found)
    return found.message
  }

  /** Loads a message with its block, once for concurrent requests; undefined if the run has not computed it yet. */
  async load(index: number): Promise<T | undefined> {
    const present = this.get(index)
    if (present !== undefined) return present
    const generation = this.generation
    const reading = this.pending.get(index) ?? this.start(index)
    await reading
    return generation === this.generation ? this.get(index) : undefined
  }

  clear() {
    this.generation++
    this.kept.clear()
    this.pending.clear()
    this.bytes = 0
  }

  /** Ranges of cached message indices, merged and in order. */
  ranges(): (readonly [number, number])[] {
    const merged: [number, number][] = []
    for (const index of Int32Array.from(this.kept.keys()).sort()) {
      const last = merged.at(-1)
      if (last && last[1] === index) last[1]++
      else merged.push([index, index + 1])
    }
    return merged
  }

  /** Reads the missing messages of the block that contains this one. */
  private start(index: number): Promise<Block<T>> {
    const begin = index - index % this.length
    const isMissing = (i: number) => !this.kept.has(i) && !this.pending.has(i)
    let [from, to] = [index, index + 1]
    while (from > begin && isMissing(from - 1)) from--
    while (to < begin + this.length && isMissing(to)) to++
    const generation = this.generation
    const reading = this.read(from, to).then(block => {
      if (generation === this.generation) this.keep(from, block)
      return block
    })
    for (let i = from; i < to; i++) this.pending.set(i, reading)
    const done = () => {
      for (let i = from; i < to; i++) if (this.pending.get(i) === reading) this.pending.delete(i)
    }
    reading.then(done, done)
    return reading
  }

  private keep(from: number, { messages, bytes }: Block<T>) {
    if (messages.length === 0) return
    const each = bytes / messages.length
    messages.forEach((message, k) => {
      this.bytes += each - (this.kept.get(from + k)?.bytes ?? 0)
      this.kept.delete(from + k)
      this.kept.set(from + k, { message, bytes: each })
    })
    this.length = this.lengthFor(each)
    for (const [oldest, old] of this.kept) {
      if (this.bytes <= this.byteLimit || this.kept.size <= messages.length) break
      this.kept.delete(oldest)
      this.bytes -= old.bytes
    }
  }
}
