/** Reads usdc, USD's binary encoding, into the same layer as usda's reader. Values of attributes are read on demand. */

import { FormatError } from '../../shared/error'
import { MAX_DEPTH, MAX_PRIMS, UsdAsset, UsdPath, type UsdAttribute, type UsdLayer, type UsdPrim, type UsdValue } from '../layer'
import { malformed } from './bytes'
import { CrateFields } from './fields'
import { readCrate, type Crate } from './sections'
import { CrateValues } from './values'

export const USDC_MAGIC = 'PXR-USDC'

const SPECIFIERS = ['def', 'over', 'class'] as const
/** Kinds of specs [SdfSpecType]. */
const ATTRIBUTE = 1
const RELATIONSHIP = 8
/** Metadata with other names in usda. */
const USDA_NAMES: Readonly<Record<string, string>> = {
  documentation: 'doc', inheritPaths: 'inherits', variantSelection: 'variants', variantSetNames: 'variantSets',
}
/** Fields that prims store separately, or that describe the file structure. */
const NO_METADATA = new Set(['specifier', 'typeName', 'primChildren', 'properties', 'variantSetChildren', 'variantChildren', 'comment', 'subLayerOffsets'])

/** @throws FormatError */
export function readUsdc(bytes: Uint8Array): UsdLayer {
  return new UsdcReader(readCrate(bytes)).layer()
}

/** Reads its value and samples on demand: little of a large file is used. */
class CrateAttribute implements UsdAttribute {
  constructor(readonly type: string, private readonly spec: number, private readonly fields: CrateFields) {}

  get value(): UsdValue | undefined {
    return this.fields.value(this.spec, 'default')
  }

  get samples(): UsdAttribute['samples'] {
    return this.fields.samples(this.spec)
  }
}

class UsdcReader {
  private readonly values: CrateValues
  private readonly fields: CrateFields
  /** Spec of each path, −1 where it has none. */
  private readonly specs: Int32Array
  /** By path: its first child path, and its next sibling. */
  private readonly first: Int32Array
  private readonly next: Int32Array
  private prims = 0

  constructor(private readonly crate: Crate) {
    this.values = new CrateValues(crate)
    this.fields = new CrateFields(crate, this.values)
    const count = crate.paths.parent.length
    ;[this.specs, this.first, this.next] = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)]
    crate.specs.path.forEach((path, spec) => {
      if (path < 0 || path >= count) throw malformed('a spec has no path', 'SPECS')
      this.specs[path] = spec
    })
    crate.paths.parent.forEach((parent, path) => {
      if (parent < 0) return
      this.next[path] = this.first[parent]!
      this.first[parent] = path
    })
  }

  layer(): UsdLayer {
    const root = this.crate.paths.parent.findIndex((parent, path) => parent < 0 && this.specs[path]! >= 0)
    if (root < 0) throw malformed('it has no root', 'SPECS')
    const metadata = this.metadata(this.specs[root]!)
    const sublayers = metadata.get('subLayers')
    if (Array.isArray(sublayers)) metadata.set('subLayers', sublayers.map((name: UsdValue) => typeof name === 'string' ? new UsdAsset(name) : name))
    return { metadata, prims: this.children(root, this.below(root), '', 0) }
  }

  private prim(path: number, place: string, depth: number): UsdPrim {
    if (++this.prims > MAX_PRIMS) throw new FormatError('TooMany', place, 'The file has too many prims.', { allowed: `at most ${MAX_PRIMS}` })
    if (depth > MAX_DEPTH) throw new FormatError('TooDeep', place, 'Prims of the file are nested too deeply.', { allowed: `at most ${MAX_DEPTH}` })
    const spec = this.specs[path]!
    const below = this.below(path)
    const attributes = new Map<string, UsdAttribute>()
    const relationships = new Map<string, readonly string[]>()
    for (const name of this.fields.words(spec, 'properties')) {
      const property = below.get(`.${name}`)
      if (property !== undefined) this.property(property, name, attributes, relationships)
    }
    const specifier = this.fields.value(spec, 'specifier')
    return {
      specifier: SPECIFIERS[typeof specifier === 'number' ? specifier : 1] ?? 'over', type: this.fields.text(spec, 'typeName'),
      name: place.slice(place.lastIndexOf('/') + 1), path: place, metadata: this.metadata(spec), attributes, relationships,
      children: this.children(path, below, place, depth + 1), variants: this.variants(path, below, place, depth),
    }
  }

  private children(parent: number, below: ReadonlyMap<string, number>, place: string, depth: number): UsdPrim[] {
    return this.fields.words(this.specs[parent]!, 'primChildren').flatMap(name => {
      const path = below.get(name)
      return path === undefined || this.specs[path]! < 0 ? [] : [this.prim(path, `${place}/${name}`, depth)]
    })
  }

  private variants(parent: number, below: ReadonlyMap<string, number>, place: string, depth: number): UsdPrim['variants'] {
    const sets = new Map<string, Map<string, UsdPrim>>()
    for (const set of this.fields.words(this.specs[parent]!, 'variantSetChildren')) {
      const path = below.get(`{${set}=}`)
      if (path === undefined) continue
      const choices = new Map<string, UsdPrim>()
      for (const name of this.fields.words(this.specs[path]!, 'variantChildren')) {
        const choice = below.get(`{${set}=${name}}`)
        if (choice !== undefined) choices.set(name, { ...this.prim(choice, place, depth + 1), specifier: 'over', type: '', name })
      }
      sets.set(set, choices)
    }
    return sets
  }

  private property(path: number, name: string, attributes: Map<string, UsdAttribute>, relationships: Map<string, readonly string[]>): void {
    const spec = this.specs[path]!
    const kind = this.crate.specs.type[spec]
    if (kind === RELATIONSHIP) {
      const targets = this.fields.value(spec, 'targetPaths')
      relationships.set(name, Array.isArray(targets) ? targets.flatMap((target: UsdValue) => target instanceof UsdPath ? [target.path] : []) : [])
    } else if (kind === ATTRIBUTE) {
      const connected = this.fields.value(spec, 'connectionPaths')
      if (Array.isArray(connected)) relationships.set(name, connected.flatMap((target: UsdValue) => target instanceof UsdPath ? [target.path] : []))
      // An attribute that is only connected to another has no value.
      if (this.fields.has(spec, 'connectionPaths') && !this.fields.has(spec, 'default') && !this.fields.has(spec, 'timeSamples')) return
      attributes.set(name, new CrateAttribute(this.fields.text(spec, 'typeName'), spec, this.fields))
    }
  }

  private metadata(spec: number): Map<string, UsdValue> {
    const found = new Map<string, UsdValue>()
    for (const name of this.fields.names(spec)) {
      const value = NO_METADATA.has(name) ? undefined : this.fields.value(spec, name)
      if (value !== undefined) found.set(USDA_NAMES[name] ?? name, value)
    }
    return found
  }

  /** Child paths by the name of their last element; property names have a leading dot. */
  private below(path: number): ReadonlyMap<string, number> {
    const found = new Map<string, number>()
    const { token, property } = this.crate.paths
    for (let child = this.first[path]!; child >= 0; child = this.next[child]!) {
      const name = this.values.token(token[child]!)
      found.set(property[child] === 1 ? `.${name}` : name, child)
    }
    return found
  }
}
