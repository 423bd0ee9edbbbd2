import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { FormatFile } from '../../core/formats'
import { limits } from '../../core/scene'
import { importWith } from '../engine/exchange'
import { readMeshFile } from '../engine/decompositions'
import { writeWhole } from '../engine/files'
import type { Arguments } from './arguments'
import { optionsOf } from './format-options'
import { exitCodes, print, printJson, log } from './output'

/** Imports another runtime's scene. Losses and missing files are reported; referenced files are searched for only in its folder. */
export async function importSceneFile(path: string, output: string, given: Arguments): Promise<number> {
  const main: FormatFile = { name: basename(path), content: readMeshFile(path) }
  const { format, text, losses, missing, notes } = await importWith(main, given.text('from') ?? null, optionsOf(given), filesBelow(dirname(path)))
  writeWhole(output, text)
  if (given.flag('json')) printJson({ status: 'completed', format, scene: output, losses, missing, notes })
  else print(output)
  for (const { label, value } of notes) log(`${label}: ${value}`)
  for (const name of missing) log(`missing: ${name}`)
  for (const loss of losses) log(`loss: ${loss.path}: ${loss.message}; instead: ${loss.instead}`)
  return exitCodes.done
}

/** Finds files in a folder and below, with checked real paths; null for missing files and paths outside of it. */
export function filesBelow(folder: string): (name: string) => { readonly name: string; readonly content: Uint8Array } | null {
  const root = realpathSync(folder)
  return name => {
    const path = join(root, name)
    if (!existsSync(path)) return null
    const real = realpathSync(path)
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep) || !statSync(real).isFile() || statSync(real).size > limits.fileBytes) return null
    return { name, content: new Uint8Array(readFileSync(real)) }
  }
}

