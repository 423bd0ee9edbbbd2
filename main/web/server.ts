/**
 * The web host: the editor's page and the engine for one user on this machine. It listens on loopback only; the page is public, the
 * engine requires the token [session.ts], and only files below one folder are accessible [files.ts].
 */
import { realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { LocalEngine } from '../engine'
import type { Handle } from '../protocol/documents'
import { tokenKey } from '../protocol/web-session'
import { confine } from './files'
import { isOwnHost } from './origin'
import { refuse, servePage } from './pages'
import { endWith, Sessions } from './session'
import { createToken } from './token'

const loopback = '127.0.0.1'
/** ms for a request to arrive completely; our requests have no body. */
const requestLimit = 10_000
/** ms between searches for late requests. */
const checkingInterval = 2_000
const maxConnections = 256

export interface WebHostOptions {
  readonly engine: LocalEngine
  /** Folder of the built page. */
  readonly pages: string
  /** Folder that files may be opened from and saved to. */
  readonly root: string
  /** 0: any free port. */
  readonly port: number
  readonly initialDocument: Handle | null
  /** Called with refused requests, for standard error. */
  readonly refused?: (reason: string) => void
}

export interface RunningWebHost {
  /** With the token in its fragment. */
  readonly url: string
  readonly port: number
  readonly token: string
  /** Closes all connections; the engine keeps running. */
  close(): Promise<void>
}

/** @throws the system's error if the port is in use, or the pages or the root are missing */
export async function startWebHost({ engine, pages, root, port: wanted, initialDocument, refused = () => undefined }: WebHostOptions): Promise<RunningWebHost> {
  const token = createToken()
  const pagesRoot = realpathSync(pages)
  const port = () => (server.address() as AddressInfo).port
  const served = confine(engine, root, initialDocument)
  const sessions = new Sessions({ served, listen: listener => engine.listen(listener), token, port, refused })
  const limits = { requestTimeout: requestLimit, headersTimeout: requestLimit, connectionsCheckingInterval: checkingInterval }
  const server = createServer(limits, (request, response) => {
    if (isOwnHost(request.headers.host, port())) return void servePage(pagesRoot, request, response)
    refused(`a request for the host ${JSON.stringify(request.headers.host ?? '')}`)
    refuse(response, 403, { Connection: 'close' })
  })
  server.maxConnections = maxConnections
  server.on('upgrade', (request, socket, head) => sessions.upgrade(request, socket, head))
  server.on('clientError', (_error, socket) => {
    // Browsers connect ahead of a request. An answer on such an idle connection would be taken for that of the next request, such as a reload.
    const isIdle = (socket as Socket).bytesRead === 0
    if (socket.writable && !isIdle) endWith(socket, 400)
    else socket.destroy()
  })

  await listen(server, wanted)
  server.on('error', error => refused(`a connection: ${error.message}`))
  return {
    url: `http://${loopback}:${port()}/#${tokenKey}=${token}`, port: port(), token,
    close: async () => {
      const closed = new Promise<void>(done => server.close(() => done()))
      await sessions.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, loopback, () => {
      server.off('error', fail)
      done()
    })
  })
}
