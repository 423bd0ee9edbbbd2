import type { Host } from '../../main/protocol/host'

/** The host of this window. Stores get it from here; `main.ts` sets it once, tests set their own. */
let current: Host | null = null

export function setHost(host: Host): void {
  current = host
}

export function useHost(): Host {
  if (!current) throw new Error('The host was asked for before it was set.')
  return current
}
