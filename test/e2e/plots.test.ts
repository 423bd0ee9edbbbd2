import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

/** A rod of 1 m on a hinge at its end, released horizontally. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Swing', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [{ id: 'rod', name: 'Rod', position: [0.5, 0, 2], shapes: [{ type: 'box', size: [1, 0.1, 0.1], material: 'wood' }] }],
  joints: [{ id: 'pin', name: 'Pin', type: 'hinge', bodyA: 'rod', bodyB: null, anchor: [0, 0, 2], axis: [0, 1, 0] }],
  simulation: { duration: 1, outputRate: 240, method: 'event-driven' },
}

describe.skipIf(!chromium)('a person who plots one thing against another', () => {
  let editor: Editor
  sitting({
    scene: 'swing.cairn.json', files: { 'swing.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('swing')
    },
  })
  const curves = (plot: string) => editor.page.getByRole('list', { name: `Curves of ${plot}` }).getByRole('listitem')
  const csvOf = async (title: string) => {
    const { bytes } = await editor.saved(() => editor.page.getByRole('button', { name: `Save ${title} as CSV` }).click())
    const lines = bytes.toString('utf8').trim().split('\n')
    return { head: lines[0]!.split(','), rows: lines.slice(1).map(line => line.split(',').map(Number)) }
  }

  it('draws an angle\'s rate against the angle, and goes to an instant by the curve', async () => {
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    await editor.panel('Plots')
    await editor.page.getByRole('combobox', { name: 'Add a plot' }).selectOption({ label: 'Pin: rate of angle' })
    await editor.page.getByRole('combobox', { name: 'Draw Joint Pin against' }).selectOption({ label: 'against Pin: angle' })
    const chart = editor.page.getByRole('img', { name: /^Joint Pin: .* against Pin angle/ })
    await chart.waitFor()
    await editor.goTo(0.5)
    await expect.poll(() => curves('Joint Pin').first().innerText()).toMatch(/° → .* rad\/s/)
    const box = (await chart.boundingBox())!
    await chart.click({ position: { x: box.width - 20, y: box.height / 2 } })
    // At the right end of the curve the rod is at its highest again.
    await expect.poll(() => editor.time()).toBeGreaterThan(0.8)
    const { head, rows } = await csvOf('Joint Pin')
    expect(head).toEqual(['time [s]', 'Pin angle [°]', 'Pin rate of angle [rad/s]'])
    // ½ I ω² = m g h from rest at the horizontal, by the inertia about the hinge.
    const inertia = (1 + 0.01) / 12 + 0.25
    for (const [, angle, rate] of rows) {
      const fallen = 0.5 * Math.sin(angle! * Math.PI / 180)
      expect(0.5 * inertia * rate! * rate!).toBeCloseTo(9.81 * Math.abs(fallen), 6)
    }
  })

  it('draws places against each other with equal axes', async () => {
    await editor.page.getByRole('combobox', { name: 'Add a plot' }).selectOption({ label: 'Rod: position x, y, z' })
    await editor.page.getByRole('button', { name: 'Remove Rod position x' }).click()
    await editor.page.getByRole('button', { name: 'Remove Rod position y' }).click()
    await editor.page.getByRole('combobox', { name: 'Draw Position of Rod against' }).selectOption({ label: 'against Rod: position x' })
    await editor.page.getByRole('img', { name: /^Position of Rod: .* against Rod position x/ }).waitFor()
    const { head, rows } = await csvOf('Position of Rod')
    expect(head).toEqual(['time [s]', 'Rod position x [m]', 'Rod position z [m]'])
    for (const [, x, z] of rows) expect(Math.hypot(x!, z! - 2)).toBeCloseTo(0.5, 9)
  })

  it('is told at the field what is wrong with a formula, and in which unit it is', async () => {
    await editor.page.getByRole('button', { name: 'Formula…' }).click()
    const field = editor.page.getByRole('textbox', { name: 'Formula of a curve' })
    await field.fill('energy.kinetic + bodies.rod.speed')
    await editor.page.getByRole('alert').filter({ hasText: '"+" of J and m/s has no meaning. At character 16.' }).waitFor()
    expect(await editor.page.getByRole('button', { name: 'New plot' }).isDisabled()).toBe(true)
    await field.fill('norm(derivative(bodies.rod.linearVelocity))')
    await editor.page.getByRole('status').filter({ hasText: 'In m/s².' }).waitFor()
    await editor.page.getByRole('button', { name: 'New plot' }).click()
    const title = 'norm(derivative(bodies.rod.linearVelocity))'
    await expect.poll(() => curves(title).count()).toBe(1)
    // Released horizontally: α = m g l/2 ÷ I at the start, and the middle of the rod has the acceleration α l/2.
    const { rows } = await csvOf(title)
    expect(rows[1]![1]!).toBeCloseTo(0.5 * 9.81 * 0.5 / ((1 + 0.01) / 12 + 0.25), 1)
  })

  it('changes a formula in its legend', async () => {
    await editor.page.getByRole('button', { name: /^Edit norm/ }).click()
    const field = editor.page.getByRole('textbox', { name: 'Formula of a curve' })
    expect(await field.inputValue()).toBe('norm(derivative(bodies.rod.linearVelocity))')
    await field.fill('energy.kinetic + energy.potential - energy.total')
    await field.press('Enter')
    const { rows } = await csvOf('energy.kinetic + energy.potential - energy.total')
    for (const [, zero] of rows) expect(zero).toBe(0)
    await editor.page.getByRole('button', { name: 'Close energy.kinetic' }).click()
  })

  it('draws other runs of the scene beside this one, and saves them too', async () => {
    await editor.workspace('Compose')
    const duration = editor.page.getByRole('textbox', { name: 'Duration' })
    for (const seconds of ['0.8', '0.6']) {
      await duration.fill(seconds)
      await duration.press('Enter')
      await editor.simulate()
    }
    await editor.workspace('Simulate & inspect')
    await editor.panel('Plots')
    await editor.page.getByRole('button', { name: /^Runs/ }).click()
    const runs = editor.page.getByRole('group', { name: 'Runs in the plots' }).getByRole('checkbox')
    await expect.poll(() => runs.count()).toBe(2)
    await runs.first().check()
    await runs.last().check()
    await expect.poll(() => curves('Joint Pin').count()).toBe(3)
    expect(await curves('Joint Pin').allInnerTexts()).toEqual([
      expect.stringMatching(/^Pin rate of angle(?! ·)/), expect.stringMatching(/^Pin rate of angle · Run \d/), expect.stringMatching(/^Pin rate of angle · Run \d/),
    ])
    const { head, rows } = await csvOf('Joint Pin')
    expect(head).toHaveLength(7)
    expect(rows).toHaveLength(241)
    const { bytes } = await editor.saved(() => editor.page.getByRole('button', { name: 'Save Joint Pin as PNG' }).click())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    await shots(editor, 'plots', () => editor.panel('Plots'))
  })

  it('drags a quantity from the inspector beside the plots, and another onto the new plot', async () => {
    const { page } = editor
    await editor.workspace('Simulate & inspect')
    await editor.show('Outliner')
    await (await editor.outlinerItem('Rod')).click()
    await editor.show('Inspector')
    await editor.show('Plots')
    const panel = page.locator('.plots .panel-body')
    for (const _ of await panel.getByRole('button', { name: /^Close / }).all()) await panel.getByRole('button', { name: /^Close / }).first().click()
    await panel.getByText('drag a ∿ here').waitFor()
    const plots = panel.getByRole('region')
    await page.getByRole('button', { name: 'Plot velocity', exact: true }).dragTo(panel)
    await expect.poll(() => plots.count()).toBe(1)
    // By hand: the first drag scrolled the inspector, and a drag that begins while it scrolls starts beside the button.
    const button = page.getByRole('button', { name: 'Plot angular velocity', exact: true })
    await button.scrollIntoViewIfNeeded()
    await panel.getByRole('listitem').filter({ hasText: 'velocity' }).first().waitFor() // until then the plot has another height
    const [from, to] = [await button.boundingBox(), await plots.first().boundingBox()]
    await page.mouse.move(from!.x + from!.width / 2, from!.y + from!.height / 2)
    await page.mouse.down()
    await page.mouse.move(to!.x + to!.width / 2, to!.y + 40, { steps: 5 })
    await page.mouse.up()
    await expect.poll(() => panel.getByRole('listitem').allInnerTexts().then(texts => texts.join(' '))).toMatch(/velocity.*angular velocity/s)
    expect(await plots.count()).toBe(1)
  })
})
