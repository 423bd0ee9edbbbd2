/** The points of a design: values of all parameters for each run, computed by index without storing them. */
import { exp, log } from '../../../core/math/elementary'
import type { ParameterValues, SweepDesign, SweepParameter } from '../../protocol/sweeps'
import { sweepFault } from '../fault'
import { permutation, randomNumbers } from './random'
import { SOBOL_DIMENSIONS, sobolPoint } from './sobol'

/** Maximum number of runs: more than a user would wait for, few enough for a journal that is indexed in memory. */
export const MAX_RUNS = 10_000_000

export interface Points {
  readonly count: number
  /** Values by parameter. */
  at(index: number): readonly unknown[]
}

/** @throws HostError for invalid designs */
export function pointsOf(parameters: readonly SweepParameter[], design: SweepDesign): Points {
  const points = design.kind === 'latin' || design.kind === 'sobol' ? samples(parameters, design) : design.kind === 'grid' ? grid(parameters) : zipped(parameters)
  if (points.count > MAX_RUNS) throw sweepFault(`The sweep has ${points.count} runs.`, { allowed: `at most ${MAX_RUNS}` })
  return points
}

function grid(parameters: readonly SweepParameter[]): Points {
  const counts = parameters.map(countOf)
  return {
    count: counts.reduce((product, count) => product * count, 1),
    at: index => {
      let rest = index
      const values = new Array<unknown>(parameters.length)
      for (let k = parameters.length - 1; k >= 0; k--) {
        values[k] = valueOf(parameters[k]!.values, rest % counts[k]!)
        rest = Math.floor(rest / counts[k]!)
      }
      return values
    },
  }
}

/** First values with first values, like the rows of a table. */
function zipped(parameters: readonly SweepParameter[]): Points {
  const counts = parameters.map(countOf)
  const [count = 1] = counts
  const other = counts.findIndex(each => each !== count)
  if (other >= 0) {
    throw sweepFault(`"${parameters[0]!.name}" has ${count} values and "${parameters[other]!.name}" has ${counts[other]!}: a list needs as many of each.`)
  }
  return { count, at: index => parameters.map(({ values }) => valueOf(values, index)) }
}

function samples(parameters: readonly SweepParameter[], { kind, count, seed }: Extract<SweepDesign, { seed: number }>): Points {
  if (!Number.isInteger(count) || count < 1) throw sweepFault(`A design of ${count} samples.`, { allowed: 'an integer ≥ 1' })
  const random = randomNumbers(seed)
  if (kind === 'sobol') {
    if (parameters.length > SOBOL_DIMENSIONS) throw sweepFault(`Sobol's sequence for ${parameters.length} parameters.`, { allowed: `at most ${SOBOL_DIMENSIONS}` })
    const shift = Uint32Array.from(parameters, () => Math.floor(random() * 0x100000000))
    return { count, at: index => sobolPoint(index, shift).map((x, k) => sampled(parameters[k]!.values, x)) }
  }
  // Latin hypercube [McKay, Beckman, Conover 1979]: for every parameter, exactly one sample in each of `count` intervals of its range.
  const columns = parameters.map(() => {
    const order = permutation(count, random)
    return Float64Array.from(order, slice => (slice + random()) / count)
  })
  return { count, at: index => columns.map((column, k) => sampled(parameters[k]!.values, column[index]!)) }
}

function countOf({ name, values }: SweepParameter): number {
  if (values.kind === 'list') return values.values.length
  if (values.count === null) throw sweepFault(`"${name}" is a range without a number of values, which needs samples.`, { allowed: 'from:to:count' })
  return values.count
}

function valueOf(values: ParameterValues, k: number): unknown {
  if (values.kind === 'list') return values.values[k]
  const count = values.count!
  return within(values, count === 1 ? 0 : k / (count - 1))
}

/** A parameter's value at the share x of its range, x in [0, 1). */
function sampled(values: ParameterValues, x: number): unknown {
  if (values.kind === 'list') return values.values[Math.floor(x * values.values.length)]
  return values.count === null ? within(values, x) : valueOf(values, Math.floor(x * values.count))
}

/** Exact at both ends. */
function within({ from, to, scale }: Extract<ParameterValues, { kind: 'range' }>, x: number): number {
  if (x === 0) return from
  if (x === 1) return to
  if (scale === 'linear') return from + (to - from) * x
  return exp(log(from) + (log(to) - log(from)) * x)
}
