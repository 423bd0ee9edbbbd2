/** The prefabs of the document: their files' texts, and what the document's instances bring by them. */

import { shallowRef } from 'vue'
import { parseDocument, prefabLibrary, PrefabReadError, settledEdit, withInstances, type EditResult, type ParseResult, type PrefabLibrary, type Scene } from '../../core/scene'
import type { PrefabTexts } from '../../main/protocol/documents'
import type { Problem } from '../../main/protocol/problem'

/** Of the present document; another one where a file has changed. */
const library = shallowRef(libraryOf({ files: [], missing: [] }))
/** Scenes of the history with what their instances bring now. */
let renewed = new WeakMap<Scene, Scene>()
/** Of such a scene, the one that it was made of first: however often files change, both are one state of the document. */
const origins = new WeakMap<Scene, Scene>()
/** Whether the document's own file holds the files of its prefabs. */
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

/** Why a file cannot be placed; null where it can. */
export function faultOf(file: string, of: PrefabLibrary = library.value): string | null {
  const content = of.content(file, '')
  return 'scene' in content ? null : content[0]!.message
}

/** Problems with the reasons why files of prefabs are not there, which only who has looked for them knows: the engine is given texts. */
export function withReasons(scene: Scene, problems: readonly Problem[]): readonly Problem[] {
  return problems.flatMap(one => {
    const prefab = one.name === 'PrefabNotRead' ? scene.prefabs?.find(({ file }, k) => one.path === `prefabs[${k}].file` && faultOf(file) !== null) : undefined
    return prefab === undefined ? one : { ...one, message: faultOf(prefab.file)!, ids: [prefab.id] }
  })
}

/** The first file of the scene's prefabs that could be placed by one library and cannot be by another, with the reason. */
export function lostBetween(former: PrefabLibrary, next: PrefabLibrary, scene: Scene): string | null {
  const lost = scene.prefabs?.find(({ file }) => faultOf(file, former) === null && faultOf(file, next) !== null)
  return lost ? faultOf(lost.file, next) : null
}

/** @param kept whether the document's file holds the files */
export function useLibrary(next: PrefabLibrary, kept = inside): void {
  renewed = new WeakMap()
  inside = kept
  library.value = next
}

export const presentLibrary = (): PrefabLibrary => library.value
export const holdsFiles = (): boolean => inside
export function keepFilesInside(kept: boolean): void { inside = kept }

const contentOf = (file: string) => library.value.content(file, '')

/** An edit with what instances bring; refused where it touches that. */
export function settled(before: Scene, result: EditResult): EditResult {
  if (!result.ok || result.scene === before) return result
  const placed = settledEdit(before, result.scene, contentOf)
  return placed.ok ? { ...result, scene: placed.scene } : placed
}

/** The scene with what its instances bring now, or why it cannot be. */
export function placedEdit(scene: Scene): EditResult {
  const placed = settledEdit(scene, scene, contentOf)
  return placed.ok ? { ok: true, scene: placed.scene, warnings: [] } : placed
}

/** A scene of the history with what its instances bring now; as it was where they bring nothing now. */
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

/** A text of the present document, as its JSON editor has it. */
export const readText = (text: string): ParseResult => parseDocument(text, library.value)

/** Files that the prefabs of a text name: those are asked for before the text can be read. */
export function prefabFilesIn(text: string): string[] {
  if (!text.includes('"prefabs"')) return []
  try {
    const { prefabs } = JSON.parse(text) as { prefabs?: unknown }
    return Array.isArray(prefabs) ? prefabs.flatMap((one: unknown) => typeof (one as { file?: unknown } | null)?.file === 'string' ? (one as { file: string }).file : []) : []
  } catch {
    return [] // reading it says what is wrong
  }
}

/** The files that a scene needs, those inside others too. */
export function filesOf(scene: Scene): { file: string; source: string }[] {
  if (!scene.instances?.length) return []
  for (const { file } of scene.prefabs ?? []) contentOf(file)
  return [...library.value.texts].map(([file, source]) => ({ file, source }))
}
