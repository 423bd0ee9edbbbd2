/** Properties of an instance that differ from its prefab, as the inspector shows and reverts them. */

import { inherited, instanceAround, overriddenPath, placeOf, valueAt, withoutOverrides, type Instance, type Overridable, type Scene } from '../../core/scene'
import { useDocument } from './document'
import { contentOfFile } from './instances'
import { titleOf } from './scene-access'

type Override = NonNullable<Instance['overrides']>[number]

export interface OverrideRow {
  readonly instance: string
  readonly override: Override
  /** The object's name and the property, for users: wheel · Shape 1 radius. */
  readonly label: string
  /** The prefab's value. */
  readonly former: unknown
}

/** Overrides of an instance, or of one object of it. */
export function overridesOf(scene: Scene, id: string): OverrideRow[] {
  const owner = instanceAround(scene, id) ?? id
  const instance = scene.instances?.find(one => one.id === owner)
  return (instance?.overrides ?? []).filter(one => id === owner || id === `${owner}.${one.of}`).map(override => {
    const part = `${owner}.${override.of}`
    const base = inherited(scene, owner, override.collection, part, contentOfFile)
    const path = overriddenPath(override)
    return { instance: owner, override, label: labelOf(scene, id, part, override), former: base && path ? valueAt(base, path) : undefined }
  })
}

function labelOf(scene: Scene, shown: string, part: string, { of, collection, field }: Override): string {
  const property = field.replace(/\[(\d+)\]/g, (_, n: string) => ` ${Number(n) + 1}`).replaceAll('.', ' ').replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
  const words = property.charAt(0).toUpperCase() + property.slice(1)
  const place = placeOf(scene, part)
  const element = place?.collection === collection ? scene[collection]![place.index]! : null
  return shown === part ? words : `${element ? titleOf(element) : of} · ${words}`
}

/** Whether the value at a path of the document is an override, or contains one. */
export function isOverridden(scene: Scene, path: string): boolean {
  const [, collection, index, field] = /^(\w+)\[(\d+)\]\.(.+)$/.exec(path) ?? []
  if (collection === undefined || !scene.instances?.some(one => one.overrides)) return false
  const id = (scene[collection as Overridable] as readonly { id: string }[] | undefined)?.[Number(index)]?.id
  const owner = id === undefined ? null : instanceAround(scene, id)
  const overrides = owner === null ? undefined : scene.instances.find(one => one.id === owner)!.overrides
  return overrides?.some(one => one.collection === collection && `${owner!}.${one.of}` === id && one.field === field) === true
}

/** Reverts properties to the prefab's values: one undo entry. */
export function revertOverrides(rows: readonly OverrideRow[]): void {
  const [first] = rows
  if (!first) return
  const gone = new Set(rows.map(({ override }) => override))
  useDocument().transact('revert to prefab', scene => ({ ok: true, scene: withoutOverrides(scene, first.instance, one => gone.has(one)), warnings: [] }))
}
