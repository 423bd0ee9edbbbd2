/** Selects the host of `cairn open`: Electron if a window is possible, otherwise the web host; with the reason. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const installLimit = 180_000 // ms
const webOnly = ['--web', '--port', '--no-browser', '--root']

/**
 * Why no window can be opened here, or undefined when one can.
 * @param {{ args: string[], uid: number | undefined, platform: string, env: Record<string, string | undefined> }} situation
 */
export function whyNoWindow({ args, uid, platform, env }) {
  const asked = args.find(arg => webOnly.includes(arg.split('=')[0] ?? ''))
  if (asked !== undefined) return `Web host: ${asked.split('=')[0]} asks for it.`
  if (uid === 0) return 'Web host: Electron does not run as root.'
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return 'Web host: there is no display.'
  return undefined
}

/** Whether this Node can install Electron's binary (its installer needs 22.12). */
export function canInstall(/** @type {string} */ version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 12)
}

/**
 * The host for `cairn open` with these arguments: `electron` is the binary, or else `why` says why there is none.
 * @param {string[]} args
 * @returns {Promise<{ electron?: string, why?: string }>}
 */
export async function chooseHost(args) {
  const why = whyNoWindow({ args, uid: process.getuid?.(), platform: process.platform, env: process.env })
  if (why !== undefined) return { why }
  const folder = electronFolder()
  if (folder === undefined) return { why: 'Web host: Electron is not among the installed packages.' }
  const present = electronBinary(folder)
  if (present !== undefined) return { electron: present }
  if (!canInstall(process.versions.node)) {
    return { why: `Web host: Electron's binary is not installed, and installing it needs Node 22.12 or newer (this is ${process.versions.node}).` }
  }
  console.error("Installing Electron's binary (once; at most 3 minutes) …")
  const result = spawnSync(process.execPath, [join(folder, 'install.js')], { stdio: ['ignore', 2, 2], timeout: installLimit })
  const installed = result.status === 0 ? electronBinary(folder) : undefined
  return installed === undefined ? { why: "Web host: Electron's binary could not be installed." } : { electron: installed }
}

function electronFolder() {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  } catch {
    return undefined // left out of this installation
  }
}

/** Path of Electron's executable if it exists. The package's own entry would download it, so it is not used. */
export function electronBinary(/** @type {string} */ folder) {
  const record = join(folder, 'path.txt')
  const name = existsSync(record) ? readFileSync(record, 'utf8') : 'electron'
  const path = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), name)
  return existsSync(path) ? path : undefined
}

/**
 * Runs the desktop application until it is closed and gives its exit code.
 * @param {string} binary
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export function runElectron(binary, args) {
  const files = args.map(arg => (arg.startsWith('-') || isAbsolute(arg) ? arg : resolve(arg)))
  const child = spawn(binary, [root, ...files], { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal))
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('exit', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
  })
}
