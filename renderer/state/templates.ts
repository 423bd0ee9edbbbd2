/** The user's templates, stored in this browser: saving the selection as a template and inserting one. */

import { shallowRef } from 'vue'
import { defineStore } from 'pinia'
import { pointInView } from './point-in-view'
import { fileOf, shiftTo, templateOf, type Template } from '../modelling/templates'
import { useDocument } from './document'
import { clipOf, pasteClip } from './editing'
import { useHost } from './host'
import { useSelection } from './selection'
import { useShell } from './shell'

const STORAGE_KEY = 'cairn.templates'

export const useTemplates = defineStore('templates', () => {
  const document = useDocument()
  const selection = useSelection()
  const shell = useShell()
  const own = shallowRef<readonly Template[]>(stored())

  function keep(next: readonly Template[]): boolean {
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(next.map(fileOf)))
    } catch {
      shell.notify('The browser has no space for this template: save it as a file', { kind: 'error' })
      return false
    }
    own.value = next
    return true
  }

  /** Saves the selection under this name; replaces a template of the same name. */
  function save(name: string): boolean {
    const template: Template = { name, clip: clipOf(document.scene, selection.idSet) }
    return keep([...own.value.filter(other => other.name !== name), template])
  }

  function insert(template: Template) {
    pasteClip(`insert ${template.name.toLowerCase()}`, template.clip, shiftTo(template, pointInView()))
  }

  async function insertFile(file: File) {
    insert(templateOf(await file.text(), file.name))
  }

  function remove(template: Template) {
    keep(own.value.filter(other => other !== template))
  }

  async function download(template: Template) {
    const stem = template.name.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase() || 'template'
    await useHost().dialogs.saveFile(`${stem}.cairn.json`, new TextEncoder().encode(fileOf(template)))
  }

  return { own, save, insert, insertFile, remove, download }
})

/** Stored templates that are valid scenes; the storage may be from another version. */
function stored(): Template[] {
  try {
    const texts: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    if (!Array.isArray(texts)) return []
    return texts.flatMap(text => {
      try {
        return [templateOf(String(text), '')]
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}
