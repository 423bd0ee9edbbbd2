/** Forces at t = 0 that only the engine can compute (scripts, drag, wind …), displayed before there is a run. */

import { shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { decodeForces } from '../../core/trajectory/codec'
import type { ForceFrame } from '../../core/trajectory/frame'
import type { Scene } from '../../core/scene'
import { useDocument } from './document'
import { useHost } from './host'
import { usePlayback } from './playback'
import { forcesOf } from './scene-access'
import { sceneText } from './scene-text'
import { useView } from './view'

/** Forces whose arrows use the engine's record. */
export const RECORDED_FORCES: ReadonlySet<string> = new Set(['drag', 'wind', 'script', 'attractor', 'guide'])
/** ms without an edit before a preview is requested. */
const PATIENCE = 500

export const useForcePreview = defineStore('forcePreview', () => {
  const document = useDocument()
  const playback = usePlayback()
  const view = useView()
  const forces = shallowRef<{ readonly scene: Scene; readonly forceIds: readonly string[]; readonly frame: ForceFrame } | null>(null)
  const ticket = crypto.randomUUID()
  let timer: ReturnType<typeof setTimeout> | undefined

  watch(() => [document.scene, playback.showsRun, view.overlays.forces] as const, ([scene, showsRun, wanted]) => {
    clearTimeout(timer)
    if (forces.value?.scene !== scene) forces.value = null
    if (showsRun || !wanted || forces.value !== null || !forcesOf(scene).some(force => RECORDED_FORCES.has(force.type))) return
    timer = setTimeout(() => void ask(scene), PATIENCE)
  }, { immediate: true })

  async function ask(scene: Scene) {
    // Problems that keep the scene from running are already in the list of problems.
    const preview = await useHost().engine.previewForces(sceneText(scene, document.source), ticket).catch(() => null)
    if (preview && document.scene === scene) forces.value = { scene, forceIds: preview.forceIds, frame: decodeForces(preview.frame) }
  }

  return { forces }
})
