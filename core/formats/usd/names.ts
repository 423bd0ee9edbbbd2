/** What a prim is called in the scene: by the id and name that an exported scene keeps in its custom data, or as the file names it. */

import type { UsdPrim } from './layer'

/** From which the id is made. */
export function nameOf(prim: UsdPrim): string {
  return kept(prim, 'id') ?? displayName(prim) ?? prim.name
}

/** The name that is shown instead of the id, where it is another. */
export function shownName(prim: UsdPrim): string | undefined {
  return kept(prim, 'name') ?? displayName(prim)
}

function displayName(prim: UsdPrim): string | undefined {
  const name = prim.metadata.get('displayName')
  return kept(prim, 'name') === undefined && typeof name === 'string' ? name : undefined
}

function kept(prim: UsdPrim, key: string): string | undefined {
  const custom = prim.metadata.get('customData')
  const cairn = custom instanceof Map ? (custom as ReadonlyMap<string, unknown>).get('cairn') : undefined
  const value = cairn instanceof Map ? (cairn as ReadonlyMap<string, unknown>).get(key) : undefined
  return typeof value === 'string' ? value : undefined
}
