// @module-tag long
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Four masses', gravity: [0, 0, -9.81],
  materials: [{ id: 'brass', density: 8500, friction: { static: 0.5, dynamic: 0.4 }, color: '#c9a227' }],
  deformables: [{
    id: 'd', name: 'Masses', type: 'particles', material: 'brass', radius: 0.04,
    particles: [[0, 0, 1], [0.5, 0, 1], [0, 0.5, 1], [0, 0, 1.4]].map(position => ({ position, mass: 0.2 })), pins: [0],
  }, { id: 'line', name: 'Line', type: 'rope', material: 'brass', radius: 0.02, points: [[0.6, 0, 1], [1.2, 0, 1]], segments: 3 }],
  simulation: { duration: 0.5, outputRate: 60, method: 'time-stepping' },
}

describe.skipIf(!chromium)('a person who controls and constrains vertices', () => {
  let editor: Editor
  sitting({
    scene: 'masses.cairn.json', files: { 'masses.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('masses')
      await editor.page.getByRole('button', { name: 'Close the card' }).click({ timeout: 2000 }).catch(() => undefined)
    },
  })
  const bar = () => editor.page.getByRole('region', { name: 'Vertices of Masses' })
  const choose = async (text: string) => {
    await bar().getByRole('textbox', { name: 'Chosen vertices' }).fill(text)
    await editor.page.keyboard.press('Enter')
  }
  const group = (name: string) => editor.inspector.getByRole('group', { name, exact: true })

  it('moves a vertex on a path, holds a distance exactly and draws an angle, with one click each', async () => {
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Masses')).click()
    await editor.page.getByRole('button', { name: 'Edit vertices' }).click()
    await bar().waitFor()
    await choose('0')
    await bar().getByRole('button', { name: 'Move on a path' }).click()
    await expect.poll(() => group('Controlled').getByRole('combobox', { name: 'Motion type' }).inputValue()).toBe('ellipse')
    await choose('0, 1')
    await bar().getByRole('button', { name: 'Constrain exactly' }).click()
    await expect.poll(() => group('Constraints').getByRole('combobox', { name: 'Condition type' }).inputValue()).toBe('distance')
    await choose('1, 2, 3')
    await bar().getByRole('button', { name: 'Draw to a condition' }).click()
    await expect.poll(() => group('Behaviours').getByRole('combobox', { name: 'Condition type' }).inputValue()).toBe('angle')
    await shots(editor, 'vertex-conditions', async () => { await group('Behaviours').scrollIntoViewIfNeeded() })
  }, 120_000)

  it('changes the type of a condition in the inspector, which keeps its vertices, and undoes it', async () => {
    const type = () => group('Behaviours').getByRole('combobox', { name: 'Condition type' })
    await type().selectOption('area')
    await expect.poll(() => type().inputValue()).toBe('area')
    await editor.page.keyboard.press('Control+z')
    await expect.poll(() => type().inputValue()).toBe('angle')
  })

  it('joins a vertex to one of another deformable with a click on it, and shows it in the inspector', async () => {
    await choose('2')
    await bar().getByRole('button', { name: 'Join to another…' }).click()
    const prompt = editor.page.getByText('Click a vertex of another deformable')
    await prompt.waitFor()
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    // The first vertex of the rope is below the middle; a click beside it leaves the question open.
    for (let k = 0; k < 100 && await prompt.isVisible(); k++) {
      await editor.page.mouse.click(box.x + 0.35 * box.width + 15 * (k % 10), box.y + 0.6 * box.height + 15 * Math.floor(k / 10))
    }
    await expect.poll(() => prompt.isVisible()).toBe(false)
    const others = group('Constraints').getByRole('group', { name: 'Others', exact: true }).last()
    await expect.poll(() => others.getByRole('combobox', { name: 'Deformable' }).inputValue()).toBe('line')
    await shots(editor, 'vertex-join', async () => { await others.scrollIntoViewIfNeeded() })
  }, 120_000)

  it('runs, and reads the reactions of path and constraint', async () => {
    await bar().getByRole('button', { name: 'Done' }).click()
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    await editor.goTo(0.5)
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Masses')).click()
    await editor.panel('Inspector')
    const section = editor.page.getByRole('region', { name: 'Deformation' })
    await section.getByText('controlled 0').waitFor()
    await section.getByText('constraint of 0–1').waitFor()
    await section.getByText(/^constraint of 2 and Line [0-3]$/).waitFor()
    await shots(editor, 'vertex-conditions-run', async () => { await section.getByText('controlled 0').scrollIntoViewIfNeeded() })
  }, 120_000)
})
