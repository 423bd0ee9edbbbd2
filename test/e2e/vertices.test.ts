// @module-tag long
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const side = Array.from({ length: 9 }, (_, k) => k)
const scene = {
  format: 'cairn-scene', version: 1, name: 'Cloth and a box',
  materials: [{ id: 'wool', density: 1000, friction: { static: 0.5, dynamic: 0.4 }, color: '#c2685a' }],
  bodies: [{ id: 'beam', name: 'Beam', type: 'fixed', position: [0, 0.62, 1], shapes: [{ type: 'box', size: [1.4, 0.1, 0.1], material: 'wool' }] }],
  deformables: [
    {
      id: 'sheet', name: 'Sheet', type: 'cloth', material: 'wool', damping: 0.02, bendWarp: 0, bendWeft: 0,
      vertices: side.flatMap(i => side.map(j => [i / 8 - 0.5, j / 8 - 0.5, 1])),
      triangles: side.slice(1).flatMap(i => side.slice(1).flatMap(j => {
        const a = 9 * (i - 1) + j - 1
        return [[a, a + 9, a + 10], [a, a + 10, a + 1]]
      })),
    },
    { id: 'line', name: 'Line', type: 'rope', material: 'wool', radius: 0.02, damping: 0.02, bendingStiffness: 0.05, points: [[-0.6, -1.2, 1.2], [0.6, -1.2, 1.2]], segments: 12, pins: [0, 12] },
    { id: 'beads', name: 'Beads', type: 'particles', material: 'wool', radius: 0.05, particles: [{ position: [1, 0, 1], mass: 0.1 }, { position: [1, 0, 0.8], mass: 0.1 }], springs: [{ a: 0, b: 1, restLength: 0.2, stiffness: 50 }], pins: [0] },
  ],
  simulation: { duration: 0.5, outputRate: 60, method: 'time-stepping' },
}

describe.skipIf(!chromium)('a person who edits the vertices of a cloth', () => {
  let editor: Editor
  sitting({
    scene: 'sheet.cairn.json', files: { 'sheet.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('sheet')
      await editor.page.getByRole('button', { name: 'Close the card' }).click({ timeout: 2000 }).catch(() => undefined)
    },
  })
  const bar = (name = 'Sheet') => editor.page.getByRole('region', { name: `Vertices of ${name}` })
  const chosen = () => bar().getByRole('status').innerText()
  const numbers = () => bar().getByRole('textbox', { name: 'Chosen vertices' })
  /** Parallel view from above: the middle of the sheet in the picture, and the size of its cells in pixels. */
  const middle = async () => {
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    return [box.x + box.width / 2, box.y + box.height / 2] as const
  }
  const colours = (choice: string) => editor.page.getByRole('combobox', { name: 'Cloth and ropes by' }).selectOption({ label: choice })

  it('clicks it in the viewport: it is selected, and drawn with an outline', async () => {
    await editor.page.keyboard.press('Escape')
    const plain = await editor.viewport.screenshot()
    await editor.page.mouse.click(...await pointOf('sheet'))
    await editor.inspector.getByText('Stretch along warp').first().waitFor()
    await editor.page.mouse.move(5, 300)
    await expect.poll(async () => (await editor.viewport.screenshot()).equals(plain)).toBe(false)
    await shots(editor, 'cloth-selected')
  })

  /** Where the middle of the sheet is on the page: the picture is framed on it. */
  async function pointOf(id: string) {
    await editor.panel('Outliner')
    await (await editor.outlinerItem(id === 'sheet' ? 'Sheet' : id)).click()
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('7')
    await editor.page.waitForTimeout(600)
    await editor.page.keyboard.press('f')
    await editor.page.waitForTimeout(600)
    const at = await middle()
    // Beside a vertex, on a triangle.
    await editor.page.mouse.click(at[0], 0 + at[1])
    return [at[0] + 9, at[1] + 4] as const
  }

  it('chooses by click, box and brush', async () => {
    await editor.page.getByRole('button', { name: 'Edit vertices' }).click()
    await bar().waitFor()
    expect(await chosen()).toBe('0 of 81 chosen')
    const [x, y] = await middle()
    await editor.page.mouse.click(x, y)
    expect(await numbers().inputValue()).toBe('40')
    await editor.page.mouse.move(x - 8, y - 8)
    await editor.page.mouse.down()
    await editor.page.mouse.move(x + 30, y + 30)
    await editor.page.mouse.move(x + 400, y + 300)
    await editor.page.mouse.up()
    // A quarter of the sheet, with its middle lines.
    expect(await chosen()).toBe('25 of 81 chosen')
    await bar().getByRole('combobox', { name: 'What a drag does' }).selectOption('brush')
    await editor.page.mouse.move(x - 40, y)
    await editor.page.mouse.down()
    await editor.page.mouse.move(x, y)
    await editor.page.mouse.move(x + 40, y)
    await editor.page.mouse.up()
    // A cell has about fifty pixels, and the drag has eighty: vertices to the left of, in and to the right of the middle.
    expect(await numbers().inputValue()).toBe('31, 40, 49')
    await shots(editor, 'vertices')
    await bar().getByRole('combobox', { name: 'What a drag does' }).selectOption('box')
  })

  it('pins two corners by their numbers, attaches others to the beam, and undoes', async () => {
    await numbers().fill('0, 72')
    await numbers().press('Enter')
    expect(await chosen()).toBe('2 of 81 chosen')
    await bar().getByRole('button', { name: 'Pin', exact: true }).click()
    const pins = editor.inspector.getByRole('button', { name: /Pins/ }).or(editor.inspector.getByText('Pins')).first()
    await pins.waitFor()
    await numbers().fill('8, 80')
    await numbers().press('Enter')
    await bar().getByRole('button', { name: 'Attach to a body…' }).click()
    await editor.page.getByText('Click the body that holds 2 of Sheet').waitFor()
    const [x, y] = await middle()
    // Up over the edge of the sheet, which holds nothing, to the beam.
    const prompt = editor.page.getByText('Click the body that holds 2 of Sheet')
    for (let up = 150; up < 360 && await prompt.count() > 0; up += 12) await editor.page.mouse.click(x, y - up)
    expect(await prompt.count()).toBe(0)
    await editor.inspector.getByText(/Attachments · 2|Attachment 2/).or(editor.inspector.getByRole('combobox', { name: 'Body' }).nth(1)).first().waitFor()
    await bar().getByRole('button', { name: 'Release' }).click()
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await editor.inspector.getByRole('combobox', { name: 'Body' }).nth(1).waitFor()
    await numbers().fill('0, 99')
    await numbers().press('Enter')
    await editor.page.getByText(/"0, 99" is not a list of vertices/).waitFor()
  })

  it('is told why two vertices that lie apart cannot be sewn', async () => {
    await numbers().fill('0, 1')
    await numbers().press('Enter')
    await bar().getByRole('button', { name: 'Sew' }).click()
    await editor.page.getByText(/The vertices 0 and 1 of a seam are separated/).first().waitFor()
    await bar().getByRole('button', { name: 'Done' }).click()
    expect(await bar().count()).toBe(0)
  })

  it('paints stiffness with a brush, in one undo step a stroke, and sees it as colours and in the inspector', async () => {
    await (await editor.outlinerItem('Sheet')).click()
    const section = editor.page.getByRole('region', { name: 'Painted stiffness' })
    expect(await section.innerText()).toMatch(/Stretch\s+nothing[\s\S]*Bending\s+nothing/)
    await section.getByRole('button', { name: 'Paint stretch' }).click()
    await bar().getByRole('combobox', { name: 'Painted stiffness' }).waitFor()
    const factor = bar().getByRole('textbox', { name: 'Painted factor' })
    await factor.fill('4')
    await factor.press('Enter')
    const [x, y] = await middle()
    await editor.page.mouse.move(5, 300)
    await editor.page.waitForTimeout(500)
    const plain = await editor.viewport.screenshot()
    const stroke = async (from: number, to: number) => {
      await editor.page.mouse.move(x + from, y)
      await editor.page.mouse.down()
      for (let k = 1; k <= 8; k++) await editor.page.mouse.move(x + from + (to - from) * k / 8, y + 3 * k)
      await editor.page.mouse.up()
    }
    await stroke(-120, 120)
    await section.getByText(/of 81 vertices/).waitFor()
    expect(await section.innerText()).toMatch(/Stretch\s+1 to 4 ×/)
    await editor.page.mouse.move(5, 300)
    await expect.poll(async () => (await editor.viewport.screenshot()).equals(plain)).toBe(false)
    const first = await section.innerText()
    await factor.fill('0.25')
    await factor.press('Enter')
    await bar().getByRole('slider', { name: 'Brush radius' }).fill('70')
    await stroke(-150, -60)
    await expect.poll(() => section.innerText()).toMatch(/Stretch\s+0\.25 to [\d.]+ ×/)
    await shots(editor, 'painted')
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => section.innerText()).toBe(first)
    // Escape during a stroke leaves everything as it was.
    await editor.page.mouse.move(x, y - 60)
    await editor.page.mouse.down()
    await editor.page.mouse.move(x + 60, y - 60)
    await expect.poll(() => section.innerText()).not.toBe(first)
    await editor.page.keyboard.press('Escape')
    await editor.page.mouse.up()
    await expect.poll(() => section.innerText()).toBe(first)
    // Without the pointer: the vertices by their numbers.
    await bar().getByRole('combobox', { name: 'Painted stiffness' }).selectOption('bending')
    await numbers().fill('0–8')
    await numbers().press('Enter')
    await bar().getByRole('button', { name: 'Set chosen' }).click()
    await expect.poll(() => section.innerText()).toMatch(/Bending\s+0\.25 to 1 ×\s*9 of 81 vertices/)
    await bar().getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => section.innerText()).toMatch(/Bending\s+nothing/)
    await section.getByRole('button', { name: 'Clear stretch' }).click()
    await expect.poll(() => section.innerText()).toMatch(/Stretch\s+nothing/)
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => section.innerText()).toBe(first)
    await bar().getByRole('button', { name: 'Done' }).click()
  })

  it('weighs particles', async () => {
    await (await editor.outlinerItem('Beads')).click()
    await editor.page.getByRole('button', { name: 'Edit vertices' }).click()
    await bar('Beads').getByRole('button', { name: 'All' }).click()
    const mass = bar('Beads').getByRole('textbox', { name: 'Mass of the chosen' })
    expect(await mass.inputValue()).toBe('0.1')
    await mass.fill('0.25')
    await mass.press('Enter')
    await expect.poll(() => mass.inputValue()).toBe('0.25')
    await editor.page.keyboard.press('Escape')
  })

  it('runs it, reads strain, energies and reactions, and plots a reaction', async () => {
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('0')
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    await editor.page.keyboard.press('Shift+F')
    await editor.goTo(0.5)
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Line')).click()
    await editor.panel('Inspector')
    const section = editor.page.getByRole('region', { name: 'Deformation' })
    await section.getByText('Worst strain').waitFor()
    // Mean upward force of the pins, from the rope's weight and motion.
    await section.getByText('pin at 12').waitFor()
    await section.getByRole('button', { name: 'Plot the reaction: pin at 12' }).click()
    await expect.poll(() => editor.page.getByRole('list', { name: 'Curves of Line' }).getByRole('listitem').first().innerText()).toMatch(/Line reaction of pin at 12\s[\d.]+ N/)
  })

  it('colours by strain, and by bending moment, with a scale', async () => {
    await editor.page.getByRole('button', { name: 'Show ▾' }).click()
    const before = await editor.viewport.screenshot()
    await colours('strain')
    await editor.page.keyboard.press('Escape')
    await expect.poll(async () => (await editor.viewport.screenshot()).equals(before)).toBe(false)
    await shots(editor, 'strain')
    await editor.page.getByRole('button', { name: 'Show ▾' }).click()
    await colours('bending moment')
    await editor.page.keyboard.press('Escape')
    await shots(editor, 'bending')
  })
})
