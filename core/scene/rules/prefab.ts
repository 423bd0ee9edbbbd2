import { elementById, elementsOf } from '../ids'
import type { Path } from '../path'
import { fileFault } from '../prefabs/files'
import { hasPlace, overriddenPath } from '../prefabs/override'
import type { Instance, Prefab } from '../types'
import { requireReference, type RuleContext } from './context'
import { checkOrientation } from './body'
import { checkMember } from './group'

/** A prefab's path must lead below the scene's folder, and be unique among prefabs. */
export function checkPrefab({ scene, list }: RuleContext, { id, file }: Prefab, path: Path): void {
  const fault = fileFault(file)
  if (fault !== null) {
    list.report('InvalidPath', [...path, 'file'], fault, { value: file, allowed: 'a relative path with /, as parts/wheel.cairn.json', ids: [id] })
    return
  }
  const other = elementsOf(scene, 'prefabs').find(one => one.file === file)
  if (other !== undefined && other.id !== id) {
    list.report('InvalidPrefab', [...path, 'file'], `"${file}" is also the file of the prefab "${other.id}"`, { value: file, allowed: 'a prefab for each file', ids: [id, other.id] })
  }
}

export function checkInstance(context: RuleContext, instance: Instance, path: Path): void {
  requireReference(context, 'prefabs', instance.prefab, [...path, 'prefab'], instance.id)
  checkMember(context, instance, path)
  checkOrientation(context, instance.orientation, [...path, 'orientation'], instance.id)
  instance.overrides?.forEach((one, k) => {
    if (overriddenPath(one) !== null) return
    context.list.report('InvalidPath', [...path, 'overrides', k, 'field'], `"${one.field}" is not a property that an instance can override`, {
      value: one.field, allowed: 'the path of a property, as shapes[0].radius, other than id, group and expressions', ids: [instance.id],
    })
  })
}

/** Overrides of properties that the prefab's file no longer has are kept and reported: the file may get them back. */
export function checkOverridesUsed({ scene, list }: RuleContext): void {
  scene.instances?.forEach((instance, i) => instance.overrides?.forEach((one, k) => {
    const element = elementById(scene, one.collection, `${instance.id}.${one.of}`)
    const path = overriddenPath(one)
    if (path === null || (element && hasPlace(element, path))) return
    const missing = element ? `"${one.of}" has no "${one.field}"` : `no "${one.of}" is in ${one.collection}`
    list.report('UnusedOverride', ['instances', i, 'overrides', k], `An override of "${instance.id}" does nothing: in the file of its prefab, ${missing}`, {
      severity: 'warning', value: one.field, ids: [instance.id],
    })
  }))
}
