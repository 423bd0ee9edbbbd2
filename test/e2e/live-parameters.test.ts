// @module-tag long
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Blower', materials: [{ id: 'wood', density: 700, friction: { static: 0.3, dynamic: 0.2 }, color: '#c39a6b' }],
  parameters: [{ id: 'draught', name: 'Draught', value: 0, unit: 'N', min: 0, max: 40 }, { id: 'width', value: 0.2, unit: 'm' }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'crate', position: [0, 0, 0.1], shapes: [{ type: 'box', size: ['=width', 0.2, 0.2], material: 'wood' }] },
  ],
  forces: [{ id: 'blowing', type: 'script', script: 'blow.ts' }],
  scripts: [{ id: 'blow.ts', source: 'export default function (ctx: ForceContext): void {\n  ctx.body(\'crate\').applyForce([ctx.parameters.draught, 0, 0])\n}\n' }],
}

describe.skipIf(!chromium)('a parameter that a script reads', () => {
  let editor: Editor
  const host = sitting({
    scene: 'blower.cairn.json', files: { 'blower.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('blower')
    },
  })
  const shot = async (name: string) => {
    if (process.env.CAIRN_SHOTS) await editor.page.screenshot({ path: join(process.env.CAIRN_SHOTS, `${name}.png`) })
  }

  it('is changed in Live, moves what the script pushes, is kept as keys, and is repeated to the byte', async () => {
    const { page } = editor
    const seconds = async () => Number(/([\d.]+) s ·/.exec(await page.getByRole('status').filter({ hasText: 'Live' }).innerText())?.[1] ?? 0)
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(0.2)
    const controls = page.getByRole('complementary', { name: 'Live controls' })
    // A parameter that only fields depend on has no control.
    expect(await controls.getByRole('slider', { name: 'width' }).count()).toBe(0)
    await controls.getByRole('slider', { name: 'Draught' }).fill('30')
    const from = await seconds()
    await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(from + 0.5)
    await shot('live-parameter')
    await page.setViewportSize({ width: 720, height: 450 })
    await shot('live-parameter-720')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Control+Shift+Enter')
    await page.getByRole('button', { name: 'Keep as scene' }).click()
    await page.getByText(/^Kept:/).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    const kept = JSON.parse(readFileSync(join(host.root, 'blower.cairn.json'), 'utf8')) as { parameters: { id: string; value: number; keys?: { value: number }[] }[] }
    expect(kept.parameters.map(({ id, value, keys }) => [id, value, keys?.map(key => key.value)])).toEqual([['draught', 0, [30]], ['width', 0.2, undefined]])
    const [session] = host.runFiles()
    await host.cairn('simulate', join(host.root, 'blower.cairn.json'), '-o', join(host.folder, 'again.mcap'))
    expect(await host.cairn('compare', session!, join(host.folder, 'again.mcap'), '--tolerance', '0')).toContain('equal')
  }, 240_000)

  it('has its keys in the Parameters panel, where they are edited and undone', async () => {
    const { page } = editor
    await page.keyboard.press('Control+Shift+P')
    await page.keyboard.type('parameters')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('region', { name: 'Parameter draught' })
    await panel.getByText('Values over time · 1').waitFor()
    await shot('parameter-keys')
    await panel.getByRole('button', { name: /^Remove/ }).first().click()
    await panel.getByText('Values over time · 0').waitFor()
    await page.keyboard.press('Control+z')
    await panel.getByText('Values over time · 1').waitFor()
  }, 60_000)
})
