import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const box = (id: string, position: readonly number[]) => ({ id, position, shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'wood' }] })
const scene = {
  format: 'cairn-scene', version: 1, name: 'Modelling',
  materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }, { id: 'steel', density: 7850, friction: { static: 0.6, dynamic: 0.5 } }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    box('low', [0, 0, 0.2]), box('high', [0.05, 0, 1.5]), box('far', [2, 0, 0.2]),
  ],
  joints: [{ id: 'rod', type: 'ball', bodyA: 'low', bodyB: 'far', anchor: [1, 0, 0.2] }],
  simulation: { duration: 1 },
}

interface Saved {
  bodies: { id: string; position: number[]; group?: string; shapes: { material: string }[] }[]
  groups?: { id: string; name: string; group?: string }[]
  joints: { id: string }[]
}

describe.skipIf(!chromium)('a person who models', () => {
  let editor: Editor
  const host = sitting({
    scene: 'modelling.cairn.json', files: { 'modelling.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('modelling')
    },
  })
  async function choose(...names: string[]) {
    for (const [i, name] of names.entries()) await (await editor.outlinerItem(name)).click(i > 0 ? { modifiers: ['Control'] } : {})
  }
  const saved = async (): Promise<Saved> => {
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    return JSON.parse(readFileSync(join(host.root, 'modelling.cairn.json'), 'utf8')) as Saved
  }
  const shot = async (name: string) => {
    if (process.env.CAIRN_SHOTS) await editor.page.screenshot({ path: join(process.env.CAIRN_SHOTS, `${name}.png`) })
  }

  it('drops a body until it rests on another, as one step that can be undone', async () => {
    await choose('high')
    await editor.page.keyboard.press('g')
    await editor.page.getByText(/At rest after/).waitFor()
    expect((await saved()).bodies[2]!.position[2]).toBeCloseTo(0.6, 7)
    await editor.page.keyboard.press('Control+z')
    expect((await saved()).bodies[2]!.position).toEqual([0.05, 0, 1.5])
  })

  it('measures the true distance of two bodies, and removes it by its close button', async () => {
    await choose('low', 'far')
    await editor.menu('View', 'Measure', 'Distance of two bodies…')
    const list = editor.page.getByRole('list', { name: 'Measurements' })
    await list.getByText('1.6 m').waitFor()
    await shot('measure')
    await list.getByRole('button', { name: 'Remove low – far' }).click()
    await list.waitFor({ state: 'detached' })
  })

  it('groups bodies, nests and folds the group, moves it, and takes it apart', async () => {
    await choose('low', 'high')
    await editor.page.keyboard.press('Control+g')
    const group = await editor.outlinerItem('Group 1')
    await choose('far')
    await editor.page.keyboard.press('Control+g')
    await editor.outlinerItem('Group 2')
    await shot('groups')
    expect((await saved()).bodies.map(body => body.group)).toEqual([undefined, 'group', 'group', 'group-2'])
    await (await editor.outlinerItem('Group 2')).dragTo(group)
    expect((await saved()).groups).toMatchObject([{ id: 'group' }, { id: 'group-2', group: 'group' }])
    await group.click()
    await editor.page.keyboard.press('ArrowLeft')
    await editor.page.getByRole('treeitem', { name: 'far', exact: true }).waitFor({ state: 'detached' })
    await editor.page.keyboard.press('ArrowRight')
    await editor.outlinerItem('far')
    await group.click()
    await editor.page.keyboard.press('Control+Shift+g')
    expect((await saved()).groups).toMatchObject([{ id: 'group-2' }])
    await editor.page.keyboard.press('Control+z')
    await editor.page.keyboard.press('Control+z')
    await editor.page.keyboard.press('Control+z')
    await editor.page.keyboard.press('Control+z')
    expect((await saved()).groups).toBeUndefined()
  })

  it('saves two jointed bodies as a template, inserts them, and a cart that comes with Cairn', async () => {
    await choose('low', 'far')
    await editor.menu('Add', 'Save selection as template…')
    await editor.page.getByRole('textbox', { name: 'Template name' }).fill('Pair')
    await editor.page.getByRole('button', { name: 'Save', exact: true }).click()
    await editor.page.keyboard.press('Shift+T')
    const dialog = editor.page.getByRole('dialog', { name: 'Insert a template' })
    await shot('templates')
    await dialog.getByRole('list', { name: 'Your templates' }).getByRole('button', { name: /^Pair/ }).click()
    await editor.outlinerItem('rod-2')
    await editor.page.keyboard.press('Shift+T')
    await dialog.getByRole('button', { name: /^Cart/ }).click()
    await editor.outlinerItem('Deck')
    const { bodies, joints } = await saved()
    expect(bodies).toHaveLength(4 + 2 + 5)
    expect(joints).toHaveLength(2 + 4)
    await editor.page.keyboard.press('Control+z')
    await editor.page.keyboard.press('Control+z')
  })

  it('drags a material onto a body', async () => {
    await choose('far')
    await editor.panel('Materials')
    const grip = editor.page.getByRole('img', { name: 'Drag steel onto a body' })
    await grip.dragTo(await editor.outlinerItem('far'))
    expect((await saved()).bodies[3]!.shapes[0]!.material).toBe('steel')
    await choose('low')
    // From the front: from above, the body over it may hide it.
    await editor.page.keyboard.press('1')
    await editor.page.keyboard.press('f')
    await editor.panel('Materials')
    await grip.dragTo(editor.viewport.locator('canvas').first())
    expect((await saved()).bodies[1]!.shapes[0]!.material).toBe('steel')
  })

  it('leaves ghosts of the bodies at chosen times in the picture', async () => {
    await editor.simulate()
    await editor.page.keyboard.press('Home')
    await editor.goTo(0.2)
    await editor.page.keyboard.press('Escape')
    await editor.menu('Simulate', 'Ghost at this time')
    const list = editor.page.getByRole('list', { name: 'Ghosts' })
    await list.getByText('0.20 s').waitFor()
    await editor.menu('Simulate', 'Ghosts over the whole run')
    await expect.poll(() => list.getByRole('listitem').count()).toBe(8)
    await shot('ghosts')
    await list.getByRole('button', { name: /^Remove the ghost at/ }).first().click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(7)
    await editor.menu('Simulate', 'Remove all ghosts')
    await list.waitFor({ state: 'detached' })
  })
})
