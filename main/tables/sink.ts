/** Destination of a table: a file that is written completely or not at all, or a stream with back-pressure. */
import { randomUUID } from 'node:crypto'
import { closeSync, constants, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { HostError } from '../protocol/host'
import { systemReason } from '../protocol/problem-file'

export interface ByteSink {
  /** Resolves when the sink accepts more. The bytes may be changed afterwards. */
  write(bytes: Uint8Array): Promise<void>
  /** Call after the last write: moves a file to its path. */
  end(): Promise<void>
  /** Deletes a partial file; output to a stream cannot be undone. */
  abandon(): void
}

/** Mode of created files, before the process's umask. */
const newFileMode = 0o666

/**
 * A file that is written to a temporary path and renamed at the end, so that readers never see a partial file and a full disk leaves the old one.
 * Devices and named pipes are written directly.
 * @throws HostError `OutputNotCreated`; `DiskFull` or `WriteFailed` later
 */
export class FileSink implements ByteSink {
  private readonly target: string
  private readonly aside: string | null
  private readonly fd: number
  private open = true

  constructor(readonly path: string) {
    try {
      const status = statSync(path, { throwIfNoEntry: false })
      if (status?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
      this.target = status ? realpathSync(path) : path
      this.aside = status && !status.isFile() ? null : join(dirname(this.target), `.${basename(this.target)}.${randomUUID()}.tmp`)
      const mode = status ? status.mode & 0o777 : newFileMode
      this.fd = this.aside === null ? openSync(path, constants.O_WRONLY) : openSync(this.aside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode)
    } catch (error) {
      throw fault(path, error as NodeJS.ErrnoException, 'OutputNotCreated')
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.attempt(() => {
      for (let written = 0; written < bytes.length;) written += writeSync(this.fd, bytes, written)
    })
  }

  /** Writes at a position, for formats that change earlier output; never mixed with `write`. */
  writeAt(position: number, bytes: Uint8Array): void {
    this.attempt(() => {
      for (let written = 0; written < bytes.length;) written += writeSync(this.fd, bytes, written, bytes.length - written, position + written)
    })
  }

  async end(): Promise<void> {
    this.attempt(() => {
      if (this.aside !== null) fsyncSync(this.fd)
      this.close()
      if (this.aside !== null) renameSync(this.aside, this.target)
    })
  }

  abandon(): void {
    this.close()
    if (this.aside !== null) rmSync(this.aside, { force: true })
  }

  private close(): void {
    if (!this.open) return
    this.open = false
    closeSync(this.fd)
  }

  private attempt(action: () => void): void {
    try {
      action()
    } catch (error) {
      throw fault(this.path, error as NodeJS.ErrnoException, 'WriteFailed')
    }
  }
}

function fault(path: string, error: NodeJS.ErrnoException, otherwise: string): HostError {
  const name = error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'DiskFull' : otherwise
  const message = `"${basename(path)}" cannot be written: ${systemReason(error)}.`
  return new HostError(name, message, [{ name, severity: 'error', message, path: '', value: path, file: path, ids: [] }])
}

/** Standard output or another stream. Waits for slow readers, so that memory use stays bounded. */
export class StreamSink implements ByteSink {
  constructor(private readonly stream: Writable) {}

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((done, fail) => {
      this.stream.write(bytes, error => (error ? fail(error) : done()))
    })
  }

  async end(): Promise<void> {
    // Nothing is buffered: every write was awaited.
  }

  abandon(): void {
    // Output to a stream cannot be undone.
  }
}

/** Memory, for tables that are passed on as a whole. */
export class MemorySink implements ByteSink {
  private readonly pieces: Buffer[] = []

  async write(bytes: Uint8Array): Promise<void> {
    this.pieces.push(Buffer.from(bytes)) // a copy
  }

  async end(): Promise<void> {
    // Nothing is buffered.
  }

  abandon(): void {
    this.pieces.length = 0
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.concat(this.pieces))
  }
}
