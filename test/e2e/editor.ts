/** The editor as users have it: the built web host with its own home and root folder, and a page in a real browser. */

import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { sharedBrowser } from './chromium'

const cli = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const scenes = fileURLToPath(new URL('../../scenes', import.meta.url))
const run = promisify(execFile)

export class WebHostProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'cairn-e2e-'))
  readonly home = join(this.folder, 'home')
  readonly root = join(this.folder, 'work')
  url = ''
  recordsAhead = false
  private child: ChildProcess | null = null

  constructor() {
    mkdirSync(this.root)
    for (const file of readdirSync(scenes)) if (file.endsWith('.cairn.json')) cpSync(join(scenes, file), join(this.root, file))
  }

  /** Examples are recorded ahead only in the test of that: it would slow down the others. */
  private get environment() {
    return { ...process.env, CAIRN_HOME: this.home, CAIRN_RECORD_AHEAD: this.recordsAhead ? '1' : '0' }
  }

  async start(options: { scene?: string; port?: number } = {}): Promise<void> {
    const { scene, port = 0 } = options
    const args = [cli, 'open', '--web', '--no-browser', '--port', String(port), '--root', this.root, ...scene ? [join(this.root, scene)] : []]
    const child = spawn(process.execPath, args, { env: this.environment, stdio: ['ignore', 'pipe', 'pipe'] })
    this.child = child
    this.url = await new Promise((resolve, reject) => {
      let text = ''
      let errors = ''
      child.stderr.on('data', data => { errors += String(data) })
      child.stdout.on('data', data => {
        text += String(data)
        const found = /Cairn: (\S+)/.exec(text)
        if (found) resolve(found[1]!)
      })
      child.on('exit', code => reject(new Error(`The host ended with ${code}: ${errors}`)))
    })
  }

  get pid(): number {
    return this.child!.pid!
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.child
    this.child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  /** Waits until the host, too, has as many copies of unsaved work: they are written after the browser's. */
  async hasCopies(wanted: number): Promise<void> {
    const count = () => readdirSync(join(this.home, 'autosave')).filter(file => file.endsWith('.json')).length
    const end = Date.now() + 30_000
    while (count() !== wanted) {
      if (Date.now() > end) throw new Error(`The host has ${count()} copies of unsaved work instead of ${wanted}.`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  /** Runs the command line with the same home. @returns its standard output */
  async cairn(...args: string[]): Promise<string> {
    return (await run(process.execPath, [cli, ...args], { env: this.environment, maxBuffer: 256 * 1024 * 1024 })).stdout
  }

  /** Newest recorded run in the cache. */
  runFiles(): string[] {
    const found: string[] = []
    const walk = (folder: string) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) walk(path)
        else if (entry.name.endsWith('.mcap')) found.push(path)
      }
    }
    walk(this.home)
    return found
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Opens a new context with few pixels in the viewport. Software rendering at full resolution would take a quarter of the time of the browser tests. */
function drawQuickly(): void {
  if (localStorage.getItem('cairn.view') === null) localStorage.setItem('cairn.view', JSON.stringify({ resolution: 'quarter' }))
}

/** Notes when something was last drawn in WebGL, ms of the page's clock. */
function noteDrawing(): void {
  for (const name of ['drawElements', 'drawElementsInstanced'] as const) {
    const draw = WebGL2RenderingContext.prototype[name] as (...args: unknown[]) => void
    WebGL2RenderingContext.prototype[name] = function (this: WebGL2RenderingContext, ...args: unknown[]) {
      Object.assign(window, { lastDrawn: performance.now() })
      draw.apply(this, args)
    }
  }
}
/** ms without a drawing after which the picture is at rest, also on a busy machine. */
const AT_REST = 250

/**
 * One browser window on the editor; `faults` collects exceptions and logged errors of the page. Unless a test is about motion, the system asks for less
 * of it: every simulated run would be played, which in software rendering takes longer than the test.
 */
export class Editor {
  readonly faults: string[] = []

  private constructor(readonly page: Page, readonly context: BrowserContext) {}

  static async open(url: string, options: { context?: BrowserContext; resolution?: 'full'; motion?: 'full' } = {}): Promise<Editor> {
    const context = options.context ?? await (await sharedBrowser()).newContext({
      viewport: { width: 1440, height: 900 }, colorScheme: 'dark', acceptDownloads: true, reducedMotion: options.motion === 'full' ? 'no-preference' : 'reduce',
    })
    if (!process.env.CAIRN_SHOTS && options.resolution !== 'full') await context.addInitScript(drawQuickly)
    await context.addInitScript(noteDrawing)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const editor = new Editor(page, context)
    page.on('pageerror', error => editor.faults.push(error.message))
    page.on('console', message => { if (message.type() === 'error') editor.faults.push(message.text()) })
    await page.goto(url)
    await editor.viewport.locator('canvas').first().waitFor()
    return editor
  }

  get viewport(): Locator { return this.page.getByRole('region', { name: 'Viewport' }).last() }
  get primary(): Locator { return this.page.locator('button[data-state].simulate') }
  get timeline(): Locator { return this.page.getByRole('slider', { name: 'Time', exact: true }) }
  get contacts(): Locator { return this.page.getByRole('table', { name: 'Contacts' }) }
  get inspector(): Locator { return this.page.getByRole('region', { name: 'Properties' }) }

  async waitFor(document: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: document }).waitFor()
  }

  /** An empty scene, in place of the one that opens first. */
  async beginEmpty(): Promise<void> {
    await this.waitFor('block-on-an-incline')
    await this.menu('File', 'New scene')
    await this.page.getByText('Add a shape (Shift+A), open an example').waitFor()
  }

  /** The last field of that name, as several panels may have one. */
  field(name: string): Locator {
    return this.page.getByRole('textbox', { name, exact: true }).last()
  }

  async type(name: string, text: string): Promise<void> {
    await this.field(name).fill(text)
    await this.field(name).press('Enter')
  }

  /** By keys, also from a number field after Enter. */
  async addByKeys(shape: string): Promise<void> {
    await this.page.keyboard.press('Shift+A')
    await this.page.getByRole('dialog', { name: 'Commands' }).waitFor()
    await this.page.keyboard.type(shape)
    await this.page.keyboard.press('Enter')
    await this.page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  async workspace(name: 'Compose' | 'Simulate & inspect' | 'Script'): Promise<void> {
    await this.page.getByRole('tablist', { name: 'Workspace' }).getByRole('tab', { name }).click()
  }

  /** Brings a dock panel to the front by its tab. */
  async panel(title: string): Promise<void> {
    await this.page.locator('.dv-tab').filter({ hasText: new RegExp(`^${title}$`) }).first().click()
  }

  /** Brings a dock panel to the front: by its tab where it is open, otherwise by the menu, which takes three times as long. */
  async show(title: string): Promise<void> {
    const tab = this.page.locator('.dv-tab').filter({ hasText: new RegExp(`^${title}$`) })
    if (await tab.count() === 1 && await tab.isVisible()) await tab.click()
    else await this.menu('Window', 'Panels', title)
    await this.page.locator('.dv-active-tab').filter({ hasText: new RegExp(`^${title}$`) }).waitFor()
  }

  async openExample(name: string): Promise<void> {
    await this.menu('File', 'Examples…')
    await this.page.getByRole('dialog', { name: 'Examples' }).getByRole('button', { name: new RegExp(`^${name}`) }).click()
    await this.page.getByRole('dialog', { name: 'Examples' }).waitFor({ state: 'detached' })
  }

  async menu(name: string, ...path: string[]): Promise<void> {
    await this.page.getByRole('menubar').getByRole('menuitem', { name, exact: true }).click()
    for (const [i, entry] of path.entries()) {
      const item = this.page.getByRole('menuitem', { name: entry }).or(this.page.getByRole('menuitemcheckbox', { name: entry })).last()
      await item.click()
      if (i < path.length - 1) await this.page.waitForTimeout(150)
    }
  }

  async simulate(): Promise<void> {
    await this.primary.click()
    await this.reaches('current', 'stopped', 'refused')
  }

  /** Waits until the button that simulates has one of these states. Polls by a timer: the default, polling by animation frame, would keep the browser drawing. */
  async reaches(...states: string[]): Promise<void> {
    await this.page.waitForFunction(wanted => wanted.includes(document.querySelector<HTMLElement>('button.simulate')?.dataset.state ?? ''), states, { timeout: 120_000, polling: 100 })
  }

  /** Waits until the picture is at rest, after a change of the camera or of what is shown. */
  async rests(): Promise<void> {
    const from = await this.page.evaluate(() => performance.now())
    await this.page.waitForFunction(([asked, rest]) => performance.now() - Math.max(asked!, (window as unknown as { lastDrawn?: number }).lastDrawn ?? 0) > rest!, [from, AT_REST], { polling: 25 })
  }

  /** Waits until the browser has as many copies of unsaved work, which are written two seconds after an edit. */
  async hasCopies(wanted: number): Promise<void> {
    const count = () => this.page.evaluate(async () => {
      if (!(await indexedDB.databases()).some(({ name }) => name === 'cairn')) return 0
      const done = <T>(request: IDBRequest<T>) => new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error!)
      })
      const database = await done(indexedDB.open('cairn'))
      const found = await done(database.transaction('drafts').objectStore('drafts').count())
      database.close()
      return found
    })
    const end = Date.now() + 30_000
    while (await count() !== wanted) {
      if (Date.now() > end) throw new Error(`The browser does not have ${wanted} copies of unsaved work.`)
      await this.page.waitForTimeout(100)
    }
  }

  async outlinerItem(name: string): Promise<Locator> {
    const item = this.page.getByRole('treeitem', { name, exact: true })
    await item.waitFor()
    return item
  }

  /** The file that the browser saves after an action. */
  async saved(act: () => Promise<unknown>): Promise<{ readonly name: string; readonly bytes: Buffer }> {
    const [file] = await Promise.all([this.page.waitForEvent('download'), act()])
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
  }

  /** s: current time of the run. */
  async time(): Promise<number> {
    return Number(await this.timeline.getAttribute('aria-valuenow'))
  }

  async goTo(time: number): Promise<void> {
    const field = this.page.getByRole('textbox', { name: 'Time', exact: true })
    await field.fill(String(time))
    await field.press('Enter')
  }

  async close(): Promise<void> {
    await this.page.close({ runBeforeUnload: false })
    await this.context.close()
  }
}
