/** The last export target and the options of each target, kept between sessions, so that one key repeats an export. */

import { ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { ExportResult, FormatInfo, OptionValues } from '../../main/protocol/exchange'
import { useDocument } from './document'
import { useHost } from './host'
import { savedFiles } from './saved-files'
import { sceneText } from './scene-text'
import { useShell } from './shell'

const STORAGE_KEY = 'cairn.exports'
const NO_OPTIONS: OptionValues = {}

export const useExports = defineStore('exports', () => {
  const stored = readStored()
  const last = ref<string | null>(stored.last)
  const options = shallowRef<Readonly<Record<string, OptionValues>>>(stored.options)

  const optionsOf = (format: string): OptionValues => options.value[format] ?? NO_OPTIONS

  function setOption(format: string, id: string, value: boolean | string | number): void {
    options.value = { ...options.value, [format]: { ...optionsOf(format), [id]: value } }
    keep()
  }

  function keep(): void {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ last: last.value, options: options.value }))
  }

  /** Saves the files one after another; false if the user cancels. */
  async function save({ files, losses }: ExportResult, format: FormatInfo): Promise<boolean> {
    for (const { name, data } of savedFiles(files)) if (!await useHost().dialogs.saveFile(name, data)) return false
    last.value = format.id
    keep()
    const lost = losses.length === 0 ? '' : `; ${losses.length} things cannot be represented there`
    useShell().confirm(`Exported ${files.length === 1 ? '1 file' : `${files.length} files`} for ${format.label}${lost}`)
    return true
  }

  /** Exports again with the last target and options, without the dialog; opens the dialog if there is no last target. */
  async function again(name: string): Promise<void> {
    const document = useDocument()
    const format = (await useHost().engine.formats()).find(one => one.id === last.value && one.exports !== null)
    if (format === undefined) {
      useShell().dialog = 'export'
      return
    }
    await save(await useHost().engine.exportScene(sceneText(document.scene, document.source), format.id, name, optionsOf(format.id)), format)
  }

  return { last, optionsOf, setOption, save, again }
})

function readStored(): { last: string | null; options: Readonly<Record<string, OptionValues>> } {
  try {
    const { last, options } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as { last?: unknown; options?: unknown }
    return {
      last: typeof last === 'string' ? last : null,
      options: typeof options === 'object' && options !== null ? options as Readonly<Record<string, OptionValues>> : {},
    }
  } catch {
    // Stored data of another version must not keep the editor from starting.
    return { last: null, options: {} }
  }
}
