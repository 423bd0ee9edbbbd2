import { readJson } from './json-text'
import { plainDataProblem } from './plain-data'
import { reportIssues } from './issues'
import { collections, elementsOf } from './ids'
import { migrate } from './migrate'
import { applyFormulas, takeFormulas, usesParameters } from './parameters'
import { withInstances } from './prefabs/expand'
import { PrefabLibrary, PrefabReadError, type ReadPrefab } from './prefabs/library'
import { ownerOf, ownersIn } from './prefabs/owner'
import { plainScene } from './prefabs/plain'
import { ProblemList, SceneError, type Problem } from './problem'
import { resolveParsed, resolveScene } from './resolve'
import { checkDocument, checkElement } from './rules/document'
import { limits, sceneSchema } from './schema/scene'
import type { ResolvedScene, Scene } from './types'

export type ParseResult =
  | {
    readonly ok: true
    /** The document as written, migrated to the current version. */
    readonly scene: Scene
    /** The same with all defaults filled in. */
    readonly resolved: ResolvedScene
    readonly warnings: readonly Problem[]
    /** The version of the text. */
    readonly version: number
  }
  | { readonly ok: false, readonly problems: readonly Problem[] }

const refused = (...problems: readonly Problem[]): ParseResult => ({ ok: false, problems })

/**
 * Reads and validates a scene from JSON text, or from a value that JSON text could have given; the value is not changed. The first hundred problems
 * are listed, each with its path, the value found and what is allowed.
 */
export function parseScene(source: string | object, prefabs?: ReadPrefab): ParseResult {
  const result = parseDocument(source, prefabLibrary(prefabs))
  return result.ok ? { ...result, scene: plainScene(result.scene), resolved: plainScene(result.resolved) } : result
}

/** The same for editing: the scene keeps its instances beside their contents (`withInstances`). */
export function parseDocument(source: string | object, prefabs: PrefabLibrary): ParseResult {
  return read(source, prefabs, '')
}

/** Caches files, for a scene that is read, edited and read again. */
export const prefabLibrary = (read: ReadPrefab = noFiles, standIns = false): PrefabLibrary => new PrefabLibrary(read, readPrefab, standIns)

const noFiles: ReadPrefab = file => {
  throw new PrefabReadError(`The prefab "${file}" is a file beside the scene, and only the scene's text is at hand`)
}

const readPrefab = (text: string, library: PrefabLibrary, folder: string): ParseResult => read(text, library, folder)

/** @param folder of the text, below the folder of the opened scene */
function read(source: string | object, library: PrefabLibrary, folder: string): ParseResult {
  let value: unknown = source
  if (typeof source === 'string') {
    const json = readJson(source)
    if (!json.ok) return refused(json.problem)
    value = json.value
  } else {
    const found = plainDataProblem(source)
    if (found) return refused(found)
  }
  const migrated = migrate(value)
  if (!migrated.ok) return refused(migrated.problem)
  const list = new ProblemList()
  const counted = countsOnly(migrated.document, list)
  if (!counted) return refused(...list.finish())
  const document = withFormulas(migrated.document, list)
  const result = sceneSchema.safeParse(document)
  if (!result.success) {
    reportIssues(result.error.issues, sceneSchema, document, [], list)
    return refused(...list.finish())
  }
  const written = document as Scene
  const scene = withPrefabs(written, library, folder, list)
  if (scene === null) return refused(...list.finish())
  checkDocument({ scene, list })
  if (list.failed) return refused(...list.finish())
  return {
    ok: true, scene, resolved: scene === written ? resolveParsed(result.data) : resolveScene(scene), warnings: list.finish(), version: migrated.from,
  }
}

/** The scene; throws an exception with the problems if there are any. */
export function requireScene(source: string | object): Scene {
  const result = parseScene(source)
  if (!result.ok) throw new SceneError(result.problems)
  return result.scene
}

/** The scene with the contents of its prefabs; null if they cannot be placed. */
function withPrefabs(written: Scene, library: PrefabLibrary, folder: string, list: ProblemList): Scene | null {
  if (!written.instances?.length && !written.prefabs?.length && !written.prefabFiles) return written
  const owners = ownersIn(written)
  for (const collection of collections) {
    elementsOf(written, collection).forEach(({ id }, i) => {
      const owner = ownerOf(owners, id)
      if (owner === null) return
      list.report('ReservedId', [collection, i, 'id'], `"${id}" begins with the prefix of "${owner}"`, { value: id, allowed: `an id that does not begin with "${owner}."`, ids: [id] })
    })
  }
  // The rules of prefabs come first, because other contents are derived from them.
  for (const collection of ['prefabs', 'instances'] as const) {
    elementsOf(written, collection).forEach((element, i) => checkElement({ scene: written, list }, collection, element, [collection, i]))
  }
  if (list.failed) return null
  const { prefabFiles = [], ...scene } = written
  library.provide(prefabFiles)
  const placed = withInstances(scene, file => library.content(file, folder), () => library.withStandIns)
  if (placed.ok) return placed.scene
  for (const one of placed.problems) list.add(one)
  return null
}

/** All problems of a scene that already has its type, including warnings; empty if there are none. */
export function validateScene(scene: Scene): readonly Problem[] {
  const result = parseScene(scene)
  return result.ok ? result.warnings : result.problems
}

/** Refuses collections far beyond their limit before all elements are checked. */
function countsOnly(document: Record<string, unknown>, list: ProblemList): boolean {
  const most: Record<string, number> = { bodies: limits.bodies }
  for (const key of ['materials', 'materialPairs', 'bodies', 'deformables', 'joints', 'forces', 'sensors', 'parameters', 'scripts', 'groups', 'prefabs', 'instances', 'meshes', 'textures']) {
    const elements = document[key]
    const allowed = most[key] ?? limits.elements
    if (!Array.isArray(elements) || elements.length <= allowed) continue
    list.report('TooMany', [key], `The scene has ${elements.length} ${key}`, { value: elements.length, allowed: `at most ${allowed}` })
  }
  return !list.failed
}

/** The document with the values of its formulas; itself if it has none. The input is unchanged. */
function withFormulas(document: Record<string, unknown>, list: ProblemList): Record<string, unknown> {
  if (!usesParameters(document)) return document
  const copy = copied(document) as Record<string, unknown>
  takeFormulas(copy)
  for (const found of applyFormulas(copy)) list.add(found)
  return copy
}

function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copied)
  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, copied(element)]))
}
