// @module-tag long
/** axe-core's findings on every panel of the example that a new user sees, before anything is selected: many panels say that they are empty. */
import { describe, expect, it } from 'vitest'
import { axeFaults, loadAxe } from './axe'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { inBothThemes, SIZES } from './everything'
import { sitting } from './sitting'

const PANELS = ['Inspector', 'Materials', 'Joints', 'Arrange', 'Outliner', 'Contacts', 'Contact', 'Events', 'Accuracy', 'Plots', 'Problems', 'Runs', 'Branches', 'Gallery', 'Script', 'Timeline', 'Parameters',
  'Sweeps', 'Viewport']

describe.skipIf(!chromium)('every panel of an example, for axe-core', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.waitFor('block-on-an-incline')
    await editor.simulate()
    await loadAxe(editor.page)
  } })

  it.each(SIZES)('at %i × %i pixels, in both themes', async (width, height) => {
    const { page } = editor
    await page.setViewportSize({ width, height })
    const found: string[] = []
    const look = (name: string, part?: string) => inBothThemes(editor, name, async (theme, isSecond) => {
      found.push(...(await axeFaults(page, part, isSecond)).map(fault => `${name}, ${theme}: ${fault}`))
    })
    for (const [i, panel] of PANELS.entries()) {
      await editor.show(panel)
      await page.locator('.dv-groupview', { has: page.locator('.dv-active-tab', { hasText: new RegExp(`^${panel}$`) }) }).evaluateAll(groups => {
        if (groups.length !== 1) throw new Error(`The panel is shown ${groups.length} times.`)
        for (const former of document.querySelectorAll('[data-looked-at]')) former.removeAttribute('data-looked-at')
        groups[0]!.setAttribute('data-looked-at', '')
      })
      // The whole page first, then only the panel that has changed.
      await look(panel, i === 0 ? undefined : '[data-looked-at]')
    }
    expect(found).toEqual([])
  }, 240_000)
})
