/** Forces and plots of the scripts over the first moments of the scene, computed again a moment after each edit while they are shown. */

import { ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import type { Problem } from '../../main/protocol/problem'
import type { ScriptPreview } from '../../main/protocol/runs'
import { useDocument } from './document'
import { useHost } from './host'
import { withNames } from './id-from-name'
import { problemsOf } from './runs'
import { scriptsOf } from './scene-access'
import { sceneText } from './scene-text'

/** ms without an edit before the preview is computed. */
const PATIENCE = 500

export const useScriptPreview = defineStore('scriptPreview', () => {
  const document = useDocument()
  const shown = ref(false)
  const preview = shallowRef<ScriptPreview | null>(null)
  /** Why there is none. */
  const fault = ref('')
  const computing = ref(false)
  const ticket = crypto.randomUUID()
  let timer: ReturnType<typeof setTimeout> | undefined

  watch(() => [document.scene, shown.value] as const, ([scene, wanted], former) => {
    clearTimeout(timer)
    if (!wanted) return
    if (scriptsOf(scene).length === 0) {
      shown.value = false
      return
    }
    computing.value = true
    timer = setTimeout(() => void ask(), former?.[1] === true ? PATIENCE : 0)
  })

  async function ask() {
    const { scene } = document
    const isLatest = () => shown.value && document.scene === scene
    try {
      const found = await useHost().engine.previewScripts(sceneText(scene, document.source), ticket)
      if (!isLatest()) return
      preview.value = found
      fault.value = ''
      computing.value = false
    } catch (error) {
      if (!isLatest()) return
      preview.value = null
      const [{ message, ids }] = problemsOf(error) as readonly [Problem]
      fault.value = withNames(message, ids, scene)
      computing.value = false
    }
  }

  return { shown, preview, fault, computing }
})
