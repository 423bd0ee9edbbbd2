import type { Handle } from '../protocol/documents'

/** What the shell asks of the engine's process, besides giving windows a port to it. Paths come from dialogs, the command line or the system. */
export interface EngineCalls {
  /** A handle for a file, which need not exist yet. */
  handleFor(path: string): Promise<Handle>
  /** Writes a file whole or not at all. */
  write(path: string, data: Uint8Array): Promise<void>
}

/** Shell → engine's process. A `window` message carries that window's MessagePort; `stop` has runs finish their files before the process ends. */
export type ToEngine = { readonly kind: 'call'; readonly call: unknown } | { readonly kind: 'window' } | { readonly kind: 'stop' }

/** Engine's process → shell, besides the answers to calls: it cannot start, and why. */
export interface EngineRefusal {
  readonly kind: 'refusal'
  readonly message: string
}

export function isRefusal(message: unknown): message is EngineRefusal {
  return typeof message === 'object' && message !== null && (message as { kind?: unknown }).kind === 'refusal'
}
