/** Results of a sweep as columns, for tables and charts. */

import type { SweepInfo, SweepResult } from '../../main/protocol/sweeps'
import type { MeasureWords } from './measures'

export type Cell = number | string | null

export interface ResultColumn {
  readonly id: string
  readonly name: string
  /** SI; empty for pure numbers and texts. */
  readonly unit: string
  readonly kind: 'parameter' | 'measure' | 'run'
  /** Whether every cell is a number or empty. */
  readonly numeric: boolean
  /** One for each result. */
  readonly cells: readonly Cell[]
}

/**
 * @param unitOf unit of a field of the scene, by its path
 * @param wordsFor a measure that has no name of its own; null if there are none
 */
export function columnsOf(
  info: SweepInfo, results: readonly SweepResult[], unitOf: (path: string) => string, wordsFor: (expression: string) => MeasureWords | null = () => null,
): readonly ResultColumn[] {
  const column = (id: string, name: string, unit: string, kind: ResultColumn['kind'], cells: readonly Cell[]): ResultColumn => (
    { id, name, unit, kind, cells, numeric: cells.every(cell => typeof cell !== 'string') })
  return [
    column('run', 'run', '', 'run', results.map(({ row }) => row.run)),
    ...info.parameters.map(({ name, paths }, k) => column(`p${k}`, name, paths[0] === undefined ? '' : unitOf(paths[0]), 'parameter', results.map(({ values }) => cellOf(values[k])))),
    ...info.measures.map(({ name, text }, k) => {
      const words = name === text ? wordsFor(text) : null
      return column(`m${k}`, words?.title ?? name, words?.unit ?? '', 'measure', results.map(({ row }) => row.measures[k] ?? null))
    }),
    column('status', 'status', '', 'run', results.map(({ row }) => row.status)),
    column('simulatedTime', 'simulated', 's', 'run', results.map(({ row }) => row.simulatedTime)),
    column('steps', 'steps', '', 'run', results.map(({ row }) => row.steps)),
    column('wallTime', 'took', 's', 'run', results.map(({ row }) => row.wallTime)),
  ]
}

/** Values that are neither numbers nor texts are shown as JSON. */
function cellOf(value: unknown): Cell {
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value) ?? null
}

/** Distinct values of a column in order: numbers by size, texts in order of appearance. */
export function distinct({ cells, numeric }: ResultColumn): readonly (number | string)[] {
  const found = [...new Set(cells)].filter(cell => cell !== null)
  return numeric ? (found as number[]).sort((a, b) => a - b) : found
}

/** Indices of the results with the chosen values. @param chosen by column */
export function selectedResults(columns: readonly ResultColumn[], chosen: ReadonlyMap<string, number | string>): readonly number[] {
  const count = columns[0]?.cells.length ?? 0
  const filters = columns.filter(({ id }) => chosen.has(id))
  return Array.from({ length: count }, (_, k) => k).filter(k => filters.every(({ id, cells }) => cells[k] === chosen.get(id)))
}
