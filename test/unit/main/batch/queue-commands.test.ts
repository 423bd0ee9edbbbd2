// @module-tag long
/** The queue from the command line: status, cancel, collect; secrets, TLS, other versions, and refusals. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENGINE_VERSION } from '../../../../core/simulation'
import { queueServer } from '../../../../main/batch/queue/connection'
import { bullConnection, JobQueue, queueName } from '../../../../main/batch/queue/jobs'
import { Ledger } from '../../../../main/batch/queue/ledger'
import { built, scratch } from '../built'
import { testCertificates } from './certificates'
import { rowsOf, withoutTimes } from './parquet'
import { startRedis, type TestRedis } from './redis'
import { friction, incline, prepared } from './sweeps'

let cli: string
let home: string
let redis: TestRedis | null
const children: ChildProcess[] = []
beforeAll(async () => {
  cli = built().cli
  home = scratch()
  writeFileSync(join(home, 'incline.cairn.json'), incline)
  redis = await startRedis(home)
}, 300_000)
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await redis?.stop()
  rmSync(home, { recursive: true, force: true })
})

const missing = 'redis-server cannot be had here'
let folders = 0
const folder = () => join(home, `results-${folders++}`)

function cairn(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args, '--json'], { encoding: 'utf8', cwd: home, timeout: 120_000, env: { ...process.env, ...environment } })
  return { code: status, answer: stdout === '' ? null : JSON.parse(stdout) as Record<string, unknown> & { errors?: { name: string; message: string }[] }, errors: stderr }
}

function begin(args: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess & { told: () => string } {
  const child = spawn(process.execPath, [cli, ...args], { cwd: home, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream!.on('data', data => { text += String(data) })
  children.push(child)
  return Object.assign(child, { told: () => text })
}
const end = (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') => new Promise<number | null>(done => {
  if (child.exitCode !== null) return done(child.exitCode)
  child.once('close', code => done(code))
  child.kill(signal)
})

const sweepArgs = (path: string, values: string, queue: string) => [
  'sweep', 'incline.cairn.json', '--vary', `${friction}=${values}`, '--measure', 'x = bodies.block.position[0]@end', '-o', path, '--queue', queue,
]

describe('a queue from the command line', () => {
  it('workers compute a submitted sweep; status reports it, and collect fetches the same rows as one machine computes', async ({ skip }) => {
    if (!redis) return skip(missing)
    const [path, other] = [folder(), folder()]
    const coordinator = begin(sweepArgs(path, '0.1:0.9:6', redis.address))
    await expect.poll(() => cairn(['sweep', 'status', '--queue', redis!.address]).answer, { timeout: 60_000 }).toMatchObject({ waiting: 6, workers: 0, sweeps: [{ total: 6, done: 0, cancelled: false, engine: ENGINE_VERSION }] })
    expect(await end(coordinator, 'SIGINT')).toBe(130)
    expect(cairn(['sweep', 'collect', path, '--queue', redis.address])).toMatchObject({ code: 2, answer: { errors: [{ name: 'Incomplete' }] } })
    expect(cairn(['sweep', 'status', path]).answer).toMatchObject({ total: 6, done: 0, failed: 0 })
    const worker = begin(['worker', '--queue', redis.address, '--concurrency', '1'])
    await expect.poll(() => cairn(['sweep', 'status', '--queue', redis!.address]).answer, { timeout: 60_000 }).toMatchObject({ workers: 1, sweeps: [{ done: 6 }] })
    expect(await end(worker)).toBe(0)
    expect(worker.told()).toContain('6 runs done.')
    const collected = cairn(['sweep', 'collect', path, '--queue', redis.address])
    expect(collected).toMatchObject({ code: 0, answer: { done: 6, failed: 0 } })
    const alone = cairn([...sweepArgs(other, '0.1:0.9:6', '').slice(0, -2)])
    expect(collected.answer!.contentHash).toBe(alone.answer!.contentHash)
    expect(withoutTimes(await rowsOf(join(path, 'results.parquet')))).toEqual(withoutTimes(await rowsOf(join(other, 'results.parquet'))))
  }, 300_000)

  it('a cancelled sweep starts no more jobs; its rows stay, and the same command continues it', async ({ skip }) => {
    if (!redis) return skip(missing)
    const path = folder()
    const coordinator = begin(sweepArgs(path, '0.11:0.91:5', redis.address))
    const list = () => (cairn(['sweep', 'status', '--queue', redis!.address]).answer!.sweeps as { id: string; total: number; cancelled: boolean; done: number }[])
    await expect.poll(() => list().some(({ total }) => total === 5), { timeout: 60_000 }).toBe(true)
    await end(coordinator, 'SIGINT')
    const { id } = list().find(({ total }) => total === 5)!
    expect(cairn(['sweep', 'cancel', id, '--queue', redis.address])).toMatchObject({ code: 0, answer: { status: 'cancelled', id } })
    expect(cairn(['sweep', 'cancel', 'nobody', '--queue', redis.address])).toMatchObject({ code: 2, answer: { errors: [{ name: 'UnknownSweep' }] } })
    const worker = begin(['worker', '--queue', redis.address, '--concurrency', '1'])
    const connection = (await queueServer(redis.address)).connect()
    const jobs = new JobQueue(connection)
    await expect.poll(() => jobs.counts(), { timeout: 60_000 }).toMatchObject({ waiting: 0, running: 0 })
    expect(list().find(one => one.id === id)).toMatchObject({ cancelled: true, done: 0 })
    await jobs.close()
    connection.disconnect()
    const again = begin(sweepArgs(path, '0.11:0.91:5', redis.address))
    expect(await new Promise(done => again.once('close', done))).toBe(0)
    expect(list().find(one => one.id === id)).toMatchObject({ cancelled: false, done: 5 })
    await end(worker)
  }, 300_000)

  it('a worker skips sweeps of another version with a message, and refuses their jobs in its own queue', async ({ skip }) => {
    if (!redis) return skip(missing)
    const connection = (await queueServer(redis.address)).connect()
    const ledger = new Ledger(connection)
    const sweep = prepared({ measures: 'time' })
    await ledger.add(sweep, '0.0.1', '')
    const theirs = new Queue(queueName('0.0.1'), { connection: bullConnection(connection) })
    await theirs.add('run', { sweep: sweep.id, run: 0, engine: '0.0.1' })
    const ours = new Queue(queueName(), { connection: bullConnection(connection) })
    const stray = await ours.add('run', { sweep: sweep.id, run: 1, engine: '0.0.1' }, { attempts: 5 })
    const worker = begin(['worker', '--queue', redis.address, '--concurrency', '1'])
    await expect.poll(() => worker.told(), { timeout: 60_000 }).toContain(`Sweep ${sweep.id} is for engine 0.0.1; this worker is ${ENGINE_VERSION} and does not run it.`)
    await expect.poll(async () => await stray.getState(), { timeout: 60_000 }).toBe('failed')
    expect(worker.told()).toContain(`the job is for engine 0.0.1, and this is ${ENGINE_VERSION}`)
    expect([await theirs.getWaitingCount(), await ledger.has(sweep.id, 0), await ledger.has(sweep.id, 1)]).toEqual([1, false, false])
    await end(worker)
    await Promise.all([theirs.close(), ours.close()])
    connection.disconnect()
  }, 120_000)

  it('TLS with a private authority and a password from a file; without either the connection is refused, and no command line contains the password', async ({ skip }) => {
    const folderOf = join(home, 'tls')
    mkdirSync(folderOf)
    const certificates = testCertificates(folderOf)
    if (!certificates) return skip('openssl cannot be had here')
    const secured = await startRedis(home, '--requirepass', 'right', '--tls-cert-file', certificates.certificate, '--tls-key-file', certificates.key, '--tls-ca-cert-file', certificates.authority, '--tls-auth-clients', 'no')
    if (!secured) return skip(missing)
    try {
      const password = join(folderOf, 'password')
      writeFileSync(password, 'right\n')
      const trusted = { CAIRN_QUEUE_CA_FILE: certificates.authority, CAIRN_QUEUE_PASSWORD_FILE: password }
      await expect(queueServer(secured.tlsAddress, { CAIRN_QUEUE_PASSWORD: 'right' })).rejects.toMatchObject({ name: 'QueueUnreachable', message: expect.stringMatching(/SIGNED_CERT|CERT/) as string })
      await expect(queueServer(secured.tlsAddress, { ...trusted, CAIRN_QUEUE_PASSWORD_FILE: join(folderOf, 'nowhere') })).rejects.toMatchObject({ name: 'FileNotReadable' })
      await expect(queueServer(secured.tlsAddress, { CAIRN_QUEUE_CA_FILE: certificates.authority })).rejects.toMatchObject({ name: 'QueueRefused' })
      const path = folder()
      const worker = begin(['worker', '--queue', secured.tlsAddress, '--concurrency', '1'], trusted)
      const coordinator = begin([...sweepArgs(path, '0.2:0.8:4', secured.tlsAddress)], trusted)
      expect(await new Promise(done => coordinator.once('close', done)), coordinator.told()).toBe(0)
      expect(await rowsOf(join(path, 'results.parquet'))).toHaveLength(4)
      await end(worker)
    } finally {
      await secured.stop()
    }
  }, 180_000)

  it('a store that denies access is reported before a worker takes a job; one that denies it later is tried again, and then the run has a failed row with the reason', async ({ skip }) => {
    if (!redis) return skip(missing)
    const file = join(home, 'a-file')
    writeFileSync(file, '')
    const refused = begin(['worker', '--queue', redis.address, '--store', join(file, 'below')])
    expect(await new Promise(done => refused.once('close', done))).toBe(2)
    expect(refused.told()).toContain('The store')
    const [path, store] = [folder(), folder()]
    mkdirSync(store)
    const coordinator = begin([...sweepArgs(path, '0.33:0.33:1', redis.address), '--keep', 'all', '--store', store, '--json'])
    await expect.poll(() => existsSync(join(path, 'sweep.json')), { timeout: 60_000 }).toBe(true)
    // A file is in the place of the folder for trajectories.
    writeFileSync(join(store, (JSON.parse(readFileSync(join(path, 'sweep.json'), 'utf8')) as { id: string }).id), '')
    const worker = begin(['worker', '--queue', redis.address, '--concurrency', '1', '--store', store])
    expect(await new Promise(done => coordinator.once('close', done)), coordinator.told()).toBe(0)
    const [row, ...more] = await rowsOf(join(path, 'results.parquet'))
    expect(more).toEqual([])
    expect(row).toMatchObject({ status: 'failed', reason: 'Lost', kept: '', message: expect.stringMatching(/The run failed: The store .* cannot be written/) as string })
    await end(worker)
  }, 180_000)
})

describe('points from the user’s own program', () => {
  const table = (name: string, text: string) => {
    writeFileSync(join(home, name), text)
    return ['sweep', 'incline.cairn.json', '--points', name, '--measure', 'x = bodies.block.position[0]@end']
  }
  const paths = 'materials.stone.friction.static+materials.stone.friction.dynamic'

  it('as CSV and as JSON give the same runs, one row each', async () => {
    const [csv, json] = [folder(), folder()]
    const first = cairn([...table('points.csv', `${paths},"gravity"\n0.1,"[1,0,-9.81]"\n0.7,"[2,0,-9.7]"\n`), '-o', csv])
    const points = [{ [paths]: 0.1, gravity: [1, 0, -9.81] }, { [paths]: 0.7, gravity: [2, 0, -9.7] }]
    const second = cairn([...table('points.json', JSON.stringify(points)), '-o', json])
    expect([first.code, second.code], first.errors + second.errors).toEqual([0, 0])
    expect(second.answer!.contentHash).toBe(first.answer!.contentHash)
    expect((await rowsOf(join(csv, 'results.parquet'))).map(row => [row[paths], row.gravity, Number(row.x) > 1e-9])).toEqual([[0.1, '[1,0,-9.81]', true], [0.7, '[2,0,-9.7]', false]])
  }, 60_000)

  it.each([
    ['nothing.csv', '', 'has no points'], ['uneven.csv', `${paths},gravity[0]\n0.1\n`, 'has 1 values for 2 columns'], ['broken.json', '[{', 'is not valid JSON'],
    ['other.json', '[{"a":1},{"b":2}]', 'has different paths from the first'], ['nowhere.csv', 'materials.stone.friction.statik\n0.1\n', 'unknown key'], ['path.csv', 'bodies.rock.position[0]\n1\n', 'no element "rock"'],
  ])('%s is refused: %s', (name, text, message) => {
    const { code, answer } = cairn([...table(name, text), '-o', folder()])
    expect([code, answer!.errors![0]!.message]).toEqual([2, expect.stringMatching(new RegExp(message, 'i'))])
  })

  it('a missing file, and a design given beside a table, are refused', () => {
    expect(cairn(['sweep', 'incline.cairn.json', '--points', 'absent.csv', '-o', folder()])).toMatchObject({ code: 2, answer: { errors: [{ name: 'FileNotReadable' }] } })
    expect(cairn([...table('good.csv', 'gravity[0]\n1\n'), '--sample', '3', '-o', folder()])).toMatchObject({ code: 2, answer: { errors: [{ name: 'Usage' }] } })
  })
})
