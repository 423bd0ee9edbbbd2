/**
 * `v-tip="text"`: the text appears beside the element on hover and on keyboard focus, serves as its accessible description, and is hidden by
 * Esc. Icon buttons have their name as tooltip. One floating element serves the whole window. `v-tip:line` on a label
 * also serves the control beside it, for keyboard users.
 */

import type { Directive } from 'vue'

const DELAY_MS = 450

let bubble: HTMLElement | null = null
let timer: ReturnType<typeof setTimeout> | undefined
/** Whose tooltip appears when `timer` ends. */
let awaited: HTMLElement | null = null
let shownFor: HTMLElement | null = null
/** Where `shownFor` was when the tooltip was placed. */
let placedAt: DOMRect | null = null
const texts = new WeakMap<HTMLElement, string>()

function show(target: HTMLElement) {
  const text = texts.get(target)
  if (!text || !target.isConnected) return
  bubble ??= makeBubble()
  bubble.textContent = text
  bubble.hidden = false
  shownFor = target
  // In a modal dialog, only its descendants are on the top layer.
  const layer = target.closest('dialog') ?? document.body
  if (bubble.parentElement !== layer) layer.append(bubble)
  placedAt = target.getBoundingClientRect()
  place(bubble, placedAt)
}

function place(element: HTMLElement, target: DOMRect) {
  const own = element.getBoundingClientRect()
  const below = target.bottom + 6 + own.height < window.innerHeight
  const left = Math.max(6, Math.min(window.innerWidth - own.width - 6, target.left + target.width / 2 - own.width / 2))
  element.style.left = `${left}px`
  element.style.top = `${below ? target.bottom + 6 : Math.max(6, target.top - own.height - 6)}px`
}

function makeBubble(): HTMLElement {
  const element = document.createElement('div')
  element.className = 'tooltip'
  element.setAttribute('role', 'tooltip')
  document.addEventListener('keydown', event => { if (event.key === 'Escape') hide() }, true)
  document.addEventListener('scroll', onScroll, true)
  return element
}

/** Shows the tooltip after a moment, in place of any other that is pending. */
function showSoon(target: HTMLElement) {
  clearTimeout(timer)
  awaited = target
  timer = setTimeout(() => show(target), DELAY_MS)
}

function hide() {
  forget()
  cover()
}

function forget() {
  clearTimeout(timer)
  awaited = null
}

/** The pointer or the focus has left: tooltips of other elements stay. Scrolling to a focused control makes the pointer leave where it rested. */
function hideOf(target: EventTarget | null) {
  if (awaited === target) forget()
  if (shownFor === target) cover()
}

const onLeave = (event: Event) => hideOf(event.currentTarget)

/**
 * Hides the tooltip of an element that has moved. A busy page reports a scroll late: that of a control that was scrolled into view must not hide the
 * tooltip shown for it since.
 */
function onScroll() {
  const now = shownFor?.getBoundingClientRect()
  if (now && placedAt && now.left === placedAt.left && now.top === placedAt.top) return
  cover()
}

/** Hides the tooltip but keeps a pending one: a control focused by the keyboard may be scrolled into view first. */
function cover() {
  shownFor = null
  if (bubble) bubble.hidden = true
}

/** Last position of the pointer, px of the screen. */
let pointer: readonly [number, number] | null = null

function followPointer() {
  if (pointer) return
  pointer = [NaN, NaN]
  document.addEventListener('pointermove', ({ screenX, screenY }) => { pointer = [screenX, screenY] }, { capture: true, passive: true })
  document.addEventListener('pointerover', ({ target }) => nameSign(target), { passive: true })
  document.addEventListener('focusin', ({ target }) => nameSign(target))
}

const named = new WeakSet<HTMLElement>()

/** A button without words shows its accessible name, which may have changed since. */
function nameSign(target: EventTarget | null) {
  const button = target instanceof Element ? target.closest<HTMLElement>('button[aria-label]') : null
  if (!button || (texts.has(button) && !named.has(button)) || button.title !== '' || /\p{L}{2}/u.test(button.innerText)) return
  texts.set(button, button.ariaLabel ?? '')
  if (named.has(button)) return
  named.add(button)
  button.addEventListener('pointerenter', onEnter)
  button.addEventListener('focus', onEnter)
  for (const event of ['pointerleave', 'blur', 'pointerdown']) button.addEventListener(event, onLeave)
  showSoon(button)
}

function onEnter(event: Event) {
  const target = event.currentTarget as HTMLElement
  // Scrolling moved an element under a resting pointer: this is no hover, and does not replace the tooltip of the focused element.
  if (event instanceof PointerEvent && pointer && event.screenX === pointer[0] && event.screenY === pointer[1]) return
  if (event.type === 'focus' && !target.matches(':focus-visible')) return
  showSoon(target)
}

function describe(element: HTMLElement, text: string | undefined) {
  if (text) {
    texts.set(element, text)
    element.setAttribute('aria-description', text)
  } else {
    texts.delete(element)
    element.removeAttribute('aria-description')
  }
  if (shownFor === element) show(element)
}

/** The control beside a label is described by the label's text, shown when the control gets the keyboard focus. */
function serveLine(label: HTMLElement, line: HTMLElement) {
  let pointed = false
  line.addEventListener('pointerdown', () => {
    pointed = true
    // A press on a text moves no focus.
    window.addEventListener('pointerup', () => { pointed = false }, { once: true, capture: true })
  })
  line.addEventListener('focusin', ({ target }) => {
    const text = texts.get(label)
    if (text && target instanceof HTMLElement) target.setAttribute('aria-description', text)
    if (!pointed) showSoon(label)
  })
  line.addEventListener('focusout', () => hideOf(label))
}

export const vTip: Directive<HTMLElement, string | undefined, never, 'line'> = {
  mounted(element, { value, arg }) {
    followPointer()
    describe(element, value)
    if (arg === 'line' && element.parentElement) serveLine(element, element.parentElement)
    element.addEventListener('pointerenter', onEnter)
    element.addEventListener('focus', onEnter)
    for (const event of ['pointerleave', 'blur', 'pointerdown']) element.addEventListener(event, onLeave)
  },
  updated(element, { value, oldValue }) {
    if (value !== oldValue) describe(element, value)
  },
  beforeUnmount(element) {
    hideOf(element)
  },
}
