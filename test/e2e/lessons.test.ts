// @module-tag long
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
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
