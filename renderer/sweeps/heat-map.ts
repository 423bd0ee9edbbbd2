/** Means of a measure over two parameters: one cell for each pair of values, or of intervals if there are too many. */

import { distinct, type ResultColumn } from './columns'

export interface HeatAxis {
  /** Lower end or value of each cell, for the labels. */
  readonly labels: readonly (number | string)[]
  /** Index of the cell of a value. */
  readonly cellOf: (value: number | string) => number
}

export interface HeatCell {
  readonly x: number
  readonly y: number
  /** NaN if no run of the cell has a value. */
  readonly mean: number
  /** Indices of the results in the cell. */
  readonly results: readonly number[]
}

export interface HeatMap {
  readonly x: HeatAxis
  readonly y: HeatAxis
  readonly cells: readonly HeatCell[]
  readonly low: number
  readonly high: number
}

/** Maximum number of values with their own row or column; more, as in random samples, are grouped into intervals. */
const MAX_VALUES = 200
const SLICES = 32

/** @param chosen indices of the results to draw */
export function heatMap(xColumn: ResultColumn, yColumn: ResultColumn, measure: ResultColumn, chosen: readonly number[]): HeatMap {
  const [x, y] = [axisOf(xColumn), axisOf(yColumn)]
  const byCell = new Map<number, number[]>()
  for (const k of chosen) {
    const [a, b] = [xColumn.cells[k], yColumn.cells[k]]
    if (a === null || a === undefined || b === null || b === undefined) continue
    const cell = y.cellOf(b) * x.labels.length + x.cellOf(a)
    const there = byCell.get(cell)
    if (there) there.push(k)
    else byCell.set(cell, [k])
  }
  const cells = [...byCell].map(([cell, results]): HeatCell => (
    { x: cell % x.labels.length, y: Math.floor(cell / x.labels.length), mean: meanOf(measure, results), results }))
  const means = cells.map(({ mean }) => mean).filter(mean => Number.isFinite(mean))
  return { x, y, cells, low: Math.min(...means), high: Math.max(...means) }
}

/** Mean over the values that exist. */
export function meanOf({ cells }: ResultColumn, results: readonly number[]): number {
  let [sum, count] = [0, 0]
  for (const k of results) {
    const cell = cells[k]
    if (typeof cell !== 'number') continue
    sum += cell
    count++
  }
  return count === 0 ? NaN : sum / count
}

function axisOf(column: ResultColumn): HeatAxis {
  const values = distinct(column)
  if (values.length <= MAX_VALUES || !column.numeric) {
    const places = new Map(values.map((value, k) => [value, k]))
    return { labels: values, cellOf: value => places.get(value) ?? 0 }
  }
  const [low, high] = [values[0] as number, values.at(-1) as number]
  const width = (high - low) / SLICES
  return {
    labels: Array.from({ length: SLICES }, (_, k) => low + k * width),
    cellOf: value => Math.min(SLICES - 1, Math.floor((Number(value) - low) / width)),
  }
}
