/** Messages and the scales in the picture's corner. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Scene } from '../../core/scene'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const flag = JSON.parse(readFileSync(new URL('../../scenes/flag-in-the-wind.cairn.json', import.meta.url), 'utf8')) as Scene
const short: Scene = { ...flag, simulation: { ...flag.simulation, duration: 0.1 } }

describe.skipIf(!chromium)('a message while cloth is coloured', () => {
  let editor: Editor
  sitting({ scene: 'flag.cairn.json', files: { 'flag.cairn.json': short }, ready: async opened => {
    editor = opened
    await editor.waitFor('flag')
  } })

  it('leaves the scale of the colours free', async () => {
    await editor.page.getByRole('button', { name: /^Show/ }).click()
    await editor.page.getByRole('combobox', { name: 'Cloth and ropes by' }).selectOption('strain')
    await editor.page.keyboard.press('Escape')
    await editor.simulate()
    const message = editor.page.getByRole('list', { name: 'Messages' }).getByRole('listitem').filter({ hasText: 'A new run is shown once' })
    await message.waitFor()
    // Bottom up: the scale of lengths, that of the grid, the colours with their figures.
    const colours = 16 + 20 + 46 + 22
    const free = async () => {
      const [card, picture] = [(await message.boundingBox())!, (await editor.viewport.locator('canvas').first().boundingBox())!]
      return picture.y + picture.height - (card.y + card.height)
    }
    await expect.poll(free).toBeGreaterThan(colours)
    await shots(editor, 'message-over-colours')
  })
})
