/**
 * Selected and hovered elements; neither saved nor undoable. Ids are unique in the document, so one list contains bodies, joints, forces,
 * materials and scripts. A shape and a contact are selected separately.
 */

import { computed, ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { ContactKey } from '../../main/protocol/runs'
import { useDocument } from './document'
import type { Collection } from './scene-access'

export interface SelectedShape {
  readonly body: string
  /** Index in the body's `shapes`. */
  readonly shape: number
}

export const sameContact = (a: ContactKey | null, b: ContactKey | null): boolean =>
  a !== null && b !== null && a.bodyA === b.bodyA && a.bodyB === b.bodyB && a.shapeA === b.shapeA && a.shapeB === b.shapeB
  && a.features[0] === b.features[0] && a.features[1] === b.features[1]

export const useSelection = defineStore('selection', () => {
  const document = useDocument()
  /** In order of selection. The last one is the active one, which the inspector shows. */
  const ids = shallowRef<readonly string[]>([])
  const shape = shallowRef<SelectedShape | null>(null)
  const contact = shallowRef<ContactKey | null>(null)
  /** Whether the contact was selected after the elements: both stay selected, each for its own panel. */
  const contactIsLatest = ref(false)
  const hovered = ref<string | null>(null)
  const hoveredContact = shallowRef<ContactKey | null>(null)

  const idSet = computed<ReadonlySet<string>>(() => new Set(ids.value))
  const active = computed(() => ids.value.at(-1) ?? null)

  function of(collection: Collection): string[] {
    return ids.value.filter(id => document.place(id)?.collection === collection)
  }
  const bodies = computed(() => of('bodies'))
  const deformables = computed(() => of('deformables'))
  const joints = computed(() => of('joints'))

  function select(next: readonly string[], how: 'replace' | 'add' | 'toggle' | 'remove' = 'replace') {
    shape.value = null
    contactIsLatest.value = false
    if (how === 'replace') {
      ids.value = [...new Set(next)]
      return
    }
    const given = new Set(next)
    const kept = ids.value.filter(id => !given.has(id))
    const had = new Set(ids.value)
    if (how === 'remove') ids.value = kept
    else if (how === 'add') ids.value = [...kept, ...given]
    else ids.value = [...kept, ...[...given].filter(id => !had.has(id))]
  }

  /** Selects one shape and its body. */
  function selectShape(body: string, index: number) {
    contactIsLatest.value = false
    ids.value = [body]
    shape.value = { body, shape: index }
  }

  function selectContact(key: ContactKey | null) {
    contact.value = key
    contactIsLatest.value = key !== null
  }

  function clear() {
    ids.value = []
    shape.value = null
    contact.value = null
    contactIsLatest.value = false
  }

  /** Deselects elements that no longer exist. */
  document.onChange(() => {
    if (ids.value.some(id => !document.place(id))) ids.value = ids.value.filter(id => document.place(id))
    const chosen = shape.value
    if (chosen && !document.element('bodies', chosen.body)?.shapes?.[chosen.shape]) shape.value = null
  })

  return {
    ids, idSet, active, bodies, deformables, joints, shape, contact, contactIsLatest, hovered, hoveredContact, select, selectShape, selectContact, clear,
  }
})
