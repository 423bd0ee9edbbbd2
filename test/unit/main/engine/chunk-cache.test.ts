import { describe, expect, it } from 'vitest'
import { ChunkCache } from '../../../../main/engine/chunk-cache'

const bytes = (length: number) => new Uint8Array(length)

describe('cached chunks of files', () => {
  it('are kept up to one limit for all files', () => {
    const cache = new ChunkCache(100)
    const files = Array.from({ length: 50 }, () => cache.file())
    for (const file of files) for (let chunk = 0; chunk < 3; chunk++) file.set(chunk, bytes(30))
    expect(cache.bytes).toBe(90)
    expect(files.filter(file => file.get(2) !== undefined)).toEqual([files[49]])
  })

  it('are evicted in the order of their last use', () => {
    const cache = new ChunkCache(100)
    const [one, other] = [cache.file(), cache.file()]
    one.set(0, bytes(40))
    other.set(0, bytes(40))
    one.get(0)
    other.set(1, bytes(40))
    expect([one.get(0)?.length, other.get(0)?.length, other.get(1)?.length]).toEqual([40, undefined, 40])
  })

  it('are counted once if they are read again at a greater length, like the last chunk of a growing file', () => {
    const cache = new ChunkCache(100)
    const file = cache.file()
    for (const length of [10, 20, 30]) file.set(0, bytes(length))
    expect([cache.bytes, file.get(0)?.length]).toEqual([30, 30])
  })

  it('include only the newest one if that exceeds the limit', () => {
    const cache = new ChunkCache(100)
    const file = cache.file()
    file.set(0, bytes(50))
    file.set(1, bytes(500))
    expect([file.get(0), file.get(1)?.length]).toEqual([undefined, 500])
  })

  it('of a closed file are dropped, and no others', () => {
    const cache = new ChunkCache(1000)
    const files = Array.from({ length: 12 }, () => cache.file())
    for (const file of files) file.set(0, bytes(10))
    files[1]!.clear()
    expect(files.map(file => file.get(0)?.length ?? 0)).toEqual([10, 0, ...Array<number>(10).fill(10)])
    expect(cache.bytes).toBe(110)
  })
})
