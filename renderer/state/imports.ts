/**
 * Import of another runtime's scene: the engine reads it, the user reviews it with its losses, and accepts or cancels. Nothing changes before
 * that.
 */

import { shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { ExchangeFile, FormatInfo, ImportOutcome, OptionValues } from '../../main/protocol/exchange'
import { useFiles } from './files'
import { useHost } from './host'
import { problemsOf } from './runs'
import { useShell } from './shell'

/** At most this many files of a folder are sent; no scene refers to more. */
const MAX_FILES = 4000

export const useImports = defineStore('imports', () => {
  const shell = useShell()
  const files = useFiles()
  const formats = shallowRef<readonly FormatInfo[]>([])
  /** The main file first. */
  const given = shallowRef<readonly ExchangeFile[]>([])
  const options = shallowRef<OptionValues>({})
  const outcome = shallowRef<ImportOutcome | null>(null)
  const error = shallowRef('')
  const working = shallowRef(false)
  let latestRequest = 0

  async function known(): Promise<readonly FormatInfo[]> {
    if (formats.value.length === 0) formats.value = await useHost().engine.formats()
    return formats.value
  }

  /** Whether a file of this name may be another runtime's scene. */
  async function mayBeScene(name: string): Promise<boolean> {
    const endings = (await known()).flatMap(format => format.imports?.extensions ?? [])
    return endings.some(ending => name.toLowerCase().endsWith(ending))
  }

  /** Previews the import of the main file among these. */
  async function begin(chosen: readonly ExchangeFile[]): Promise<void> {
    const endings = (await known()).flatMap(format => format.imports?.extensions ?? [])
    const main = chosen.find(file => endings.some(ending => file.name.toLowerCase().endsWith(ending))) ?? chosen[0]
    if (main === undefined) return
    given.value = [main, ...chosen.filter(file => file !== main)]
    options.value = {}
    outcome.value = null
    shell.dialog = 'import'
    await read()
  }

  /** Reads the files again with the current options; the last request counts. */
  async function read(): Promise<void> {
    const ownRequest = ++latestRequest
    working.value = true
    error.value = ''
    try {
      const found = await useHost().engine.importScene({ files: given.value, format: null, options: options.value })
      if (ownRequest === latestRequest) outcome.value = found
    } catch (failure) {
      if (ownRequest !== latestRequest) return
      outcome.value = null
      error.value = problemsOf(failure).map(problem => problem.allowed === undefined ? problem.message : `${problem.message} (allowed: ${problem.allowed})`).join('\n')
    } finally {
      if (ownRequest === latestRequest) working.value = false
    }
  }

  function setOption(id: string, value: boolean | string | number): void {
    options.value = { ...options.value, [id]: value }
    void read()
  }

  /** Supplies missing files, matched by path, else by file name. */
  async function supply(chosen: readonly ExchangeFile[]): Promise<void> {
    const missing = outcome.value?.missing ?? []
    const added = chosen.flatMap(file => {
      const wanted = missing.filter(name => name === file.name || name.endsWith(`/${file.name}`) || lastPart(name) === lastPart(file.name))
      return wanted.length > 0 ? wanted.map(name => ({ name, data: file.data })) : [file]
    })
    given.value = [...given.value, ...added]
    await read()
  }

  /** Opens the previewed scene. */
  async function take(): Promise<void> {
    const found = outcome.value
    const main = given.value[0]
    if (found === null || main === undefined || !await files.mayLeave()) return
    shell.dialog = null
    const name = `${lastPart(main.name).replace(/\.[^.]*$/, '')}.cairn.json`
    const opened = await useHost().engine.openBytes(name, new TextEncoder().encode(found.text))
    if (await files.show(opened, { unsaved: true })) shell.confirm(`Imported ${main.name}${found.losses.length === 0 ? '' : `, with ${found.losses.length} losses`}`)
    given.value = []
  }

  return { formats, given, options, outcome, error, working, known, mayBeScene, begin, setOption, supply, take }
})

const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** Files from a file input or a drop, with paths relative to the chosen folder if there is one. */
export async function exchangeFiles(list: Iterable<File>): Promise<ExchangeFile[]> {
  const all = [...list]
  if (all.length > MAX_FILES) throw new Error(`${all.length} files are too many; choose at most ${MAX_FILES}.`)
  return Promise.all(all.map(async file => ({ name: insideFolder(file), data: new Uint8Array(await file.arrayBuffer()) })))
}

function insideFolder(file: File): string {
  const path = file.webkitRelativePath
  return path.includes('/') ? path.slice(path.indexOf('/') + 1) : file.name
}
