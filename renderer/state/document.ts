/**
 * The document: one scene, edited by commands, undone and redone, saved.
 *
 * The scene is immutable plain data behind a `shallowRef`; an edit makes a new scene that shares everything it did not touch, so `===` on a
 * body, a shape or a whole collection tells whether it changed. Nothing inside is ever reactive. The history keeps the scenes themselves:
 * because of the sharing an entry costs what it touched, undoing restores the very same objects, and dirty is "not the scene that was saved".
 * Every edit is checked where it touched (`core/scene/edit`); one that would make the document invalid is refused and told, and changes nothing.
 */

import { computed, ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { Handle } from '../../main/protocol/documents'
import { editScene, elementById, ownScene, placeOf, type Collection, type EditResult, type ElementOf, type Place, type Problem, type Scene } from '../../core/scene'
import { currentScene, settled } from './instances'
import { EMPTY_SCENE } from './scene-access'

/** Changes the draft in place. */
export type Recipe = (draft: Scene) => void

/** What undo and redo walk over: one for each edit or gesture. */
export interface HistoryEntry {
  /** As in "Undo move": lower case, imperative. */
  readonly label: string
  readonly before: Scene
  readonly after: Scene
}

export interface SceneChange {
  readonly before: Scene
  readonly after: Scene
}

export interface SuspendedDocument {
  readonly scene: Scene
  readonly source: { readonly text: string; readonly scene: Scene } | null
  readonly saved: Scene | null
  readonly handle: Handle | null
  readonly fileName: string
  readonly savable: boolean
  readonly fileRevision: string | null
  readonly past: readonly HistoryEntry[]
  readonly future: readonly HistoryEntry[]
}

const HISTORY_LIMIT = 500

export const useDocument = defineStore('document', () => {
  const scene = shallowRef<Scene>(EMPTY_SCENE)
  /** What was read or last written, for saves that leave untouched parts byte-identical. */
  const source = shallowRef<{ readonly text: string; readonly scene: Scene } | null>(null)
  /** The scene as it is on disk; null where it is nowhere, e.g. after a recovery. */
  const saved = shallowRef<Scene | null>(EMPTY_SCENE)
  const handle = ref<Handle | null>(null)
  const fileName = ref('Untitled')
  const savable = ref(false)
  /** The file's revision that the document was read from or last written as: a save tells by it whether somebody else wrote there meanwhile. */
  const fileRevision = ref<string | null>(null)
  /** Increases with every change, gestures' intermediate states included. */
  const revision = ref(0)
  /** Increases with every load: panels forget what belonged to the former document. */
  const generation = ref(0)
  const past = shallowRef<readonly HistoryEntry[]>([])
  const future = shallowRef<readonly HistoryEntry[]>([])
  const gesture = shallowRef<{ readonly label: string; readonly base: Scene } | null>(null)

  const beforeEdit = new Set<() => void>()
  const changed = new Set<(change: SceneChange) => void>()
  const refused = new Set<(problems: readonly Problem[], label: string) => void>()

  const dirty = computed(() => scene.value !== (saved.value && currentScene(saved.value)))
  const canUndo = computed(() => past.value.length > 0 && gesture.value === null)
  const canRedo = computed(() => future.value.length > 0 && gesture.value === null)
  const undoLabel = computed(() => past.value.at(-1)?.label ?? '')
  const redoLabel = computed(() => future.value.at(-1)?.label ?? '')

  function show(after: Scene) {
    const before = scene.value
    if (after === before) return
    scene.value = after
    revision.value++
    for (const listener of changed) listener({ before, after })
  }

  function remember(label: string, before: Scene, after: Scene) {
    if (before === after) return
    past.value = [...past.value.slice(1 - HISTORY_LIMIT), { label, before, after }]
    future.value = []
  }

  function announce() {
    for (const listener of beforeEdit) listener()
  }

  /** One undoable edit. Inside a gesture it becomes part of the gesture. False where it was refused. */
  function edit(label: string, recipe: Recipe): boolean {
    return transact(label, present => editScene(present, draft => recipe(draft as Scene)))
  }

  /** The same for edits that `core/scene` knows by name, such as removing elements with all that depends on them. */
  function transact(label: string, change: (present: Scene) => EditResult): boolean {
    if (!gesture.value) announce()
    const before = scene.value
    const result = settled(before, change(before))
    if (!result.ok) {
      for (const listener of refused) listener(result.problems, label)
      return false
    }
    if (!gesture.value) remember(label, before, result.scene)
    show(result.scene)
    return true
  }

  /** The whole scene at once, e.g. from the JSON editor: one undoable edit. */
  function replace(label: string, after: Scene) {
    announce()
    remember(label, scene.value, after)
    show(after)
  }

  /** Starts a gesture: what follows until `commitGesture` is one undo entry. A gesture left open is committed first. */
  function beginGesture(label: string) {
    commitGesture()
    announce()
    gesture.value = { label, base: scene.value }
  }

  /**
   * Replaces whatever the gesture did so far by this recipe, applied to the scene at its beginning. A state that is not valid is passed
   * over: the last valid one stays until the drag leads to another.
   */
  function updateGesture(recipe: Recipe) {
    if (!gesture.value) return
    const { base } = gesture.value
    const result = settled(base, editScene(base, draft => recipe(draft as Scene)))
    if (result.ok) show(result.scene)
  }

  function commitGesture() {
    const open = gesture.value
    if (!open) return
    gesture.value = null
    remember(open.label, open.base, scene.value)
  }

  /** Back to the scene at the gesture's beginning; no undo entry. */
  function cancelGesture() {
    const open = gesture.value
    if (!open) return
    gesture.value = null
    show(currentScene(open.base))
  }

  function undo() {
    const entry = past.value.at(-1)
    if (!entry || gesture.value) return
    announce()
    past.value = past.value.slice(0, -1)
    future.value = [...future.value, entry]
    show(currentScene(entry.before))
  }

  function redo() {
    const entry = future.value.at(-1)
    if (!entry || gesture.value) return
    announce()
    future.value = future.value.slice(0, -1)
    past.value = [...past.value, entry]
    show(currentScene(entry.after))
  }

  /** Another document: forgets the history. `text` is null where there is no file text to keep. */
  function load(next: {
    scene: Scene; text: string | null; handle: Handle | null; name: string; savable: boolean; fileRevision?: string | null; unsaved?: boolean
  }) {
    gesture.value = null
    past.value = []
    future.value = []
    source.value = next.text === null ? null : { text: next.text, scene: ownScene(next.scene) }
    saved.value = next.unsaved ? null : next.scene
    handle.value = next.handle
    fileName.value = next.name
    savable.value = next.savable
    fileRevision.value = next.fileRevision ?? null
    generation.value++
    show(next.scene)
  }

  /** `written` is the scene whose text went to disk; edits made meanwhile stay dirty. */
  function markSaved(written: Scene, text: string, where: { handle: Handle; name: string; revision: string }) {
    saved.value = written
    source.value = { text, scene: ownScene(written) }
    handle.value = where.handle
    fileName.value = where.name
    savable.value = true
    fileRevision.value = where.revision
  }

  /** What instances bring follows the files of their prefabs: no edit of the document, and nothing to undo. */
  function renew() {
    commitGesture()
    show(currentScene(scene.value))
  }

  /** All that belongs to this document, to come back to it from another. */
  function suspended(): SuspendedDocument {
    return {
      scene: scene.value, source: source.value, saved: saved.value, handle: handle.value, fileName: fileName.value, savable: savable.value,
      fileRevision: fileRevision.value, past: past.value, future: future.value,
    }
  }

  function resume(from: SuspendedDocument) {
    gesture.value = null
    past.value = from.past
    future.value = from.future
    source.value = from.source
    saved.value = from.saved
    handle.value = from.handle
    fileName.value = from.fileName
    savable.value = from.savable
    fileRevision.value = from.fileRevision
    generation.value++
    show(currentScene(from.scene))
  }

  function place(id: string): Place | null {
    return placeOf(scene.value, id)
  }

  function has(id: string): boolean {
    return place(id) !== null
  }

  function element<C extends Collection>(collection: C, id: string): ElementOf[C] | undefined {
    return elementById(scene.value, collection, id) ?? undefined
  }

  /** Called with the problems of an edit that was refused. */
  function onRefused(listener: (problems: readonly Problem[], label: string) => void): () => void {
    refused.add(listener)
    return () => refused.delete(listener)
  }

  /** Called before the first change of an edit, a gesture, an undo or a redo; gives the way to stop listening. */
  function onBeforeEdit(listener: () => void): () => void {
    beforeEdit.add(listener)
    return () => beforeEdit.delete(listener)
  }

  /** Called after every change of the scene, synchronously. */
  function onChange(listener: (change: SceneChange) => void): () => void {
    changed.add(listener)
    return () => changed.delete(listener)
  }

  return {
    scene, source, saved, handle, fileName, savable, fileRevision, revision, generation, gesture,
    dirty, canUndo, canRedo, undoLabel, redoLabel, past, future,
    edit, transact, replace, beginGesture, updateGesture, commitGesture, cancelGesture, undo, redo,
    load, markSaved, renew, suspended, resume, place, has, element, onBeforeEdit, onChange, onRefused,
  }
})
