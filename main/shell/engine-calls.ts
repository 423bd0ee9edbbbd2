import type { Handle } from '../protocol/host'

/** What the shell asks of the engine's process, besides giving windows a port to it. */
export interface EngineCalls {
  /** A handle for a file that a dialog, the command line or the system named; it need not exist yet. */
  handleFor(path: string): Promise<Handle>
}

/** Shell → engine's process. A `window` message carries that window's MessagePort. */
export type ToEngine = { readonly kind: 'call'; readonly call: unknown } | { readonly kind: 'window' }
