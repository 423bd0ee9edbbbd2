/** Messages and the scales in the picture's corner. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Scene } from '../../core/scene'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const example = (name: string) => JSON.parse(readFileSync(new URL(`../../scenes/${name}.cairn.json`, import.meta.url), 'utf8')) as Scene
const flag = example('flag-in-the-wind')
const boxes = example('stack-of-ten')
const short: Scene = { ...flag, simulation: { ...flag.simulation, duration: 0.1 } }

describe.skipIf(!chromium)('a message while cloth is coloured', () => {
  let editor: Editor
  sitting({ motion: 'full', scene: 'flag.cairn.json', files: { 'flag.cairn.json': short }, ready: async opened => {
    editor = opened
    await editor.waitFor('flag')
  } })

  it('leaves the scale of the colours free, and the window with its scene', async () => {
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
    // It would be shown for eight seconds.
    expect(await message.isVisible()).toBe(true)
    await editor.page.keyboard.press('Alt+n')
    await message.waitFor({ state: 'detached', timeout: 3_000 })
  })
})

describe.skipIf(!chromium)('a person who saves often', () => {
  let editor: Editor
  sitting({ motion: 'full', scene: 'boxes.cairn.json', files: { 'boxes.cairn.json': { ...boxes, simulation: { ...boxes.simulation, duration: 0.1 } } }, ready: async opened => {
    editor = opened
    await editor.waitFor('boxes')
  } })
  const cards = () => editor.page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  const told = () => editor.page.getByRole('contentinfo').getByRole('status').filter({ hasText: 'Saved' })

  it('is told so once, outside the picture, by screen readers too, and not for long', async () => {
    const { page } = editor
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('Control+s')
      await told().waitFor()
    }
    expect(await told().innerText()).toBe('Saved boxes.cairn.json')
    expect(await cards().count()).toBe(0)
    // Every point of the picture's lower right receives the pointer itself.
    const picture = (await editor.viewport.locator('canvas').first().boundingBox())!
    const receivers = await page.evaluate(({ right, bottom }) => {
      const found = new Set<string>()
      for (let x = right - 400; x < right - 20; x += 20) for (let y = bottom - 200; y < bottom - 4; y += 8) found.add(document.elementFromPoint(x, y)!.tagName)
      return [...found]
    }, { right: picture.x + picture.width, bottom: picture.y + picture.height })
    expect(receivers).toEqual(['CANVAS'])
    await told().waitFor({ state: 'detached', timeout: 8000 })
  })

  it('clicks through a hint to what lies below it', async () => {
    const { page } = editor
    await editor.simulate()
    const hint = cards().filter({ hasText: 'A new run is shown once' })
    const { x, y, height } = (await hint.boundingBox())!
    expect(await page.evaluate(([left, top]) => document.elementFromPoint(left!, top!)!.tagName, [x + 20, y + height / 2])).toBe('CANVAS')
    await hint.getByRole('button', { name: 'Dismiss' }).click()
    await hint.waitFor({ state: 'detached' })
  })

  it('sees an error once, and dismisses it', async () => {
    const { page } = editor
    const drop = () => page.locator('.app').evaluate(app => {
      const data = new DataTransfer()
      data.items.add(new File(['no scene'], 'broken.cairn.json'))
      app.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    })
    const error = cards().filter({ hasText: 'broken.cairn.json' })
    await drop()
    await error.waitFor()
    await drop()
    await page.waitForTimeout(500)
    expect(await page.getByRole('alert').filter({ hasText: 'broken.cairn.json' }).count()).toBe(1)
    await error.getByRole('button', { name: 'Dismiss' }).click()
    await error.waitFor({ state: 'detached' })
  })

  it('opens About, and no tooltip comes by itself', async () => {
    const { page } = editor
    await editor.menu('Help', 'About Cairn…')
    await page.getByRole('dialog', { name: 'About Cairn' }).waitFor()
    await page.waitForTimeout(1000) // more than the delay of a tooltip
    expect(await page.getByRole('tooltip').filter({ visible: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
  })
})
