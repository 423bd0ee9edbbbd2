import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, readSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { McapIndexedReader, McapStreamReader } from '@mcap/core'
import { createFileRegistry, fromBinary, type DescMessage } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TrajectoryFileError, TrajectoryReader } from '../../../../main/engine/reader'
import { Recorder } from '../../../../main/run/recorder'
import { built, scenes, scratch } from '../built'
import { fallen, recordFrame, sampleEnd, sampleEvent, sampleHeader, sampleScene } from './trajectory-sample'
import { sampled } from '../../../sampled'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function record(path: string, frames: number, options: { end?: boolean; bodies?: number; clock?: () => number } = {}): number[] {
  const flushed: number[] = []
  const recorder = new Recorder({ path, scene: sampleScene, now: options.clock ?? (() => 0), progress: ({ bytes }) => flushed.push(bytes) })
  recorder.header(sampleHeader(frames, options.bodies))
  for (let index = 0; index < frames; index++) {
    if (index === 5) recorder.event(sampleEvent(0, 4.5 / 240))
    recordFrame(recorder, index, options.bodies)
    if (index % 7 === 0) recorder.script({ index, time: index / 240, names: ['push'], values: new Float64Array([index]), logs: [] })
  }
  if (options.end ?? true) recorder.end(sampleEnd(frames))
  return flushed
}

/** The file as read by @mcap/core alone. */
async function indexed(path: string): Promise<McapIndexedReader> {
  const fd = openSync(path, 'r')
  return McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(statSync(path).size),
      read: async (offset, size) => {
        const bytes = new Uint8Array(Number(size))
        readSync(fd, bytes, 0, bytes.length, Number(offset))
        return bytes
      },
    },
  })
}

describe('a recorded run', () => {
  const path = join(folder, 'whole.mcap')
  beforeAll(() => void record(path, 100))

  it('is read back by @mcap/core alone: index, checksums, counts, scene, metadata', async () => {
    const reader = await indexed(path)
    expect(reader.header.profile).toBe('cairn')
    expect([...reader.channelsById.values()].map(channel => channel.topic).sort()).toStrictEqual(
      ['certificate', 'checkpoints', 'contacts', 'control', 'deformables', 'end', 'events', 'forces', 'frames', 'header', 'joints', 'script', 'sensors'])
    expect(reader.statistics).toMatchObject({ attachmentCount: 1, metadataCount: 2, messageCount: BigInt(1 + 5 * 100 + 1 + 15 + 1) })
    const times: bigint[] = []
    for await (const message of reader.readMessages({ topics: ['frames'], validateCrcs: true })) times.push(message.logTime)
    expect(times).toHaveLength(100)
    expect(times[99]).toBe(BigInt(Math.round(99 / 240 * 1e9)))
    for await (const attachment of reader.readAttachments({ name: 'scene.cairn.json' })) expect(Buffer.from(attachment.data).toString()).toBe(sampleScene)
    const metadata = new Map<string, Map<string, string>>()
    for await (const record of reader.readMetadata()) metadata.set(record.name, record.metadata)
    expect(metadata.get('cairn')!.get('sceneHash')).toBe('ab'.repeat(32))
    expect(metadata.get('cairn')!.get('engine')).toBe('9.9.9')
    expect(metadata.get('cairn.end')!.get('status')).toBe('completed')
  })

  it('describes itself: any protobuf reader decodes a frame with the embedded schema', async () => {
    const reader = await indexed(path)
    const channel = [...reader.channelsById.values()].find(({ topic }) => topic === 'frames')!
    const schema = reader.schemasById.get(channel.schemaId)!
    expect(schema.encoding).toBe('protobuf')
    const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, schema.data))
    const type = registry.getMessage(schema.name) as DescMessage
    for await (const message of reader.readMessages({ topics: ['frames'] })) {
      const frame = fromBinary(type, message.data) as unknown as { index: number; time: number; bodies: number[] }
      expect(frame.bodies.slice(0, 13)).toStrictEqual(fallen(frame.index / 240))
      expect(frame.time).toBe(frame.index / 240)
    }
  })

  it('is whole when read by Cairn, message by message and in any order', () => {
    const reader = new TrajectoryReader(path)
    expect(reader).toMatchObject({ complete: true, frames: 100, scene: sampleScene, header: sampleHeader(100), end: sampleEnd(100) })
    for (const number of [99, 0, 50, 3]) {
      expect([...reader.frame(number).bodies.subarray(13)]).toStrictEqual(fallen(number / 240))
      expect(reader.contacts(number).normalForce[0]).toBe(10 + number)
      expect(reader.joints(number).force[2]).toBe(number)
      expect(reader.certificate(number).maxPenetration).toBe(number === 3 ? 1e-10 : 0)
    }
    expect(reader.event(0)).toStrictEqual(sampleEvent(0, 4.5 / 240))
    expect(reader.script(2)).toMatchObject({ index: 14, names: ['push'] })
    expect(() => reader.frame(100)).toThrow(RangeError)
    reader.close()
  })

  it('finds the frame at or before a time, by the exact time and not its nanosecond', () => {
    const reader = new TrajectoryReader(path)
    expect(reader.lastAt('frames', -1)).toBe(-1)
    for (let number = 0; number < 100; number++) {
      const time = number / 240
      expect(reader.lastAt('frames', time)).toBe(number)
      expect(reader.lastAt('frames', time - 1e-14)).toBe(number - 1)
      expect(reader.lastAt('frames', time + 1e-14)).toBe(number)
    }
    expect(reader.lastAt('frames', 1e9)).toBe(99)
    reader.close()
  })

  it('is flushed in chunks of one mebibyte, and at intervals when frames are slow', () => {
    const flushed = record(join(folder, 'large.mcap'), 60, { bodies: 1000 })
    expect(flushed.length).toBeGreaterThan(5)
    expect(flushed.length).toBeLessThan(10)
    let clock = 0
    expect(record(join(folder, 'slow.mcap'), 60, { clock: () => clock += 0.2 }).length).toBeGreaterThan(50)
  })
})

describe('a file that was cut off', () => {
  sampled('is recovered up to its last whole record, wherever it ends', { few: 150, all: 2400 }, cases => {
    const path = join(folder, 'cut.mcap')
    let clock = 0
    record(path, 40, { clock: () => clock += 0.02 })
    const size = statSync(path).size
    let last = Infinity
    for (let length = size - 1; length > 0; length -= Math.ceil(size / cases)) {
      truncateSync(path, length)
      let reader: TrajectoryReader
      try {
        reader = new TrajectoryReader(path)
      } catch (error) {
        expect(error).toBeInstanceOf(TrajectoryFileError)
        expect(last).toBeLessThan(6) // the chunk with the header is missing
        last = 0
        continue
      }
      expect(reader.frames).toBeLessThanOrEqual(last)
      last = Math.min(last, reader.frames)
      if (reader.frames > 0) expect([...reader.frame(reader.frames - 1).bodies.subarray(0, 13)]).toStrictEqual(fallen((reader.frames - 1) / 240))
      if (length < size - 100_000) expect(reader.complete).toBe(false)
      reader.close()
    }
    expect(last).toBe(0)
  })

  it('is reported as incomplete, and still has its scene', () => {
    const path = join(folder, 'unended.mcap')
    record(path, 30, { end: false, bodies: 1000 })
    const reader = new TrajectoryReader(path)
    expect(reader.complete).toBe(false)
    expect(reader.end).toBeNull()
    expect(reader.scene).toBe(sampleScene)
    expect(reader.frames).toBeGreaterThanOrEqual(8)
    reader.close()
  })

  it('grows for its reader while it is written', () => {
    const path = join(folder, 'growing.mcap')
    let flushed = 0
    const recorder = new Recorder({ path, scene: sampleScene, now: () => 0, progress: ({ bytes }) => { flushed = bytes } })
    recorder.header(sampleHeader(1000, 1000))
    const reader = new TrajectoryReader(path, flushed)
    let seen = 0
    for (let index = 0; index < 60; index++) {
      recordFrame(recorder, index, 1000)
      reader.extend(flushed)
      expect(reader.frames).toBeGreaterThanOrEqual(seen)
      seen = reader.frames
      if (seen > 0) expect(reader.frame(seen - 1).index).toBe(seen - 1)
    }
    expect(seen).toBeGreaterThan(40)
    recorder.end(sampleEnd(60))
    reader.extend()
    expect(reader).toMatchObject({ frames: 60, complete: true })
    reader.close()
  })
})

describe('an untrusted file', () => {
  const whole = join(folder, 'stranger.mcap')
  beforeAll(() => void record(whole, 20))

  it('is refused if it is of another kind', () => {
    for (const content of ['', 'MCAP', '{"format":"cairn-scene"}', '\x89PNG\r\n\x1a\n'.repeat(100)]) {
      const path = join(folder, 'other')
      writeFileSync(path, content, 'latin1')
      expect(() => new TrajectoryReader(path)).toThrow(TrajectoryFileError)
    }
  })

  it('is read or refused, whichever byte is changed', { tags: 'long' }, () => {
    const bytes = readFileSync(whole)
    const path = join(folder, 'changed.mcap')
    for (let at = 8; at < bytes.length; at += 131) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 0xff
      writeFileSync(path, changed)
      try {
        const reader = new TrajectoryReader(path)
        try {
          for (let number = 0; number < reader.frames; number += 6) {
            reader.frame(number)
            reader.contacts(number)
          }
          for (let number = 0; number < Math.min(3, reader.count('events')); number++) reader.event(number)
        } finally {
          reader.close()
        }
      } catch (error) {
        expect(['TrajectoryFileError', 'RangeError']).toContain((error as Error).name)
      }
    }
  })

  it('cannot claim records larger than allowed', () => {
    const path = join(folder, 'huge.mcap')
    const bytes = Buffer.from(readFileSync(whole).subarray(0, 8 + 9))
    bytes.writeBigUInt64LE(2n ** 60n, 9)
    writeFileSync(path, bytes)
    expect(() => new TrajectoryReader(path)).toThrow(/allowed are/)
  })
})

describe('an impossible output', () => {
  const recorderTo = (path: string) => new Recorder({ path, scene: sampleScene, now: () => 0, progress: () => undefined })

  it('a path below a file is a typed error before the first frame', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(() => recorderTo(join(file, 'run.mcap')).header(sampleHeader(1))).toThrow(expect.objectContaining({ name: 'OutputNotCreated' }))
  })

  it('a folder is a typed error', () => {
    mkdirSync(join(folder, 'taken.mcap'))
    expect(() => recorderTo(join(folder, 'taken.mcap')).header(sampleHeader(1))).toThrow(expect.objectContaining({ name: 'OutputNotCreated' }))
  })

  it.skipIf(!existsSync('/dev/full'))('a full disk is a typed error', () => {
    expect(() => recorderTo('/dev/full').header(sampleHeader(1))).toThrow(expect.objectContaining({ name: 'DiskFull' }))
  })
})

describe('a process killed while it computes', () => {
  it('leaves a file that can be read up to what it had flushed', async () => {
    const { cli } = built()
    const path = join(folder, 'killed.mcap')
    const child = spawn(process.execPath, [cli, 'simulate', join(scenes, 'double-pendulum.cairn.json'), '-o', path, '--duration', '10000', '--rate', '2000'], { stdio: 'ignore' })
    const ended = new Promise<NodeJS.Signals | null>(done => child.on('exit', (_code, signal) => done(signal)))
    await new Promise<void>((done, fail) => {
      const poll = setInterval(() => {
        if (existsSync(path) && statSync(path).size > 3e5) {
          clearInterval(poll)
          done()
        }
      }, 20)
      child.on('exit', () => fail(new Error('it ended by itself')))
      void ended.then(() => clearInterval(poll))
    })
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    const reader = new TrajectoryReader(path)
    expect(reader.complete).toBe(false)
    expect(reader.end).toBeNull()
    expect(reader.frames).toBeGreaterThan(100)
    for (let number = 0; number < reader.frames; number++) expect(reader.frame(number).index).toBe(number)
    expect(JSON.parse(reader.scene)).toMatchObject({ name: 'Double pendulum' })
    reader.close()
    const shown = JSON.parse(execFileSync(process.execPath, [cli, 'inspect', path, '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 })) as { complete: boolean; frame: number }
    expect(shown).toMatchObject({ complete: false })
    // @mcap/core's stream reader finds the same number of frames.
    const stream = new McapStreamReader()
    stream.append(readFileSync(path))
    let frames = 0
    let channel = -1
    for (let record = stream.nextRecord(); record; record = stream.nextRecord()) {
      if (record.type === 'Channel' && record.topic === 'frames') channel = record.id
      if (record.type === 'Message' && record.channelId === channel) frames++
    }
    expect(frames).toBeGreaterThanOrEqual(shown.frame + 1)
    expect(frames).toBeLessThanOrEqual(shown.frame + 2)
  })
})
