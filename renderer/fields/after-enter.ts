/**
 * A number field keeps the focus after Enter, for Tab, the arrows and another number; its text is selected. Keys that begin no number act on the scene
 * then, as if the field had been left.
 */

const MARK = 'entered'

/** Marks a field whose text has been entered, until something else is typed. */
export function markEntered(field: HTMLElement, entered: boolean): void {
  if (entered) field.dataset[MARK] = ''
  else delete field.dataset[MARK]
}

/** Ctrl and these act on the selected text. */
const OF_TEXT: ReadonlySet<string> = new Set(['a', 'c', 'v', 'x'])
/** Begin a number, a formula or a relative change, or move in the form. */
const OF_FIELD = /^([\d.,+\-−*/(=]|Enter|Tab|Backspace|Delete|Home|End|Arrow.*)$/

/** Whether a key pressed in a field is for the scene. */
export function isForScene(event: KeyboardEvent): boolean {
  if (!(event.target instanceof HTMLElement) || event.target.dataset[MARK] === undefined) return false
  const { key } = event
  return event.ctrlKey || event.metaKey ? !OF_TEXT.has(key.toLowerCase()) : !OF_FIELD.test(key)
}
