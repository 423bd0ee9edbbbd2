// @module-tag long
/** axe-core's findings on every panel and dialog in a real browser: all rules of WCAG 2 A and AA, including contrast. */
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { DIALOGS, inBothThemes, leaveDialogs, SIZES } from './everything'
import { sitting } from './sitting'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** With a loss and a missing file, so that the preview shows all its parts. */
const ROBOT = `<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="lost.stl"/></geometry></visual><collision><geometry><sphere radius="1"/></geometry></collision></link><sensor/></robot>`
const PANELS = ['Inspector', 'Materials', 'Joints', 'Arrange', 'Outliner', 'Contacts', 'Contact', 'Events', 'Accuracy', 'Plots', 'Problems', 'Runs', 'Branches', 'Gallery', 'Script', 'Timeline', 'Parameters',
  'Sweeps', 'Viewport']
const DIALOG = 'dialog[open]'
/** Rules that depend on the theme; all others only read the document. */
const BY_COLOUR = ['color-contrast', 'link-in-text-block']

describe.skipIf(!chromium)('every panel and dialog, for axe-core', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.waitFor('block-on-an-incline')
    await editor.simulate()
  } })

  /** @param part selector of the new part; the whole page if absent @param byColour whether to check only rules that depend on the theme */
  const faults = (part: string | undefined, byColour: boolean): Promise<string[]> => editor.page.evaluate(async ([within, rules]) => {
    const { axe: run } = window as unknown as { axe: { run: (node: unknown, options: unknown) => Promise<AxeResults> } }
    const exclude = ['.monaco-editor', '.dv-tabs-and-actions-container']
    const { violations } = await run.run(within ? { include: [within], exclude } : { exclude }, {
      runOnly: rules ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
      resultTypes: ['violations'],
      // Experimental in axe-core: it takes the whole contents of a tree item or cell for its name.
      rules: { 'label-content-name-mismatch': { enabled: false } },
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${(failureSummary ?? '').split('\n')[1] ?? ''}`))
  }, [part, byColour ? BY_COLOUR : undefined] as const)

  it.each(SIZES)('at %i × %i pixels, in both themes', async (width, height) => {
    const { page } = editor
    await page.setViewportSize({ width, height })
    await page.evaluate(axe)
    const found: string[] = []
    const look = (name: string, part?: string) => inBothThemes(editor, name, async (theme, isSecond) => {
      found.push(...(await faults(part, isSecond)).map(fault => `${name}, ${theme}: ${fault}`))
    })
    for (const [i, panel] of PANELS.entries()) {
      await editor.menu('Window', 'Panels', panel)
      await page.locator('.dv-groupview', { has: page.locator('.dv-active-tab', { hasText: new RegExp(`^${panel}$`) }) }).evaluateAll(groups => {
        if (groups.length !== 1) throw new Error(`The panel is shown ${groups.length} times.`)
        for (const former of document.querySelectorAll('[data-looked-at]')) former.removeAttribute('data-looked-at')
        groups[0]!.setAttribute('data-looked-at', '')
      })
      // The whole page first, then only the panel that has changed.
      await look(panel, i === 0 ? undefined : '[data-looked-at]')
    }
    await editor.menu('View', 'Measure', 'Distance, angle, length, area…')
    await page.getByRole('region', { name: 'Measure' }).getByRole('button', { name: 'Next feature' }).click()
    await look('Measure', '.tool-bar')
    await page.getByRole('region', { name: 'Measure' }).getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Show ▾' }).click()
    await look('Show')
    await page.keyboard.press('Escape')
    for (const [name, entry] of DIALOGS) {
      await editor.menu(name, entry)
      await page.getByRole('dialog').first().waitFor()
      await look(entry, DIALOG)
      await leaveDialogs(editor)
    }
    const chooser = page.waitForEvent('filechooser')
    await editor.menu('File', 'Import…')
    await (await chooser).setFiles({ name: 'robot.urdf', mimeType: 'text/xml', buffer: Buffer.from(ROBOT) })
    await page.getByRole('dialog').getByRole('region', { name: 'Missing files' }).waitFor()
    await look('Import…', DIALOG)
    await leaveDialogs(editor)
    expect(found).toEqual([])
  }, 240_000)
})
