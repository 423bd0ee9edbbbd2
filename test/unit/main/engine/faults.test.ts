/** Faults around the engine: lost files, full disks, damaged bytes, slow scenes. Nothing hangs, and every loss is reported. */
import { execFileSync } from 'node:child_process'
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { damageOf } from '../../../../main/engine/integrity'
import { TrajectoryFileError, TrajectoryReader } from '../../../../main/engine/reader'
import { compute } from '../../../../main/run/compute'
import { controlLength, type RunReport } from '../../../../main/run/job'
import { built, scratch } from '../built'
import { boxesScene, failure } from './boxes-scene'
import { sampled } from '../../../sampled'

const folder = scratch()
let workerUrl: URL
let engine: LocalEngine
const troubles: string[] = []

beforeAll(async () => {
  workerUrl = built().worker
  engine = createEngine({ home: join(folder, 'home'), workerUrl, trouble: message => troubles.push(message) })
})
afterAll(async () => {
  await engine.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 20))
}

describe('two windows on one file', () => {
  const path = join(folder, 'shared.cairn.json')

  it('do not overwrite each other\'s changes without a question', async () => {
    writeFileSync(path, 'as it was')
    const told: string[] = []
    const stop = engine.listen({ documentChanged: (_, revision) => told.push(revision) })
    const handle = engine.handleFor(path)
    const [first, second] = [await engine.openHandle(handle), await engine.openHandle(handle)]
    const saved = await engine.save(handle, 'by the first', { overwrite: false, base: first.revision })
    expect(saved).toMatchObject({ status: 'saved' })
    expect(await engine.save(handle, 'by the second', { overwrite: false, base: second.revision })).toStrictEqual({ status: 'changed-on-disk' })
    expect(readFileSync(path, 'utf8')).toBe('by the first')
    const base = saved.status === 'saved' ? saved.revision : null
    expect(await engine.save(handle, 'by the first again', { overwrite: false, base })).toMatchObject({ status: 'saved' })
    const last = await engine.save(handle, 'by the second', { overwrite: true, base: second.revision })
    // Each window is notified of every version, and recognises its own.
    await until(() => told.length >= 3)
    stop()
    expect(told[0]).toBe(base)
    expect(told.at(-1)).toBe(last.status === 'saved' ? last.revision : '')
  })
})

describe('disks and folders', () => {
  it('that cannot store the list of recent files still let files be opened and saved, with a message', async () => {
    const home = join(folder, 'no-recent')
    mkdirSync(join(home, 'recent.json'), { recursive: true }) // a folder is in the place of the file
    const said: string[] = []
    const other = createEngine({ home, workerUrl, trouble: message => said.push(message) })
    const path = join(folder, 'plain.cairn.json')
    writeFileSync(path, boxesScene())
    const handle = other.handleFor(path)
    const opened = await other.openHandle(handle)
    expect(await other.save(handle, boxesScene(2), { overwrite: false, base: opened.revision })).toMatchObject({ status: 'saved' })
    expect(said[0]).toMatch(/list of recent files was not updated.*it is a folder/)
    await other.dispose()
  })

  it('that refuse a save allow another try', async () => {
    const below = join(folder, 'later')
    writeFileSync(below, '')
    const handle = engine.handleFor(join(below, 'a.cairn.json'))
    expect((await failure(engine.save(handle, 'text', { overwrite: false }))).name).toBe('FileNotWritable')
    rmSync(below)
    mkdirSync(below)
    expect(await engine.save(handle, 'text', { overwrite: false })).toMatchObject({ status: 'saved' })

    const path = join(folder, 'kept.cairn.json')
    writeFileSync(path, 'old')
    const kept = engine.handleFor(path)
    const { revision } = await engine.openHandle(kept)
    rmSync(path)
    mkdirSync(path) // a file cannot be renamed over a folder
    expect((await failure(engine.save(kept, 'new', { overwrite: false, base: revision }))).name).toBe('FileNotWritable')
    rmSync(path, { recursive: true })
    writeFileSync(path, 'old')
    expect(await engine.save(kept, 'new', { overwrite: false, base: revision })).toMatchObject({ status: 'saved' })
  })

  it('that cannot be the engine\'s home are named in the error', () => {
    writeFileSync(join(folder, 'no-folder'), '')
    expect(() => createEngine({ home: join(folder, 'no-folder') })).toThrow(
      expect.objectContaining({ name: 'HomeNotWritable', message: expect.stringContaining('its folder is a file') as string }) as Error)
  })

  it('that lose the run records do not lose the runs', async () => {
    const home = join(folder, 'no-records')
    const said: string[] = []
    const other = createEngine({ home, workerUrl, trouble: message => said.push(message) })
    const run = await other.simulate(boxesScene(), { reuse: false })
    const record = join(home, 'runs', `${run.id}.json`)
    rmSync(record)
    mkdirSync(record)
    await other.renameRun(run.id, 'renamed')
    expect(said[0]).toMatch(/record of run .* was not updated/)
    expect((await other.runs())[0]!.name).toBe('renamed')
    await other.dispose()
  })
})

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  it('is neither a run nor a scene, and is refused without waiting', async () => {
    const pipe = join(folder, 'pipe.mcap')
    execFileSync('mkfifo', [pipe])
    expect(() => new TrajectoryReader(pipe)).toThrow(TrajectoryFileError)
    expect((await failure(engine.openHandle(engine.handleFor(pipe)))).name).toBe('InvalidTrajectory')
    const asScene = join(folder, 'pipe.cairn.json')
    execFileSync('mkfifo', [asScene])
    expect((await failure(engine.openHandle(engine.handleFor(asScene)))).name).toBe('NotAFile')
    expect(await engine.save(engine.handleFor(asScene), 'text', { overwrite: false })).toMatchObject({ status: 'saved' })
  })

  it('is refused as the output of a run', async () => {
    const pipe = join(folder, 'out.mcap')
    execFileSync('mkfifo', [pipe])
    const told: RunReport[] = []
    await compute({ scene: boxesScene(), output: pipe, control: new SharedArrayBuffer(4 * controlLength) }, report => told.push(report))
    expect(told).toMatchObject([{ kind: 'refused', problems: [{ name: 'OutputNotCreated', message: '"out.mcap" cannot be created: it is a pipe.' }] }])
  })
})

describe('a damaged run', () => {
  const whole = join(folder, 'whole.mcap')
  const damaged = join(folder, 'damaged.mcap')
  beforeAll(async () => {
    await compute({ scene: boxesScene(4), output: whole, control: new SharedArrayBuffer(4 * controlLength) }, () => undefined)
  })

  const flip = (byte: number, bit: number) => {
    copyFileSync(whole, damaged)
    const bytes = readFileSync(whole)
    const fd = openSync(damaged, 'r+')
    writeSync(fd, Uint8Array.of(bytes[byte]! ^ (1 << bit)), 0, 1, byte)
    closeSync(fd)
  }

  const damage = (path: string) => {
    const reader = new TrajectoryReader(path)
    try {
      return damageOf(reader)
    } finally {
      reader.close()
    }
  }

  it('is distinguished from a sound one', () => {
    expect(damage(whole)).toStrictEqual([])
  })

  it('with a rope in it is sound, and the hash includes the rope\'s state', async () => {
    const roped = join(folder, 'roped.mcap')
    const text = JSON.stringify({
      format: 'cairn-scene', version: 1, materials: [{ id: 'm' }], simulation: { duration: 0.1 },
      bodies: [{ id: 'ball', position: [0, 0, 9], shapes: [{ type: 'sphere', radius: 0.1, material: 'm' }] }],
      deformables: [{ id: 'rope', type: 'rope', material: 'm', points: [[0, 0, 2], [1, 0, 2]], segments: 4, pins: [0] }],
    })
    await compute({ scene: text, output: roped, control: new SharedArrayBuffer(4 * controlLength) }, () => undefined)
    expect(damage(roped)).toStrictEqual([])
  })

  /** Whether a changed bit is reported: the file is unreadable, incomplete or damaged. */
  const isTold = (byte: number, bit: number): boolean => {
    flip(byte, bit)
    try {
      const cut = new TrajectoryReader(damaged)
      const { complete } = cut
      cut.close()
      return !complete || damage(damaged).length > 0
    } catch (error) {
      expect(error).toBeInstanceOf(TrajectoryFileError)
      return true
    }
  }

  sampled('is detected whichever bit of its data was changed', { few: 80, all: 400 }, cases => {
    const reader = new TrajectoryReader(whole)
    const end = reader.dataEnd!.position
    reader.close()
    const bytes = Array.from({ length: cases }, (_, trial) => Math.floor(trial * end / cases))
    expect(bytes.filter((byte, trial) => !isTold(byte, trial % 8))).toStrictEqual([])
  })

  it('is detected whichever bit of its header was changed', () => {
    const reader = new TrajectoryReader(whole)
    const { position } = reader.chunks[0]!
    reader.close()
    const bytes = Array.from({ length: 1200 }, (_, i) => position + i)
    expect(bytes.filter(byte => !isTold(byte, byte % 8))).toStrictEqual([])
  })

  it('says which frames are affected', () => {
    const reader = new TrajectoryReader(whole)
    const chunk = reader.chunks.length - 1
    const { position, length } = reader.chunks[chunk]!
    const span = reader.framesIn(chunk)
    reader.close()
    flip(position + Math.floor(length / 2), 3)
    expect(damage(damaged)).toMatchObject([{ name: 'DamagedFile', message: expect.stringContaining(span === null ? 'no frames' : `frames ${span.first} to ${span.last}`) as string }])
  })

  it('is listed as failed, with the reason', async () => {
    flip(new TrajectoryReader(whole).chunks[1]!.position + 500, 3)
    const { run } = await engine.openHandle(engine.handleFor(damaged))
    expect(run).toMatchObject({ status: 'failed', problem: { name: 'DamagedFile', severity: 'error' } })
  })

  it('in the cache is not used for the run that is requested', async () => {
    const home = join(folder, 'cache-home')
    const first = createEngine({ home, workerUrl })
    const run = await first.simulate(boxesScene(2), { reuse: true })
    await until(() => run.status !== 'running' || readFileSync(join(home, 'runs', `${run.id}.json`), 'utf8').includes('"completed"'))
    await first.dispose()
    const path = join(home, 'runs', `${run.id}.mcap`)
    const bytes = readFileSync(path)
    const reader = new TrajectoryReader(path)
    bytes[reader.chunks[1]!.position + 600]! ^= 4
    reader.close()
    writeFileSync(path, bytes)
    const second = createEngine({ home, workerUrl })
    expect((await second.simulate(boxesScene(2), { reuse: true })).id).not.toBe(run.id)
    expect(await second.run(run.id)).toMatchObject({ status: 'failed', problem: { name: 'DamagedFile' } })
    await second.dispose()
  })
})
