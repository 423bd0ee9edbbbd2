/**
 * Connects to the engine: through message ports if Electron's preload answers, else to the web host over a WebSocket. The rest of the editor
 * uses the resulting `Host` and does not know which. Calls made while disconnected wait for the connection.
 */

import { connectEngine, portTransport, socketTransport, type Connection } from '../main/protocol/wire'
import { HostError, type ConnectionState, type Dialogs, type Engine, type EngineListener, type Host, type WebHost } from '../main/protocol/host'
import type { Handle } from '../main/protocol/documents'
import { connectAnswer, connectRequest, type MenuCommand, type Shell, type ShellListener } from '../main/protocol/shell'
import { closeCodes, helloAccepted, socketPath, tokenKey } from '../main/protocol/web-session'
import { createBirpc } from 'birpc'

/** Electron's application menu. */
export interface NativeMenu {
  set(commands: readonly MenuCommand[]): void
  onCommand(listener: (id: string) => void): void
}

export interface Connected {
  readonly host: Host
  readonly menu: NativeMenu | null
}

/** The web host's in-page dialogs, provided by the interface. */
export type WebDialogs = (files: WebHost) => Dialogs

const RETRY_MS = [250, 500, 1000, 2000, 4000] as const

class Link {
  private connection: Connection | null = null
  private readonly listeners = new Set<Partial<EngineListener>>()
  private readonly states = new Set<(state: ConnectionState) => void>()
  private waiting: (() => void)[] = []
  private failure: HostError | null = null

  readonly listener: EngineListener = {
    runChanged: run => { for (const one of this.listeners) one.runChanged?.(run) },
    liveFrame: frame => { for (const one of this.listeners) one.liveFrame?.(frame) },
    sweepChanged: sweep => { for (const one of this.listeners) one.sweepChanged?.(sweep) },
    decomposing: (ticket, stage) => { for (const one of this.listeners) one.decomposing?.(ticket, stage) },
    documentChanged: (handle, revision) => { for (const one of this.listeners) one.documentChanged?.(handle, revision) },
    recordingAhead: status => { for (const one of this.listeners) one.recordingAhead?.(status) },
    prefabsChanged: handle => { for (const one of this.listeners) one.prefabsChanged?.(handle) },
  }

  use(connection: Connection) {
    this.connection = connection
    this.failure = null
    this.notify('connected')
    this.release()
  }

  /** `final`: no connection will be made any more, so calls fail. */
  lose(final: HostError | null = null) {
    const lost = this.connection
    this.connection = null
    lost?.close() // ends calls that wait for an answer
    this.failure = final
    this.notify(final ? 'lost' : 'reconnecting')
    if (final) this.release()
  }

  private release() {
    for (const go of this.waiting.splice(0)) go()
  }

  private notify(state: ConnectionState) {
    for (const one of this.states) one(state)
  }

  private async current(): Promise<Connection> {
    while (!this.connection) {
      if (this.failure) throw this.failure
      await new Promise<void>(resolve => { this.waiting.push(resolve) })
    }
    return this.connection
  }

  /** An engine that sends calls over the current connection. */
  engine(): Engine {
    return this.proxy(connection => connection.engine)
  }
  web(): WebHost {
    return this.proxy(connection => connection.web)
  }
  private proxy<T extends object>(part: (connection: Connection) => T): T {
    return new Proxy({}, {
      // A proxy with a `then` would be awaited as a promise.
      get: (_, name) => name === 'then' ? undefined : async (...args: unknown[]) => {
        const target = part(await this.current()) as Record<PropertyKey, (...args: unknown[]) => Promise<unknown>>
        return target[name]!(...args)
      },
    }) as T
  }

  listen(listener: Partial<EngineListener>) {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
  onConnection(listener: (state: ConnectionState) => void) {
    this.states.add(listener)
    return () => this.states.delete(listener)
  }
}

export async function connectHost(webDialogs: WebDialogs): Promise<Connected> {
  const native = 'navigator' in globalThis && /\bElectron\//.test(navigator.userAgent)
  return native ? connectNative() : connectWeb(webDialogs)
}

/* Web host */

async function connectWeb(webDialogs: WebDialogs): Promise<Connected> {
  const link = new Link()
  const token = takeToken()
  let attempt = 0
  let rejections = 0
  let settled: () => void = () => undefined
  const first = new Promise<void>(resolve => { settled = resolve })

  const open = () => {
    const address = new URL(socketPath, location.href)
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
    address.hash = ''
    const socket = new WebSocket(address)
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => socket.send(token))
    const onAnswer = (event: MessageEvent) => {
      if (event.data !== helloAccepted) return
      socket.removeEventListener('message', onAnswer)
      attempt = rejections = 0
      settled()
      link.use(connectEngine(socketTransport(socket), link.listener, () => socket.close()))
    }
    socket.addEventListener('message', onAnswer)
    socket.addEventListener('close', event => {
      settled()
      // A page too busy to send its key in time is rejected like one without a key. Only the third rejection is final.
      if (event.code === closeCodes.unauthorized && ++rejections > 2) {
        link.lose(new HostError('NotAllowed', 'This address has no valid key. Open the one that Cairn printed when it started.'))
        return
      }
      link.lose()
      setTimeout(open, RETRY_MS[Math.min(attempt++, RETRY_MS.length - 1)])
    })
  }
  open()
  // The key must arrive within two seconds of connecting, so wait for the page's startup work first, but for a limited time.
  await Promise.race([first, new Promise(resolve => setTimeout(resolve, 3000))])

  const web = link.web()
  return {
    menu: null,
    host: {
      engine: link.engine(), dialogs: webDialogs(web), initialDocument: () => web.initialDocument(),
      listen: listener => link.listen(listener), onConnection: listener => link.onConnection(listener),
    },
  }
}

/** The key is in the address's fragment, which is not sent to the server; then it is kept for this tab only. */
function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get(tokenKey)
  if (given) {
    sessionStorage.setItem(tokenKey, given)
    history.replaceState(null, '', location.pathname + location.search)
  }
  return given ?? sessionStorage.getItem(tokenKey) ?? ''
}

/* Electron */

async function connectNative(): Promise<Connected> {
  const link = new Link()
  let shell: Shell | null = null
  const onCommand = new Set<(id: string) => void>()

  const connect = async () => {
    const [enginePort, shellPort] = await requestPorts()
    link.use(connectEngine(portTransport(enginePort), link.listener, () => enginePort.close()))
    const listener: ShellListener = {
      command: id => { for (const one of onCommand) one(id) },
      engineExited: restarted => {
        link.lose(restarted ? null : new HostError('ConnectionLost', 'The engine ended and could not be started again.'))
        if (restarted) void connect()
      },
    }
    shell = createBirpc<Shell, ShellListener>(listener, {
      post: message => shellPort.postMessage(message), timeout: -1,
      on: receive => {
        shellPort.addEventListener('message', event => receive(event.data))
        shellPort.start()
      },
    })
  }
  await connect()

  const now = () => {
    if (!shell) throw new HostError('ConnectionLost', 'The connection to the shell was lost.')
    return shell
  }
  const dialogs: Dialogs = {
    chooseOpen: () => now().chooseOpen(), chooseSave: name => now().chooseSave(name), saveFile: (name, data) => now().saveFile(name, data),
  }
  return {
    host: {
      engine: link.engine(), dialogs, initialDocument: (): Promise<Handle | null> => now().initialDocument(),
      listen: listener => link.listen(listener), onConnection: listener => link.onConnection(listener),
    },
    menu: {
      // If the menu cannot be set it stays as it was; the page's own menu bar has the same commands.
      set: commands => void shell?.setMenu(commands).catch(() => undefined),
      onCommand: listener => { onCommand.add(listener) },
    },
  }
}

function requestPorts(): Promise<readonly [MessagePort, MessagePort]> {
  return new Promise(resolve => {
    const onMessage = (event: MessageEvent) => {
      const [engine, shell] = event.ports
      if (event.source !== window || event.data !== connectAnswer || !engine || !shell) return
      window.removeEventListener('message', onMessage)
      resolve([engine, shell])
    }
    window.addEventListener('message', onMessage)
    window.postMessage(connectRequest, '/')
  })
}
