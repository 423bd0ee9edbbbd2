// @module-tag long
/** Collision groups of bodies, set by check boxes in the inspector. */

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const pictures = process.env.CAIRN_PICTURES
const ball = (id: string, name: string, x: number) => ({ id, name, position: [x, 0, 1], shapes: [{ type: 'sphere', radius: 0.3, material: 'wood' }] })
const SCENE = {
  format: 'cairn-scene', version: 1, name: 'Ghosts', materials: [{ id: 'wood', color: '#aa7744' }],
  bodies: [
    { id: 'floor', name: 'Floor', type: 'fixed', shapes: [{ type: 'box', size: [4, 4, 0.2], material: 'wood' }] },
    ball('left', 'Left', -1), ball('middle', 'Middle', 0), ball('right', 'Right', 1),
  ],
}

describe.skipIf(!chromium)('collision groups', () => {
  let editor: Editor
  sitting({ scene: 'ghosts.cairn.json', files: { 'ghosts.cairn.json': SCENE }, ready: async opened => {
    editor = opened
    await editor.waitFor('ghosts.cairn.json')
  } })
  const select = (name: string) => editor.page.getByRole('treeitem', { name: new RegExp(`^${name}`) }).first().click()

  it('are ticked by number, and say what the body touches', async () => {
    const { page } = editor
    await select('Middle')
    await page.getByLabel('Collision groups').check()
    const said = page.getByRole('group', { name: 'Collision groups' }).getByRole('status')
    await said.filter({ hasText: 'It touches all other bodies.' }).waitFor()
    await page.getByLabel('In group 2').check()
    await page.getByLabel('In group 1').uncheck()
    await page.getByLabel('Touches group 1', { exact: true }).uncheck()
    // The others collide with every group, so they still collide with this one.
    await said.filter({ hasText: 'It touches all other bodies.' }).waitFor()
    expect(await page.getByRole('group', { name: 'Passes through' }).getByRole('checkbox').count()).toBe(3)
    await page.getByRole('group', { name: 'Passes through' }).getByLabel('Floor').check()
    await said.filter({ hasText: 'It touches 2 of 3 bodies: Left, Right.' }).waitFor()
    await select('Left')
    await page.getByLabel('Collision groups').check()
    await page.getByLabel('Touches group 2').uncheck()
    await said.filter({ hasText: 'It touches 2 of 3 bodies: Floor, Right.' }).waitFor()
    await select('Middle')
    await said.filter({ hasText: 'It touches 1 of 3 bodies: Right.' }).waitFor()
    if (pictures === undefined) return
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      for (const [width, height] of [[1440, 900], [1024, 700]] as const) {
        await page.setViewportSize({ width, height })
        await page.getByRole('group', { name: 'Collision groups' }).scrollIntoViewIfNeeded()
        await page.screenshot({ path: join(pictures, `groups-${theme}-${width}.png`) })
      }
    }
  })

  it('are one entry of the history each, and go away as a whole', async () => {
    const { page } = editor
    await page.getByLabel('Collision groups').uncheck()
    await expect.poll(() => page.getByLabel('In group 1').count()).toBe(0)
    await editor.menu('Edit', 'Undo')
    expect(await page.getByLabel('In group 2').isChecked()).toBe(true)
    expect(await page.getByLabel('In group 1').isChecked()).toBe(false)
  })
})
