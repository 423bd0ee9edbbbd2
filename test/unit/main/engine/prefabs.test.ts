import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { scratch } from '../built'

const scene = (bodies: object[] = []) => JSON.stringify({ format: 'cairn-scene', version: 1, bodies })
const nest = (file: string) => JSON.stringify({ format: 'cairn-scene', version: 1, prefabs: [{ id: 'p', file }], instances: [{ id: 'i', prefab: 'p' }] })

let folder = ''
let engine: LocalEngine
beforeEach(() => {
  folder = scratch()
  engine = createEngine({ home: join(folder, 'home') })
  mkdirSync(join(folder, 'work', 'parts'), { recursive: true })
  writeFileSync(at('scene.cairn.json'), nest('parts/pair.json'))
  writeFileSync(at('parts/pair.json'), nest('wheel.json'))
  writeFileSync(at('parts/wheel.json'), scene())
})
afterEach(async () => {
  await engine.dispose()
  rmSync(folder, { recursive: true, force: true })
})
const at = (name: string) => join(folder, 'work', name)
const handle = (name = 'scene.cairn.json') => engine.handleFor(at(name))

it('gives the files of prefabs with their nested ones, and says why one is missing', async () => {
  writeFileSync(join(folder, 'secret.json'), scene())
  symlinkSync(join(folder, 'secret.json'), at('parts/link.json'))
  const { files, missing } = await engine.prefabs(handle(), ['parts/pair.json', 'parts/none.json', 'parts/link.json', '../secret.json', '/etc/passwd'])
  expect(files.map(({ file, source }) => [file, source])).toEqual([['parts/pair.json', nest('wheel.json')], ['parts/wheel.json', scene()]])
  expect(missing.map(({ file, reason }) => [file, reason])).toEqual([
    ['parts/none.json', 'There is no file "parts/none.json" in the scene\'s folder'], ['parts/link.json', '"parts/link.json" leads out of the scene\'s folder'],
    ['/etc/passwd', '"/etc/passwd" is not a path below the scene\'s folder'],
  ])
  const dropped = await engine.openBytes('dropped.json', new TextEncoder().encode(scene()))
  expect((await engine.prefabs(dropped.handle, ['x.json'])).missing).toMatchObject([{ file: 'x.json' }])
})

it('names a file relative to the scene\'s folder, and refuses one elsewhere', async () => {
  expect(await engine.prefabFile(handle(), handle('parts/new.json'))).toBe('parts/new.json')
  writeFileSync(join(folder, 'secret.json'), scene())
  await expect(engine.prefabFile(handle(), engine.handleFor(join(folder, 'secret.json')))).rejects.toMatchObject({ name: 'OutsideFolder' })
  await expect(engine.prefabFile(handle(), handle())).rejects.toMatchObject({ name: 'CircularPrefabs' })
  expect((await engine.openHandle(await engine.prefabHandle(handle(), 'parts/wheel.json'))).text).toBe(scene())
  await expect(engine.prefabHandle(handle(), '../secret.json')).rejects.toMatchObject({ name: 'OutsideFolder' })
})

it('reports a changed file, nested ones too: at once if one of our windows saved it, soon if another program did', async () => {
  const told: string[] = []
  engine.listen({ prefabsChanged: document => told.push(document) })
  const scene0 = handle()
  await engine.prefabs(scene0, ['parts/pair.json'])
  const wheel = handle('parts/wheel.json')
  const { revision } = await engine.openHandle(wheel)
  await engine.save(wheel, scene([{ id: 'a', type: 'fixed' }]), { overwrite: false, base: revision })
  await expect.poll(() => told.length, { timeout: 1000 }).toBeGreaterThan(0)
  const before = told.length
  writeFileSync(at('parts/pair.json'), nest('./wheel.json'))
  await expect.poll(() => told.length, { timeout: 8000, interval: 200 }).toBeGreaterThan(before)
  expect(new Set(told)).toEqual(new Set([scene0]))
}, 20_000)

it('reports a missing file that appears', async () => {
  const told: string[] = []
  engine.listen({ prefabsChanged: document => told.push(document) })
  expect((await engine.prefabs(handle(), ['parts/later.json'])).missing).toHaveLength(1)
  await new Promise(done => setTimeout(done, 200)) // the file watch has polled once
  expect(told).toEqual([])
  writeFileSync(at('parts/later.json'), scene())
  await expect.poll(() => told.length, { timeout: 8000, interval: 200 }).toBeGreaterThan(0)
})
