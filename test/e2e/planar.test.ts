// @module-tag long
import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Flatland',
  materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'crate', position: [0, 0.3, 0.2], shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'wood' }] },
    { id: 'wheel', position: [1, -0.5, 0.2], shapes: [{ type: 'cylinder', radius: 0.2, height: 0.4, material: 'wood' }] },
  ],
  simulation: { duration: 0.5 },
}

interface Saved {
  readonly simulation: { readonly dimensions?: number }
  readonly bodies: { readonly id: string; readonly position: readonly number[]; readonly shapes: { readonly type: string; readonly orientation?: readonly number[] }[] }[]
}

describe.skipIf(!chromium)('a person who works in two dimensions', () => {
  let editor: Editor
  const host = sitting({
    scene: 'flatland.cairn.json', files: { 'flatland.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('flatland')
    },
  })
  const saved = async (): Promise<Saved> => {
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    return JSON.parse(readFileSync(join(host.root, 'flatland.cairn.json'), 'utf8')) as Saved
  }
  const shot = async (name: string) => {
    if (process.env.CAIRN_SHOTS) await editor.page.screenshot({ path: join(process.env.CAIRN_SHOTS, `${name}.png`) })
  }

  it('lays the scene into the plane by one command, which can be undone', async () => {
    await editor.menu('Edit', 'Two dimensions')
    const { simulation, bodies } = await saved()
    expect(simulation.dimensions).toBe(2)
    expect(bodies.slice(1).map(({ position }) => position[1])).toEqual([0, 0])
    expect(bodies[2]!.shapes[0]!.orientation).toEqual([Math.SQRT1_2, 0, 0, Math.SQRT1_2])
    await shot('two-dimensions')
    await editor.page.keyboard.press('Control+z')
    expect((await saved()).bodies[1]!.position[1]).toBe(0.3)
    await editor.page.keyboard.press('Control+Shift+z')
  })

  it('adds bodies that lie in it, and is not offered those that cannot', async () => {
    await editor.menu('Add', 'Cylinder')
    const added = (await saved()).bodies.at(-1)!
    expect(added.position[1]).toBe(0)
    expect(added.shapes[0]!.orientation).toBeDefined()
    await editor.page.getByRole('menuitem', { name: 'Add', exact: true }).click()
    await editor.page.getByRole('menuitem', { name: 'Cone' }).waitFor()
    expect(await editor.page.getByRole('menuitem', { name: 'Cone' }).getAttribute('aria-disabled')).toBe('true')
    await editor.page.keyboard.press('Escape')
    await editor.page.keyboard.press('Control+z')
  })

  it('simulates it: the crate rests on two points', async () => {
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    await editor.goTo(0.5)
    await editor.panel('Contacts')
    const rows = editor.page.getByRole('table', { name: 'Contacts' }).getByRole('row')
    await expect.poll(() => rows.filter({ hasText: 'crate' }).count()).toBe(2)
    await shot('two-dimensions-run')
  })

  it('opens a scene of the plane face-on, and another from the front and above, whatever tool turned the view before', async () => {
    await saved()
    const side = (name: string) => editor.page.getByRole('button', { name: `${name} view`, exact: true })
    await editor.openExample('Pyramid of 21')
    await editor.page.keyboard.press('Shift+P')
    await side('Front').waitFor({ state: 'detached' })
    await editor.openExample('Pouring in the plane')
    await side('Top').waitFor({ state: 'detached' })
    await editor.openExample('Pyramid of 21')
    await side('Front').waitFor()
    await side('Top').waitFor()
    // Drawing rotates the view; ending it restores the view.
    await editor.page.keyboard.press('Shift+P')
    await side('Front').waitFor({ state: 'detached' })
    await editor.page.getByRole('region', { name: 'Draw: Polygon' }).getByRole('button', { name: 'Done' }).click()
    await side('Front').waitFor()
  })
})
