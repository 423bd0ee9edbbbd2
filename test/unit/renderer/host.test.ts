// @vitest-environment node
import { createBirpc } from 'birpc'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectHost } from '../../../renderer/host'
import { HostError } from '../../../main/protocol/host'
import { connectAnswer, connectRequest, type MenuCommand, type Shell, type ShellListener } from '../../../main/protocol/shell'
import { portTransport, serveEngine, type Served, type Serving } from '../../../main/protocol/wire'

/** The parts of a page's window that ports need, with a preload and a shell that answer over real MessageChannels. */
class Desktop {
  requests = 0
  version = '1.0.0'
  menu: readonly MenuCommand[] = []
  page!: ReturnType<typeof createBirpc<ShellListener, Shell>>
  serving!: Serving
  readonly ports: MessagePort[] = []
  readonly target = new EventTarget()

  constructor() {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 Chrome/156.0 Electron/45.4.1' })
    Object.assign(globalThis, {
      window: Object.assign(this.target, {
        postMessage: (message: unknown, _origin: string, ports: MessagePort[] = []) => queueMicrotask(() => {
          const event = Object.assign(new Event('message'), { data: message, ports, source: globalThis.window })
          this.target.dispatchEvent(event)
          if (message === connectRequest) this.answer()
        }),
      }),
    })
  }

  answer(): void {
    this.requests++
    const engine = new MessageChannel()
    const shell = new MessageChannel()
    this.ports.push(engine.port1, engine.port2, shell.port1, shell.port2)
    const version = this.version
    const stand = {
      version: async () => version,
      openHandle: () => new Promise(() => undefined), // never ends
      check: async () => { throw new HostError('Refused', 'no', [{ name: 'A', severity: 'error', message: 'b', path: 'c', ids: [] }]) },
      leaveDrafts: () => undefined,
    } as unknown as Served
    this.serving = serveEngine(stand, portTransport(engine.port1), error => { throw error })
    const listener = portTransport(shell.port1)
    this.page = createBirpc<ShellListener, Shell>({
      chooseOpen: async () => 'handle 1',
      chooseSave: async () => null,
      saveFile: async (name, data) => name === 'a.csv' && data.length === 3,
      initialDocument: async () => 'handle 2',
      setMenu: async commands => { this.menu = commands },
    }, { post: message => listener.post(message), on: received => listener.receive(received, () => undefined), timeout: -1 })
    globalThis.window.postMessage(connectAnswer, '/', [engine.port2, shell.port2] as never)
  }

  close(): void {
    for (const port of this.ports) port.close()
    Reflect.deleteProperty(globalThis, 'window')
    vi.unstubAllGlobals()
  }
}

const connectDesktop = () => connectHost(() => { throw new Error('The desktop application has no in-page dialogs.') })
const settled = () => new Promise(resolve => setTimeout(resolve, 20))

describe('the host of the desktop application', () => {
  let desktop: Desktop
  beforeEach(() => { desktop = new Desktop() })
  afterEach(() => desktop.close())

  it('reaches the engine and the shell, each over its own port', async () => {
    const { host } = await connectDesktop()
    expect(await host.engine.version()).toBe('1.0.0')
    expect(await host.dialogs.chooseOpen()).toBe('handle 1')
    expect(await host.dialogs.chooseSave('x')).toBeNull()
    expect(await host.dialogs.saveFile('a.csv', new Uint8Array(3))).toBe(true)
    expect(await host.initialDocument()).toBe('handle 2')
  })

  it('throws errors with their names and problems', async () => {
    const { host } = await connectDesktop()
    await expect(host.engine.check('{}', 'ticket')).rejects.toMatchObject({ name: 'Refused', problems: [{ name: 'A', path: 'c' }] })
  })

  it('passes on the engine\'s notices and the chosen menu entry', async () => {
    const { host, menu } = await connectDesktop()
    const heard: unknown[] = []
    const stop = host.listen({ documentChanged: handle => heard.push(handle) })
    menu!.onCommand(id => heard.push(id))
    menu!.set([{ id: 'file.open', label: 'Open', menu: 'File', enabled: true }])
    await settled()
    expect(desktop.menu).toMatchObject([{ id: 'file.open' }])
    desktop.serving.listener.documentChanged('handle 1', 'r')
    await settled()
    void desktop.page.command.asEvent('file.open')
    await settled()
    stop()
    desktop.serving.listener.documentChanged('handle 3', 'r')
    await settled()
    expect(heard).toEqual(['handle 1', 'file.open'])
  })

  it('requests new ports when the engine has restarted: pending calls fail, later ones work', async () => {
    const { host } = await connectDesktop()
    const states: string[] = []
    host.onConnection(state => states.push(state))
    const pending = host.engine.openHandle('handle 1').catch((error: Error) => error.name)
    desktop.version = '2.0.0'
    void desktop.page.engineExited.asEvent(true)
    expect(await pending).toBe('ConnectionLost')
    await settled()
    expect(states).toEqual(['reconnecting', 'connected'])
    expect(desktop.requests).toBe(2)
    expect(await host.engine.version()).toBe('2.0.0')
  })

  it('reports that the engine is lost if it fails at every start', async () => {
    const { host } = await connectDesktop()
    const states: string[] = []
    host.onConnection(state => states.push(state))
    void desktop.page.engineExited.asEvent(false)
    await settled()
    expect(states).toEqual(['lost'])
    await expect(host.engine.version()).rejects.toMatchObject({ name: 'ConnectionLost' })
  })
})
