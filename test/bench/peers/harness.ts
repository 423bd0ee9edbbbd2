/** A working copy of the comparison harness: copied from beside the project, with its packages installed and Cairn bundled next to them. */

import { execFile, fork } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, bundled } from '../support/bundle'
import type { CairnJob, Row } from './run'
import type { NeutralScene } from './scene'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const source = join(root, '..', 'shared', 'peers')
const folder = join(root, 'node_modules', '.cache', 'peers')
const WORKER = 'test/bench/peers/worker.ts'
/** ms: time before a process is terminated, beyond the limit of its run; for loading an engine and measuring the last frames. */
const GRACE = 60_000

/**
 * Copies what has changed, installs packages where the lock file is new, and bundles Cairn.
 *
 * @param worker what is bundled: `fileOf` says where it is then
 * @throws Error where the harness is not there
 */
export async function prepareHarness(withPeers: boolean, worker = WORKER): Promise<string> {
  if (!existsSync(join(source, 'run.mjs'))) {
    throw new Error(`the side-by-side harness is not at ${source}: this benchmark needs it beside the project`)
  }
  mkdirSync(folder, { recursive: true })
  const installed = join(folder, 'node_modules', '.package-lock.json')
  const text = (path: string): string => existsSync(path) ? readFileSync(path, 'utf8') : ''
  const lockIsNew = text(join(source, 'package-lock.json')) !== text(join(folder, 'package-lock.json'))
  for (const part of ['src', 'scenes', 'run.mjs', 'package.json', 'package-lock.json']) {
    rmSync(join(folder, part), { recursive: true, force: true })
    cpSync(join(source, part), join(folder, part), { recursive: true })
  }
  if (withPeers && (lockIsNew || !existsSync(installed))) {
    await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund'], 10 * GRACE)
  }
  await bundle(worker, folder)
  return folder
}

/** A bundled worker, beside the packages that it imports. */
export function fileOf(worker: string): string {
  return bundled(worker, folder)
}

/** Every scene, S2 before S10. */
function sceneIds(): string[] {
  return readdirSync(join(folder, 'scenes')).filter(name => name.endsWith('.json')).map(name => basename(name, '.json'))
    .sort((a, b) => parseInt(a.slice(1), 10) - parseInt(b.slice(1), 10) || (a < b ? -1 : 1))
}

/** The scenes that a list names: `S5` means S5a, S5b, … */
export function scenesNamed(list: string): NeutralScene[] {
  const all = sceneIds()
  const ids = list === 'all' ? all : list.split(',').flatMap(name => {
    const found = all.filter(id => id === name || id.replace(/[a-z]$/, '') === name)
    if (found.length === 0) throw new Error(`no scene ${name}; there are ${all.join(', ')}`)
    return found
  })
  return ids.map(id => JSON.parse(readFileSync(join(folder, 'scenes', `${id}.json`), 'utf8')) as NeutralScene)
}

/** Runs chosen peers on one scene by the harness's own driver. */
export async function runPeers(engines: readonly string[], profiles: readonly string[], scene: string, maxSeconds: number, dt?: number): Promise<Row[]> {
  const out = join(folder, 'rows.json')
  rmSync(out, { force: true })
  await run(process.execPath, [
    join(folder, 'run.mjs'), '--engine', engines.join(','), '--profile', profiles.join(','), '--scene', scene, '--max-seconds', String(maxSeconds), '--out', out,
    ...(dt === undefined ? [] : ['--dt', String(dt)]),
  ], engines.length * profiles.length * (2000 * maxSeconds + 2 * GRACE))
  return existsSync(out) ? (JSON.parse(readFileSync(out, 'utf8')) as { rows: Row[] }).rows : []
}

/** Runs one of Cairn's methods on one scene in a process of its own. */
export function runCairnApart(job: CairnJob): Promise<Row> {
  const { engine, scene } = job
  const profile = job.tolerance === undefined ? job.profile : `${job.profile}, gaps ${job.tolerance} m`
  return new Promise(resolve => {
    const child = fork(fileOf(WORKER), { silent: true, execArgv: process.execArgv })
    let answer: Partial<Row> | undefined
    let complaint = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), 2000 * job.maxSeconds + GRACE)
    child.stderr!.on('data', (data: Buffer) => { complaint = (complaint + data.toString()).slice(-600) })
    child.stdout!.resume()
    child.on('message', message => { answer = message as Partial<Row> })
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      resolve({ engine, profile, scene, ...(answer ?? { error: `process ended (${signal ?? code}) ${complaint.split('\n')[0]}` }) })
    })
    child.send(job)
  })
}

function run(command: string, args: readonly string[], timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd: folder, timeout, maxBuffer: 1 << 26, shell: process.platform === 'win32' && command.endsWith('.cmd') }, (error, _out, complaint) => {
      if (error) reject(new Error(`${command} ${args[0]} failed: ${complaint.slice(-600) || error.message}`))
      else resolve()
    })
  })
}
