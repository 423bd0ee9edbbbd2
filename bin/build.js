#!/usr/bin/env node
/**
 * Builds out/ (Electron's main and preload, the command line, the run's worker, the editor's pages) if a source is newer than the last build, or
 * always with --force. The new build is made in another folder and then moved as a whole, so that running programs keep a complete one; a second
 * build at the same time waits for the first.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'out')
const stamp = join(out, '.built')
const cache = join(root, 'node_modules/.cache')
const lock = join(cache, 'cairn-build.lock')

const sources = ['core', 'kernels', 'main', 'renderer', 'electron.vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.base.json']

/** Newest modification time below a path, ms. Folders count too, so that deleted files are noticed. */
function newest(/** @type {string} */ path) {
  if (!existsSync(path)) return 0
  const status = statSync(path)
  let time = status.mtimeMs
  if (status.isDirectory()) for (const name of readdirSync(path)) time = Math.max(time, newest(join(path, name)))
  return time
}

/** Whether out/ is missing or older than a source. */
export function isStale() {
  if (!existsSync(stamp)) return true
  const built = Number(readFileSync(stamp, 'utf8'))
  return sources.some(source => newest(join(root, source)) > built)
}

/** Builds if needed; throws if the build fails, and leaves the previous one in place. */
export function build({ force = false } = {}) {
  if (!force && !isStale()) return
  mkdirSync(cache, { recursive: true })
  takeLock()
  try {
    if (!force && !isStale()) return
    const started = Date.now()
    const aside = join(root, `.out-${process.pid}`) // beside out/, so that source maps stay right
    rmSync(aside, { recursive: true, force: true })
    console.error('Building Cairn …')
    const electronVite = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
    const result = spawnSync(process.execPath, [electronVite, 'build', '--logLevel', 'warn', '--outDir', aside], { cwd: root, stdio: ['ignore', 2, 2] })
    if (result.status !== 0) {
      rmSync(aside, { recursive: true, force: true })
      throw new Error('The build failed; see the messages above.')
    }
    writeFileSync(join(aside, '.built'), String(started))
    const old = join(root, `.out-${process.pid}-old`)
    if (existsSync(out)) renameSync(out, old)
    renameSync(aside, out)
    rmSync(old, { recursive: true, force: true })
    console.error(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
  } finally {
    rmSync(lock, { force: true })
  }
}

function takeLock() {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    if (!holderIsAlive()) rmSync(lock, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
}

function holderIsAlive() {
  let holder
  try {
    holder = readFileSync(lock, 'utf8')
  } catch {
    return false // let go of just now
  }
  if (holder === '') return true // being written
  try {
    process.kill(Number(holder), 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  try {
    build({ force: process.argv.includes('--force') })
  } catch (error) {
    console.error(/** @type {Error} */ (error).message)
    process.exit(1)
  }
}
