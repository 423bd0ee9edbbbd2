import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { differenceOf, pictureOf } from './pixels'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Swing and drag', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [
    { id: 'ground', name: 'Floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'swing', name: 'Swing', position: [0.5, 0, 2], shapes: [{ type: 'box', size: [0.8, 0.1, 0.1], material: 'wood' }] },
    { id: 'ball', name: 'Ball', position: [0, 2, 0.5], linearVelocity: [1, 0, 0], shapes: [{ type: 'sphere', radius: 0.1, material: 'wood' }] },
    { id: 'brick', name: 'Brick', position: [0, -2, 0.1], shapes: [{ type: 'box', size: [0.4, 0.4, 0.2], material: 'wood' }] },
  ],
  joints: [{ id: 'pin', name: 'Pin', type: 'hinge', bodyA: 'swing', bodyB: null, anchor: [0, 0, 2], axis: [0, 1, 0] }],
  forces: [{ id: 'drag', type: 'drag', bodies: ['ball'], linear: 0.5 }, { id: 'push', type: 'script', script: 'push.ts' }],
  scripts: [{
    id: 'push.ts',
    source: "export default function (ctx: ForceContext): void {\n  const ball = ctx.body('ball')\n  ball.applyForce([0, 2, 0])\n  ctx.plot('height', ball.position[2])\n  ctx.log('pushed')\n}\n",
  }],
  simulation: { duration: 0.6, outputRate: 120, method: 'event-driven' },
}

describe.skipIf(!chromium)('a person who inspects, at places where users had difficulties', () => {
  let editor: Editor
  sitting({
    scene: 'swing.cairn.json', files: { 'swing.cairn.json': scene }, motion: 'full',
    ready: async opened => {
      editor = opened
      await editor.waitFor('swing')
    },
  })
  const play = () => editor.page.getByRole('button', { name: 'Play', exact: true })

  it('sees a new run once from its start, and is back there at its end; a cached one too', async () => {
    await editor.simulate()
    await play().waitFor({ timeout: 30_000 })
    await expect.poll(() => editor.time()).toBe(0)
    await editor.page.getByText(/^A new run is shown once/).waitFor()
    await editor.page.getByRole('textbox', { name: 'Duration' }).fill('0.5')
    await editor.page.getByRole('textbox', { name: 'Duration' }).press('Enter')
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await editor.page.getByRole('button', { name: 'Redo' }).click()
    // It plays for half a second, which polling may miss.
    const moved = editor.timeline.evaluate(timeline => new Promise<number>(resolve => {
      const watch = new MutationObserver(() => {
        const time = Number(timeline.getAttribute('aria-valuenow'))
        if (time === 0) return
        watch.disconnect()
        resolve(time)
      })
      watch.observe(timeline, { attributes: true })
    }))
    await editor.simulate()
    expect(await moved).toBeGreaterThan(0)
    await play().waitFor({ timeout: 30_000 })
    await expect.poll(() => editor.time()).toBe(0)
    await editor.page.keyboard.press('End')
    await expect.poll(() => editor.time()).toBe(0.5)
  })

  it('sees a new run stay at its start where the system asks for less motion, and plays it', async () => {
    await editor.page.emulateMedia({ reducedMotion: 'reduce' })
    await editor.page.getByRole('textbox', { name: 'Duration' }).fill('0.7')
    await editor.page.getByRole('textbox', { name: 'Duration' }).press('Enter')
    const times = await editor.timeline.evaluateHandle(timeline => {
      const seen: string[] = []
      new MutationObserver(() => seen.push(timeline.getAttribute('aria-valuenow')!)).observe(timeline, { attributes: true, attributeFilter: ['aria-valuenow'] })
      return seen
    })
    await editor.simulate()
    expect(await play().isVisible()).toBe(true)
    expect((await times.jsonValue()).filter(time => Number(time) !== 0)).toEqual([])
    await play().click()
    await expect.poll(() => editor.time()).toBe(0.7)
    await editor.page.emulateMedia({ reducedMotion: 'no-preference' })
  })

  it('reads events without the integrator\'s own', async () => {
    await editor.workspace('Simulate & inspect')
    await editor.panel('Events')
    const table = editor.page.getByRole('table', { name: 'Events' })
    await table.waitFor()
    expect(await table.getByText('Integrator restarts').count()).toBe(0)
    const restarts = editor.page.getByRole('checkbox', { name: /Restarts/ })
    await restarts.check()
    await table.getByText('Integrator restarts').first().waitFor()
    await restarts.uncheck()
  })

  const curves = (plot: string) => editor.page.getByRole('list', { name: `Curves of ${plot}` }).getByRole('listitem')
  const addPlot = async (label: string) => {
    await editor.panel('Plots')
    await editor.page.getByRole('combobox', { name: 'Add a plot' }).selectOption({ label })
  }

  it('plots a joint in degrees by its name, and momentum, and takes a curve away', async () => {
    await addPlot('Pin: angle')
    await editor.goTo(0.5)
    await expect.poll(() => curves('Joint Pin').first().innerText()).toMatch(/Pin angle\s[\d.]+ °/)
    await addPlot('Momentum')
    await expect.poll(() => curves('Momentum').count()).toBe(3)
    await editor.page.getByRole('button', { name: 'Remove momentum y' }).click()
    await expect.poll(() => curves('Momentum').count()).toBe(2)
    await editor.page.getByRole('button', { name: 'Close Momentum' }).click()
  })

  it('draws the whole plot inside its panel', async () => {
    const plot = editor.page.getByRole('region', { name: 'Joint Pin' })
    const inside = () => plot.evaluate(element => {
      const panel = element.closest('.panel-body')!.getBoundingClientRect()
      const box = element.getBoundingClientRect()
      return box.bottom <= panel.bottom + 1 && box.right <= panel.right + 1
    })
    await expect.poll(inside).toBe(true)
  })

  it('compares with the previous run, and sees its curve too', async () => {
    await editor.panel('Runs')
    const runs = editor.page.getByRole('table', { name: 'Runs' })
    await expect.poll(() => runs.getByRole('textbox').first().inputValue()).toMatch(/^Run \d+$/)
    await runs.getByRole('button', { name: 'Compare' }).last().click()
    await editor.panel('Plots')
    await expect.poll(() => curves('Joint Pin').count()).toBe(2)
  })

  it('filters contacts in the table and in the viewport', async () => {
    await editor.goTo(0.5)
    await editor.panel('Contacts')
    await expect.poll(() => editor.contacts.getByRole('row').count()).toBeGreaterThan(3)
    await editor.page.getByText('A new run is shown once').waitFor({ state: 'hidden' })
    await editor.rests()
    const all = await pictureOf(editor.viewport)
    const changed = async () => (await differenceOf(editor.page, all, await pictureOf(editor.viewport))).changed
    await editor.page.getByRole('searchbox', { name: 'Filter by body or mode' }).fill('nothing of that name')
    await editor.page.getByText('No contact passes the filter.').waitFor()
    await expect.poll(changed).toBeGreaterThan(50)
    await editor.page.getByRole('button', { name: 'Clear the filter' }).click()
    await editor.page.mouse.move(0, 0) // away from the row that is now below the pointer, whose contact is highlighted
    await expect.poll(changed).toBe(0)
  })

  it('reads on the timeline what a script plotted and logged', async () => {
    const box = (await editor.timeline.boundingBox())!
    await editor.page.mouse.move(box.x + box.width * 0.5, box.y + box.height - 8)
    await editor.page.getByText(/height 0\.\d+\npushed/).waitFor()
  })

  it('has the primary button, the timeline and several contacts on screen at 200 %', async () => {
    for (const size of [{ width: 720, height: 450 }, { width: 1024, height: 700 }]) {
      await editor.page.setViewportSize(size)
      await editor.page.waitForTimeout(500)
      await editor.menu('Window', 'Reset layout')
      const inside = async (locator: typeof editor.primary) => {
        const box = (await locator.boundingBox())!
        return box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height
      }
      await expect.poll(() => inside(editor.primary)).toBe(true)
      expect(await inside(editor.timeline)).toBe(true)
      await editor.panel('Contacts')
      const seen = async () => Promise.all((await editor.contacts.getByRole('row').all()).slice(1, 4).map(row => row.getByRole('cell').first()).map(inside))
      await expect.poll(seen).toEqual([true, true, true])
      // No row is cut at the lower edge of the table.
      expect(await editor.contacts.evaluate(table => {
        const { bottom } = table.parentElement!.getBoundingClientRect()
        return [...table.querySelectorAll('tr')].some(row => row.getBoundingClientRect().top < bottom - 1 && row.getBoundingClientRect().bottom > bottom + 1)
      })).toBe(false)
    }
    await editor.page.setViewportSize({ width: 1440, height: 900 })
  })

  it('reads in the status bar what was selected last, a contact or a body', async () => {
    const { page } = editor
    const selected = () => page.getByRole('contentinfo', { name: 'Status' }).locator('span').first().innerText()
    await editor.goTo(0.3)
    await editor.panel('Contacts')
    await editor.contacts.getByRole('row').nth(1).click()
    await expect.poll(selected).toMatch(/^Contact: Brick on Floor|^Contact: Floor on Brick/)
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Ball')).click()
    await expect.poll(selected).toBe('Ball')
    await editor.panel('Contacts')
    await editor.contacts.getByRole('row').nth(1).click()
    await expect.poll(selected).toMatch(/^Contact: /)
  })

  it('reads the whole title of a tab that the pointer is on, beside the sign that closes it', async () => {
    const { page } = editor
    const tab = (title: string) => page.locator('.dv-tab').filter({ hasText: new RegExp(`^${title}$`) }).first()
    for (const title of ['Contacts', 'Events']) {
      await tab(title).hover()
      // Only the tab in front has the sign.
      expect(await tab(title).locator('.dv-default-tab-action').isVisible()).toBe(title === 'Contacts')
    }
    const [name, sign] = [(await tab('Contacts').locator('.dv-default-tab-content').boundingBox())!, (await tab('Contacts').locator('.dv-default-tab-action').boundingBox())!]
    expect(sign.x).toBeGreaterThanOrEqual(name.x + name.width)
    await tab('Events').click()
    await tab('Events').locator('.dv-default-tab-action').click()
    await tab('Events').waitFor({ state: 'detached' })
    await editor.menu('Window', 'Panels', 'Events')
    await tab('Events').waitFor()
  })

  it('loses its plots with the scene that they were of', async () => {
    await editor.menu('File', 'Examples…')
    await editor.page.getByRole('dialog', { name: 'Examples' }).getByRole('button', { name: /^Bouncing balls/ }).click()
    await editor.page.getByRole('dialog', { name: 'Save changes?' }).getByRole('button', { name: 'Don’t save' }).click()
    await editor.waitFor('bouncing-balls')
    await editor.simulate()
    await editor.panel('Plots')
    await editor.page.getByText(/^Plot energy, or drag a/).waitFor()
  })
})

describe.skipIf(!chromium)('a person on battery', () => {
  let editor: Editor
  sitting({
    scene: 'bouncing-balls.cairn.json',
    ready: async opened => {
      editor = opened
      await editor.waitFor('bouncing-balls')
    },
  })

  it('has no picture drawn again while a run is computed and its start stays shown', async () => {
    const counted = await editor.page.evaluateHandle(() => {
      const pictures = new Set<unknown>()
      for (const name of ['drawElements', 'drawElementsInstanced'] as const) {
        const draw = WebGL2RenderingContext.prototype[name] as (...args: unknown[]) => void
        WebGL2RenderingContext.prototype[name] = function (this: WebGL2RenderingContext, ...args: unknown[]) {
          pictures.add(document.timeline.currentTime)
          draw.apply(this, args)
        }
      }
      const reports = new Set<string>()
      const button = document.querySelector<HTMLElement>('button.simulate')!
      new MutationObserver(() => reports.add(button.innerText)).observe(button, { subtree: true, childList: true, characterData: true })
      return { pictures, reports }
    })
    await editor.simulate()
    const [pictures, reports] = await counted.evaluate(({ pictures: drawn, reports: told }) => [drawn.size, told.size] as const)
    expect(reports).toBeGreaterThan(4)
    expect(pictures).toBeGreaterThan(0)
    expect(pictures).toBeLessThan(8)
  })
})
