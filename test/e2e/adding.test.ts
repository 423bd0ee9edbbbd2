/** Bodies added one after another, and on a slope: none overlaps what is there. */

import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

describe.skipIf(!chromium)('a new body', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.waitFor('block-on-an-incline')
  } })
  const height = async () => Number((await editor.inspector.getByRole('textbox', { name: 'Position z' }).inputValue()).replace('−', '-'))
  const problems = () => editor.page.getByRole('contentinfo', { name: 'Status' }).innerText().then(text => text.replaceAll(/\s+/g, ' '))

  it('lies on the slope where a shape is dropped, without overlap; with Alt it stands upright', async () => {
    const { page } = editor
    for (const [shape, label, altKey] of [['box', 'Box', false], ['sphere', 'Sphere', false], ['cylinder', 'Cylinder', true]] as const) {
      const { x, y, width, height: high } = (await editor.viewport.boundingBox())!
      const transfer = await page.evaluateHandle(name => {
        const data = new DataTransfer()
        data.setData('application/x-cairn-shape', name)
        return data
      }, shape)
      // Places along the middle of the slope, below its blocks.
      const along = { box: [0.56, 0.56], sphere: [0.62, 0.64], cylinder: [0.68, 0.73] }[shape]
      await editor.viewport.dispatchEvent('drop', { dataTransfer: transfer, clientX: x + along[0]! * width, clientY: y + along[1]! * high, altKey })
      await editor.outlinerItem(label)
      expect(await editor.inspector.getByRole('textbox', { name: 'Orientation y' }).inputValue()).toBe(altKey ? '0' : '20')
    }
    const { page: { keyboard } } = editor
    await keyboard.press('Control+Enter')
    await editor.reaches('current', 'refused', 'stopped')
    expect(await problems()).toContain('0 errors, 0 warnings')
    expect(await editor.primary.getAttribute('data-state')).toBe('current')
  })

  it('stands on those that were added before it', async () => {
    await editor.menu('File', 'New scene')
    await editor.page.getByRole('dialog', { name: 'Save changes?' }).getByRole('button', { name: 'Don’t save' }).click()
    await editor.page.getByText('Add a shape (Shift+A), open an example').waitFor()
    const heights: number[] = []
    for (const [shape, name] of [['Box', 'Box'], ['Cylinder', 'Cylinder'], ['Box', 'Box 2']] as const) {
      await editor.menu('Add', shape)
      await editor.outlinerItem(name)
      heights.push(await height())
    }
    const [box, cylinder, second] = heights as [number, number, number]
    expect(cylinder).toBeGreaterThan(2 * box - 1e-9)
    expect(second).toBeGreaterThan(cylinder)
    await editor.simulate()
    expect(await editor.primary.getAttribute('data-state')).toBe('current')
  })

  it('lies on the slope in the middle of the view when it is added by keys', async () => {
    await editor.menu('File', 'New scene')
    await editor.page.getByRole('dialog', { name: 'Save changes?' }).getByRole('button', { name: 'Don’t save' }).click()
    await editor.page.getByText('Add a shape (Shift+A), open an example').waitFor()
    await editor.addByKeys('box')
    for (const [field, text] of [['Size x', '4'], ['Size y', '4'], ['Orientation y', '20'], ['Position z', '0']] as const) await editor.type(field, text)
    await editor.page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('fixed')
    await editor.addByKeys('box')
    await editor.outlinerItem('Box 2')
    await expect.poll(() => editor.field('Orientation y').inputValue()).toBe('20')
    expect(await problems()).toContain('0 errors, 0 warnings')
  })
})
