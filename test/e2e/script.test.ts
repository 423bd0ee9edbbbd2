// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import { Editor, WebHostProcess } from './editor'
import { shots } from './shots'

describe.skipIf(!chromium)('a person who writes a force in TypeScript', () => {
  const host = new WebHostProcess()
  let editor: Editor

  beforeAll(async () => {
    await host.start()
    editor = await Editor.open(host.url)
    await editor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await editor.waitFor('block-on-an-incline')
  })
  afterAll(async () => {
    await editor?.close()
    await host.stop()
    host.dispose()
  })

  const code = () => editor.page.locator('.monaco-editor').first()

  /** Replaces the script's text by pasting, since the editor completes brackets while typing. */
  async function write(text: string) {
    await code().click()
    await editor.page.keyboard.press('Control+a')
    await editor.page.evaluate(t => navigator.clipboard.writeText(t), text)
    await editor.page.keyboard.press('Control+v')
    await editor.page.waitForTimeout(500)
  }

  async function speed(body: string, time: number): Promise<number> {
    await editor.workspace('Simulate & inspect')
    await editor.goTo(time)
    await editor.panel('Outliner')
    await (await editor.outlinerItem(body)).click()
    await editor.panel('Inspector')
    const shown = editor.page.getByRole('region', { name: 'Motion' }).locator('[aria-label="Velocity now"]')
    const [x, y, z] = (await shown.getAttribute('title'))!.match(/-?\d[\d.e+-]*/g)!.map(Number)
    return Math.hypot(x!, y!, z!)
  }

  it('starts from a script that runs', async () => {
    await editor.workspace('Script')
    await editor.page.getByRole('button', { name: 'New script' }).first().click()
    await code().waitFor()
    await editor.page.getByRole('tab', { name: 'push.ts' }).waitFor()
    await expect.poll(() => code().innerText()).toContain('applyForce')
  })

  it('sees the types of the context completed', async () => {
    await write('export default function (ctx: ForceContext): void {\n  ctx.')
    await editor.page.keyboard.press('Control+Space')
    const list = editor.page.locator('.suggest-widget')
    await list.getByText('random', { exact: true }).first().waitFor({ timeout: 60_000 })
    await editor.page.keyboard.press('Escape')
    await write('export default function (ctx: ForceContext): void {\n  ctx.body(\'')
    await editor.page.keyboard.press('Control+Space')
    await list.getByText('wooden', { exact: true }).first().waitFor()
    await editor.page.keyboard.press('Escape')
  })

  it('sees a mistake as it is typed', async () => {
    await write('export default function (ctx: ForceContext): void {\n  ctx.body(3)\n}\n')
    await editor.page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 })
  })

  it('sees its force plotted before any run, again after an edit, and is told why there is none', async () => {
    await write("export default function (ctx: ForceContext): void {\n  ctx.body('wooden').applyForce([0, 10 * ctx.time, 0])\n}")
    await editor.page.getByRole('button', { name: 'Preview forces' }).click()
    const preview = editor.page.getByRole('region', { name: 'Preview of forces' })
    await preview.getByText('Script force on Wooden block').first().waitFor()
    await preview.getByText(/^What the scripts do in the first [\d.]+ s/).waitFor()
    expect(await editor.primary.innerText()).toBe('Simulate')
    await shots(editor, 'script-preview')
    await write("export default function (ctx: ForceContext): void {\n  throw new Error('nothing')\n}")
    await preview.getByText('No preview: Error: nothing').waitFor()
    await editor.page.getByRole('button', { name: 'Preview forces' }).click()
    await preview.waitFor({ state: 'detached' })
  })

  it('changes the script and sees the motion change', async () => {
    await write('export default function (ctx: ForceContext): void {}\n')
    await editor.simulate()
    const before = await speed('Waxed block', 1)
    await editor.workspace('Script')
    await editor.panel('Script')
    await write('export default function (ctx: ForceContext): void {\n  const body = ctx.body(\'waxed\')\n  body.applyForce([0, 3 * body.mass, 0])\n}\n')
    await expect.poll(() => editor.primary.innerText()).toBe('Simulate again')
    await editor.simulate()
    const after = await speed('Waxed block', 1)
    expect(before).toBeGreaterThan(1.5)
    expect(after).toBeGreaterThan(before + 0.5)
  })

  it('sees what the script logs and plots', async () => {
    await editor.workspace('Script')
    await write('export default function (ctx: ForceContext): void {\n  ctx.plot(\'height\', ctx.body(\'waxed\').position[2])\n  if (ctx.time > 0.25) ctx.log(\'a quarter has passed\')\n}\n')
    await editor.simulate()
    await editor.goTo(0.5)
    await editor.page.getByRole('list', { name: 'Script output' }).getByText('a quarter has passed').first().waitFor()
    await editor.panel('Plots')
    await editor.page.getByRole('combobox', { name: 'Add a plot' }).selectOption({ label: 'Script: height' })
    await editor.page.getByRole('img', { name: /^height/ }).waitFor()
    await editor.panel('Timeline')
  })

  it('is told the line, the body and the time when the script throws', async () => {
    await editor.workspace('Script')
    await write('export default function (ctx: ForceContext): void {\n  if (ctx.time > 0.5) {\n    throw new Error(\'too late\')\n  }\n}\n')
    await editor.simulate()
    expect(await editor.primary.innerText()).toMatch(/^Stopped at 0\.\d\d s · show why$/)
    await editor.panel('Problems')
    const problems = editor.page.getByRole('list', { name: 'Problems' })
    await problems.getByText('too late').first().waitFor()
    await problems.getByText(/line 3/).first().waitFor()
    await editor.page.locator('.squiggly-error').first().waitFor()
  })

  it('is no longer told of it once the script is another', async () => {
    await write('export default function (ctx: ForceContext): void {\n  ctx.plot(\'twice\', 2 * ctx.time)\n}\n')
    await editor.page.getByRole('list', { name: 'Problems' }).getByText('too late').waitFor({ state: 'detached' })
    expect(await editor.page.locator('.squiggly-error').count()).toBe(0)
  })

  it('simulates by Ctrl+Enter from the script and from the tab of a panel', async () => {
    const before = await code().innerText()
    await code().click()
    await editor.page.keyboard.press('Control+Enter')
    await editor.reaches('current')
    expect(await code().innerText()).toBe(before)
    await write('export default function (ctx: ForceContext): void {\n  ctx.plot(\'thrice\', 3 * ctx.time)\n}\n')
    await editor.reaches('stale')
    await editor.panel('Timeline')
    await editor.page.keyboard.press('Control+Enter')
    await editor.reaches('current')
  })

  it('is stopped, not stuck, when the script loops for ever', async () => {
    await write('export default function (ctx: ForceContext): void {\n  while (true) {}\n}\n')
    await editor.simulate()
    await editor.panel('Problems')
    expect(await editor.page.getByRole('list', { name: 'Problems' }).innerText()).toMatch(/budget|too long|loop|instructions/i)
  })

  it('is told when the script does not compile, and nothing is lost', async () => {
    await write('export default function (ctx: ForceContext): void {\n  const = 3\n}\n')
    await editor.simulate()
    expect(await editor.primary.innerText()).toBe('Cannot simulate · show why')
    await editor.page.getByRole('list', { name: 'Problems' }).getByText(/line 2/).first().waitFor()
    expect(await code().innerText()).toContain('const')
  })

  it('edits the scene as JSON, and a mistake is not applied', async () => {
    await editor.page.getByRole('tab', { name: 'Scene JSON' }).click()
    await expect.poll(() => code().innerText()).toContain('cairn-scene')
    await write('{ "format": "cairn-scene", "version": 1, "name": "By hand", "bodys": [] }')
    await editor.page.getByText(/Not taken over/).waitFor()
    await write('{ "format": "cairn-scene", "version": 1, "name": "By hand", "bodies": [] }')
    await editor.page.getByText('0 bodies, 0 joints').waitFor()
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await editor.page.getByText('3 bodies, 0 joints').waitFor()
  })
})
