import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEngine } from '../engine'
import { aheadLimits } from '../engine/ahead'
import { startWebHost } from '../web/server'
import { Arguments } from './arguments'
import { exitCodes, print, Refusal, log, usage } from './output'

export const openOptions = { web: { type: 'boolean' }, port: { type: 'string' }, 'no-browser': { type: 'boolean' }, root: { type: 'string' } } as const

/** Beside the built command line's folder. */
const pages = fileURLToPath(new URL('../renderer', import.meta.url))

/** `cairn open [scene]` on the web host: prints its address and runs until Ctrl-C. The launcher uses Electron if possible. */
export async function open(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, openOptions, ['scene?'])
  const port = given.number('port', { least: 0, most: 65535, integer: true }) ?? 0
  const root = resolve(given.text('root') ?? ownFolder())
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) throw usage(`--root is "${root}".`, 'a folder')
  const scene = given.positionals[0]
  if (scene !== undefined && !existsSync(scene)) throw fault('FileNotFound', `"${scene}" does not exist.`, scene)
  if (!existsSync(pages)) throw fault('NotBuilt', 'The editor is not built: run npm start or npm run build first.', pages)

  const engine = createEngine({ ahead: aheadLimits() })
  const host = await startWebHost({
    engine, pages, root, port, initialDocument: scene === undefined ? null : engine.handleFor(scene), refused: reason => log(`Refused: ${reason}`),
  }).catch((error: NodeJS.ErrnoException) => {
    throw fault(error.code === 'EADDRINUSE' ? 'PortInUse' : 'CannotListen', `The web host cannot listen on port ${port}: ${error.message}`, port)
  })
  const interrupted = untilInterrupted() // before the address is printed, since Ctrl-C may be pressed right after
  print(`Cairn: ${host.url}`)
  if (!given.flag('no-browser') && hasDisplay()) openBrowser(host.url)
  await interrupted
  await host.close()
  await engine.dispose()
  return exitCodes.done
}

/** Default folder of scenes: the current folder, but never the program's own. */
function ownFolder(): string {
  const program = fileURLToPath(new URL('../..', import.meta.url))
  if (resolve('.') !== resolve(program)) return '.'
  const folder = join(homedir(), 'Cairn')
  mkdirSync(folder, { recursive: true })
  return folder
}

function fault(name: string, message: string, value: unknown): Refusal {
  return new Refusal([{ name, severity: 'error', message, path: '', value, ids: [] }])
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

function openBrowser(url: string): void {
  const [command, ...args] = process.platform === 'darwin' ? ['open', url] : process.platform === 'win32' ? ['explorer', url] : ['xdg-open', url]
  spawn(command!, args, { stdio: 'ignore', detached: true }).on('error', () => log('No browser could be opened: open the address by hand.')).unref()
}

function untilInterrupted(): Promise<void> {
  return new Promise(done => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done())
  })
}
