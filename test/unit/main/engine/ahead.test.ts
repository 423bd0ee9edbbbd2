import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { aheadLimits, type AheadLimits } from '../../../../main/engine/ahead'
import { built, scratch } from '../built'
import { ball, ended } from './ball-runs'

const LIMITS: AheadLimits = { idle: 50, opened: 10, run: 20_000, bytes: 1e9 }
/** Takes minutes. */
const endless = ball({ name: 'Endless', duration: 100_000, rate: 1000 })

let worker: URL
let engine: LocalEngine
let folder: string

function start(examples: Readonly<Record<string, string>>, limits: Partial<AheadLimits> = {}, own = scratch()): LocalEngine {
  folder = own
  mkdirSync(join(folder, 'scenes'), { recursive: true })
  for (const [name, text] of Object.entries(examples)) writeFileSync(join(folder, 'scenes', `${name}.cairn.json`), text)
  engine = createEngine({ home: join(folder, 'home'), examples: join(folder, 'scenes'), workerUrl: worker, ahead: { ...LIMITS, ...limits } })
  return engine
}
beforeAll(() => { worker = built().worker })
afterEach(async () => {
  await engine.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** Names of what is recorded, in order. */
function recorded(): string[] {
  const names: string[] = []
  engine.listen({ recordingAhead: status => { if (status) names.push(status.name) } })
  return names
}
const states = async () => (await engine.runs()).map(run => `${run.header?.sceneName} ${run.status}`).sort()
/** The engine is left alone meanwhile: every call delays it. */
const alone = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
async function until(what: () => Promise<boolean>): Promise<void> {
  for (let k = 0; k < 60 && !await what(); k++) await alone(500)
}

describe('examples recorded ahead', () => {
  it('have a run each once the engine is idle, which a simulation of the same scene reuses', async () => {
    start({ a: ball({ name: 'A' }), b: ball({ name: 'B', height: 1.2 }) })
    const names = recorded()
    await until(async () => (await states()).filter(state => state.endsWith('completed')).length === 2)
    expect(names).toEqual(['A', 'B'])
    expect(await states()).toEqual(['A completed', 'B completed'])
    const run = await engine.simulate(ball({ name: 'A' }), { reuse: true })
    expect(run.status).toBe('completed')
    expect(await engine.runs()).toHaveLength(2)
  })

  it('begin with the one that was opened', async () => {
    start({ a: ball({ name: 'A' }), b: ball({ name: 'B', height: 1.2 }) }, { idle: 1e6 })
    const names = recorded()
    const [, second] = await engine.examples()
    await engine.openHandle(second!.handle)
    await alone(3000)
    expect(names[0]).toBe('B')
  })

  it('give way to a run of the user at once and leave no half file', async () => {
    start({ endless }, { idle: 1000 })
    await alone(2000)
    expect(await states()).toEqual(['Endless running'])
    await ended(engine, await engine.simulate(ball({ name: 'Own' }), { reuse: true }))
    expect(await states()).toEqual(['Own completed'])
  })

  it('become the user\'s if the user simulates the same scene meanwhile', async () => {
    start({ endless })
    await until(async () => (await states()).length === 1)
    const [ahead] = await engine.runs()
    const run = await engine.simulate(endless, { reuse: true })
    expect(run.id).toBe(ahead!.id)
    await alone(300)
    expect((await engine.run(run.id)).status).toBe('running')
    await engine.cancel(run.id)
    await ended(engine, run)
  })

  it('are given up if they take too long, for good', async () => {
    start({ endless }, { run: 400 })
    let names = recorded()
    await alone(2500)
    expect([names, await states()]).toEqual([['Endless'], []])
    const own = folder
    await engine.dispose()
    start({ endless }, { run: 400 }, own)
    names = recorded()
    await alone(800)
    expect(names).toEqual([])
  })

  it('stop at the limit of bytes, and when the user stops them', async () => {
    start({ a: ball({ name: 'A' }), b: ball({ name: 'B', height: 1.2 }) }, { bytes: 1 })
    const names = recorded()
    await alone(3000)
    expect(names).toEqual(['A'])
    await engine.dispose()
    start({ a: ball({ name: 'A' }) }, { idle: 300 })
    const none = recorded()
    await engine.stopRecordingAhead()
    await alone(1000)
    expect(none).toEqual([])
  })

  it('can be switched off', () => {
    start({})
    expect(aheadLimits({ CAIRN_RECORD_AHEAD: '0' })).toBeNull()
  })

  it('end with a message if an example cannot be read, and the engine goes on', async () => {
    const said: string[] = []
    folder = scratch()
    mkdirSync(join(folder, 'scenes'), { recursive: true })
    writeFileSync(join(folder, 'scenes', 'broken.cairn.json'), '{')
    engine = createEngine({
      home: join(folder, 'home'), examples: join(folder, 'scenes'), workerUrl: worker, ahead: LIMITS, trouble: message => { said.push(message) },
    })
    await alone(1000)
    expect(said).toEqual([expect.stringMatching(/^Examples are not recorded ahead any more: /)])
    expect(await engine.runs()).toEqual([])
  })
})
