/** Small windows: tool bars and the scales drawn in the picture do not cover each other, and the contacts table needs no scrolling sideways. */

import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { apart, scalesIn, type Box } from './scales'
import { sitting } from './sitting'

describe.skipIf(!chromium)('in small windows', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.waitFor('block-on-an-incline')
    await editor.page.getByRole('button', { name: 'Close the card' }).click()
    await editor.workspace('Compose')
    await editor.page.getByRole('treeitem', { name: 'Wooden block' }).click()
  } })

  const scales = () => scalesIn(editor)
  const barBox = async (name: string): Promise<Box> => {
    const { x, y, width, height } = (await editor.page.getByRole('region', { name }).boundingBox())!
    return { left: x, top: y, right: x + width, bottom: y + height }
  }

  it.each([['cutting', 'k', 'Cut by a plane'], ['measuring', 'm', 'Measure']])('the tool bar for %s does not cover the scales, nor they it', async (_, key, name) => {
    const { page } = editor
    await editor.viewport.locator('canvas').first().focus()
    await page.keyboard.press(key)
    await page.getByRole('region', { name }).waitFor()
    for (const [width, height] of [[1440, 900], [1024, 700], [720, 450]] as const) {
      await page.setViewportSize({ width, height })
      await page.waitForTimeout(400)
      const bar = await barBox(name)
      // Nor do the scales cover the buttons of the axis cube, which they come near to above a bar in a low picture.
      const cube = await editor.viewport.getByRole('button', { name: 'Isometric view' }).boundingBox()
      const buttons = { left: cube!.x, top: cube!.y, right: Infinity, bottom: cube!.y + cube!.height }
      await expect.poll(async () => {
        const drawn = await scales()
        return drawn === null || (apart(drawn, bar) && apart(drawn, buttons)) ? 'apart' : JSON.stringify([width, drawn, bar, buttons])
      }).toBe('apart')
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('region', { name }).getByRole('button', { name: /^(Cancel|Done|Stop|End)/ }).click()
    await page.getByRole('region', { name }).waitFor({ state: 'detached' })
    await expect.poll(async () => (await scales())?.bottom).toBeGreaterThan((await editor.viewport.boundingBox())!.y + (await editor.viewport.boundingBox())!.height - 20)
  })

  it('the contacts table shows bodies, mode, normal force and friction used without scrolling sideways', async () => {
    const { page } = editor
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    await editor.panel('Contacts')
    const visible = () => editor.contacts.locator('thead th').evaluateAll(all => all.filter(one => one.getBoundingClientRect().width > 8).map(one => one.textContent!.replace(/ [▾▴]/, '')))
    const hidden = () => editor.contacts.evaluate(table => table.parentElement!.scrollWidth - table.parentElement!.clientWidth)
    for (const [width, height, columns] of [
      [720, 450, ['Body A', 'Body B', 'Mode', 'Normal, N', 'Used, %']], [1024, 700, ['Body A', 'Body B', 'Mode', 'Normal, N', 'Friction, N', 'Used, %']],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(visible).toEqual(columns)
      await expect.poll(hidden).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(async () => (await visible()).slice(0, 6)).toEqual(['Body A', 'Body B', 'Mode', 'Normal, N', 'Friction, N', 'Used, %'])
  })

  it('the numbers of a body are whole in a narrow inspector, and the name of a file that is saved is seen', async () => {
    const { page } = editor
    await page.setViewportSize({ width: 720, height: 450 })
    await editor.goTo(0.5)
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Waxed block')).click()
    await editor.panel('Inspector')
    for (const name of ['Velocity now', 'Angular velocity now', 'Contact force on the body']) {
      const vector = page.getByLabel(name, { exact: true })
      await vector.scrollIntoViewIfNeeded()
      // Neither its list nor a part of that cuts letters off.
      expect(await vector.evaluate(one => {
        const { left, right } = one.closest('.panel-body')!.getBoundingClientRect()
        return [...one.children].every(part => part.getBoundingClientRect().left >= left && part.getBoundingClientRect().right <= right)
          && one.parentElement!.scrollWidth <= one.parentElement!.clientWidth && one.getBoundingClientRect().left >= one.parentElement!.getBoundingClientRect().left - 0.5
      }), name).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Shift+s')
    const dialog = page.getByRole('dialog', { name: 'Save as' })
    await dialog.getByRole('navigation', { name: 'Folder' }).waitFor()
    const [content, field] = [(await dialog.locator('.content').boundingBox())!, (await dialog.getByRole('textbox', { name: 'File name' }).boundingBox())!]
    expect(field.y + field.height).toBeLessThanOrEqual(content.y + content.height)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the tab in front stays whole when the window becomes smaller', async () => {
    const { page } = editor
    await editor.workspace('Compose')
    await editor.panel('Materials')
    for (const [width, height] of [[1024, 700], [720, 450]] as const) {
      await page.setViewportSize({ width, height })
      await page.waitForTimeout(700)
    }
    const tab = page.locator('.dv-tab.dv-active-tab').filter({ hasText: 'Materials' })
    const beyond = () => tab.evaluate(one => one.querySelector('.dv-default-tab-action')!.getBoundingClientRect().right - one.closest('.dv-tabs-container')!.getBoundingClientRect().right)
    await expect.poll(beyond).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the timeline stays in front where it comes to share its place with another panel', async () => {
    const { page } = editor
    await page.setViewportSize({ width: 1440, height: 900 })
    await editor.workspace('Script')
    await page.getByText('No problems.').waitFor()
    await editor.timeline.waitFor()
    await page.setViewportSize({ width: 1024, height: 700 })
    await page.locator('.dv-tab.dv-inactive-tab').filter({ hasText: /^Problems$/ }).waitFor()
    await editor.timeline.waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByText('No problems.').waitFor()
    await editor.workspace('Compose')
  })

  it('both anchors of a rod are in sight while the first is picked, and the button once the second is', async () => {
    const { page } = editor
    await page.setViewportSize({ width: 720, height: 450 })
    await editor.show('Joints')
    await page.getByRole('button', { name: 'New joint' }).first().click()
    const form = page.getByRole('form', { name: 'New joint' })
    await form.getByRole('combobox', { name: 'Joint type' }).selectOption('distance')
    const panel = (await page.locator('.panel-body', { has: form }).boundingBox())!
    const inSight = async (name: string) => {
      const box = (await form.getByRole('button', { name }).boundingBox())!
      return box.y >= panel.y && box.y + box.height <= panel.y + panel.height
    }
    await form.getByRole('button', { name: 'Pick the anchor on A' }).click()
    await page.getByText('Click the anchor on body A.').waitFor()
    await expect.poll(() => inSight('Pick the anchor on B')).toBe(true)
    expect(await inSight('Pick the anchor on A')).toBe(true)
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Pick the anchor on B' }).click()
    const view = (await editor.viewport.locator('canvas').first().boundingBox())!
    await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2)
    await page.getByText('Click the anchor on body B.').waitFor({ state: 'detached' })
    await expect.poll(() => inSight('Create joint')).toBe(true)
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the folded controls of a live session leave the picture to it, and do not cover the scales', async () => {
    const { page } = editor
    await page.setViewportSize({ width: 720, height: 450 })
    await page.keyboard.press('Control+Shift+Enter')
    const controls = page.getByRole('complementary', { name: 'Live controls' })
    await controls.waitFor()
    const [own, view] = [(await controls.boundingBox())!, (await editor.viewport.locator('canvas').first().boundingBox())!]
    expect(own.width * own.height).toBeLessThan(0.06 * view.width * view.height)
    // The scales stand beside them, at the lower edge.
    await expect.poll(async () => (await scales())?.bottom).toBeGreaterThan(view.y + view.height - 20)
    await page.keyboard.press('Control+Shift+Enter')
    await controls.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the open controls of a live session take less than a seventh of the picture, with all their sliders in sight', async () => {
    const { page } = editor
    await page.setViewportSize({ width: 1024, height: 700 })
    await page.keyboard.press('Control+Shift+Enter')
    const controls = page.getByRole('complementary', { name: 'Live controls' })
    const toggle = controls.getByRole('button', { name: 'Take part' })
    if (await toggle.getAttribute('aria-expanded') === 'false') await toggle.click()
    const [own, view] = [(await controls.boundingBox())!, (await editor.viewport.locator('canvas').first().boundingBox())!]
    expect(own.width * own.height).toBeLessThan(view.width * view.height / 7)
    expect(await controls.evaluate(one => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(0)
    for (const name of ['Gravity', 'Tilt of gravity', 'Direction of the tilt']) {
      const slider = (await controls.getByRole('slider', { name, exact: true }).boundingBox())!
      expect(slider.width).toBeGreaterThan(60)
      expect(slider.y + slider.height).toBeLessThan(own.y + own.height)
    }
    await toggle.click()
    await page.keyboard.press('Control+Shift+Enter')
    await controls.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it.each([
    ['winding', 'wound round', 'Wind rope'], ['drawing', 'polygon', 'Draw: Polygon'], ['cutting', 'cut by', 'Cut by a plane'], ['measuring', 'distance, angle', 'Measure'],
  ])('the tool bar for %s takes less than a third of a small picture', async (_, command, name) => {
    const { page } = editor
    await page.setViewportSize({ width: 720, height: 450 })
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Wooden block')).click()
    await page.keyboard.press('Control+Shift+P')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
    await page.keyboard.type(command)
    await page.keyboard.press('Enter')
    const bar = page.getByRole('region', { name })
    await bar.waitFor()
    const view = (await editor.viewport.locator('canvas').first().boundingBox())!
    if (name.startsWith('Draw')) for (const [x, y] of [[-40, -20], [40, -20], [40, 10], [-40, 10]] as const) await page.mouse.click(view.x + view.width / 2 + x, view.y + 60 + y)
    expect((await bar.boundingBox())!.height).toBeLessThan(view.height / 3)
    for (const button of await bar.getByRole('button').all()) {
      const box = (await button.boundingBox())!
      expect(box.x >= view.x && box.x + box.width <= view.x + view.width).toBe(true)
    }
    await bar.getByRole('button', { name: /^(Cancel|Done)$/ }).click()
    await bar.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('a tool that begins ends the one before it: their bars would cover each other', async () => {
    const { page } = editor
    await (await editor.outlinerItem('Wooden block')).click()
    await editor.viewport.locator('canvas').first().focus()
    const [measure, cut, wind] = ['Measure', 'Cut by a plane', 'Wind rope'].map(name => page.getByRole('region', { name }))
    await page.keyboard.press('m')
    await measure!.waitFor()
    await page.keyboard.press('k')
    await cut!.waitFor()
    expect(await measure!.count()).toBe(0)
    await editor.addByKeys('wound round')
    await wind!.waitFor()
    expect(await cut!.count()).toBe(0)
    await editor.addByKeys('polygon')
    await page.getByRole('region', { name: 'Draw: Polygon' }).waitFor()
    expect(await wind!.count()).toBe(0)
    await page.keyboard.press('m')
    await measure!.waitFor()
    expect(await page.getByRole('region', { name: 'Draw: Polygon' }).count()).toBe(0)
    await measure!.getByRole('button', { name: 'Done' }).click()
  })

  it('the panel of examples shows one beside its tags', async () => {
    const { page } = editor
    await page.setViewportSize({ width: 720, height: 450 })
    await editor.menu('Window', 'Panels', 'Gallery')
    const group = page.locator('.dv-groupview').filter({ has: page.locator('.dv-tab.dv-active-tab', { hasText: 'Gallery' }) })
    const [first, panel] = [(await group.getByRole('list', { name: 'Examples' }).getByRole('button').first().boundingBox())!, (await group.boundingBox())!]
    expect(panel.y + panel.height - first.y).toBeGreaterThan(80)
    const name = (await group.getByRole('list', { name: 'Examples' }).locator('strong').first().boundingBox())!
    expect(name.y + name.height).toBeLessThan(panel.y + panel.height)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the letters of a free-body diagram\'s table can be read, and nothing of it is beside the window', async () => {
    const { page } = editor
    await editor.menu('File', 'Free-body diagram…')
    const dialog = page.getByRole('dialog', { name: 'Free-body diagram' })
    await dialog.getByRole('checkbox', { name: 'All forces and moments' }).check()
    /** Of eight points in a drawing 480 points wide; nine CSS pixels are readable. */
    const letters = () => dialog.getByRole('img').evaluate((image: HTMLImageElement) => {
      const { width, height } = image.getBoundingClientRect()
      return 8 * Math.min(width / image.naturalWidth, height / image.naturalHeight) * image.naturalWidth / 480
    })
    for (const [width, height] of [[720, 450], [1024, 700], [1440, 900]] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(letters).toBeGreaterThanOrEqual(9)
      expect(await dialog.locator('.content').evaluate(content => content.scrollWidth - content.clientWidth)).toBeLessThanOrEqual(0)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })
})
