import { writeFileSync } from 'node:fs'
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
    scene: 'fall.cairn.json', files: { 'fall.cairn.json': scene }, motion: 'full',
    ready: async opened => {
      editor = opened
      await editor.waitFor('fall')
    },
  })

  it('has an axis, steps and films that begin there', { tags: 'long', timeout: 240_000 }, async () => {
    const { page } = editor
    const axis = page.getByRole('slider', { name: 'Time', exact: true })
    const numbers = async () => [Number(await axis.getAttribute('aria-valuemin')), Number(await axis.getAttribute('aria-valuenow'))]
    const unseen = page.getByRole('status').filter({ hasText: 'Nothing that moves is in the picture.' })
    const frameBall = async () => {
      const ball = await editor.outlinerItem('ball')
      if (await ball.getAttribute('aria-selected') !== 'true') await ball.click()
      await editor.viewport.locator('canvas').first().hover()
      await page.keyboard.press('f')
    }
    await frameBall()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Up to date' }).waitFor()
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await editor.goTo(1.2)
    await unseen.waitFor()
    await expect.poll(async () => (await numbers())[1]).toBeCloseTo(1.2, 6)
    await page.keyboard.press('Control+Alt+Enter')
    await expect.poll(async () => (await numbers())[0], { timeout: 30_000 }).toBeCloseTo(1.2, 6)
    // A new run plays automatically.
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await axis.press('End')
    await axis.press('Home')
    await expect.poll(async () => (await numbers())[1]).toBeCloseTo(1.2, 6)
    await page.getByText('frame 0 of 48').waitFor()
    // A new run is framed if the camera would see nothing of it. Later the camera stays where the user moved it, with a hint.
    await unseen.waitFor({ state: 'detached' })
    await frameBall()
    await axis.press('End')
    await unseen.getByRole('button', { name: /^Frame all/ }).click()
    await unseen.waitFor({ state: 'detached' })
    await page.getByText(/· 0\.80 s in/).waitFor()
    // Plots, tables, films and pictures cover the times of the run.
    await editor.show('Plots')
    await page.getByRole('combobox', { name: 'Add a plot' }).selectOption({ label: 'Energy' })
    const { bytes } = await editor.saved(() => page.getByRole('button', { name: /^Save Energy.* as CSV/ }).first().click())
    const times = bytes.toString('utf8').trim().split('\n').slice(1).map(line => Number(line.split(',')[0]))
    expect([times[0]!.toFixed(6), times.at(-1)!.toFixed(6), times.length]).toEqual(['1.200000', '2.000000', 49])
    if (process.env.CAIRN_SHOTS) await page.screenshot({ path: join(process.env.CAIRN_SHOTS, 'run-from-plot.png') })
    await editor.menu('File', 'Film or picture of the run…')
    const dialog = page.getByRole('dialog', { name: 'Film or picture of the run' })
    expect(await dialog.getByRole('spinbutton', { name: 'From, s' }).inputValue()).toBe('1.2')
    if (process.env.CAIRN_SHOTS) await page.screenshot({ path: join(process.env.CAIRN_SHOTS, 'run-from-film.png') })
    await dialog.getByRole('spinbutton', { name: 'From, s' }).fill('1.1')
    await dialog.getByText('Times are from 1.2 to 2 s, the second after the first.').waitFor()
    await dialog.getByRole('spinbutton', { name: 'From, s' }).fill('1.2')
    await dialog.getByRole('spinbutton', { name: 'To, s' }).fill('1.4')
    await dialog.getByText(/^.*6 pictures, 0.20 s/).waitFor()
    await dialog.getByLabel('Size').selectOption({ index: 0 })
    const film = await editor.saved(() => dialog.getByRole('button', { name: 'Make film…' }).click())
    expect(film.bytes.length).toBeGreaterThan(10_000)
    if (process.env.CAIRN_SHOTS) writeFileSync(join(process.env.CAIRN_SHOTS, 'run-from.webm'), film.bytes)
    if (process.env.CAIRN_SHOTS) await page.screenshot({ path: join(process.env.CAIRN_SHOTS, 'run-from.png') })
  })
})
