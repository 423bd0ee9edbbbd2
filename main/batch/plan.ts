/** Prepares a sweep's plan: checks it, numbers the runs, and makes their scenes. */
import { createHash } from 'node:crypto'
import { MeasureError, Measures, parseMeasure, parseMeasures, type ParsedMeasure } from '../../core/analysis/measure'
import type { Expression } from '../../core/expression'
import { parseScene } from '../../core/scene'
import { ENGINE_VERSION } from '../../core/simulation'
import { HostError } from '../protocol/host'
import type { SweepPlan } from '../protocol/sweeps'
import { pointsOf, type Points } from './design/points'
import { measureFault, parameterExpression } from './expression'
import { sweepFault } from './fault'
import { changed, withValues, type SceneValue } from './set-values'

export class PreparedSweep {
  /** Identifies the sweep by content: the same plan and engine version have the same id. */
  readonly id: string
  readonly total: number
  readonly measures: readonly ParsedMeasure[]
  /** SHA-256 of each scene's text. */
  readonly sceneHashes: readonly string[]
  private readonly points: Points
  private readonly lets: readonly { readonly path: string; readonly of: Expression }[]

  /** @throws HostError for every error that can be detected before the first run */
  constructor(readonly plan: SweepPlan) {
    const { parameters, scenes, design } = plan
    if (scenes.length === 0) throw sweepFault('A sweep needs a scene.')
    const names = parameters.map(({ name }) => name)
    const twice = names.find((name, k) => names.indexOf(name) !== k)
    if (twice !== undefined) throw sweepFault(`There are two parameters "${twice}".`, { value: twice })
    const reserved = names.find(name => RESERVED.includes(name))
    if (reserved !== undefined) throw sweepFault(`A parameter is called "${reserved}", as a column of the results is.`, { value: reserved })
    this.points = pointsOf(parameters, design)
    this.total = this.points.count * scenes.length
    this.lets = plan.lets.map(({ path, expression }) => ({ path, of: parameterExpression(expression, names) }))
    this.measures = parsedMeasures(plan)
    const column = this.measures.find(({ name }) => names.includes(name) || RESERVED.includes(name))
    if (column !== undefined) throw sweepFault(`A measure is called "${column.name}", as a parameter or another column is.`, { value: column.name, allowed: 'name = expression' })
    this.sceneHashes = scenes.map(({ text }) => sha256(text))
    this.id = identity(plan, this.sceneHashes)
    this.checkScenes()
  }

  /** Index of a run's scene. */
  sceneOf(run: number): number {
    return Math.floor(run / this.points.count)
  }

  /** Parameter values of a run, in the order of the parameters. */
  valuesOf(run: number): readonly unknown[] {
    return this.points.at(run % this.points.count)
  }

  /** Changes of a run to its scene. */
  changesOf(run: number): SceneValue[] {
    const values = this.valuesOf(run)
    return [
      ...this.plan.parameters.flatMap(({ paths }, k) => paths.map(path => ({ path, value: values[k] }))),
      ...this.lets.map(({ path, of }) => ({ path, value: of(values) })),
    ]
  }

  /** The scene of a run, as text. */
  textOf(run: number): string {
    return withValues(this.plan.scenes[this.sceneOf(run)]!.text, this.changesOf(run))
  }

  /** Checks all scenes with the first values and measures, so that an invalid path is found before ten thousand runs report it. */
  private checkScenes(): void {
    for (const [number, { name, text }] of this.plan.scenes.entries()) {
      const asWritten = parseScene(text)
      if (!asWritten.ok) throw new HostError('Refused', `${name}: ${asWritten.problems[0]!.message}`, asWritten.problems)
      const parsed = parseScene(changed(text, this.changesOf(number * this.points.count)) as object)
      // Values out of range may be intended: such runs get rows. An unknown key or a wrong type is a typing error.
      const unknown = parsed.ok ? undefined : parsed.problems.find(problem => problem.name === 'UnknownKey' || problem.name === 'WrongType')
      if (unknown !== undefined) throw new HostError('InvalidSweep', `${name}: ${unknown.message}`, [{ ...unknown, message: `${name}: ${unknown.message}` }])
      const { bodies, joints } = asWritten.resolved
      bindMeasures([...this.measures, ...keepExpression(this.plan)], { bodyIds: bodies.map(({ id }) => id), jointIds: joints.map(({ id }) => id) })
    }
  }
}

/** Column names of the results besides parameters and measures. */
export const RESERVED: readonly string[] = [
  'run', 'scene', 'status', 'reason', 'message', 'sceneHash', 'finalHash', 'simulatedTime', 'frames', 'steps', 'kept', 'wallTime',
]

function bindMeasures(measures: readonly ParsedMeasure[], scene: { bodyIds: readonly string[]; jointIds: readonly string[] }): void {
  try {
    new Measures(measures, scene)
  } catch (error) {
    throw error instanceof MeasureError ? measureFault(error) : error
  }
}

function parsedMeasures({ measures, keep }: SweepPlan): readonly ParsedMeasure[] {
  try {
    if (keep.kind === 'where') parseMeasure(keep.expression)
    return measures.trim() === '' ? [] : parseMeasures(measures)
  } catch (error) {
    throw error instanceof MeasureError ? measureFault(error) : error
  }
}

/** The condition of `--keep where`, if there is one. */
export function keepExpression({ keep }: SweepPlan): readonly ParsedMeasure[] {
  return keep.kind === 'where' ? [parseMeasure(keep.expression)] : []
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Excludes limits: a run ended by a limit has a row too, and a sweep can be resumed with other limits. */
function identity({ scenes, parameters, lets, design, measures, keep }: SweepPlan, hashes: readonly string[]): string {
  const content = { engine: ENGINE_VERSION, scenes: scenes.map(({ name }, k) => [name, hashes[k]]), parameters, lets, design, measures, keep }
  return sha256(JSON.stringify(content)).slice(0, 20)
}
