/**
 * Composes a layer into a stage: sublayers, references, payloads, inherits, specialises and selected variants are merged, and the stronger opinion
 * wins. Order of strength: local, inherits, variants, references, payloads, specialises.
 */

import { FormatError } from '../shared/error'
import { folderOf, isRemote, relativePath } from '../shared/paths'
import type { Losses } from '../shared/losses'
import { MAX_DEPTH, MAX_PRIMS, UsdAsset, UsdPath, type UsdLayer, type UsdPrim, type UsdValue } from './layer'

/** Reads another layer; null if it does not exist. The path is relative to the main file. */
export type LoadLayer = (path: string) => UsdLayer | null

interface Source {
  readonly layer: UsdLayer
  /** Folder of its file, relative to the main one. */
  readonly folder: string
  readonly file: string
}

/** Only defined prims: `over` and `class` only modify others, and inactive prims are skipped. */
export function composeStage(layer: UsdLayer, load: LoadLayer, missing: (name: string) => void, losses: Losses): UsdLayer {
  return new Composer(load, missing, losses).stage({ layer, folder: '', file: '' })
}

class Composer {
  private prims = 0
  private readonly layers = new Map<string, UsdLayer | null>()
  private readonly unfolded = new Map<UsdLayer, readonly UsdPrim[]>()

  constructor(private readonly load: LoadLayer, private readonly missing: (name: string) => void, private readonly losses: Losses) {}

  stage(source: Source): UsdLayer {
    const prims = this.withSublayers(source, [source.file])
    return { metadata: source.layer.metadata, prims: prims.map(prim => this.expand(prim, source, prims, [])).filter(isDefined) }
  }

  /** The layer's own prims over those of its sublayers, the strongest first. */
  private withSublayers(source: Source, open: readonly string[]): readonly UsdPrim[] {
    const known = this.unfolded.get(source.layer)
    if (known !== undefined) return known
    let prims: readonly UsdPrim[] = source.layer.prims
    for (const asset of listOf(source.layer.metadata.get('subLayers'))) {
      if (!(asset instanceof UsdAsset)) continue
      const found = this.open(asset, source)
      if (found === null || open.includes(found.file)) continue
      prims = mergeLists(prims, this.withSublayers(found, [...open, found.file]))
    }
    this.unfolded.set(source.layer, prims)
    return prims
  }

  private expand(prim: UsdPrim, source: Source, roots: readonly UsdPrim[], open: readonly string[]): UsdPrim {
    if (++this.prims > MAX_PRIMS) throw new FormatError('TooMany', prim.path, 'The stage has too many prims.', { allowed: `at most ${MAX_PRIMS}` })
    if (open.length > MAX_DEPTH) throw new FormatError('TooDeep', prim.path, 'References are nested too deeply.', { allowed: `at most ${MAX_DEPTH}` })
    let whole = prim
    const add = (weaker: UsdPrim | null): void => {
      if (weaker !== null) whole = mergePrims(whole, weaker)
    }
    for (const key of ['inherits', 'variants', 'references', 'payload', 'specializes'] as const) {
      if (key === 'variants') {
        for (const choice of this.chosen(whole)) add(graft(choice, choice.path, prim.path))
        continue
      }
      for (const arc of listOf(prim.metadata.get(key))) add(this.target(arc, prim, source, roots, open))
    }
    const children = whole.children.map(child => this.expand(child, source, roots, open)).filter(isDefined)
    return { ...whole, children }
  }

  private chosen(prim: UsdPrim): UsdPrim[] {
    const selection = prim.metadata.get('variants')
    return [...prim.variants].flatMap(([set, choices]) => {
      const name = selection instanceof Map ? (selection as ReadonlyMap<string, UsdValue>).get(set) : undefined
      const choice = typeof name === 'string' ? choices.get(name) : undefined
      return choice === undefined ? [] : [choice]
    })
  }

  /** The target of a reference, under the name of the referencing prim. */
  private target(arc: UsdValue, prim: UsdPrim, source: Source, roots: readonly UsdPrim[], open: readonly string[]): UsdPrim | null {
    let from: Source | null = source
    let within = roots
    let path: string | null = arc instanceof UsdPath ? arc.path : null
    if (arc instanceof UsdAsset) {
      from = arc.file === '' ? source : this.open(arc, source)
      if (from === null) return null
      within = from === source ? roots : this.withSublayers(from, [from.file])
      const main = from.layer.metadata.get('defaultPrim')
      path = arc.prim ?? (typeof main === 'string' ? `/${main}` : null)
    }
    const found = path === null ? null : findPrim(within, path)
    if (found === null) {
      this.losses.add(prim.path, `it refers to ${path === null ? 'a file without a default prim' : `"${path}", which is not there`}`, 'nothing from there')
      return null
    }
    const key = `${from.file}${found.path}`
    if (open.includes(key)) {
      this.losses.add(prim.path, `it refers to "${path}" and thereby to itself`, 'nothing from there')
      return null
    }
    return graft(this.expand(found, from, within, [...open, key]), found.path, prim.path)
  }

  private open(asset: UsdAsset, source: Source): Source | null {
    const uri = asset.file
    if (isRemote(uri)) {
      this.losses.add(uri, 'it is a network address; files are not downloaded', 'nothing from there')
      return null
    }
    const file = relativePath(uri, source.folder)
    let layer = this.layers.get(file)
    if (layer === undefined) {
      layer = this.load(file)
      this.layers.set(file, layer)
    }
    if (layer === null) {
      this.missing(file)
      return null
    }
    return { layer, folder: folderOf(file), file }
  }
}

function listOf(value: UsdValue | undefined): readonly UsdValue[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value as readonly UsdValue[] : [value]
}

function isDefined(prim: UsdPrim): boolean {
  return prim.specifier === 'def' && prim.metadata.get('active') !== false
}

function findPrim(prims: readonly UsdPrim[], path: string): UsdPrim | null {
  let found: UsdPrim | null = null
  let level = prims
  for (const name of path.split('/').filter(part => part !== '')) {
    found = level.find(prim => prim.name === name) ?? null
    if (found === null) return null
    level = found.children
  }
  return found
}

/** A subtree moved to another path, including the relationships within it. */
function graft(prim: UsdPrim, from: string, to: string): UsdPrim {
  if (from === to) return prim
  const moved = (path: string): string => path === from || path.startsWith(`${from}/`) || path.startsWith(`${from}.`) ? to + path.slice(from.length) : path
  const path = moved(prim.path)
  return {
    ...prim, path, name: path.slice(path.lastIndexOf('/') + 1),
    relationships: new Map([...prim.relationships].map(([name, targets]) => [name, targets.map(moved)])),
    children: prim.children.map(child => graft(child, from, to)),
  }
}

function mergeLists(stronger: readonly UsdPrim[], weaker: readonly UsdPrim[]): readonly UsdPrim[] {
  const names = new Map(weaker.map(prim => [prim.name, prim]))
  const known = new Set(stronger.map(prim => prim.name))
  return [...stronger.map(prim => names.has(prim.name) ? mergePrims(prim, names.get(prim.name)!) : prim), ...weaker.filter(prim => !known.has(prim.name))]
}

function mergePrims(stronger: UsdPrim, weaker: UsdPrim): UsdPrim {
  const schemas = [...listOf(stronger.metadata.get('apiSchemas')), ...listOf(weaker.metadata.get('apiSchemas'))]
  const metadata = new Map([...weaker.metadata, ...stronger.metadata])
  if (schemas.length > 0) metadata.set('apiSchemas', [...new Set(schemas)])
  return {
    specifier: stronger.specifier === 'over' ? weaker.specifier === 'class' ? 'over' : weaker.specifier : stronger.specifier,
    type: stronger.type === '' ? weaker.type : stronger.type, name: stronger.name, path: stronger.path, metadata,
    attributes: new Map([
      ...weaker.attributes, ...[...stronger.attributes].filter(([name, attribute]) => !weaker.attributes.has(name) || attribute.value !== undefined),
    ]),
    relationships: new Map([...weaker.relationships, ...stronger.relationships]),
    children: mergeLists(stronger.children, weaker.children),
    variants: new Map([...weaker.variants, ...stronger.variants]),
  }
}
