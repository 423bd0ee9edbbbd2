/**
 * Opening, saving, autosaving and recovering documents. No work is lost without a question: the user is asked before unsaved changes or a file
 * that changed on disk are replaced, and every change is autosaved within seconds.
 */

import { shallowRef } from 'vue'
import { defineStore } from 'pinia'
import { HostError } from '../../main/protocol/host'
import type { Draft, ExampleInfo, Handle, OpenedDocument, RecentDocument, RecoverableDocument } from '../../main/protocol/documents'
import { problemSentence, type Scene } from '../../core/scene'
import { readScene } from './read-scene'
import { useDocument } from './document'
import { useHost } from './host'
import { EMPTY_SCENE } from './scene-access'
import { useProblems } from './problems'
import { useRuns } from './runs'
import { filesOf, holdsFiles, keepFilesInside, libraryOf, prefabFilesIn, useLibrary } from './instances'
import { fileText, sceneText } from './scene-text'
import { useSelection } from './selection'
import { useShell } from './shell'
import { useView } from './view'
import { LocalCopies } from './local-copies'
import { keepLastDocument, keepLastDraft, readLastDocument } from './last-document'

/** Unsaved work of a former window or host. The engine has it under a handle; without a handle, only the browser has a copy. */
type Lost = Omit<RecoverableDocument, 'handle'> & { readonly handle: Handle | null }

const AUTOSAVE_MS = 2000
const UNTITLED = 'untitled.cairn.json'

export const useFiles = defineStore('files', () => {
  const document = useDocument()
  const shell = useShell()
  const runs = useRuns()
  const problems = useProblems()
  const selection = useSelection()
  const view = useView()
  const copies = new LocalCopies()

  const examples = shallowRef<readonly ExampleInfo[]>([])
  const recent = shallowRef<readonly RecentDocument[]>([])
  const recoverable = shallowRef<readonly Lost[]>([])
  /** The displayed example, for its "What to look at" card. */
  const example = shallowRef<ExampleInfo | null>(null)

  /** Shows an opened document. If the text is no valid scene, its problems are reported and the current document stays. */
  async function show(opened: OpenedDocument, options: { unsaved?: boolean } = {}): Promise<boolean> {
    const library = await libraryFor(opened)
    const read = readScene(opened.text, library)
    if (!read.scene) {
      problems.set('file', read.problems)
      const [first] = read.problems
      problems.unopened = first ? { name: opened.name, first } : null
      shell.notify(`${opened.name} cannot be opened: ${first ? problemSentence(first) : 'it is not a scene'}`, {
        kind: 'error', action: { label: 'Show problems', run: () => shell.openPanel('problems') },
      })
      shell.openPanel('problems')
      return false
    }
    problems.unopened = null
    problems.set('file', [])
    problems.set('run', [])
    problems.set('script', [])
    selection.clear()
    view.setHidden([...view.hidden], false)
    view.setLocked([...view.locked], false)
    useLibrary(library, opened.text.includes('"prefabFiles"'))
    document.load({
      scene: read.scene, text: opened.text, handle: opened.handle, name: opened.name, savable: opened.savable,
      fileRevision: opened.revision, unsaved: options.unsaved,
    })
    keepLastDocument({ handle: opened.handle, name: opened.name, saved: opened.savable })
    example.value = examples.value.find(one => one.handle === opened.handle) ?? null
    if (opened.run) {
      void runs.forget()
      runs.show(opened.run, read.scene)
    } else void runs.recall().catch(() => undefined)
    void refreshRecent()
    return true
  }

  /** The prefabs that a document refers to, read from its folder. */
  async function libraryFor({ handle, text }: Pick<OpenedDocument, 'handle' | 'text'>) {
    const named = prefabFilesIn(text)
    return libraryOf(named.length === 0 ? { files: [], missing: [] } : await useHost().engine.prefabs(handle, named))
  }

  let latestRequest = 0
  /**
   * Shows the document that the engine opens, unless the user has requested another in the meantime: the last request counts, not the last
   * answer.
   */
  async function showUnlessOvertaken(opening: () => Promise<OpenedDocument>): Promise<boolean> {
    const ownRequest = ++latestRequest
    const opened = await opening()
    return ownRequest === latestRequest && show(opened)
  }

  async function openHandle(handle: Handle): Promise<boolean> {
    return await mayLeave() && showUnlessOvertaken(() => useHost().engine.openHandle(handle))
  }

  /** This window's document before a reload: by its handle, or by its name among a new host's recent files. */
  function beforeReload(): readonly Handle[] {
    const last = readLastDocument()
    if (!last) return []
    return [last.handle, ...last.saved ? recent.value.filter(one => one.name === last.name).slice(0, 1).map(one => one.handle) : []]
  }

  /**
   * The window's first document: the first available one of `before`, else `first`, else an empty one. Does nothing if the user has already
   * requested another.
   */
  async function openFirst(before: readonly Handle[], first: Handle | undefined): Promise<void> {
    for (const handle of before) {
      if (latestRequest > 0) return
      const ownRequest = latestRequest
      // A new host does not know the handles of a former one, and a file may be gone: try the next.
      const opened = await useHost().engine.openHandle(handle).catch(() => null)
      if (ownRequest !== latestRequest) return
      if (opened && await show(opened)) return
    }
    if (latestRequest > 0) return
    if (first === undefined) await create()
    else await openHandle(first)
  }

  async function open() {
    if (!await mayLeave()) return
    const handle = await useHost().dialogs.chooseOpen()
    if (handle !== null) await showUnlessOvertaken(() => useHost().engine.openHandle(handle))
  }

  /** Opens a file dropped on the window. */
  async function openFile(file: File) {
    if (!await mayLeave()) return
    await showUnlessOvertaken(async () => useHost().engine.openBytes(file.name, new Uint8Array(await file.arrayBuffer())))
  }

  async function create() {
    if (!await mayLeave()) return
    await showUnlessOvertaken(() => openText(UNTITLED, sceneText(EMPTY_SCENE, null)))
  }

  /** Opens a scene without a file, after asking about unsaved changes. */
  async function openScene(name: string, text: string): Promise<boolean> {
    return await mayLeave() && showUnlessOvertaken(() => openText(`${name}.cairn.json`, text))
  }

  /** A text without a file: the engine gives it a handle, under which it is autosaved. */
  function openText(name: string, text: string): Promise<OpenedDocument> {
    return useHost().engine.openBytes(name, new TextEncoder().encode(text))
  }

  /** True if the current document is saved or the user discards its changes. */
  async function mayLeave(): Promise<boolean> {
    document.commitGesture()
    if (!document.dirty) return true
    const answer = await shell.ask({
      title: 'Save changes?',
      text: `${document.fileName} has changes that are not saved.`,
      answers: [
        { id: 'discard', label: 'Don’t save', danger: true }, { id: 'cancel', label: 'Cancel' }, { id: 'save', label: 'Save', primary: true },
      ],
    })
    if (answer === 'save') return save()
    if (answer !== 'discard') return false
    await discardAutosave()
    return true
  }

  async function save(): Promise<boolean> {
    document.commitGesture()
    return document.savable && document.handle !== null ? write(document.handle, document.fileName) : saveAs()
  }

  async function saveAs(): Promise<boolean> {
    document.commitGesture()
    const handle = await useHost().dialogs.chooseSave(suggestedName())
    return handle === null ? false : write(handle, suggestedName())
  }

  function suggestedName(): string {
    const name = document.fileName === 'Untitled' ? document.scene.name || 'untitled' : document.fileName
    return /\.cairn(\.json)?$/.test(name) ? name : `${name.replace(/\.mcap$/, '').replace(/[\\/:*?"<>|\s]+/g, '-').toLowerCase()}.cairn.json`
  }

  async function write(handle: Handle, name: string, overwrite = false): Promise<boolean> {
    const written = document.scene
    if (handle !== document.handle) keepFilesInside(!await hasFiles(handle, written))
    const text = holdsFiles() ? sceneText(written, document.source) : fileText(written, document.source)
    const base = handle === document.handle ? document.fileRevision : null
    const result = await useHost().engine.save(handle, text, { overwrite, base }).catch((error: unknown) => {
      // A restarted host does not know our handles: the user chooses the file again.
      if (error instanceof HostError && error.name === 'UnknownDocument') return null
      throw error
    })
    if (!result) return saveAs()
    if (result.status === 'changed-on-disk') {
      const answer = await shell.ask({
        title: 'The file changed on disk',
        text: `${name} was changed by another program or window since it was opened here. Saving replaces that version by this one.`,
        answers: [{ id: 'cancel', label: 'Cancel' }, { id: 'saveAs', label: 'Save as…' }, { id: 'overwrite', label: 'Overwrite', danger: true }],
      })
      if (answer === 'overwrite') return write(handle, name, true)
      return answer === 'saveAs' ? saveAs() : false
    }
    const former = document.handle
    document.markSaved(written, text, result)
    keepLastDocument({ handle: result.handle, name: result.name, saved: true })
    for (const handle of new Set([former, result.handle])) if (handle !== null) await discard(copies.draftOf(handle))
    shell.confirm(`Saved ${result.name}`)
    void refreshRecent()
    return true
  }

  /** Whether that file's folder has the same prefabs as this document. If not, they are stored inside the saved file. */
  async function hasFiles(handle: Handle, scene: Scene): Promise<boolean> {
    const needed = filesOf(scene)
    if (needed.length === 0) return true
    const { files } = await useHost().engine.prefabs(handle, needed.map(({ file }) => file))
    const there = new Map(files.map(({ file, source }) => [file, source]))
    const same = needed.every(({ file, source }) => there.get(file) === source)
    if (!same) shell.notify('Its prefabs are not in that folder: the file embeds them')
    return same
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  document.onChange(() => {
    clearTimeout(timer)
    timer = setTimeout(() => void autosave(), AUTOSAVE_MS)
  })

  /** Stores a copy with the engine and one in the browser, so that a crash of either loses no work. */
  async function autosave() {
    const handle = document.handle
    if (document.gesture || handle === null) return
    // After undoing to the saved state there is nothing to recover.
    const draft = copies.draftOf(handle)
    if (!document.dirty) return kept.has(draft) ? discard(draft) : undefined
    kept.add(draft)
    keepLastDraft(draft)
    writing = keepCopies(draft)
    await writing
  }

  /** Drafts of this window that have a copy. */
  const kept = new Set<Draft>()
  /** Copies being written. Discarding them waits for this, since they would otherwise appear afterwards. */
  let writing: Promise<void> = Promise.resolve()

  async function keepCopies(draft: Draft) {
    const text = sceneText(document.scene, document.source)
    await copies.put(draft, { name: document.fileName, text, savedAt: Date.now() }).catch(() => undefined)
    // If the host is not connected, the next autosave reaches it; the browser has a copy until then.
    await useHost().engine.autosave(draft, document.fileName, text).catch(() => undefined)
  }

  async function discard(draft: Draft) {
    clearTimeout(timer)
    await writing
    kept.delete(draft)
    await copies.remove(draft).catch(() => undefined)
    await useHost().engine.discardAutosave(draft).catch(() => undefined)
  }
  async function discardAutosave() {
    if (document.handle !== null) await discard(copies.draftOf(document.handle))
  }

  async function refreshExamples() { examples.value = await useHost().engine.examples() }
  async function refreshRecent() { recent.value = await useHost().engine.recent() }

  /** Unsaved work left by a crash: the engine's copies, and the browser's where the engine has none. */
  async function refreshRecoverable() {
    const fromEngine = await useHost().engine.recoverable()
    const fromBrowser = await copies.list().catch(() => [])
    const known = new Set(fromEngine.map(one => one.draft))
    const elsewhere = fromBrowser.filter(one => !known.has(one.draft)).map(one => ({ ...one, handle: null }))
    recoverable.value = [...fromEngine, ...elsewhere].sort((a, b) => b.savedAt - a.savedAt)
  }

  async function recover(what: Lost) {
    const copy = await copies.get(what.draft).catch(() => undefined)
    const opened = copy ? await openText(copy.name, copy.text) : what.handle === null ? null : await useHost().engine.openHandle(what.handle)
    if (!opened || !await show(opened, { unsaved: true })) return
    await autosave()
    await forgetRecoverable(what)
  }

  async function forgetRecoverable(what: Lost) {
    await discard(what.draft)
    recoverable.value = recoverable.value.filter(one => one !== what)
  }

  return {
    examples, recent, recoverable, example,
    show, libraryFor, open, openHandle, beforeReload, openFirst, openFile, openScene, create, mayLeave, save, saveAs, autosave, discardAutosave,
    refreshExamples, refreshRecent, refreshRecoverable, recover, forgetRecoverable,
  }
})
