/** A web host for tests: temporary folders, a small engine or the real one, and clients that send arbitrary data. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { socketTransport, connectEngine, type Connection } from '../../../../main/protocol/wire'
import type { BinarySocket } from '../../../../main/protocol/transport'
import type { EngineListener } from '../../../../main/protocol/host'
import type { Handle } from '../../../../main/protocol/documents'
import { helloAccepted, socketPath } from '../../../../main/protocol/web-session'
import { startWebHost, type RunningWebHost } from '../../../../main/web/server'

export const scene = JSON.stringify({ format: 'cairn-scene', version: 1, bodies: [] })

export interface Setting {
  /** Parent of all folders; only the folder below is served. */
  readonly folder: string
  readonly root: string
  readonly pages: string
  readonly engine: LocalEngine
  readonly host: RunningWebHost
  readonly refusals: string[]
  /** Number of calls for the engine's version, to detect calls that must be ignored. */
  readonly asked: () => number
  close(): Promise<void>
}

/** Starts a host with the real engine; `name` chooses the document that the command line would have named. */
export async function setUp(name: (engine: LocalEngine, folder: string) => Handle | null = () => null): Promise<Setting> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-web-')))
  const [root, pages] = [join(folder, 'root'), join(folder, 'pages')]
  for (const made of [root, join(pages, 'assets')]) mkdirSync(made, { recursive: true })
  writeFileSync(join(pages, 'index.html'), '<!doctype html><title>Cairn</title>')
  writeFileSync(join(pages, 'assets/main-abc123.js'), 'export {}')
  writeFileSync(join(folder, 'secret.json'), scene)
  const engine = createEngine({ home: join(folder, 'home'), examples: join(folder, 'examples') })
  const refusals: string[] = []
  const { version } = engine
  let asked = 0
  engine.version = () => {
    asked++
    return version()
  }
  const host = await startWebHost({
    engine, root, pages, port: 0, initialDocument: name(engine, folder), refused: reason => refusals.push(reason),
  })
  return {
    folder, root, pages, engine, host, refusals, asked: () => asked,
    close: async () => {
      await host.close()
      await engine.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends one request without the path normalisation of browsers. */
export function ask(host: RunningWebHost, path: string, { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    const asking = request({ host: '127.0.0.1', port: host.port, path, method, headers, agent: false, timeout: 5000 }, response => {
      let body = ''
      response.setEncoding('utf8').on('data', part => { body += part }).on('end', () => {
        done({ status: response.statusCode!, headers: response.headers, body })
      })
    })
    asking.on('error', fail).on('timeout', () => asking.destroy(new Error('no answer in 5 s'))).end()
  })
}

/** What a server answers to these bytes, until it closes the connection. */
export function sendRaw(host: RunningWebHost, bytes: string): Promise<string> {
  return new Promise((done, fail) => {
    let answer = ''
    const socket = connectSocket(host.port, '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer in 5 s')))
    socket.setEncoding('latin1').on('data', part => { answer += part }).on('error', fail).on('close', () => done(answer))
  })
}

/** A WebSocket with the page's own origin by default. */
export function socketTo(host: RunningWebHost, { path = socketPath, name = `127.0.0.1:${host.port}`, origin = `http://${name}` as string | null } = {}): WebSocket {
  const headers = { Host: name, ...(origin === null ? {} : { Origin: origin }) }
  const socket = new WebSocket(`ws://127.0.0.1:${host.port}${path}`, { headers })
  socket.on('error', () => undefined) // the tests check how it ends
  return socket
}

/** HTTP status with which a WebSocket was refused, or 101. */
export function statusOf(socket: WebSocket): Promise<number> {
  return new Promise(done => {
    socket.once('open', () => {
      done(101)
      socket.terminate()
    })
    socket.once('unexpected-response', (asking, response) => {
      done(response.statusCode!)
      asking.destroy()
    })
  })
}

export function opened(socket: WebSocket): Promise<void> {
  return new Promise((done, fail) => socket.once('open', done).once('error', fail))
}

/** Code with which the host closes the connection. */
export function closed(socket: WebSocket): Promise<number> {
  return new Promise(done => socket.once('close', done))
}

/** Opens a socket and shows the token. */
export async function admitted(host: RunningWebHost): Promise<WebSocket> {
  const socket = socketTo(host)
  await opened(socket)
  const answer = new Promise<string>(done => socket.once('message', (data: Buffer) => done(data.toString())))
  socket.send(host.token)
  if (await answer !== helloAccepted) throw new Error('not admitted')
  socket.binaryType = 'arraybuffer'
  return socket
}

/** Connects as the editor's page does. */
export async function connect(host: RunningWebHost, heard: Partial<EngineListener> = {}): Promise<Connection> {
  const quiet = { runChanged: () => undefined, liveFrame: () => undefined, sweepChanged: () => undefined }
  const listener = { ...quiet, decomposing: () => undefined, documentChanged: () => undefined, prefabsChanged: () => undefined, recordingAhead: () => undefined, ...heard }
  return connectEngine(socketTransport(await admitted(host) as unknown as BinarySocket), listener, error => { throw error })
}
