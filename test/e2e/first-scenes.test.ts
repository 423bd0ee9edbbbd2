import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { differenceOf, pictureOf } from './pixels'
import { sitting } from './sitting'

const box = (id: string, name: string, position: readonly number[]) => ({ id, name, position, shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'wood' }] })
/** A ball that a script pushes upwards, one that the air slows down, and a bolt in a cylindrical joint. Without gravity nothing else has an arrow. */
const pushed = {
  format: 'cairn-scene', version: 1, name: 'Pushed', gravity: [0, 0, 0], materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [box('one', 'One', [0, 0, 0]), { ...box('two', 'Two', [1, 0, 0]), linearVelocity: [0, 0, 1] }, { ...box('bolt', 'Bolt', [2, 0, 0]), linearVelocity: [0, 0, 0.5], angularVelocity: [0, 0, 1] }],
  joints: [{ id: 'guide', name: 'Guide', type: 'cylindrical', bodyA: 'bolt', bodyB: null, anchor: [2, 0, 0], axis: [0, 0, 1] }],
  forces: [{ id: 'push', name: 'Push', type: 'script', script: 'push.ts' }, { id: 'air', name: 'Air', type: 'drag', bodies: ['two'], linear: 1 }],
  scripts: [{ id: 'push.ts', source: "export default function (ctx: ForceContext): void {\n  ctx.body('one').applyForce([0, 0, 2])\n}\n" }],
  simulation: { duration: 0.4, outputRate: 60 },
}

describe.skipIf(!chromium)('a new user', () => {
  let editor: Editor
  sitting({ files: { 'pushed.cairn.json': pushed }, ready: async opened => {
    editor = opened
    await editor.beginEmpty()
  } })
  const status = () => editor.page.getByRole('contentinfo', { name: 'Status' }).innerText()

  it('is told of no fault by a new scene, nor by a ground and a box on it', async () => {
    expect(await status()).toMatch(/0 errors,\s+0 warnings/)
    await editor.menu('Add', 'Ground')
    await editor.menu('Add', 'Box')
    await editor.outlinerItem('Box')
    expect(await status()).toMatch(/0 errors,\s+0 warnings/)
    expect(await editor.page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    expect(await editor.primary.isEnabled()).toBe(true)
  })

  it('finds one position and one orientation of a body, those of its shape only on demand', async () => {
    const { page } = editor
    const positions = page.getByRole('textbox', { name: /^Position x/ })
    const seen = async () => (await Promise.all((await positions.all()).map(field => field.isVisible()))).filter(visible => visible).length
    await expect.poll(seen).toBe(1)
    await page.getByText('Place in the body').click()
    await page.locator('details[open]', { has: page.getByText('Place in the body') }).getByRole('textbox').first().waitFor()
    // Those of the shape are labelled otherwise.
    expect(await seen()).toBe(1)
    await page.getByText('Place in the body').click()
  })

  it('clicks on the ground, which becomes selected, and the picture keeps its colours', async () => {
    const { page } = editor
    await page.keyboard.press('Escape')
    const view = editor.viewport.locator('canvas').first()
    const { width, height } = (await view.boundingBox())!
    await view.hover({ position: { x: 0.2 * width, y: 0.75 * height } })
    const before = await pictureOf(view)
    await view.click({ position: { x: 0.2 * width, y: 0.75 * height } })
    await expect.poll(status).toMatch(/^Ground/)
    // The outline of the focused view, and no more.
    expect((await differenceOf(page, before, await pictureOf(view))).changed).toBeLessThan(0.02 * width * height)
  })

  describe('whose scene has a script, drag and a joint with two coordinates', () => {
    it('sees the arrow of each force', async () => {
      const { page } = editor
      await page.keyboard.press('Control+o')
      const question = page.getByRole('dialog', { name: 'Save changes?' })
      await question.getByRole('button', { name: 'Don’t save' }).click()
      await page.getByRole('dialog', { name: 'Open' }).getByRole('button', { name: /^pushed\.cairn/ }).dblclick()
      await editor.waitFor('pushed')
      const view = editor.viewport.locator('canvas').first()
      const forces = async () => {
        await page.getByRole('button', { name: 'Show ▾' }).click()
        await page.getByRole('checkbox', { name: 'Forces', exact: true }).click()
        await page.keyboard.press('Escape')
        await page.waitForTimeout(300)
      }
      for (const [removed, name] of [['Air', 'that of the script'], ['Push', 'that of drag']] as const) {
        await (await editor.outlinerItem(removed)).click()
        await page.keyboard.press('Delete')
        await editor.simulate()
        await editor.goTo(0.2)
        await view.hover()
        await page.waitForTimeout(300)
        const drawn = await pictureOf(view)
        await forces()
        expect((await differenceOf(page, drawn, await pictureOf(view))).changed, name).toBeGreaterThan(20)
        await forces()
        await page.keyboard.press('Control+z')
        await editor.outlinerItem(removed)
      }
      await editor.simulate()
    })

    it('plots the joint\'s second coordinate as recorded', async () => {
      await editor.show('Plots')
      await editor.page.getByRole('combobox', { name: 'Add a plot' }).selectOption({ label: 'Guide: position' })
      await editor.goTo(0.4)
      const curve = editor.page.getByRole('list', { name: 'Curves of Joint Guide' }).getByRole('listitem').first()
      // 0.5 m/s for 0.4 s.
      await expect.poll(() => curve.innerText()).toMatch(/0\.2(00)? m/)
    })
  })
})
