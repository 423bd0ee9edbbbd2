/** What stands in a low picture leaves most of it free, and covers nothing else. */

import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { apart, scalesIn, type Box } from './scales'
import { sitting } from './sitting'

describe.skipIf(!chromium)('in a small window, a person who', () => {
  let editor: Editor
  const block = { id: 'block', name: 'Block', position: [0, 0, 0.5], shapes: [{ type: 'box', size: [1, 0.4, 1], material: 'wood' }] }
  const scene = { format: 'cairn-scene', version: 1, name: 'Flat', materials: [{ id: 'wood', density: 700 }], bodies: [block], simulation: { duration: 0.1, dimensions: 2 } }
  sitting({
    scene: 'flat.cairn.json', files: { 'flat.cairn.json': scene, 'solid.cairn.json': { ...scene, name: 'Solid', simulation: { duration: 0.1 } } },
    ready: async opened => {
      editor = opened
      await editor.waitFor('flat')
      await editor.page.setViewportSize({ width: 720, height: 450 })
    },
  })
  const boxOf = async (locator: ReturnType<Editor['page']['locator']>): Promise<Box> => {
    const { x, y, width, height } = (await locator.boundingBox())!
    return { left: x, top: y, right: x + width, bottom: y + height }
  }
  /** The bar takes less than a third of the picture, and everything in it is inside of it and of the picture. */
  const isLow = async () => {
    const bar = editor.page.locator('.tool-bar')
    const [own, view] = [await boxOf(bar), await boxOf(editor.viewport.locator('canvas').first())]
    expect(own.bottom - own.top).toBeLessThan((view.bottom - view.top) / 3)
    for (const control of await bar.locator('button:visible, select:visible, input:visible').all()) {
      const box = await boxOf(control)
      // Points of a polygon are a list that scrolls.
      if (box.bottom > own.bottom && await control.locator('xpath=ancestor::ol').count() > 0) continue
      expect([box.left >= own.left, box.right <= own.right, box.top >= own.top, box.bottom <= own.bottom]).toEqual([true, true, true, true])
    }
  }

  it.each(['Polygon', 'Rectangle', 'Disc', 'Rod', 'Ground line', 'Hinge'])('draws a %s in the plane sees two thirds of the picture', async tool => {
    await editor.page.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name: 'Draw' }).click()
    await editor.page.locator('.tool-bar').getByRole('combobox', { name: 'What is drawn' }).selectOption({ label: tool })
    await editor.page.getByRole('region', { name: `Draw: ${tool}` }).waitFor()
    await isLow()
    await editor.page.locator('.tool-bar').getByRole('button', { name: 'Done' }).click()
  })

  it('draws a polygon in space, as a prism and as a solid of revolution, sees two thirds of the picture', async () => {
    const { page } = editor
    await page.keyboard.press('Control+o')
    await page.getByRole('dialog', { name: 'Open' }).getByRole('button', { name: /^solid\.cairn\.json/ }).dblclick()
    await editor.waitFor('solid')
    await editor.addByKeys('polygon')
    const bar = page.getByRole('region', { name: 'Draw: Polygon' })
    await bar.waitFor()
    for (const becomes of ['prism', 'turned']) {
      await bar.getByRole('combobox', { name: 'What it becomes' }).selectOption(becomes)
      await isLow()
      const view = await boxOf(editor.viewport.locator('canvas').first())
      for (const [x, y] of [[20, -20], [80, -20], [80, 10]] as const) await page.mouse.click((view.left + view.right) / 2 + x, view.top + 70 + y)
      await bar.getByRole('textbox', { name: 'Point 3 x' }).waitFor()
      await isLow()
      for (let i = 0; i < 3; i++) await page.keyboard.press('Backspace')
    }
    await bar.getByRole('button', { name: 'Done' }).click()
  })

  it('starts a session while a message is shown can still stop it', async () => {
    const { page } = editor
    await editor.simulate()
    const message = page.getByRole('list', { name: 'Messages' }).getByRole('listitem').first()
    await message.waitFor()
    await page.keyboard.press('Control+Shift+Enter')
    const stop = page.getByRole('button', { name: 'Stop', exact: true })
    await stop.waitFor()
    await expect.poll(async () => apart(await boxOf(message), await boxOf(stop))).toBe(true)
    await stop.click()
    await stop.waitFor({ state: 'detached' })
  })

  it('begins an empty scene sees its first steps beside the scales', async () => {
    await editor.menu('File', 'New scene')
    const first = editor.page.getByText('Add a shape (Shift+A), open an example')
    await first.waitFor()
    await expect.poll(async () => {
      const drawn = await scalesIn(editor)
      return drawn === null || (apart(drawn, await boxOf(first)) && apart(drawn, await boxOf(editor.page.getByRole('button', { name: 'Lessons', exact: true }))))
    }).toBe(true)
  })
})
