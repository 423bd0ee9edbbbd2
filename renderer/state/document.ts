/**
 * The document: one scene, changed by commands, with undo and save. The scene is immutable plain data behind a `shallowRef`, never deeply reactive.
 * An edit makes a new scene that shares all unchanged parts, so `===` on a body, a shape or a whole collection tells whether it changed. The history
 * keeps these scenes: an entry costs only the changed parts, undo restores the same objects, and the document is dirty if its scene is not the saved
 * one. Every edit is checked where it changed the scene (`core/scene/edit`). An edit that would make the document invalid is refused and reported,
 * and changes nothing.
 */

import { computed, ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { Handle } from '../../main/protocol/documents'
import { editScene, elementById, ownScene, placeOf, type Collection, type EditResult, type ElementOf, type Place, type Problem, type Scene } from '../../core/scene'
import { currentScene, settled } from './instances'
import { EMPTY_SCENE } from './scene-access'

/** Changes the draft in place. */
export type Recipe = (draft: Scene) => void

/** An entry of the history: one for each edit or gesture. */
export interface HistoryEntry {
  /** Lower-case imperative, as in "Undo move". */
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

/** Whether an edit concerns more than the lesson of the scene, so that its motion may be another. */
function moves({ before, after }: HistoryEntry): boolean {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof Scene)[])
  return [...keys].some(key => key !== 'lesson' && before[key] !== after[key])
}

export const useDocument = defineStore('document', () => {
  const scene = shallowRef<Scene>(EMPTY_SCENE)
  /** The text that was read or last written; saves keep unchanged parts of it byte-identical. */
  const source = shallowRef<{ readonly text: string; readonly scene: Scene } | null>(null)
  /** The scene as on disk; null if it is in no file, e.g. after a recovery. */
  const saved = shallowRef<Scene | null>(EMPTY_SCENE)
  const handle = ref<Handle | null>(null)
  const fileName = ref('Untitled')
  const savable = ref(false)
  /** Revision of the file that was read or last written. A save uses it to detect that another program has changed the file. */
  const fileRevision = ref<string | null>(null)
  /** Increases with every change, including intermediate states of gestures. */
  const revision = ref(0)
  /** Increases with every load, so that panels drop data of the former document. */
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

  /** One undoable edit, or part of the open gesture. False if it was refused. */
  function edit(label: string, recipe: Recipe): boolean {
    return transact(label, present => editScene(present, draft => recipe(draft as Scene)))
  }

  /** The same for what explains the scene and does not move it: the displayed time stays. */
  function annotate(label: string, recipe: Recipe): boolean {
    return transact(label, present => editScene(present, draft => recipe(draft as Scene)), false)
  }

  /** The same for edits defined in `core/scene`, such as removing elements with everything that depends on them. */
  function transact(label: string, change: (present: Scene) => EditResult, announced = true): boolean {
    if (announced && !gesture.value) announce()
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

  /** Replaces the whole scene, e.g. from the JSON editor: one undoable edit. */
  function replace(label: string, after: Scene) {
    announce()
    remember(label, scene.value, after)
    show(after)
  }

  /** Starts a gesture: all changes until `commitGesture` are one undo entry. A gesture still open is committed first. */
  function beginGesture(label: string) {
    commitGesture()
    announce()
    gesture.value = { label, base: scene.value }
  }

  /**
   * Replaces the gesture's former changes by this recipe, applied to the scene at its beginning. If the result is invalid, the last valid one
   * is kept until a later update is valid.
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

  /** Restores the scene from the gesture's beginning, without an undo entry. */
  function cancelGesture() {
    const open = gesture.value
    if (!open) return
    gesture.value = null
    show(currentScene(open.base))
  }

  function undo() {
    const entry = past.value.at(-1)
    if (!entry || gesture.value) return
    if (moves(entry)) announce()
    past.value = past.value.slice(0, -1)
    future.value = [...future.value, entry]
    show(currentScene(entry.before))
  }

  function redo() {
    const entry = future.value.at(-1)
    if (!entry || gesture.value) return
    if (moves(entry)) announce()
    future.value = future.value.slice(0, -1)
    past.value = [...past.value, entry]
    show(currentScene(entry.after))
  }

  /** Loads another document and clears the history. `text` is null if there is no file text to keep. */
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

  /** `written` is the scene whose text was saved; edits made in the meantime leave the document dirty. */
  function markSaved(written: Scene, text: string, where: { handle: Handle; name: string; revision: string }) {
    saved.value = written
    source.value = { text, scene: ownScene(written) }
    handle.value = where.handle
    fileName.value = where.name
    savable.value = true
    fileRevision.value = where.revision
  }

  /** Replaces the parts of instances after their prefab files have changed. This is not an edit of the document and cannot be undone. */
  function renew() {
    commitGesture()
    show(currentScene(scene.value))
  }

  /** The whole state of this document, to return to it after another. */
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

  /** Called with the problems of a refused edit. */
  function onRefused(listener: (problems: readonly Problem[], label: string) => void): () => void {
    refused.add(listener)
    return () => refused.delete(listener)
  }

  /** Called before the first change of an edit, a gesture, an undo or a redo. Returns a function that removes the listener. */
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
    edit, annotate, transact, replace, beginGesture, updateGesture, commitGesture, cancelGesture, undo, redo,
    load, markSaved, renew, suspended, resume, place, has, element, onBeforeEdit, onChange, onRefused,
  }
})
