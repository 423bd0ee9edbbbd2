/**
 * Decoded messages of one run and channel, read from the host in blocks and limited in bytes; the least recently used block is dropped first.
 * Cached messages are returned synchronously, so scrubbing over cached parts never waits.
 */

export interface Block<T> {
  readonly messages: readonly T[]
  /** Of the encoded messages; decoded ones take about the same. */
  readonly bytes: number
}

/** Reads messages `from … to − 1`; fewer if the run has not computed them yet. */
export type BlockReader<T> = (from: number, to: number) => Promise<Block<T>>

export class MessageCache<T> {
  private readonly blocks = new Map<number, Block<T>>()
  private readonly pending = new Map<number, Promise<Block<T>>>()
  private bytes = 0
  private generation = 0

  constructor(
    private readonly read: BlockReader<T>,
    private readonly blockLength: number,
    private readonly byteLimit: number,
  ) {}

  /** The message if it is cached, else undefined. */
  get(index: number): T | undefined {
    const number = Math.floor(index / this.blockLength)
    const block = this.blocks.get(number)
    if (!block) return undefined
    this.blocks.delete(number)
    this.blocks.set(number, block)
    return block.messages[index - number * this.blockLength]
  }

  /** Loads the block of a message, once for concurrent requests. A block that was incomplete because the run was still computing is read again. */
  async load(index: number): Promise<T | undefined> {
    const present = this.get(index)
    if (present !== undefined) return present
    const number = Math.floor(index / this.blockLength)
    const from = number * this.blockLength
    const generation = this.generation
    let reading = this.pending.get(number)
    if (!reading) {
      reading = this.read(from, from + this.blockLength)
      this.pending.set(number, reading)
      const done = () => { if (this.pending.get(number) === reading) this.pending.delete(number) }
      reading.then(done, done)
    }
    const block = await reading
    if (generation === this.generation) this.keep(number, block)
    return block.messages[index - from]
  }

  /** Whether all messages `from … to − 1` are cached. */
  has(from: number, to: number): boolean {
    for (let index = from; index < to; index += this.blockLength - index % this.blockLength) {
      const number = Math.floor(index / this.blockLength)
      const block = this.blocks.get(number)
      if (!block || block.messages.length < Math.min(to - number * this.blockLength, this.blockLength)) return false
    }
    return true
  }

  clear() {
    this.generation++
    this.blocks.clear()
    this.pending.clear()
    this.bytes = 0
  }

  /** Ranges of cached message indices, merged and in order. */
  ranges(): (readonly [number, number])[] {
    const numbers = [...this.blocks.keys()].sort((a, b) => a - b)
    const merged: [number, number][] = []
    for (const number of numbers) {
      const from = number * this.blockLength
      const to = from + this.blocks.get(number)!.messages.length
      const last = merged.at(-1)
      if (last && last[1] === from) last[1] = to
      else merged.push([from, to])
    }
    return merged
  }

  private keep(number: number, block: Block<T>) {
    const former = this.blocks.get(number)
    if (former && former.messages.length >= block.messages.length) return
    if (former) {
      this.bytes -= former.bytes
      this.blocks.delete(number)
    }
    this.blocks.set(number, block)
    this.bytes += block.bytes
    for (const [oldest, old] of this.blocks) {
      if (this.bytes <= this.byteLimit || this.blocks.size === 1) break
      this.blocks.delete(oldest)
      this.bytes -= old.bytes
    }
  }
}
