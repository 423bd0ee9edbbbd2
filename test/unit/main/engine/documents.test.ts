import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { built, scenes, scratch } from '../built'
import { ball, ended, failure, withinLastChunk } from './ball-runs'

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

describe('documents', () => {
  const text = ball({ name: 'On disk' })
  const path = join(folder, 'on-disk.cairn.json')

  it('are opened as they are on disk, saved whole, and not overwritten without a question if they changed there', async () => {
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

  it('report a change on disk', async () => {
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

  it('that cannot be written report the reason and leave the old content', async () => {
    const below = engine.handleFor(join(path, 'below.cairn.json'))
    expect((await failure(engine.save(below, text, { overwrite: false }))).message).toBe('"below.cairn.json" cannot be written: its folder is a file.')
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect((await failure(engine.openHandle(engine.handleFor(join(folder, 'missing.json'))))).name).toBe('FileNotFound')
    expect((await failure(engine.openHandle('made up'))).name).toBe('UnknownDocument')
  })

  it('are recovered after a crash, until they are saved', async () => {
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

  it('changed in two windows have two drafts, each of which belongs to its window while that exists', async () => {
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
    const run = await ended(engine, await engine.simulate(text, { reuse: true }))
    expect(run.status).toBe('completed')
    const path = join(home, 'runs', `${run.id}.mcap`)
    const bytes = readFileSync(path)
    const opened = await engine.openBytes('../../evil.mcap', bytes)
    expect(opened).toMatchObject({ name: 'evil.mcap', savable: false, run: { header: run.header, frames: run.frames } })
    expect(opened.text).toBe(await engine.sceneOf(run.id))
    expect((await failure(engine.openBytes('cut.mcap', bytes.subarray(0, 20)))).name).toBe('InvalidTrajectory')
    expect((await engine.openBytes('half.mcap', bytes.subarray(0, withinLastChunk(path)))).run).toMatchObject({ status: 'failed', problem: { name: 'Incomplete' } })
  })

  it('of the gallery each have a name, a description, a hint and a picture, and open without being savable', async () => {
    const examples = await engine.examples()
    expect(examples.length).toBeGreaterThanOrEqual(10)
    for (const example of examples) {
      expect(example.name.length).toBeGreaterThan(3)
      expect(example.description.length).toBeGreaterThan(10)
      expect(example.lookAt.length).toBeGreaterThan(20)
      expect(example.lookAt).not.toMatch(/^Tags:/m)
      expect(example.picture, example.name).toMatch(/^data:image\/png;base64,/)
      const document = await engine.openHandle(example.handle)
      expect(document.savable).toBe(false)
      expect((await failure(engine.save(example.handle, '', { overwrite: true }))).name).toBe('NotSavable')
    }
    expect(examples.filter(({ tags }) => tags.includes('indeterminate')).map(({ name }) => name)).toEqual(['Rod that may hold or part'])
  })
})

describe('checks and exports', () => {
  it('list every problem, including warnings and faults of scripts', async () => {
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
