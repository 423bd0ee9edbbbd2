/**
 * The one list of commands behind menus, palette, toolbar, context menus and keys. A group of commands is a file that calls `register`
 * with what it offers; everything on screen asks here for labels, shortcuts and whether a command can run now.
 */

import { computed, shallowRef, triggerRef } from 'vue'
import { defineStore } from 'pinia'
import { normalizeShortcut, shortcutOf, shortcutText } from './shortcut'

export type MenuName = 'File' | 'Edit' | 'Add' | 'View' | 'Simulate' | 'Window' | 'Help'
export const MENUS: readonly MenuName[] = ['File', 'Edit', 'Add', 'View', 'Simulate', 'Window', 'Help']

export interface Command {
  /** Dotted, stable: it keys stored shortcuts. */
  readonly id: string
  /** Sentence case; "…" where a dialog follows. */
  readonly label: string
  /** One sentence for the tooltip, if the label needs explanation. */
  readonly help?: string
  readonly menu?: MenuName
  /** Commands of one group are adjacent in the menu. */
  readonly group?: string
  /** Name of the submenu that contains the command. */
  readonly submenu?: string
  /** Default shortcuts, e.g. `Ctrl+Shift+P`; the first is shown. */
  readonly keys?: readonly string[]
  /** Whether the shortcut also works while a text field has the focus. */
  readonly inFields?: boolean
  readonly enabled?: () => boolean
  readonly checked?: () => boolean
  /** Label that depends on the state, e.g. "Undo move". */
  readonly dynamicLabel?: () => string
  readonly run: () => unknown
}

export interface Conflict {
  readonly shortcut: string
  readonly commands: readonly string[]
}

const STORAGE_KEY = 'cairn.shortcuts'

export const useCommands = defineStore('commands', () => {
  const byId = shallowRef(new Map<string, Command>())
  /** Shortcuts set by the user; an empty list means none. */
  const chosen = shallowRef<ReadonlyMap<string, readonly string[]>>(readChosen())
  const onError = shallowRef<(command: Command, error: unknown) => void>(() => undefined)

  const all = computed(() => [...byId.value.values()])

  function register(commands: readonly Command[]): () => void {
    for (const command of commands) {
      if (byId.value.has(command.id)) throw new Error(`Two commands are called ${command.id}.`)
      byId.value.set(command.id, command)
    }
    triggerRef(byId)
    return () => {
      for (const command of commands) byId.value.delete(command.id)
      triggerRef(byId)
    }
  }

  const get = (id: string) => byId.value.get(id)
  const keysOf = (command: Command) => chosen.value.get(command.id) ?? command.keys?.map(normalizeShortcut) ?? []
  const isEnabled = (command: Command) => command.enabled?.() ?? true
  const labelOf = (command: Command) => command.dynamicLabel?.() ?? command.label

  /** The shortcut as shown after a label: `Ctrl+Shift+P`; empty if there is none. */
  function shortcutLabel(id: string): string {
    const command = get(id)
    const key = command && keysOf(command)[0]
    return key ? shortcutText(key) : ''
  }

  /** Label with the shortcut, for tooltips. */
  function tip(id: string): string {
    const command = get(id)
    if (!command) return ''
    const key = shortcutLabel(id)
    const label = `${labelOf(command)}${key ? ` (${key})` : ''}`
    return command.help ? `${label}\n${command.help}` : label
  }

  /** Runs a command; `onError` reports a failure once. */
  async function run(id: string): Promise<void> {
    const command = get(id)
    if (!command || !isEnabled(command)) return
    try {
      await command.run()
    } catch (error) {
      onError.value(command, error)
    }
  }

  const byShortcut = computed(() => {
    const map = new Map<string, Command[]>()
    for (const command of all.value) for (const key of keysOf(command)) map.set(key, [...map.get(key) ?? [], command])
    return map
  })
  const conflicts = computed<readonly Conflict[]>(() => [...byShortcut.value]
    .filter(([, commands]) => commands.length > 1)
    .map(([shortcut, commands]) => ({ shortcut, commands: commands.map(command => command.id) })))

  /** The command for a key press; null if the focused field handles the key. */
  function commandFor(event: KeyboardEvent, inField: boolean): Command | null {
    const key = shortcutOf(event)
    if (!key) return null
    const found = byShortcut.value.get(key)?.find(command => isEnabled(command) && (!inField || command.inFields))
    return found ?? null
  }

  function setKeys(id: string, keys: readonly string[] | null) {
    const next = new Map(chosen.value)
    if (keys === null) next.delete(id)
    else next.set(id, keys.map(normalizeShortcut))
    chosen.value = next
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(next)))
    } catch {
      // No storage: the shortcuts are kept until the window is closed.
    }
  }

  return { all, conflicts, onError, register, get, keysOf, isEnabled, labelOf, shortcutLabel, tip, run, commandFor, setKeys, chosen }
})

function readChosen(): Map<string, readonly string[]> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return new Map()
    return new Map(Object.entries(stored)
      .filter((entry): entry is [string, string[]] => Array.isArray(entry[1]) && entry[1].every(key => typeof key === 'string')))
  } catch {
    return new Map()
  }
}
