import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'A box at rest', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, color: '#c39a6b' }],
  bodies: [
    { id: 'floor', name: 'Floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'box', name: 'Box', position: [0, 0, 0.2], shapes: [{ type: 'box', size: [0.6, 0.4, 0.4], material: 'wood' }] },
  ],
  simulation: { duration: 1, outputRate: 60, method: 'event-driven' },
}

describe.skipIf(!chromium)('a person who inspects a box at rest', () => {
  let editor: Editor
  sitting({
    scene: 'box.cairn.json', files: { 'box.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('box')
    },
  })
  /** Checks an entry of Show and returns a picture of the viewport. */
  async function show(label: string, on: boolean): Promise<Buffer> {
    await editor.page.getByRole('button', { name: 'Show ▾' }).click()
    await editor.page.getByRole('checkbox', { name: label, exact: true }).setChecked(on)
    await editor.page.keyboard.press('Escape')
    await editor.rests()
    return editor.viewport.screenshot()
  }

  it('reads which coordinates count where the scene does not say it', async () => {
    const coordinates = editor.page.getByRole('combobox', { name: 'Coordinates' })
    expect(await coordinates.inputValue()).toBe('maximal')
    expect(await editor.page.getByRole('textbox', { name: 'Dimensions' }).getAttribute('placeholder')).toBe('3')
    await coordinates.selectOption('reduced')
    await coordinates.selectOption('maximal')
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    expect(await coordinates.inputValue()).toBe('reduced')
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    expect(await coordinates.inputValue()).toBe('maximal')
  })

  it('switches ambient occlusion on beside the shadows, and off again', { tags: ['long'] }, async () => {
    const before = await show('Ambient occlusion', false)
    const on = await show('Ambient occlusion', true)
    expect(on.equals(before)).toBe(false)
    await shots(editor, 'occlusion')
    expect((await show('Ambient occlusion', false)).equals(before)).toBe(true)
  })

  it('clicks a contact, and reads how far its force could differ', async () => {
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    await editor.goTo(0.5)
    await editor.panel('Contacts')
    await editor.contacts.getByRole('row').nth(1).click()
    await editor.panel('Contact')
    const contact = editor.page.getByLabel('Contact', { exact: true }).last()
    const compute = contact.getByRole('button', { name: 'Compute for this frame' })
    if (await compute.count() > 0) await compute.click()
    // Four corners bear the weight of 96·0.7 kg; each bears between none and half of it.
    await contact.getByText('…').waitFor()
    await shots(editor, 'interval')
  })

  it('sees friction cones and inertia ellipsoids', { tags: ['long'] }, async () => {
    for (const overlay of ['Friction cones', 'Inertia ellipsoids']) {
      const without = await show(overlay, false)
      expect((await show(overlay, true)).equals(without), overlay).toBe(false)
    }
    await shots(editor, 'cones')
  })

  it('loops a range by keys and menu, and the whole run again', async () => {
    await editor.goTo(0.25)
    await editor.menu('Simulate', 'Loop from here')
    await editor.page.getByText('loop 0.25 s – 1.00 s').waitFor()
    await editor.goTo(0.75)
    await editor.page.keyboard.press('Escape')
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('o')
    await editor.page.getByText('loop 0.25 s – 0.75 s').waitFor()
    await editor.page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => editor.time(), { timeout: 20_000 }).toBeLessThan(0.7)
    expect(await editor.time()).toBeGreaterThanOrEqual(0.25)
    await editor.page.getByRole('button', { name: 'Pause', exact: true }).click()
    await shots(editor, 'loop')
    await editor.page.getByRole('button', { name: 'Loop the whole run' }).click()
    expect(await editor.page.getByText(/^loop /).count()).toBe(0)
  })
})

describe.skipIf(!chromium)('a person who watches a ball fall', () => {
  let editor: Editor
  const height = 1.1
  const fall = {
    ...scene, name: 'A falling ball',
    bodies: [scene.bodies[0], { id: 'ball', name: 'Ball', position: [0, 0, height], linearVelocity: [0.5, 0, 0], shapes: [{ type: 'sphere', radius: 0.1, material: 'wood' }] }],
  }
  sitting({
    scene: 'fall.cairn.json', files: { 'fall.cairn.json': fall },
    ready: async opened => {
      editor = opened
      await editor.waitFor('fall')
      await editor.simulate()
      await editor.workspace('Simulate & inspect')
    },
  })

  it('reads that nothing touches yet, and goes to the next contact', async () => {
    await editor.goTo(0.2)
    await editor.show('Contacts')
    await editor.page.getByText('Nothing touches at 0.20 s.').waitFor()
    await editor.page.getByRole('button', { name: /^Next contact 0\.45 s/ }).click()
    // It falls by 1 m.
    expect(await editor.time()).toBeCloseTo(Math.sqrt(2 / 9.81), 4)
  })

  it('sees the way that the ball has come', async () => {
    await editor.goTo(0.4)
    await editor.rests()
    const plain = await editor.viewport.screenshot()
    await editor.page.getByRole('button', { name: 'Show ▾' }).click()
    await editor.page.getByRole('checkbox', { name: 'Trails', exact: true }).check()
    await editor.page.keyboard.press('Escape')
    await editor.rests()
    await expect.poll(async () => (await editor.viewport.screenshot()).equals(plain)).toBe(false)
  })
})
