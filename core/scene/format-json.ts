/** Layout of JSON text. */
export interface JsonStyle {
  /** Line end, or empty for a text on one line. */
  readonly newline: string
  /** White space of one level. */
  readonly unit: string
  /** Objects and arrays that fit into this many columns stay on one line. */
  readonly width: number
}

export const defaultStyle: JsonStyle = { newline: '\n', unit: '  ', width: 120 }

/** JSON of a value whose first line starts after `indent`; `used` columns of that line are already taken by a key. */
export function formatJson(value: unknown, style: JsonStyle, indent = '', used = 0): string {
  if (style.newline === '') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const width = style.width - indent.length - used
  const line = inline(value, width)
  if (line !== null) return line
  const inner = indent + style.unit
  const parts = Array.isArray(value)
    ? value.map(item => formatJson(item, style, inner))
    : entriesOf(value).map(([key, item]) => {
      const name = `${JSON.stringify(key)}: `
      return name + formatJson(item, style, inner, name.length)
    })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return open + style.newline + parts.map(part => inner + part).join(`,${style.newline}`) + style.newline + indent + close
}

const entriesOf = (value: object) => Object.entries(value).filter(([, item]) => item !== undefined)

/** The value on one line, or null if that takes more than `width` columns; arrays of plain numbers are never broken. */
function inline(value: unknown, width: number): string | null {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    if (value.every(item => typeof item === 'number')) return `[${value.map(item => JSON.stringify(item)).join(', ')}]`
    const items = inlineAll(value, width - 2)
    return items === null ? null : `[${items.join(', ')}]`
  }
  const entries = entriesOf(value)
  if (entries.length === 0) return '{}'
  const items = inlineAll(entries.map(([, item]) => item), width - 4, entries.map(([key]) => `${JSON.stringify(key)}: `))
  return items === null ? null : `{ ${items.join(', ')} }`
}

function inlineAll(values: readonly unknown[], width: number, prefixes?: readonly string[]): string[] | null {
  const items: string[] = []
  let left = width
  for (let i = 0; i < values.length; i++) {
    const item = inline(values[i], left)
    if (item === null) return null
    items.push((prefixes?.[i] ?? '') + item)
    left -= items[i]!.length + (i === 0 ? 0 : 2)
    if (left < 0) return null
  }
  return items
}
