/** The prefabs of the document: texts of their files, and the parts that instances create from them. */

import { shallowRef } from 'vue'
import { parseDocument, prefabLibrary, PrefabReadError, settledEdit, withInstances, type EditResult, type ParseResult, type PrefabLibrary, type Scene } from '../../core/scene'
import type { PrefabTexts } from '../../main/protocol/documents'
import type { Problem } from '../../main/protocol/problem'

/** Library of the current document; replaced when a file changes. */
const library = shallowRef(libraryOf({ files: [], missing: [] }))
/** Scenes of the history with their instances updated to the current files. */
let renewed = new WeakMap<Scene, Scene>()
/** For each updated scene, the original one: both are the same state of the document, however often files change. */
const origins = new WeakMap<Scene, Scene>()
/** Whether the document's file contains the prefab files. */
let inside = false

export function libraryOf({ files, missing }: PrefabTexts): PrefabLibrary {
  const texts = new Map(files.map(({ file, source }) => [file, source]))
  const reasons = new Map(missing.map(({ file, reason }) => [file, reason]))
  return prefabLibrary(file => {
    const text = texts.get(file)
    if (text === undefined) throw new PrefabReadError(reasons.get(file) ?? `"${file}" was not read yet: place it as a prefab`)
    return text
  }, true)
}

/** Why a prefab file cannot be used; null if it can. */
export function faultOf(file: string, of: PrefabLibrary = library.value): string | null {
  const content = of.content(file, '')
  return 'scene' in content ? null : content[0]!.message
}

/** Adds to problems the reasons why prefab files are missing. Only the renderer knows them: the engine gets texts. */
export function withReasons(scene: Scene, problems: readonly Problem[]): readonly Problem[] {
  return problems.flatMap(one => {
    const prefab = one.name === 'PrefabNotRead' ? scene.prefabs?.find(({ file }, k) => one.path === `prefabs[${k}].file` && faultOf(file) !== null) : undefined
    return prefab === undefined ? one : { ...one, message: faultOf(prefab.file)!, ids: [prefab.id] }
  })
}

/** The first prefab file of the scene that was usable in one library and is not in the other, with the reason. */
export function lostBetween(former: PrefabLibrary, next: PrefabLibrary, scene: Scene): string | null {
  const lost = scene.prefabs?.find(({ file }) => faultOf(file, former) === null && faultOf(file, next) !== null)
  return lost ? faultOf(lost.file, next) : null
}

/** @param kept whether the document's file contains the prefab files */
export function useLibrary(next: PrefabLibrary, kept = inside): void {
  renewed = new WeakMap()
  inside = kept
  library.value = next
}

export const presentLibrary = (): PrefabLibrary => library.value
export const holdsFiles = (): boolean => inside
export function keepFilesInside(kept: boolean): void { inside = kept }

export const contentOfFile = (file: string) => library.value.content(file, '')

/** An edit with the parts of instances updated; refused if it changes such a part. */
export function settled(before: Scene, result: EditResult): EditResult {
  if (!result.ok || result.scene === before) return result
  const placed = settledEdit(before, result.scene, contentOfFile)
  return placed.ok ? { ...result, scene: placed.scene } : placed
}

/** The scene with its instances updated, or why that is impossible. */
export function placedEdit(scene: Scene): EditResult {
  const placed = settledEdit(scene, scene, contentOfFile)
  return placed.ok ? { ok: true, scene: placed.scene, warnings: [] } : placed
}

/** A scene of the history with its instances updated; unchanged if that is impossible. */
export function currentScene(scene: Scene): Scene {
  const present = library.value
  if (!scene.instances?.length) return scene
  const origin = origins.get(scene) ?? scene
  let current = renewed.get(origin)
  if (current === undefined) {
    const placed = withInstances(origin, file => present.content(file, ''), () => true)
    current = placed.ok ? placed.scene : scene
    renewed.set(origin, current)
    if (current !== origin) origins.set(current, origin)
  }
  return current
}

/** Parses a text of the current document, as in its JSON editor. */
export const readText = (text: string): ParseResult => parseDocument(text, library.value)

/** Prefab files that a text refers to; they are requested before the text is parsed. */
export function prefabFilesIn(text: string): string[] {
  if (!text.includes('"prefabs"')) return []
  try {
    const { prefabs } = JSON.parse(text) as { prefabs?: unknown }
    return Array.isArray(prefabs) ? prefabs.flatMap((one: unknown) => typeof (one as { file?: unknown } | null)?.file === 'string' ? (one as { file: string }).file : []) : []
  } catch {
    return [] // parsing it reports the error
  }
}

/** The files that a scene needs, including those of prefabs inside prefabs. */
export function filesOf(scene: Scene): { file: string; source: string }[] {
  if (!scene.instances?.length) return []
  for (const { file } of scene.prefabs ?? []) contentOfFile(file)
  return [...library.value.texts].map(([file, source]) => ({ file, source }))
}
