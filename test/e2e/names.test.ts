// @module-tag long
/** Where an element has a name, no panel, message, plot or list shows its id. Ids are seen in fields for ids and in the texts of scripts. */
import { beforeAll, describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const box = (id: string, name: string, position: readonly number[], more = {}) => (
  { id, name, position, shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'zz-wood' }], ...more })
const named = {
  format: 'cairn-scene', version: 1, name: 'Named',
  materials: [{ id: 'zz-wood', name: 'Oak', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [
    { id: 'zz-ground', name: 'Floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'zz-wood' }] },
    box('zz-low', 'Lower crate', [0, 0, 0.1]), box('zz-high', 'Upper crate', [0, 0, 0.5]),
    box('zz-arm', 'Swing arm', [1, 0, 1]),
  ],
  joints: [{ id: 'zz-pin', name: 'Pin', type: 'hinge', bodyA: 'zz-arm', bodyB: null, anchor: [0.9, 0, 1], axis: [0, 1, 0] }],
  forces: [
    { id: 'zz-breeze', name: 'Breeze', type: 'uniform', force: [0.1, 0, 0], bodies: ['zz-high'] },
    { id: 'zz-pull', name: 'Pull', type: 'script', script: 'zz-push.ts' },
  ],
  scripts: [{ id: 'zz-push.ts', name: 'Push', source: 'export default function (ctx: ForceContext) {\n  ctx.plot("load", 1)\n  ctx.log("began")\n  ctx.body("zz-low").applyForce([0.1, 0, 0])\n}\n' }],
  sensors: [{ id: 'zz-feel', name: 'Feel', type: 'contact', body: 'zz-low' }],
  groups: [{ id: 'zz-group', name: 'Crates' }],
  simulation: { duration: 0.4, outputRate: 120 },
}
/** What a person can read: visible text, labels, tooltips; the values of fields and the text of the script editor are not read. */
const readable = () => {
  const found = new Set<string>()
  const look = (text: string | null | undefined, where: Element) => { // Tooltips of the outliner give the id after the name.
    if (text?.replace(/\(zz-[\w.-]+\)$/, '').includes('zz-')) found.add(`${where.tagName.toLowerCase()} ${where.className}: ${text.trim().slice(0, 160)}`) }
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.monaco-editor, script, style')) continue
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) look(element.getAttribute(name), element)
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) look(node.textContent, element)
  }
  return [...found]
}

describe.skipIf(!chromium)('the names of a scene', () => {
  let editor: Editor
  const broken = {
    ...named, simulation: { ...named.simulation, initialOverlap: 'refuse' },
    bodies: [...named.bodies, box('zz-inside', 'Stray crate', [0.05, 0, 0.12])],
  }
  const thrown = { ...named, scripts: [{ ...named.scripts[0], source: 'export default function (ctx: ForceContext) {\n  if (ctx.time > 0.1) ctx.body("zz-low").push()\n}\n' }] }
  const scenes = { broken, thrown }
  sitting({
    scene: 'named.cairn.json',
    files: { 'named.cairn.json': named },
    ready: async opened => {
      editor = opened
      await editor.waitFor('named')
    },
  })
  const leaks = () => editor.page.evaluate(readable)
  const open = async (name: keyof typeof scenes) => {
    await editor.page.locator('.app').evaluate((app, [file, content]) => {
      const data = new DataTransfer()
      data.items.add(new File([content!], file!))
      app.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    }, [`${name}.cairn.json`, JSON.stringify(scenes[name])])
    await editor.waitFor(name)
  }

  describe('in a run', () => {
    beforeAll(async () => {
      await editor.simulate()
      expect(await editor.primary.getAttribute('data-state')).toBe('current')
      await editor.goTo(0.3)
    })

    it('stand in every panel', async () => {
      const found: string[] = []
      for (const panel of ['Outliner', 'Inspector', 'Materials', 'Joints', 'Arrange', 'Parameters', 'Events', 'Accuracy', 'Runs', 'Branches', 'Problems', 'Timeline', 'Script', 'Contacts']) {
        await editor.show(panel)
        found.push(...(await leaks()).map(text => `${panel}: ${text}`))
      }
      for (const element of ['Lower crate', 'Pin', 'Breeze', 'Pull', 'Feel', 'Oak']) {
        await editor.show('Outliner')
        await (await editor.outlinerItem(element)).click()
        await editor.show('Inspector')
        found.push(...(await leaks()).map(text => `Inspector of ${element}: ${text}`))
      }
      await editor.show('Contacts')
      await editor.contacts.getByRole('row').nth(1).click()
      await editor.show('Contact')
      found.push(...(await leaks()).map(text => `Contact: ${text}`))
      expect(found).toEqual([])
    }, 120_000)

    it('stand in plots, in their lists and in their legends', async () => {
      await editor.show('Plots')
      const list = editor.page.getByRole('combobox', { name: 'Add a plot' })
      const labels = (await list.locator('option').allInnerTexts()).filter(text => /crate|arm|Pin|Feel|load/.test(text))
      expect(labels.length).toBeGreaterThan(5)
      for (const label of labels.slice(0, 12)) await list.selectOption({ label })
      expect(await leaks()).toEqual([])
    })

    async function leaksOfFormats(): Promise<string[]> {
      const dialog = editor.page.getByRole('dialog', { name: 'Export scene' })
      const formats = dialog.getByRole('combobox', { name: 'Format' })
      const found: string[] = []
      for (const label of await formats.locator('option').allInnerTexts()) {
        await formats.selectOption({ label })
        await dialog.getByRole('heading', { name: `What ${label} cannot represent` }).waitFor()
        found.push(...(await leaks()).map(text => `${label}: ${text}`))
      }
      return found
    }

    it('stand in dialogs', async () => {
      const found: string[] = []
      for (const [menu, entry] of [['File', 'Export scene…'], ['File', 'Export tables…'], ['File', 'Film or picture of the run…'], ['File', 'Free-body diagram…']] as const) {
        await editor.menu(menu, entry)
        await editor.page.getByRole('dialog').first().waitFor()
        await editor.page.waitForTimeout(500)
        found.push(...(await leaks()).map(text => `${entry}: ${text}`))
        if (entry === 'Export scene…') found.push(...await leaksOfFormats())
        await editor.page.keyboard.press('Escape')
        await editor.page.getByRole('dialog').first().waitFor({ state: 'detached' })
      }
      expect(found).toEqual([])
    })
  })

  it('stand in the problems of a scene whose bodies overlap, and in what the button says', async () => {
    await open('broken')
    await editor.page.getByRole('contentinfo').getByText(/[1-9] error/).waitFor()
    await editor.show('Problems')
    await editor.page.getByRole('list', { name: 'Problems' }).getByText(/“Lower crate” and “Stray crate”|“Stray crate” and “Lower crate”/).first().waitFor()
    await editor.primary.click()
    await editor.reaches('refused')
    expect(await leaks()).toEqual([])
  })

  it('stand in the problems of a run that a script ends', async () => {
    await open('thrown')
    await editor.simulate()
    await editor.show('Problems')
    await editor.page.getByRole('list', { name: 'Problems' }).getByRole('listitem').first().waitFor()
    expect(await leaks()).toEqual([])
    await editor.show('Runs')
    expect(await leaks()).toEqual([])
  })

  it('stand in the refusal of an edit', async () => {
    await (await editor.outlinerItem('Lower crate')).click()
    await editor.show('Inspector')
    await editor.type('Id', 'zz-high')
    const refusal = editor.page.getByRole('list', { name: 'Messages' }).getByRole('listitem').filter({ hasText: 'refused' })
    await refusal.waitFor()
    expect(await refusal.innerText()).toContain('Upper crate')
  })
})
