/** Pictures of examples and of one's own templates: of one size, sharp, and with something to be seen in them. */
import { describe, expect, it } from 'vitest'
import type { Locator } from 'playwright-core'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Parts', materials: [{ id: 'red', density: 700, color: '#c0392b' }],
  bodies: [
    { id: 'post', name: 'Post', position: [5, 0, 3], shapes: [{ type: 'box', size: [0.2, 0.2, 2], material: 'red' }] },
    { id: 'cap', name: 'Cap', position: [5, 0, 4.2], shapes: [{ type: 'box', size: [1.2, 0.2, 0.4], material: 'red' }] },
  ],
}

/** What of a picture is not ground, sky or transparent. Shares of its pixels, its width and its height. */
interface Seen {
  readonly pixels: number
  readonly width: number
  readonly height: number
}

/** In the page: pixels that are bright, or have more colour than the ground and the sky, which are grey with a little blue. */
function seenIn(picture: HTMLImageElement | HTMLCanvasElement): Seen {
  const [width, height] = picture instanceof HTMLImageElement ? [picture.naturalWidth, picture.naturalHeight] : [picture.width, picture.height]
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')!
  context.drawImage(picture, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const box = [width, height, 0, 0]
  let count = 0
  for (let i = 0; i < width * height; i++) {
    const [r, g, b, a] = data.subarray(4 * i, 4 * i + 4)
    const [low, high] = [Math.min(r!, g!, b!), Math.max(r!, g!, b!)]
    if (a! < 128 || (high < 105 && high - low < 40)) continue
    count++
    const [x, y] = [i % width, Math.floor(i / width)]
    box[0] = Math.min(box[0]!, x); box[1] = Math.min(box[1]!, y); box[2] = Math.max(box[2]!, x); box[3] = Math.max(box[3]!, y)
  }
  return { pixels: count / (width * height), width: Math.max(0, box[2]! - box[0]!) / width, height: Math.max(0, box[3]! - box[1]!) / height }
}

const shownSizes = (pictures: Locator) => pictures.evaluateAll(all => all.map(one => {
  const { width, height } = one.getBoundingClientRect()
  return [Math.round(width * 2) / 2, Math.round(height * 2) / 2] as const
}))

describe.skipIf(!chromium)('a person who chooses by pictures', () => {
  let editor: Editor
  sitting({
    scene: 'parts.cairn.json', files: { 'parts.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('parts')
    },
  })

  it('sees each example in a picture of one size that is neither cut off, stretched nor blurred, with its subject in sight', async () => {
    const { page } = editor
    await editor.menu('File', 'Examples…')
    const dialog = page.getByRole('dialog', { name: 'Examples' })
    const cards = dialog.getByRole('list', { name: 'Examples' }).getByRole('listitem')
    await cards.first().waitFor()
    const pictures = cards.locator('img')
    expect(await pictures.count()).toBe(await cards.count())
    await expect.poll(() => pictures.evaluateAll(all => all.every(one => (one as HTMLImageElement).complete))).toBe(true)
    const files = await pictures.evaluateAll(all => all.map(one => [(one as HTMLImageElement).naturalWidth, (one as HTMLImageElement).naturalHeight] as const))
    for (const file of files) expect(file).toEqual([480, 300])
    for (const size of [[1440, 900], [1024, 700], [720, 450]] as const) {
      await page.setViewportSize({ width: size[0], height: size[1] })
      const shown = await shownSizes(pictures)
      const [[width, height]] = shown as [readonly [number, number]]
      expect(new Set(shown.map(String)).size).toBe(1)
      // Recognisable, of the file's proportions, and with at least two pixels of the file for each on screen in both directions together.
      expect(width).toBeGreaterThanOrEqual(size[0] > 720 ? 150 : 90)
      expect(width / height).toBeCloseTo(480 / 300, 1)
      expect(480 * 300).toBeGreaterThan(2 * width * height)
      // Descriptions end after whole lines.
      const lines = await cards.locator('.text').evaluateAll(all => all.map(one => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)))
      for (const count of lines) expect(Math.abs(count - Math.round(count))).toBeLessThan(0.15)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    const names = await cards.locator('strong').allInnerTexts()
    const poor: unknown[] = []
    for (const [i, name] of names.entries()) {
      const seen = await pictures.nth(i).evaluate(seenIn as (picture: SVGElement | HTMLElement) => Seen)
      if (seen.pixels < 0.003 || Math.max(seen.width, seen.height) < 0.4) poor.push([name, seen])
    }
    expect(poor).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('sees a saved template as it is: filling its picture, in its colour', async () => {
    const { page } = editor
    await (await editor.outlinerItem('Post')).click()
    await (await editor.outlinerItem('Cap')).click({ modifiers: ['Control'] })
    await editor.menu('Add', 'Save selection as template…')
    await page.getByRole('textbox', { name: 'Template name' }).fill('Sign')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.keyboard.press('Shift+T')
    const dialog = page.getByRole('dialog', { name: 'Insert a template' })
    const own = dialog.getByRole('list', { name: 'Your templates' }).getByRole('button', { name: /^Sign/ }).locator('canvas')
    const seen = await own.evaluate(seenIn as (picture: SVGElement | HTMLElement) => Seen)
    expect(seen.height).toBeGreaterThan(0.7)
    expect(seen.height).toBeLessThan(1)
    expect(seen.pixels).toBeGreaterThan(0.08)
    // All templates, one's own and those that come with Cairn, at one size.
    const canvases = dialog.getByRole('listitem').locator('canvas')
    expect(new Set((await shownSizes(canvases)).map(String)).size).toBe(1)
    const reds = await own.evaluate(canvas => {
      const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, (canvas as HTMLCanvasElement).width, (canvas as HTMLCanvasElement).height)
      let [red, all] = [0, 0]
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3]! < 128) continue
        all++
        if (data[i]! > 1.5 * data[i + 2]!) red++
      }
      return red / all
    })
    expect(reds).toBeGreaterThan(0.9)
    await page.keyboard.press('Escape')
  })
})
