/** Shadows without a graphics card, where they are a choice. */
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
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
    const picture = async () => (await editor.viewport.screenshot()).toString('base64')
    const without = await picture()
    await page.getByRole('button', { name: /^Show/ }).click()
    await page.getByLabel('Soft contact shadows').check()
    await page.keyboard.press('Escape')
    /** Share of the picture that is darker than before by a fifth. */
    const shaded = async () => page.evaluate(async pictures => {
      const [one, other] = await Promise.all(pictures.map(async data => {
        const image = new Image()
        image.src = `data:image/png;base64,${data}`
        await image.decode()
        const context = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }).getContext('2d')!
        context.drawImage(image, 0, 0)
        return context.getImageData(0, 0, image.width, image.height).data
      }))
      let count = 0
      for (let k = 0; k < one!.length; k += 4) if (other![k]! < 0.8 * one![k]!) count++
      return 4 * count / one!.length
    }, [without, await picture()])
    await expect.poll(shaded, { timeout: 15_000 }).toBeGreaterThan(0.001)
    await shots(editor, 'shadow-of-a-board')
  })
})
