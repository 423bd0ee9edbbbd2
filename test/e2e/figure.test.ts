// @module-tag long
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { pixelsOf } from './pixels'
import { shots } from './shots'
import { sitting } from './sitting'

describe.skipIf(!chromium)('a person who draws a free-body diagram', () => {
  let editor: Editor
  sitting({
    ready: async opened => {
      editor = opened
      await editor.waitFor('block-on-an-incline')
      await editor.simulate()
    },
  })
  const dialog = () => editor.page.getByRole('dialog', { name: 'Free-body diagram' })
  const saved = async (button: string) => (await editor.saved(() => dialog().getByRole('button', { name: button }).click())).bytes.toString('latin1')

  it('sees the forces on the selected body now, and that they sum to m a', async () => {
    await editor.workspace('Simulate & inspect')
    await editor.goTo(0.5)
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Waxed block')).click()
    await editor.menu('File', 'Free-body diagram…')
    expect(await dialog().getByRole('combobox', { name: 'Body' }).inputValue()).toBe('waxed')
    const picture = dialog().getByRole('img', { name: /^Forces on Waxed block: W Gravity, N1 Slope, F1 Slope/ })
    await picture.waitFor()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 100)).toBe(true)
    const told = await dialog().getByRole('status').innerText()
    const [, force] = /sum is m a to (\S+) N/.exec(told.replace('·10', 'e').replace(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/g, c => '-0123456789'['⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c)]!))!
    expect(Number(force)).toBeLessThan(1e-9)
    await shots(editor, 'figure')
  })

  it('takes contacts together, changes the labels, and saves SVG and PDF', async () => {
    await dialog().getByRole('combobox', { name: 'Contacts as' }).selectOption('resultant')
    await dialog().getByRole('combobox', { name: 'Labels' }).selectOption('symbols')
    await dialog().getByRole('checkbox', { name: 'All forces and moments' }).uncheck()
    await dialog().getByRole('img', { name: 'Forces on Waxed block: W Gravity, N Slope, F Slope' }).waitFor()
    const svg = await saved('Save SVG…')
    expect(svg).toContain('<svg xmlns')
    expect(svg).not.toContain('<rect')
    expect(await saved('Save PDF…')).toMatch(/^%PDF-1\.4/)
    await dialog().getByRole('button', { name: 'Close' }).last().click()
  })

  it('saves a picture of its own size without background', async () => {
    const { page } = editor
    await page.keyboard.press('Escape')
    await editor.menu('File', 'Film or picture of the run…')
    const picture = page.getByRole('dialog', { name: 'Film or picture of the run' })
    await picture.getByRole('radio', { name: 'Picture' }).check()
    await picture.getByRole('combobox', { name: 'Size' }).selectOption('other…')
    await picture.getByRole('spinbutton', { name: 'Width' }).fill('9000')
    expect(await picture.getByRole('alert').innerText()).toBe('Width and height are whole numbers from 16 to 8192 pixels.')
    await picture.getByRole('spinbutton', { name: 'Width' }).fill('501')
    await picture.getByRole('spinbutton', { name: 'Height' }).fill('301')
    await picture.getByRole('checkbox', { name: 'Transparent background' }).check()
    await shots(editor, 'transparent')
    const { bytes } = await editor.saved(() => picture.getByRole('button', { name: 'Make picture…' }).click())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([501, 301])
    const [sky, block, plate] = await pixelsOf(page, bytes.toString('base64'), [[480, 8], [250, 150], [22, 277]])
    expect(sky).toEqual([0, 0, 0, 0])
    expect(block![3]).toBe(255)
    expect(plate![3]).toBeGreaterThan(100)
  })

  it('hides the scales and the name of the view', async () => {
    const { x, y } = (await editor.viewport.locator('canvas').first().boundingBox())!
    const name = async () => (await editor.page.screenshot({ clip: { x: x + 8, y: y + 8, width: 150, height: 20 } })).toString('base64')
    const choose = async (on: boolean) => {
      await editor.page.getByRole('button', { name: 'Show ▾' }).click()
      await editor.page.getByRole('checkbox', { name: 'Scales', exact: true }).setChecked(on)
      await editor.page.keyboard.press('Escape')
    }
    const shown = await name()
    await choose(false)
    await expect.poll(name).not.toBe(shown)
    await choose(true)
    await expect.poll(name).toBe(shown)
  })
})
