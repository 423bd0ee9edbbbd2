/** Folders below the served root, by handles, for the page's own file dialogs. Nothing above the root can be named, links included. */
import { randomUUID } from 'node:crypto'
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep, isAbsolute } from 'node:path'
import type { LocalEngine } from '../engine'
import { HostError, type FolderListing, type Handle, type WebFiles } from '../protocol/host'

const shownEnding = /\.(cairn|json|mcap)$/i
/** Entries of one folder that are listed. */
const maxEntries = 2000

export function webFiles(root: string, engine: LocalEngine): WebFiles {
  const realRoot = realpathSync(root)
  const folders = new Map<Handle, string>()
  const handles = new Map<string, Handle>()

  const handleOf = (path: string): Handle => {
    const known = handles.get(path)
    if (known !== undefined) return known
    const handle = randomUUID()
    handles.set(path, handle)
    folders.set(handle, path)
    return handle
  }
  const folderOf = (handle: Handle | null): string => {
    if (handle === null) return realRoot
    const path = folders.get(handle)
    if (path === undefined) throw new HostError('UnknownFolder', 'This folder is not known any more.')
    return path
  }

  return {
    listFolder: async handle => {
      const path = requireBelow(realRoot, folderOf(handle))
      const entries = readdirSync(path, { withFileTypes: true }).filter(entry => !entry.name.startsWith('.')).slice(0, maxEntries)
      const listing: FolderListing = {
        folder: handleOf(path), trail: trailTo(realRoot, path).map(folder => ({ name: basename(folder) || folder, folder: handleOf(folder) })),
        folders: [], files: [],
      }
      const [inner, files] = [[...listing.folders], [...listing.files]]
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const full = join(path, entry.name)
        const status = isBelow(realRoot, full) ? statSync(full, { throwIfNoEntry: false }) : undefined
        if (status?.isDirectory()) inner.push({ name: entry.name, folder: handleOf(realpathSync(full)) })
        if (status?.isFile() && shownEnding.test(entry.name)) {
          files.push({ name: entry.name, handle: engine.handleFor(full), bytes: status.size, modifiedAt: status.mtimeMs })
        }
      }
      return { ...listing, folders: inner, files }
    },

    fileIn: async (handle, name) => {
      if (name === '' || name.startsWith('.') || /[/\\:\0]/.test(name)) throw new HostError('InvalidName', `"${name}" is no file name.`)
      const path = join(requireBelow(realRoot, folderOf(handle)), name)
      // A link of that name may lead out; one that leads nowhere would be written through.
      if (!isBelow(realRoot, path) && statLink(path)) throw new HostError('OutsideRoot', `"${name}" leads out of the served folder.`)
      return engine.handleFor(path)
    },
  }
}

/** Real path of a folder that is still below the root. */
export function requireBelow(realRoot: string, path: string): string {
  if (!isBelow(realRoot, path)) throw new HostError('OutsideRoot', 'This is outside of the served folder.')
  return realpathSync(path)
}

/** Whether the path exists and really lies in the root. */
export function isBelow(realRoot: string, path: string): boolean {
  try {
    const inside = relative(realRoot, realpathSync(path))
    return inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside))
  } catch {
    return false
  }
}

function statLink(path: string): boolean {
  return readdirSync(dirname(path)).includes(basename(path))
}

function trailTo(root: string, path: string): string[] {
  const trail = [path]
  for (let folder = path; folder !== root;) {
    folder = dirname(folder)
    trail.unshift(folder)
  }
  return trail
}
