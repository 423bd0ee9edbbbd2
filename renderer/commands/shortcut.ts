/** Shortcuts as text: modifiers in fixed order, then `KeyboardEvent.key`, letters in upper case. `Ctrl` is Command on a Mac. */

const MODIFIERS = ['Ctrl', 'Alt', 'Shift'] as const
const MAC = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

export function normalizeShortcut(text: string): string {
  const parts = text.split('+').map(part => part.trim())
  // The plus key itself splits into two empty parts.
  const key = parts.at(-1) === '' ? '+' : parts.at(-1)!
  const modifiers = MODIFIERS.filter(modifier => parts.slice(0, -1).some(part => part.toLowerCase() === modifier.toLowerCase()))
  return [...modifiers, keyName(key)].join('+')
}

const keyName = (key: string) => key.length === 1 ? key.toUpperCase() : key === 'Space' ? 'Space' : key

/** The shortcut of a key press; null for a bare modifier. */
export function shortcutOf(event: KeyboardEvent): string | null {
  if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process'].includes(event.key)) return null
  const key = event.key === ' ' ? 'Space' : keyName(event.key)
  const parts: string[] = []
  if (event.ctrlKey || event.metaKey) parts.push('Ctrl')
  if (event.altKey) parts.push('Alt')
  // Shift is already part of characters such as "?" and "+".
  if (event.shiftKey && (key.length > 1 || /[A-Z0-9]/.test(key))) parts.push('Shift')
  return [...parts, key].join('+')
}

const ARROWS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Delete: 'Del', Escape: 'Esc' }

export function shortcutText(shortcut: string): string {
  const parts = shortcut.endsWith('++') ? [...shortcut.slice(0, -2).split('+'), '+'] : shortcut === '+' ? ['+'] : shortcut.split('+')
  const shown = parts.map(part => ARROWS[part] ?? part)
  if (!MAC) return shown.join('+')
  return shown.map(part => ({ Ctrl: '⌘', Alt: '⌥', Shift: '⇧' } as Record<string, string>)[part] ?? part).join('')
}

/** Whether a text field, list or editor handles a key press, rather than the window. */
export function isInField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('.monaco-editor, [role="menu"], [role="listbox"]')) return true
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range', 'color'].includes(target.type)
}
