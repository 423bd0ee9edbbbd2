/** References to files: always relative, never outside the folder, never fetched. */

import { FormatError } from './error'

const MAX_PATH = 1024

/** Whether it refers to a network resource, which is never fetched. */
export function isRemote(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri) && !/^(package|model|file):\/\//i.test(uri)
}

/**
 * The relative path of a URI in the file: `package://name/a`, `model://name/a` and `file://./a` become `name/a` and `a` beside the main file.
 * @param folder of the referencing file, relative to the main file; '' for the main file itself
 * @throws FormatError for an absolute path, one with a drive or a NUL, and one that leaves the main file's folder
 */
export function relativePath(uri: string, folder = '', where = uri): string {
  const refused = (why: string) => new FormatError('UnsafePath', where, `"${uri.slice(0, 200)}" ${why}.`, { value: uri.slice(0, 200), allowed: 'a path below the file\'s own folder' })
  const scheme = /^(package|model|file):\/\//i.exec(uri)
  const inPackage = scheme !== null && scheme[1]!.toLowerCase() !== 'file'
  const path = (scheme === null ? uri : uri.slice(scheme[0].length)).replaceAll('\\', '/')
  if (path.length > MAX_PATH) throw refused(`is longer than ${MAX_PATH} characters`)
  if (path === '' || path.includes('\0')) throw refused('is not a path')
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw refused('is absolute')
  const parts: string[] = []
  for (const part of [...(folder === '' || inPackage ? [] : folder.split('/')), ...path.split('/')]) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) throw refused('leads out of the folder')
  }
  if (parts.length === 0) throw refused('is not a path')
  return parts.join('/')
}

/** The folder of a relative path: '' for a file at the top. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}
