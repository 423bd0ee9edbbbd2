/** SDFormat as XML: values are text between tags, not attributes. */

import type { Pose } from '../../math/pose'

export interface SdfElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly content: string | readonly SdfElement[]
}

/** An element with children, or with a value: numbers are written with full precision. */
export function tag(
  name: string, content: string | number | boolean | readonly number[] | readonly (SdfElement | null)[] = [], attributes: Readonly<Record<string, string>> = {},
): SdfElement {
  if (typeof content === 'string') return { name, attributes, content }
  if (typeof content === 'number' || typeof content === 'boolean') return { name, attributes, content: valueText(content) }
  const numbers = content.length > 0 && typeof content[0] === 'number'
  return { name, attributes, content: numbers ? (content as readonly number[]).map(valueText).join(' ') : (content as readonly (SdfElement | null)[]).filter(child => child !== null) }
}

function valueText(value: number | boolean): string {
  return typeof value === 'boolean' ? String(value) : String(value === 0 ? 0 : value)
}

/** Position and quaternion; null for the identity. */
export function poseTag({ position, orientation }: Pose, attributes: Readonly<Record<string, string>> = {}): SdfElement | null {
  const moved = position.some(x => x !== 0)
  const turned = orientation[0] !== 0 || orientation[1] !== 0 || orientation[2] !== 0
  if (!moved && !turned) return null
  if (!turned) return tag('pose', [...position, 0, 0, 0], attributes)
  return tag('pose', [...position, ...orientation], { ...attributes, rotation_format: 'quat_xyzw' })
}

export function writeSdf(root: SdfElement, comment: string): string {
  const lines: string[] = ['<?xml version="1.0" encoding="utf-8"?>', `<!-- ${comment.replaceAll('--', '- -')} -->`]
  write(root, '', lines)
  return `${lines.join('\n')}\n`
}

function write({ name, attributes, content }: SdfElement, indent: string, lines: string[]): void {
  let head = `${indent}<${name}`
  for (const [key, value] of Object.entries(attributes)) head += ` ${key}="${escape(value)}"`
  if (typeof content === 'string') lines.push(`${head}>${escape(content)}</${name}>`)
  else if (content.length === 0) lines.push(`${head}/>`)
  else {
    lines.push(`${head}>`)
    for (const child of content) write(child, `${indent}  `, lines)
    lines.push(`${indent}</${name}>`)
  }
}

/** Characters that must be escaped. */
const SPECIAL = /[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

function escape(value: string): string {
  if (!SPECIAL.test(value)) return value
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
    // Control characters that XML 1.0 cannot represent.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
}
