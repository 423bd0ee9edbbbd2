/** The current lesson: its step, the layout and time of the editor for it, and whether the step's goal is reached. */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { counted } from '../fields/format'
import type { Goal, Lesson } from '../lessons'
import { useDocument } from './document'
import { useFiles } from './files'
import { usePlayback } from './playback'
import { useRuns } from './runs'
import { bodiesOf, shapesOf } from './scene-access'
import { useSelection } from './selection'
import { useShell } from './shell'
import { sceneText } from './scene-text'
import { useView } from './view'

export const useLesson = defineStore('lesson', () => {
  const document = useDocument()
  const files = useFiles()
  const playback = usePlayback()
  const runs = useRuns()
  const selection = useSelection()
  const shell = useShell()
  const view = useView()

  const lesson = shallowRef<Lesson | null>(null)
  const index = ref(0)
  const step = computed(() => lesson.value?.steps[index.value] ?? null)
  /** The scene at the start of the step. */
  const from = shallowRef(document.scene)
  /** Stays true once the goal was reached. */
  const done = ref(false)

  /** Opens the lesson's scene, unless the user cancels to keep unsaved changes. */
  async function start(next: Lesson) {
    const example = next.example === undefined ? undefined : files.examples.find(one => one.name === next.example)
    const opened = next.scene ? await files.openScene(next.title, sceneText(next.scene, null)) : example !== undefined && await files.openHandle(example.handle)
    if (!opened) return
    lesson.value = next
    enter(0)
  }

  /** The lesson that the scene itself contains. */
  const own = computed<Lesson | null>(() => {
    const { lesson: steps = [], name } = document.scene
    if (steps.length === 0) return null
    return {
      id: 'own', title: name ?? document.fileName, about: '', steps: steps.map(({ text, time, select, camera }) => ({
        text, ...time === undefined ? {} : { time }, ...select ? { select } : {}, ...camera ? { camera: { orthographic: false, ...camera } } : {},
      })),
    }
  })

  /** Shows the scene's own lesson. */
  function startOwn(at = 0) {
    if (!own.value) return
    lesson.value = own.value
    enter(at)
  }

  function enter(to: number) {
    const next = lesson.value?.steps[to]
    if (!next) return
    index.value = to
    done.value = false
    from.value = document.scene
    if (next.workspace) shell.switchWorkspace(next.workspace)
    if (next.select) selection.select(next.select.filter(id => document.place(id)))
    if (next.time !== undefined) playback.seek(next.time)
    if (next.camera) view.camera = next.camera
    // A workspace is laid out before its panels can be opened.
    if (next.panel) setTimeout(() => shell.openPanel(next.panel!))
  }

  function meets(goal: Goal): boolean {
    switch (goal.kind) {
      case 'bodies': return bodiesOf(document.scene).filter(body => goal.shape === undefined || shapesOf(body).some(shape => shape.type === goal.shape)).length >= goal.count
        && (goal.shape !== undefined || bodiesOf(document.scene).length === goal.count)
      case 'run': return runs.current?.status === 'completed' && !runs.stale
      case 'change': return document.scene !== from.value
      case 'time': return playback.time >= goal.from && playback.time <= goal.to
      case 'select': return selection.idSet.has(goal.id)
      case 'contact': return selection.contact !== null
      case 'panel': return shell.dock?.getPanel(goal.panel)?.api.isVisible ?? false
    }
  }

  watch(() => [step.value, document.scene, runs.current, runs.stale, playback.time, selection.ids, selection.contact, shell.workspace] as const, () => {
    if (step.value?.goal && meets(step.value.goal)) done.value = true
  }, { flush: 'post' })
  // Opening another document ends the lesson.
  watch(() => document.generation, () => { lesson.value = null }, { flush: 'sync' })
  watch(() => document.generation, () => {
    const steps = own.value?.steps.length ?? 0
    if (steps > 0 && lesson.value === null) {
      shell.notify(`This scene explains itself in ${counted(steps, 'step')}.`, { seconds: 20, action: { label: 'Start the lesson', run: () => startOwn() } })
    }
  }, { flush: 'post' })

  const next = () => enter(index.value + 1)
  const back = () => enter(index.value - 1)
  const end = () => { lesson.value = null }
  const last = computed(() => lesson.value !== null && index.value === lesson.value.steps.length - 1)

  return { lesson, index, step, done, last, own, start, startOwn, next, back, end }
})
