/** The text of an MJCF model with includes inserted, defaults by class, compiler settings, and assets by name. */

import type { FormatFile, Resolve } from '../../format'
import { FormatError } from '../../shared/error'
import type { Losses } from '../../shared/losses'
import { relativePath } from '../../shared/paths'
import { attributeNumbers, childrenOf, placeOfNode, readXml, type XmlNode } from '../../shared/read-xml'

export type Attributes = ReadonlyMap<string, string>

const MAX_INCLUDES = 256

/** One model: the main one, or an attached one. */
export class Source {
  private readonly defaults = new Map<string, { parent: string | null; readonly kinds: Map<string, Map<string, string>> }>()
  private readonly merged = new Map<string, Attributes>()
  private readonly compiler = new Map<string, string>()
  readonly assets = new Map<string, XmlNode>()

  constructor(readonly root: XmlNode) {
    if (root.name !== 'mujoco') throw new FormatError('MalformedFile', placeOfNode(root), `The root element is <${root.name}>.`, { allowed: '<mujoco>' })
    for (const node of childrenOf(root, 'compiler')) for (const [key, value] of node.attributes) this.compiler.set(key, value)
    for (const node of childrenOf(root, 'default')) this.addDefaults(node, null)
    for (const section of childrenOf(root, 'asset')) {
      for (const node of section.children) this.assets.set(`${node.name}\n${assetName(node)}`, node)
    }
  }

  /** All elements of the sections of this name. */
  section(name: string): readonly XmlNode[] {
    return childrenOf(this.root, name).flatMap(node => node.children)
  }

  setting(name: string, absent: string): string {
    return this.compiler.get(name) ?? absent
  }

  flag(name: string, absent: boolean): boolean {
    const value = this.compiler.get(name)
    return value === undefined ? absent : value === 'true'
  }

  asset(kind: string, name: string): XmlNode | null {
    return this.assets.get(`${kind}\n${name}`) ?? null
  }

  /** Radians in one unit of the file's angles. */
  get angle(): number {
    return this.setting('angle', 'degree') === 'radian' ? 1 : Math.PI / 180
  }

  private addDefaults(node: XmlNode, parent: string | null): void {
    const name = node.attributes.get('class') ?? (parent === null ? 'main' : '')
    if (name === '') throw new FormatError('MissingValue', placeOfNode(node), 'A default class inside another has no name.', { allowed: 'class="…"' })
    let own = this.defaults.get(name)
    if (own === undefined) {
      own = { parent: parent ?? (name === 'main' ? null : 'main'), kinds: new Map() }
      this.defaults.set(name, own)
    }
    for (const child of node.children) {
      if (child.name === 'default') {
        this.addDefaults(child, name)
        continue
      }
      const kind = own.kinds.get(child.name) ?? new Map<string, string>()
      for (const [key, value] of child.attributes) kind.set(key, value)
      own.kinds.set(child.name, kind)
    }
  }

  /** Defaults of a class for elements of this kind, including inherited ones. @throws FormatError for an unknown class */
  private ofClass(kind: string, name: string, node: XmlNode): Attributes {
    const key = `${kind}\n${name}`
    const known = this.merged.get(key)
    if (known !== undefined) return known
    const own = this.defaults.get(name)
    if (own === undefined) {
      if (name === 'main') return new Map()
      const allowed = [...this.defaults.keys()].slice(0, 20).join(', ')
      throw new FormatError('UnknownReference', placeOfNode(node), `There is no default class "${name}".`, { value: name, allowed })
    }
    const all = new Map([...own.parent === null ? [] : this.ofClass(kind, own.parent, node), ...own.kinds.get(kind) ?? []])
    this.merged.set(key, all)
    return all
  }

  /** The element with its defaults filled in. @param inherited class of the nearest enclosing element that has one */
  complete(node: XmlNode, inherited: string): XmlNode {
    const own = node.attributes.get('class')
    const defaults = this.ofClass(node.name, own ?? inherited, node)
    if (defaults.size === 0) return node
    return { ...node, attributes: new Map([...defaults, ...node.attributes]) }
  }
}

export function assetName(node: XmlNode): string {
  const file = node.attributes.get('file')
  return node.attributes.get('name') ?? (file === undefined ? '' : file.replaceAll('\\', '/').split('/').pop()!.replace(/\.[^.]*$/, ''))
}

/** Reads a model with its includes. @throws FormatError */
export function readSource(file: FormatFile, resolve: Resolve, losses: Losses, missing: (name: string) => void): Source {
  let count = 0
  const load = (one: FormatFile): XmlNode => {
    const { root, faults } = readXml(one)
    for (const { line, message } of faults) losses.add(`${one.name}:${line}`, `This is not XML: ${message}`, 'read as MuJoCo reads it')
    return root
  }
  const expand = (node: XmlNode): XmlNode => {
    if (!node.children.some(child => child.name === 'include' || child.children.length > 0)) return node
    return { ...node, children: node.children.flatMap(child => {
      if (child.name !== 'include') return [expand(child)]
      const name = child.attributes.get('file')
      if (name === undefined) throw new FormatError('MissingValue', placeOfNode(child), 'An include has no file.', { allowed: 'file="…"' })
      count++
      if (count > MAX_INCLUDES) throw new FormatError('TooMany', placeOfNode(child), 'There are too many includes, or they are circular.', { allowed: `at most ${MAX_INCLUDES}` })
      const path = relativePath(name, '', placeOfNode(child))
      const found = resolve(path)
      if (found === null) {
        missing(path)
        losses.add(placeOfNode(child), `The included file "${name}" was not found`, 'nothing of it')
        return []
      }
      return [...expand(load(found)).children]
    }) }
  }
  return new Source(expand(load(file)))
}

/** Three numbers of an attribute. @throws FormatError */
export function vectorOf(node: XmlNode, name: string): readonly [number, number, number] | null {
  return attributeNumbers(node, name, 3) as [number, number, number] | null
}
