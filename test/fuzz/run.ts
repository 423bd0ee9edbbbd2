/** `npm run fuzz [-- --kind scenes,texts --count 1000 --from 1 --limit 20 --out folder]`: continues after the last trial, and prints the outcomes. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { trialWorker } from './bundle'
import { KINDS } from './kinds'
import { FAULTS } from './outcome'
import { runTrials, type Trial } from './trials'

/** As in runs: some built-in functions take long without counting a step, and the watchdog terminates the thread [main/run/launch.ts]. */
const scriptPatience = { limit: 10_000, answer: 0, watched: true }

export default async function fuzz(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args, options: {
      kind: { type: 'string', default: Object.keys(KINDS).join(',') }, count: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' },
      limit: { type: 'string', default: '20' }, out: { type: 'string', default: 'node_modules/.cache/cairn-fuzz-results' },
    },
  })
  const [count, from, limit] = [values.count, values.from, values.limit].map(Number) as [number, number, number]
  const worker = await trialWorker()
  mkdirSync(values.out, { recursive: true })
  for (const kind of values.kind.split(',')) {
    if (!(kind in KINDS)) throw new Error(`There is no kind "${kind}"; there are: ${Object.keys(KINDS).join(', ')}.`)
    const path = join(values.out, `${kind}.jsonl`)
    const known = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(line => line !== '').map(line => JSON.parse(line) as Trial) : []
    const done = new Set(known.map(trial => trial.seed))
    const seeds = Array.from({ length: count }, (_, i) => from + i).filter(seed => !done.has(seed))
    const trials = [...known]
    const patience = kind === 'scripts' ? scriptPatience : { limit: 1000 * limit, answer: 1000 * limit }
    await runTrials(worker, kind, seeds, patience, trial => {
      trials.push(trial)
      appendFileSync(path, `${JSON.stringify(trial)}\n`)
      if (FAULTS.has(trial.outcome)) console.error(`${kind} ${trial.seed}: ${trial.outcome}: ${trial.detail}`)
    })
    print(kind, trials)
  }
}

function print(kind: string, trials: readonly Trial[]): void {
  const slowest = trials.reduce((worst, trial) => trial.seconds > worst.seconds ? trial : worst)
  const counts = ['completed', 'refused', 'stopped', 'cut', 'wrong', 'failed', 'silent'].map(outcome => `${outcome} ${trials.filter(trial => trial.outcome === outcome).length}`)
  console.log(`${kind}: ${trials.length} trials: ${counts.join(', ')}; slowest ${slowest.seconds.toFixed(1)} s (seed ${slowest.seed})`)
}
