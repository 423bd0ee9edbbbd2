/**
 * Writes a layer as usdc, according to the published layout (pxr/usd/usd/crateFile.h) and independently of the reader: for composition arcs, variants
 * and malicious files, for which there are no fixtures. Nothing is compressed: LZ4 blocks of literals, differences in four bytes. OpenUSD 22.08
 * opened its output, and composed it as the same layer in usda.
 */

import { UsdAsset, UsdPath, type UsdLayer, type UsdPrim, type UsdValue } from '../../../../../core/formats/usd/layer'

const INLINED = 0x4000_0000
const ARRAY = 0x8000_0000
const NO_PATH = 0xffff_ffff

class Bytes {
  readonly list: number[] = []

  get length(): number { return this.list.length }

  add(...bytes: number[]): this {
    for (const byte of bytes) this.list.push(byte & 0xff)
    return this
  }

  all(bytes: Iterable<number>): this {
    for (const byte of bytes) this.list.push(byte)
    return this
  }

  u32(value: number): this {
    return this.add(value, value >>> 8, value >>> 16, value >>> 24)
  }

  u64(value: number): this {
    return this.u32(value >>> 0).u32(Math.floor(value / 2 ** 32))
  }

  f64(...values: number[]): this {
    return this.all(new Uint8Array(Float64Array.from(values).buffer))
  }

  f32(...values: number[]): this {
    return this.all(new Uint8Array(Float32Array.from(values).buffer))
  }
}

function packed(bytes: readonly number[]): number[] {
  const lengths: number[] = []
  if (bytes.length >= 15) {
    let rest = bytes.length - 15
    for (; rest >= 255; rest -= 255) lengths.push(255)
    lengths.push(rest)
  }
  return [0, Math.min(bytes.length, 15) << 4, ...lengths, ...bytes]
}

function integers(values: readonly number[]): number[] {
  const plain = new Bytes().u32(0)
  for (let i = 0; i < Math.ceil(values.length / 4); i++) plain.add(0xff)
  values.forEach((value, i) => plain.u32((value - (values[i - 1] ?? 0)) | 0))
  return packed(plain.list)
}

interface Node {
  readonly name: string
  readonly property: boolean
  readonly children: Node[]
  readonly fields: [string, readonly [number, number]][]
  readonly kind: number
  index: number
}

class CrateWriter {
  private readonly tokens = new Map<string, number>([[';-)', 0]])
  private readonly strings = new Map<string, number>()
  private readonly body = new Bytes()
  private readonly paths = new Map<string, number>()
  private readonly root: Node = { name: '', property: false, children: [], fields: [], kind: 7, index: 0 }
  private readonly later: (() => void)[] = []

  write(layer: UsdLayer): Uint8Array {
    this.body.all(new TextEncoder().encode('PXR-USDC')).add(0, 8, 0, 0, 0, 0, 0, 0)
    for (let i = 0; i < 72; i++) this.body.add(0)
    this.metadata(this.root, layer.metadata)
    this.children(this.root, layer.prims)
    const order: [Node, number][] = []
    const visit = (node: Node, path: string, hasSibling: boolean): void => {
      node.index = order.length
      this.paths.set(path, node.index)
      const at = order.length
      order.push([node, 0])
      node.children.forEach((child, i) => visit(child, child.property ? `${path}.${child.name}` : child.name.startsWith('{') ? path + child.name : path.endsWith('/') || path.endsWith('}') ? path + child.name : `${path}/${child.name}`, i + 1 < node.children.length))
      order[at]![1] = node.children.length > 0 ? hasSibling ? order.length - at : -1 : hasSibling ? 0 : -2
    }
    visit(this.root, '/', false)
    for (const task of this.later) task()
    const fields: [string, readonly [number, number]][] = []
    const sets: number[] = []
    const starts = order.map(([node]) => {
      const start = sets.length
      for (const field of node.fields) sets.push(fields.push(field) - 1)
      sets.push(-1)
      return start
    })
    const fieldTokens = fields.map(([name]) => this.token(name))
    const elements = order.map(([node], i) => i === 0 ? 0 : node.property ? -this.token(node.name) : this.token(node.name))
    const text = new TextEncoder().encode([...this.tokens.keys()].map(token => `${token}\0`).join(''))
    const reps = new Bytes()
    for (const [, [low, high]] of fields) reps.u32(low).u32(high)
    const sections: [string, Bytes][] = [
      ['TOKENS', this.counted(new Bytes().u64(this.tokens.size).u64(text.length), packed([...text]))],
      ['STRINGS', [...this.strings.keys()].reduce((part, name) => part.u32(this.token(name)), new Bytes().u64(this.strings.size))],
      ['FIELDS', this.counted(this.counted(new Bytes().u64(fields.length), integers(fieldTokens)), packed(reps.list))],
      ['FIELDSETS', this.counted(new Bytes().u64(sets.length), integers(sets))],
      ['PATHS', [order.map((_, i) => i), elements, order.map(([, jump]) => jump)].reduce((part, list) => this.counted(part, integers(list)), new Bytes().u64(order.length).u64(order.length))],
      ['SPECS', [order.map((_, i) => i), starts, order.map(([node]) => node.kind)].reduce((part, list) => this.counted(part, integers(list)), new Bytes().u64(order.length))],
    ]
    const contents = new Bytes().u64(sections.length)
    for (const [name, part] of sections) {
      contents.all(new TextEncoder().encode(name.padEnd(16, '\0'))).u64(this.body.length).u64(part.length)
      this.body.all(part.list)
    }
    const bytes = Uint8Array.from([...this.body.list, ...contents.list])
    new DataView(bytes.buffer).setUint32(16, this.body.length, true)
    return bytes
  }

  private counted(part: Bytes, bytes: readonly number[]): Bytes {
    return part.u64(bytes.length).all(bytes)
  }

  private token(name: string): number {
    if (!this.tokens.has(name)) this.tokens.set(name, this.tokens.size)
    return this.tokens.get(name)!
  }

  private string(name: string): number {
    this.token(name)
    if (!this.strings.has(name)) this.strings.set(name, this.strings.size)
    return this.strings.get(name)!
  }

  private children(node: Node, prims: readonly UsdPrim[]): void {
    if (prims.length > 0) node.fields.push(['primChildren', this.words(41, prims.map(prim => prim.name))])
    for (const prim of prims) {
      const child: Node = { name: prim.name, property: false, children: [], fields: [], kind: 6, index: 0 }
      node.children.push(child)
      child.fields.push(['specifier', [['def', 'over', 'class'].indexOf(prim.specifier), INLINED | (42 << 16)]])
      if (prim.type !== '') child.fields.push(['typeName', [this.token(prim.type), INLINED | (11 << 16)]])
      this.prim(child, prim)
    }
  }

  private prim(node: Node, prim: UsdPrim): void {
    this.metadata(node, prim.metadata)
    const names = [...prim.attributes.keys(), ...prim.relationships.keys()]
    if (names.length > 0) node.fields.push(['properties', this.words(41, names)])
    for (const [name, { type, value }] of prim.attributes) {
      const fields: Node['fields'] = [['typeName', [this.token(type), INLINED | (11 << 16)]]]
      if (value !== undefined) fields.push(['default', this.value(type, value)])
      node.children.push({ name, property: true, children: [], fields, kind: 1, index: 0 })
    }
    for (const [name, targets] of prim.relationships) {
      const child: Node = { name, property: true, children: [], fields: [['variability', [1, INLINED | (44 << 16)]]], kind: 8, index: 0 }
      this.pathList(child, 'targetPaths', targets.map(path => new UsdPath(path)))
      node.children.push(child)
    }
    this.children(node, prim.children)
    if (prim.variants.size > 0) node.fields.push(['variantSetChildren', this.words(41, [...prim.variants.keys()])])
    for (const [set, choices] of prim.variants) {
      node.children.push({ name: `{${set}=}`, property: false, children: [], fields: [['variantChildren', this.words(41, [...choices.keys()])]], kind: 11, index: 0 })
      for (const [name, choice] of choices) {
        const child: Node = { name: `{${set}=${name}}`, property: false, children: [], fields: [], kind: 10, index: 0 }
        node.children.push(child)
        this.prim(child, choice)
      }
    }
  }

  private metadata(node: Node, metadata: ReadonlyMap<string, UsdValue>): void {
    for (const [name, value] of metadata) {
      const list = (Array.isArray(value) ? value : [value]) as UsdValue[]
      if (name === 'references' || name === 'payload') this.arcs(node, name, list)
      else if (name === 'inherits' || name === 'specializes') this.pathList(node, name === 'inherits' ? 'inheritPaths' : name, list as UsdPath[])
      else if (name === 'apiSchemas') node.fields.push([name, this.listOp(32, list, item => this.body.u32(this.token(String(item))))])
      else if (name === 'variantSets') node.fields.push(['variantSetNames', this.listOp(33, list, item => this.body.u32(this.string(String(item))))])
      else if (name === 'subLayers') {
        node.fields.push([name, this.place(50, () => list.reduce((body: Bytes, item) => body.u32(this.string((item as UsdAsset).file)), this.body.u64(list.length)))])
        node.fields.push(['subLayerOffsets', this.place(49, () => list.reduce((body: Bytes) => body.f64(0, 1), this.body.u64(list.length)))])
      } else if (name === 'variants') {
        const chosen = [...value as ReadonlyMap<string, string>].map(([set, choice]) => [this.string(set), this.string(choice)])
        node.fields.push(['variantSelection', this.place(45, () => chosen.reduce((body, [set, choice]) => body.u32(set!).u32(choice!), this.body.u64(chosen.length)))])
      } else if (typeof value === 'string') node.fields.push([name, [name === 'doc' ? this.string(value) : this.token(value), INLINED | ((name === 'doc' ? 10 : 11) << 16)]])
      else if (typeof value === 'boolean') node.fields.push([name, [Number(value), INLINED | (1 << 16)]])
      else node.fields.push([name, this.value('double', value)])
    }
  }

  private pathList(node: Node, field: string, list: readonly UsdPath[]): void {
    this.later.push(() => node.fields.push([field, this.listOp(34, list, item => this.body.u32(this.pathIndex((item as UsdPath).path)))]))
  }

  private arcs(node: Node, field: string, list: readonly UsdValue[]): void {
    this.later.push(() => node.fields.push([field, this.listOp(field === 'references' ? 35 : 55, list, item => {
      const file = item instanceof UsdAsset ? item.file : ''
      const prim = item instanceof UsdAsset ? item.prim : (item as UsdPath).path
      this.body.u32(this.string(file)).u32(prim === null ? this.pathIndex('') : this.pathIndex(prim)).f64(0, 1)
      if (field === 'references') this.body.u64(0)
    })]))
  }

  /** References name paths of other files, so only paths of existing prims are written as prims. */
  private pathIndex(path: string): number {
    return this.paths.get(path) ?? NO_PATH
  }

  private listOp(type: number, list: readonly UsdValue[], item: (value: UsdValue) => void): readonly [number, number] {
    return this.place(type, () => {
      this.body.add(0x20).u64(list.length)
      list.forEach(item)
    })
  }

  private words(type: number, names: readonly string[]): readonly [number, number] {
    const indices = names.map(name => this.token(name))
    return this.place(type, () => indices.reduce((body, index) => body.u32(index), this.body.u64(indices.length)))
  }

  private value(type: string, value: UsdValue): readonly [number, number] {
    const list = value as readonly (readonly number[])[]
    switch (type) {
      case 'double': return this.place(9, () => this.body.f64(Number(value)))
      case 'float': return [new DataView(Float32Array.of(Number(value)).buffer).getUint32(0, true), INLINED | (8 << 16)]
      case 'token': return [this.token(String(value)), INLINED | (11 << 16)]
      case 'double3': return this.place(23, () => this.body.f64(...value as number[]))
      case 'token[]': return this.wordArray(value as string[])
      case 'point3f[]': return this.place(ARRAY / 65_536 + 24, () => this.body.u64(list.length).f32(...list.flat()))
      case 'int[]': return this.place(ARRAY / 65_536 + 3, () => (value as number[]).reduce((body, item) => body.u32(item), this.body.u64((value as number[]).length)))
    }
    throw new Error(`The writer of tests knows no ${type}.`)
  }

  private wordArray(names: readonly string[]): readonly [number, number] {
    return this.words(ARRAY / 65_536 + 11, names)
  }

  /** Written at the current end of the file. */
  private place(type: number, write: () => void): readonly [number, number] {
    const at = this.body.length
    write()
    return [at, type * 65_536]
  }
}

export function writeUsdc(layer: UsdLayer): Uint8Array {
  return new CrateWriter().write(layer)
}
