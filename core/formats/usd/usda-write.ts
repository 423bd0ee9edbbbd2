/** Writes usda: prims as plain data, numbers with full precision. */

export type Usda = number | boolean | string | readonly Usda[] | { readonly path: string } | { readonly asset: string } | { readonly tuple: readonly Usda[] }

/** A property declaration: `double3 xformOp:translate`, with its value; undefined for time samples only, or for a declaration alone. */
export interface UsdaProperty {
  readonly declaration: string
  readonly value: Usda | undefined
  /** Metadata of the property, as raw text within the brackets. */
  readonly metadata?: string
  /** Value by time code. */
  readonly samples?: readonly (readonly [number, Usda])[]
}

export interface UsdaPrim {
  readonly type: string
  readonly name: string
  /** Raw lines of metadata. */
  readonly metadata?: readonly string[]
  readonly properties: readonly UsdaProperty[]
  readonly children?: readonly UsdaPrim[]
}

export const path = (target: string): { readonly path: string } => ({ path: target })
export const asset = (file: string): { readonly asset: string } => ({ asset: file })
export const tuple = (...values: readonly Usda[]): { readonly tuple: readonly Usda[] } => ({ tuple: values })
export const property = (declaration: string, value: Usda): UsdaProperty => ({ declaration, value })

/** The file's text, indented by four spaces a level. */
export function writeUsda(metadata: readonly string[], prims: readonly UsdaPrim[]): string {
  const lines = ['#usda 1.0', '(', ...metadata.map(line => `    ${line}`), ')', '']
  for (const prim of prims) writePrim(prim, '', lines)
  return lines.join('\n')
}

function writePrim({ type, name, metadata = [], properties, children = [] }: UsdaPrim, indent: string, lines: string[]): void {
  const head = `${indent}def ${type} "${name}"`
  if (metadata.length === 0) lines.push(head)
  else lines.push(`${head} (`, ...metadata.map(line => `${indent}    ${line}`), `${indent})`)
  lines.push(`${indent}{`)
  for (const { declaration, value, samples, metadata: said } of properties) {
    const behind = said === undefined ? '' : ` (\n${indent}        ${said}\n${indent}    )`
    if (value !== undefined) lines.push(`${indent}    ${declaration} = ${text(value)}${behind}`)
    else if (samples === undefined) lines.push(`${indent}    ${declaration}`)
    if (samples === undefined) continue
    lines.push(`${indent}    ${declaration}.timeSamples = {`)
    for (const [time, sample] of samples) lines.push(`${indent}        ${number(time)}: ${text(sample)},`)
    lines.push(`${indent}    }`)
  }
  for (const child of children) writePrim(child, `${indent}    `, lines)
  lines.push(`${indent}}`, '')
}

function text(value: Usda): string {
  if (typeof value === 'number') return number(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'string') return quoted(value)
  if ('path' in value) return `<${value.path}>`
  if ('asset' in value) return `@${value.asset}@`
  if ('tuple' in value) return `(${value.tuple.map(text).join(', ')})`
  return `[${value.map(text).join(', ')}]`
}

/** Shortest text that reads back as the same double. */
export function number(value: number): string {
  if (value === Infinity) return 'inf'
  if (value === -Infinity) return '-inf'
  return String(value === 0 ? 0 : value)
}

export function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`
}

/** A valid prim name: letters, digits and underscores, not starting with a digit. */
export function identifier(id: string): string {
  const plain = id.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /^[0-9]/.test(plain) ? `_${plain}` : plain
}
