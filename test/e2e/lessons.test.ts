// @module-tag long
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scene } from '../../core/scene'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const TITLES = ['The first ramp', 'Friction and its cone', 'Why this force', 'Joints and motors', 'Impacts and events', 'Force intervals']

describe.skipIf(!chromium)('a person who learns', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.waitFor('block-on-an-incline')
  } })
  const shot = async (name: string) => {
    if (process.env.CAIRN_SHOTS) await editor.page.screenshot({ path: join(process.env.CAIRN_SHOTS, `${name}.png`) })
  }
  const card = () => editor.page.getByRole('complementary', { name: /^Lesson:/ })

  it('goes through the first lesson by keys alone', async () => {
    const { keyboard } = editor.page
    const done = () => card().getByText('✓ Done').waitFor()
    const palette = async (text: string) => {
      await keyboard.press('Shift+A')
      await editor.page.getByRole('dialog').waitFor()
      await keyboard.type(text)
      await keyboard.press('Enter')
    }
    await keyboard.press('Shift+F1')
    await editor.page.getByRole('dialog', { name: 'Lessons' }).waitFor()
    await shot('lessons')
    await keyboard.press('Enter')
    await card().getByText('1 of 7').waitFor()
    await palette('ground')
    await done()
    await shot('lesson')
    await keyboard.press('Alt+ArrowRight')
    await card().getByText('2 of 7').waitFor()
    await keyboard.press('Shift+T')
    await editor.page.getByRole('dialog', { name: 'Insert a template' }).waitFor()
    await keyboard.press('Enter')
    await done()
    await keyboard.press('Alt+ArrowRight')
    await palette('box')
    await done()
    await keyboard.press('Alt+ArrowRight')
    const z = editor.inspector.getByRole('textbox', { name: 'Position z' })
    await keyboard.press('F6')
    for (let i = 0; i < 60 && !await z.evaluate(element => element === document.activeElement); i++) {
      await keyboard.press(i % 20 === 19 ? 'F6' : 'Tab')
    }
    expect(await z.evaluate(element => element === document.activeElement)).toBe(true)
    await keyboard.press('Control+a')
    await keyboard.type('2.5')
    await keyboard.press('Enter')
    await done()
    await keyboard.press('Alt+ArrowRight')
    await card().getByText('5 of 7').waitFor()
    await keyboard.press('Control+Enter')
    await done()
    await keyboard.press('Alt+ArrowRight')
    await keyboard.press('Alt+2')
    await done()
    await keyboard.press('Alt+ArrowRight')
    await card().getByText('7 of 7').waitFor()
  })

  it('opens every lesson with its own scene', async () => {
    for (const title of TITLES) {
      await editor.menu('Help', 'Lessons…')
      await editor.page.getByRole('dialog', { name: 'Lessons' }).getByRole('button', { name: new RegExp(title) }).click()
      const discard = editor.page.getByRole('button', { name: 'Don’t save' })
      await discard.or(editor.page.getByRole('complementary', { name: `Lesson: ${title}` })).first().waitFor()
      if (await discard.isVisible()) await discard.click()
      await editor.page.getByRole('complementary', { name: `Lesson: ${title}` }).getByText(/^1 of/).waitFor()
    }
    await editor.simulate()
    await card().getByText('✓ Done').waitFor()
    await shot('lesson-intervals')
    await card().getByRole('button', { name: 'End the lesson' }).click()
    await card().waitFor({ state: 'detached' })
  })
})

describe.skipIf(!chromium)('a person who explains a scene', () => {
  let editor: Editor
  const host = sitting({ scene: 'double-pendulum.cairn.json', ready: async opened => {
    editor = opened
    await editor.waitFor('double-pendulum')
  } })
  const panel = () => editor.page.getByRole('list', { name: 'Steps of the lesson' })
  const card = () => editor.page.getByRole('complementary', { name: /^Lesson:/ })
  const file = () => JSON.parse(readFileSync(join(host.root, 'double-pendulum.cairn.json'), 'utf8')) as Scene
  const selected = () => editor.page.locator('[role="treeitem"][aria-selected="true"]').evaluateAll(items => items.map(item => item.getAttribute('aria-label')))

  it('writes steps with text, selection and view, moves one, and takes it back', async () => {
    const { page } = editor
    const bodies = (file().bodies ?? []).map(({ id, name }) => name ?? id)
    await editor.menu('Help', 'Lesson of this scene')
    await page.getByRole('button', { name: 'Add step' }).first().click()
    await panel().getByRole('textbox', { name: 'Text of step 1' }).fill('Two rods.')
    await (await editor.outlinerItem(bodies.at(-1)!)).click()
    await editor.viewport.locator('canvas').first().focus()
    await page.keyboard.press('1')
    await editor.simulate()
    await editor.goTo(0.4)
    await editor.panel('Lesson')
    await page.getByRole('button', { name: 'Add step' }).first().click()
    await panel().getByRole('textbox', { name: 'Text of step 2' }).fill('This one is the lower rod.')
    // A text is no change of the motion.
    expect(await editor.time()).toBeCloseTo(0.4, 6)
    await panel().getByRole('button', { name: 'Move step 2 up' }).click()
    await expect.poll(() => panel().getByRole('textbox', { name: 'Text of step 1' }).inputValue()).toBe('This one is the lower rod.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => panel().getByRole('textbox', { name: 'Text of step 1' }).inputValue()).toBe('Two rods.')
    expect(await editor.time()).toBeCloseTo(0.4, 6)
    await shots(editor, 'own-lesson')
    await page.keyboard.press('Control+s')
    await expect.poll(() => file().lesson?.map(({ text, select }) => [text, select?.length])).toEqual([['Two rods.', 0], ['This one is the lower rod.', 1]])
    expect(file().lesson![1]!.time).toBeCloseTo(0.4, 6)
    // Front view: the viewer looks along +y.
    expect(file().lesson![1]!.camera!.azimuth).toBeCloseTo(-Math.PI / 2, 3)
  })

  it('opens it again, is offered the lesson, and is led to the selection and the view of each step', async () => {
    const { page } = editor
    await editor.viewport.locator('canvas').first().focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('7')
    await page.reload()
    await editor.waitFor('double-pendulum')
    await page.getByRole('button', { name: 'Start the lesson' }).click()
    await card().getByText('Two rods.').waitFor()
    expect(await selected()).toEqual([])
    await page.keyboard.press('Alt+ArrowRight')
    await card().getByText('This one is the lower rod.').waitFor()
    await expect.poll(selected).toHaveLength(1)
    await expect.poll(() => editor.time()).toBeCloseTo(0.4, 6)
    await editor.viewport.getByText(/^Front/).first().waitFor()
    await card().getByRole('button', { name: 'Finish' }).click()
    await card().waitFor({ state: 'detached' })
  })
})
