#!/usr/bin/env node
/**
 * Prepares a fresh clone: installs the packages if the lock file changed, builds if a source is newer than out/, and with --test also provides a
 * browser for the end-to-end tests. Requires only Node and npm, and does nothing if everything is up to date.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules/.cairn-setup')

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) fail(`Cairn needs Node 20.19 or newer; this is ${process.versions.node}.`)

installPackages()
const { build } = await import('./build.js')
try {
  build()
} catch (error) {
  fail(/** @type {Error} */ (error).message)
}
if (process.argv.includes('--test')) {
  await ensureChromium()
  ensureRedis()
}

function installPackages() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const key = createHash('sha256').update(lock).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return
  if (!agrees(lock)) {
    console.error('Installing packages (npm ci) …')
    run(npm(['ci', '--loglevel=error']), 'npm ci failed; see the messages above.')
  }
  writeFileSync(stamp, key)
}

/** Whether the installed packages match the lock file, by npm's own record in node_modules. */
function agrees(/** @type {string} */ lockText) {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  /** @type {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>} */
  const wanted = JSON.parse(lockText).packages
  /** @type {Record<string, { version?: string }>} */
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => path === ''
    || (installed[path] ? installed[path].version === entry.version && existsSync(join(root, path)) : entry.optional || entry.devOptional))
}

async function ensureChromium() {
  const { findChromium } = await import('./chromium.js')
  if (await findChromium()) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.error("Installing Debian's chromium for the end-to-end tests …")
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-q'], { stdio: ['ignore', 2, 2], env })
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { stdio: ['ignore', 2, 2], env })
    if (await findChromium()) return
  }
  console.error("Installing Playwright's Chromium for the end-to-end tests …")
  spawnSync(process.execPath, [join(root, 'node_modules/playwright-core/cli.js'), 'install', 'chromium'], { stdio: ['ignore', 2, 2], cwd: root })
  if (!await findChromium()) console.error('No Chromium could be installed: the end-to-end tests will be skipped. CAIRN_CHROMIUM may name one.')
}

/** For the tests of queued sweeps. */
function ensureRedis() {
  const found = () => spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0
  if (found()) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.error("Installing Debian's redis-server for the tests of sweeps …")
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-q'], { stdio: ['ignore', 2, 2], env })
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'redis-server'], { stdio: ['ignore', 2, 2], env })
  }
  if (!found()) console.error('No redis-server could be installed: the tests of sweeps by a queue will be skipped.')
}

/** npm as it was started, otherwise from the path (a batch file on Windows, which needs a shell). */
function npm(/** @type {string[]} */ args) {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return { command: process.execPath, args: [script, ...args], shell: false }
  return { command: 'npm', args, shell: process.platform === 'win32' }
}

function run(/** @type {{ command: string, args: string[], shell: boolean }} */ { command, args, shell }, /** @type {string} */ complaint) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell })
  if (result.status !== 0) fail(result.error ? `${complaint} (${result.error.message})` : complaint)
}

/** @returns {never} */
function fail(/** @type {string} */ message) {
  console.error(message)
  process.exit(1)
}
