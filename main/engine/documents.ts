/** Documents by opaque handles: files, examples, dropped bytes, autosaves. Paths do not leave this module. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, unwatchFile, watchFile } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { homedir } from 'node:os'
import * as z from 'zod'
import { HostError } from '../protocol/host'
import { tagsOf } from './example-tags'
import type { ExampleInfo, Handle, OpenedDocument, PrefabTexts, RecentDocument, RecoverableDocument, SaveResult } from '../protocol/documents'
import { Drafts, readDraft } from './drafts'
import { decodeText, hashOf, hashOfFile, readSceneText, writeWhole } from './files'
import { folderIn } from './home'
import { prefabPath, readPrefabs } from './prefabs'
import type { Runs } from './runs'

const maxRecent = 30
/** Bytes of dropped runs that are kept on disk. */
const importedBytes = 1024 * 1024 * 1024
/** ms between checks of open documents' files for changes. */
const watchInterval = 2000

interface Place {
  readonly kind: 'file' | 'example' | 'bytes' | 'autosave'
  readonly name: string
  /** Of files, examples and autosaves. */
  readonly path: string
  /** Of dropped bytes. */
  readonly text?: string
  /** Content hash of what was last read, written or seen on disk. */
  hash: string | null
}

const recentSchema = z.array(z.object({ path: z.string(), openedAt: z.number() }))

export class Documents {
  private readonly places = new Map<Handle, Place>()
  private readonly handles = new Map<string, Handle>()
  readonly drafts: Drafts
  private readonly imported: string
  private readonly watched = new Set<string>()
  /** Documents that use a prefab file, by its real path. */
  private readonly placing = new Map<string, Set<Handle>>()

  constructor(
    private readonly home: string,
    private readonly examplesFolder: string,
    private readonly runs: Runs,
    private readonly changed: (handle: Handle, revision: string) => void,
    private readonly trouble: (message: string) => void,
    private readonly prefabsChanged: (handle: Handle) => void = () => undefined,
  ) {
    this.drafts = new Drafts(folderIn(home, 'autosave'))
    this.imported = folderIn(home, 'imported')
    trim(this.imported, importedBytes)
  }

  /** Handle for a file, which need not exist yet. For dialogs and the command line, never for a page. */
  handleFor(path: string): Handle {
    const full = resolve(path)
    return this.handle('file', full, basename(full))
  }

  /** Path of a user's own file, so that hosts that serve one folder can check it. */
  pathOf(handle: Handle): string | null {
    const place = this.places.get(handle)
    return place?.kind === 'file' ? place.path : null
  }

  async open(handle: Handle): Promise<OpenedDocument> {
    const place = this.place(handle)
    if (place.path.endsWith('.mcap')) {
      this.remember(place)
      return this.openRun(handle, place.path, place.name)
    }
    const text = place.kind === 'autosave' ? readDraft(place.path).text : place.text ?? readSceneText(place.path)
    place.hash = hashOf(text)
    if (place.kind === 'file') {
      this.remember(place)
      this.watch(handle, place)
    }
    return { handle, name: place.name, text, savable: place.kind === 'file', revision: place.kind === 'file' ? place.hash : null, run: null }
  }

  async openBytes(name: string, bytes: Uint8Array): Promise<OpenedDocument> {
    if (!name.endsWith('.mcap')) {
      const handle = this.add({ kind: 'bytes', name: basename(name), path: '', text: decodeText(name, bytes), hash: null })
      return this.open(handle)
    }
    const path = join(this.imported, `${hashOf(bytes)}.mcap`)
    if (!existsSync(path)) writeWhole(path, bytes)
    return this.openRun(this.handle('bytes', path, basename(name)), path, basename(name))
  }

  /** @param base revision that the text is based on: any other revision on disk is a change by another window or program */
  save(handle: Handle, text: string, { overwrite, base = null }: { overwrite: boolean; base?: string | null }): SaveResult {
    const place = this.place(handle)
    if (place.kind !== 'file') throw new HostError('NotSavable', `"${place.name}" has no file of its own yet: save it as a new one.`)
    if (place.path.endsWith('.mcap')) throw new HostError('NotSavable', 'A recorded run is not changed: save its scene as a new file.')
    const onDisk = hashOfFile(place.path)
    const revision = hashOf(text)
    if (!overwrite && onDisk !== null && onDisk !== base && onDisk !== revision) return { status: 'changed-on-disk' }
    writeWhole(place.path, text)
    place.hash = revision
    this.remember(place)
    this.watch(handle, place)
    setImmediate(() => this.notify(handle, place.path, revision)) // after the answer, so that the caller knows the revision by then
    return { status: 'saved', handle, name: place.name, revision }
  }

  /** Prefab files in the document's folder; they are watched from now on. */
  prefabs(handle: Handle, files: readonly string[]): PrefabTexts {
    const place = this.place(handle)
    if (place.kind !== 'file' && place.kind !== 'example') {
      return { files: [], missing: files.map(file => ({ file, reason: `"${place.name}" has no folder for "${file}" yet: save it first` })) }
    }
    return readPrefabs(dirname(place.path), files, path => this.watchPrefab(path, handle))
  }

  prefabFile(handle: Handle, file: Handle): string {
    const [scene, prefab] = [this.place(handle), this.place(file)]
    if (scene.kind !== 'file') throw new HostError('NotSavable', 'A prefab is a file in the scene\'s folder: save the scene first.')
    if (scene.path === prefab.path) throw new HostError('CircularPrefabs', `"${prefab.name}" is this scene: it cannot be placed in itself.`)
    const path = prefab.kind === 'file' ? prefabPath(scene.path, prefab.path) : null
    if (path === null) throw new HostError('OutsideFolder', `"${prefab.name}" is not in the folder of "${scene.name}" or below it, where its prefabs are.`)
    return path
  }

  prefabHandle(handle: Handle, file: string): Handle {
    const scene = this.place(handle)
    const path = scene.kind === 'file' || scene.kind === 'example' ? join(dirname(scene.path), file) : null
    if (path === null || prefabPath(scene.path, path) === null) throw new HostError('OutsideFolder', `"${file}" is not in the folder of "${scene.name}" or below it.`)
    return scene.kind === 'example' ? this.handle('example', path, basename(path)) : this.handleFor(path)
  }

  private watchPrefab(path: string, handle: Handle): void {
    const known = this.placing.get(path)
    if (known) {
      known.add(handle)
      return
    }
    const users = new Set([handle])
    this.placing.set(path, users)
    watchFile(path, { interval: watchInterval, persistent: false }, (now, before) => {
      // For a file that does not exist yet, Node first reports its absence.
      if (now.ino === 0 && before.ino === 0) return
      for (const user of users) this.prefabsChanged(user)
    })
  }

  recoverable(): RecoverableDocument[] {
    return this.drafts.left().map(({ path, draft, name, savedAt }) => ({ handle: this.handle('autosave', path, name), draft, name, savedAt }))
  }

  recent(): RecentDocument[] {
    return this.recentPaths().filter(({ path }) => existsSync(path)).map(({ path, openedAt }) => ({
      handle: this.handleFor(path), name: basename(path), location: shortened(dirname(path)), openedAt,
    }))
  }

  /** Name and text of an opened document, if it is an example. */
  exampleOf({ handle, name, text }: OpenedDocument): { readonly name: string; readonly text: string } | null {
    return this.places.get(handle)?.kind === 'example' ? titled(name, text) : null
  }

  /** Names and texts of the example scenes, in the order of the gallery. */
  exampleTexts(): { readonly name: string; readonly text: string }[] {
    return this.exampleFiles().map(file => titled(file, readSceneText(join(this.examplesFolder, file))))
  }

  private exampleFiles(): string[] {
    if (!existsSync(this.examplesFolder)) return []
    return readdirSync(this.examplesFolder).filter(file => file.endsWith('.cairn.json')).sort()
  }

  examples(): ExampleInfo[] {
    return this.exampleFiles().map(file => {
      const path = join(this.examplesFolder, file)
      const stem = path.replace(/\.cairn\.json$/, '')
      const scene: unknown = JSON.parse(readSceneText(path))
      const { name, description } = z.object({ name: z.string().default(file), description: z.string().default('') }).parse(scene)
      const { lookAt, tags } = hintOf(`${stem}.md`)
      return { handle: this.handle('example', path, file), name, description, lookAt, tags: [...tagsOf(scene), ...tags], picture: pictureOf(`${stem}.png`) }
    })
  }

  dispose(): void {
    for (const path of [...this.watched, ...this.placing.keys()]) unwatchFile(path)
    this.placing.clear()
    this.watched.clear()
  }

  private notify(handle: Handle, path: string, revision: string): void {
    this.changed(handle, revision)
    for (const user of this.placing.get(realPathOf(path)) ?? []) this.prefabsChanged(user)
  }

  private async openRun(handle: Handle, path: string, name: string): Promise<OpenedDocument> {
    const run = await this.runs.adopt(path)
    return { handle, name, text: this.runs.reader(run.id).scene, savable: false, revision: null, run }
  }

  private place(handle: Handle): Place {
    const place = this.places.get(handle)
    if (!place) throw new HostError('UnknownDocument', 'This document is no longer open: open it again.')
    return place
  }

  private handle(kind: Place['kind'], path: string, name: string): Handle {
    const known = this.handles.get(`${kind} ${path}`)
    if (known !== undefined) return known
    const handle = this.add({ kind, path, name, hash: null })
    this.handles.set(`${kind} ${path}`, handle)
    return handle
  }

  private add(place: Place): Handle {
    const handle = randomUUID()
    this.places.set(handle, place)
    return handle
  }

  private watch(handle: Handle, place: Place): void {
    if (this.watched.has(place.path)) return
    this.watched.add(place.path)
    watchFile(place.path, { interval: watchInterval, persistent: false }, () => {
      const now = hashOfFile(place.path)
      if (now === null || now === place.hash) return
      place.hash = now
      this.changed(handle, now)
    })
  }

  /** The list of recent files is a convenience: opening and saving succeed without it. */
  private remember(place: Place): void {
    if (place.kind !== 'file') return
    const others = this.recentPaths().filter(entry => entry.path !== place.path)
    try {
      writeWhole(join(this.home, 'recent.json'), JSON.stringify([{ path: place.path, openedAt: Date.now() }, ...others].slice(0, maxRecent)))
    } catch (error) {
      this.trouble(`The list of recent files was not updated: ${(error as Error).message}`)
    }
  }

  private recentPaths(): z.infer<typeof recentSchema> {
    try {
      return recentSchema.parse(JSON.parse(readFileSync(join(this.home, 'recent.json'), 'utf8')))
    } catch {
      return [] // no list yet, or not written by Cairn
    }
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // deleted meanwhile
  }
}

/** Deletes a folder's oldest files until the rest fits. */
function trim(folder: string, maxBytes: number): void {
  const files = readdirSync(folder).map(name => join(folder, name)).map(path => ({ path, status: statSync(path) }))
  let total = files.reduce((sum, { status }) => sum + status.size, 0)
  for (const { path, status } of files.sort((a, b) => a.status.mtimeMs - b.status.mtimeMs)) {
    if (total <= maxBytes) return
    rmSync(path, { force: true })
    total -= status.size
  }
}

/** The last two folders of a path, with `~` for the home folder. */
function shortened(folder: string): string {
  const home = homedir()
  const path = folder === home || folder.startsWith(home + sep) ? `~${folder.slice(home.length)}` : folder
  const parts = path.split(sep)
  return parts.length > 3 ? `…${sep}${parts.slice(-2).join(sep)}` : path
}

/** What to look at, and below it, in a line of its own, tags that do not follow from the scene's contents. */
function hintOf(path: string): { readonly lookAt: string; readonly tags: readonly string[] } {
  const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  const line = /^Tags:(.*)$/m.exec(text)
  if (!line) return { lookAt: text, tags: [] }
  return { lookAt: text.replace(line[0], '').trim(), tags: line[1]!.split(',').map(tag => tag.trim()) }
}

function pictureOf(path: string): string | null {
  return existsSync(path) && statSync(path).size < 4 * 1024 * 1024 ? `data:image/png;base64,${readFileSync(path).toString('base64')}` : null
}

/** An example by the title in its text. */
function titled(file: string, text: string): { readonly name: string; readonly text: string } {
  return { name: z.object({ name: z.string().default(file) }).parse(JSON.parse(text)).name, text }
}
