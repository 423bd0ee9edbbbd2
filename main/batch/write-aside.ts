/** Files that are there whole or not at all. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/** Writes beside the path and renames after the data are on the disk. @throws the system's error, with nothing left behind */
export function writeAside(path: string, data: string | Uint8Array): void {
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
