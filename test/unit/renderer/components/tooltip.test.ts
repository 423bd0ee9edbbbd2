import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApp, h, withDirectives } from 'vue'
import { vTip } from '../../../../renderer/components/tooltip'

let close: () => void
beforeEach(() => {
  vi.useFakeTimers()
  const place = document.createElement('div')
  document.body.append(place)
  const app = createApp({
    render: () => h('div', [
      h('div', [withDirectives(h('span', { id: 'first' }, 'First'), [[vTip, 'What the first is.', 'line']]), h('input', { id: 'one' })]),
      h('div', [withDirectives(h('span', { id: 'second' }, 'Second'), [[vTip, 'What the second is.', 'line']]), h('input', { id: 'two' })]),
    ]),
  })
  app.mount(place)
  close = () => {
    app.unmount()
    place.remove()
  }
})
afterEach(() => {
  close()
  vi.useRealTimers()
})

const by = (id: string) => document.getElementById(id)!
const point = (type: string, target: EventTarget, x: number, y: number) => target.dispatchEvent(new PointerEvent(type, { screenX: x, screenY: y, bubbles: type === 'pointermove' }))
function shown(): string | null {
  vi.advanceTimersByTime(1000)
  const tip = document.querySelector<HTMLElement>('[role=tooltip]')
  return tip && !tip.hidden ? tip.textContent : null
}

it('appears for a control that is focused by keyboard and scrolled into view, and closes on Esc', () => {
  // The floating element is created with the first tooltip and listens to scrolling from then on.
  point('pointerenter', by('second'), 1, 1)
  expect(shown()).toBe('What the second is.')
  by('one').dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  document.dispatchEvent(new Event('scroll'))
  expect(shown()).toBe('What the first is.')
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
  expect(shown()).toBeNull()
})

it('stays when the scroll that brought its control into view is reported late', () => {
  by('one').dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  expect(shown()).toBe('What the first is.')
  document.dispatchEvent(new Event('scroll'))
  expect(shown()).toBe('What the first is.')
})

it('closes when its control is scrolled out of view', () => {
  point('pointerenter', by('first'), 1, 1)
  expect(shown()).toBe('What the first is.')
  by('first').getBoundingClientRect = () => new DOMRect(0, -100, 10, 10)
  document.dispatchEvent(new Event('scroll'))
  expect(shown()).toBeNull()
})

it('belongs to the control to which the pointer moved, not to one scrolled under it', () => {
  point('pointermove', document, 7, 7)
  by('one').dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  point('pointerenter', by('second'), 7, 7)
  expect(shown()).toBe('What the first is.')
  point('pointerenter', by('second'), 8, 7)
  expect(shown()).toBe('What the second is.')
})

it('appears although the pointer leaves what was scrolled away from under it', () => {
  point('pointerenter', by('second'), 1, 1)
  expect(shown()).toBe('What the second is.')
  by('one').dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  point('pointerleave', by('second'), 1, 1)
  expect(shown()).toBe('What the first is.')
})

it('appears for a control whose label was pressed before', () => {
  by('first').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  by('first').dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
  by('one').dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  expect(shown()).toBe('What the first is.')
})

it('does not appear for a control that is focused by a press', () => {
  by('one').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  by('one').dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  by('one').dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
  expect(shown()).toBeNull()
})
