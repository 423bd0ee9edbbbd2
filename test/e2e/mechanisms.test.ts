// @module-tag long
/** Mechanisms built from nothing: rods between two points, copies with their joints, numbers that are read in full. */
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

describe.skipIf(!chromium)('a person who builds a Newton’s cradle from nothing', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.beginEmpty()
  } })
  const count = (name: RegExp) => editor.page.getByRole('treeitem', { name }).count()
  const add = async (name: string) => (await editor.outlinerItem(name)).click({ modifiers: ['Control'] })

  it('adds a bar above a ball that is there, not through it', async () => {
    await editor.addByKeys('sphere')
    await editor.type('Radius', '0.05')
    await editor.type('Position z', '0.5')
    await editor.addByKeys('box')
    expect(await editor.field('Position z').inputValue()).toBe('0.8')
    for (const [field, text] of [['Size x', '1.2'], ['Size y', '0.1'], ['Size z', '0.1'], ['Position z', '1']] as const) await editor.type(field, text)
    await editor.page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('fixed')
  })

  it('adds a rope above what floats at its height', async () => {
    await editor.addByKeys('rope')
    // The bar reaches to 1.05 m, and the rope has a radius of 0.01 m.
    expect(Number(await editor.page.getByRole('textbox', { name: /^Points 0 z/ }).inputValue())).toBeCloseTo(1.06, 3)
    await editor.page.keyboard.press('Control+z')
    await (await editor.outlinerItem('Box')).click()
  })

  it('joins both by a rod that ends on each of them, by one key and one choice', async () => {
    await add('Sphere')
    await editor.page.keyboard.press('Shift+J')
    const form = editor.page.getByRole('form', { name: 'New joint' })
    await form.getByRole('combobox', { name: 'Joint type' }).selectOption('distance')
    expect(await form.getByRole('textbox', { name: 'Anchor on A z' }).inputValue()).toBe('0.95')
    expect(await form.getByRole('textbox', { name: 'Anchor on B z' }).inputValue()).toBe('0.55')
    await shots(editor, 'planned-rod')
    // Exchanged bodies have exchanged ends.
    await form.getByRole('combobox', { name: 'Body B' }).selectOption({ label: 'World' })
    await form.getByRole('combobox', { name: 'Body A' }).selectOption({ label: 'Sphere' })
    await form.getByRole('combobox', { name: 'Body B' }).selectOption({ label: 'Box' })
    expect(await form.getByRole('textbox', { name: 'Anchor on A z' }).inputValue()).toBe('0.55')
    await form.getByRole('button', { name: 'Create joint' }).click()
    await editor.outlinerItem('Distance')
  })

  it('copies the ball with its rod in a row, with a step that fits the ball', async () => {
    await add('Sphere')
    await editor.panel('Arrange')
    expect(await editor.field('Step x').inputValue()).toBe('0.15')
    await editor.type('Count', '5')
    await editor.type('Step x', '0.1')
    await editor.page.getByRole('button', { name: 'Make array' }).click()
    await editor.outlinerItem('Distance 5')
    expect(await count(/^Sphere/)).toBe(5)
    await editor.page.getByRole('button', { name: 'Apply', exact: true }).click()
    await editor.page.keyboard.press('Escape')
    await (await editor.outlinerItem('Distance 3')).click()
    await editor.panel('Inspector')
    // The rod of the third ball: at its top, and straight above it on the bar, which is not copied.
    const values = []
    for (const field of ['Anchor on A x', 'Anchor on B x', 'Anchor on A z', 'Anchor on B z']) values.push(await editor.field(field).inputValue())
    expect(values).toEqual(['0.2', '0.2', '0.55', '0.95'])
    expect(await editor.page.getByRole('combobox', { name: 'Body A' }).locator('option:checked').innerText()).toBe('Sphere 3')
    expect(await editor.page.getByRole('combobox', { name: 'Body B' }).locator('option:checked').innerText()).toBe('Box')
  })

  it('reads long numbers of a vector in full at every size', async () => {
    await (await editor.outlinerItem('Sphere 5')).click()
    const place = () => Promise.all(['x', 'y', 'z'].map(axis => editor.field(`Position ${axis}`).inputValue()))
    const before = await place()
    await editor.type('Position x', '0.4236451')
    await editor.type('Position y', '-0.000123456')
    await editor.type('Position z', '0.5123457')
    await editor.field('Name').focus()
    const cut = () => editor.page.evaluate(() => [...document.querySelectorAll<HTMLInputElement>('.vector-field input')].filter(input => input.scrollWidth > input.clientWidth).map(input => input.value))
    for (const [width, height] of [[1440, 900], [1024, 700], [720, 450]] as const) {
      await editor.page.setViewportSize({ width, height })
      await expect.poll(cut).toEqual([])
    }
    await shots(editor, 'long-vector')
    await editor.page.setViewportSize({ width: 1440, height: 900 })
    expect(await editor.field('Position y').inputValue()).toBe('−0.000123')
    // Each step back is waited for, so that no more is undone than was done here.
    for (let now = await place(); now.join() !== before.join(); now = await place()) {
      await editor.page.keyboard.press('Control+z')
      await expect.poll(place).not.toEqual(now)
    }
    expect(before[0]).toBe('0.4')
  })

  it('undoes the scene from a field where nothing was typed, and the typing where something was', async () => {
    await (await editor.outlinerItem('Sphere 5')).click() // keys go to the scene
    await editor.addByKeys('Capsule')
    const capsule = await editor.outlinerItem('Capsule')
    await editor.field('Name').click()
    await editor.page.keyboard.type('x')
    await editor.page.keyboard.press('Control+z')
    expect(await editor.field('Name').inputValue()).toBe('Capsule')
    await editor.page.keyboard.press('Enter')
    await capsule.waitFor()
    await editor.page.keyboard.press('Control+z')
    await capsule.waitFor({ state: 'detached' })
  })

  it('turns two joined bodies around a circle as one', async () => {
    await (await editor.outlinerItem('Sphere 5')).click()
    await add('Distance 5')
    await add('Box')
    await editor.panel('Arrange')
    await editor.page.getByRole('combobox', { name: 'Kind of array' }).selectOption('circle')
    await editor.type('Count', '4')
    await editor.type('Radius', '3')
    await editor.page.getByRole('button', { name: 'Make array' }).click()
    await editor.outlinerItem('Distance 8')
    // A rod that no longer ended at its bodies would be an error.
    await editor.page.getByRole('contentinfo').getByText('0 errors').waitFor()
    await (await editor.outlinerItem('Distance 6')).click()
    await editor.panel('Inspector')
    const at = async (field: string) => Number((await editor.field(field).inputValue()).replace('−', '-'))
    expect(await at('Anchor on A x')).toBeCloseTo(await at('Anchor on B x'), 4)
    expect(await at('Anchor on A y')).toBeCloseTo(await at('Anchor on B y'), 4)
    await shots(editor, 'array-of-joined')
  })
})
