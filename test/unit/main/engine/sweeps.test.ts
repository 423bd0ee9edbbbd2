/** Sweeps of the editor: in the background, through the engine's interface, with real threads and files. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { HostError } from '../../../../main/protocol/host'
import type { SweepInfo } from '../../../../main/protocol/sweeps'
import { rowsOf } from '../batch/parquet'
import { plan } from '../batch/sweeps'
import { built, scratch } from '../built'

const folder = scratch()
let worker: URL
let engines: LocalEngine[] = []

beforeAll(async () => {
  worker = built().worker
}, 300_000)
afterAll(async () => {
  for (const engine of engines) await engine.dispose()
  rmSync(folder, { recursive: true, force: true })
})

function engineIn(home: string): LocalEngine {
  const engine = createEngine({ home: join(folder, home), workerUrl: worker })
  engines.push(engine)
  return engine
}
async function dispose(engine: LocalEngine) {
  engines = engines.filter(other => other !== engine)
  await engine.dispose()
}

const until = (engine: LocalEngine, id: string, when: (info: SweepInfo) => boolean) => new Promise<SweepInfo>(done => {
  const look = (info: SweepInfo | undefined) => {
    if (info?.id !== id || !when(info)) return
    stop()
    done(info)
  }
  const stop = engine.listen({ sweepChanged: look })
  void engine.sweeps().then(all => look(all.find(info => info.id === id)))
})
const over = (engine: LocalEngine, id: string) => until(engine, id, ({ state }) => state !== 'running')
const refusal = (promise: Promise<unknown>) => promise.then(() => null, (error: unknown) => error as HostError)

describe('a sweep of the editor', () => {
  it('runs in the background, reports its progress, and has a row of values and measures for each run', async () => {
    const engine = engineIn('background')
    expect(await engine.checkSweep(plan())).toEqual({ runs: 20, measures: ['x', 'force', 'energy.residual'] })
    const begun = await engine.startSweep(plan(), { name: 'Slope', workers: 2 })
    expect(begun).toMatchObject({ name: 'Slope', state: 'running', parameters: [{ name: 'mu' }, { name: 'angle' }] })
    const end = await over(engine, begun.id)
    expect(end).toMatchObject({ state: 'completed', progress: { total: 20, done: 20, failed: 0, running: 0 } })
    const results = await engine.sweepResults(begun.id, 0, 100)
    expect(results.map(({ row }) => row.run).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, k) => k))
    // A block on a slope slides where tan θ > μ, and not otherwise.
    for (const { row, values: [mu, angle] } of results) expect(row.measures[0]! > 1e-9).toBe(Math.tan(Number(angle) * Math.PI / 180) > Number(mu))
    expect(await engine.sweepResults(begun.id, 18, 100)).toEqual(results.slice(18))
    const csv = new TextDecoder().decode(await engine.sweepTable(begun.id, 'csv'))
    expect(csv.split('\n')).toHaveLength(22)
    writeFileSync(join(folder, 'results.parquet'), await engine.sweepTable(begun.id, 'parquet'))
    expect(await rowsOf(join(folder, 'results.parquet'))).toHaveLength(20)
  })

  it('continues after a stop and after a restart, with the same content as without interruption', { tags: 'long' }, async () => {
    const whole = engineIn('whole')
    const { id } = await whole.startSweep(plan(), { name: 'Slope', workers: 1 })
    const { contentHash } = await over(whole, id)

    const first = engineIn('pieces')
    await first.startSweep(plan(), { name: 'Slope', workers: 1 })
    await until(first, id, ({ progress }) => progress.done >= 2)
    await first.cancelSweep(id)
    const [stopped] = await first.sweeps()
    expect(stopped).toMatchObject({ state: 'cancelled', contentHash: null })
    await dispose(first)

    const second = engineIn('pieces')
    expect(await second.sweeps()).toMatchObject([{ id, name: 'Slope', state: 'cancelled', progress: { total: 20, done: stopped!.progress.done } }])
    const before = await second.sweepResults(id, 0, 100)
    expect(await second.resumeSweep(id, 2)).toMatchObject({ state: 'running' })
    expect(await over(second, id)).toMatchObject({ state: 'completed', contentHash })
    // Known results keep their positions; the page requests only the rest.
    const after = await second.sweepResults(id, 0, 100)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after).toHaveLength(20)
  })

  it('is the same sweep if the same plan is started again', async () => {
    const engine = engineIn('once')
    const { id } = await engine.startSweep(plan(), { name: 'First', workers: 2 })
    await over(engine, id)
    expect(await engine.startSweep(plan(), { name: 'Second', workers: 2 })).toMatchObject({ id, name: 'First', state: 'completed' })
    expect(await engine.sweeps()).toHaveLength(1)
  })

  it('opens a run from its kept trajectory, or computes it again', async () => {
    const engine = engineIn('opened')
    const { id } = await engine.startSweep(plan({ keep: { kind: 'where', expression: 'bodies.block.position[0]@end > 1e-9' } }), { name: 'Slope', workers: 2 })
    await over(engine, id)
    const results = await engine.sweepResults(id, 0, 100)
    const slides = results.find(({ row }) => row.kept !== '')!
    const rests = results.find(({ row }) => row.kept === '')!
    const kept = await engine.openSweepRun(id, slides.row.run)
    expect(kept).toMatchObject({ name: `Slope, run ${slides.row.run}`, status: 'completed' })
    expect(JSON.parse(await engine.sceneOf(kept.id))).toMatchObject({ materials: [{ friction: { static: slides.values[0] } }] })
    const again = await engine.openSweepRun(id, rests.row.run)
    await new Promise<void>(done => {
      const look = (status: string) => { if (status !== 'running') done() }
      engine.listen({ runChanged: run => { if (run.id === again.id) look(run.status) } })
      void engine.run(again.id).then(run => look(run.status))
    })
    expect((await engine.run(again.id)).end?.finalHash).toBe(rests.row.finalHash)
    await engine.deleteSweep(id)
    expect(await engine.sweeps()).toEqual([])
    expect(readdirSync(join(folder, 'opened', 'sweeps'))).toEqual([])
    expect((await refusal(engine.run(kept.id)))?.name).toBe('UnknownRun')
  })

  it('reports what is wrong with a plan before anything runs', async () => {
    const engine = engineIn('wrong')
    const wrong = await refusal(engine.checkSweep(plan({ measures: 'bodies.blok.speed@end' })))
    expect(wrong).toBeInstanceOf(HostError)
    expect(wrong).toMatchObject({ name: 'InvalidMeasure', problems: [{ value: 'bodies.blok.speed@end' }] })
    expect(wrong?.message).toContain('Did you mean "block"?')
    const many = await refusal(engine.startSweep(plan({ design: { kind: 'sobol', count: 300_000, seed: 1 } }), { name: 'Many', workers: 1 }))
    expect(many?.problems[0]).toMatchObject({ value: 300_000, allowed: expect.stringContaining('200000') as string })
    expect(await engine.sweeps()).toEqual([])
  })

  it('reports a folder of another version, and deletes it', async () => {
    const engine = engineIn('other')
    const { id } = await engine.startSweep(plan(), { name: 'Old', workers: 2 })
    await over(engine, id)
    await dispose(engine)
    const manifest = join(folder, 'other', 'sweeps', id, 'sweep.json')
    writeFileSync(manifest, JSON.stringify({ format: 'cairn-sweep', version: 1, engine: '0.0.1', id, plan: plan() }))
    const later = engineIn('other')
    expect(await later.sweeps()).toMatchObject([{ id, state: 'failed', problem: { name: 'OtherEngine', value: '0.0.1' } }])
    expect((await refusal(later.resumeSweep(id, 1)))?.name).toBe('OtherEngine')
    await later.deleteSweep(id)
    expect(await later.sweeps()).toEqual([])
  })
})
