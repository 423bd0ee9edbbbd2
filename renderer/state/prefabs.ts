/** Commands on prefabs: saving a selection as one, placing instances, editing the file, making instances local. */

import { shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { editScene, extracted, freshId, instanceAround, unpacked, writeScene, type PrefabLibrary, type Scene } from '../../core/scene'
import type { Handle } from '../../main/protocol/documents'
import type { Vec3 } from '../../core/math/vector'
import { boxOfAll } from '../modelling/extents'
import { useDocument, type SuspendedDocument } from './document'
import { useFiles } from './files'
import { contentsOf } from './groups'
import { useHost } from './host'
import { faultOf, holdsFiles, libraryOf, lostBetween, placedEdit, presentLibrary, useLibrary } from './instances'
import { problemsOf, useRuns } from './runs'
import { fileText } from './scene-text'
import { keepLastDocument } from './last-document'
import { useSelection } from './selection'
import { useShell } from './shell'
import { instancesOf } from './scene-access'

/** A scene kept in memory while one of its prefabs is edited. */
interface Waiting extends SuspendedDocument {
  readonly inside: boolean
  readonly library: PrefabLibrary
}

export const usePrefabs = defineStore('prefabs', () => {
  const document = useDocument()
  const files = useFiles()
  const selection = useSelection()
  const shell = useShell()
  /** Scenes to return to, the last one first; kept while the document is one of their prefabs, or a prefab inside it. */
  const waiting = shallowRef<readonly Waiting[]>([])

  /** True while switching between a scene and its prefab. Opening any other document clears `waiting`. */
  let going = false
  watch(() => document.generation, () => { if (!going) waiting.value = [] }, { flush: 'sync' })

  async function go(step: () => Promise<void>): Promise<void> {
    going = true
    try {
      await step()
    } finally {
      going = false
    }
  }

  /** Ids of instances that are selected themselves or by one of their parts. */
  function chosen(scene: Scene = document.scene): string[] {
    const ids = selection.ids.map(id => instanceAround(scene, id) ?? id)
    return instancesOf(scene).map(({ id }) => id).filter(id => ids.includes(id))
  }

  /** The prefab that is selected, itself or by an instance. */
  function chosenPrefab(): string | null {
    const [instance] = chosen()
    if (instance !== undefined) return document.element('instances', instance)!.prefab
    return selection.ids.find(id => document.element('prefabs', id)) ?? null
  }

  /** Makes sure that the document has a file, since prefabs are in its folder. */
  async function saved(): Promise<Handle | null> {
    if (!document.savable || document.handle === null) {
      shell.notify('Prefabs are files in the scene’s folder: save the scene first')
      if (!await files.save()) return null
    }
    return document.handle
  }

  /** Reads the prefab files again after one was added or changed. @param more a file that no prefab refers to yet */
  async function reread(more: readonly string[] = []): Promise<void> {
    const { handle } = document
    const named = [...new Set([...(document.scene.prefabs ?? []).map(({ file }) => file), ...more])]
    if (handle === null || named.length === 0 || (holdsFiles() && more.length === 0)) return
    const texts = await useHost().engine.prefabs(handle, named)
    // Files stored inside the document take precedence.
    const inside = holdsFiles() ? [...presentLibrary().texts].map(([file, source]) => ({ file, source })) : []
    if (document.handle === handle) useLibrary(libraryOf({ ...texts, files: [...texts.files, ...inside] }))
  }

  /** Reads the files and updates all instances. If a prefab can no longer be placed, keeps the former files and reports it. */
  async function renew(): Promise<void> {
    const former = presentLibrary()
    const before = new Map(former.texts)
    await reread()
    const placed = placedEdit(document.scene)
    const fault = lostBetween(former, presentLibrary(), document.scene) ?? (placed.ok ? null : placed.problems[0]!.message)
    if (fault !== null) {
      useLibrary(former)
      shell.notify(`A prefab cannot be placed as it is now: ${fault}`, { kind: 'error' })
      return
    }
    const was = document.scene
    document.renew()
    if (document.scene === was) return
    const changed = [...presentLibrary().texts].filter(([file, text]) => before.get(file) !== text).map(([file]) => file)
    shell.confirm(`${changed.join(', ') || 'A prefab'} changed: its instances are updated`)
  }

  async function save(title: string): Promise<void> {
    const scene = await saved()
    if (scene === null) return
    const stem = title.toLowerCase().replace(/[^a-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'prefab'
    const handle = await useHost().dialogs.chooseSave(`${stem}.cairn.json`)
    if (handle === null) return
    const file = await useHost().engine.prefabFile(scene, handle)
    const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.cairn(\.json)?$|\.json$/, '')
    const made = extracted(document.scene, selection.idSet, name, file)
    if (!made) return
    if (!await write(handle, file, writeScene({ ...made.prefab, name: title }, null))) return
    await reread([file])
    if (document.transact('save as prefab', () => placedEdit(made.scene))) {
      selection.select(contentsOf(document.scene, made.instance))
      shell.confirm(`Saved ${file}; its instances follow it`)
    }
  }

  async function write(handle: Handle, file: string, text: string, overwrite = false): Promise<boolean> {
    const result = await useHost().engine.save(handle, text, { overwrite })
    if (result.status === 'saved') return true
    const answer = await shell.ask({
      title: 'Replace the file?', text: `${file} already exists. All its instances will use the new file.`,
      answers: [{ id: 'cancel', label: 'Cancel' }, { id: 'replace', label: 'Replace', danger: true }],
    })
    return answer === 'replace' && write(handle, file, text, true)
  }

  async function placeFile(at: Vec3): Promise<void> {
    const scene = await saved()
    if (scene === null) return
    const handle = await useHost().dialogs.chooseOpen()
    if (handle === null) return
    const file = await useHost().engine.prefabFile(scene, handle)
    await reread([file])
    place(file, at)
  }

  /** Position at which an instance's lowest point is at a given point. */
  function standing(file: string, at: Vec3): Vec3 {
    const content = presentLibrary().content(file, '')
    const box = 'scene' in content ? boxOfAll(content.scene.bodies ?? []) : null
    return box ? [at[0], at[1], at[2] - box.low[2]!] : at
  }

  /** Adds an instance of a prefab, and the prefab if the scene does not have it. */
  function place(file: string, at: Vec3): boolean {
    const stem = file.slice(file.lastIndexOf('/') + 1).replace(/\.cairn(\.json)?$|\.json$/, '')
    let id = ''
    const done = document.transact('place prefab', scene => editScene(scene, draft => {
      let prefab = scene.prefabs?.find(one => one.file === file)?.id
      if (prefab === undefined) {
        prefab = freshId(scene, stem)
        draft.prefabs = [...draft.prefabs ?? [], { id: prefab, file }]
      }
      id = freshId(draft as Scene, `${prefab}-1`)
      draft.instances = [...draft.instances ?? [], { id, prefab, position: [...standing(file, at)] }]
    }))
    if (done) selection.select(contentsOf(document.scene, id))
    return done
  }

  /** Why the file of the selected prefab cannot be used; null if it can. */
  function missing(): string | null {
    const prefab = chosenPrefab()
    return prefab === null ? null : faultOf(document.element('prefabs', prefab)!.file)
  }

  /** Chooses another file for a prefab, for example if it was moved. All its instances are updated. */
  async function replace(prefab: string): Promise<void> {
    const scene = await saved()
    if (scene === null) return
    const handle = await useHost().dialogs.chooseOpen()
    if (handle === null) return
    const file = await useHost().engine.prefabFile(scene, handle)
    await reread([file])
    document.edit('choose another file', draft => { draft.prefabs!.find(one => one.id === prefab)!.file = file })
  }

  function unpack(): void {
    const ids = chosen()
    if (document.transact('make local', scene => ({ ok: true, scene: unpacked(scene, ids), warnings: [] }))) {
      selection.select(ids.flatMap(id => contentsOf(document.scene, id)))
    }
  }

  /** Opens the prefab's file in this window; the scene is kept in memory with its undo history. */
  async function edit(prefab: string): Promise<void> {
    const file = document.element('prefabs', prefab)?.file
    if (file === undefined || document.handle === null) return
    document.commitGesture()
    const handle = await useHost().engine.prefabHandle(document.handle, file)
    const here: Waiting = { ...document.suspended(), inside: holdsFiles(), library: presentLibrary() }
    await files.autosave()
    const opened = await useHost().engine.openHandle(handle)
    await go(async () => { if (await files.show(opened)) waiting.value = [here, ...waiting.value] })
  }

  /** Returns to the scene that contains the prefab, after its changes are saved or discarded. */
  async function back(): Promise<void> {
    const [last, ...others] = waiting.value
    if (!last || !await files.mayLeave()) return
    const text = fileText(last.scene, last.source)
    const library = last.handle === null || last.inside ? last.library : await files.libraryFor({ handle: last.handle, text })
    useRuns().forget()
    selection.clear()
    useLibrary(library, last.inside)
    const placed = placedEdit(last.scene)
    const fault = lostBetween(last.library, library, last.scene) ?? (placed.ok ? null : placed.problems[0]!.message)
    if (fault !== null) useLibrary(last.library, last.inside)
    await go(async () => document.resume(last))
    waiting.value = others
    if (last.handle !== null) keepLastDocument({ handle: last.handle, name: last.fileName, saved: last.savable })
    if (fault !== null) shell.notify(`A prefab cannot be placed as it is now: ${fault}`, { kind: 'error' })
  }

  async function onPrefabsChanged(handle: Handle): Promise<void> {
    if (handle === document.handle) await renew().catch((error: unknown) => shell.notify(problemsOf(error)[0]!.message, { kind: 'error' }))
  }

  return { waiting, chosen, chosenPrefab, missing, replace, save, placeFile, place, unpack, edit, back, onPrefabsChanged }
})
