/** The user's files: read with limits, written completely or not at all. */
import { createHash, randomUUID } from 'node:crypto'
import { closeSync, constants, fsyncSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { limits } from '../../core/scene'
import { HostError } from '../protocol/host'
import { systemReason } from '../protocol/problem-file'

/** Mode of created files, before the process's umask. */
const newFileMode = 0o666

/**
 * Text of a scene's file.
 * @throws HostError: it is missing, no file, larger than the format allows, or not UTF-8
 */
export function readSceneText(path: string): string {
  const bytes = attempt(path, 'read', () => {
    const status = statSync(path)
    if (!status.isFile()) throw fileError('NotAFile', path, 'is not a file.')
    if (status.size > limits.fileBytes) throw tooLarge(path, status.size)
    return readFileSync(path)
  })
  if (bytes.length > limits.fileBytes) throw tooLarge(path, bytes.length)
  return decodeText(path, bytes)
}

function tooLarge(path: string, bytes: number): HostError {
  const message = `"${basename(path)}" has ${bytes} bytes; a scene has at most ${limits.fileBytes}.`
  return new HostError('TooLarge', message, [{
    name: 'TooLarge', severity: 'error', message, path: '', file: path, value: bytes, allowed: `at most ${limits.fileBytes} bytes`, ids: [],
  }])
}

/** @throws HostError if the bytes are not UTF-8 */
export function decodeText(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    const message = `"${basename(name)}" is not UTF-8 text.`
    throw new HostError('InvalidFile', message, [{ name: 'InvalidFile', severity: 'error', message, path: '', allowed: 'UTF-8 text', ids: [] }])
  }
}

/** Writes to a temporary file and renames it, so that a crash leaves either the old or the new content. Links are followed, the mode is kept. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  attempt(path, 'write', () => {
    const target = resolved(path)
    const aside = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`)
    const mode = modeOf(target)
    try {
      const fd = openSync(aside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode)
      try {
        const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
        for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written)
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
      renameSync(aside, target)
    } catch (error) {
      rmSync(aside, { force: true })
      throw error
    }
  })
}

function resolved(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // does not exist yet
  }
}

function modeOf(path: string): number {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return newFileMode
  }
}

/** Content hash of a file, or null if it does not exist or is a pipe. */
export function hashOfFile(path: string): string | null {
  try {
    if (!statSync(path).isFile()) return null
    return hashOf(readFileSync(path))
  } catch {
    return null
  }
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function fileError(name: string, path: string, what: string): HostError {
  const message = `"${basename(path)}" ${what}`
  return new HostError(name, message, [{ name, severity: 'error', message, path: '', file: path, ids: [] }])
}

/** Converts system errors to HostErrors with the file and the action. */
function attempt<T>(path: string, doing: 'read' | 'write', action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof HostError) throw error
    const { code } = error as NodeJS.ErrnoException
    const name = doing === 'read' ? (code === 'ENOENT' || code === 'ENOTDIR' ? 'FileNotFound' : 'FileNotReadable') : code === 'ENOSPC' ? 'DiskFull' : 'FileNotWritable'
    throw fileError(name, path, `cannot be ${doing === 'read' ? 'read' : 'written'}: ${systemReason(error)}.`)
  }
}
