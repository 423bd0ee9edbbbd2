/** Writes files completely or not at all. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/** Writes to a temporary file, syncs it to the disk and renames it. @throws the system's error; the temporary file is deleted */
export function writeAtomically(path: string, data: string | Uint8Array): void {
  const aside = `${path}.${process.pid}.part`
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  try {
    const fd = openSync(aside, 'w')
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { force: true })
    throw error
  }
}
