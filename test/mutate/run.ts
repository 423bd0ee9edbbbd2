/**
 * `npm run mutate [-- --count 100 --seed 1 --out folder]`: inserts a random sample of small faults, one at a time, into core/contact, core/methods
 * and core/collision, and runs the tests that reach the place, fast ones first, until one fails. Known results are not computed again, so that an
 * interrupted run can be continued.
 *
 * `--at core/file.ts:10-20 --tests test/unit/file.test.ts`: every fault of these lines, each against the named test files.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from '../fuzz/random'
import type { Order, Reach } from './order'
import { mutationsOf, type Mutation } from './places'

const FOLDERS = ['core/contact', 'core/methods', 'core/collision']
const TESTS = ['test/unit/core', 'test/verification']
/** Faults drawn at once, so that one run of all tests records which tests reach them. */
const DRAWN = 200
/** s: time for the tests of one fault; a fault that is not found in this time counts as surviving. */
const BUDGET = 120
/** Times as long as without the fault, and s: a run that takes longer hangs, which is a failure. */
const PATIENCE = { times: 10, least: 60 }

interface Verdict {
  readonly mutation: string
  readonly outcome: 'killed' | 'hung' | 'survived' | 'not reached'
  readonly tests: number
}

export default async function mutate(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args, options: {
      count: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' }, out: { type: 'string', default: 'node_modules/.cache/cairn-mutate' },
      at: { type: 'string' }, tests: { type: 'string', default: '' },
    },
  })
  mkdirSync(values.out, { recursive: true })
  if (values.at !== undefined) {
    await everyFault(values.at, values.tests.split(',').filter(test => test !== ''), values.out)
    return
  }
  const drawn = draw(Number(values.seed))
  const reaches = await reachOf(drawn, values.out)
  const record = join(values.out, 'verdicts.jsonl')
  const known = new Map(lines<Verdict>(record).map(verdict => [verdict.mutation, verdict]))
  for (const [index, mutation] of drawn.slice(0, Number(values.count)).entries()) {
    const name = described(mutation)
    if (known.has(name)) continue
    const verdict = { mutation: name, ...await tried(mutation, index, reaches, values.out) }
    appendFileSync(record, `${JSON.stringify(verdict)}\n`)
    known.set(name, verdict)
    console.log(`${verdict.outcome} ${name}`)
  }
  const verdicts = drawn.slice(0, Number(values.count)).map(mutation => known.get(described(mutation))!)
  const found = verdicts.filter(({ outcome }) => outcome === 'killed' || outcome === 'hung').length
  console.log(`${found} of ${verdicts.length} faults found. Not found:`)
  for (const { mutation, outcome } of verdicts) if (outcome === 'survived' || outcome === 'not reached') console.log(`  ${outcome}: ${mutation}`)
}

/** @param at `file`, `file:line` or `file:first-last` */
async function everyFault(at: string, tests: readonly string[], out: string): Promise<void> {
  const [file = '', lines = ''] = at.split(':')
  const [first = 1, last = first] = lines === '' ? [1, Infinity] : lines.split('-').map(Number)
  const faults = mutationsOf(file, readFileSync(file, 'utf8')).filter(({ line }) => line >= first && line <= last)
  if (faults.length === 0 || tests.length === 0) throw new Error(`${at} has ${faults.length} faults for ${tests.length} test files (--tests).`)
  const started = performance.now()
  if ((await vitest({ tests }, out, Infinity, [])).code !== 0) throw new Error('These tests fail without a fault.')
  const patience = PATIENCE.times * (performance.now() - started) / 1000 + PATIENCE.least
  let found = 0
  for (const fault of faults) {
    const { code, hung } = await vitest({ tests, fault }, out, patience, ['--bail', '1'])
    if (hung || code !== 0) found++
    console.log(`${hung ? 'hung' : code === 0 ? 'survived' : 'killed'} ${described(fault)}`)
  }
  console.log(`${found} of ${faults.length} faults found.`)
}

/** The faults of a seed, in a random order. */
function draw(seed: number): Mutation[] {
  const files = FOLDERS.flatMap(folder => filesIn(folder, '.ts'))
  const places = files.flatMap(file => mutationsOf(file, readFileSync(file, 'utf8')))
  const random = new Random(seed)
  return Array.from({ length: Math.min(DRAWN, places.length) }, () => places.splice(random.index(places.length), 1)[0]!)
}

/** `file:line: text → text`, each in one line. */
function described({ file, line, start, end, text }: Mutation): string {
  const short = (words: string): string => words.replace(/\s+/g, ' ').slice(0, 100)
  return `${file}:${line}: ${short(readFileSync(file, 'utf8').slice(start, end))} → ${short(text)}`
}

/** Places that each test file reaches. Only new or changed files are run. */
async function reachOf(drawn: readonly Mutation[], out: string): Promise<Reach[]> {
  const sample = hash(JSON.stringify(drawn))
  const tests = TESTS.flatMap(folder => filesIn(folder, '.test.ts'))
  const recordOf = (test: string): string => join(out, `${sample}-${hash(test + readFileSync(test, 'utf8'))}.json`)
  const unknown = tests.filter(test => !existsSync(recordOf(test)))
  if (unknown.length > 0) {
    const records = Object.fromEntries(unknown.map(test => [test, recordOf(test)]))
    await vitest({ tests: unknown, watched: drawn, records }, out, Infinity, [])
  }
  // A file that cannot be loaded has no record and reaches nothing.
  return tests.filter(test => existsSync(recordOf(test))).map(test => JSON.parse(readFileSync(recordOf(test), 'utf8')) as Reach)
}

async function tried(fault: Mutation, index: number, reaches: readonly Reach[], out: string): Promise<Pick<Verdict, 'outcome' | 'tests'>> {
  const passing = reaches.filter(({ places }) => places.includes(index)).sort((p, q) => p.seconds - q.seconds)
  let seconds = 0
  const chosen = passing.filter(reach => (seconds += reach.seconds) <= BUDGET || reach === passing[0])
  if (chosen.length === 0) return { outcome: 'not reached', tests: 0 }
  const usual = chosen.reduce((sum, reach) => sum + reach.seconds, 0)
  const { code, hung } = await vitest({ tests: chosen.map(({ test }) => test), fault }, out, PATIENCE.times * usual + PATIENCE.least, ['--bail', '1'])
  return { outcome: hung ? 'hung' : code === 0 ? 'survived' : 'killed', tests: chosen.length }
}

/** @param patience s after which the run and its threads are ended */
function vitest(order: Order, out: string, patience: number, options: readonly string[]): Promise<{ code: number | null; hung: boolean }> {
  const path = join(out, 'order.json')
  writeFileSync(path, JSON.stringify(order))
  const child = spawn(process.execPath, [
    'node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutate/vitest.config.ts', '--maxWorkers', '1', '--no-isolate', ...options,
  ], { env: { ...process.env, CAIRN_MUTATE: path }, stdio: 'ignore', detached: true })
  return new Promise((done, fail) => {
    let hung = false
    const limit = patience === Infinity ? undefined : setTimeout(() => {
      hung = true
      process.kill(-child.pid!, 'SIGKILL')
    }, 1000 * patience)
    child.on('error', fail).on('close', code => {
      clearTimeout(limit)
      done({ code, hung })
    })
  })
}

function lines<T>(path: string): T[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(line => line !== '').map(line => JSON.parse(line) as T) : []
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith(ending)).map(name => join(folder, name)).sort()
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
