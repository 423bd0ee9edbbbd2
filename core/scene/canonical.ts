import { sha256 } from '../math/hash'
import type { ResolvedScene } from './types'

/** Keys that change names or appearance, but not the motion. */
const cosmetic: ReadonlySet<string> = new Set(['name', 'description', 'lesson', 'color', 'group', 'groups', 'prefabs', 'instances', 'prefabFiles', 'parameters', 'expressions', 'visuals', 'meshes', 'textures'])

/**
 * JSON with keys in ascending order, no white space and shortest numbers [RFC 8785], of the scene with all defaults filled in and without names, descriptions,
 * colours, groups, instances and visuals. Scenes with the same motion have equal texts, whether defaults are written or not.
 */
export function canonicalScene(scene: ResolvedScene): string {
  return JSON.stringify(ordered({ ...scene, ...seenByScripts(scene) }))
}

/** Formulas in fields are replaced by their numbers, but scripts read parameters themselves. */
function seenByScripts({ parameters, scripts }: ResolvedScene): object {
  if (parameters.length === 0 || scripts.length === 0) return {}
  return { scriptParameters: parameters.map(({ id, value, keys }) => ({ id, value, keys })) }
}

/** SHA-256 of the canonical scene, 64 hex digits. */
export function sceneHash(scene: ResolvedScene): string {
  return sha256(canonicalScene(scene))
}

/** These collections were added later: documents of version 1 without them keep their canonical text. */
const isLeftOut = (key: string, value: unknown): boolean => (key === 'deformables' || key === 'sensors') && Array.isArray(value) && value.length === 0

/** A copy with its keys in ascending order of code units, which `JSON.stringify` keeps; none of them looks like an array index. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return typeof value[0] === 'number' ? value : value.map(ordered)
  const record = value as Record<string, unknown>
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(record).sort()) if (!cosmetic.has(key) && !isLeftOut(key, record[key])) copy[key] = ordered(record[key])
  return copy
}
