/** The way of somebody who sees the editor for the first time: a ramp from nothing, a run, a joint's plot, a live session, an export, and everything undone. */
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

describe.skipIf(!chromium)('a newcomer', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.beginEmpty()
  } })
  const place = async (name: string, values: readonly (readonly [string, string])[]) => {
    await (await editor.outlinerItem(name)).click()
    for (const [field, text] of values) await editor.type(field, text)
  }
  const add = async (shape: string) => {
    await editor.page.getByRole('button', { name: 'Add ▾' }).click()
    await editor.page.getByRole('button', { name: shape, exact: true }).click()
  }

  it('builds a ramp with a box on it and a hinged rod beside it, and runs it', async () => {
    await add('Ground (half-space)')
    await add('Box')
    await place('Box', [['Size x', '4'], ['Size y', '1'], ['Size z', '0.2'], ['Orientation y', '20'], ['Position z', '1']])
    await editor.inspector.getByRole('combobox', { name: 'Type' }).selectOption('fixed')
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('f')
    await editor.rests()
    await editor.page.getByRole('button', { name: 'Add ▾' }).click()
    const { width, height } = (await editor.viewport.locator('canvas').first().boundingBox())!
    await editor.page.getByRole('button', { name: 'Box', exact: true }).dragTo(editor.viewport.locator('canvas').first(), { targetPosition: { x: width / 2, y: height / 2 - 4 } })
    await editor.outlinerItem('Box 2')
    await add('Capsule')
    await place('Capsule', [['Position x', '3'], ['Position y', '2'], ['Position z', '2']])
    await editor.panel('Joints')
    await editor.page.getByRole('button', { name: 'New joint' }).first().click()
    const form = editor.page.getByRole('form', { name: 'New joint' })
    for (const [axis, value] of [['Anchor z', '2.3'], ['Axis x', '1'], ['Axis z', '0']] as const) {
      await form.getByRole('textbox', { name: axis, exact: true }).fill(value)
      await form.getByRole('textbox', { name: axis, exact: true }).press('Enter')
    }
    await form.getByRole('button', { name: 'Create joint' }).click()
    await editor.outlinerItem('Hinge')
    await editor.simulate()
    expect(await editor.primary.getAttribute('data-state')).toBe('current')
  })

  it('is led to the values and plots of a joint at the start of the run, which are below its fields, and plots its angle', async () => {
    const { page } = editor
    expect(await editor.time()).toBe(0)
    await (await editor.outlinerItem('Hinge')).click()
    await editor.panel('Inspector')
    const plot = page.getByRole('button', { name: 'Plot angle', exact: true })
    const panel = (await page.locator('.panel.inspector').boundingBox())!
    const isSeen = async () => {
      const box = await plot.boundingBox()
      return box !== null && box.y >= panel.y && box.y + box.height <= panel.y + panel.height
    }
    expect(await isSeen()).toBe(false)
    await page.getByRole('button', { name: 'Values and plots of the run' }).click()
    await expect.poll(isSeen).toBe(true)
    await plot.click()
    await page.getByRole('img', { name: /angle/i }).first().waitFor()
    await editor.workspace('Compose')
  })

  it('sees the empty scene again after a session, when everything is undone, and the whole one when it is redone', async () => {
    const { page } = editor
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await page.getByText('ms a frame').waitFor()
    await page.locator('.banner.live').getByRole('button', { name: 'Stop' }).click()
    await page.locator('.banner.live').waitFor({ state: 'detached' })
    const all = async (name: 'Undo' | 'Redo') => {
      const button = page.getByRole('button', { name, exact: true })
      while (await button.isEnabled()) await button.click()
    }
    await all('Undo')
    await page.getByText('Add a shape (Shift+A), open an example').waitFor()
    expect(await page.getByRole('treeitem').count()).toBe(0)
    await all('Redo')
    await editor.outlinerItem('Hinge')
    for (const name of ['Ground', 'Box', 'Box 2', 'Capsule']) await editor.outlinerItem(name)
  })
})
