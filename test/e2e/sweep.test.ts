// @module-tag long
/** Simulate → Sweep…: planned with pickers, run in the background, shown as table and charts, a run opened from them. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Editor } from './editor'
import { chromium } from './chromium'
import { sitting } from './sitting'

const pictures = process.env.CAIRN_PICTURES

describe.skipIf(!chromium)('a sweep in the editor', () => {
  let editor!: Editor
  sitting({
    scene: 'block-on-an-incline.cairn.json',
    ready: async opened => {
      editor = opened
      await editor.waitFor('block-on-an-incline')
    },
  })
  const dialog = () => editor.page.getByRole('dialog', { name: 'Sweep: many runs of this scene' })
  const panel = () => editor.page.locator('.panel').filter({ has: editor.page.getByRole('list', { name: 'Sweeps' }) })

  async function pick(text: string, option: RegExp): Promise<void> {
    await dialog().getByRole('combobox', { name: /^Find a field|^Another place/ }).fill(text)
    await dialog().getByRole('option', { name: option }).click()
  }
  async function number(label: string, value: string): Promise<void> {
    const field = dialog().getByRole('textbox', { name: label, exact: true })
    await field.fill(value)
    await field.press('Enter')
  }
  async function picture(name: string): Promise<void> {
    if (pictures === undefined) return
    for (const [width, height] of [[1440, 900], [1024, 700]] as const) {
      await editor.page.setViewportSize({ width, height })
      for (const theme of ['dark', 'light'] as const) {
        await editor.page.emulateMedia({ colorScheme: theme })
        await editor.page.waitForTimeout(400)
        await editor.page.screenshot({ path: `${pictures}/sweep-${name}-${width}-${theme}.png` })
      }
    }
    await editor.page.emulateMedia({ colorScheme: 'dark' })
    await editor.page.setViewportSize({ width: 1440, height: 900 })
  }

  it('lies beside the picture, and among the other panels in a window that has become narrow', async () => {
    const width = async (name: string) => (await editor.page.locator('.dv-groupview').filter({ has: editor.page.getByRole('tab', { name, exact: true }) }).boundingBox())!.width
    await editor.menu('Window', 'Reset layout')
    const [whole, inspector] = [await width('Viewport'), await width('Inspector')]
    await editor.menu('Window', 'Panels', 'Sweeps')
    await expect.poll(async () => Math.abs(await width('Viewport') - whole / 2)).toBeLessThan(2)
    expect(Math.abs(await width('Inspector') - inspector)).toBeLessThan(2)
    const outliner = await width('Outliner')
    await editor.page.locator('.dv-tab').filter({ hasText: /^Sweeps$/ }).locator('.dv-default-tab-action').click()
    await expect.poll(async () => Math.abs(await width('Viewport') - whole)).toBeLessThan(2)
    expect(Math.abs(await width('Outliner') - outliner)).toBeLessThan(2)
    expect(Math.abs(await width('Inspector') - inspector)).toBeLessThan(2)
    await editor.menu('Window', 'Panels', 'Sweeps')
    await expect.poll(async () => Math.abs(await width('Viewport') - whole / 2)).toBeLessThan(2)
    for (const [w, height, least] of [[1024, 700, 480], [720, 450, 300]] as const) {
      await editor.page.setViewportSize({ width: w, height })
      await expect.poll(() => width('Viewport')).toBeGreaterThan(least)
      expect(await width('Sweeps')).toBe(await width('Inspector'))
      if (pictures !== undefined) await editor.page.screenshot({ path: `${pictures}/sweeps-left-open-${w}.png` })
    }
    await editor.page.setViewportSize({ width: 1440, height: 900 })
    await editor.menu('Window', 'Reset layout')
  })

  it('says what is missing before anything can be started', async () => {
    await editor.menu('Simulate', 'Sweep…')
    await dialog().waitFor()
    expect(await dialog().getByRole('button', { name: 'Start sweep' }).isDisabled()).toBe(true)
    expect(await dialog().getByRole('option').first().textContent()).toContain('Gravity')
    await picture('empty')
  })

  it('is planned by picking fields, values and measures; the number of runs follows', async () => {
    await pick('wax static', /Static friction/)
    await number('static from', '0.1')
    await number('static to', '0.9')
    await number('Number of values of static', '5')
    await dialog().getByRole('button', { name: '+ same value elsewhere' }).click()
    await pick('wax dynamic', /Dynamic friction/)
    await dialog().getByRole('button', { name: 'Vary another field…' }).click()
    await pick('simulation method', /Simulation · Method/)
    for (const other of ['penalty', 'auto']) await dialog().getByRole('checkbox', { name: other }).uncheck()
    await dialog().getByRole('button', { name: 'Vary another field…' }).click()
    await pick('simulation duration', /Duration/)
    await dialog().getByRole('combobox', { name: 'Values of duration' }).selectOption('List')
    await dialog().getByRole('textbox', { name: 'List of values of duration' }).fill('0.05, 0.1')
    await dialog().getByRole('textbox', { name: 'Measures' }).fill('bodies.waxed.speed@end, wrong(')
    await dialog().getByRole('alert').filter({ hasText: 'ends too early' }).waitFor()
    await dialog().getByRole('textbox', { name: 'Measures' }).fill('speed = bodies.waxed.speed@end')
    await dialog().getByRole('combobox', { name: 'Measure of' }).selectOption('Contacts')
    await dialog().getByRole('combobox', { name: 'Contacts of' }).selectOption('Waxed block')
    await dialog().getByRole('combobox', { name: 'Taken' }).selectOption('largest')
    await dialog().getByRole('button', { name: 'Add measure' }).click()
    expect(await dialog().getByRole('textbox', { name: 'Measures' }).inputValue()).toBe('speed = bodies.waxed.speed@end,\nmax(contacts.waxed.normalForce)')
    await dialog().getByRole('status').filter({ hasText: '20 runs' }).waitFor()
    await picture('plan')
  })

  it('runs in the background; its window may be closed', async () => {
    await dialog().getByRole('button', { name: 'Start sweep' }).click()
    await dialog().waitFor({ state: 'detached' })
    await panel().waitFor()
    await panel().getByRole('status').filter({ hasText: '20 of 20 runs' }).waitFor({ timeout: 120_000 })
    await panel().getByRole('button', { name: /Block on an incline/, pressed: true }).filter({ hasText: 'done' }).waitFor()
  })

  it('shows a heat map, a scatter, lines and a table; the slopes of friction are those of mechanics', async () => {
    await panel().getByRole('radio', { name: 'Heat map', checked: true }).waitFor()
    await picture('heat')
    await panel().getByRole('radio', { name: 'Line' }).click()
    await picture('line')
    // Another layout of the window keeps the choice.
    for (const width of [1024, 1440]) {
      await editor.page.setViewportSize({ width, height: 900 })
      await editor.page.waitForTimeout(700)
      await editor.panel('Sweeps')
      await panel().getByRole('radio', { name: 'Line', checked: true }).waitFor()
    }
    await panel().getByRole('radio', { name: 'Scatter' }).click()
    await picture('scatter')
    await panel().getByRole('radio', { name: 'Table' }).click()
    const rows = panel().getByRole('table', { name: 'Results' }).locator('tbody tr')
    expect(await rows.count()).toBe(20)
    // In a low window the panel scrolls to some rows.
    await editor.page.setViewportSize({ width: 720, height: 450 })
    await editor.page.waitForTimeout(700)
    await editor.panel('Sweeps')
    await rows.first().scrollIntoViewIfNeeded()
    const seen = () => rows.evaluateAll(all => all.filter(row => document.elementFromPoint(row.getBoundingClientRect().left + 8, row.getBoundingClientRect().top + 6)?.closest('tr') === row).length)
    await expect.poll(seen).toBeGreaterThanOrEqual(3)
    await editor.page.setViewportSize({ width: 1440, height: 900 })
    await editor.page.waitForTimeout(700)
    await editor.panel('Sweeps')
    await picture('table')
    const download = editor.page.waitForEvent('download')
    await panel().getByRole('combobox', { name: 'Save table' }).selectOption('CSV')
    const csv = readFileSync(await (await download).path(), 'utf8').trim().split('\n').map(line => line.split(','))
    const at = (row: string[], name: string) => row[csv[0]!.indexOf(name)]!
    // A block on a slope of 20° slides where tan 20° > μ, the geometric mean of its own and the slate's.
    for (const row of csv.slice(1)) expect(Number(at(row, 'speed')) > 1e-3, row.join(',')).toBe(Math.tan(Math.PI / 9) > Math.sqrt(0.5 * Number(at(row, 'static'))))
  })

  it('opens the run of a row, computed again with its values', async () => {
    await panel().getByRole('table', { name: 'Results' }).locator('tbody tr').first().press('Enter')
    await editor.page.getByText(/run 0/).first().waitFor({ state: 'attached' })
    await editor.reaches('stale')
    await panel().getByRole('radio', { name: 'Scatter' }).click()
    const chart = panel().getByRole('img')
    const box = (await chart.boundingBox())!
    // A point of the chart lies within this grid spacing. Blocks with so much friction stay, so their points are low, near the speed 0.
    for (let y = box.height - 32; y > 20; y -= 8) {
      for (let x = box.width - 8; x > 60; x -= 8) {
        await editor.page.mouse.move(box.x + x, box.y + y)
        if (await panel().getByText(/static = 0\.9/).count() === 0) continue
        await editor.page.mouse.click(box.x + x, box.y + y)
        await panel().getByRole('status').filter({ hasText: '20 of 20 runs' }).waitFor()
        return
      }
    }
    throw new Error('no point was found')
  })

  it('is planned again from what it was, and deleted', async () => {
    await panel().getByRole('button', { name: 'Plan again…' }).click()
    await dialog().getByRole('status').filter({ hasText: '20 runs' }).waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await panel().getByRole('button', { name: /^Delete Block/ }).click()
    await editor.page.getByRole('dialog', { name: 'Delete this sweep?' }).getByRole('button', { name: 'Delete' }).click()
    await editor.page.getByText('A sweep runs the scene many times').waitFor()
  })
})
