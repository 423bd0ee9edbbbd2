import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron as electron, type ElectronApplication, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { electronBinary, whyNoWindow } from '../../bin/host.js'

const root = resolve(import.meta.dirname, '../..')
const binary = electronBinary(join(root, 'node_modules/electron'))
const obstacle = binary === undefined
  ? "Electron's binary is not installed (npx install-electron, on Node 22.12 or newer)"
  : whyNoWindow({ args: [], uid: process.getuid?.(), platform: process.platform, env: process.env })

describe('the desktop application', () => {
  let app: ElectronApplication
  let page: Page
  let home = ''
  const pageErrors: Error[] = []

  beforeEach(context => {
    if (obstacle !== undefined) context.skip(`The desktop application was not run: ${obstacle}`)
  })

  beforeAll(async () => {
    if (obstacle !== undefined || binary === undefined) return
    home = mkdtempSync(join(tmpdir(), 'cairn-electron-'))
    app = await electron.launch({
      executablePath: binary,
      args: [root, join(root, 'scenes/block-on-an-incline.cairn.json')],
      env: { ...process.env, CAIRN_HOME: home } as Record<string, string>,
    })
    page = await app.firstWindow()
    page.on('pageerror', error => pageErrors.push(error))
  })

  afterAll(async () => {
    await app?.close()
    if (home !== '') rmSync(home, { recursive: true, force: true })
  })

  it('shows the editor on its own origin, and the document that was named', async () => {
    expect(new URL(page.url()).origin).toBe('cairn://app')
    await page.getByRole('button', { name: /^Simulate/ }).waitFor()
    expect(await page.title()).toMatch(/incline/i)
    expect(pageErrors).toEqual([])
  })

  it('simulates in the engine process', async () => {
    await page.getByRole('button', { name: /^Simulate/ }).click()
    await page.getByText('Up to date').waitFor({ timeout: 60_000 })
  })

  it('gives the page no Node, no other window and no way out', async () => {
    const found = await page.evaluate(() => ({
      node: ['require', 'process', 'module', 'Buffer'].filter(name => name in globalThis),
      opened: window.open('https://example.org/') !== null,
    }))
    expect(found).toEqual({ node: [], opened: false })
    await page.evaluate(() => location.assign('https://example.org/'))
    await page.waitForTimeout(500)
    expect(new URL(page.url()).origin).toBe('cairn://app')
    expect(app.windows()).toHaveLength(1)
  })

  it('serves the built pages and nothing else', async () => {
    const statuses = await page.evaluate(async () => Promise.all(
      ['/index.html', '/../main/cli.js', '/%2e%2e/main/cli.js', '/missing.js'].map(async path => (await fetch(path)).status),
    ))
    expect(statuses).toEqual([200, 404, 404, 404])
    await expect(page.evaluate(() => fetch('file:///etc/hostname').then(() => 'read'))).rejects.toThrow()
  })

  it('denies permissions', async () => {
    const states = await page.evaluate(async () => Promise.all(
      (['geolocation', 'notifications', 'camera'] as PermissionName[]).map(async name => (await navigator.permissions.query({ name })).state),
    ))
    expect(states).toEqual(['denied', 'denied', 'denied'])
  })

  it.runIf(process.platform === 'darwin')('has the editor\'s commands in the menu bar', async () => {
    const labels = await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(item => item.label) ?? [])
    expect(labels).toEqual(expect.arrayContaining(['File', 'Edit']))
  })
})
