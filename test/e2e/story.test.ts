import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LABEL_WIDTH } from '../../renderer/panels/timeline-axis'
import { chromium } from './chromium'
import { Editor, WebHostProcess } from './editor'

interface InspectedContact { bodyA: string; bodyB: string; features: [string, string]; normalForce: number; frictionForce: number[]; coneUsage: number; mode: string }

/** A new user's first minute, from the first look to the export, in one window. */
describe.skipIf(!chromium)('a person who has just started the editor', () => {
  const host = new WebHostProcess()
  let editor: Editor

  beforeAll(async () => {
    await host.start()
    editor = await Editor.open(host.url, { motion: 'full' })
  })
  afterAll(async () => {
    await editor?.close()
    await host.stop()
    host.dispose()
  })

  it('meets the block on an incline and what to look at', async () => {
    await editor.waitFor('block-on-an-incline')
    const card = editor.page.getByRole('complementary', { name: 'What to look at' })
    await card.getByRole('paragraph').first().waitFor()
    await card.getByRole('button', { name: 'What to look at', expanded: true }).click()
    expect(await card.getByRole('paragraph').count()).toBe(0)
    await card.getByRole('button', { name: 'What to look at', expanded: false }).click()
    await card.getByRole('paragraph').first().waitFor()
    expect(await editor.primary.innerText()).toBe('Simulate')
  })

  it('removes the token from the address', () => {
    expect(editor.page.url()).not.toContain('token')
  })

  it('presses Simulate and sees it computed', async () => {
    await editor.simulate()
    expect(await editor.primary.innerText()).toBe('Up to date')
  })

  it('drags the timeline, and the blocks are where the run says', async () => {
    const bounds = (await editor.timeline.boundingBox())!
    // Labels of lanes that are drawn.
    const drawn = await editor.page.evaluateHandle(() => {
      const { prototype } = CanvasRenderingContext2D
      const { fillText } = prototype
      const texts: string[] = []
      prototype.fillText = function (text, ...place) {
        if (text === 'Impacts') texts.push(text)
        fillText.call(this, text, ...place)
      }
      return texts
    })
    await editor.page.mouse.move(bounds.x + 200, bounds.y + 12)
    await editor.page.mouse.down()
    await editor.page.mouse.move(bounds.x + bounds.width / 2, bounds.y + 12, { steps: 8 })
    await editor.page.mouse.up()
    // The axis is not drawn again for each time.
    expect((await drawn.jsonValue()).length).toBeLessThan(3)
    const time = await editor.time()
    expect(time).toBeGreaterThan(0.4)
    expect(time).toBeLessThan(1.2)
    await (await editor.outlinerItem('Waxed block')).click()
    const shown = editor.page.getByRole('region', { name: 'Motion' }).locator('[aria-label="Velocity now"]')
    const [vx, vy, vz] = (await shown.getAttribute('title'))!.match(/-?\d[\d.e+-]*/g)!.map(Number)
    // Sliding down a 20° slope with μ = 0.2 from rest: v = g (sin θ − μ cos θ) t.
    const theta = 20 * Math.PI / 180
    expect(Math.hypot(vx!, vy!, vz!)).toBeCloseTo(9.81 * (Math.sin(theta) - 0.2 * Math.cos(theta)) * time, 8)
  })

  it('reads about an event under the pointer, but not while the playhead is dragged away from it', async () => {
    const { page } = editor
    const { x, y, height } = (await editor.timeline.boundingBox())!
    const told = page.getByText(/^New contact · /)
    // Bodies touch at the start.
    for (let down = 20; down < height && await told.count() === 0; down += 6) await page.mouse.move(x + LABEL_WIDTH + down % 2, y + down)
    await told.waitFor()
    await page.mouse.down()
    await page.mouse.move(x + LABEL_WIDTH + 200, y + 20, { steps: 4 })
    expect(await told.count()).toBe(0)
    await page.mouse.up()
  })

  it('sees the time under the pointer without waiting for the browser\'s next frame', async () => {
    const bounds = (await editor.timeline.boundingBox())!
    const y = bounds.y + 12
    await editor.page.mouse.move(bounds.x + 200, y)
    await editor.page.mouse.down()
    await editor.page.waitForTimeout(100)
    const [before, first, second] = await editor.timeline.evaluate(async (axis, [left, right, top]) => {
      const shown = () => Number(axis.getAttribute('aria-valuenow'))
      // What a mouse reports between two frames of the browser.
      const report = async (x: number) => {
        axis.dispatchEvent(new PointerEvent('pointerrawupdate', { clientX: x, clientY: top, bubbles: true }))
        for (let i = 0; i < 10; i++) await Promise.resolve()
        return shown()
      }
      await new Promise(resolve => requestAnimationFrame(resolve))
      return [shown(), await report(left!), await report(right!)]
    }, [bounds.x + 400, bounds.x + 600, y])
    await editor.page.mouse.up()
    expect(first!).toBeGreaterThan(before!)
    // The second one would not be seen: it waits for the frame.
    expect(second).toBe(first)
  })

  it('clicks a contact and reads the force that the command line prints for the same run', async () => {
    await editor.workspace('Simulate & inspect')
    await editor.goTo(1)
    const rows = editor.contacts.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(8)
    const [file] = host.runFiles()
    const inspected = JSON.parse(await host.cairn('inspect', file!, '--time', '1', '--contacts', '--json')) as { contacts: InspectedContact[] }
    expect(inspected.contacts).toHaveLength(8)
    for (let i = 0; i < 8; i++) {
      await rows.nth(i).click()
      const panel = editor.page.locator('dl[aria-label="Contact"]')
      const normal = Number(await panel.locator('[data-value]').first().getAttribute('data-value'))
      const friction = Number(await panel.locator('[data-value]').nth(1).getAttribute('data-value'))
      const match = inspected.contacts.filter(contact => contact.normalForce === normal)
      expect(match.length, `no contact has exactly ${normal} N`).toBeGreaterThan(0)
      expect(match.some(contact => Math.hypot(...contact.frictionForce) === friction)).toBe(true)
    }
  })

  it('clicks the contact itself in the viewport', async () => {
    await editor.page.keyboard.press('Escape')
    await editor.page.getByText('Click a contact in the viewport').waitFor()
    const point = await editor.page.evaluate(() => {
      const canvas = document.querySelector('canvas')!.getBoundingClientRect()
      return { x: canvas.x, y: canvas.y, width: canvas.width, height: canvas.height }
    })
    // The glyphs are found by hovering over the picture until one answers: the canvas has no roles.
    let hit = false
    for (let y = 0.25; y < 0.75 && !hit; y += 0.02) {
      for (let x = 0.3; x < 0.7 && !hit; x += 0.015) {
        await editor.page.mouse.move(point.x + x * point.width, point.y + y * point.height)
        if (await editor.contacts.locator('tbody tr.hovered').count() === 0) continue
        await editor.page.mouse.down()
        await editor.page.mouse.up()
        hit = await editor.page.locator('dl[aria-label="Contact"]').count() > 0
      }
    }
    expect(hit).toBe(true)
  })

  it('plots the energy and the contact\'s force, and saves numbers', async () => {
    await editor.panel('Plots')
    await editor.page.getByRole('button', { name: 'Plot energy' }).click()
    await editor.page.getByRole('img', { name: /^Energy/ }).waitFor()
    const download = editor.page.waitForEvent('download')
    await editor.page.getByRole('button', { name: 'Save Energy as CSV' }).click()
    const csv = readFileSync(await (await download).path(), 'utf8').trim().split('\n')
    expect(csv).toHaveLength(1 + 385)
    expect(csv[0]!.split(',')).toHaveLength(4)
    const [, kinetic, potential, total] = csv.at(-1)!.split(',').map(Number)
    expect(kinetic! + potential!).toBeCloseTo(total!, 9)
  })

  it('plays, and playing ends at the end', async () => {
    await editor.goTo(1.4)
    await editor.page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => editor.time(), { timeout: 20_000 }).toBe(1.6)
    await editor.page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  })

  it('steps by frame and by event with the keyboard', async () => {
    await editor.goTo(0.5)
    await editor.timeline.focus()
    await editor.page.keyboard.press('ArrowRight')
    expect(await editor.time()).toBeCloseTo(0.5 + 1 / 240, 9)
    await editor.page.keyboard.press('ArrowLeft')
    expect(await editor.time()).toBeCloseTo(0.5, 9)
    const { events } = JSON.parse(await host.cairn('inspect', host.runFiles()[0]!, '--events', '--json')) as { events: { time: number; kind: string }[] }
    await editor.page.keyboard.press('Shift+ArrowLeft')
    // Restarts of the integrator are skipped, since the list collapses them.
    expect(await editor.time()).toBe(events.findLast(event => event.time < 0.5 - 1e-9 && event.kind !== 'restart')!.time)
  })

  it('exports to MuJoCo after reading what is lost', async () => {
    await editor.menu('File', 'Export scene…')
    const dialog = editor.page.getByRole('dialog', { name: 'Export scene' })
    await dialog.getByRole('table', { name: 'Losses' }).or(dialog.getByRole('heading', { name: 'Nothing is lost' })).waitFor()
    const download = editor.page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save file…' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/\.xml$/)
    expect(readFileSync(await file.path(), 'utf8')).toContain('<mujoco')
  })

  it('has seen no error in the browser', () => {
    expect(editor.faults).toEqual([])
  })
})
