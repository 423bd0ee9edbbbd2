import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chromium, closePages, newPage } from './chromium'

const root = resolve(import.meta.dirname, '../..')

describe('npm start, where no window can be opened', () => {
  let home = ''
  let host: ChildProcess
  let stdout = ''
  let stderr = ''
  let ended: Promise<number | null>

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'cairn-start-'))
    stdout = ''
    stderr = ''
    host = spawn(process.execPath, [join(root, 'bin/cairn.js'), 'open', '--web', '--no-browser'], { cwd: home, env: { ...process.env, CAIRN_RECORD_AHEAD: '0', CAIRN_HOME: home } })
    host.stdout!.setEncoding('utf8').on('data', text => { stdout += text })
    host.stderr!.setEncoding('utf8').on('data', text => { stderr += text })
    ended = new Promise(done => host.on('exit', done))
  })
  afterEach(async () => {
    await closePages()
    host.kill('SIGKILL')
    await ended
    rmSync(home, { recursive: true, force: true })
  })

  async function address(): Promise<string> {
    await expect.poll(() => stdout, { timeout: 30_000 }).toMatch(/\n/)
    return /^Cairn: (.*)\n$/.exec(stdout)![1]!
  }

  it('prints the address alone on standard output, the reason on standard error, and ends at Ctrl-C', async () => {
    expect(new URL(await address()).hostname).toBe('127.0.0.1')
    expect(stderr).toBe('Web host: --web asks for it.\n')
    host.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
  })

  it.skipIf(chromium === null)('serves the editor on an example, without a breach of the content policy', async () => {
    const page = await newPage()
    const faults: string[] = []
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('requestfailed', request => faults.push(request.url()))
    await page.goto(await address())
    await page.getByRole('button', { name: /^Simulate$/ }).last().waitFor()
    await page.getByText('What to look at').waitFor()
    expect(page.url(), 'the token leaves the address').not.toContain('token')
    expect(faults).toEqual([])
  })

  it.skipIf(chromium === null)('offers a folder of the user\'s, not the program\'s, where it is started from that', async () => {
    host.kill('SIGKILL')
    await ended
    stdout = ''
    const more = { CAIRN_RECORD_AHEAD: '0', CAIRN_HOME: home, HOME: home, USERPROFILE: home }
    host = spawn(process.execPath, [join(root, 'bin/cairn.js'), 'open', '--web', '--no-browser'], { cwd: root, env: { ...process.env, ...more } })
    host.stdout!.setEncoding('utf8').on('data', text => { stdout += text })
    ended = new Promise(done => host.on('exit', done))
    const page = await newPage()
    await page.goto(await address())
    await page.getByText('What to look at').waitFor()
    await page.keyboard.press('Control+o')
    const dialog = page.getByRole('dialog', { name: 'Open' })
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
    expect(await dialog.getByRole('button', { name: /^(core|renderer|scenes|package\.json)/ }).count()).toBe(0)
  })

  it.skipIf(chromium === null)('does not replace a scene opened quickly by the first example', async () => {
    const page = await newPage()
    await page.goto(await address())
    await page.getByRole('menubar').waitFor()
    await page.keyboard.press('Alt+n')
    await page.getByRole('heading', { level: 1, name: 'untitled' }).waitFor()
    // Polls for longer than an example takes to load.
    for (let look = 0; look < 10; look++) {
      await page.waitForTimeout(100)
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/untitled/i)
    }
  })
})
