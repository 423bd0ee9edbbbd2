/** Design points from another program: a table with one row per run and one column per parameter. */
import { readFileSync } from 'node:fs'
import { sweepFault } from '../batch/fault'
import { systemReason } from '../protocol/problem-file'
import type { SweepParameter } from '../protocol/sweeps'

const maxBytes = 256 * 1024 * 1024

/**
 * CSV with paths in its first line, or JSON: an array of objects with paths for keys. `-` is standard input.
 *
 * @throws HostError if it is neither
 */
export function readPoints(path: string): SweepParameter[] {
  const text = textOf(path)
  if (text.length > maxBytes) throw sweepFault(`"${path}" is larger than ${maxBytes} bytes.`, { value: path })
  const table = text.trimStart().startsWith('[') ? fromJson(path, text) : fromCsv(path, text)
  if (table.rows.length === 0) throw sweepFault(`"${path}" has no points.`, { value: path })
  return table.columns.map((name, k): SweepParameter => ({ name, paths: name.split('+'), values: { kind: 'list', values: table.rows.map(row => row[k]) } }))
}

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

function textOf(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw sweepFault(`"${path}" cannot be read: ${systemReason(error)}.`, { value: path }, 'FileNotReadable')
  }
}

function fromJson(path: string, text: string): Table {
  let points: unknown
  try {
    points = JSON.parse(text)
  } catch (error) {
    throw sweepFault(`"${path}" is not valid JSON: ${(error as Error).message}.`, { value: path })
  }
  const rows = points as readonly Record<string, unknown>[]
  const columns = Object.keys(rows[0] ?? {})
  rows.forEach((row, k) => {
    const keys = typeof row === 'object' && row !== null ? Object.keys(row) : []
    if (keys.length !== columns.length || columns.some(column => !Object.hasOwn(row, column))) {
      throw sweepFault(`"${path}": point ${k} has different paths from the first.`, { value: path, allowed: columns.join(', ') })
    }
  })
  return { columns, rows: rows.map(row => columns.map(column => row[column])) }
}

/** Cells are JSON, otherwise strings; those with commas are in double quotes [RFC 4180]. */
function fromCsv(path: string, text: string): Table {
  const [columns = [], ...rows] = text.split(/\r?\n/).filter(line => line.trim() !== '').map(cellsOf)
  const odd = rows.findIndex(row => row.length !== columns.length)
  if (odd >= 0) throw sweepFault(`"${path}": point ${odd} has ${rows[odd]!.length} values for ${columns.length} columns.`, { value: path })
  return { columns: columns.map(column => column.trim()), rows: rows.map(row => row.map(valueOf)) }
}

function cellsOf(line: string): string[] {
  const cells: string[] = []
  const cell = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g
  for (const [, quoted, plain] of line.matchAll(cell)) cells.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
  return cells
}

function valueOf(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown
  } catch {
    return cell.trim()
  }
}
