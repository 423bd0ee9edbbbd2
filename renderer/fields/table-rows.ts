/** Lists of numbers as rows of a table: what a table field shows, and what comes back from it. */

import type * as z from 'zod'
import { describeField, elementSchemaOf, shapeOf } from './schema'

export interface TableColumn {
  readonly label: string
  readonly unit: string
  readonly integer: boolean
}

/** How the items of a list become rows and back. */
export interface TableShape {
  readonly columns: readonly TableColumn[]
  rowOf(item: unknown): number[]
  itemOf(row: readonly number[]): unknown
}

const AXES = ['x', 'y', 'z', 'w', '5', '6'] as const

/** Of a list of numbers, of rows of numbers, or of objects that hold only numbers and vectors; null for any other schema. */
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

/** Of points or triangles: rows of three numbers; null where rows differ in length, as with faces of several sizes. */
export function tripleTable(value: unknown, unit: string, integer: boolean): TableShape | null {
  if (!Array.isArray(value) || !value.every(row => Array.isArray(row) && row.length === 3)) return null
  const names = integer ? ['1', '2', '3'] : AXES.slice(0, 3)
  return { columns: names.map(label => ({ label, unit, integer })), rowOf: item => item as number[], itemOf: row => [...row] }
}

/** Cells of a copied range: lines of numbers with tabs, commas, semicolons or blanks between; null where something is no number. */
export function parseCells(text: string): number[][] | null {
  const rows = text.split(/\r?\n/).map(line => line.trim()).filter(Boolean).map(line => line.split(/[\t;]\s*|,\s*|\s+/).map(cell => cell === '' ? NaN : Number(cell)))
  return rows.length > 0 && rows.every(row => row.length > 0 && row.every(Number.isFinite)) ? rows : null
}

/** The rows with a range put in at a cell; rows are added where it reaches below the last, columns beyond the last are left out. */
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
