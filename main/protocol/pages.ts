/** Serving of the editor's pages, shared by Electron's own protocol and HTTP. */

/** Only resources of the page's own origin; no inline scripts, and no eval except WebAssembly's. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['json', 'application/json; charset=utf-8'],
  ['map', 'application/json; charset=utf-8'],
  ['wasm', 'application/wasm'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['ico', 'image/x-icon'],
  ['ttf', 'font/ttf'],
  ['woff2', 'font/woff2'],
  ['txt', 'text/plain; charset=utf-8'],
])

/** Media type by file extension; binary if unknown. */
export function contentTypeOf(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return contentTypes.get(ending) ?? 'application/octet-stream'
}

/**
 * The file of a URL's path, relative to the folder of pages, with forward slashes; null if the path would leave the folder, or contains `..`,
 * backslashes, NUL, empty segments or dot files. `/` is `index.html`.
 */
export function pageAt(urlPath: string): string | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(urlPath)
  } catch {
    return null // malformed escape
  }
  if (!decoded.startsWith('/')) return null
  const path = decoded === '/' ? 'index.html' : decoded.slice(1)
  const plain = path.split('/').every(segment => segment !== '' && !segment.startsWith('.') && !/[\\:\0]/.test(segment))
  return plain ? path : null
}
