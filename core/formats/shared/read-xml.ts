/**
 * Reads XML into a tree, within limits. Document types are not read, so only the five predefined entities and character references are expanded, and
 * nothing outside the text is accessed.
 */

import { SaxesParser } from 'saxes'
import type { FormatFile } from '../format'
import { FormatError } from './error'
import { textOf } from './utf8'

export interface XmlNode {
  readonly name: string
  /** By name; a Map, since names are untrusted. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlNode[]
  /** Text of the element itself, without that of its children; trimmed. */
  readonly text: string
  /** 1-based. */
  readonly line: number
  /** Name of the file, relative to the main one. */
  readonly file: string
}

export interface XmlDocument {
  readonly root: XmlNode
  /** Tolerated violations of XML. */
  readonly faults: readonly { readonly line: number; readonly message: string }[]
}

export const xmlLimits = { characters: 64 * 1024 * 1024, depth: 256, elements: 2_000_000, faults: 20 } as const

/** Violations found in real files whose meaning is clear. */
const FORGIVEN = [/malformed comment/, /duplicate attribute/, /^text data outside of root node/, /XML declaration must be at the start/, /unbound namespace prefix/]

interface Open { name: string; attributes: Map<string, string>; children: XmlNode[]; text: string; line: number; file: string }

/** @throws FormatError naming file and line */
export function readXml(file: FormatFile): XmlDocument {
  const text = textOf(file.content)
  const where = (line: number) => `${file.name}:${line}`
  if (text.length > xmlLimits.characters) {
    throw new FormatError('TooLarge', file.name, `"${file.name}" has ${text.length} characters.`, { allowed: `at most ${xmlLimits.characters}` })
  }
  const parser = new SaxesParser({ position: true })
  const faults: { line: number; message: string }[] = []
  const open: Open[] = []
  let root: XmlNode | null = null
  let elements = 0
  parser.on('doctype', () => {
    throw new FormatError('MalformedXml', where(parser.line), 'The file has a document type declaration, which is not allowed because entities can hide its content.', { allowed: 'XML without <!DOCTYPE>' })
  })
  parser.on('error', error => {
    const message = error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')
    if (!FORGIVEN.some(pattern => pattern.test(message)) || faults.length >= xmlLimits.faults) {
      throw new FormatError('MalformedXml', where(parser.line), `This is not XML: ${message}.`, { allowed: 'well-formed XML' })
    }
    faults.push({ line: parser.line, message })
  })
  parser.on('opentag', tag => {
    elements++
    if (elements > xmlLimits.elements) throw new FormatError('TooMany', where(parser.line), 'There are too many elements.', { allowed: `at most ${xmlLimits.elements}` })
    if (open.length >= xmlLimits.depth) throw new FormatError('TooDeep', where(parser.line), 'Elements are nested too deeply.', { allowed: `at most ${xmlLimits.depth} levels` })
    open.push({ name: tag.name, attributes: new Map(Object.entries(tag.attributes)), children: [], text: '', line: parser.line, file: file.name })
  })
  parser.on('text', part => {
    const last = open[open.length - 1]
    if (last !== undefined) last.text += part
  })
  parser.on('cdata', part => {
    const last = open[open.length - 1]
    if (last !== undefined) last.text += part
  })
  parser.on('closetag', () => {
    const node = open.pop()!
    node.text = node.text.trim()
    const parent = open[open.length - 1]
    if (parent === undefined) root = node
    else parent.children.push(node)
  })
  parser.write(text).close()
  if (root === null) throw new FormatError('MalformedXml', file.name, `"${file.name}" contains no element.`)
  return { root, faults }
}

/** Location of an element in losses and errors: `joint "hip", robot.xml:12`. */
export function placeOfNode(node: XmlNode): string {
  const name = node.attributes.get('name')
  return `${node.name}${name === undefined ? '' : ` "${name}"`}, ${node.file}:${node.line}`
}

export function childrenOf(node: XmlNode, name: string): readonly XmlNode[] {
  return node.children.filter(child => child.name === name)
}

export function childOf(node: XmlNode, name: string): XmlNode | null {
  return node.children.find(child => child.name === name) ?? null
}

/** Fast path for texts with single spaces. */
function wordsOf(text: string): string[] {
  const words = text.split(' ')
  return words.includes('') || text.includes('\n') || text.includes('\t') ? text.trim().split(/\s+/).filter(word => word !== '') : words
}

/** Numbers of a text, separated by white space. @param counts allowed numbers of values @throws FormatError */
export function numbersOf(text: string, node: XmlNode, what: string, counts: readonly number[] | null): number[] {
  const values = wordsOf(text).map(Number)
  if (values.every(Number.isFinite) && (counts === null || counts.includes(values.length))) return values
  const allowed = counts === null ? 'finite numbers' : `${counts.join(' or ')} finite numbers`
  throw new FormatError('InvalidValue', placeOfNode(node), `${what} "${text.slice(0, 100)}" cannot be read.`, { value: text.slice(0, 200), allowed })
}

/** Numbers of an attribute; null if it is absent. @throws FormatError */
export function attributeNumbers(node: XmlNode, name: string, ...counts: readonly number[]): number[] | null {
  const text = node.attributes.get(name)
  return text === undefined ? null : numbersOf(text, node, name, counts.length === 0 ? null : counts)
}

/** One number of an attribute. @throws FormatError */
export function attributeNumber(node: XmlNode, name: string, absent: number): number {
  return attributeNumbers(node, name, 1)?.[0] ?? absent
}
