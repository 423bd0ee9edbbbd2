/** The script shown in the editor, and the requested cursor position. */

import { computed, ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import { useDocument } from './document'
import { scriptsOf } from './scene-access'

/** Stands for the scene's JSON in place of a script's id. */
export const SCENE_JSON = '*scene'

export const useScripts = defineStore('scripts', () => {
  const document = useDocument()
  const selectedId = ref<string | null>(null)
  /** Position to go to; a new object for every request. */
  const target = shallowRef<{ readonly line: number; readonly column: number } | null>(null)

  /** The displayed script: the requested one if it exists, else the first. */
  const shown = computed(() => {
    if (selectedId.value === SCENE_JSON) return SCENE_JSON
    const scripts = scriptsOf(document.scene)
    return scripts.find(script => script.id === selectedId.value)?.id ?? scripts[0]?.id ?? null
  })

  function open(id: string, line?: number, column = 1) {
    selectedId.value = id
    target.value = line === undefined ? null : { line, column }
  }

  return { shown, target, open }
})
