// @module-tag long
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collect, runSweep } from '../../../../main/batch/local'
import { SweepFolder } from '../../../../main/batch/folder'
import { JournalReader } from '../../../../main/batch/journal'
import { parseParameter } from '../../../../main/batch/values-text'
import type { PreparedSweep } from '../../../../main/batch/plan'
import { FolderStore } from '../../../../main/batch/store'
import { TrajectoryReader } from '../../../../main/engine/reader'
import type { SweepProgress } from '../../../../main/protocol/sweeps'
import { built, scratch, type Built } from '../built'
import { startDuck } from '../tables/duckdb'
import { rowsOf, withoutTimes } from './parquet'
import { friction, incline, prepared } from './sweeps'

let shipped: Built
let home: string
beforeAll(async () => {
  shipped = built()
  home = scratch()
}, 300_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

const never = () => new AbortController().signal
let folders = 0
const folder = () => join(home, `sweep-${folders++}`)
const run = (sweep: PreparedSweep, path: string, change: Partial<Parameters<typeof runSweep>[0]> = {}) => runSweep({
  sweep, folder: path, threads: 2, shard: null, store: null, progress: () => undefined, signal: never(), workerUrl: shipped.sweepWorker, ...change,
})

describe('a sweep on one machine', () => {
  it('gives the same table with one thread, with three, and by shards; hyparquet and DuckDB read it', async () => {
    const [one, three, shards] = [folder(), folder(), folder()]
    const first = await run(prepared(), one, { threads: 1 })
    const second = await run(prepared(), three, { threads: 3 })
    expect(second.collected!.contentHash).toBe(first.collected!.contentHash)
    const rows = await rowsOf(join(one, 'results.parquet'))
    expect(withoutTimes(await rowsOf(join(three, 'results.parquet')))).toEqual(withoutTimes(rows))
    expect(rows).toHaveLength(20)
    for (const index of [2, 0, 1]) expect((await run(prepared(), shards, { shard: { index, count: 3 } })).collected).toBeNull()
    expect((await collect(prepared(), new SweepFolder(shards))).contentHash).toBe(first.collected!.contentHash)
    // A block on a slope slides where tan θ > μ, and not otherwise.
    for (const row of rows) expect(Number(row.x) > 1e-9, JSON.stringify(row)).toBe(Math.tan(Number(row.angle) * Math.PI / 180) > Number(row.mu))
    const duck = await startDuck()
    duck.file('results.parquet', readFileSync(join(one, 'results.parquet')))
    expect(duck.query('select count(*) as n, sum(case when x > 1e-9 then 1 else 0 end) as slides from \'results.parquet\' where status = \'completed\''))
      .toMatchObject([{ n: 20n }])
    expect(duck.query('select mu, x from \'results.parquet\' where run = 19')).toEqual([{ mu: 0.9, x: rows[19]!.x }])
  })

  it('reports its progress; after a stop it goes on without repeating finished runs', async () => {
    const path = folder()
    const stop = new AbortController()
    const seen: SweepProgress[] = []
    const outcome = await run(prepared(), path, {
      signal: stop.signal, progress: progress => {
        seen.push(progress)
        if (progress.done === 5) stop.abort()
      },
    })
    expect(outcome).toMatchObject({ status: 'cancelled', collected: null })
    await expect(collect(prepared(), new SweepFolder(path))).rejects.toThrow('have no result yet')
    const before = new JournalReader(new SweepFolder(path).rowFolders(), 20).count
    let again = 0
    const rest = await run(prepared(), path, { row: () => again++ })
    expect(rest.status).toBe('completed')
    expect(again).toBe(20 - before)
    expect(seen.at(-1)).toMatchObject({ total: 20, failed: 0 })
    expect(rest.collected!.contentHash).toBe((await run(prepared(), folder())).collected!.contentHash)
  })

  it('a run that is refused, stops or takes too long becomes a row; the others go on', async () => {
    const sweep = prepared({
      parameters: [parseParameter('materials.stone.friction.static=-1,0.5', false), parseParameter('simulation.duration=0.05,100000', false)],
      lets: [], timeLimit: 3, keep: { kind: 'none' },
    })
    const path = folder()
    await run(sweep, path)
    const rows = await rowsOf(join(path, 'results.parquet'))
    expect(rows.map(({ status }) => status)).toEqual(['refused', 'refused', 'completed', 'timeLimit'])
    expect(rows[0]).toMatchObject({ reason: 'OutOfRange', x: null, sceneHash: '' })
    expect(rows[0]!.message).toContain('materials[0].friction.static')
    expect(rows[3]).toMatchObject({ reason: 'TimeLimit', x: null })
  })

  it('a run that exceeds its memory limit becomes a row, and its thread is replaced', async () => {
    const bodies = Array.from({ length: 10_000 }, (_, k) => ({ id: `b${k}`, position: [k % 200, Math.floor(k / 200), 5], shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'stone' }] }))
    const heavy = JSON.stringify({ format: 'cairn-scene', version: 1, materials: [{ id: 'stone', density: 2000 }], bodies, simulation: { duration: 1, outputRate: 1000, method: 'time-stepping' } })
    const sweep = prepared({ scenes: [{ name: 'heavy', text: heavy }, { name: 'light', text: incline }], parameters: [], lets: [], measures: 'time', memoryLimit: 64 })
    const path = folder()
    await run(sweep, path, { threads: 1 })
    expect((await rowsOf(join(path, 'results.parquet'))).map(({ scene, status }) => [scene, status])).toEqual([['heavy', 'memoryLimit'], ['light', 'completed']])
  })

  it('keeps trajectories that meet a condition, in a folder or a store; each is the run of its row', async () => {
    const sweep = prepared({ keep: { kind: 'where', expression: 'bodies.block.position[0]@end > 1e-9' } })
    const [path, store] = [folder(), folder()]
    await run(sweep, path)
    const rows = await rowsOf(join(path, 'results.parquet'))
    const kept = rows.filter(row => row.kept !== '')
    expect(kept.map(({ run: number }) => number)).toEqual(rows.filter(row => Number(row.x) > 1e-9).map(({ run: number }) => number))
    expect(readdirSync(join(path, 'runs')).sort()).toEqual(kept.map(row => row.kept))
    const reader = new TrajectoryReader(join(path, 'runs', String(kept[0]!.kept)))
    expect([reader.header.sceneHash, reader.end!.finalHash, reader.scene]).toEqual([kept[0]!.sceneHash, kept[0]!.finalHash, sweep.textOf(Number(kept[0]!.run))])
    reader.close()
    const elsewhere = folder()
    await run(sweep, elsewhere, { store: new FolderStore(store) })
    expect(readdirSync(join(store, sweep.id)).sort()).toEqual(kept.map(row => row.kept))
    expect(readdirSync(join(elsewhere, 'runs'))).toEqual([])
  })

  it('refuses a folder of another sweep, a folder in use, and a store that denies access; nothing is lost', async () => {
    const path = folder()
    const outcome = await run(prepared(), path)
    await expect(run(prepared({ measures: 'time' }), path)).rejects.toMatchObject({ name: 'OutputExists' })
    expect((await run(prepared(), path)).collected).toEqual(outcome.collected)
    const lock = new SweepFolder(path).lock(null)
    await expect(run(prepared(), path)).rejects.toMatchObject({ name: 'InUse' })
    lock.release()
    const file = join(home, 'a-file')
    writeFileSync(file, '')
    const store = new FolderStore(join(file, 'below'))
    await expect(store.check()).rejects.toMatchObject({ name: 'StoreRefused' })
    const refused = folder()
    const keeping = prepared({ keep: { kind: 'all' } })
    await expect(run(keeping, refused, { store })).rejects.toMatchObject({ name: 'StoreRefused' })
    expect(new JournalReader(new SweepFolder(refused).rowFolders(), 20).count).toBe(0)
    expect((await run(keeping, refused)).status).toBe('completed')
  })

  it('a full disk ends it with a reason; rows written before count, and it goes on when there is space', async ({ skip }) => {
    const disk = folder()
    mkdirSync(disk)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' })
    } catch {
      return skip('a small file system cannot be mounted here')
    }
    try {
      const sweep = prepared({ parameters: [parseParameter(`${friction}=0.1:0.9:200`, false), parseParameter('angle=5:40:1', true)] })
      const path = join(disk, 'sweep')
      await expect(run(sweep, path)).rejects.toMatchObject({ name: 'DiskFull' })
      const done = new JournalReader(new SweepFolder(path).rowFolders(), 200).count
      expect(done).toBeGreaterThan(10)
      expect(existsSync(join(path, 'results.parquet'))).toBe(false)
      execFileSync('mount', ['-o', 'remount,size=8m', disk])
      let again = 0
      const rest = await run(sweep, path, { row: () => again++ })
      expect([rest.collected!.rows, again]).toEqual([200, 200 - done])
    } finally {
      execFileSync('umount', [disk])
    }
  })
})

describe('cairn sweep', () => {
  const scene = () => {
    const path = join(home, 'incline.cairn.json')
    writeFileSync(path, incline)
    return path
  }
  const args = (path: string, ...more: string[]) => [
    shipped.cli, 'sweep', scene(), '--vary', `${friction}=0.1:0.9:25`, '--param', 'angle=5:40:8', '--let', 'gravity[0]=9.81*sin(angle*pi/180)',
    '--let', 'gravity[2]=-9.81*cos(angle*pi/180)', '--measure', 'x = bodies.block.position[0]@end', '-o', path, '--json', ...more,
  ]
  const cairn = (...list: string[]) => new Promise<{ code: number | null; out: string; errors: string }>(done => {
    const child = spawn(process.execPath, list)
    let [out, errors] = ['', '']
    child.stdout.on('data', data => { out += data })
    child.stderr.on('data', data => { errors += data })
    child.on('close', code => done({ code, out, errors }))
  })

  it('killed three times with −9 and resumed, it has every row once, equal to those of an undisturbed sweep', async () => {
    const [path, other] = [folder(), folder()]
    for (let kill = 1; kill <= 3; kill++) {
      const child = spawn(process.execPath, args(path))
      const rows = () => existsSync(join(path, 'sweep.json')) ? new JournalReader(new SweepFolder(path).rowFolders(), 200).count : 0
      while (rows() < 40 * kill && child.exitCode === null) await new Promise(done => setTimeout(done, 20))
      child.kill('SIGKILL')
      await new Promise(done => child.once('close', done))
    }
    expect(existsSync(join(path, 'results.parquet'))).toBe(false)
    const [last, undisturbed] = [await cairn(...args(path)), await cairn(...args(other))]
    expect(last.code, last.errors).toBe(0)
    expect(JSON.parse(last.out)).toMatchObject({ status: 'completed', total: 200, done: 200, failed: 0, contentHash: JSON.parse(undisturbed.out).contentHash })
    const rows = await rowsOf(join(path, 'results.parquet'))
    expect(withoutTimes(rows)).toEqual(withoutTimes(await rowsOf(join(other, 'results.parquet'))))
    // Only the runs in progress at the kill are repeated.
    const begun = readdirSync(join(path, 'rows')).flatMap(name => readFileSync(join(path, 'rows', name), 'utf8').split('\n')).filter(line => line.includes('"begin"')).length
    expect(begun).toBeLessThanOrEqual(200 + 3 * 64)
    expect(rows.map(({ run: number }) => number)).toEqual(Array.from({ length: 200 }, (_, k) => k))
  })

  it.each([
    [['--measure', 'max('], 'InvalidMeasure'], [['--vary', 'bodies.block.positon[0]=1:2:3'], 'UnknownKey'], [['--vary', 'bodies.block.position[0]=1:1'], 'InvalidSweep'],
    [['--keep', 'some'], 'Usage'], [['--shard', '3/3'], 'Usage'], [['--store', 'ftp://x'], 'InvalidSweep'], [['--queue', 'http://x'], 'InvalidSweep'],
    [['--queue', 'redis://127.0.0.1:1'], 'QueueUnreachable'], [['--queue', 'redis://:secret@127.0.0.1'], 'InvalidSweep'], [['--sample', '0'], 'Usage'],
    [['--store', 's3://bucket/x'], 'StoreRefused'],
  ])('refuses %o', async (more, name) => {
    const { code, out } = await cairn(...args(folder(), ...more))
    expect([code, (JSON.parse(out) as { errors: { name: string }[] }).errors[0]!.name]).toEqual([2, name])
  })
})
