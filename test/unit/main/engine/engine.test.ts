import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENGINE_VERSION } from '../../../../core/simulation'
import { decodeContacts, decodeEvent, decodeFrame } from '../../../../core/trajectory/codec'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { inspect } from '../../../../main/engine/inspect'
import { TrajectoryReader } from '../../../../main/engine/reader'
import { HostError } from '../../../../main/protocol/host'
import type { RunInfo } from '../../../../main/protocol/runs'
import { built, scenes, scratch } from '../built'

const folder = scratch()
const home = join(folder, 'home')
let engine: LocalEngine
let worker: URL

beforeAll(async () => {
  worker = built().worker
  engine = createEngine({ home, workerUrl: worker, examples: scenes })
})
afterAll(async () => {
  await engine.dispose()
  rmSync(folder, { recursive: true, force: true })
})

function ball(changes: { name?: string; duration?: number; rate?: number; height?: number; color?: string; script?: string } = {}): string {
  const { name = 'Ball', duration = 0.5, rate = 100, height = 1.1, color = '#ffffff', script } = changes
  return JSON.stringify({
    format: 'cairn-scene', version: 1, name,
    materials: [{ id: 'rubber', density: 1000, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.8, color }],
    bodies: [
      { id: 'ground', type: 'fixed', position: [0, 0, 0], shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'rubber' }] },
      { id: 'ball', type: 'dynamic', position: [0, 0, height], shapes: [{ type: 'sphere', radius: 0.1, material: 'rubber' }] },
    ],
    ...(script === undefined ? {} : { scripts: [{ id: 'push.ts', source: script }], forces: [{ id: 'push', type: 'script', script: 'push.ts' }] }),
    simulation: { duration, outputRate: rate },
  })
}

const ended = (of: LocalEngine, run: RunInfo, when: (info: RunInfo) => boolean = info => info.status !== 'running') => new Promise<RunInfo>(done => {
  const stop = of.listen({
    runChanged: info => {
      if (info.id === run.id && when(info)) {
        stop()
        done(info)
      }
    },
  })
  void of.run(run.id).then(info => {
    if (!when(info)) return
    stop()
    done(info)
  })
})

const failure = async (promise: Promise<unknown>): Promise<HostError> => {
  const error = await promise.then(() => { throw new Error('nothing was thrown') }, (caught: unknown) => caught)
  expect(error).toBeInstanceOf(HostError)
  return error as HostError
}

/** A place in a run's file at which its last chunk is half there: what came before it is whole. */
function withinLastChunk(path: string): number {
  const reader = new TrajectoryReader(path)
  const { position, length } = reader.chunks.at(-1)!
  reader.close()
  return Math.floor(position + length / 2)
}

describe('a run', () => {
  let run: RunInfo
  beforeAll(async () => {
    run = await ended(engine, await engine.simulate(ball(), { reuse: true }))
  })

  it('is computed in the background and told of, to its end', () => {
    expect(run).toMatchObject({ status: 'completed', frames: 51, simulatedTime: 0.5, problem: null, timeLeft: null, header: { bodyIds: ['ground', 'ball'] } })
    expect(run.bytes).toBe(statSync(join(home, 'runs', `${run.id}.mcap`)).size)
  })

  it('is compared with others body by body, and what only one of them has is named', async () => {
    const other = await ended(engine, await engine.simulate(ball({ height: 1.2 }), { reuse: true }))
    const found = await engine.compareRuns(run.id, other.id)
    expect(found).toMatchObject({ common: 2, alone: [], divergence: 0 })
    expect(found.bodies.map(({ body }) => body)).toEqual(['ball'])
    expect(found.bodies[0]!.distance).toBeGreaterThan(0.099)
    const stranger = await ended(engine, await engine.simulate(ball().replaceAll('"ball"', '"marble"').replaceAll('"ground"', '"floor"'), { reuse: true }))
    expect(await engine.compareRuns(run.id, stranger.id)).toMatchObject({ common: 0, alone: ['ground', 'ball', 'floor', 'marble'], bodies: [] })
  })

  it('is read frame by frame and event by event, as it was recorded', async () => {
    const frames = (await engine.read(run.id, 'frames', 10, 13)).map(decodeFrame)
    expect(frames.map(frame => frame.index)).toStrictEqual([10, 11, 12])
    expect(frames[0]!.bodies[13 + 2]).toBeCloseTo(1.1 - 9.81 * 0.01 / 2, 12)
    expect(await engine.read(run.id, 'frames', 50, 60)).toHaveLength(1)
    expect(await engine.read(run.id, 'frames', 51, 60)).toHaveLength(0)
    const events = (await engine.read(run.id, 'events', 0, 100)).map(decodeEvent)
    expect(events.find(event => event.kind === 'impact')!.time).toBeCloseTo(Math.sqrt(2 / 9.81), 9)
    expect(decodeContacts((await engine.read(run.id, 'contacts', 0, 1))[0]!).count).toBe(0)
  })

  it('is reused at once for a scene that differs in names and colours only, and not for another', async () => {
    const again = await engine.simulate(ball({ name: 'Other name', color: '#123456' }), { reuse: true })
    expect(again.id).toBe(run.id)
    expect(await engine.hash(ball({ name: 'Third' }))).toBe(run.sceneHash)
    expect(await engine.hash(ball({ height: 1.2 }))).not.toBe(run.sceneHash)
    const other = await ended(engine, await engine.simulate(ball(), { reuse: false, name: 'Once more' }))
    expect(other.id).not.toBe(run.id)
    expect(other.name).toBe('Once more')
    expect(other.end!.finalHash).toBe(run.end!.finalHash)
    await engine.deleteRun(other.id)
    expect(existsSync(join(home, 'runs', `${other.id}.mcap`))).toBe(false)
    expect((await failure(engine.run(other.id))).name).toBe('UnknownRun')
  })

  it('gives whole-run quantities that are the recorded numbers', async () => {
    const [height, speed, total, gap, plot] = await engine.series(run.id, [
      { what: 'body', body: 'ball', quantity: 'position', component: 'z' }, { what: 'body', body: 'ball', quantity: 'linearVelocity', component: 'magnitude' },
      { what: 'energy', quantity: 'total' }, { what: 'pair', bodyA: 'ball', bodyB: 'ground', quantity: 'contacts' }, { what: 'script', name: 'nothing' },
    ])
    expect(height!.unit).toBe('m')
    expect(height!.time).toHaveLength(51)
    expect(height!.values[30]).toBe(decodeFrame((await engine.read(run.id, 'frames', 30, 31))[0]!).bodies[13 + 2])
    expect(speed!.values[20]).toBeCloseTo(9.81 * 0.2, 12)
    expect(total!.values[0]).toBeCloseTo(total!.values[40]!, 10)
    expect(gap!.values[0]).toBe(0)
    expect(plot!.values.every(Number.isNaN)).toBe(true)
    expect((await failure(engine.series(run.id, [{ what: 'body', body: 'cat', quantity: 'position', component: 'x' }]))).name).toBe('UnknownReference')
  })

  it('tells the same numbers as cairn inspect and cairn table', async () => {
    const reader = new TrajectoryReader(join(home, 'runs', `${run.id}.mcap`))
    const shown = inspect(reader, 0.3)
    reader.close()
    const frame = decodeFrame((await engine.read(run.id, 'frames', 30, 31))[0]!)
    expect((shown.bodies[1] as { position: number[] }).position).toStrictEqual([...frame.bodies.subarray(13, 16)])
    const row = (await engine.table(run.id, 'bodies')).split('\n')[1 + 2 * 30 + 1]!.split(',')
    expect(row.slice(3, 6).map(Number)).toStrictEqual([...frame.bodies.subarray(13, 16)])
  })

  it('finds the force intervals of any frame, one for each contact', async () => {
    for (const number of [0, 30, 50]) {
      const contacts = decodeContacts((await engine.read(run.id, 'contacts', number, number + 1))[0]!)
      const { ends, reasons } = await engine.intervals(run.id, number)
      expect(ends).toHaveLength(2 * contacts.count)
      expect(reasons).toStrictEqual([])
      // One contact leaves no choice.
      contacts.normalForce.forEach((force, k) => { if (contacts.island[k]! >= 0) expect([...ends.subarray(2 * k, 2 * k + 2)]).toStrictEqual([force, force]) })
    }
  })

  it('keeps its scene, is renamed, and is found again by the next engine', async () => {
    expect(await engine.sceneOf(run.id)).toBe(ball())
    await engine.renameRun(run.id, 'The first')
    const next = createEngine({ home, workerUrl: worker, examples: scenes })
    const found = (await next.runs()).find(info => info.id === run.id)!
    expect(found).toMatchObject({ name: 'The first', status: 'completed', frames: 51, sceneHash: run.sceneHash })
    expect((await next.simulate(ball(), { reuse: true })).id).toBe(run.id)
    await next.dispose()
  })
})

describe('a run under way', () => {
  it('is read while it computes, cancelled on request, and kept as far as it came', async () => {
    const run = await engine.simulate(ball({ duration: 1e5, rate: 1000 }), { reuse: true })
    expect(run.status).toBe('running')
    const some = await ended(engine, run, info => info.frames > 500)
    expect(some.timeLeft).toBeGreaterThan(0)
    const [last] = await engine.read(run.id, 'frames', some.frames - 1, some.frames)
    expect(decodeFrame(last!).index).toBe(some.frames - 1)
    await engine.cancel(run.id)
    const over = await ended(engine, run)
    expect(over).toMatchObject({ status: 'cancelled', end: { status: 'cancelled' } })
    expect(over.frames).toBeGreaterThanOrEqual(some.frames)
    expect(await engine.read(run.id, 'frames', over.frames - 1, over.frames)).toHaveLength(1)
    await engine.deleteRun(run.id)
  })

  it('that is refused leaves no trace and says everything that is wrong', async () => {
    const before = readdirSync(join(home, 'runs'))
    const overlapping = await failure(engine.simulate(ball({ height: 0.05 }), { reuse: true }))
    expect(overlapping).toMatchObject({ name: 'Refused', problems: [{ name: 'InitialPenetration', ids: ['ball', 'ground'] }] })
    expect((await failure(engine.simulate('{', { reuse: true }))).problems[0]).toMatchObject({ name: 'MalformedJson' })
    const script = await failure(engine.simulate(ball({ script: 'export default 5' }), { reuse: true }))
    expect(script.problems[0]).toMatchObject({ name: 'ScriptError', path: 'scripts[0].source' })
    expect(readdirSync(join(home, 'runs'))).toStrictEqual(before)
  })

  it('whose script throws is stopped at the line, and what came before is kept', async () => {
    const script = `export default function (ctx: ForceContext) {\n  if (ctx.time > 0.2) throw new Error('no further')\n}`
    const run = await ended(engine, await engine.simulate(ball({ script }), { reuse: true }))
    expect(run).toMatchObject({ status: 'stopped', problem: { name: 'ScriptError', ids: ['push.ts'], line: 2, message: expect.stringContaining('no further') as string } })
    expect(run.problem!.time).toBeGreaterThan(0.2)
    expect(run.frames).toBeGreaterThan(0)
  })

  it('whose script blocks without counting steps is ended by the watchdog, and the engine goes on', { tags: 'long' }, async () => {
    const script = `export default function (ctx: ForceContext) {\n  if (ctx.time > 0.2) Array(4e9).indexOf(5)\n}`
    const run = await engine.simulate(ball({ script }), { reuse: true })
    expect(await engine.version()).toBe(ENGINE_VERSION)
    const over = await ended(engine, run)
    expect(over).toMatchObject({ status: 'stopped', problem: { name: 'ScriptError', message: expect.stringContaining('10 s') as string } })
    expect(over.frames).toBeGreaterThan(0)
    expect(decodeFrame((await engine.read(run.id, 'frames', 0, 1))[0]!).index).toBe(0)
  })

  it('of an engine that died is listed as failed, with what there is', async () => {
    const dead = join(folder, 'dead-home')
    const first = createEngine({ home: dead, workerUrl: worker })
    const run = await ended(first, await first.simulate(ball(), { reuse: true }))
    await first.dispose()
    const record = join(dead, 'runs', `${run.id}.json`)
    writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')) as object, status: 'running', pid: 2 ** 22 + 1 }))
    const path = join(dead, 'runs', `${run.id}.mcap`)
    truncateSync(path, withinLastChunk(path))
    const second = createEngine({ home: dead, workerUrl: worker })
    const [found] = await second.runs()
    expect(found).toMatchObject({ id: run.id, status: 'failed', problem: { name: 'Interrupted' }, end: null })
    expect((await second.simulate(ball(), { reuse: true })).id).not.toBe(run.id)
    await second.dispose()
  })
})

describe('the cache', () => {
  it('stays within its bytes: the run used longest ago goes first', async () => {
    const small = createEngine({ home: join(folder, 'small-home'), workerUrl: worker, cacheBytes: 150_000 })
    const ids: string[] = []
    for (const height of [1.1, 1.2, 1.3, 1.4]) ids.push((await ended(small, await small.simulate(ball({ height }), { reuse: true }))).id)
    await small.dispose()
    const kept = readdirSync(join(folder, 'small-home/runs')).filter(name => name.endsWith('.mcap'))
    expect(kept.length).toBeLessThan(4)
    expect(kept).toContain(`${ids[3]}.mcap`)
    expect(kept).not.toContain(`${ids[0]}.mcap`)
  })
})

describe('documents', () => {
  const text = ball({ name: 'On disk' })
  const path = join(folder, 'on-disk.cairn.json')

  it('are opened as they are on disk, saved whole, and asked about when they changed there', async () => {
    writeFileSync(path, text)
    const handle = engine.handleFor(path)
    const opened = await engine.openHandle(handle)
    expect(opened).toMatchObject({ name: 'on-disk.cairn.json', text, savable: true, run: null })
    const saved = await engine.save(handle, `${text}\n`, { overwrite: false, base: opened.revision })
    expect(saved).toMatchObject({ status: 'saved' })
    const base = saved.status === 'saved' ? saved.revision : null
    expect(readFileSync(path, 'utf8')).toBe(`${text}\n`)
    writeFileSync(path, 'changed by another program')
    expect(await engine.save(handle, text, { overwrite: false, base })).toStrictEqual({ status: 'changed-on-disk' })
    expect(readFileSync(path, 'utf8')).toBe('changed by another program')
    expect(await engine.save(handle, text, { overwrite: true })).toMatchObject({ status: 'saved' })
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(readdirSync(folder).filter(name => name.includes('.tmp'))).toHaveLength(0)
    expect((await engine.recent())[0]).toMatchObject({ name: 'on-disk.cairn.json' })
  })

  it('tell of a change on disk', async () => {
    const handle = engine.handleFor(path)
    await engine.openHandle(handle)
    const told = new Promise<string>(done => {
      const stop = engine.listen({
        documentChanged: changed => {
          stop()
          done(changed)
        },
      })
    })
    writeFileSync(path, 'changed')
    expect(await told).toBe(handle)
    writeFileSync(path, text)
  })

  it('that cannot be written say why and leave the old content', async () => {
    const below = engine.handleFor(join(path, 'below.cairn.json'))
    expect((await failure(engine.save(below, text, { overwrite: false }))).message).toBe('"below.cairn.json" cannot be written: its folder is a file.')
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect((await failure(engine.openHandle(engine.handleFor(join(folder, 'missing.json'))))).name).toBe('FileNotFound')
    expect((await failure(engine.openHandle('made up'))).name).toBe('UnknownDocument')
  })

  it('are recovered after a crash, and forgotten once saved', async () => {
    const lost = createEngine({ home: join(folder, 'lost-home'), workerUrl: worker })
    const handle = lost.handleFor(path)
    await lost.openHandle(handle)
    await lost.autosave('window/on-disk', 'on-disk.cairn.json', 'unsaved work')
    await lost.dispose()
    const next = createEngine({ home: join(folder, 'lost-home'), workerUrl: worker })
    const [found] = await next.recoverable()
    expect(found).toMatchObject({ name: 'on-disk.cairn.json' })
    expect(await next.openHandle(found!.handle)).toMatchObject({ text: 'unsaved work', savable: false })
    await next.discardAutosave(found!.draft)
    expect(await next.recoverable()).toHaveLength(0)
    await next.dispose()
  })

  it('that two windows change are two drafts, each its window\'s own until that is gone', async () => {
    const host = createEngine({ home: join(folder, 'two-windows'), workerUrl: worker })
    await host.autosave('first/on-disk', 'on-disk.cairn.json', 'by the first')
    await host.autosave('second/on-disk', 'on-disk.cairn.json', 'by the second')
    expect(await host.recoverable()).toEqual([])
    host.leaveDrafts(['first/on-disk'])
    expect((await host.recoverable()).map(({ draft }) => draft)).toEqual(['first/on-disk'])
    host.leaveDrafts(['second/on-disk'])
    const texts = await Promise.all((await host.recoverable()).map(async ({ handle }) => (await host.openHandle(handle)).text))
    expect(texts.sort()).toEqual(['by the first', 'by the second'])
    await host.dispose()
  })

  it('dropped on the page are opened from their bytes, runs included', async () => {
    expect(await engine.openBytes('dropped.cairn.json', new TextEncoder().encode(text))).toMatchObject({ name: 'dropped.cairn.json', text, savable: false })
    expect((await failure(engine.openBytes('bad.cairn.json', new Uint8Array([0xff])))).name).toBe('InvalidFile')
    const run = (await engine.runs()).find(({ status }) => status === 'completed')
    const path = join(home, 'runs', `${run!.id}.mcap`)
    const bytes = readFileSync(path)
    const opened = await engine.openBytes('../../evil.mcap', bytes)
    expect(opened).toMatchObject({ name: 'evil.mcap', savable: false, run: { header: run!.header, frames: run!.frames } })
    expect(opened.text).toBe(await engine.sceneOf(run!.id))
    expect((await failure(engine.openBytes('cut.mcap', bytes.subarray(0, 20)))).name).toBe('InvalidTrajectory')
    expect((await engine.openBytes('half.mcap', bytes.subarray(0, withinLastChunk(path)))).run).toMatchObject({ status: 'failed', problem: { name: 'Incomplete' } })
  })

  it('of the gallery each have a name, a description, what to look at, and open without being savable', async () => {
    const examples = await engine.examples()
    expect(examples.length).toBeGreaterThanOrEqual(10)
    for (const example of examples) {
      expect(example.name.length).toBeGreaterThan(3)
      expect(example.description.length).toBeGreaterThan(10)
      expect(example.lookAt.length).toBeGreaterThan(20)
      const document = await engine.openHandle(example.handle)
      expect(document.savable).toBe(false)
      expect((await failure(engine.save(example.handle, '', { overwrite: true }))).name).toBe('NotSavable')
    }
  })
})

describe('checks and exports', () => {
  it('list every problem, warnings and scripts included', async () => {
    expect(await engine.check(ball(), 'page')).toHaveLength(0)
    expect(await engine.check(ball({ script: 'const a = ;' }), 'page')).toMatchObject([{ name: 'ScriptError', line: 1, column: 11, path: 'scripts[0].source' }])
  })

  it('give files and losses', async () => {
    expect((await engine.formats()).map(format => format.id)).toContain('mjcf')
    const { files } = await engine.exportScene(ball(), 'mjcf', 'My robot_2', {})
    expect(files.map(({ name }) => name)).toEqual(['My-robot_2.xml'])
    expect(new TextDecoder().decode(files[0]!.data)).toContain('<mujoco')
    expect((await failure(engine.exportScene('{}', 'mjcf', 'a', {}))).name).toBe('Refused')
    expect((await failure(engine.exportScene(ball(), 'fbx', 'a', {}))).name).toBe('UnknownFormat')
  })
})
