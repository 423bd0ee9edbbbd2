import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { built, scenes, scratch } from '../built'
import { TrajectoryReader } from '../../../../main/engine/reader'
import type { RunningWebHost } from '../../../../main/web/server'
import { ask, closed, admitted, connect } from './loopback'

const limit = 20_000

describe('cairn open on the web host', () => {
  let folder = ''
  let cli = ''
  const started: ChildProcess[] = []

  beforeAll(async () => {
    // A copy with its own page, in a folder from which packages are found.
    const { cli: bundled } = built()
    const place = mkdtempSync(join(dirname(dirname(dirname(bundled))), 'cairn-open-'))
    cpSync(dirname(bundled), join(place, 'main'), { recursive: true })
    mkdirSync(join(place, 'renderer'))
    writeFileSync(join(place, 'renderer/index.html'), '<!doctype html><title>Cairn</title>')
    cli = join(place, 'main/cli.js')
    folder = realpathSync(scratch())
    mkdirSync(join(folder, 'root'))
  })
  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    }
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
    rmSync(dirname(dirname(cli)), { recursive: true, force: true })
  })

  function start(...args: string[]) {
    const child = spawn(process.execPath, [cli, 'open', ...args], {
      cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000, env: { ...process.env, CAIRN_HOME: join(folder, 'home'), DISPLAY: '', WAYLAND_DISPLAY: '' },
    })
    started.push(child)
    const said = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', text => { said.out += text })
    child.stderr.setEncoding('utf8').on('data', text => { said.err += text })
    const ended = new Promise<number | null>(done => child.once('close', code => done(code)))
    return { child, said, ended }
  }

  async function running(...args: string[]) {
    const process = start('--no-browser', '--root', 'root', ...args)
    await expect.poll(() => process.said.out, { timeout: limit }).toMatch(/\n/)
    const url = new URL(process.said.out.replace(/^Cairn: /, '').trim())
    const host: RunningWebHost = { url: url.href, port: Number(url.port), token: url.hash.slice('#token='.length), close: async () => undefined }
    return { ...process, host }
  }

  it('prints its address on one line, serves the page, the engine and the document, and ends at Ctrl-C', async () => {
    const { child, said, ended, host } = await running(join(scenes, 'double-pendulum.cairn.json'))
    expect(said.out).toMatch(/^Cairn: http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/)
    expect(await ask(host, '/')).toMatchObject({ status: 200, body: '<!doctype html><title>Cairn</title>' })
    const page = await connect(host)
    const handle = await page.web.initialDocument()
    expect((await page.engine.openHandle(handle!)).name).toBe('double-pendulum.cairn.json')
    const socket = await admitted(host)
    const code = closed(socket)
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(await code).toBe(1001)
    expect(said.out.split('\n')).toHaveLength(2)
    expect(said.err).not.toContain(host.token)
  }, 60_000)

  it('finishes the files of its runs when it is asked to terminate', async () => {
    const { child, ended, host } = await running()
    const page = await connect(host)
    const pendulum = JSON.parse(readFileSync(join(scenes, 'double-pendulum.cairn.json'), 'utf8')) as { simulation?: object }
    const endless = JSON.stringify({ ...pendulum, simulation: { ...pendulum.simulation, duration: 3600 } })
    const run = await page.engine.simulate(endless, { reuse: false })
    await expect.poll(async () => (await page.engine.run(run.id)).frames, { timeout: limit }).toBeGreaterThan(0)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    const files = readdirSync(join(folder, 'home'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.mcap'))
    expect(files).toHaveLength(1)
    const reader = new TrajectoryReader(join(folder, 'home', files[0]!))
    expect(reader.end).toMatchObject({ status: 'cancelled' })
    expect(reader.frames).toBeGreaterThan(0)
    reader.close()
  }, 60_000)

  it.each([
    [['--port', 'x'], /--port is "x"/], [['--port', '70000'], /0/], [['--root', 'missing'], /--root is "/], [['missing.json'], /does not exist/],
    [['--nonsense'], /nonsense/], [['a', 'b'], /too many/],
  ])('refuses %j with 2 and starts nothing', async (args, message) => {
    const { said, ended } = start('--no-browser', ...args)
    expect(await ended).toBe(2)
    expect(said.err).toMatch(message)
    expect(said.out).toBe('')
  }, 60_000)

  it('says that a port is taken', async () => {
    const { host } = await running()
    const { said, ended } = start('--no-browser', '--port', String(host.port))
    expect(await ended).toBe(2)
    expect(said.err).toMatch(new RegExp(`cannot listen on port ${host.port}`))
  }, 60_000)
})
