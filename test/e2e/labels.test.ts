import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const corner = (x: number, y: number, z: number) => ({ type: 'spring', bodyA: 'crate', pointA: [x, y, 0.3], bodyB: null, pointB: [3 * x, 3 * y, z], stiffness: 90, restLength: 0.4 })
/** A crate of 0.6 m on the ground: four contacts with friction, gravity, and two springs to the world. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Labels', materials: [{ id: 'wood', density: 200, friction: { static: 0.6, dynamic: 0.5 } }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'crate', position: [0, 0, 0.3], shapes: [{ type: 'box', size: [0.6, 0.6, 0.6], material: 'wood' }] },
  ],
  forces: [{ id: 'left', ...corner(-0.3, 0, 1.2) }, { id: 'right', ...corner(0.3, 0.1, 1) }],
  simulation: { duration: 0.2, method: 'time-stepping' },
}

interface Box { readonly text: string; readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }

function covered(boxes: readonly Box[]): string[] {
  return boxes.flatMap((a, i) => boxes.slice(i + 1)
    .filter(b => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).map(b => `${a.text} and ${b.text}`))
}

describe.skipIf(!chromium)('labels of forces', () => {
  let editor: Editor
  sitting({
    scene: 'labels.cairn.json', files: { 'labels.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('labels')
      await editor.simulate()
      await editor.workspace('Simulate & inspect')
      await editor.goTo(0.1)
    },
  })

  /** Boxes of the texts of a figure, as the browser sets them. */
  async function texts(svg: string): Promise<Box[]> {
    const page = await editor.context.newPage()
    await page.setContent(svg)
    const boxes = await page.evaluate(() => [...document.querySelectorAll('text')].map(text => {
      const { x, y, width, height } = text.getBBox()
      // Letters occupy the middle of the line height.
      return { text: text.textContent ?? '', left: x, right: x + width, top: y + 0.2 * height, bottom: y + 0.8 * height }
    }))
    await page.close()
    return boxes
  }

  it('of a free-body diagram do not cover each other, with every choice of contacts, labels and view', { tags: 'long' }, async () => {
    await editor.panel('Outliner')
    await (await editor.outlinerItem('crate')).click()
    await editor.menu('File', 'Free-body diagram…')
    const dialog = editor.page.getByRole('dialog', { name: 'Free-body diagram' })
    await dialog.getByRole('img', { name: /^Forces on crate/ }).waitFor()
    const options = (name: string) => dialog.getByRole('combobox', { name }).locator('option').evaluateAll(all => all.map(option => (option as HTMLOptionElement).value))
    for (const contacts of await options('Contacts as')) {
      for (const labels of await options('Labels')) {
        for (const view of await options('Seen')) {
          await dialog.getByRole('combobox', { name: 'Contacts as' }).selectOption(contacts)
          await dialog.getByRole('combobox', { name: 'Labels' }).selectOption(labels)
          await dialog.getByRole('combobox', { name: 'Seen' }).selectOption(view)
          const boxes = await texts((await editor.saved(() => dialog.getByRole('button', { name: 'Save SVG…' }).click())).bytes.toString())
          expect(boxes.length, `${contacts} ${labels} ${view}`).toBeGreaterThan(8)
          expect(covered(boxes), `${contacts} ${labels} ${view}`).toEqual([])
        }
      }
    }
    await dialog.getByRole('combobox', { name: 'Seen' }).selectOption('isometric')
    await shots(editor, 'labels-figure')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  })

  it('in the viewport do not cover each other from any side, and those without room are counted', async () => {
    await editor.page.evaluate(() => {
      const shown = window as unknown as { plates: Box[]; last: Box[] }
      const { roundRect, clearRect, fillText } = CanvasRenderingContext2D.prototype
      shown.plates = shown.last = []
      let box: Omit<Box, 'text'> | null = null
      CanvasRenderingContext2D.prototype.clearRect = function (...given) {
        shown.last = shown.plates
        shown.plates = []
        clearRect.apply(this, given)
      }
      CanvasRenderingContext2D.prototype.roundRect = function (x, y, width = 0, height = 0, radii) {
        box = { left: x, top: y, right: x + width, bottom: y + height }
        roundRect.call(this, x, y, width, height, radii)
      }
      CanvasRenderingContext2D.prototype.fillText = function (text, ...given) {
        if (box) shown.plates.push({ text, ...box })
        box = null
        fillText.call(this, text, ...given)
      }
    })
    await editor.page.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name: 'Show' }).click()
    await editor.page.getByRole('checkbox', { name: 'Values of forces' }).check()
    await editor.page.keyboard.press('Escape')
    const told: string[][] = []
    for (const key of ['1', '3', '7', '0']) {
      await editor.page.keyboard.press(key)
      await editor.rests()
      const plates = await editor.page.evaluate(() => (window as unknown as { plates: Box[] }).plates)
      told.push(plates.map(({ text }) => text))
      expect(covered(plates), key).toEqual([])
    }
    expect(told.some(texts => texts.filter(text => text.endsWith(' N')).length > 4)).toBe(true)
    await shots(editor, 'labels-viewport')
  })
})

describe.skipIf(!chromium)('names in the outliner', () => {
  let editor: Editor
  sitting({ scene: 'double-pendulum.cairn.json', ready: async opened => {
    editor = opened
    await editor.waitFor('double-pendulum')
  } })

  it('have the colour of warnings, not of errors, where there are only warnings', async () => {
    const { page } = editor
    await (await editor.outlinerItem('Lower rod')).click()
    const spin = editor.inspector.getByRole('textbox', { name: 'Angular velocity x' })
    await spin.fill('0.5')
    await spin.press('Enter')
    await page.getByRole('contentinfo').getByText(/^[1-9]\d* warnings?$/).waitFor()
    await page.getByRole('contentinfo').getByText('0 errors').waitFor()
    const [name, warning] = await page.evaluate(() => {
      const colour = (element: Element) => getComputedStyle(element).color
      return [colour(document.querySelector('[role="treeitem"][aria-label="Lower rod"] > .ellipsis')!), colour(document.querySelector('footer .warning')!)]
    })
    expect(name).toBe(warning)
  })
})
