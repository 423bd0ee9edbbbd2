/** Marks an element at the lower edge of the viewport. The scales drawn in the picture keep clear of it. */

import type { ObjectDirective } from 'vue'
import { useViewportApi } from '../state/viewport-api'

/** px: an element farther from the edge leaves room for the scales below it. */
const NEAR = 30

const observers = new WeakMap<HTMLElement, ResizeObserver>()

export const vAtBottom: ObjectDirective<HTMLElement> = {
  mounted(element) {
    const frame = element.offsetParent
    const measure = () => {
      const [own, around] = [element.getBoundingClientRect(), (frame ?? element).getBoundingClientRect()]
      const aside = around.bottom - own.bottom > NEAR
      useViewportApi().setAtBottom(element, aside ? null : { left: own.left - around.left, right: own.right - around.left, height: around.bottom - own.top })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    if (frame) observer.observe(frame)
    observers.set(element, observer)
  },
  beforeUnmount(element) {
    observers.get(element)?.disconnect()
    useViewportApi().setAtBottom(element, null)
  },
}
