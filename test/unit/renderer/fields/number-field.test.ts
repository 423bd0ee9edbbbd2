import { createApp, h, nextTick, reactive } from 'vue'
import { afterEach, describe, expect, it } from 'vitest'
import NumberField from '../../../../renderer/fields/NumberField.vue'

/** A mounted field whose owner applies every change, as the inspector does. */
function field(props: Record<string, unknown>) {
  const state = reactive({ ...props })
  const changes: number[] = []
  let cleared = 0
  const element = document.createElement('div')
  document.body.append(element)
  const app = createApp({
    render: () => h(NumberField as never, {
      ...state, onChange: (value: number) => {
        changes.push(value)
        state.value = value
      }, onClear: () => { cleared++ },
    }),
  })
  app.mount(element)
  const input = element.querySelector('input')!
  const key = async (name: string, options: KeyboardEventInit = {}) => {
    input.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...options }))
    await nextTick()
  }
  const type = async (text: string) => {
    input.focus()
    await nextTick()
    input.value = text
    input.dispatchEvent(new Event('input'))
    await nextTick()
  }
  const elsewhere = async (value: number) => {
    Object.assign(state, { value })
    await nextTick()
  }
  return { elsewhere, input, element, changes, cleared: () => cleared, key, type, close: () => app.unmount() }
}

afterEach(() => { document.body.replaceChildren() })

describe('a number field', () => {
  it('shows few digits, and all of them while it has the focus', async () => {
    const { input } = field({ value: 1 / 3, label: 'Mass', unit: 'kg' })
    expect(input.value).toBe('0.33333')
    input.focus()
    await nextTick()
    expect(input.value).toBe('0.3333333333333333')
    expect(input.getAttribute('aria-label')).toBe('Mass')
  })

  it('applies an expression with units on Enter', async () => {
    const { type, key, changes } = field({ value: 1, label: 'Size', unit: 'm' })
    await type('2 * 5cm')
    await key('Enter')
    expect(changes).toEqual([0.1])
  })

  it('applies a relative change to its value', async () => {
    const { type, key, changes } = field({ value: 1, label: 'Size', unit: 'm' })
    await type('+= 5cm')
    await key('Enter')
    await type('*= 2')
    await key('Enter')
    expect(changes).toEqual([1.05, 2.1])
  })

  it('shows no value if several objects differ, and sets a typed value on all', async () => {
    const { input, type, key, changes } = field({ value: 1, label: 'Size', unit: 'm', mixed: true })
    expect(input.value).toBe('')
    expect(input.placeholder).toBe('mixed')
    await type('1')
    await key('Enter')
    expect(changes).toEqual([1])
  })

  it('keeps the old value and reports why if the text is not a number', async () => {
    const { type, key, changes, element } = field({ value: 1, label: 'Size', unit: 'm' })
    await type('5 kg')
    await key('Enter')
    expect(changes).toEqual([])
    expect(element.querySelector('[role=alert]')!.textContent).toContain('m is needed')
    expect(element.querySelector('input')!.getAttribute('aria-invalid')).toBe('true')
  })

  it('refuses values outside its range', async () => {
    const { type, key, changes, element } = field({ value: 1, label: 'Mass', unit: 'kg', min: 0, minInclusive: false })
    await type('0')
    await key('Enter')
    expect(changes).toEqual([])
    expect(element.querySelector('[role=alert]')!.textContent).toBe('Must be above 0 kg')
  })

  it('restores its value on Esc', async () => {
    const { type, key, changes, input } = field({ value: 1, label: 'Mass' })
    await type('7')
    await key('Escape')
    expect(changes).toEqual([])
    expect(input.value).toBe('1')
  })

  it('does not overwrite a value that changed elsewhere when it is left untouched', async () => {
    const { type, key, changes, input, elsewhere } = field({ value: 1, label: 'Time', unit: 's' })
    await type('0.5')
    await key('Enter')
    await elsewhere(2)
    input.blur()
    await nextTick()
    expect(changes).toEqual([0.5])
    expect(input.value).toBe('2')
  })

  it('steps with the arrow keys and stops at its bound', async () => {
    const { input, key, changes } = field({ value: 0.05, label: 'Friction', min: 0, step: 0.04 })
    input.focus()
    await nextTick()
    await key('ArrowDown')
    await key('ArrowDown')
    await key('ArrowUp', { shiftKey: true })
    expect(changes).toEqual([0.01, 0, 0.4])
  })

  it('shows degrees and keeps radians', async () => {
    const { input, type, key, changes } = field({ value: Math.PI / 6, label: 'Limit', unit: 'rad', display: 'deg' })
    expect(input.value).toBe('30')
    await type('90')
    await key('Enter')
    await type('1 rad')
    await key('Enter')
    expect(changes).toEqual([Math.PI / 2, 1])
  })

  it('can be cleared if its value is optional', async () => {
    const { type, key, cleared } = field({ value: 1, label: 'Length', clearable: true })
    await type('')
    await key('Enter')
    expect(cleared()).toBe(1)
  })

  it('shows its unit after numbers, not after a word such as "never"', async () => {
    const unit = async (props: Record<string, unknown>) => {
      const made = field({ label: 'Time', unit: 's', clearable: true, ...props })
      await nextTick()
      return made.element.querySelector('.unit')?.textContent
    }
    expect(await unit({ value: null, placeholder: 'never' })).toBeUndefined()
    expect(await unit({ value: null, placeholder: '0.25' })).toBe('s')
    expect(await unit({ value: 2, placeholder: 'never' })).toBe('s')
  })
})
