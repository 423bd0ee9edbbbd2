/** Means of a measure over two parameters: a cell for each pair of their values, or of slices where there are too many. */

import { distinct, type ResultColumn } from './columns'

export interface HeatAxis {
  /** Lower end or value of each cell, for the labels. */
  readonly labels: readonly (number | string)[]
  /** Number of the cell of a value. */
  readonly cellOf: (value: number | string) => number
}

export interface HeatCell {
  readonly x: number
  readonly y: number
  /** NaN where no run of the cell has a value. */
  readonly mean: number
  /** Numbers of the results in the cell. */
  readonly results: readonly number[]
}

export interface HeatMap {
  readonly x: HeatAxis
  readonly y: HeatAxis
  readonly cells: readonly HeatCell[]
  readonly low: number
  readonly high: number
}

/** Values that have a row or column each; more, as samples have, fall into slices. */
const MOST_VALUES = 200
const SLICES = 32

/** @param chosen numbers of the results to draw */
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

/** Of the values that there are. */
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
  if (values.length <= MOST_VALUES || !column.numeric) {
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
