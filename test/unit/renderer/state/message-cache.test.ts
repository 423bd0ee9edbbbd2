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
    const cache = new MessageCache(read, 8, 1e9, 10)
    expect(cache.get(13)).toBeUndefined()
    expect(await Promise.all([cache.load(13), cache.load(14), cache.load(13)])).toEqual(['m13', 'm14', 'm13'])
    expect(reads).toEqual([[8, 16]])
    expect(cache.get(9)).toBe('m9')
  })

  it('reads large messages one by one, and small ones in blocks again', async () => {
    let size = 1e6
    const reads: [number, number][] = []
    const cache = new MessageCache((from, to) => {
      reads.push([from, to])
      return Promise.resolve({ messages: Array.from({ length: to - from }, (_, i) => from + i), bytes: (to - from) * size })
    }, 64, 1e9, 1e6)
    await cache.load(0)
    await cache.load(100)
    size = 100_000
    await cache.load(203)
    await cache.load(302)
    expect(reads).toEqual([[0, 1], [100, 101], [203, 204], [300, 304]])
  })

  it('reads only the missing part of a block', async () => {
    const { reads, read } = source(() => 100)
    const cache = new MessageCache(read, 8, 1e9, 1e6)
    await cache.load(10)
    await Promise.all([cache.load(12), cache.load(9)])
    expect(reads).toEqual([[10, 11], [11, 16], [8, 10]])
    expect(cache.ranges()).toEqual([[8, 16]])
  })

  it('stays within its size and evicts the least recently used messages', async () => {
    const { read } = source(() => 1000)
    const cache = new MessageCache(read, 8, 200, 1e6)
    await cache.load(0)
    await cache.load(1)
    await cache.load(8)
    cache.get(0)
    await cache.load(16)
    expect(cache.get(0)).toBe('m0')
    expect(cache.get(2)).toBeUndefined()
    expect(cache.ranges()).toEqual([[0, 2], [6, 24]])
  })

  it('reads again what a running computation had not written', async () => {
    let length = 3
    const { read } = source(() => length)
    const cache = new MessageCache(read, 8, 1e9, 10)
    expect(await cache.load(2)).toBe('m2')
    expect(await cache.load(5)).toBeUndefined()
    length = 8
    expect(await cache.load(5)).toBe('m5')
    expect(cache.get(7)).toBe('m7')
  })

  it('ignores data that arrive after it was cleared', async () => {
    const { read } = source(() => 100)
    const cache = new MessageCache(read, 8, 1e9, 10)
    const late = cache.load(0)
    cache.clear()
    await late
    expect(cache.get(0)).toBeUndefined()
  })
})
