import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { protocol } from 'electron'
import { contentTypeOf, pageAt, pageHeaders } from '../protocol/pages'
import { isOwnPage, scheme } from './security'

const root = join(import.meta.dirname, '../renderer')

/** Call before the application is ready: gives `cairn:` the properties of https (origin, storage, workers). */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }])
}

/** Serves the built pages, and only those, at `cairn://app/`. */
export function servePages(): void {
  protocol.handle(scheme, async request => {
    if (request.method !== 'GET' || !isOwnPage(request.url)) return new Response(null, { status: 403 })
    const path = pageAt(new URL(request.url).pathname)
    if (path === null) return new Response(null, { status: 404 })
    try {
      const body = await readFile(join(root, path))
      return new Response(new Uint8Array(body), { headers: { ...pageHeaders, 'Content-Type': contentTypeOf(path) } })
    } catch (error) {
      const missing = ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
      return new Response(null, { status: missing ? 404 : 500 })
    }
  })
}
