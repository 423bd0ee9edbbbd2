/**
 * Ctrl+Z in a field takes back what was typed there since the field got the focus or its text was committed. Where nothing was typed, the last edit of
 * the scene is meant: a person who has just clicked on a name sees no other change that could be undone.
 */

import { useEventListener } from '@vueuse/core'

const HISTORY: ReadonlySet<string> = new Set(['z', 'y'])

/** Follows the typing in all fields of the window; tells whether a key press is undo or redo in a field that holds nothing typed. */
export function useTypedText(): { isSceneHistory(event: KeyboardEvent): boolean } {
  const typed = new WeakSet<EventTarget>()
  const forget = (event: Event) => { if (event.target) typed.delete(event.target) }
  useEventListener(window, 'input', event => { if (event.target) typed.add(event.target) }, { capture: true })
  useEventListener(window, ['change', 'focusin'], forget, { capture: true })

  function isSceneHistory({ target, key, ctrlKey, metaKey }: KeyboardEvent): boolean {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) || target.closest('.monaco-editor')) return false
    return (ctrlKey || metaKey) && HISTORY.has(key.toLowerCase()) && !typed.has(target)
  }
  return { isSceneHistory }
}
