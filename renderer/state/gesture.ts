/**
 * One drag, from pointer down to pointer up, as a state machine: it is committed or discarded as a whole.
 *
 *   const drag = startGesture('move')
 *   drag.update(draft => …)     // always relative to the scene at the start
 *   drag.commit()               // one undo entry; Esc calls cancel() and `onCancel`
 */

import { useDocument, type Recipe } from './document'

export interface Gesture {
  /** False after commit or cancel: later updates do nothing. */
  readonly open: boolean
  update(recipe: Recipe): void
  commit(): void
  cancel(): void
}

export function startGesture(label: string, onCancel?: () => void): Gesture {
  const document = useDocument()
  document.beginGesture(label)
  const own = document.gesture
  let open = true

  /** Another gesture commits ours when it begins. */
  const stillOurs = () => open && document.gesture === own

  function finish(action: () => void) {
    if (!open) return
    const ours = stillOurs()
    open = false
    window.removeEventListener('keydown', onKey, true)
    if (ours) action()
  }

  function onKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    gesture.cancel()
  }

  const gesture: Gesture = {
    get open() { return stillOurs() },
    update(recipe) { if (stillOurs()) document.updateGesture(recipe) },
    commit() { finish(() => document.commitGesture()) },
    cancel() {
      finish(() => {
        document.cancelGesture()
        onCancel?.()
      })
    },
  }
  window.addEventListener('keydown', onKey, true)
  return gesture
}
