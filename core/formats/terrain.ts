/**
 * Terrain from a file of heights, as a solid of convex columns: a table of heights in metres (rows of numbers, as CSV or plain text), or a PNG picture, whose
 * brightest value is the greatest height. The first row is at the greatest y.
 */

import { FormatError } from './shared/error'
import { heightSolid, thinned, type HeightSolid } from './shared/height-field'
import { greyPng, isPng } from './shared/png'
import { decodeUtf8 } from './shared/utf8'

/** m: the larger side of a terrain, whose file does not tell it; and the greatest height of a picture, × that side. */
const SIDE = 4
const RELIEF = 0.15
/** Depth of the solid below its lowest point, × the larger side. */
const DEPTH = 0.1
/** Heights that are read at most, and words of a table with its comments. */
const MOST_READ = 4_000_000
const MOST_WORDS = MOST_READ + 10_000
/** Bytes of a file. */
const MOST_BYTES = 128 * 1024 * 1024

export interface Terrain {
  readonly solid: HeightSolid
  /** Heights in the file, and those used. */
  readonly columns: number
  readonly rows: number
  readonly usedColumns: number
  readonly usedRows: number
  /** m: extents along x and y. */
  readonly size: readonly [number, number]
}

/** @throws FormatError with the line, if the file is no table of heights and no picture, or too large */
export function readTerrain(name: string, bytes: Uint8Array): Terrain {
  requireSmall(name, bytes.length)
  const { columns, rows, heights } = isPng(bytes) ? fromPicture(bytes, name) : fromTable(decodeUtf8(bytes), name)
  if (columns < 2 || rows < 2) throw new FormatError('InvalidValue', name, `There are ${columns} × ${rows} heights.`, { allowed: 'at least 2 × 2' })
  const cell = SIDE / (Math.max(columns, rows) - 1)
  const size = [cell * (columns - 1), cell * (rows - 1)] as const
  const lowest = heights.reduce((least, height) => Math.min(least, height), Infinity)
  const field = { columns, rows, heights: heights.map(height => height - lowest), half: [size[0] / 2, size[1] / 2] as const, base: DEPTH * SIDE }
  const used = thinned(field)?.field ?? field
  return { solid: heightSolid(used), columns, rows, usedColumns: used.columns, usedRows: used.rows, size }
}

/** Also before a file is read. @throws FormatError */
export function requireSmall(name: string, bytes: number): void {
  if (bytes > MOST_BYTES) throw new FormatError('TooLarge', name, `It has ${bytes} bytes.`, { allowed: `at most ${MOST_BYTES}` })
}

interface Heights { readonly columns: number; readonly rows: number; readonly heights: Float64Array }

function fromPicture(bytes: Uint8Array, name: string): Heights {
  const { columns, rows, values } = greyPng(bytes, name)
  const most = values.reduce((brightest, value) => Math.max(brightest, value), 0)
  const heights = Float64Array.from(values, value => most > 0 ? value / most * RELIEF * SIDE : 0)
  return { columns, rows, heights: turned(heights, columns, rows) }
}

function fromTable(text: string, name: string): Heights {
  requireFew(text, name)
  const lines = text.split(/\r?\n/).map((line, k) => ({ line: line.trim(), at: `${name}, line ${k + 1}` })).filter(({ line }) => line !== '' && !line.startsWith('#'))
  const table = lines.map(({ line, at }) => line.split(/[\s,;]+/).map(word => {
    const value = Number(word)
    if (word === '' || !Number.isFinite(value)) throw new FormatError('InvalidValue', at, `"${word.slice(0, 40)}" is not a height.`, { value: word, allowed: 'numbers in metres' })
    return value
  }))
  const columns = table[0]?.length ?? 0
  table.forEach((row, k) => {
    if (row.length !== columns) throw new FormatError('InvalidValue', lines[k]!.at, `The row has ${row.length} heights, the first one ${columns}.`, { allowed: 'rows of equal length' })
  })
  return { columns, rows: table.length, heights: turned(Float64Array.from(table.flat()), columns, table.length) }
}

/** Counts words before any is kept: a large file would fill the memory. */
function requireFew(text: string, name: string): void {
  let words = 0
  for (let isWord = false, k = 0; k < text.length; k++) {
    const starts = !' \t\r\n,;'.includes(text[k]!)
    if (starts && !isWord && ++words > MOST_WORDS) throw new FormatError('TooLarge', name, `There are more than ${MOST_WORDS} words.`, { allowed: `at most ${MOST_READ} heights` })
    isWord = starts
  }
}

/** The last row first, which is at the lowest y. */
function turned(values: Float64Array, columns: number, rows: number): Float64Array {
  return values.map((_, k) => values[(rows - 1 - Math.floor(k / columns)) * columns + k % columns]!)
}
