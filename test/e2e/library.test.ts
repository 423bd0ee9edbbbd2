// @module-tag long
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Parts', materials: [{ id: 'steel', density: 7850, friction: { static: 0.2, dynamic: 0.15 }, color: '#9aa4ad' }],
  bodies: [{ id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'steel' }] }],
}

interface Saved {
  bodies: { id: string; name?: string; group?: string; shapes: { type: string; material: string }[] }[]
  joints?: { id: string; type: string }[]
}

describe.skipIf(!chromium)('a person who takes parts from the shape library', () => {
  let editor: Editor
  const host = sitting({
    scene: 'parts.cairn.json', files: { 'parts.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('parts')
    },
  })
  const dialog = () => editor.page.getByRole('dialog', { name: 'Shape library' })
  const type = async (label: string, value: string) => {
    const field = dialog().getByRole('textbox', { name: label, exact: true }).or(dialog().getByRole('spinbutton', { name: label, exact: true }))
    await field.fill(value)
    await field.press('Tab')
  }
  const saved = async (): Promise<Saved> => {
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    return JSON.parse(readFileSync(join(host.root, 'parts.cairn.json'), 'utf8')) as Saved
  }

  it('sees what is allowed, and gets a gear with as many teeth as were asked for', async () => {
    await editor.menu('Add', 'Shape library…')
    await dialog().getByRole('radio', { name: 'Gear', exact: true }).check({ force: true })
    await type('Bore radius', '0.5')
    await dialog().getByText('Bore radius is 0.5 m: allowed is less than the ring below the teeth').waitFor()
    expect(await dialog().getByRole('button', { name: 'Insert' }).isDisabled()).toBe(true)
    await dialog().getByRole('button', { name: 'Back to the defaults' }).click()
    await type('Teeth', '24')
    await dialog().getByText('1 body of 48 convex solids.').waitFor()
    await shots(editor, 'library-gear')
    await dialog().getByRole('button', { name: 'Insert' }).click()
    await editor.outlinerItem('Gear')
    const { bodies } = await saved()
    expect(bodies.at(-1)!.shapes).toHaveLength(48)
    expect(bodies.at(-1)!.shapes.every(({ type: shape, material }) => shape === 'convexHull' && material === 'steel')).toBe(true)
    await editor.page.keyboard.press('Control+z')
    expect((await saved()).bodies).toHaveLength(1)
  })

  it('by keys alone: a pair of gears that turns when it is simulated', async () => {
    const { page } = editor
    await page.keyboard.press('Shift+L')
    await dialog().waitFor()
    await dialog().getByRole('radio', { name: 'Gear', exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => dialog().getByRole('radio', { name: 'Pair of gears' }).isChecked()).toBe(true)
    await dialog().getByText('3 bodies of 101 convex solids, 2 joints.').waitFor()
    await shots(editor, 'library-pair')
    await page.keyboard.press('Enter')
    await dialog().waitFor({ state: 'detached' })
    const { bodies, joints } = await saved()
    expect(bodies.map(({ name }) => name)).toEqual([undefined, 'Frame', 'First gear', 'Second gear'])
    expect(joints).toHaveLength(2)
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    await editor.goTo(1)
    await editor.panel('Contacts')
    await page.getByRole('button', { name: /^Next contact/ }).click()
    await page.getByText(/^(First|Second) gear and (First|Second) gear meet at 1\.\d+ s and part at once/).waitFor()
    await editor.panel('Events')
    // With backlash the teeth touch intermittently, and each contact drives the second gear.
    await expect.poll(() => page.getByText(/(First|Second) gear.*(First|Second) gear/).count()).toBeGreaterThan(0)
    await shots(editor, 'library-pair-run')
  })

  it('in two dimensions only what lies in the plane is offered', async () => {
    await editor.workspace('Compose')
    await editor.page.keyboard.press('Control+z')
    await editor.menu('Edit', 'Two dimensions')
    await editor.menu('Add', 'Shape library…')
    const parts = await dialog().getByRole('radio').count()
    expect(parts).toBe(6)
    expect(await dialog().getByRole('radio', { name: 'Chain' }).count()).toBe(0)
    await dialog().getByRole('radio', { name: 'Arch of stones' }).check({ force: true })
    await dialog().getByRole('button', { name: 'Insert' }).click()
    await editor.outlinerItem('Stone 6')
  })
})
