import { describe, expect, it } from 'vitest'
import { MessageCache } from '../../../../renderer/state/message-cache'

/** A run of `length` messages, each of 10 bytes; counts the reads. */
function source(length: () => number) {
  const reads: [number, number][] = []
  const read = (from: number, to: number) => {
    reads.push([from, to])
    const messages = Array.from({ length: Math.max(0, Math.min(to, length()) - from) }, (_, i) => `m${from + i}`)
    return Promise.resolve({ messages, bytes: 10 * messages.length })
  }
  return { reads, read }
}

describe('the cache of a run\'s messages', () => {
  it('reads a block once and then answers at once', async () => {
    const { reads, read } = source(() => 100)
    const cache = new MessageCache(read, 8, 1e9)
    expect(cache.get(13)).toBeUndefined()
    expect(await Promise.all([cache.load(13), cache.load(14), cache.load(13)])).toEqual(['m13', 'm14', 'm13'])
    expect(reads).toEqual([[8, 16]])
    expect(cache.get(9)).toBe('m9')
  })

  it('stays within its size and evicts the least recently used block', async () => {
    const { read } = source(() => 1000)
    const cache = new MessageCache(read, 10, 250)
    await cache.load(0)
    await cache.load(10)
    cache.get(0)
    await cache.load(20)
    expect(cache.get(0)).toBe('m0')
    expect(cache.get(10)).toBeUndefined()
    expect(cache.ranges()).toEqual([[0, 10], [20, 30]])
  })

  it('reads again a block that a running computation had cut short', async () => {
    let length = 3
    const { read } = source(() => length)
    const cache = new MessageCache(read, 8, 1e9)
    expect(await cache.load(2)).toBe('m2')
    expect(await cache.load(5)).toBeUndefined()
    length = 8
    expect(await cache.load(5)).toBe('m5')
    expect(cache.ranges()).toEqual([[0, 8]])
    expect(cache.has(0, 8)).toBe(true)
    expect(cache.has(0, 9)).toBe(false)
  })

  it('ignores data that arrive after it was cleared', async () => {
    const { read } = source(() => 100)
    const cache = new MessageCache(read, 8, 1e9)
    const late = cache.load(0)
    cache.clear()
    await late
    expect(cache.get(0)).toBeUndefined()
  })
})
