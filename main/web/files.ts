/**
 * The files of this machine that a page can access: those below the served root, except hidden ones, and the document that the command line named.
 * Every use of a handle checks the file's real path again, since a link may have been created meanwhile.
 */
import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { LocalEngine } from '../engine'
import { HostError, type FolderListing, type WebHost } from '../protocol/host'
import type { Served } from '../protocol/wire'
import type { Handle } from '../protocol/documents'

/** The engine as a page uses it, with the web host's additional calls. */
export type PageEngine = Served & WebHost

/**
 * @param root folder that files may be opened from and saved to
 * @param initialDocument may be elsewhere: the user named it
 * @throws the system's error if the root is missing
 */
export function confine(engine: LocalEngine, root: string, initialDocument: Handle | null): PageEngine {
  const realRoot = realpathSync(root)
  const folders = new Folders(realRoot)
  const isAllowed = (handle: Handle): boolean => {
    const path = engine.pathOf(handle)
    return path === null || handle === initialDocument || isServed(realRoot, path)
  }
  /** Nothing can happen between this check and the engine's use of the file: both are synchronous. */
  const requireAllowed = (handle: Handle): void => {
    if (!isAllowed(handle)) throw outside()
  }

  return {
    ...engine,
    openHandle: async handle => {
      requireAllowed(handle)
      return engine.openHandle(handle)
    },
    save: async (handle, text, options) => {
      requireAllowed(handle)
      return engine.save(handle, text, options)
    },
    prefabs: async (handle, files) => {
      requireAllowed(handle)
      return engine.prefabs(handle, files)
    },
    prefabFile: async (handle, file) => {
      requireAllowed(handle)
      requireAllowed(file)
      return engine.prefabFile(handle, file)
    },
    prefabHandle: async (handle, file) => {
      requireAllowed(handle)
      return engine.prefabHandle(handle, file)
    },
    decompose: async request => {
      if (request.source.kind === 'file') requireAllowed(request.source.document)
      return engine.decompose(request)
    },
    recent: async () => (await engine.recent()).filter(document => isAllowed(document.handle)),

    initialDocument: async () => initialDocument,
    listFolder: async folder => list(engine, realRoot, folders, folder),
    fileIn: async (folder, name) => {
      if (!isPlainName(name)) {
        throw new HostError('InvalidName', `${JSON.stringify(name)} is not a file name: /, \\, : and a dot at the beginning are not allowed.`)
      }
      const path = join(await folders.path(folder), name)
      if (!isServed(realRoot, path)) throw outside()
      return engine.handleFor(path)
    },
  }
}

async function list(engine: LocalEngine, realRoot: string, folders: Folders, wanted: Handle | null): Promise<FolderListing> {
  const folder = await folders.path(wanted)
  const names = (await readdir(folder)).filter(isPlainName).sort(byName)
  const entries = await Promise.all(names.map(async name => {
    try {
      const path = await realpath(join(folder, name))
      return isVisible(realRoot, path) ? [{ name, path, status: await stat(path) }] : []
    } catch {
      return [] // deleted meanwhile, or a broken link
    }
  }))
  const found = entries.flat()
  return {
    folder: folders.handle(folder),
    trail: trail(realRoot, folder).map(path => ({ name: basename(path) || path, folder: folders.handle(path) })),
    folders: found.filter(entry => entry.status.isDirectory()).map(({ name, path }) => ({ name, folder: folders.handle(path) })),
    files: found.filter(entry => entry.status.isFile()).map(({ name, path, status }) => ({
      name, handle: engine.handleFor(path), bytes: status.size, modifiedAt: status.mtimeMs,
    })),
  }
}

/** Handles of folders, one per real path: random, so that they cannot be guessed, and unique, so that they stay few. */
class Folders {
  private readonly paths = new Map<Handle, string>()
  private readonly handles = new Map<string, Handle>()

  constructor(private readonly realRoot: string) {}

  handle(path: string): Handle {
    const known = this.handles.get(path)
    if (known !== undefined) return known
    const handle = randomUUID()
    this.handles.set(path, handle)
    this.paths.set(handle, path)
    return handle
  }

  /** The folder's current real path; null is the root. */
  async path(handle: Handle | null): Promise<string> {
    const path = handle === null ? this.realRoot : this.paths.get(handle)
    if (path === undefined) throw new HostError('UnknownFolder', 'This folder is no longer known.')
    const real = await realpath(path).catch(() => {
      throw new HostError('UnknownFolder', `The folder "${basename(path)}" no longer exists.`)
    })
    if (!isVisible(this.realRoot, real)) throw outside()
    return real
  }
}

function outside(): HostError {
  return new HostError('OutsideRoot', 'This is outside of the folder that Cairn was started with (--root).')
}

/** Whether a file may be read or written: its real path, or that of the folder that it would be created in, is below the root and not hidden. */
function isServed(realRoot: string, path: string): boolean {
  if (basename(path).startsWith('.')) return false
  for (const candidate of [path, dirname(path)]) {
    try {
      return isVisible(realRoot, realpathSync(candidate))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false
    }
  }
  return false
}

/** Whether a real path is the root or below it, without hidden folders. */
function isVisible(realRoot: string, realPath: string): boolean {
  return isInside(realRoot, realPath) && relative(realRoot, realPath).split(sep).every(name => !name.startsWith('.'))
}

/** Whether a real path is `folder` or below it. */
export function isInside(folder: string, realPath: string): boolean {
  const inside = relative(folder, realPath)
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

/** Whether it is a single path component, which cannot lead to another folder. */
function isPlainName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\\:\0]/.test(name)
}

/** The folders from the root to this one. */
function trail(realRoot: string, folder: string): string[] {
  const folders = [folder]
  while (folders[0] !== realRoot) folders.unshift(dirname(folders[0]!))
  return folders
}

function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true, sensitivity: 'base' }) || (a < b ? -1 : 1)
}
