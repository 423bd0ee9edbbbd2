/** Electron's main process: the application's life cycle, its windows and their menu. Documents and runs are in the engine's process. */
import { app, BrowserWindow, dialog, Menu } from 'electron'
import { documentArguments } from './arguments'
import { EngineLink } from './engine-link'
import { denyPermissions, guardContents } from './guard'
import { menuTemplate } from './menu'
import { declareScheme, servePages } from './pages'
import { EditorWindow } from './window'

const windows = new Set<EditorWindow>()
let engine: EngineLink | null = null
const openedByFinder: string[] = [] // macOS reports the first documents before the application is ready
let stopped = false

app.enableSandbox()
declareScheme()
guardContents()

if (app.requestSingleInstanceLock()) run()
else app.quit()

function run(): void {
  app.on('second-instance', (_event, args, folder) => openWindows(documentArguments(args.slice(1), folder)))
  app.on('open-file', (event, path) => {
    event.preventDefault()
    if (app.isReady()) openWindow(path)
    else openedByFinder.push(path)
  })
  app.on('activate', () => {
    if (windows.size === 0) openWindow(null)
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('will-quit', event => {
    if (engine === null || stopped) return
    event.preventDefault()
    void engine.stop().then(() => {
      stopped = true
      app.quit()
    })
  })
  app.on('browser-window-focus', (_event, focused) => {
    for (const window of windows) if (window.browser === focused) showMenu(window)
  })
  app.whenReady().then(start).catch(fail)
}

function start(): void {
  servePages()
  denyPermissions()
  if (process.platform !== 'darwin') Menu.setApplicationMenu(null)
  engine = new EngineLink(restarted => {
    for (const window of windows) window.engineExited(restarted)
  }, reason => {
    dialog.showErrorBox('Cairn cannot start', reason)
    app.exit(1)
  })
  openWindows([...openedByFinder, ...documentArguments(process.argv.slice(1), process.cwd())])
}

/** One window per document; an empty one if there is none. */
function openWindows(paths: readonly string[]): void {
  if (paths.length === 0) openWindow(null)
  for (const path of paths) openWindow(path)
}

function openWindow(path: string | null): void {
  if (engine === null) return
  const window = new EditorWindow(engine, path, showMenu)
  windows.add(window)
  window.browser.on('closed', () => windows.delete(window))
  window.load().catch((error: unknown) => window.failedToLoad(error))
}

/** On macOS the menu bar belongs to the window with the focus; elsewhere the page has its own. */
function showMenu(window: EditorWindow): void {
  if (process.platform !== 'darwin' || BrowserWindow.getFocusedWindow() !== window.browser) return
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(window.menu, id => window.choose(id))))
}

function fail(error: unknown): void {
  console.error(error)
  app.exit(1)
}
