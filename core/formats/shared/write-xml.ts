/** Writes XML: elements as plain data, escaped text, numbers with full precision. */

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number | readonly number[] | boolean | undefined>>
  readonly children: readonly XmlElement[]
  /** Text of an element without children. */
  readonly text?: string
}

export function element(name: string, attributes: XmlElement['attributes'] = {}, children: readonly (XmlElement | null)[] = []): XmlElement {
  return { name, attributes, children: children.filter(child => child !== null) }
}

/** The document's text, indented by two spaces a level. */
export function writeXml(root: XmlElement, comment = ''): string {
  // XML comments cannot contain two hyphens in a row.
  const head = comment === '' ? '' : `<!-- ${comment.replaceAll('--', '- -')} -->\n`
  return `<?xml version="1.0" encoding="utf-8"?>\n${head}${write(root, '')}`
}

function write({ name, attributes, children, text: content }: XmlElement, indent: string): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => value === undefined ? [] : [` ${key}="${escape(text(value))}"`]).join('')
  if (content !== undefined) return `${indent}<${name}${written}>${escape(content)}</${name}>\n`
  if (children.length === 0) return `${indent}<${name}${written}/>\n`
  return `${indent}<${name}${written}>\n${children.map(child => write(child, `${indent}  `)).join('')}${indent}</${name}>\n`
}

function text(value: string | number | readonly number[] | boolean): string {
  if (typeof value === 'object') return value.map(number).join(' ')
  return typeof value === 'number' ? number(value) : String(value)
}

/** Shortest text that reads back as the same double; −0 as 0. */
function number(value: number): string {
  return String(value === 0 ? 0 : value)
}

function escape(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
    // Control characters that XML 1.0 cannot represent.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
}
