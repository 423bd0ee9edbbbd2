// @module-tag long
/**
 * 2,000 runs of a block on a slope, friction × angle × step × method, killed with SIGKILL three times and continued: each run has one row, and the
 * rows show Coulomb's law: a block slides if μ < tan θ.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SweepFolder } from '../../../../main/batch/folder'
import { JournalReader } from '../../../../main/batch/journal'
import { built, scratch } from '../built'
import { rowsOf } from './parquet'
import { friction, incline } from './sweeps'
import { startDuck } from '../tables/duckdb'

const TOTAL = 25 * 20 * 2 * 2
const THREADS = 2
const GRAVITY = 9.81
const DURATION = 0.1
let cli: string
let home: string
beforeAll(async () => {
  cli = built().cli
  home = scratch()
  writeFileSync(join(home, 'incline.cairn.json'), incline)
}, 300_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

const args = (path: string) => [
  cli, 'sweep', join(home, 'incline.cairn.json'), '--vary', `${friction}=0.05:0.95:25`, '--param', 'angle=5:40:20', '--vary', 'step=simulation.timeStepping.step=0.002,0.01',
  '--vary', 'method=simulation.method=event-driven,time-stepping', '--let', `gravity[0]=${GRAVITY}*sin(angle*pi/180)`, '--let', `gravity[2]=-${GRAVITY}*cos(angle*pi/180)`,
  '--measure', 'x = bodies.block.position[0]@end', '--jobs', String(THREADS), '-o', path, '--json',
]

describe('2,000 runs of a block on a slope', () => {
  const path = () => join(home, 'results')

  it('have one row each after being killed three times with −9', async () => {
    const rows = () => existsSync(join(path(), 'sweep.json')) ? new JournalReader(new SweepFolder(path()).rowFolders(), TOTAL).count : 0
    for (let kill = 1; kill <= 3; kill++) {
      const child = spawn(process.execPath, args(path()), { stdio: 'ignore' })
      const ended = new Promise(done => child.once('close', done))
      while (rows() < kill * TOTAL / 4 && child.exitCode === null) await new Promise(done => setTimeout(done, 50))
      child.kill('SIGKILL')
      await ended
      expect(child.signalCode).toBe('SIGKILL')
    }
    expect(existsSync(join(path(), 'results.parquet'))).toBe(false)
    const last = spawn(process.execPath, args(path()), { stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    last.stdout.on('data', data => { out += String(data) })
    expect(await new Promise(done => last.once('close', done))).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'completed', total: TOTAL, done: TOTAL, failed: 0 })
    const found = await rowsOf(join(path(), 'results.parquet'))
    expect(found.map(({ run }) => run)).toEqual(Array.from({ length: TOTAL }, (_, k) => k))
    // Only runs in progress at a kill are started twice.
    const begun = readdirSync(join(path(), 'rows')).flatMap(name => readFileSync(join(path(), 'rows', name), 'utf8').split('\n')).filter(line => line.includes('"begin"')).length
    expect(begun).toBeLessThanOrEqual(TOTAL + 3 * THREADS)
  }, 1_200_000)

  it('show the law: a block slides if μ < tan θ, by the distance of the closed form', async () => {
    const rows = await rowsOf(join(path(), 'results.parquet'))
    for (const row of rows) {
      const [mu, angle, x] = [Number(row.mu), Number(row.angle) * Math.PI / 180, Number(row.x)]
      const acceleration = GRAVITY * (Math.sin(angle) - mu * Math.cos(angle))
      if (acceleration <= 0) expect(Math.abs(x), JSON.stringify(row)).toBeLessThan(1e-9)
      // A step uses its final velocity for its whole length, an error of half a step.
      else expect(Math.abs(x - acceleration * DURATION * DURATION / 2), JSON.stringify(row)).toBeLessThan(row.method === 'event-driven' ? 1e-9 : acceleration * DURATION * Number(row.step))
    }
    const duck = await startDuck()
    duck.file('results.parquet', readFileSync(join(path(), 'results.parquet')))
    const steepest = duck.query('select mu, min(angle) as angle from \'results.parquet\' where x > 1e-9 group by mu order by mu') as { mu: number; angle: number }[]
    const angles = [...new Set(rows.map(({ angle }) => Number(angle)))]
    for (const { mu, angle } of steepest) expect(angle).toBe(angles.find(one => Math.tan(one * Math.PI / 180) > mu))
  }, 120_000)
})
