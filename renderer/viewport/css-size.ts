/** Sizes of elements on the page, known without asking for a layout: reading `clientWidth` in a picture costs up to a millisecond where panels changed. */

interface Size {
  readonly width: number
  readonly height: number
}

const known = new WeakMap<Element, Size>()
const read = ({ clientWidth, clientHeight }: Element): Size => ({ width: clientWidth, height: clientHeight })

/** CSS pixels, as of the page's last layout. */
export function cssSizeOf(element: Element): Size {
  const size = known.get(element)
  if (size) return size
  known.set(element, read(element))
  new ResizeObserver(() => known.set(element, read(element))).observe(element)
  return known.get(element)!
}
