import type { Handle } from '../protocol/documents'

/** Calls from the shell to the engine's process. Paths come from dialogs, the command line or the system. */
export interface EngineCalls {
  /** A handle for a file, which need not exist yet. */
  handleFor(path: string): Promise<Handle>
  /** Writes a file completely or not at all. */
  write(path: string, data: Uint8Array): Promise<void>
}

/** Shell → engine's process. A `window` message carries that window's MessagePort; after `stop`, runs finish their files and the process ends. */
export type ToEngine = { readonly kind: 'call'; readonly call: unknown } | { readonly kind: 'window' } | { readonly kind: 'stop' }

/** Engine's process → shell, besides answers to calls: it cannot start, and why. */
export interface EngineRefusal {
  readonly kind: 'refusal'
  readonly message: string
}

export function isRefusal(message: unknown): message is EngineRefusal {
  return typeof message === 'object' && message !== null && (message as { kind?: unknown }).kind === 'refusal'
}
