/** A short run of `npm run fuzz`, and the seeds that failed once. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { trialWorker } from '../fuzz/bundle'
import { KINDS } from '../fuzz/kinds'
import { FAULTS } from '../fuzz/outcome'
import { runTrials, type Trial } from '../fuzz/trials'

/** Trials of each kind, for about a second; scenes take longest. */
const COUNTS: Readonly<Record<string, number>> = { scenes: 3, variants: 3, texts: 60, trajectories: 30, meshes: 60, scripts: 20, requests: 60 }
/** By kind: seeds that were faults when they were found. */
const ONCE_FAILED = JSON.parse(readFileSync(new URL('../fuzz/seeds.json', import.meta.url), 'utf8')) as Record<string, readonly number[]>

let worker: URL
beforeAll(async () => { worker = await trialWorker() })

it.each(Object.keys(KINDS))('random %s have a typed outcome', async kind => {
  const seeds = [...Array.from({ length: COUNTS[kind]! }, (_, i) => 1 + i), ...ONCE_FAILED[kind] ?? []]
  const trials: Trial[] = []
  await runTrials(worker, kind, seeds, { limit: 2500, answer: 10_000, watched: kind === 'scripts' }, trial => trials.push(trial))
  expect(trials.map(({ seed }) => seed)).toStrictEqual(seeds)
  expect(trials.filter(({ outcome }) => FAULTS.has(outcome))).toStrictEqual([])
})

it('a thread that does not respond is terminated, and the next trial begins in another', async () => {
  const trials: Trial[] = []
  // No time is allowed, neither for the trial nor for its response.
  await runTrials(worker, 'texts', [1, 2], { limit: 0, answer: 0 }, trial => trials.push(trial))
  expect(trials.map(({ seed, outcome }) => [seed, outcome])).toStrictEqual([[1, 'silent'], [2, 'silent']])
})
