import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Locator } from 'playwright-core'
import type { Editor } from './editor'
import { sitting } from './sitting'

/** The sliding rod of Baraff92 fig. 10.1: f_N is 0 or m, and both motions satisfy every law. */
function rodScene(): object {
  const angle = 72 * Math.PI / 180
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const friction = (c * c + 1 / 8) / (c * s)
  const spin = Math.sqrt((1 + 9.81) / s)
  const tilt = (Math.PI / 2 - angle) / 2
  return {
    format: 'cairn-scene', version: 1, name: 'Rod', materials: [{ id: 'steel', density: 1000, friction: { static: friction, dynamic: friction }, restitution: 0 }],
    bodies: [
      { id: 'floor', name: 'Floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'steel' }] },
      {
        id: 'rod', name: 'Rod', position: [c, 0, s], orientation: [0, Math.sin(tilt), 0, Math.cos(tilt)], linearVelocity: [spin * s - 1, 0, -spin * c], angularVelocity: [0, spin, 0],
        shapes: [{ type: 'convexHull', material: 'steel', points: [[0, 0, -1], [0, 0, 1], [0.05, 0, 0], [0, 0.05, 0], [-0.05, 0, 0], [0, -0.05, 0]] }],
        mass: { mass: 3, centerOfMass: [0, 0, 0], inertia: [3 / 16, 3 / 16, 0.03, 0, 0, 0] },
      },
    ],
    simulation: { duration: 0.002, outputRate: 1e4 },
  }
}

describe.skipIf(!chromium)('a person who asks why', () => {
  let editor: Editor
  const host = sitting({
    scene: 'block-on-an-incline.cairn.json', files: { 'rod.cairn.json': rodScene() },
    ready: async opened => {
      editor = opened
      await editor.waitFor('block-on-an-incline')
    },
  })

  interface Wrench { readonly force: number[]; readonly torque: number[] }
  interface Terms { readonly rows: { contact: number; own: number; b: number; acceleration: number }[]; readonly forces: { body: string; sum: Wrench; rate: Wrench }[] }
  const inspected = async (time: string) => JSON.parse(await host.cairn('inspect', host.runFiles()[0]!, '--time', time, '--forces', '--rows', '--json')) as Terms
  const values = (row: string) => editor.page.getByRole('row', { name: row, exact: true }).locator('[data-value]').evaluateAll(all => all.map(one => Number((one as HTMLElement).dataset.value)))

  it('sees what makes up a contact\'s force: its row of A and b, with the neighbours named', async () => {
    await editor.simulate()
    await editor.goTo(0.5)
    await editor.workspace('Simulate & inspect')
    await editor.contacts.getByRole('row').nth(1).click()
    await editor.page.getByText('Why this force').click()
    const table = editor.page.getByRole('table', { name: 'Row of A and b' })
    await table.waitFor()
    const bottom = async (of: Locator) => of.evaluate(element => element.getBoundingClientRect().bottom)
    await expect.poll(async () => await bottom(table.locator('tfoot')) <= await bottom(editor.page.locator('.panel-body').filter({ has: table }))).toBe(true)
    expect(await table.innerText()).toContain('this contact')
    expect(await table.innerText()).toContain('Gravity')
    const shown = await table.locator('tfoot [data-value]').getAttribute('data-value')
    const { rows } = await inspected('0.5')
    expect(rows.map(row => row.acceleration)).toContain(Number(shown))
    const [own, b] = await editor.page.getByLabel('Entries of the row').locator('[data-value]').evaluateAll(all => all.map(one => Number((one as HTMLElement).dataset.value)))
    expect(rows.some(row => row.own === own && row.b === b)).toBe(true)
  })

  it('sees what acts on a body, and that it sums to m a', async () => {
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Wooden block')).click()
    await editor.panel('Inspector')
    await editor.page.getByRole('table', { name: 'Force balance' }).waitFor()
    const { forces } = await inspected('0.5')
    const block = forces.find(one => one.body === 'wooden')!
    expect(await values('Sum of forces')).toEqual(block.sum.force)
    expect(await values('Mass times acceleration')).toEqual(block.rate.force)
    await editor.page.getByRole('img', { name: /Force polygon/ }).waitFor()
    await editor.page.getByRole('radio', { name: /^Torque/ }).click()
    expect(await values('Sum of torques')).toEqual(block.sum.torque)
    expect(await values('Rate of angular momentum')).toEqual(block.rate.torque)
  })

  it('finds an indeterminate instant, branches there, and sees where the two runs part', async () => {
    await editor.menu('File', 'Open…')
    await editor.page.getByRole('dialog').getByText('rod.cairn.json').dblclick()
    await editor.waitFor('rod')
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    const message = editor.page.getByRole('listitem').filter({ hasText: 'the laws allow 2 motions' })
    await message.getByRole('button', { name: 'Show them' }).click()
    const instant = editor.page.getByRole('region', { name: /^Indeterminate at/ })
    await instant.waitFor()
    expect(await instant.getByRole('article').count()).toBe(2)
    expect(await instant.getByRole('article', { name: 'Solution 1' }).innerText()).toMatch(/3(\.0+)?\s*N/)
    // Its tables fit in narrow panels, and the mode is still read.
    for (const [width, height] of [[720, 450], [1024, 700], [1440, 900]] as const) {
      await editor.page.setViewportSize({ width, height })
      await editor.page.waitForTimeout(400)
      await editor.panel('Branches')
      const article = instant.getByRole('article').first()
      await expect.poll(() => article.evaluate(one => Math.max(...[one, one.querySelector('table')!].map(part => part.getBoundingClientRect().right)) - one.closest('.panel-body')!.getBoundingClientRect().right)).toBeLessThanOrEqual(0)
      await article.getByText('sticking').or(article.getByText('separating')).locator('visible=true').first().waitFor()
    }
    await instant.getByRole('button', { name: 'Branch here' }).click()
    const differences = editor.page.getByRole('region', { name: 'Differences' })
    await differences.getByRole('button', { name: 'Rod', exact: true }).waitFor()
    await editor.panel('Events')
    await editor.page.getByRole('row', { name: /Indeterminate/ }).getByRole('button', { name: 'Show them' }).click()
    await editor.page.getByRole('article', { name: 'Solution 1' }).waitFor()
    expect(await editor.primary.innerText()).toBe('Up to date')
    await editor.panel('Branches')
    expect(await editor.page.getByRole('article', { name: 'Solution 1' }).innerText()).toContain('this run')
    await editor.page.keyboard.press('Control+z')
    await expect.poll(() => editor.primary.innerText()).toBe('Simulate again')
  })

  it('opens a panel by its name on the card of an example', async () => {
    await editor.openExample('Rod that may hold or part')
    await editor.page.getByRole('complementary', { name: 'What to look at' }).getByRole('button', { name: 'Branches' }).click()
    await editor.page.getByText('Simulate to see whether the laws leave a choice').waitFor()
  })
})
