/** The files of prefabs: each is read once, with nested prefabs, and number, size and depth are limited. */
import { problem, type Problem } from '../problem'
import { limits } from '../schema/scene'
import type { Scene } from '../types'
import { contentOf, type PrefabContent } from './content'
import { fileFrom } from './files'

/**
 * Returns the text of a file by its path from the scene's folder.
 * @throws PrefabReadError if there is no such file
 */
export type ReadPrefab = (file: string) => string

export class PrefabReadError extends Error {
  override readonly name = 'PrefabReadError'
}

/** Reads a scene whose own prefabs are in this folder. */
export type ParsePrefab = (text: string, library: PrefabLibrary, folder: string) =>
  { readonly ok: true; readonly scene: Scene } | { readonly ok: false; readonly problems: readonly Problem[] }

/** Nesting of prefabs: an assembly of parts of parts has three or four levels. */
const MAX_NESTING = 16
/** Files of one scene: far more than a person creates, and far fewer than take seconds to read. */
const MAX_FILES = 1000

export class PrefabLibrary {
  private readonly contents = new Map<string, PrefabContent | readonly Problem[]>()
  /** The chain of files that are being read, each from the one before. */
  private readonly open: string[] = []
  private characters = 0
  private readonly given = new Map<string, string>()
  private readonly found = new Map<string, string>()

  /** @param standIns whether a scene can be viewed and edited although files of its prefabs cannot be placed: stand-ins replace those */
  constructor(private readonly read: ReadPrefab, private readonly parse: ParsePrefab, private readonly standIns = false) {}

  /** Whether stand-ins replace prefabs that cannot be placed, in the text that is being read; not inside a prefab, which is then faulty as a whole. */
  get withStandIns(): boolean {
    return this.standIns && this.open.length === 0
  }

  /** Texts that are known already; texts embedded in nested files are not used. */
  provide(files: readonly { readonly file: string; readonly source: string }[]): void {
    if (this.open.length === 0) for (const { file, source } of files) this.given.set(file, source)
  }

  /** The files that have been read. */
  get texts(): ReadonlyMap<string, string> {
    return this.found
  }

  /** The contents of a file, or its problems, which name the file; the caller sets their paths. */
  content(file: string, folder: string): PrefabContent | readonly Problem[] {
    const path = fileFrom(folder, file)
    const fault = (name: Parameters<typeof problem>[0], message: string, allowed?: string) =>
      [problem(name, [], message, { value: file, ...allowed === undefined ? {} : { allowed } })]
    if (path === null || path === '') return fault('InvalidPath', `"${file}" is outside of the scene's folder`, 'a file in the folder of the scene or below it')
    if (this.open.includes(path)) {
      return fault('CircularPrefabs', `The prefabs contain each other in a circle: ${[...this.open.slice(this.open.indexOf(path)), path].join(' → ')}`, 'prefabs that are not inside themselves')
    }
    const known = this.contents.get(path)
    if (known) return known
    if (this.open.length >= MAX_NESTING) return fault('TooDeep', `"${path}" is inside ${this.open.length} other prefabs`, `at most ${MAX_NESTING} deep`)
    if (this.contents.size >= MAX_FILES) return fault('TooMany', `The scene has more than ${MAX_FILES} files of prefabs`, `at most ${MAX_FILES}`)
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
