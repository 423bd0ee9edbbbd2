/** Starts an installed Chromium-based browser without a window, for one job. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HostError } from '../protocol/host'

/** ms until it must have printed its DevTools address; a busy machine takes a while. */
const startLimit = 60_000
/** ms for it to end by itself. */
const endLimit = 3000

const flags = [
  '--headless=new', '--remote-debugging-port=0', '--no-first-run', '--no-default-browser-check', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--disable-extensions', '--disable-dev-shm-usage', '--enable-unsafe-swiftshader', '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling', '--disable-backgrounding-occluded-windows', '--hide-scrollbars', '--mute-audio', '--force-device-scale-factor=1',
  '--window-size=1440,900',
  // The address bar's own pages, which a new window loads even where no bar is seen: they took as much processor time as our page.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,PreloadTopChromeWebUI',
]

export interface RunningBrowser {
  /** Address of its DevTools socket. */
  readonly address: string
  end(): Promise<void>
}

/** @throws HostError `BrowserFailed` */
export async function startBrowser(path: string): Promise<RunningBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'cairn-browser-'))
  // Chromium's sandbox does not work for root; only our own pages are loaded.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(path, [...flags, ...asRoot, `--user-data-dir=${profile}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const end = async () => {
    await endProcess(child)
    // Its helper processes end a little later, and write until then. Remaining files are in the system's temporary folder.
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }).catch(() => undefined)
  }
  try {
    return { address: await addressOf(child, path), end }
  } catch (error) {
    await end()
    throw error
  }
}

function addressOf(child: ChildProcess, path: string): Promise<string> {
  return new Promise((done, fail) => {
    let text = ''
    const failed = (why: string) => {
      clearTimeout(limit)
      fail(new HostError('BrowserFailed', `The browser ${path} could not be used: ${why}.`))
    }
    const limit = setTimeout(() => failed('it does not answer'), startLimit)
    child.stderr!.on('data', (data: Buffer) => {
      text = (text + data.toString('utf8')).slice(-8192)
      const found = /DevTools listening on (ws:\S+)/.exec(text)
      if (!found) return
      clearTimeout(limit)
      child.stderr!.removeAllListeners('data').resume()
      done(found[1]!)
    })
    child.once('error', error => failed(error.message))
    child.once('exit', code => failed(`it ended with code ${code}: ${text.trim().split('\n').at(-1) ?? ''}`))
  })
}

function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve()
  return new Promise(done => {
    const force = setTimeout(() => child.kill('SIGKILL'), endLimit)
    child.once('exit', () => {
      clearTimeout(force)
      done()
    })
    child.kill('SIGTERM')
  })
}
