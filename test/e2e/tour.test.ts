// @module-tag long
/**
 * Every panel and dialog with contents, at three sizes in both themes: no text of a control is cut off, and axe-core finds no fault in what is not in
 * `accessible.test.ts`; pictures of all of them if `CAIRN_SHOTS` names a folder.
 */
import { describe, expect, it } from 'vitest'
import { axeFaults, loadAxe } from './axe'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { DIALOGS, inBothThemes, leaveDialogs, SIZES } from './everything'
import { sitting } from './sitting'

const wood = 'wood'
/** A motor-driven arm hits a stack of named boxes; the scene has an object of every kind that panels show. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Workbench', description: 'An arm and boxes.',
  groups: [{ id: 'stack', name: 'Stack' }],
  parameters: [{ id: 'speed', name: 'Speed of the arm', value: 2, unit: 'rad/s', min: 0, max: 6 }],
  materials: [
    { id: wood, name: 'Wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.2 }, { id: 'steel', name: 'Steel', density: 7800, friction: { static: 0.4, dynamic: 0.3 } },
  ],
  materialPairs: [{ materials: [wood, 'steel'], friction: { static: 0.3, dynamic: 0.2 } }],
  bodies: [
    { id: 'ground', name: 'Ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: wood }] },
    ...[0, 1, 2].map(i => ({ id: `box-${i}`, name: `Box number ${i + 1}`, group: 'stack', position: [0, 0, 0.1 + 0.2 * i], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: wood }] })),
    { id: 'arm', name: 'Motor arm', position: [-0.7, 0, 0.5], shapes: [{ type: 'box', size: [0.8, 0.06, 0.06], material: 'steel' }] },
  ],
  joints: [{ id: 'pivot', name: 'Pivot of the arm', type: 'hinge', bodyA: 'arm', bodyB: null, anchor: [-1.1, 0, 0.5], axis: [0, 0, 1], motor: { targetVelocity: 2, maxForce: 40 }, expressions: [{ field: 'motor.targetVelocity', formula: 'speed' }] }],
  sensors: [{ id: 'feel', name: 'Feel', type: 'imu', body: 'arm' }, { id: 'weight', name: 'Weight', type: 'contact', body: 'box-0' }],
  forces: [{ id: 'wind', name: 'Wind', type: 'script', script: 'wind.ts' }],
  scripts: [{ id: 'wind.ts', source: "export default function (ctx: ForceContext): void {\n  ctx.body('box-2').applyForce([0.2 * Math.sin(ctx.time), 0, 0])\n  ctx.plot('gust', Math.sin(ctx.time))\n}\n" }],
  simulation: { duration: 1, outputRate: 60, method: 'time-stepping' },
}

/** With a loss and a missing file, so that the preview shows all its parts. */
const ROBOT = `<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="lost.stl"/></geometry></visual><collision><geometry><sphere radius="1"/></geometry></collision></link><sensor/></robot>`
const DIALOG = 'dialog[open]'

describe.skipIf(!chromium)('a person who looks at everything', () => {
  let editor: Editor
  sitting({
    scene: 'workbench.cairn.json', files: { 'workbench.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('workbench')
      await editor.simulate()
      await editor.goTo(0.5)
      await loadAxe(editor.page)
    },
  })

  it.each(SIZES)('%i × %i, in both themes', async (width, height) => {
    const { page } = editor
    const found: string[] = []
    await page.setViewportSize({ width, height })
    /** @param part selector of what axe-core checks; nothing if absent */
    const look = (name: string, part: string | null = null) => inBothThemes(editor, name, async (theme, isSecond) => {
      const faults = part === null ? [] : await axeFaults(page, part, isSecond)
      if (!isSecond) faults.push(...await page.evaluate(cutOff)) // a theme changes only colours
      found.push(...faults.map(fault => `${name}, ${theme}: ${fault}`))
    })
    const panel = async (title: string, name = title) => {
      await editor.show(title)
      await look(name)
    }
    const select = async (item: string) => {
      await editor.show('Outliner')
      await (await editor.outlinerItem(item)).click()
    }
    await panel('Outliner')
    for (const item of ['Box number 2', 'Motor arm', 'Pivot of the arm', 'Wood', 'Feel', 'Wind']) {
      await select(item)
      await panel('Inspector', `Inspector of ${item}`)
    }
    await select('Box number 2')
    for (const title of ['Materials', 'Joints', 'Arrange', 'Parameters', 'Script', 'Events', 'Accuracy', 'Runs', 'Problems', 'Branches', 'Gallery', 'Sweeps', 'Timeline', 'Contacts']) await panel(title)
    await editor.contacts.getByRole('row').nth(1).click()
    await panel('Contact')
    await editor.show('Plots')
    const plots = page.getByRole('combobox', { name: 'Add a plot' })
    if (await page.getByRole('img', { name: /^Energy/ }).count() === 0) {
      await plots.selectOption({ label: 'Energy' })
      await plots.selectOption({ label: 'Box number 2: position x, y, z' })
    }
    await look('Plots')
    await editor.menu('View', 'Measure', 'Distance, angle, length, area…')
    await page.getByRole('region', { name: 'Measure' }).getByRole('button', { name: 'Next feature' }).click()
    await look('Measure', '.tool-bar')
    await page.getByRole('region', { name: 'Measure' }).getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Show ▾' }).click()
    await look('Show', 'html')
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
  }, 300_000)
})

/** In the page: labels that do not fit their controls and have no ellipsis. */
function cutOff(): string[] {
  const canvas = document.createElement('canvas').getContext('2d')!
  const told: string[] = []
  const clipped = (element: Element, style: CSSStyleDeclaration) => style.textOverflow !== 'ellipsis' && style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
  for (const element of document.querySelectorAll<HTMLElement>('button, label, th, h2, h3, h4, legend, summary, select')) {
    if (element.closest('.monaco-editor, .dv-tabs-and-actions-container, .visually-hidden') || element.getClientRects().length === 0) continue
    const style = getComputedStyle(element)
    if (element instanceof HTMLSelectElement) {
      canvas.font = style.font
      const text = element.selectedOptions[0]?.textContent?.trim() ?? ''
      // The arrow takes some 20 px.
      const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16
      if (canvas.measureText(text).width > room + 1) told.push(`the choice "${text}" has ${Math.round(room)} px of ${Math.round(canvas.measureText(text).width)}`)
      continue
    }
    for (const part of [element, ...element.querySelectorAll<HTMLElement>('*')]) {
      if (part instanceof SVGElement || part.matches('input, select, canvas')) continue
      if (part.closest('.visually-hidden')) continue
      const own = getComputedStyle(part)
      if (part.textContent?.trim() && clipped(part, own)) told.push(`"${part.textContent.trim().slice(0, 40)}" has ${part.clientWidth} px of ${part.scrollWidth}`)
    }
  }
  return [...new Set(told)]
}
