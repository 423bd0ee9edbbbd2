import { join } from 'node:path'
import { BrowserWindow, dialog, MessageChannelMain, type MessagePortMain } from 'electron'
import { createBirpc, type BirpcReturn } from 'birpc'
import { connectAnswer, connectRequest, type MenuCommand, type Shell, type ShellListener } from '../protocol/shell'
import { dialogsOf } from './dialogs'
import type { EngineLink } from './engine-link'
import { isTrustedSender, startPage } from './security'

/** An editor window: its page, the connection to it, and the commands that the page adds to the menu. */
export class EditorWindow {
  readonly browser: BrowserWindow
  menu: readonly MenuCommand[] = []
  #page: BirpcReturn<ShellListener, Shell> | null = null

  /** `path` is the document to open first; `menuChanged` is called when this window's commands changed. */
  constructor(
    private readonly engine: EngineLink, private readonly path: string | null, private readonly menuChanged: (window: EditorWindow) => void,
  ) {
    this.browser = new BrowserWindow({
      width: 1440, height: 900, minWidth: 800, minHeight: 560, show: false, title: 'Cairn', backgroundColor: '#1b1d21',
      webPreferences: {
        preload: join(import.meta.dirname, '../preload/preload.cjs'),
        sandbox: true, contextIsolation: true, nodeIntegration: false, nodeIntegrationInWorker: false, nodeIntegrationInSubFrames: false,
        webSecurity: true, allowRunningInsecureContent: false, webviewTag: false, navigateOnDragDrop: false, spellcheck: false,
      },
    })
    this.browser.once('ready-to-show', () => this.browser.show())
    this.browser.webContents.on('ipc-message', (event, channel) => {
      if (channel === connectRequest && isTrustedSender(event.senderFrame)) this.#connect()
    })
    this.browser.webContents.on('will-prevent-unload', event => {
      if (this.#leaveUnsaved()) event.preventDefault()
    })
    this.browser.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') this.#loadAgain(reason)
    })
  }

  load(): Promise<void> {
    return this.browser.loadURL(startPage)
  }

  /** Closes only this window: others may have unsaved changes. */
  failedToLoad(error: unknown): void {
    if (this.browser.isDestroyed()) return // closed while loading
    console.error(error)
    dialog.showErrorBox('The editor could not be loaded', error instanceof Error ? error.message : String(error))
    this.browser.destroy()
  }

  choose(command: string): void {
    void this.#page?.command.asEvent(command)
  }

  engineExited(restarted: boolean): void {
    void this.#page?.engineExited.asEvent(restarted)
  }

  /** Sends new ports to the page, at its start and after it lost the engine. */
  #connect(): void {
    const engine = new MessageChannelMain()
    const shell = new MessageChannelMain()
    this.#page?.$close()
    this.#page = this.#listenTo(shell.port1)
    this.engine.addWindow(engine.port1)
    this.browser.webContents.mainFrame.postMessage(connectAnswer, null, [engine.port2, shell.port2])
  }

  #listenTo(port: MessagePortMain): BirpcReturn<ShellListener, Shell> {
    const calls: Shell = {
      ...dialogsOf(this.browser, () => this.engine.calls),
      initialDocument: async () => (this.path === null ? null : this.engine.calls.handleFor(this.path)),
      setMenu: async commands => {
        this.menu = commands
        this.menuChanged(this)
      },
    }
    const page = createBirpc<ShellListener, Shell>(calls, {
      post: message => port.postMessage(message),
      on: listener => port.on('message', event => listener(event.data)),
      timeout: -1, // the dialog stays open indefinitely
    })
    port.start()
    return page
  }

  /** Reloads the page, which then offers unsaved changes for recovery. */
  #loadAgain(reason: string): void {
    this.#page?.$close()
    this.#page = null
    const answer = dialog.showMessageBoxSync(this.browser, {
      type: 'error', message: 'The editor ended unexpectedly', detail: `Reason: ${reason}. Changes up to a few seconds ago were kept and can be recovered.`,
      buttons: ['Load again', 'Close the window'], defaultId: 0, cancelId: 1,
    })
    if (answer === 0) this.load().catch((error: unknown) => this.failedToLoad(error))
    else this.browser.destroy()
  }

  #leaveUnsaved(): boolean {
    return dialog.showMessageBoxSync(this.browser, {
      type: 'question', message: 'Leave without saving?', detail: 'Your last changes are not saved.',
      buttons: ['Leave', 'Stay'], defaultId: 1, cancelId: 1,
    }) === 0
  }
}
