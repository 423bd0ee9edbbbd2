/** The form for planning a sweep, and the plan made from it, which has the command line's form. */

import { parseValueList } from '../../main/protocol/value-list'
import type { ParameterValues, SweepDesign, SweepKeep, SweepParameter, SweepPlan, SweepScene } from '../../main/protocol/sweeps'
import { parsePath } from '../../core/scene'
import type { SweepPlace } from './places'

export interface FactorForm {
  readonly key: number
  name: string
  /** Fields of the scene that get its value; none if only derived values use it. */
  paths: string[]
  how: 'range' | 'list'
  from: number
  to: number
  count: number
  scale: 'linear' | 'log'
  /** Values separated by commas. */
  list: string
}

/** A field whose value is derived from the parameters. */
export interface DerivedForm {
  readonly key: number
  path: string
  expression: string
}

export interface SweepForm {
  name: string
  factors: FactorForm[]
  derived: DerivedForm[]
  design: SweepDesign['kind']
  samples: number
  seed: number
  measures: string
  keep: SweepKeep['kind']
  condition: string
  /** s and MB per run, and concurrent runs; null: no limit, all processors but one. */
  timeLimit: number | null
  memoryLimit: number | null
  workers: number | null
}

/** A form field with a missing or invalid entry. */
export interface FormProblem {
  readonly key: number
  readonly message: string
}

let lastKey = 0
export const nextKey = () => ++lastKey

export function emptyForm(name: string, measures: string): SweepForm {
  return {
    name, factors: [], derived: [], design: 'grid', samples: 100, seed: 1, measures, keep: 'none', condition: '', timeLimit: null, memoryLimit: null, workers: null,
  }
}

/** A parameter over values around a field's present value; choices use all their values. */
export function factorFor(place: SweepPlace | null, names: readonly string[]): FactorForm {
  const present = typeof place?.value === 'number' ? place.value : 0
  const { options } = place ?? { options: null }
  return {
    key: nextKey(), name: freshName(place === null ? 'parameter' : shortName(place.path), names), paths: place === null ? [] : [place.path],
    how: options ? 'list' : 'range', from: present === 0 ? 0 : present / 2, to: present === 0 ? 1 : 1.5 * present, count: 5, scale: 'linear',
    list: options?.join(', ') ?? '',
  }
}

/** Last key of a path with the component: `position[2]` is `position2`. */
export function shortName(path: string): string {
  const keys = parsePath(path) ?? []
  const last = keys.findLastIndex(key => typeof key === 'string')
  return keys.slice(Math.max(0, last)).join('') || 'parameter'
}

function freshName(wanted: string, names: readonly string[]): string {
  let name = wanted
  for (let k = 2; names.includes(name); k++) name = `${wanted}${k}`
  return name
}

/** The plan, or the missing entries. All other errors are reported by the engine. */
export function planOf(form: SweepForm, scene: SweepScene): { readonly plan: SweepPlan | null; readonly problems: readonly FormProblem[] } {
  const problems: FormProblem[] = []
  const parameters = form.factors.map((factor): SweepParameter => (
    { name: factor.name.trim(), paths: factor.paths, values: valuesOf(factor, form.design, problems) }))
  for (const { key, path, expression } of form.derived) {
    if (path === '' || expression.trim() === '') problems.push({ key, message: 'A field and an expression are needed.' })
  }
  const plan: SweepPlan = {
    scenes: [scene], parameters, lets: form.derived.map(({ path, expression }) => ({ path, expression })),
    design: form.design === 'latin' || form.design === 'sobol' ? { kind: form.design, count: form.samples, seed: form.seed } : { kind: form.design },
    measures: form.measures, keep: form.keep === 'where' ? { kind: 'where', expression: form.condition } : { kind: form.keep },
    timeLimit: form.timeLimit, memoryLimit: form.memoryLimit,
  }
  return { plan: problems.length === 0 ? plan : null, problems }
}

function valuesOf(factor: FactorForm, design: SweepDesign['kind'], problems: FormProblem[]): ParameterValues {
  const fail = (message: string) => problems.push({ key: factor.key, message })
  if (factor.name.trim() === '') fail('It needs a name.')
  if (factor.how === 'range') {
    const { from, to, scale } = factor
    const sampled = design === 'latin' || design === 'sobol'
    if (from === to) fail('Both ends are the same.')
    if (scale === 'log' && !(from > 0 && to > 0)) fail('A logarithmic range needs ends above 0.')
    if (!sampled && !(Number.isInteger(factor.count) && factor.count >= 1)) fail('A whole number of values is needed.')
    return { kind: 'range', from, to, count: sampled ? null : factor.count, scale }
  }
  const values = parseValueList(factor.list)
  if (values === null) fail('Values separated by commas are needed.')
  return { kind: 'list', values: values ?? [] }
}

/** The form for an existing plan, to plan a similar one. */
export function formOf(plan: SweepPlan, name: string): SweepForm {
  const { design, keep } = plan
  return {
    ...emptyForm(name, plan.measures), design: design.kind, ...('count' in design ? { samples: design.count, seed: design.seed } : {}),
    keep: keep.kind, condition: keep.kind === 'where' ? keep.expression : '', timeLimit: plan.timeLimit, memoryLimit: plan.memoryLimit,
    factors: plan.parameters.map(({ name: factor, paths, values }) => ({
      ...factorFor(null, []), name: factor, paths: [...paths],
      ...(values.kind === 'list' ? { how: 'list', list: values.values.map(value => typeof value === 'string' ? value : JSON.stringify(value)).join(', ') } as const
        : { how: 'range', from: values.from, to: values.to, count: values.count ?? 5, scale: values.scale } as const),
    })),
    derived: plan.lets.map(({ path, expression }) => ({ key: nextKey(), path, expression })),
  }
}
