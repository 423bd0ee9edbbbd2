/** Serves the built pages, which are public, and no other files. */
import { open, realpath, type FileHandle } from 'node:fs/promises'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { contentTypeOf, pageAt, pageHeaders } from '../protocol/pages'
import { isInside } from './files'

/** File names in this folder contain a hash of their content, so the files never change. */
const hashedFolder = 'assets/'
/** System error codes for missing files. */
const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'])

/** Answers GET and HEAD for files below `root` (a real path). Never rejects. */
export async function servePage(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, { Allow: 'GET, HEAD', Connection: 'close' })
  const path = pageAt((request.url ?? '').split('?', 1)[0]!)
  if (path === null) return refuse(response, 404)
  let file: FileHandle | null = null
  try {
    const real = await realpath(join(root, path))
    if (!isInside(root, real)) return refuse(response, 404)
    file = await open(real)
    const status = await file.stat()
    if (!status.isFile()) return refuse(response, 404)
    response.writeHead(200, {
      ...pageHeaders, 'Content-Type': contentTypeOf(path), 'Content-Length': status.size,
      'Cache-Control': path.startsWith(hashedFolder) ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
    if (request.method === 'HEAD' || status.size === 0) return void response.end()
    await pipeline(file.createReadStream({ end: status.size - 1, autoClose: false }), response)
  } catch (error) {
    if (response.headersSent) response.destroy() // the response is cut off, which the browser detects
    else refuse(response, missing.has((error as NodeJS.ErrnoException).code) ? 404 : 500)
  } finally {
    await file?.close()
  }
}

export function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers })
  response.end(`${STATUS_CODES[status]}\n`)
}
