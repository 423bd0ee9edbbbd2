/** Marks a bar or card in the lower part of the viewport. The scales drawn in the picture and the messages keep clear of it. */

import type { ObjectDirective } from 'vue'
import { useViewportApi } from '../state/viewport-api'

const observers = new WeakMap<HTMLElement, ResizeObserver>()

export const vAtBottom: ObjectDirective<HTMLElement> = {
  mounted(element) {
    const frame = element.offsetParent
    const measure = () => {
      const [own, around] = [element.getBoundingClientRect(), (frame ?? element).getBoundingClientRect()]
      useViewportApi().setCovered(element, {
        left: own.left - around.left, right: own.right - around.left, bottom: around.bottom - own.bottom, top: around.bottom - own.top,
      })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    if (frame) observer.observe(frame)
    observers.set(element, observer)
  },
  beforeUnmount(element) {
    observers.get(element)?.disconnect()
    useViewportApi().setCovered(element, null)
  },
}
