/** The chosen part of the library, and its insertion into the scene. */

import { computed, reactive, ref } from 'vue'
import { defineStore } from 'pinia'
import { LIBRARY, ModellingError, type LibraryPart } from '../../core/modelling'
import { boxOfAll } from '../modelling/extents'
import { isPlanar } from '../modelling/plane'
import { wood } from '../modelling/templates'
import { useDocument } from './document'
import { pasteClip } from './editing'
import { pointInView } from './point-in-view'

export const useShapeLibrary = defineStore('library', () => {
  const document = useDocument()
  const wanted = ref(LIBRARY[0]!.id)
  /** Changed values by entry and field. */
  const changed = reactive(new Map<string, Readonly<Record<string, number>>>())
  const entries = computed(() => isPlanar(document.scene) ? LIBRARY.filter(({ planar }) => planar) : LIBRARY)
  const entry = computed(() => entries.value.find(({ id }) => id === wanted.value) ?? entries.value[0]!)
  const materials = computed(() => document.scene.materials ?? [])
  const made = computed((): LibraryPart | ModellingError => {
    try {
      return entry.value.make(changed.get(entry.value.id) ?? {}, materials.value[0]?.id ?? wood.id)
    } catch (error) {
      if (error instanceof ModellingError) return error
      throw error
    }
  })

  function choose(id: string) {
    wanted.value = id
  }

  const valueOf = (field: string): number => changed.get(entry.value.id)?.[field] ?? entry.value.fields[field]!.default

  function set(field: string, value: number) {
    changed.set(entry.value.id, { ...changed.get(entry.value.id), [field]: value })
  }

  /** Restores the defaults. */
  function reset() {
    changed.delete(entry.value.id)
  }

  /** Inserts the part on the surface in the middle of the view. @returns whether there was one to insert */
  function insert(): boolean {
    const part = made.value
    if (part instanceof ModellingError) return false
    const { bodies, joints = [], groups = [] } = part
    const { low, high } = boxOfAll(bodies)!
    const point = pointInView()
    const clip = { format: 'cairn-clip', materials: materials.value.length > 0 ? [] : [wood], bodies, joints, forces: [], scripts: [], groups } as const
    const across = isPlanar(document.scene) ? 0 : point[1] - (low[1] + high[1]) / 2
    pasteClip(`insert ${entry.value.label.toLowerCase()}`, clip, [point[0] - (low[0] + high[0]) / 2, across, point[2]])
    return true
  }

  return { entries, entry, made, changed, choose, valueOf, set, reset, insert }
})
