/**
 * The web host: the editor's page and the engine for one person on this machine. Listens on loopback only; the page is public, the engine
 * is not: it answers a WebSocket from our own origin that brings the token within two seconds.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream, realpathSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { LocalEngine } from '../engine'
import { contentTypeOf, pageAt, pageHeaders } from '../protocol/pages'
import type { Handle, WebHost } from '../protocol/host'
import { closeCodes, helloAccepted, helloTimeout, socketPath, tokenKey } from '../protocol/web-session'
import { maxMessageBytes, serveEngine, socketTransport } from '../protocol/wire'
import type { BinarySocket } from '../protocol/transport'
import { isBelow, webFiles } from './files'

/** Bytes that a connection may send before it has shown the token: a handshake's and a few more. */
const maxHelloBytes = 64 * 1024
const maxConnections = 16

export interface WebHostOptions {
  readonly engine: LocalEngine
  /** Folder of the built page. */
  readonly pages: string
  /** Folder that files may be opened from and saved to. */
  readonly root: string
  /** 0 for any that is free. */
  readonly port: number
  readonly initialDocument: Handle | null
  /** Told of what was refused, for standard error. */
  readonly refused?: (reason: string) => void
}

export interface RunningWebHost {
  /** With the token in its fragment. */
  readonly url: string
  readonly port: number
  readonly token: string
  close(): Promise<void>
}

/** @throws the system's error when the port is taken, the pages or the root are missing */
export async function startWebHost(options: WebHostOptions): Promise<RunningWebHost> {
  const token = randomBytes(32).toString('base64url')
  const pages = realpathSync(options.pages)
  const web: WebHost = { ...webFiles(options.root, options.engine), initialDocument: async () => options.initialDocument }
  const refused = options.refused ?? (() => undefined)
  const server = createServer((request, response) => servePage(pages, request, response))
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false })

  server.on('upgrade', (request, socket: Duplex, head) => {
    const why = refusalOf(request, sockets.clients.size)
    if (why !== null) {
      refused(why)
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    const guard = new HelloGuard(socket, head.length)
    sockets.handleUpgrade(request, socket, head, client => {
      admit(client, token, guard, refused, () => serve(client, options.engine, web, refused))
    })
  })

  await listen(server, options.port)
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/#${tokenKey}=${token}`, port, token,
    close: () => new Promise(done => {
      for (const client of sockets.clients) {
        client.close(closeCodes.goingAway)
        client.terminate()
      }
      sockets.close()
      server.close(() => done())
      server.closeAllConnections()
    }),
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', fail)
      done()
    })
  })
}

/** A loopback name, with or without a port. */
const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && loopbackHost.test(host)
}

/** Why a connection to the engine is refused: another address could be a rebound name, another origin is another site's page. */
export function refusalOf(request: Pick<IncomingMessage, 'url' | 'headers'>, connections: number): string | null {
  const { host, origin } = request.headers
  if (!isLoopbackHost(host)) return `a connection for the host "${host ?? ''}"`
  if (request.url !== socketPath) return `a connection to ${request.url ?? ''}`
  if (origin !== `http://${host}`) return `a connection from the origin "${origin ?? ''}"`
  return connections >= maxConnections ? `more than ${maxConnections} connections` : null
}

function servePage(pages: string, request: IncomingMessage, response: ServerResponse): void {
  const answer = (status: number, text: string) => {
    response.writeHead(status, { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' }).end(text)
  }
  if (!isLoopbackHost(request.headers.host)) return answer(403, 'Forbidden\n')
  if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'Method not allowed\n')
  const path = pageAt((request.url ?? '').split('?')[0]!)
  const file = path === null ? null : join(pages, path)
  if (file === null || !isBelow(pages, file)) return answer(404, 'Not found\n')
  const status = statSync(file)
  if (!status.isFile()) return answer(404, 'Not found\n')
  response.writeHead(200, {
    ...pageHeaders, 'Content-Type': contentTypeOf(file), 'Content-Length': status.size,
    // Names of built files carry their hash; the page itself is asked for every time.
    'Cache-Control': path === 'index.html' ? 'no-cache' : 'private, max-age=3600',
  })
  if (request.method === 'HEAD') return void response.end()
  createReadStream(file).on('error', () => response.destroy()).pipe(response)
}

/** Cuts a connection that sends much before it has shown the token. */
class HelloGuard {
  private passed = false
  private readonly count: (data: Buffer) => void

  constructor(private readonly socket: Duplex, private bytes: number) {
    this.count = data => {
      this.bytes += data.length
      if (!this.passed && this.bytes > maxHelloBytes) socket.destroy()
    }
  }

  /** Once the WebSocket reads: a listener before that would take its first bytes. */
  begin(): void {
    this.socket.on('data', this.count)
  }

  pass(): void {
    this.passed = true
    this.socket.off('data', this.count)
  }
}

function admit(client: WebSocket, token: string, guard: HelloGuard, refused: (reason: string) => void, admitted: () => void): void {
  guard.begin()
  const refuse = (reason: string) => {
    refused(reason)
    client.close(closeCodes.unauthorized, 'unauthorized')
  }
  const timer = setTimeout(() => refuse('a connection without a token'), helloTimeout)
  client.on('error', () => client.terminate())
  client.once('close', () => clearTimeout(timer))
  client.once('message', (data: Buffer, isBinary: boolean) => {
    clearTimeout(timer)
    if (client.readyState !== client.OPEN) return
    if (isBinary || !sameToken(data, token)) return refuse('a wrong token')
    guard.pass()
    admitted()
    client.send(helloAccepted)
  })
}

function sameToken(given: Buffer, token: string): boolean {
  const expected = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function serve(client: WebSocket, engine: LocalEngine, web: WebHost, refused: (reason: string) => void): void {
  client.binaryType = 'arraybuffer'
  const serving = serveEngine({ ...engine, ...web }, socketTransport(client as unknown as BinarySocket), error => {
    refused(`a message: ${error.message}`)
    client.close(closeCodes.badMessage, 'bad message')
  })
  const unlisten = engine.listen(serving.listener)
  client.once('close', unlisten)
}
