import { equalJson } from './equal'
import { defaultStyle, formatJson, type JsonStyle } from './format-json'
import type { EntryRange, TextLayout } from './json-scanner'
import { layoutOf } from './json-text'
import { sceneSchema } from './schema/scene'
import type { Scene } from './types'

/** A text and the document that was read from it; later states of the document are written as changes of the text. */
export interface SceneSource {
  readonly text: string
  readonly scene: Scene
}

const layouts = new WeakMap<SceneSource, TextLayout | null>()

/**
 * The text of a scene. Parts equal to the source keep the source's bytes; of the rest only the differing array element or top-level value is rewritten, in the
 * source's style. Without a source the whole scene is formatted with two spaces and short values on one line.
 */
export function writeScene(scene: Scene, source: SceneSource | null): string {
  const layout = source && layoutFor(source)
  if (!source || !layout) return formatJson(inSchemaOrder(scene), defaultStyle) + '\n'
  return new SourceWriter(source, layout).write(scene)
}

function layoutFor(source: SceneSource): TextLayout | null {
  let layout = layouts.get(source)
  if (layout === undefined) {
    layout = layoutOf(source.text)
    layouts.set(source, layout)
  }
  return layout
}

const schemaOrder = Object.keys(sceneSchema.shape)

function inSchemaOrder(scene: Scene): Record<string, unknown> {
  const record = scene as unknown as Record<string, unknown>
  return Object.fromEntries(schemaOrder.filter(key => record[key] !== undefined).map(key => [key, record[key]]))
}

/** One entry or element to be written: its text, and the source entry that it keeps or replaces. */
interface Item {
  readonly text: string
  readonly original: number | null
}

class SourceWriter {
  private readonly original: Record<string, unknown>
  private readonly style: JsonStyle
  private readonly text: string

  constructor(source: SceneSource, private readonly layout: TextLayout) {
    this.text = source.text
    this.style = styleOf(source.text, layout)
    const read = source.scene as unknown as Record<string, unknown>
    // The text of a migrated document is of an older version.
    const version = layout.entries.find(entry => entry.key === 'version')
    const migrated = !version || this.text.slice(version.valueStart, version.end) !== String(read.version)
    this.original = migrated ? JSON.parse(this.text.slice(layout.start, layout.end)) as Record<string, unknown> : read
  }

  write(scene: Scene): string {
    const document = scene as unknown as Record<string, unknown>
    const { entries, start, end } = this.layout
    const items = new Map<string, Item>()
    entries.forEach((entry, i) => {
      if (document[entry.key] !== undefined) items.set(entry.key, { text: this.entry(entry, document[entry.key]), original: i })
    })
    const keys = withNewKeys([...items.keys()], Object.keys(document).filter(key => document[key] !== undefined))
    const indent = this.indentBefore(entries[0]?.start ?? start) || this.style.unit
    const all = keys.map(key => items.get(key) ?? { text: this.newEntry(key, document[key], indent), original: null })
    const ranges = entries.flatMap(entry => [entry.start, entry.end])
    return this.text.slice(0, start) + this.container(start, end, ranges, all, indent) + this.text.slice(end)
  }

  private newEntry(key: string, value: unknown, indent: string): string {
    const name = JSON.stringify(key) + (this.style.newline === '' ? ':' : ': ')
    return name + formatJson(value, this.style, indent, name.length)
  }

  /** `"key": value`, taken from the source where it is unchanged. */
  private entry(entry: EntryRange, value: unknown): string {
    const before = this.original[entry.key]
    if (equalJson(value, before)) return this.text.slice(entry.start, entry.end)
    const name = this.text.slice(entry.start, entry.valueStart)
    const indent = this.indentBefore(entry.start)
    if (entry.elements && isRecords(before) && isRecords(value)) return name + this.elements(entry, entry.elements, before, value, indent)
    return name + formatJson(value, this.style, indent, name.length)
  }

  private elements(
    entry: EntryRange, ranges: readonly number[], before: readonly Element[], after: readonly Element[], indent: string,
  ): string {
    const places = new Map<Element, number>(before.map((element, i) => [element, i]))
    const ids = new Map(before.map((element, i) => [element.id, i]))
    const inner = (ranges.length > 0 ? this.indentBefore(ranges[0]!) : indent + this.style.unit) || indent + this.style.unit
    const oneLine = ranges.length > 0 && !this.text.slice(entry.valueStart, ranges[0]).includes('\n')
    const items = after.map((element, i): Item => {
      const sameId = typeof element.id === 'string' ? ids.get(element.id) : undefined
      const original = places.get(element) ?? sameId ?? (before.length === after.length ? i : null)
      if (original !== null && equalJson(element, before[original])) {
        return { text: this.text.slice(ranges[2 * original], ranges[2 * original + 1]), original }
      }
      return { text: formatJson(element, oneLine ? { ...this.style, width: Infinity } : this.style, inner), original }
    })
    return this.container(entry.valueStart, entry.end, ranges, items, inner)
  }

  /**
   * An object or array of the source with other items. Two items that were neighbours in the source keep the text between them; other neighbours get the
   * text between the first two.
   */
  private container(start: number, end: number, ranges: readonly number[], items: readonly Item[], inner: string): string {
    const { text, style } = this
    const open = text[start]!
    const close = text[end - 1]!
    if (items.length === 0) return open + close
    const empty = ranges.length === 0
    const head = empty ? style.newline + (style.newline === '' ? '' : inner) : text.slice(start + 1, ranges[0])
    const outer = inner.slice(0, Math.max(0, inner.length - style.unit.length))
    const tail = empty ? style.newline + (style.newline === '' ? '' : outer) : text.slice(ranges.at(-1), end - 1)
    const separator = ranges.length > 2 ? text.slice(ranges[1], ranges[2]) : ',' + (head === '' && style.newline !== '' ? ' ' : head)
    let result = open + head
    items.forEach(({ text: item, original }, i) => {
      const before = i === 0 ? null : items[i - 1]!.original
      const adjacent = before !== null && original === before + 1
      if (i > 0) result += adjacent ? text.slice(ranges[2 * before + 1], ranges[2 * before + 2]) : separator
      result += item
    })
    return result + tail + close
  }

  /** White space between the line's start and an offset; empty if there is other text. */
  private indentBefore(offset: number): string {
    const line = this.text.slice(this.text.lastIndexOf('\n', offset - 1) + 1, offset)
    return /^[ \t]*$/.test(line) ? line : ''
  }
}

type Element = Record<string, unknown>

const isRecords = (value: unknown): value is Element[] =>
  Array.isArray(value) && value.every(item => typeof item === 'object' && item !== null && !Array.isArray(item))

/** Line end, indentation and width of a text. */
function styleOf(text: string, layout: TextLayout): JsonStyle {
  const line = text.indexOf('\n')
  if (line < 0) return { ...defaultStyle, newline: '' }
  const first = layout.entries[0]?.start ?? layout.start
  const indent = text.slice(text.lastIndexOf('\n', first - 1) + 1, first)
  return { ...defaultStyle, newline: text[line - 1] === '\r' ? '\r\n' : '\n', unit: /^[ \t]+$/.test(indent) ? indent : defaultStyle.unit }
}

/** Puts new keys where the schema has them: behind the last present key that precedes them there. */
function withNewKeys(present: readonly string[], wanted: readonly string[]): string[] {
  const keys = [...present]
  for (const key of schemaOrder) {
    if (!wanted.includes(key) || keys.includes(key)) continue
    const rank = schemaOrder.indexOf(key)
    let at = 0
    keys.forEach((other, i) => {
      if (schemaOrder.indexOf(other) < rank) at = i + 1
    })
    keys.splice(at, 0, key)
  }
  return keys
}
