// @module-tag long
/** axe-core's findings on every panel and dialog in the real browser: every rule of WCAG 2 A and AA, contrast among them. */
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SIZES = [[1440, 900], [1024, 700], [720, 450]] as const
/** By menu entry; each closes with Esc. */
const DIALOGS: readonly (readonly [string, string])[] = [
  ['Help', 'Lessons…'], ['Help', 'Glossary…'], ['Help', 'Shortcuts…'], ['Help', 'About Cairn…'], ['File', 'Examples…'], ['Add', 'Shape library…'], ['Add', 'Insert template…'], ['Help', 'All commands…'],
  ['Simulate', 'Sweep…'], ['File', 'Export scene…'], ['File', 'Film or picture of the run…'], ['File', 'Free-body diagram…'],
]
/** With a loss and a missing file, so that the preview shows all that it has. */
const ROBOT = `<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="lost.stl"/></geometry></visual><collision><geometry><sphere radius="1"/></geometry></collision></link><sensor/></robot>`
const PANELS = ['Inspector', 'Materials', 'Joints', 'Arrange', 'Outliner', 'Contacts', 'Contact', 'Events', 'Accuracy', 'Plots', 'Problems', 'Runs', 'Branches', 'Gallery', 'Script', 'Timeline', 'Parameters',
  'Sweeps', 'Viewport']
const VIEWS = [['dark', 1440], ['light', 1440], ['dark', 1024], ['light', 1024], ['dark', 720], ['light', 720]] as const

describe.skipIf(!chromium)('every panel and dialog, for axe-core', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.waitFor('block-on-an-incline')
    await editor.simulate()
  } })

  async function faults(): Promise<string[]> {
    const { violations } = await editor.page.evaluate(async (): Promise<AxeResults> => {
      const { axe: run } = window as unknown as { axe: { run: (node: unknown, options: unknown) => Promise<AxeResults> } }
      return run.run({ exclude: ['.monaco-editor', '.dv-tabs-and-actions-container'] }, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
        // Experimental in axe-core: it takes what a tree item or a cell shows beside its name for its name.
        rules: { 'label-content-name-mismatch': { enabled: false } },
      })
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${(failureSummary ?? '').split('\n')[1] ?? ''}`))
  }

  it.each(VIEWS)('%s at %i pixels', async (theme, width) => {
    const { page } = editor
    const [, height] = SIZES.find(([w]) => w === width)!
    await page.setViewportSize({ width, height })
    const menu = async (name: string, ...path: string[]) => editor.menu(name, ...path)
    if (await page.locator('html').getAttribute('data-theme') !== theme) await page.keyboard.press('Alt+T')
    await page.evaluate(axe)
    const found: string[] = []
    const look = async (name: string) => {
      found.push(...(await faults()).map(fault => `${name}: ${fault}`))
      if (process.env.CAIRN_SHOTS) await page.screenshot({ path: join(process.env.CAIRN_SHOTS, `${width}-${theme}-${name.replace(/\W+/g, '-')}.png`) })
    }
    /** A list that is open inside takes the first Esc. */
    const leave = () => expect.poll(async () => {
      await page.keyboard.press('Escape')
      return page.getByRole('dialog').count()
    }).toBe(0)
    for (const panel of PANELS) {
      await menu('Window', 'Panels', panel)
      await look(panel)
    }
    await page.getByRole('button', { name: 'Show ▾' }).click()
    await look('Show')
    await page.keyboard.press('Escape')
    for (const [name, entry] of DIALOGS) {
      await menu(name, entry)
      await page.getByRole('dialog').first().waitFor()
      await look(entry)
      await leave()
    }
    const chooser = page.waitForEvent('filechooser')
    await menu('File', 'Import…')
    await (await chooser).setFiles({ name: 'robot.urdf', mimeType: 'text/xml', buffer: Buffer.from(ROBOT) })
    await page.getByRole('dialog').getByRole('region', { name: 'Missing files' }).waitFor()
    await look('Import…')
    await leave()
    expect(found).toEqual([])
  }, 240_000)
})
