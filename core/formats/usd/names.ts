/** Name of a prim in the scene: the id and name that an exported scene stores in its custom data, or the name in the file. */

import type { UsdPrim } from './layer'

/** Name from which the id is made. */
export function nameOf(prim: UsdPrim): string {
  return kept(prim, 'id') ?? displayName(prim) ?? prim.name
}

/** Display name, if different from the id. */
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
