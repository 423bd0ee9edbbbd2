// @module-tag long
import { beforeEach, describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

/** A key, a click and a typed text count as one action each. */
describe.skipIf(!chromium)('how many actions a task takes', () => {
  let editor: Editor
  let actions = 0
  sitting({ ready: async opened => {
    editor = opened
    await editor.waitFor('block-on-an-incline')
  } })
  const key = async (name: string) => {
    actions++
    await editor.page.keyboard.press(name)
  }
  const type = async (text: string) => {
    actions++
    await editor.page.keyboard.type(text)
  }
  const click = async (locator: ReturnType<Editor['page']['getByRole']>) => {
    actions++
    await locator.click()
  }
  /** By the command list: open it, type a few letters, Enter. */
  async function command(opener: string, text: string) {
    await key(opener)
    await editor.page.getByRole('dialog').waitFor()
    await type(text)
    await key('Enter')
    await editor.page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const bodies = async () => {
    await editor.page.keyboard.press('Control+Shift+P')
    await editor.page.getByRole('dialog').waitFor()
    await editor.page.keyboard.press('Escape')
    return Number(/^(\d+) bod/.exec(await editor.page.getByRole('contentinfo').innerText().then(text => text.split('\n').find(line => /bod/.test(line)) ?? ''))?.[1])
  }

  beforeEach(async () => {
    await editor.page.keyboard.press('Escape')
    await editor.menu('File', 'New scene')
    const discard = editor.page.getByRole('button', { name: 'Don’t save' })
    await discard.or(editor.page.getByText('Add a shape (Shift+A), open an example')).first().waitFor()
    if (await discard.isVisible()) await discard.click()
    await editor.page.getByText('Add a shape (Shift+A), open an example').waitFor()
    actions = 0
  })

  it('a ramp with a box on the ground, run: fewer than 25', async () => {
    await command('Shift+A', 'ground')
    await key('Shift+T')
    await editor.page.getByRole('dialog', { name: 'Insert a template' }).waitFor()
    await key('Enter')
    await command('Shift+A', 'box')
    await key('g')
    await editor.page.getByText(/At rest after|Nothing was dropped/).last().waitFor()
    await key('Control+Enter')
    await editor.reaches('current', 'refused', 'running')
    expect(actions).toBeLessThan(25)
    expect(await bodies()).toBe(3)
  })

  it('a stack of ten: fewer than 8', async () => {
    await command('Shift+A', 'box')
    await command('Control+Shift+P', 'stack')
    await click(editor.page.getByRole('button', { name: 'Make array' }))
    expect(await bodies()).toBe(10)
    expect(actions).toBeLessThan(8)
  })

  it('a wall of 40 bricks: fewer than 10', async () => {
    await command('Shift+A', 'box')
    await command('Control+Shift+P', 'wall')
    await click(editor.page.getByRole('button', { name: 'Make array' }))
    await expect.poll(bodies).toBe(40)
    expect(actions).toBeLessThan(10)
  })

  it('a double pendulum with a motor, from nothing, run: at most 20', async () => {
    await key('Shift+T')
    const dialog = editor.page.getByRole('dialog', { name: 'Insert a template' })
    await dialog.waitFor()
    await click(dialog.getByRole('button', { name: /^Double pendulum with a motor/ }))
    await editor.outlinerItem('Elbow')
    await key('Control+Enter')
    await expect.poll(() => editor.primary.getAttribute('data-state'), { timeout: 60_000 }).toBe('current')
    expect(await bodies()).toBe(3)
    expect(actions).toBeLessThanOrEqual(20)
  })

  it('a run from a time of another: at most 2', async () => {
    await editor.menu('Add', 'Sphere')
    await editor.simulate()
    await editor.goTo(1.5)
    await editor.page.keyboard.press('Escape')
    actions = 0
    await key('Control+Alt+Enter')
    await expect.poll(() => editor.timeline.getAttribute('aria-valuenow').then(Number), { timeout: 30_000 }).toBeGreaterThanOrEqual(1.5)
    await expect.poll(() => editor.primary.getAttribute('data-state'), { timeout: 60_000 }).toBe('current')
    // It does not start at 0; playback continues from the present time.
    await editor.page.keyboard.press('Home')
    const start = await editor.time()
    expect(start).toBeGreaterThanOrEqual(1.5)
    expect(start).toBeLessThan(2.5)
    expect(actions).toBeLessThanOrEqual(2)
  })

  it('dominoes along a curve: fewer than 10', async () => {
    await command('Shift+A', 'box')
    await command('Control+Shift+P', 'along a curve')
    await click(editor.page.getByRole('button', { name: 'Make array' }))
    expect(await bodies()).toBe(10)
    expect(actions).toBeLessThan(10)
  })

  it('a mesh file brought in, cut into convex pieces and set down on the ground: at most 6', async () => {
    await command('Shift+A', 'ground')
    const transfer = await editor.page.evaluateHandle(([name, text]) => {
      const data = new DataTransfer()
      data.items.add(new File([text!], name!))
      return data
    }, ['corner.obj', CORNER])
    actions++
    await editor.viewport.dispatchEvent('drop', { dataTransfer: transfer })
    await editor.page.getByText(/^corner\.obj: \d+ exact convex pieces, 100\.0 % of its volume/).waitFor()
    await key('g')
    await editor.page.getByText(/At rest after|Nothing was dropped/).last().waitFor()
    expect(actions).toBeLessThanOrEqual(6)
    expect(await bodies()).toBe(2)
  })
})

/** An L of three unit cubes' volume, which is not convex, 2 m above the ground. */
const OUTLINE = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]] as const
const CORNER = [
  ...[0, 1].flatMap(y => OUTLINE.map(([x, z]) => `v ${x} ${y} ${z + 2}`)),
  'f 1 2 3 4 5 6', 'f 12 11 10 9 8 7', ...OUTLINE.map((_, i) => `f ${i + 7} ${(i + 1) % 6 + 7} ${(i + 1) % 6 + 1} ${i + 1}`),
].join('\n')
