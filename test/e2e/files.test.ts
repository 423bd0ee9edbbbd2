// @module-tag long
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import { Editor, WebHostProcess } from './editor'
import { sitting } from './sitting'

const STACK = 'stack-of-ten.cairn.json'

describe.skipIf(!chromium)('a person\'s work', () => {
  let editor: Editor
  /** The document of this test and its text, in the window shared by all tests. */
  let file = ''
  let text = ''
  let count = 0
  const host = sitting({ scene: STACK, ready: async opened => {
    editor = opened
    await editor.waitFor('stack-of-ten')
    text = readFileSync(path(STACK), 'utf8')
  } })
  const path = (name: string) => join(host.root, name)
  const title = () => editor.page.title()
  const bodies = () => editor.page.getByRole('contentinfo', { name: 'Status' }).innerText()

  beforeEach(async () => {
    file = `stack-${++count}.cairn.json`
    writeFileSync(path(file), text)
    await editor.page.keyboard.press('Control+o')
    const question = editor.page.getByRole('dialog', { name: 'Save changes?' })
    await question.or(dialog()).first().waitFor()
    if (await question.isVisible()) await question.getByRole('button', { name: 'Don’t save' }).click()
    await choose(file)
    await editor.waitFor(stem())
  })

  const stem = () => file.replace('.cairn.json', '')

  const dialog = () => editor.page.getByRole('dialog', { name: 'Open' })
  const choose = (name: string) => dialog().getByRole('button', { name: new RegExp(`^${name.replaceAll('.', '\\.')}`) }).dblclick()

  async function open(name: string) {
    await editor.page.keyboard.press('Control+o')
    await choose(name)
  }

  const addBox = () => boxAdded(editor)

  it('is undone and redone, one step for each edit', async () => {
    const before = await bodies()
    await addBox()
    const size = editor.page.getByRole('textbox', { name: 'Size x' })
    await size.fill('2 * 30cm')
    await size.press('Enter')
    await expect.poll(() => size.inputValue()).toBe('0.6')
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => size.inputValue()).toBe('0.5')
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(bodies).toBe(before)
    expect(await title()).not.toContain('●')
    await editor.page.keyboard.press('Control+Shift+z')
    await editor.page.keyboard.press('Control+y')
    await (await editor.outlinerItem('Box')).click()
    await expect.poll(() => editor.page.getByRole('textbox', { name: 'Size x' }).inputValue()).toBe('0.6')
    expect(await title()).toContain('●')
  })

  it('is never refused silently: a size of zero is reported at the field', async () => {
    await addBox()
    const size = editor.page.getByRole('textbox', { name: 'Size x' })
    await size.fill('0')
    await size.press('Enter')
    await editor.page.getByRole('alert').getByText('Must be above 0 m').waitFor()
    await size.press('Escape')
    await expect.poll(() => size.inputValue()).toBe('0.5')
  })

  it('keeps every byte of what was not touched when it is saved', async () => {
    const before = readFileSync(path(file), 'utf8')
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByText(`Saved ${file}`).waitFor()
    expect(readFileSync(path(file), 'utf8')).toBe(before)
    await addBox()
    await editor.page.keyboard.press('Control+s')
    await expect.poll(title).not.toContain('●')
    const after = readFileSync(path(file), 'utf8')
    const lines = new Set(after.split('\n').map(line => line.trim().replace(/,$/, '')))
    for (const line of before.split('\n')) expect(lines).toContain(line.trim().replace(/,$/, ''))
  })

  it('is saved under another name and opened again', async () => {
    await addBox()
    await editor.page.keyboard.press('Control+Shift+s')
    const dialog = editor.page.getByRole('dialog', { name: 'Save as' })
    await dialog.getByRole('textbox', { name: 'File name' }).fill('mine.cairn.json')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await editor.waitFor('mine.cairn.json')
    expect((JSON.parse(readFileSync(path('mine.cairn.json'), 'utf8')) as { bodies: { id: string }[] }).bodies.at(-1)!.id).toBe('box')
    await editor.openExample('Double pendulum')
    await editor.waitFor('double-pendulum')
    await open('mine.cairn.json')
    await editor.waitFor('mine.cairn.json')
    await editor.outlinerItem('Box')
    await editor.menu('File', 'Open recent', file)
    await editor.waitFor(stem())
  })

  it('is not replaced by another document without a question', async () => {
    await addBox()
    await editor.menu('File', 'Examples…')
    await editor.page.getByRole('button', { name: /^Double pendulum/ }).click()
    const question = editor.page.getByRole('dialog', { name: 'Save changes?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await editor.page.keyboard.press('Escape')
    await editor.outlinerItem('Box')
    await editor.menu('File', 'Examples…')
    await editor.page.getByRole('button', { name: /^Double pendulum/ }).click()
    await question.getByRole('button', { name: 'Don’t save' }).click()
    await editor.waitFor('double-pendulum')
  })

  it('is not overwritten by a save when the file changed on disk', async () => {
    writeFileSync(path('shared.cairn.json'), readFileSync(path(file)))
    await open('shared.cairn.json')
    await editor.waitFor('shared.cairn.json')
    await addBox()
    const theirs = readFileSync(path('shared.cairn.json'), 'utf8').replace('Stack of ten', 'Changed elsewhere')
    writeFileSync(path('shared.cairn.json'), theirs)
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('dialog', { name: 'The file changed on disk' }).getByRole('button', { name: 'Cancel' }).click()
    expect(readFileSync(path('shared.cairn.json'), 'utf8')).toBe(theirs)
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('dialog', { name: 'The file changed on disk' }).getByRole('button', { name: 'Overwrite' }).click()
    await expect.poll(() => readFileSync(path('shared.cairn.json'), 'utf8')).not.toBe(theirs)
  })

  async function drop(name: string, content: string) {
    const transfer = await editor.page.evaluateHandle(([n, t]) => {
      const data = new DataTransfer()
      data.items.add(new File([t!], n!))
      return data
    }, [name, content])
    await editor.viewport.dispatchEvent('drop', { dataTransfer: transfer })
  }

  it('is opened by dropping a file on the window', async () => {
    await drop('dropped.cairn.json', readFileSync(path('double-pendulum.cairn.json'), 'utf8'))
    await editor.waitFor('dropped.cairn.json')
  })

  it('stays when a file is dropped that is not a scene, and the reason is shown', async () => {
    await drop('broken.cairn.json', '{ "format": "cairn-scene", "version": 1, "bodies": [ { "id": "a", "typ": "fixed" } ] }')
    await editor.page.getByRole('list', { name: 'Problems' }).getByText(/typ/).first().waitFor()
    await editor.waitFor(stem())
    await drop('notes.txt', 'hello')
    await editor.page.getByRole('alert').filter({ hasText: 'notes.txt' }).waitFor()
    await editor.waitFor(stem())
  })

  it('opens a recorded run with its scene inside', async () => {
    mkdirSync(path('runs'), { recursive: true })
    await host.cairn('simulate', path('double-pendulum.cairn.json'), '-o', path('runs/pendulum.mcap'), '--duration', '0.5')
    await editor.page.keyboard.press('Control+o')
    await dialog().getByRole('button', { name: 'runs' }).click()
    await choose('pendulum.mcap')
    await editor.waitFor('pendulum.mcap')
    expect(await editor.primary.innerText()).toBe('Up to date')
    await editor.panel('Timeline')
    await editor.goTo(0.25)
    expect(await editor.time()).toBe(0.25)
  })
})

describe.skipIf(!chromium)('a person\'s unsaved work', () => {
  let host: WebHostProcess
  let editor: Editor

  beforeEach(async () => {
    host = new WebHostProcess()
    await host.start({ scene: STACK })
    editor = await Editor.open(host.url)
    await editor.waitFor('stack-of-ten')
  })
  afterEach(async () => {
    await editor?.close()
    await host.stop()
    host.dispose()
  })

  const title = () => editor.page.title()
  const addBox = () => boxAdded(editor)

  it('comes back after the window was lost', async () => {
    await addBox()
    await editor.hasCopies(1)
    const context = editor.context
    await editor.page.close({ runBeforeUnload: false })
    editor = await Editor.open(host.url, { context })
    const question = editor.page.getByRole('dialog', { name: 'Recover unsaved work?' })
    await question.getByText('stack-of-ten.cairn.json has changes').waitFor()
    await question.getByRole('button', { name: 'Recover' }).click()
    await editor.outlinerItem('Box')
    expect(await title()).toContain('●')
  })

  it('goes on after a reload, without a question', async () => {
    await editor.menu('Add', 'Cone')
    await editor.outlinerItem('Cone')
    await editor.hasCopies(1)
    editor.page.once('dialog', dialog => void dialog.accept())
    await editor.page.reload()
    await editor.outlinerItem('Cone')
    await expect.poll(title).toContain('●')
    expect(await editor.page.getByRole('dialog').count()).toBe(0)
  })

  it('comes back from each of two windows that changed one file', async () => {
    const { context } = editor
    const second = await Editor.open(host.url, { context })
    await second.waitFor('stack-of-ten')
    await addBox()
    await editor.hasCopies(1)
    await second.menu('Add', 'Sphere')
    await second.outlinerItem('Sphere')
    await second.hasCopies(2)
    for (const lost of [editor, second]) await lost.page.close({ runBeforeUnload: false })
    const recovered = async (added: string, other: string): Promise<Editor> => {
      const window = await Editor.open(host.url, { context })
      const question = window.page.getByRole('dialog', { name: 'Recover unsaved work?' })
      await question.waitFor()
      const [{ x, width }, buttons] = [(await question.boundingBox())!, await question.getByRole('button').all()]
      for (const button of buttons) {
        const place = (await button.boundingBox())!
        expect(place.x).toBeGreaterThan(x)
        expect(place.x + place.width).toBeLessThan(x + width)
      }
      await question.getByRole('button', { name: /^Recover/ }).first().click()
      await window.outlinerItem(added)
      expect(await window.page.getByRole('treeitem', { name: other, exact: true }).count()).toBe(0)
      return window
    }
    // Newest first; work that is open in a window is not offered to the next one.
    await recovered('Sphere', 'Box')
    editor = await recovered('Box', 'Sphere')
  })

  it('comes back after the host was killed, and the window stays usable meanwhile', async () => {
    await addBox()
    await editor.hasCopies(1)
    await host.hasCopies(1)
    const { port, url } = host
    await host.stop('SIGKILL')
    await editor.page.getByText(/^Reconnecting; your edits are safe\./).waitFor()
    await editor.menu('Add', 'Sphere')
    await editor.outlinerItem('Sphere')
    const copy = editor.page.waitForEvent('download')
    await editor.page.getByRole('button', { name: 'Download a copy' }).click()
    expect(readFileSync(await (await copy).path(), 'utf8')).toContain('"sphere"')
    await host.start({ scene: 'stack-of-ten.cairn.json', port })
    expect(new URL(host.url).port).toBe(new URL(url).port)
    await editor.close()
    editor = await Editor.open(host.url)
    await editor.page.getByRole('dialog', { name: 'Recover unsaved work?' }).getByRole('button', { name: 'Recover' }).click()
    await editor.outlinerItem('Box')
  })

  it('comes back at another address, which the old window tells of, with its scene still there', async () => {
    await addBox()
    await editor.hasCopies(1)
    await host.hasCopies(1)
    await host.stop('SIGKILL')
    await editor.page.getByText(/If Cairn was started at another address, open that one\./).waitFor()
    await host.start({ scene: STACK })
    const other = await Editor.open(host.url, { context: editor.context })
    await other.page.getByRole('dialog', { name: 'Recover unsaved work?' }).getByRole('button', { name: 'Recover' }).click()
    await other.outlinerItem('Box')
    await editor.outlinerItem('Box')
  })
})

async function boxAdded(editor: Editor): Promise<void> {
  await editor.menu('Add', 'Box')
  await editor.page.getByRole('treeitem', { name: 'Box', exact: true }).waitFor()
}
