/**
 * The interface between the editor's page and Electron's shell. The page asks its preload for ports with `connectRequest`. The preload passes the request to
 * the shell, and two MessagePorts back: [0] to the engine's process and [1] to the shell. So frames do not pass through the shell, and the page has no
 * access to Node objects.
 */
import type { Dialogs } from './host'
import type { Handle } from './documents'

/** `window.postMessage` from the page to its preload. */
export const connectRequest = 'cairn:connect'
/** `window.postMessage` from the preload to the page; `ports` are [engine, shell]. */
export const connectAnswer = 'cairn:ports'

/** One entry of a Mac's menu bar, from the editor's command registry. */
export interface MenuCommand {
  readonly id: string
  readonly label: string
  /** Title of the top-level menu it belongs to, e.g. `File`. */
  readonly menu: string
  readonly submenu?: string
  /** Commands of one group are adjacent; groups are separated by a line. */
  readonly group?: string
  /** As the editor writes it, e.g. `Ctrl+Shift+P`. */
  readonly shortcut?: string
  readonly enabled: boolean
  readonly checked?: boolean
}

/** Calls from the page to the shell. */
export interface Shell extends Dialogs {
  /** The document for this window given by the command line, the system or a second start. */
  initialDocument(): Promise<Handle | null>
  /** Fills the system's menu bar, if it has one, while this window has the focus. */
  setMenu(commands: readonly MenuCommand[]): Promise<void>
}

/** Notifications from the shell to the page. */
export interface ShellListener {
  /** A menu entry was chosen. */
  command(id: string): void
  /** The engine's process ended. If it was `restarted`, request new ports; if not, it fails at every start. */
  engineExited(restarted: boolean): void
}
