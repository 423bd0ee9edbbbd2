// @module-tag long
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Four masses', gravity: [0, 0, -9.81],
  bodies: [{ id: 'block', name: 'Block', type: 'fixed', position: [-1, 0, 1], shapes: [{ type: 'box', size: [0.4, 0.4, 0.2], material: 'brass' }] }],
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

  const prompt = () => editor.page.getByText('Click a vertex of another deformable, or a point of a body')
  /** Clicks from left to right and down between shares of the viewport, until a click answers the question; a click beside things leaves it open. */
  const clickWithin = async ([left, right]: readonly [number, number], apart: number) => {
    await prompt().waitFor()
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    for (let y = 0.3 * box.height; y < 0.8 * box.height; y += apart) {
      for (let x = left * box.width; x < right * box.width; x += apart) {
        if (!await prompt().isVisible()) return
        await editor.page.mouse.click(box.x + x, box.y + y)
      }
    }
  }
  const others = () => group('Constraints').getByRole('group', { name: 'Others', exact: true }).last()

  it('joins a vertex to one of another deformable with a click on it, and shows it in the inspector', async () => {
    await choose('2')
    await bar().getByRole('button', { name: 'Join to another…' }).click()
    await clickWithin([0.5, 0.95], 15)
    await expect.poll(() => others().getByRole('combobox', { name: 'Deformable' }).inputValue()).toBe('line')
    await shots(editor, 'vertex-join', async () => { await others().scrollIntoViewIfNeeded() })
  }, 120_000)

  it('joins a vertex to a point of a body with a click on it', async () => {
    await choose('3')
    await bar().getByRole('button', { name: 'Join to another…' }).click()
    await clickWithin([0.05, 0.4], 20)
    await expect.poll(() => others().getByRole('combobox', { name: 'Body' }).inputValue()).toBe('block')
    await shots(editor, 'vertex-join-body', async () => { await others().scrollIntoViewIfNeeded() })
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
    await section.getByText('constraint of 3 and Block').waitFor()
    await shots(editor, 'vertex-conditions-run', async () => { await section.getByText('controlled 0').scrollIntoViewIfNeeded() })
  }, 120_000)
})
