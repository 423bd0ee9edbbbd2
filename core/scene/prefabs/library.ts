/** The files of prefabs: read once each, with the prefabs inside them, and bounded in number, size and depth. */
import { problem, type Problem } from '../problem'
import { limits } from '../schema/scene'
import type { Scene } from '../types'
import { contentOf, type PrefabContent } from './content'
import { fileFrom } from './files'

/**
 * Gives the text of a file by its path from the scene's folder.
 * @throws PrefabReadError where there is none
 */
export type ReadPrefab = (file: string) => string

export class PrefabReadError extends Error {
  override readonly name = 'PrefabReadError'
}

/** Reads a scene whose own prefabs are in this folder. */
export type ParsePrefab = (text: string, library: PrefabLibrary, folder: string) =>
  { readonly ok: true; readonly scene: Scene } | { readonly ok: false; readonly problems: readonly Problem[] }

/** Prefabs in prefabs: an assembly of parts of parts has three or four. */
const MOST_NESTED = 16
/** Files of one scene: far more than a person makes, far fewer than take seconds to read. */
const MOST_FILES = 1000

export class PrefabLibrary {
  private readonly contents = new Map<string, PrefabContent | readonly Problem[]>()
  /** The files that are being read, each for the one before. */
  private readonly open: string[] = []
  private characters = 0
  private readonly given = new Map<string, string>()
  private readonly found = new Map<string, string>()

  /** @param standIns whether a scene can be viewed and edited although files of its prefabs cannot be placed: stand-ins replace those */
  constructor(private readonly read: ReadPrefab, private readonly parse: ParsePrefab, private readonly standIns = false) {}

  /** Whether something stands for what cannot be placed, in the text that is being read: not in the prefabs of a prefab, which is at fault as a whole. */
  get withStandIns(): boolean {
    return this.standIns && this.open.length === 0
  }

  /** Texts that are at hand already; those of a file inside others are not theirs to give. */
  provide(files: readonly { readonly file: string; readonly source: string }[]): void {
    if (this.open.length === 0) for (const { file, source } of files) this.given.set(file, source)
  }

  /** The files that were read. */
  get texts(): ReadonlyMap<string, string> {
    return this.found
  }

  /** What a file brings, or what is wrong; the problems name the file, and their paths are for the caller to set. */
  content(file: string, folder: string): PrefabContent | readonly Problem[] {
    const path = fileFrom(folder, file)
    const fault = (name: Parameters<typeof problem>[0], message: string, allowed?: string) =>
      [problem(name, [], message, { value: file, ...allowed === undefined ? {} : { allowed } })]
    if (path === null || path === '') return fault('InvalidPath', `"${file}" is outside of the scene's folder`, 'a file in the folder of the scene or below it')
    if (this.open.includes(path)) {
      return fault('CircularPrefabs', `The prefabs go round in a circle: ${[...this.open.slice(this.open.indexOf(path)), path].join(' → ')}`, 'prefabs that are not inside themselves')
    }
    const known = this.contents.get(path)
    if (known) return known
    if (this.open.length >= MOST_NESTED) return fault('TooDeep', `"${path}" is inside ${this.open.length} other prefabs`, `at most ${MOST_NESTED} deep`)
    if (this.contents.size >= MOST_FILES) return fault('TooMany', `The scene has more than ${MOST_FILES} files of prefabs`, `at most ${MOST_FILES}`)
    const found = this.load(path, fault)
    this.contents.set(path, found)
    return found
  }

  private load(path: string, fault: (name: Parameters<typeof problem>[0], message: string, allowed?: string) => Problem[]): PrefabContent | readonly Problem[] {
    let text: string
    try {
      text = this.given.get(path) ?? this.read(path)
    } catch (error) {
      if (!(error instanceof PrefabReadError)) throw error
      return fault('PrefabNotRead', error.message, 'a scene file in the folder of the scene or below it')
    }
    this.found.set(path, text)
    this.characters += text.length
    if (this.characters > limits.fileBytes) return fault('TooLarge', `The files of prefabs have more than ${limits.fileBytes / 1048576} MiB in all`, '64 MiB')
    this.open.push(path)
    const parsed = this.parse(text, this, path.slice(0, path.lastIndexOf('/') + 1))
    this.open.pop()
    if (parsed.ok) return contentOf(path, parsed.scene)
    return parsed.problems.filter(({ severity }) => severity === 'error').map(one => {
      const inner = one.message.startsWith(`${path}: `) || one.name === 'CircularPrefabs'
      return { ...one, message: inner ? one.message : `${path}: ${one.path === '' ? '' : `${one.path}: `}${one.message}`, ids: [] }
    })
  }
}
