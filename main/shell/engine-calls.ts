import type { Handle } from '../protocol/documents'

/** What the shell asks of the engine's process, besides giving windows a port to it. Paths come from dialogs, the command line or the system. */
export interface EngineCalls {
  /** A handle for a file, which need not exist yet. */
  handleFor(path: string): Promise<Handle>
  /** Writes a file whole or not at all. */
  write(path: string, data: Uint8Array): Promise<void>
}

/** Shell → engine's process. A `window` message carries that window's MessagePort. */
export type ToEngine = { readonly kind: 'call'; readonly call: unknown } | { readonly kind: 'window' }
