import { readJson } from './json-text'
import { plainDataProblem } from './plain-data'
import { reportIssues } from './issues'
import { migrate } from './migrate'
import { ProblemList, SceneError, type Problem } from './problem'
import { resolveParsed } from './resolve'
import { checkDocument } from './rules/document'
import { limits, sceneSchema } from './schema/scene'
import type { ResolvedScene, Scene } from './types'

export type ParseResult =
  | {
    readonly ok: true
    /** The document as written, migrated to the current version. */
    readonly scene: Scene
    /** The same with every default filled in. */
    readonly resolved: ResolvedScene
    readonly warnings: readonly Problem[]
    /** The version that was read. */
    readonly version: number
  }
  | { readonly ok: false, readonly problems: readonly Problem[] }

const refused = (...problems: readonly Problem[]): ParseResult => ({ ok: false, problems })

/**
 * Reads and validates a scene from JSON text, or from a value that JSON text could have given. Nothing of the value is changed.
 * Of everything wrong the first hundred problems are listed, each with its path, what was found and what is allowed.
 */
export function parseScene(source: string | object): ParseResult {
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
  const result = sceneSchema.safeParse(migrated.document)
  if (!result.success) {
    reportIssues(result.error.issues, sceneSchema, migrated.document, [], list)
    return refused(...list.finish())
  }
  const scene = migrated.document as Scene
  checkDocument({ scene, list })
  if (list.failed) return refused(...list.finish())
  return {
    ok: true, scene, resolved: resolveParsed(result.data), warnings: list.finish(), version: migrated.from,
  }
}

/** The scene, or an exception with the problems. */
export function requireScene(source: string | object): Scene {
  const result = parseScene(source)
  if (!result.ok) throw new SceneError(result.problems)
  return result.scene
}

/** Everything wrong with a scene that is already typed, warnings included; empty where nothing is. */
export function validateScene(scene: Scene): readonly Problem[] {
  const result = parseScene(scene)
  return result.ok ? result.warnings : result.problems
}

/** Refuses collections far beyond their limit before every element of them is looked at. */
function countsOnly(document: Record<string, unknown>, list: ProblemList): boolean {
  const most: Record<string, number> = { bodies: limits.bodies }
  for (const key of ['materials', 'materialPairs', 'bodies', 'deformables', 'joints', 'forces', 'scripts', 'groups', 'meshes']) {
    const elements = document[key]
    const allowed = most[key] ?? limits.elements
    if (!Array.isArray(elements) || elements.length <= allowed) continue
    list.report('TooMany', [key], `The scene has ${elements.length} ${key}`, { value: elements.length, allowed: `at most ${allowed}` })
  }
  return !list.failed
}
