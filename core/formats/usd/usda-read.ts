/** Reads usda, USD's text encoding, into a layer. Nothing is composed here: references, variants and inheritance are as written. */

import { MAX_DEPTH, MAX_PRIMS, UsdAsset, UsdPath, type UsdAttribute, type UsdLayer, type UsdPrim, type UsdValue } from './layer'
import { FormatError } from '../shared/error'
import { UsdaScanner } from './usda-scanner'

const LIST_OPERATIONS = ['prepend', 'append', 'add', 'delete', 'reorder']
const SPECIFIERS = ['def', 'over', 'class'] as const
/** Words before an attribute's type. */
const QUALIFIERS = ['custom', 'uniform', 'varying', 'config']

type Written<T> = { -readonly [K in keyof T]: T[K] }

interface Contents {
  readonly attributes: Map<string, UsdAttribute>
  readonly relationships: Map<string, string[]>
  readonly children: UsdPrim[]
  readonly variants: Map<string, Map<string, UsdPrim>>
}

/** @throws FormatError with the line */
export function readUsda(text: string): UsdLayer {
  if (!text.startsWith('#usda ')) throw new FormatError('MalformedFile', 'line 1', 'The file does not begin with "#usda 1.0".')
  return new UsdaReader(new UsdaScanner(text)).layer()
}

class UsdaReader {
  private prims = 0

  constructor(private readonly scan: UsdaScanner) {}

  layer(): UsdLayer {
    const metadata = this.metadata()
    const prims: UsdPrim[] = []
    while (this.scan.peek() !== '') {
      const prim = this.prim('', 0)
      if (prim !== null) prims.push(prim)
      else if (this.scan.take('reorder')) this.statement()
      else this.scan.fail('expected a prim: def, over or class')
    }
    return { metadata, prims }
  }

  /** A prim, or null where none begins. */
  private prim(parent: string, depth: number): UsdPrim | null {
    const start = this.scan.place
    const word = this.scan.name()
    const specifier = SPECIFIERS.find(known => known === word)
    if (specifier === undefined) {
      this.scan.reset(start)
      return null
    }
    if (++this.prims > MAX_PRIMS) this.scan.fail(`more than ${MAX_PRIMS} prims`)
    if (depth > MAX_DEPTH) this.scan.fail(`prims more than ${MAX_DEPTH} deep`)
    const type = this.scan.name() ?? ''
    const name = this.scan.string() ?? this.scan.fail('expected the prim\'s name in quotes')
    const path = `${parent}/${name}`
    const metadata = this.metadata()
    return { specifier, type, name, path, metadata, ...this.contents(path, depth) }
  }

  private contents(path: string, depth: number): Contents {
    const contents: Contents = { attributes: new Map(), relationships: new Map(), children: [], variants: new Map() }
    this.scan.expect('{', 'that opens a prim')
    while (!this.scan.take('}')) {
      const child = this.prim(path, depth + 1)
      if (child !== null) contents.children.push(child)
      else if (!this.variantSet(path, depth, contents)) this.property(contents)
    }
    return contents
  }

  private variantSet(path: string, depth: number, contents: Contents): boolean {
    const start = this.scan.place
    if (this.scan.name() !== 'variantSet') {
      this.scan.reset(start)
      return false
    }
    const set = this.scan.string() ?? this.scan.fail('expected the variant set\'s name')
    this.scan.expect('=', 'of a variant set')
    this.scan.expect('{', 'that opens a variant set')
    const choices = new Map<string, UsdPrim>()
    while (!this.scan.take('}')) {
      const name = this.scan.string() ?? this.scan.fail('expected a variant\'s name')
      const metadata = this.metadata()
      choices.set(name, { specifier: 'over', type: '', name, path, metadata, ...this.contents(path, depth + 1) })
    }
    contents.variants.set(set, choices)
    return true
  }

  private property(contents: Contents): void {
    let word = this.scan.requireName('a property')
    let operation: string | null = null
    while (LIST_OPERATIONS.includes(word) || QUALIFIERS.includes(word)) {
      if (LIST_OPERATIONS.includes(word)) operation = word
      word = this.scan.requireName('a property')
    }
    if (word === 'rel') {
      const name = this.scan.requireName('a relationship')
      const value = this.scan.take('=') ? this.value(0) : undefined
      this.metadata()
      if (operation === 'delete' || operation === 'reorder') return
      const targets = pathsIn(value)
      contents.relationships.set(name, [...operation === null ? [] : contents.relationships.get(name) ?? [], ...targets])
      return
    }
    const type = this.scan.take('[') ? (this.scan.expect(']', 'of an array type'), `${word}[]`) : word
    const full = this.scan.requireName('an attribute')
    const suffix = /\.(timeSamples|connect|spline)$/.exec(full)?.[1]
    const name = suffix === undefined ? full : full.slice(0, -suffix.length - 1)
    const value = this.scan.take('=') ? suffix === 'timeSamples' ? this.samples() : this.value(0) : undefined
    this.metadata()
    if (suffix === 'spline') return
    if (suffix === 'connect') {
      contents.relationships.set(name, pathsIn(value))
      return
    }
    const known: Written<UsdAttribute> = { type, value: undefined, samples: [], ...contents.attributes.get(name) }
    if (suffix === 'timeSamples') known.samples = value as UsdAttribute['samples']
    else known.value = value as UsdValue | undefined
    contents.attributes.set(name, known)
  }

  private samples(): UsdAttribute['samples'] {
    const samples: [number, UsdValue][] = []
    this.scan.expect('{', 'that opens time samples')
    while (!this.scan.take('}')) {
      const time = this.scan.number() ?? this.scan.fail('expected a time')
      this.scan.expect(':', 'after a time')
      samples.push([time, this.value(0)])
      this.scan.take(',')
    }
    return samples
  }

  /** `( … )` behind a layer, prim or property; empty where there is none. */
  private metadata(): ReadonlyMap<string, UsdValue> {
    const found = new Map<string, UsdValue>()
    if (!this.scan.take('(')) return found
    while (!this.scan.take(')')) {
      // A text by itself is the documentation.
      if (this.scan.string() !== null) continue
      let name = this.scan.requireName('metadata')
      const operation = LIST_OPERATIONS.includes(name) ? name : null
      if (operation !== null) name = this.scan.requireName('metadata')
      this.scan.expect('=', `of "${name}"`)
      const value = this.value(0)
      if (operation === 'delete' || operation === 'reorder') continue
      const earlier = found.get(name)
      const list = (item: UsdValue): readonly UsdValue[] => Array.isArray(item) ? item : [item]
      found.set(name, operation !== null && earlier !== undefined ? [...list(earlier), ...list(value)] : value)
    }
    return found
  }

  /** A statement of which nothing is kept. */
  private statement(): void {
    this.scan.requireName('what is reordered')
    this.scan.expect('=', 'of a reordering')
    this.value(0)
  }

  private value(depth: number): UsdValue {
    if (depth > MAX_DEPTH) this.scan.fail(`values more than ${MAX_DEPTH} deep`)
    const next = this.scan.peek()
    switch (next) {
      case '[':
        return this.sequence('[', ']', depth)
      case '(':
        return this.sequence('(', ')', depth)
      case '{':
        return this.dictionary(depth)
      case '<':
        return new UsdPath(this.scan.between('<', '>')!)
      case '@': {
        const file = this.scan.between('@@@', '@@@') ?? this.scan.between('@', '@')!
        const prim = this.scan.between('<', '>')
        // How times of the other layer are shifted.
        if (this.scan.peek() === '(') this.metadata()
        return new UsdAsset(file, prim)
      }
    }
    const text = this.scan.string()
    if (text !== null) return text
    const number = this.scan.number()
    if (number !== null) return number
    const word = this.scan.requireName('a value')
    return word === 'true' ? true : word === 'false' ? false : word === 'None' ? null : word
  }

  private sequence(open: string, close: string, depth: number): readonly UsdValue[] {
    const values: UsdValue[] = []
    this.scan.expect(open, 'of a list')
    while (!this.scan.take(close)) {
      values.push(this.value(depth + 1))
      if (!this.scan.take(',') && this.scan.peek() !== close) this.scan.fail(`expected "," or "${close}"`)
    }
    return values
  }

  private dictionary(depth: number): ReadonlyMap<string, UsdValue> {
    const found = new Map<string, UsdValue>()
    this.scan.expect('{', 'of a dictionary')
    while (!this.scan.take('}')) {
      const path = this.scan.between('<', '>')
      if (path !== null) {
        this.scan.expect(':', 'of a relocation')
        found.set(path, this.value(depth + 1))
      } else {
        this.scan.requireName('a type')
        if (this.scan.take('[')) this.scan.expect(']', 'of an array type')
        const key = this.scan.string() ?? this.scan.requireName('a key')
        this.scan.expect('=', `of "${key}"`)
        found.set(key, this.value(depth + 1))
      }
      this.scan.take(',')
    }
    return found
  }
}

function pathsIn(value: UsdValue | undefined): string[] {
  return (Array.isArray(value) ? value as readonly UsdValue[] : [value]).flatMap(target => target instanceof UsdPath ? [target.path] : [])
}
