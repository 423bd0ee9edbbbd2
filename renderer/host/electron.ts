/** The outside world in the desktop application: two ports that the preload hands over, one to the engine's process, one to the shell. */
import { createBirpc, type BirpcReturn } from 'birpc'
import { HostError, type ConnectionState, type Engine, type EngineListener, type Host } from '../../main/protocol/host'
import { connectAnswer, connectRequest, type MenuCommand, type Shell, type ShellListener } from '../../main/protocol/shell'
import { connectEngine, portTransport } from '../../main/protocol/wire'

export interface DesktopHost extends Host {
  /** Fills a Mac's menu bar; elsewhere nothing is seen of it. */
  setMenu(commands: readonly MenuCommand[]): Promise<void>
  /** Hears the ids of menu entries that were chosen. */
  onCommand(listener: (id: string) => void): () => void
}

/** Whether this page is shown by the desktop application. */
export const isDesktop = (): boolean => location.protocol === 'cairn:'

/** Asks for ports, again whenever the engine's process was started anew, and gives the host once the first ones are here. */
export async function connectDesktop(): Promise<DesktopHost> {
  const notices = new Set<Partial<EngineListener>>()
  const connections = new Set<(state: ConnectionState) => void>()
  const commands = new Set<(id: string) => void>()
  const listener: EngineListener = {
    runChanged: run => notices.forEach(each => each.runChanged?.(run)),
    documentChanged: handle => notices.forEach(each => each.documentChanged?.(handle)),
  }
  const tell = (state: ConnectionState) => connections.forEach(each => each(state))
  const shellListener: ShellListener = {
    command: id => commands.forEach(each => each(id)),
    engineExited: restarted => {
      close()
      line = restarted ? askForPorts().then(open) : Promise.reject(new HostError('ConnectionLost', 'The engine ended and could not be started again.'))
      tell(restarted ? 'reconnecting' : 'lost')
      line.then(() => tell('connected'), () => undefined) // a rejected line is told to every call
    },
  }
  let close = () => {}
  const open = ([enginePort, shellPort]: readonly [MessagePort, MessagePort]): Line => {
    const engine = connectEngine(portTransport(enginePort), listener, error => console.error(error))
    close = () => engine.close()
    return { engine: engine.engine, shell: connectShell(shellPort, shellListener) }
  }

  let line = askForPorts().then(open)
  await line
  return {
    engine: forwardTo(async () => (await line).engine),
    dialogs: {
      chooseOpen: async () => (await line).shell.chooseOpen(),
      chooseSave: async suggestedName => (await line).shell.chooseSave(suggestedName),
      saveFile: async (name, data) => (await line).shell.saveFile(name, data),
    },
    initialDocument: async () => (await line).shell.initialDocument(),
    setMenu: async menu => (await line).shell.setMenu(menu),
    listen: added => subscribe(notices, added),
    onConnection: added => subscribe(connections, added),
    onCommand: added => subscribe(commands, added),
  }
}

interface Line {
  readonly engine: Engine
  readonly shell: BirpcReturn<Shell, ShellListener>
}

/** An engine whose every call goes to the one that is current when it is made. */
function forwardTo(current: () => Promise<Engine>): Engine {
  return new Proxy({} as Engine, {
    get: (_target, name) => {
      if (name === 'then') return undefined // no promise, though it looks like one
      return async (...args: unknown[]) => {
        const method = Reflect.get(await current(), name) as (...args: unknown[]) => unknown
        return method(...args)
      }
    },
  })
}

function subscribe<T>(listeners: Set<T>, added: T): () => void {
  listeners.add(added)
  return () => void listeners.delete(added)
}

function askForPorts(): Promise<readonly [MessagePort, MessagePort]> {
  return new Promise(resolve => {
    const answered = (event: MessageEvent) => {
      const [engine, shell] = event.ports
      if (event.source !== window || event.data !== connectAnswer || !engine || !shell) return
      window.removeEventListener('message', answered)
      resolve([engine, shell])
    }
    window.addEventListener('message', answered)
    window.postMessage(connectRequest, '/')
  })
}

function connectShell(port: MessagePort, listener: ShellListener): BirpcReturn<Shell, ShellListener> {
  const transport = portTransport(port)
  return createBirpc<Shell, ShellListener>(listener, {
    post: message => transport.post(message),
    on: received => transport.receive(received, error => console.error(error)),
    timeout: -1, // a dialog stays open as long as its reader likes
  })
}
