import { nearestName } from './nearest'
import { problem, quoted, type Problem, type ProblemName } from './problem'
import { sceneVersion } from './schema/scene'

type Document = Record<string, unknown>

/** Converts a document of version n to version n + 1; a pure function. */
export type Migration = (document: Document) => Document

/** The step from each version to the next. A new version adds one entry here and raises `sceneVersion`. */
const migrations: ReadonlyMap<number, Migration> = new Map()

export type MigrationResult =
  | { readonly ok: true, readonly document: Document, readonly from: number }
  | { readonly ok: false, readonly problem: Problem }

/** Converts a document of any known version to the current one. Refuses input that is not a scene, and versions newer than `current`. */
export function migrate(
  document: unknown, steps: ReadonlyMap<number, Migration> = migrations, current: number = sceneVersion,
): MigrationResult {
  const refuse = (name: ProblemName, key: string | null, message: string, value: unknown, allowed: string) =>
    ({ ok: false, problem: problem(name, key === null ? [] : [key], message, { value, allowed }) }) as const
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return refuse('NotAScene', null, `A scene is a JSON object, not ${quoted(document)}`, document, 'an object with "format": "cairn-scene"')
  }
  const { format, version } = document as Document
  if (format === undefined) {
    const meant = nearestName('format', Object.keys(document))
    const hint = meant === null ? '' : `; "${meant}" is something else`
    return refuse('NotAScene', 'format', `"format" is missing, so this is not a Cairn scene${hint}`, undefined, '"cairn-scene"')
  }
  if (format !== 'cairn-scene') return refuse('NotAScene', 'format', `This is not a Cairn scene: its format is ${quoted(format)}`, format, '"cairn-scene"')
  if (version === undefined) return refuse('MissingKey', 'version', '"version" is missing', undefined, String(current))
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return refuse('UnknownVersion', 'version', `There is no version ${quoted(version)} of the scene format`, version, `1 to ${current}`)
  }
  if (version > current) {
    return refuse('NewerVersion', 'version', `The scene has version ${version}; this Cairn reads up to ${current}. A newer Cairn is needed to open it`,
      version, `1 to ${current}`)
  }
  let migrated = document as Document
  for (let v = version; v < current; v++) {
    const step = steps.get(v)
    if (!step) return refuse('UnknownVersion', 'version', `Version ${version} can no longer be read`, version, `${v + 1} to ${current}`)
    migrated = { ...step(migrated), version: v + 1 }
  }
  return { ok: true, document: migrated, from: version }
}
