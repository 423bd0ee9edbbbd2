// @module-tag long
import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const box = (id: string, position: readonly number[]) => ({ id, position, shapes: [{ type: 'box', size: [0.8, 0.4, 0.4], material: 'wood' }] })
const scene = {
  format: 'cairn-scene', version: 1, name: 'Solids',
  materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, color: '#c39a6b' }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { ...box('crate', [0, 0, 0.2]), name: 'Crate' }, { ...box('other', [1.2, 0, 0.2]), name: 'Other' },
    { id: 'ball', name: 'Ball', position: [-1, 0, 0.2], shapes: [{ type: 'sphere', radius: 0.2, material: 'wood' }] },
  ],
  joints: [{ id: 'rod', type: 'ball', bodyA: 'crate', bodyB: 'other', anchor: [0.6, 0, 0.2] }],
}

interface Saved {
  bodies: { id: string; name?: string; position: number[]; shapes: { type: string; points?: number[][] }[] }[]
  joints?: { bodyA: string; bodyB: string }[]
}

describe.skipIf(!chromium)('a person who makes solids of solids', () => {
  let editor: Editor
  const host = sitting({
    scene: 'solids.cairn.json', files: { 'solids.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('solids')
    },
  })
  async function choose(...names: string[]) {
    for (const [i, name] of names.entries()) await (await editor.outlinerItem(name)).click(i > 0 ? { modifiers: ['Control'] } : {})
  }
  const saved = async (): Promise<Saved> => {
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    return JSON.parse(readFileSync(join(host.root, 'solids.cairn.json'), 'utf8')) as Saved
  }
  const shot = (name: string) => shots(editor, name)
  const type = async (label: string, value: string) => {
    const field = editor.page.getByRole('textbox', { name: label, exact: true }).or(editor.page.getByRole('spinbutton', { name: label, exact: true }))
    await field.fill(value)
    await field.press('Enter')
  }

  it('cuts a body by a plane given in numbers; the joint goes with the half that has its anchor', async () => {
    await choose('Crate')
    await editor.menu('Edit', 'Model', 'Cut by a plane…')
    const bar = editor.page.getByRole('region', { name: 'Cut by a plane' })
    await bar.getByRole('button', { name: 'Normal along z' }).click()
    await shot('cut-z')
    await bar.getByRole('button', { name: 'Normal along x' }).click()
    await type('Point of the plane x', '5')
    await bar.getByText('The plane does not cross "Crate": move it until the cut is drawn').waitFor()
    expect(await bar.getByRole('button', { name: 'Cut', exact: true }).isDisabled()).toBe(true)
    await bar.getByRole('button', { name: 'Through the middle' }).click()
    await type('Normal of the plane z', '0.5')
    await shot('cut')
    await bar.getByRole('button', { name: 'Cut', exact: true }).click()
    await editor.outlinerItem('Crate b')
    await shot('cut-done')
    const { bodies, joints } = await saved()
    expect(bodies.filter(({ name }) => name?.startsWith('Crate')).map(({ id, name }) => [id, name])).toEqual([['crate', 'Crate a'], ['crate-2', 'Crate b']])
    expect(joints![0]).toMatchObject({ bodyA: 'crate-2', bodyB: 'other' })
    await editor.page.keyboard.press('Control+z')
    expect((await saved()).bodies).toEqual(scene.bodies)
  })

  it('moves the plane by its arrow in the picture, and Escape puts it away', async () => {
    await choose('Crate')
    await editor.page.keyboard.press('f')
    await editor.page.keyboard.press('1')
    await editor.page.waitForTimeout(600)
    await editor.page.keyboard.press('k')
    const bar = editor.page.getByRole('region', { name: 'Cut by a plane' })
    await bar.waitFor()
    const x = bar.getByRole('textbox', { name: 'Point of the plane x' }).or(bar.getByRole('spinbutton', { name: 'Point of the plane x' }))
    const area = (await editor.viewport.locator('canvas').first().boundingBox())!
    const [cx, cy] = [area.x + area.width / 2, area.y + area.height / 2]
    await editor.page.mouse.move(cx + 60, cy)
    await editor.page.mouse.down()
    await editor.page.mouse.move(cx + 120, cy, { steps: 5 })
    await shot('cut-drag')
    await editor.page.mouse.up()
    await expect.poll(async () => Number(await x.inputValue())).toBeGreaterThan(0.04)
    await editor.viewport.locator('canvas').first().press('Escape')
    await bar.waitFor({ state: 'detached' })
  })

  it('names the bodies that cannot be cut', async () => {
    await choose('Ball')
    await editor.page.keyboard.press('k')
    const bar = editor.page.getByRole('region', { name: 'Cut by a plane' })
    await bar.getByText(/shape 1 \(sphere\) of "Ball" is curved/).waitFor()
    await bar.getByRole('button', { name: 'Cancel' }).click()
    await bar.waitFor({ state: 'detached' })
  })

  it('takes the hull of two bodies in their place, and of a curved one with the error told', async () => {
    await choose('Crate', 'Other')
    await editor.menu('Edit', 'Model', 'Hull of the selection…')
    const dialog = editor.page.getByRole('dialog', { name: 'Hull of the selection' })
    await dialog.getByText('Exact: nothing reaches beyond it.').waitFor()
    await dialog.getByRole('button', { name: 'Make hull' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { bodies, joints } = await saved()
    expect(bodies.map(({ id }) => id)).toEqual(['ground', 'crate', 'ball'])
    expect(bodies[1]!.shapes[0]).toMatchObject({ type: 'convexHull' })
    expect(bodies[1]!.shapes[0]!.points).toHaveLength(8)
    expect(joints ?? []).toEqual([])
    await editor.page.keyboard.press('Control+z')
    await choose('Ball', 'Other')
    await editor.menu('Edit', 'Model', 'Hull of the selection…')
    await dialog.getByText(/Curved shapes reach up to/).waitFor()
    await shot('hull')
    await dialog.getByRole('radio', { name: /A new body/ }).check()
    await dialog.getByRole('button', { name: 'Make hull' }).click()
    await editor.outlinerItem('Hull of 2 bodies')
    await shot('hull-done')
    expect((await saved()).bodies).toHaveLength(5)
    await editor.page.keyboard.press('Control+z')
    expect((await saved()).bodies).toEqual(scene.bodies)
  })

  it('lays the nearest face of a body onto another, and picked faces, each as one step', async () => {
    await choose('Crate', 'Other')
    await editor.panel('Arrange')
    const faces = editor.page.getByRole('group', { name: 'Lay face on face' })
    await faces.getByRole('button', { name: 'Nearest faces' }).click()
    await shot('lay-nearest')
    const { bodies } = await saved()
    // 0.8 m each along x: their faces meet half-way.
    expect(bodies.find(({ id }) => id === 'crate')!.position).toEqual([0.4, 0, 0.2].map(x => expect.closeTo(x, 12) as number))
    await editor.page.keyboard.press('Control+z')
    expect((await saved()).bodies).toEqual(scene.bodies)
    await choose('Crate', 'Other')
    const canvas = editor.viewport.locator('canvas').first()
    await canvas.press('f')
    await canvas.press('1')
    await editor.page.waitForTimeout(600)
    const area = (await canvas.boundingBox())!
    const beside = (side: number) => editor.page.mouse.click(area.x + area.width / 2 + side * 0.22 * area.height, area.y + area.height / 2)
    await faces.getByRole('button', { name: 'Pick faces…' }).click()
    await editor.page.getByText('Click the flat face that is laid down: its body moves.').waitFor()
    await shot('lay-pick')
    await beside(-1)
    await editor.page.getByText('Click the flat face onto which it is laid: its body stays.').waitFor()
    await beside(1)
    await shot('lay-picked')
    // Front view: the front face of one onto the middle of the front face of the other, rotated by 180°.
    expect((await saved()).bodies.find(({ id }) => id === 'crate')!.position).toEqual([1.2, -0.4, 0.2].map(x => expect.closeTo(x, 12) as number))
    await editor.page.keyboard.press('Control+z')
    expect((await saved()).bodies).toEqual(scene.bodies)
  })

  it('mirrors two bodies through their common middle, with the joint', async () => {
    await choose('Crate', 'Other')
    await editor.menu('Edit', 'Model', 'Mirror along x')
    const { bodies } = await saved()
    expect(bodies.slice(1, 3).map(({ position }) => position[0])).toEqual([expect.closeTo(1.2, 12), expect.closeTo(0, 12)])
    await editor.page.keyboard.press('Control+z')
    expect((await saved()).bodies).toEqual(scene.bodies)
  })
})
