// @module-tag long
/** Kinds are visible: icons of shapes and joints, tags of examples. */
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const shape = (type: string, more: object) => ({ type, material: 'wood', ...more })
const scene = {
  format: 'cairn-scene', version: 1, name: 'Kinds', materials: [{ id: 'wood', name: 'Wood', density: 700, color: '#c39a6b' }], parameters: [{ id: 'speed', value: 2 }],
  bodies: [
    { id: 'crate', name: 'Crate', position: [0, 0, 1], shapes: [shape('box', { size: [0.2, 0.2, 0.2] })] },
    { id: 'ball', name: 'Ball', position: [1, 0, 1], shapes: [shape('sphere', { radius: 0.2 })] },
  ],
  joints: [{ id: 'pin', name: 'Pin', type: 'hinge', bodyA: 'crate', bodyB: null, anchor: [0, 0, 1], axis: [0, 0, 1], motor: { targetVelocity: '=speed', maxForce: 4 } }],
  sensors: [{ id: 'feel', name: 'Feel', type: 'imu', body: 'crate' }],
}

describe.skipIf(!chromium)('a person who looks for a kind of thing', () => {
  let editor: Editor
  sitting({
    scene: 'kinds.cairn.json', files: { 'kinds.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('kinds')
    },
  })

  it('sees shapes and joints by their icons in the outliner, and types in words', async () => {
    const kind = async (name: string) => (await editor.outlinerItem(name)).locator('svg.kind-icon').getAttribute('data-kind')
    expect(await Promise.all(['Crate', 'Ball', 'Pin', 'Feel', 'Wood'].map(kind))).toEqual(['box', 'sphere', 'hinge', 'sensor', 'material'])
    expect(await (await editor.outlinerItem('Feel')).innerText()).toContain('inertial')
    await editor.page.getByRole('button', { name: 'Add ▾' }).click()
    expect(await editor.page.getByRole('button', { name: 'Cylinder' }).locator('svg').getAttribute('data-kind')).toBe('cylinder')
    await editor.page.keyboard.press('Escape')
  })

  it('reads which field a parameter drives as the inspector calls it', async () => {
    await editor.show('Parameters')
    await editor.page.getByText('Pin · Motor · Target velocity').waitFor()
  })

  it('reads the name of an icon button', async () => {
    await editor.show('Materials')
    await editor.page.getByRole('button', { name: 'Delete Wood' }).hover()
    await expect.poll(() => editor.page.getByRole('tooltip').innerText()).toBe('Delete Wood')
    await editor.page.keyboard.press('Escape')
  })

  it('finds examples by what they show', async () => {
    await editor.menu('File', 'Examples…')
    const dialog = editor.page.getByRole('dialog', { name: 'Examples' })
    const cards = dialog.getByRole('list', { name: 'Examples' }).getByRole('listitem')
    const all = await cards.count()
    await dialog.getByRole('button', { name: 'cloth and ropes', exact: true }).click()
    await expect.poll(() => cards.count()).toBeLessThan(all)
    for (const card of await cards.all()) expect(await card.innerText()).toContain('cloth and ropes')
    await dialog.getByRole('searchbox', { name: 'Find an example' }).fill('no such example')
    await dialog.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => cards.count()).toBe(all)
    await editor.page.keyboard.press('Escape')
  })
})
