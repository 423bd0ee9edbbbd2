/** The files of an export as they are saved. */

import { zipSync } from 'fflate'
import type { ExchangeFile } from '../../main/protocol/exchange'

const isInFolder = ({ name }: ExchangeFile) => name.includes('/')

/** Save dialogs cannot create folders: files of which one lies in a folder are saved as one archive, so that the names in their texts stay right. */
export function archiveOf(files: readonly ExchangeFile[]): string | null {
  return files.some(isInFolder) ? `${files[0]!.name.replace(/\.\w+$/, '')}.zip` : null
}

export function savedFiles(files: readonly ExchangeFile[]): readonly ExchangeFile[] {
  const archive = archiveOf(files)
  if (archive === null) return files
  return [{ name: archive, data: zipSync(Object.fromEntries(files.map(({ name, data }) => [name, data]))) }]
}
