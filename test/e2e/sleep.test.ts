// @module-tag long
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

/** A cube at rest, and a ball that rolls past it. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Asleep', materials: [{ id: 'stone', density: 1000, friction: { static: 0.5, dynamic: 0.5 }, restitution: 0 }],
  bodies: [
    { id: 'floor', name: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] },
    { id: 'cube', name: 'cube', position: [0, 0, 0.5], shapes: [{ type: 'box', size: [1, 1, 1], material: 'stone' }] },
    { id: 'ball', name: 'ball', position: [-2, 2, 0.3], linearVelocity: [1, 0, 0], shapes: [{ type: 'sphere', radius: 0.3, material: 'stone' }] },
  ],
  simulation: { duration: 1, outputRate: 60, method: 'time-stepping', timeStepping: { sleep: true } },
}

describe.skipIf(!chromium)('a person who lets bodies sleep', () => {
  let editor: Editor
  sitting({
    scene: 'asleep.cairn.json', files: { 'asleep.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('asleep')
      await editor.simulate()
    },
  })

  it('sees in the outliner and in the inspector who is asleep at the present time, and who is not', async () => {
    const row = (name: string) => editor.page.getByRole('tree', { name: 'Scene' }).getByRole('treeitem', { name, exact: true })
    await editor.goTo(0.9)
    await row('cube').getByText('asleep').waitFor()
    expect(await row('ball').getByText('asleep').count()).toBe(0)
    await row('cube').click()
    await editor.page.getByRole('region', { name: 'Motion' }).getByText('asleep').waitFor()
    await editor.goTo(0.2)
    await row('cube').getByText('asleep').waitFor({ state: 'detached' })
  })
})
