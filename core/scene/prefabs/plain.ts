import type { Group, Instance } from '../types'

interface Placing {
  readonly prefabs?: readonly object[]
  readonly instances?: readonly Pick<Instance, 'id' | 'name' | 'group'>[]
  readonly prefabFiles?: readonly object[]
  readonly groups?: readonly Group[]
}

/**
 * The scene without prefabs: their contents are its own, and its instances are groups with the same ids. This is what is simulated, exported and
 * recorded.
 */
export function plainScene<S extends Placing>(scene: S): S {
  const { prefabs, instances = [], prefabFiles, ...rest } = scene
  if (prefabs === undefined && instances.length === 0 && prefabFiles === undefined) return scene
  if (instances.length === 0) return rest as S
  return { ...rest, groups: [...rest.groups ?? [], ...instances.map(groupOf)] } as unknown as S
}

/** The group that replaces an instance. */
export function groupOf({ id, name, group }: Pick<Instance, 'id' | 'name' | 'group'>): Group {
  return { id, ...name === undefined ? {} : { name }, ...group === undefined ? {} : { group } }
}
