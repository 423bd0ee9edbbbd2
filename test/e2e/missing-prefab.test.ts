// @module-tag long
/** A scene that places a prefab whose file is missing. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scene } from '../../core/scene'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const materials: Scene['materials'] = [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }]
const cart: Scene = {
  format: 'cairn-scene', version: 1, materials,
  bodies: [{ id: 'wheel', position: [0, 0, 0.2], shapes: [{ type: 'sphere', radius: 0.2, material: 'wood' }] }],
}
const broken: Scene = {
  format: 'cairn-scene', version: 1, name: 'Carts', materials,
  bodies: [{ id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] }],
  prefabs: [{ id: 'cart', file: 'parts/cart.cairn.json' }],
  instances: [{ id: 'one', prefab: 'cart', position: [0, 0, 0.5] }, { id: 'two', prefab: 'cart', position: [1, 0, 0.5] }],
  joints: [{ id: 'rod', type: 'distance', bodyA: 'one.wheel', bodyB: 'two.wheel', anchor: [0, 0, 0.7], anchorB: [1, 0, 0.7] }],
}

describe.skipIf(!chromium)('a prefab whose file is missing', () => {
  let editor: Editor
  const host = sitting({
    scene: 'broken.cairn.json', files: { 'broken.cairn.json': broken },
    ready: async opened => {
      editor = opened
      await editor.waitFor('broken')
    },
  })

  const item = (name: string) => editor.page.getByRole('treeitem', { name, exact: true })
  /** Of what the inspector shows. */
  const field = (name: string) => editor.page.getByRole('textbox', { name, exact: true })

  it('each instance is a box with a hint, nothing is simulated, and the instance appears once the file exists or another is chosen', async () => {
    mkdirSync(join(host.root, 'other'))
    writeFileSync(join(host.root, 'other', 'cart.cairn.json'), JSON.stringify(cart))
    const dialog = editor.page.getByRole('dialog', { name: 'Open' })
    await item('Missing: parts/cart.cairn.json').first().waitFor()
    await item('one').click()
    await editor.page.getByText(/^There is no file "parts\/cart\.cairn\.json" in the scene's folder\. A box replaces it/).waitFor()
    expect(await editor.page.getByRole('button', { name: 'Make local' }).count()).toBe(0)
    await editor.menu('Edit', 'Prefab', 'Edit prefab')
    await editor.page.getByRole('alert').filter({ hasText: 'parts/cart.cairn.json' }).waitFor()
    await editor.waitFor('broken')
    // The rest of the scene can be edited.
    await field('Position y').fill('1')
    await field('Position y').press('Enter')
    await expect.poll(() => editor.page.title()).toContain('●')
    await editor.primary.click()
    await editor.panel('Problems')
    const problems = editor.page.getByRole('list', { name: 'Problems' })
    await problems.getByText('There is no file "parts/cart.cairn.json" in the scene\'s folder').waitFor()
    await shots(editor, 'prefab-missing')
    await editor.page.setViewportSize({ width: 720, height: 450 })
    const inside = async () => {
      const button = (await editor.primary.boundingBox())!
      return button.x + button.width <= 720
    }
    await expect.poll(inside).toBe(true)
    await editor.page.setViewportSize({ width: 1440, height: 900 })
    await problems.getByRole('button', { name: 'Choose another file…' }).first().click()
    await dialog.getByRole('button', { name: /^other/ }).click()
    await dialog.getByRole('button', { name: /^cart\.cairn\.json/ }).dblclick()
    await item('one.wheel').waitFor()
    await expect.poll(() => item('Missing: parts/cart.cairn.json').count()).toBe(0)
    await editor.page.keyboard.press('Control+s')
    await expect.poll(() => editor.page.title()).not.toContain('●')
    expect(JSON.parse(readFileSync(join(host.root, 'broken.cairn.json'), 'utf8'))).toMatchObject({ prefabs: [{ id: 'cart', file: 'other/cart.cairn.json' }], instances: [{ id: 'one', position: [0, 1, 0.5] }, { id: 'two' }] })
    await editor.page.keyboard.press('Control+z')
    await item('Missing: parts/cart.cairn.json').first().waitFor()

    // Another program writes the file.
    mkdirSync(join(host.root, 'parts'))
    writeFileSync(join(host.root, 'parts', 'cart.cairn.json'), JSON.stringify(cart))
    await expect.poll(() => item('Missing: parts/cart.cairn.json').count()).toBe(0)
    await item('one.wheel').waitFor()
    await editor.simulate()
    expect(await editor.primary.getAttribute('data-state')).toBe('current')
  })
})
