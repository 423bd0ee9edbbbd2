import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Fall', materials: [{ id: 'wood', density: 700, restitution: 0.5 }], simulation: { duration: 2, outputRate: 60 },
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'ball', position: [0, 0, 8], shapes: [{ type: 'sphere', radius: 0.3, material: 'wood' }] },
  ],
}

describe.skipIf(!chromium)('a run that begins at a time of another', () => {
  let editor: Editor
  sitting({
    scene: 'fall.cairn.json', files: { 'fall.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('fall')
    },
  })

  it('has an axis, steps and films that begin there', async () => {
    const { page } = editor
    const axis = page.getByRole('slider', { name: 'Time', exact: true })
    const numbers = async () => [Number(await axis.getAttribute('aria-valuemin')), Number(await axis.getAttribute('aria-valuenow'))]
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Up to date' }).waitFor()
    const time = page.getByRole('textbox', { name: 'Time' }).or(page.getByRole('spinbutton', { name: 'Time' })).first()
    await time.fill('1.2')
    await time.press('Enter')
    await expect.poll(async () => (await numbers())[1]).toBeCloseTo(1.2, 6)
    await page.keyboard.press('Control+Alt+Enter')
    await expect.poll(async () => (await numbers())[0], { timeout: 30_000 }).toBeCloseTo(1.2, 6)
    // It plays by itself at first.
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await axis.press('End')
    await axis.press('Home')
    await expect.poll(async () => (await numbers())[1]).toBeCloseTo(1.2, 6)
    await page.getByText('frame 0 of 48').waitFor()
    if (process.env.CAIRN_SHOTS) await page.screenshot({ path: join(process.env.CAIRN_SHOTS, 'run-from.png') })
  }, 120_000)
})
