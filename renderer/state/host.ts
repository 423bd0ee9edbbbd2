import type { Host } from '../../main/protocol/host'

/** The one outside world of this window. Stores take it from here; `main.ts` sets it once, tests set their own. */
let current: Host | null = null

export function setHost(host: Host): void {
  current = host
}

export function useHost(): Host {
  if (!current) throw new Error('The host was asked for before it was set.')
  return current
}
