/** Real files of other simulators with independently stated facts, shared by the tests of all formats. */

import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { completeOptions, formatById, recogniseFormat, type FormatFile, type ImportResult } from '../../../core/formats'

export const CORPUS = resolve(import.meta.dirname, '../../../../shared/reference/exchange')

/** Folder of the corpus → id of the format. */
const FOLDERS: Readonly<Record<string, string>> = { mjcf: 'mjcf', urdf: 'urdf', sdf: 'sdf', usd: 'usda', gltf: 'gltf' }

export interface MujocoBody {
  readonly id: number
  readonly name: string
  readonly parent: number
  readonly mass: number
  readonly inertia_principal: readonly [number, number, number]
  readonly com_local: readonly [number, number, number]
}

export interface MujocoState {
  readonly qpos: readonly number[]
  readonly qvel: readonly number[]
  readonly body_xpos: readonly (readonly [number, number, number])[]
  readonly body_xquat: readonly (readonly [number, number, number, number])[]
  readonly start?: { readonly qpos: readonly number[]; readonly qvel: readonly number[] }
}

export interface Expected {
  readonly facts: Readonly<Record<string, unknown>>
  readonly mujoco?: {
    readonly nbody?: number
    readonly total_mass: number
    readonly gravity: readonly [number, number, number]
    readonly joints_by_type: Readonly<Record<string, number>>
    readonly bodies: readonly MujocoBody[]
    readonly joints: readonly { readonly name: string; readonly type: string; readonly body: number; readonly qposadr: number; readonly dofadr: number }[]
    readonly initial: { readonly body_xpos: MujocoState['body_xpos']; readonly body_xquat: MujocoState['body_xquat'] }
    readonly after_half_second_smooth?: MujocoState
    readonly after_half_second_smooth_kicked?: MujocoState
  }
}

export interface CorpusFile {
  /** Below the corpus, with '/'. */
  readonly name: string
  readonly format: string
  readonly path: string
  readonly expected: Expected
}

/** Every file with its facts; empty where the corpus is absent. */
export function corpusFiles(): CorpusFile[] {
  if (!existsSync(CORPUS)) return []
  const found: CorpusFile[] = []
  const walk = (folder: string, format: string): void => {
    for (const entry of readdirSync(folder).sort()) {
      const path = join(folder, entry)
      if (statSync(path).isDirectory()) walk(path, format)
      else if (entry.endsWith('.expected.json')) {
        const main = path.slice(0, -'.expected.json'.length)
        found.push({ name: relative(CORPUS, main).split(sep).join('/'), format, path: main, expected: JSON.parse(readFileSync(path, 'utf8')) as Expected })
      }
    }
  }
  for (const [folder, format] of Object.entries(FOLDERS)) walk(join(CORPUS, folder), format)
  return found
}

/** Files that the main one refers to, within its folder only. */
export function beside(path: string): (name: string) => FormatFile | null {
  const folder = realpathSync(dirname(path))
  return name => {
    const full = join(folder, name)
    if (!existsSync(full) || !statSync(full).isFile() || !realpathSync(full).startsWith(folder + sep)) return null
    return { name, content: new Uint8Array(readFileSync(full)) }
  }
}

export function fileAt(path: string, edit: (text: string) => string = text => text): FormatFile {
  const bytes = readFileSync(path)
  const name = path.split(sep).pop()!
  return /\.(glb|usdc|usdz|bin)$/.test(name) ? { name, content: new Uint8Array(bytes) } : { name, content: edit(bytes.toString('utf8')) }
}

/** Imports a file in its own format. */
export async function imported(file: CorpusFile, options: Readonly<Record<string, unknown>> = {}, edit?: (text: string) => string): Promise<ImportResult> {
  const main = fileAt(file.path, edit)
  const format = recogniseFormat(main)
  if (format?.id !== file.format) throw new Error(`${file.name} is taken for ${format?.id ?? 'no format'}`)
  return format.importer.run(main, beside(file.path), completeOptions(format.importer.options, options))
}

export const hasImporter = ({ format }: CorpusFile): boolean => formatById(format)?.importer != null
