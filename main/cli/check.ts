import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { readSceneText, writeWhole } from '../engine/files'
import { readScene } from '../engine/prefabs'
import { TrajectoryReader } from '../engine/reader'
import { HostError } from '../protocol/host'
import { launchRun, type LaunchedRun } from '../run/launch'
import type { RunReport } from '../run/job'
import { Arguments } from './arguments'
import { checkFileName, checkFileSchema, expectationOf, faultsOf, type CheckFile, type Expectation } from './check-file'
import { junitXml, type TestCase } from './junit'
import { exitCodes, print, printJson, problemText, Refusal, log } from './output'

export const checkOptions = { update: { type: 'boolean' }, junit: { type: 'string' }, jobs: { type: 'string' }, json: { type: 'boolean' } } as const

interface Result extends TestCase {
  readonly outcome: 'passed' | 'failed' | 'stored'
  readonly came: Expectation | null
}

/** `cairn check <folder>`: runs every scene and compares it with stored results; 1 if any differs. */
export async function check(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, checkOptions, ['folder'])
  const folder = given.positionals[0]!
  const jobs = given.number('jobs', { least: 1, most: 256, integer: true }) ?? availableParallelism()
  const names = scenesIn(folder)
  const stored = readStored(folder)
  const update = given.flag('update')
  const results = await runAll(folder, names, stored, update, jobs)
  const gone = update ? [] : Object.keys(stored.scenes).filter(name => !names.includes(name))
  const all = [...results, ...gone.map((name): Result => ({ name, seconds: 0, outcome: 'failed', came: null, faults: ['the scene no longer exists'] }))]
  if (update) {
    const kept = Object.fromEntries(all.flatMap(({ name, came }) => (came ? [[name, came]] : [])))
    writeWhole(join(folder, checkFileName), `${JSON.stringify({ format: 'cairn-check', version: 1, scenes: kept } satisfies CheckFile, null, 1)}\n`)
  }
  const junit = given.text('junit')
  if (junit !== undefined) writeWhole(junit, junitXml(basename(resolve(folder)), all))
  const failed = all.filter(({ outcome }) => outcome === 'failed')
  if (given.flag('json')) {
    const reports = all.map(({ name, outcome, seconds, faults }) => ({ scene: name, outcome, seconds, faults }))
    printJson({ status: failed.length > 0 ? 'failed' : 'passed', passed: all.length - failed.length, failed: failed.length, scenes: reports })
  } else print(`${all.length - failed.length} ${update ? 'stored' : 'passed'}, ${failed.length} failed`)
  return failed.length > 0 ? exitCodes.stopped : exitCodes.done
}

/** Names of the scenes directly in a folder, sorted. @throws Refusal if there is no folder, or no scene in it */
function scenesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw fault('FolderNotFound', `"${folder}" is not a folder.`, folder)
  const names = readdirSync(folder).filter(name => /\.cairn(\.json)?$/.test(name)).sort()
  if (names.length === 0) throw fault('NoScenes', `There is no scene in "${folder}".`, folder, 'files ending in .cairn.json')
  return names
}

function readStored(folder: string): CheckFile {
  const path = join(folder, checkFileName)
  if (!existsSync(path)) return { format: 'cairn-check', version: 1, scenes: {} }
  let content: unknown
  try {
    content = JSON.parse(readSceneText(path))
  } catch (error) {
    if (error instanceof HostError) throw error
    throw fault('MalformedJson', `"${path}" is not valid JSON: ${(error as Error).message}`, path)
  }
  const parsed = checkFileSchema.safeParse(content)
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  throw fault('InvalidFile', `"${path}" is not a file of cairn check --update: ${first!.path.join('.')}: ${first!.message}`, path)
}

/** Several concurrently; results are printed as they arrive, and returned in the order of the names. */
async function runAll(folder: string, names: readonly string[], stored: CheckFile, update: boolean, jobs: number): Promise<Result[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'cairn-check-'))
  const running = new Set<LaunchedRun>()
  let cancelled = false
  const cancel = () => {
    cancelled = true
    for (const run of running) run.cancel()
  }
  for (const signal of signals) process.on(signal, cancel)
  const results: Result[] = []
  let next = 0
  const worker = async () => {
    for (let k = next++; k < names.length && !cancelled; k = next++) {
      const name = names[k]!
      const output = join(scratch, `${k}.mcap`)
      const expected = Object.hasOwn(stored.scenes, name) ? stored.scenes[name] : undefined
      const result = await runOne(join(folder, name), name, output, expected, update, running)
      rmSync(output, { force: true })
      results[k] = result
      if (!cancelled) log(`${results.filter(Boolean).length} of ${names.length}  ${result.outcome}  ${name}${result.faults.map(line => `\n    ${line}`).join('')}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, names.length) }, worker))
  } finally {
    for (const signal of signals) process.off(signal, cancel)
    rmSync(scratch, { recursive: true, force: true })
  }
  if (cancelled) throw new HostError('Cancelled', 'Cancelled.')
  return results
}

const signals = ['SIGINT', 'SIGTERM'] as const

async function runOne(
  path: string, name: string, output: string, expected: Expectation | undefined, update: boolean, running: Set<LaunchedRun>,
): Promise<Result> {
  const started = performance.now()
  const of = (faults: readonly string[], came: Expectation | null): Result => {
    const outcome = faults.length > 0 ? 'failed' : update ? 'stored' : 'passed'
    return { name, seconds: (performance.now() - started) / 1000, faults, outcome, came }
  }
  let report: RunReport
  try {
    report = await lastReport(readScene(path), output, running)
  } catch (error) {
    if (error instanceof HostError) return of([error.message], null)
    throw error
  }
  if (report.kind === 'refused') return of(report.problems.map(problemText), null)
  if (report.kind === 'failed') return of([report.message], null)
  if (!existsSync(output)) return of(['the run left no file'], null)
  const reader = new TrajectoryReader(output)
  try {
    if (update) return of([], expectationOf(reader, expected))
    if (expected === undefined) return of([`it has no stored result: run "cairn check --update" once`], null)
    return of(faultsOf(reader, expected), null)
  } finally {
    reader.close()
  }
}

function lastReport(scene: string, output: string, running: Set<LaunchedRun>): Promise<RunReport> {
  return new Promise(done => {
    const run = launchRun({ scene, output }, report => {
      if (report.kind === 'begun' || report.kind === 'flushed') return
      running.delete(run)
      done(report)
    })
    running.add(run)
  })
}

function fault(name: string, message: string, value: unknown, allowed?: string): Refusal {
  return new Refusal([{ name, severity: 'error', message, path: '', value, ids: [], ...(allowed === undefined ? {} : { allowed }) }])
}
