/** Shadows without a graphics card, where they are a choice. */
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { differenceOf, pictureOf } from './pixels'
import { shots } from './shots'
import { sitting } from './sitting'

/** A board that floats high above a table. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Shade', materials: [{ id: 'wood', density: 700, color: '#d8c8a8' }],
  bodies: [
    { id: 'table', name: 'Table', type: 'fixed', position: [0, 0, -0.1], shapes: [{ type: 'box', size: [6, 6, 0.2], material: 'wood' }] },
    { id: 'board', name: 'Board', position: [0, 0, 2], shapes: [{ type: 'box', size: [1, 1, 0.1], material: 'wood' }] },
  ],
}

describe.skipIf(!chromium)('soft shadows', () => {
  let editor: Editor
  sitting({ scene: 'shade.cairn.json', files: { 'shade.cairn.json': scene }, ready: async opened => {
    editor = opened
    await editor.waitFor('shade')
  } })

  it('are thrown by the light, also from far above', async () => {
    const { page } = editor
    const without = await pictureOf(editor.viewport)
    await page.getByRole('button', { name: /^Show/ }).click()
    await page.getByLabel('Soft contact shadows').check()
    await page.keyboard.press('Escape')
    /** Share of the picture that is darker than before by a fifth. */
    const shaded = async () => (await differenceOf(page, without, await pictureOf(editor.viewport))).darker
    await expect.poll(shaded, { timeout: 15_000 }).toBeGreaterThan(0.001)
    await shots(editor, 'shadow-of-a-board')
  })
})
