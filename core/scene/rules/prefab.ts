import { elementsOf } from '../ids'
import type { Path } from '../path'
import { fileFault } from '../prefabs/files'
import type { Instance, Prefab } from '../types'
import { requireReference, type RuleContext } from './context'
import { checkOrientation } from './body'
import { checkMember } from './group'

/** A prefab's path leads below the scene's folder, and no other prefab has it. */
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
}
