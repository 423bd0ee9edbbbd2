/**
 * A page's connection to the engine: a WebSocket from our own page, whose first message, within two seconds, is the token; then the calls
 * of protocol/wire.ts. Each page has its own connection; malformed messages close that one only.
 */
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { EngineListener } from '../protocol/host'
import { pageHeaders } from '../protocol/pages'
import type { BinarySocket } from '../protocol/transport'
import { closeCodes, helloAccepted, helloTimeout, socketPath } from '../protocol/web-session'
import { maxMessageBytes, serveEngine, socketTransport, type Served } from '../protocol/wire'
import { originFault } from './origin'
import { isToken } from './token'

/** Maximum number of connected pages, including those that have not sent the token yet. */
const maxSessions = 32
/** Bytes that a connection may send before the token. */
const maxHelloBytes = 4096
/** Bytes that may wait for a page when another message is sent: a live session sends 60 frames a second, also to a page that has stopped reading. */
const maxWaiting = maxMessageBytes
/** ms for pages to complete the closing handshake when the host ends. */
const goodbyeLimit = 500

export interface SessionOptions {
  readonly served: Served
  readonly listen: (listener: EngineListener) => () => void
  readonly token: string
  /** The port that the host listens on. */
  readonly port: () => number
  /** Called with refused connections, for standard error. */
  readonly refused: (reason: string) => void
}

export class Sessions {
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false })

  constructor(private readonly options: SessionOptions) {}

  /** Handles a WebSocket upgrade. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy()) // there is no other listener before the handshake is complete
    const refuse = (status: number, reason: string) => {
      this.options.refused(reason)
      endWith(socket, status)
    }
    const fault = originFault(request.headers, this.options.port())
    if (fault !== null) return refuse(403, fault)
    if (request.url !== socketPath) return refuse(404, `a connection to ${JSON.stringify(request.url)}`)
    if (this.sockets.clients.size >= maxSessions) return refuse(503, `more than ${maxSessions} connections`)
    this.sockets.handleUpgrade(request, socket, head, page => this.greet(page, socket, head.length))
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([...this.sockets.clients].map(page => new Promise<void>(done => {
      const limit = setTimeout(() => page.terminate(), goodbyeLimit)
      page.once('close', () => {
        clearTimeout(limit)
        done()
      })
      page.close(closeCodes.goingAway)
    })))
    this.sockets.close()
  }

  /** Waits for the token, with limits on time and bytes. */
  private greet(page: WebSocket, socket: Duplex, received: number): void {
    const count = (data: Buffer) => {
      received += data.length
      if (received > maxHelloBytes) dismiss('much before any token')
    }
    const dismiss = (reason: string) => {
      if (page.readyState !== page.OPEN) return
      stop()
      this.options.refused(`a connection with ${reason}`)
      page.close(closeCodes.unauthorized, 'The first message has to be the token.')
      // A connection with a wrong token is closed without reading further.
      socket.off('data', count)
      setTimeout(() => page.terminate(), goodbyeLimit).unref()
    }
    const stop = () => {
      clearTimeout(limit)
      socket.off('data', count)
      page.removeAllListeners('message')
    }
    const limit = setTimeout(() => dismiss('no token in time'), helloTimeout)
    socket.on('data', count)
    page.on('error', error => this.options.refused(`a message: ${error.message}`)) // ws closes the connection itself
    page.once('close', stop)
    page.once('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary || !isToken(data, this.options.token)) return dismiss('a wrong token')
      stop()
      this.serve(page)
      page.send(helloAccepted)
    })
  }

  private serve(page: WebSocket): void {
    page.binaryType = 'arraybuffer'
    const serving = serveEngine(this.options.served, socketTransport(this.bounded(page)), error => {
      if (page.readyState !== page.OPEN) return
      this.options.refused(`a message: ${error.message.split('\n', 1)[0]}`)
      page.removeAllListeners('message') // later messages are ignored
      page.close(closeCodes.badMessage, 'No page of Cairn sends this.')
    })
    page.once('close', this.options.listen(serving.listener))
  }

  /** Closes the connection of a page that does not read what it is sent. */
  private bounded(page: WebSocket): BinarySocket {
    const socket = page as unknown as BinarySocket
    return {
      get readyState() { return page.readyState },
      send: data => {
        if (page.bufferedAmount <= maxWaiting) return page.send(data)
        this.options.refused(`a connection that leaves more than ${maxWaiting} bytes unread`)
        page.terminate()
      },
      addEventListener: socket.addEventListener.bind(socket),
      close: (code, reason) => page.close(code, reason),
    }
  }
}

/** Sends a response on a socket that node:http has released. */
export function endWith(socket: Duplex, status: number): void {
  const headers = { ...pageHeaders, 'Connection': 'close', 'Content-Length': '0' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}
