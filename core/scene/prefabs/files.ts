/** Paths of prefabs: relative, with /, in or below the folder of the opened scene. */

/** Error of a path as written; null if valid. */
export function fileFault(file: string): string | null {
  if (/^[/\\]/.test(file) || /^[A-Za-z]:/.test(file)) return `"${file}" is an absolute path`
  if (/^[a-z][a-z0-9+.-]*:/i.test(file)) return `"${file}" is an address`
  if (file.includes('\\')) return `"${file}" has a backslash: folders are separated by /`
  if (/[\0-\x1f]/.test(file)) return 'The path has a control character'
  const parts = file.split('/')
  if (parts.some(part => part === '')) return `"${file}" has an empty part`
  const hidden = parts.find(part => part.startsWith('.') && part !== '.' && part !== '..')
  if (hidden !== undefined) return `"${hidden}" is hidden`
  if (parts.at(-1) === '.' || parts.at(-1) === '..') return `"${file}" is a folder`
  return null
}

/**
 * A path below the root, from a path in a file of this folder; null if it leads out of the root.
 * @param folder below the root, ending with /; empty for the root
 */
export function fileFrom(folder: string, file: string): string | null {
  const parts = folder.split('/').filter(part => part !== '')
  for (const part of file.split('/')) {
    if (part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

/** The folder of a file, ending with /; empty for the root. */
export const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1)
