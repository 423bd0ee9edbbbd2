import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

describe.skipIf(!chromium)('a person who composes a scene from nothing', () => {
  let editor: Editor
  sitting({
    ready: async opened => {
      editor = opened
      await editor.waitFor('block-on-an-incline')
    },
  })

  const box = (name: string) => editor.page.getByRole('textbox', { name, exact: true })
  async function enter(name: string, text: string) {
    await box(name).fill(text)
    await box(name).press('Enter')
  }
  const bodyPosition = (axis: string) => editor.inspector.getByRole('textbox', { name: `Position ${axis}` })
  async function place(z: string) {
    await bodyPosition('z').fill(z)
    await bodyPosition('z').press('Enter')
  }

  it('is told what to do in an empty scene', async () => {
    await editor.menu('File', 'New scene')
    await editor.page.getByText('Add a shape (Shift+A), open an example, or drop a file.').waitFor()
  })

  it('adds a ground and boxes by the keyboard alone', async () => {
    await editor.page.keyboard.press('Shift+A')
    await editor.page.keyboard.type('half-space')
    await editor.page.keyboard.press('Enter')
    await editor.outlinerItem('Ground')
    await editor.page.keyboard.press('Shift+A')
    await editor.page.keyboard.type('box')
    await editor.page.keyboard.press('Enter')
    await editor.outlinerItem('Box')
  })

  it('types exact sizes, and sees the mass follow', async () => {
    await enter('Size x', '0.2')
    await enter('Size y', '20cm')
    await enter('Size z', '2*0.1')
    const mass = editor.page.getByRole('region', { name: 'Mass properties' })
    await expect.poll(() => mass.locator('[data-value]').first().getAttribute('data-value')).toSatisfy(value => Math.abs(Number(value) - 5.6) < 1e-9)
    await place('0.1')
  })

  it('is told why an id is refused, and the field shows the valid one again', async () => {
    await editor.page.keyboard.press('Escape')
    await (await editor.outlinerItem('Box')).click()
    const id = editor.page.getByRole('textbox', { name: 'Id', exact: true })
    await id.fill('two words')
    await id.press('Enter')
    const refusal = editor.page.getByText(/^Change id was refused:/)
    await refusal.waitFor()
    expect((await refusal.textContent())!.match(/A-Z a-z 0-9/g)).toHaveLength(1)
    await expect.poll(() => id.inputValue()).toBe('box')
  })

  it('duplicates it and sees the overlap before any run', async () => {
    await editor.page.keyboard.press('Escape')
    await (await editor.outlinerItem('Box')).click()
    await editor.page.keyboard.press('Control+d')
    await editor.outlinerItem('Box 2')
    await editor.inspector.getByRole('textbox', { name: 'Position x' }).fill('0')
    await editor.inspector.getByRole('textbox', { name: 'Position x' }).press('Enter')
    await editor.inspector.getByRole('textbox', { name: 'Position y' }).fill('0')
    await editor.inspector.getByRole('textbox', { name: 'Position y' }).press('Enter')
    await place('0.25')
    await (await editor.outlinerItem('Box')).click()
    await editor.inspector.getByRole('textbox', { name: 'Position x' }).fill('0')
    await editor.inspector.getByRole('textbox', { name: 'Position x' }).press('Enter')
    await editor.inspector.getByRole('textbox', { name: 'Position y' }).fill('0')
    await editor.inspector.getByRole('textbox', { name: 'Position y' }).press('Enter')
    await editor.panel('Problems')
    const problem = editor.page.getByRole('list', { name: 'Problems' }).getByRole('listitem').first()
    await problem.waitFor()
    await problem.getByRole('button', { name: 'Select' }).click()
    await editor.page.getByRole('contentinfo').getByText('2 bodies').waitFor()
    await (await editor.outlinerItem('Box 2')).click()
    await place('0.3')
    await editor.page.getByText('No problems.').waitFor()
  })

  it('gives the pair of materials its own friction', async () => {
    await editor.panel('Materials')
    await editor.page.getByRole('combobox', { name: 'Add a material' }).selectOption('steel')
    await editor.page.getByRole('listitem', { name: 'Steel' }).getByRole('button', { name: 'Assign' }).click()
    await editor.page.getByRole('button', { name: 'Friction of Steel on Wood' }).click()
    await enter('Static friction of the pair', '0.3')
    const shown = () => editor.page.getByRole('button', { name: 'Friction of Steel on Wood' }).innerText()
    await expect.poll(shown).toBe('0.3 / 0.3')
    await enter('Dynamic friction of the pair', '0.25')
    await expect.poll(shown).toBe('0.3 / 0.25')
    await enter('Dynamic friction of the pair', '0.35')
    await expect.poll(shown).toBe('0.35 / 0.35')
  })

  it('joins two bodies with a hinge', async () => {
    await editor.page.keyboard.press('Control+a')
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Box')).click()
    await (await editor.outlinerItem('Box 2')).click({ modifiers: ['Control'] })
    await editor.panel('Joints')
    await editor.page.getByRole('button', { name: 'New joint' }).first().click()
    const form = editor.page.getByRole('form', { name: 'New joint' })
    await expect.poll(() => form.getByRole('combobox', { name: 'Body B' }).inputValue()).toBe('box-2')
    await expect.poll(() => form.getByRole('textbox', { name: 'Anchor z' }).inputValue()).toBe('0.2')
    await form.getByRole('textbox', { name: 'Axis z' }).fill('0')
    await form.getByRole('textbox', { name: 'Axis z' }).press('Enter')
    expect(await form.getByRole('button', { name: 'Create joint' }).isDisabled()).toBe(true)
    await form.getByRole('textbox', { name: 'Axis y' }).fill('1')
    await form.getByRole('textbox', { name: 'Axis y' }).press('Enter')
    await form.getByRole('button', { name: 'Create joint' }).click()
    await editor.outlinerItem('Hinge')
    await editor.page.getByRole('checkbox', { name: 'Limits' }).check()
    await enter('Upper limit', '30deg')
    await expect.poll(() => box('Upper limit').inputValue()).toBe('30')
  })

  it('picks a body in the viewport by clicking it', async () => {
    await editor.page.keyboard.press('Escape')
    await editor.page.keyboard.press('Shift+F')
    await editor.page.waitForTimeout(600)
    const canvas = (await editor.viewport.locator('canvas').first().boundingBox())!
    let selected = ''
    for (let y = 0.3; y < 0.7 && !selected.startsWith('Box'); y += 0.05) {
      await editor.page.mouse.click(canvas.x + canvas.width / 2, canvas.y + y * canvas.height)
      await editor.page.waitForTimeout(120)
      selected = await editor.page.getByRole('contentinfo').locator('span').first().innerText()
    }
    expect(selected).toMatch(/^Box/)
  })

  it('asks for a joint by the name of its type', async () => {
    const { page } = editor
    await page.keyboard.press('Shift+A')
    await page.keyboard.type('slider')
    await page.getByRole('option', { name: 'Add: Joint of type: Slider' }).waitFor()
    await page.keyboard.press('Enter')
    const form = page.getByRole('form', { name: 'New joint' })
    await form.waitFor()
    expect(await form.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('slider')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.keyboard.press('Shift+A')
    await page.keyboard.type('no such thing')
    await page.getByRole('dialog').getByText('No command is called that.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await editor.panel('Inspector')
  })

  it('hides, locks, renames and deletes from the outliner', async () => {
    const item = await editor.outlinerItem('Box 2')
    await item.hover()
    await item.getByRole('button', { name: 'Hide Box 2' }).click()
    await item.getByRole('button', { name: 'Show Box 2' }).click()
    await item.click()
    // The field has the focus at once: letters would be commands otherwise.
    await item.dblclick()
    await editor.page.keyboard.type('Cover')
    await editor.page.keyboard.press('Enter')
    // It stays selected under its new id.
    expect(await (await editor.outlinerItem('Cover')).getAttribute('aria-selected')).toBe('true')
    await expect.poll(() => editor.page.getByRole('textbox', { name: 'Id', exact: true }).inputValue()).toBe('cover')
    await (await editor.outlinerItem('Cover')).click()
    await editor.page.keyboard.press('F2')
    await editor.page.keyboard.type('Lid')
    await editor.page.keyboard.press('Enter')
    await (await editor.outlinerItem('Lid')).click({ button: 'right' })
    await editor.page.getByRole('menuitem', { name: /^Delete/ }).click()
    await expect.poll(() => editor.page.getByRole('treeitem', { name: 'Lid', exact: true }).count()).toBe(0)
    // The hinge has no meaning without this body, so it is deleted too.
    expect(await editor.page.getByRole('treeitem', { name: 'hinge', exact: true }).count()).toBe(0)
    await editor.page.keyboard.press('Control+z')
    await editor.outlinerItem('Hinge')
  })

  it('simulates what was composed, and an edit marks the run as old', async () => {
    await editor.simulate()
    expect(await editor.primary.innerText()).toBe('Up to date')
    await editor.panel('Timeline')
    await editor.goTo(1)
    await (await editor.outlinerItem('Box')).click()
    await enter('Size x', '0.25')
    await editor.page.getByText('Edits change the initial scene').waitFor()
    expect(await editor.time()).toBe(0)
    expect(await editor.primary.innerText()).toBe('Simulate again')
    await editor.page.getByRole('button', { name: 'Back to 1.00 s' }).click()
    await editor.page.getByText('This run is from before your last change.').waitFor()
    await editor.page.keyboard.press('Control+z')
    await expect.poll(() => editor.primary.innerText()).toBe('Up to date')
  })

  it('changes to the light theme and back', async () => {
    await editor.page.keyboard.press('Alt+t')
    expect(await editor.page.locator('html').getAttribute('data-theme')).toBe('light')
    await editor.page.keyboard.press('Alt+t')
    expect(await editor.page.locator('html').getAttribute('data-theme')).toBe('dark')
  })

  it('starts no transition of any element when the theme changes, where less motion is asked for', async () => {
    const { page } = editor
    await page.evaluate(() => document.addEventListener('transitionrun', () => { document.body.dataset.transitions = String(1 + Number(document.body.dataset.transitions ?? 0)) }))
    for (const theme of ['light', 'dark']) {
      await page.keyboard.press('Alt+t')
      await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe(theme)
      await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    }
    expect(await page.locator('body').getAttribute('data-transitions')).toBeNull()
  })

  it('sees the whole tab of a panel that is opened where tabs have no room', async () => {
    await editor.menu('Window', 'Panels', 'Script')
    const tab = editor.page.locator('.dv-tab').filter({ hasText: /^Script$/ })
    const cut = () => tab.evaluate(element => element.getBoundingClientRect().right - element.closest('.dv-tabs-container')!.getBoundingClientRect().right)
    await expect.poll(cut).toBeLessThanOrEqual(0.5)
  })

  it('follows the theme of the system, unless another is chosen', async () => {
    const theme = () => editor.page.locator('html').getAttribute('data-theme')
    await editor.page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(theme).toBe('light')
    await editor.page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(theme).toBe('dark')
    await editor.page.keyboard.press('Alt+t')
    await editor.page.emulateMedia({ colorScheme: 'light' })
    await editor.page.emulateMedia({ colorScheme: 'dark' })
    expect(await theme()).toBe('light')
    await editor.page.keyboard.press('Alt+t')
  })
})
