/**
 * PEG17's experiments: pourings of random polyhedra or polygons with the standard contact model and with the geometrically exact one, at many step sizes,
 * judged by the volume (area) in which bodies overlap after every step; with one linearisation a step as in the paper, or with as many as it takes. Prints a
 * table, writes it as JSON, and draws the paper's figures 21 and 22 (two dimensions), 24 and 25 (three).
 *
 *   npm run bench -- peg [--dimensions 2 | 3] [--linearizations 1 | 2 … | all] [--seeds 10] [--steps 1,2,… (ms)] [--models standard,peg,peg+slack] [--friction 0.5]
 *     [--duration 5] [--primaries 1] [--seconds 120] [--out folder]
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { contactsFigure, overlapFigure, quantile } from './peg/figures'
import { pour, type PouringRun } from './peg/run'

/** ms: sixteen, from 1 to 20. */
const STEPS = '1,2,3,4,5,6,7,8,9,10,12,14,15,16,18,20'

export default function (args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      dimensions: { type: 'string', default: '3' }, linearizations: { type: 'string', default: 'all' }, seeds: { type: 'string', default: '10' }, steps: { type: 'string', default: STEPS }, models: { type: 'string', default: 'standard,peg' },
      friction: { type: 'string', default: '0.5' }, duration: { type: 'string', default: '5' }, primaries: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '120' }, out: { type: 'string', default: join(tmpdir(), 'cairn-peg') },
    },
  })
  const number = (name: 'seeds' | 'friction' | 'duration' | 'primaries' | 'seconds', text: string): number => {
    const value = Number(text)
    if (!Number.isFinite(value) || value < (name === 'friction' ? 0 : Number.MIN_VALUE)) throw new Error(`--${name} is ${text}; it has to be a number above 0`)
    return value
  }
  const [seeds, friction, duration] = [number('seeds', values.seeds), number('friction', values.friction), number('duration', values.duration)]
  const [primaries, seconds] = [number('primaries', values.primaries), number('seconds', values.seconds)]
  if (values.dimensions !== '2' && values.dimensions !== '3') throw new Error(`--dimensions is ${values.dimensions}; it has to be 2 or 3`)
  const dimensions = values.dimensions === '2' ? 2 : 3
  const linearizations = values.linearizations === 'all' ? null : Number(values.linearizations)
  if (linearizations !== null && !(Number.isInteger(linearizations) && linearizations > 0)) {
    throw new Error(`--linearizations is ${values.linearizations}; it has to be a whole number above 0, or all`)
  }
  const steps = values.steps.split(',').map(text => Number(text) / 1000)
  const models = values.models.split(',')
  const out = resolve(values.out)
  mkdirSync(out, { recursive: true })
  const runs: PouringRun[] = []
  console.log(`  ${seeds} pourings of ${duration} s, friction ${friction}, ${linearizations ?? 'as many as it takes'} linearisations; overlap in m${dimensions} after every step`)
  for (const step of steps) {
    for (const model of models) {
      const found = Array.from({ length: seeds }, (_, k) => pour({ dimensions, linearizations, seed: k + 1, step, friction, duration }, model, primaries, seconds))
      runs.push(...found)
      report(step, model, found)
      const figures = runs.map(run => ({
        ...run, overlap: undefined, contacts: undefined, traps: undefined, steps: run.overlap.length, worst: Math.max(0, ...run.overlap),
        quartiles: [0.25, 0.5, 0.75].map(share => quantile(run.overlap, share)),
      }))
      writeFileSync(join(out, 'peg.json'), JSON.stringify(figures, null, 1))
      writeFileSync(join(out, dimensions === 2 ? 'figure-21.svg' : 'figure-24.svg'), overlapFigure(runs))
      const shown = runs.find(run => run.model === 'peg' && run.step === 0.01) ?? runs.find(run => run.model === 'peg')
      if (shown !== undefined) writeFileSync(join(out, dimensions === 2 ? 'figure-22.svg' : 'figure-25.svg'), contactsFigure(shown))
    }
  }
  console.log(`  figures and table in ${out}`)
}

function report(step: number, model: string, runs: readonly PouringRun[]): void {
  const overlap = runs.flatMap(run => run.overlap)
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const quartiles = [0.25, 0.5, 0.75].map(share => quantile(overlap, share).toExponential(1)).join(' ')
  const early = runs.filter(run => run.ended !== '')
  console.log(`  ${(1000 * step).toFixed(0).padStart(3)} ms ${model.padEnd(9)} worst ${Math.max(0, ...overlap).toExponential(1).padStart(8)}  quartiles ${quartiles}  `
    + `${mean(runs.map(run => run.time)).toFixed(1).padStart(6)} ms a step  contacts ${mean(runs.flatMap(run => run.contacts)).toFixed(1).padStart(5)}  `
    + `traps ${mean(runs.flatMap(run => run.traps)).toFixed(2).padStart(5)}  halved ${runs.reduce((sum, run) => sum + run.halved, 0)} of ${overlap.length}`
    + (early.length > 0 ? `  ended early: ${early.map(run => `seed ${run.seed} ${run.ended}`).join(', ')}` : ''))
}
