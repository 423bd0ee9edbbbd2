/** Conversion between lists of numbers and rows of a table field. */

import type * as z from 'zod'
import { describeField, elementSchemaOf, shapeOf } from './schema'

export interface TableColumn {
  readonly label: string
  readonly unit: string
  readonly integer: boolean
}

/** Conversion of a list's items to rows and back. */
export interface TableShape {
  readonly columns: readonly TableColumn[]
  rowOf(item: unknown): number[]
  itemOf(row: readonly number[]): unknown
}

const AXES = ['x', 'y', 'z', 'w', '5', '6'] as const

/** For a list of numbers, of rows of numbers, or of objects that contain only numbers and vectors; null for other schemas. */
export function tableOf(schema: z.core.$ZodType): TableShape | null {
  const element = elementSchemaOf(schema)
  if (element) {
    const { kind, label, unit, length } = describeField('', element)
    if (kind === 'number' || kind === 'integer') {
      return { columns: [{ label, unit, integer: kind === 'integer' }], rowOf: item => [item as number], itemOf: ([value]) => value! }
    }
    if (kind === 'numbers') {
      const columns = Array.from({ length }, (_, k) => ({ label: String(k + 1), unit, integer: false }))
      return { columns, rowOf: item => item as number[], itemOf: row => [...row] }
    }
  }
  const shape = element && shapeOf(element)
  if (!shape) return null
  const fields = Object.entries(shape).map(([key, inner]) => ({ ...describeField(key, inner), key }))
  if (!fields.every(({ kind }) => kind === 'number' || kind === 'integer' || kind === 'vector')) return null
  const widths = fields.map(({ kind }) => kind === 'vector' ? 3 : 1)
  const columns = fields.flatMap(({ kind, label, unit }): TableColumn[] => kind === 'vector'
    ? AXES.slice(0, 3).map(axis => ({ label: `${label} ${axis}`, unit, integer: false })) : [{ label, unit, integer: kind === 'integer' }])
  return {
    columns,
    rowOf: item => fields.flatMap(({ key, default: fallback }, i) => {
      const value = (item as Record<string, unknown>)[key] ?? fallback
      return Array.isArray(value) ? value as number[] : value === undefined ? Array.from({ length: widths[i]! }, () => 0) : [value as number]
    }),
    itemOf: row => {
      let at = 0
      return Object.fromEntries(fields.map(({ key, kind }, i) => {
        const part = row.slice(at, at += widths[i]!)
        return [key, kind === 'vector' ? part : part[0]!]
      }))
    },
  }
}

/** For points or triangles: rows of three numbers; null if rows differ in length, as faces with different numbers of vertices do. */
export function tripleTable(value: unknown, unit: string, integer: boolean): TableShape | null {
  if (!Array.isArray(value) || !value.every(row => Array.isArray(row) && row.length === 3)) return null
  const names = integer ? ['1', '2', '3'] : AXES.slice(0, 3)
  return { columns: names.map(label => ({ label, unit, integer })), rowOf: item => item as number[], itemOf: row => [...row] }
}

/** Cells of a copied range: lines of numbers separated by tabs, commas, semicolons or spaces; null if a cell is not a number. */
export function parseCells(text: string): number[][] | null {
  const rows = text.split(/\r?\n/).map(line => line.trim()).filter(Boolean).map(line => line.split(/[\t;]\s*|,\s*|\s+/).map(cell => cell === '' ? NaN : Number(cell)))
  return rows.length > 0 && rows.every(row => row.length > 0 && row.every(Number.isFinite)) ? rows : null
}

/** The rows after pasting a range at a cell. Rows are added if the range is longer; columns beyond the last are dropped. */
export function pasteCells(rows: readonly (readonly number[])[], cells: readonly (readonly number[])[], row: number, column: number): number[][] {
  const next = rows.map(old => [...old])
  cells.forEach((line, i) => {
    const target = next[row + i] ??= [...next.at(-1)!]
    line.forEach((value, k) => {
      if (column + k < target.length) target[column + k] = value
    })
  })
  return next
}
