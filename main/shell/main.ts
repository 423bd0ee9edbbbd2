/** Electron's main process: the application's life, its windows and their menu. Thin: documents and runs live in the engine's process. */
import { app, BrowserWindow, Menu } from 'electron'
import { documentArgument } from './arguments'
import { EngineLink } from './engine-link'
import { denyPermissions, guardContents } from './guard'
import { menuTemplate } from './menu'
import { declareScheme, servePages } from './pages'
import { EditorWindow } from './window'

const windows = new Set<EditorWindow>()
let engine: EngineLink | null = null
let openedByFinder: string | null = null // macOS names the first document before the application is ready

app.enableSandbox()
declareScheme()
guardContents()

if (app.requestSingleInstanceLock()) run()
else app.quit()

function run(): void {
  app.on('second-instance', (_event, args, folder) => openWindow(documentArgument(args.slice(1), folder)))
  app.on('open-file', (event, path) => {
    event.preventDefault()
    if (app.isReady()) openWindow(path)
    else openedByFinder = path
  })
  app.on('activate', () => {
    if (windows.size === 0) openWindow(null)
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('will-quit', () => engine?.stop())
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
  })
  openWindow(openedByFinder ?? documentArgument(process.argv.slice(1), process.cwd()))
}

function openWindow(path: string | null): void {
  if (engine === null) return
  const window = new EditorWindow(engine, path, showMenu)
  windows.add(window)
  window.browser.on('closed', () => windows.delete(window))
  window.load().catch(fail)
}

/** A Mac's menu bar belongs to the window with the focus; elsewhere the page has its own. */
function showMenu(window: EditorWindow): void {
  if (process.platform !== 'darwin' || BrowserWindow.getFocusedWindow() !== window.browser) return
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(window.menu, id => window.choose(id))))
}

function fail(error: unknown): void {
  console.error(error)
  app.exit(1)
}
