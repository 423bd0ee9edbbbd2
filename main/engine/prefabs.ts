/** The files of prefabs, beside the scenes that place them. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { fileFault, parseDocument, prefabLibrary, PrefabReadError, type PrefabLibrary, type ReadPrefab } from '../../core/scene'
import type { PrefabTexts } from '../protocol/documents'
import { HostError } from '../protocol/host'
import { readSceneText } from './files'
import { refusal } from './refusal'

/**
 * Reads from a folder and below it, after resolving links.
 *
 * @param read receives every file that was read, by its real path, and every missing one, by its expected path
 */
export function prefabsIn(folder: string, read: (path: string) => void = () => undefined): ReadPrefab {
  return file => {
    if (fileFault(file) !== null) throw new PrefabReadError(`"${file}" is not a path below the scene's folder`)
    let path
    try {
      path = realpathSync(join(folder, file))
    } catch {
      read(join(folder, file))
      throw new PrefabReadError(`There is no file "${file}" in the scene's folder`)
    }
    if (!isBelow(realpathSync(folder), path)) throw new PrefabReadError(`"${file}" leads out of the scene's folder`)
    try {
      const text = readSceneText(path)
      read(path)
      return text
    } catch (error) {
      throw error instanceof HostError ? new PrefabReadError(`${file}: ${error.message}`) : error
    }
  }
}

/**
 * A file's path relative to a scene, as a prefab refers to it; null if the file is not in the scene's folder or below it. It need not exist
 * yet.
 */
export function prefabPath(scene: string, file: string): string | null {
  try {
    const [folder, target] = [realpathSync(dirname(scene)), join(realpathSync(dirname(file)), basename(file))]
    return isBelow(folder, target) ? relative(folder, target).split(sep).join('/') : null
  } catch {
    return null
  }
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

/** The files of these paths in a folder, with the prefabs inside them; unreadable ones have a reason instead of a text. */
export function readPrefabs(folder: string, files: readonly string[], read: (path: string) => void): PrefabTexts {
  const missing: { file: string; reason: string }[] = []
  const reading = prefabsIn(folder, read)
  const library = prefabLibrary(file => {
    try {
      return reading(file)
    } catch (error) {
      if (error instanceof PrefabReadError) missing.push({ file, reason: error.message })
      throw error
    }
  })
  for (const file of files) library.content(file, '')
  return { files: [...library.texts].map(([file, source]) => ({ file, source })), missing }
}

/**
 * Text of a scene's file with the files of its prefabs embedded, so that it can be read alone.
 * @throws HostError if it or its prefabs cannot be read
 */
export function readScene(path: string): string {
  const text = readSceneText(path)
  if (!text.includes('"prefabs"')) return text
  const library = prefabLibrary(prefabsIn(dirname(path)))
  const parsed = parseDocument(text, library)
  if (!parsed.ok) throw refusal(parsed.problems)
  return withFiles(text, library)
}

function withFiles(text: string, { texts }: PrefabLibrary): string {
  if (texts.size === 0) return text
  const prefabFiles = [...texts].map(([file, source]) => ({ file, source }))
  return `${JSON.stringify({ ...JSON.parse(text) as object, prefabFiles }, null, 2)}\n`
}
