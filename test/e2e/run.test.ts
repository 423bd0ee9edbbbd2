import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import { Editor, WebHostProcess } from './editor'

describe.skipIf(!chromium)('a person who watches a long run', () => {
  const host = new WebHostProcess()
  let editor: Editor

  beforeAll(async () => {
    await host.start({ scene: 'block-on-an-incline.cairn.json' })
    editor = await Editor.open(host.url, { resolution: 'full', motion: 'full' })
    await editor.waitFor('block-on-an-incline')
  })
  afterAll(async () => {
    await editor?.close()
    await host.stop()
    host.dispose()
  })

  const available = async () => Number(await editor.timeline.getAttribute('aria-valuemax'))

  it('makes it longer, sees it go on with time left, and sees the picture follow', async () => {
    const duration = editor.page.getByRole('textbox', { name: 'Duration' })
    await duration.fill('200')
    await duration.press('Enter')
    await editor.primary.click()
    await expect.poll(() => editor.primary.innerText(), { timeout: 60_000 }).toMatch(/^Cancel · \d+ % · .* left$/)
    await expect.poll(available, { timeout: 60_000 }).toBeGreaterThan(0.1)
    await expect.poll(() => editor.time(), { timeout: 60_000 }).toBeGreaterThan(0)
  })

  it('scrubs what is there while the rest is computed', async () => {
    const time = editor.page.getByRole('textbox', { name: 'Time', exact: true })
    await time.fill('0.05')
    await time.press('Enter')
    await expect.poll(() => editor.time()).toBe(0.05)
    expect(await editor.primary.getAttribute('data-state')).toBe('running')
  })

  it('cancels it and keeps what exists', async () => {
    await editor.primary.click()
    await expect.poll(() => editor.primary.innerText(), { timeout: 30_000 }).toBe('Simulate again')
    expect(await available()).toBeGreaterThan(0.1)
    await editor.goTo(0.1)
    expect(await editor.time()).toBe(0.1)
  })

  it('reads a penetration that is a rounding error as ≈ 0, with all digits on hover', async () => {
    const penetration = editor.page.getByTitle(/^Deepest penetration in this frame/)
    await expect.poll(async () => Number(/: (\S+) m$/.exec(await penetration.getAttribute('title') ?? '')?.[1])).toBeGreaterThan(0)
    expect(Number(/: (\S+) m$/.exec((await penetration.getAttribute('title'))!)![1])).toBeLessThan(1e-14)
    expect(await penetration.innerText()).toBe('penetration ≈ 0 m')
  })

  it('saves the picture', async () => {
    const download = editor.page.waitForEvent('download')
    await editor.menu('File', 'Save picture…')
    const png = readFileSync(await (await download).path())
    expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    // Width and height are in the first chunk.
    expect(png.readUInt32BE(16)).toBeGreaterThan(300)
    expect(png.readUInt32BE(20)).toBeGreaterThan(200)
  })

  it('gets a run that was computed before at once, by the hash of its scene', async () => {
    const duration = editor.page.getByRole('textbox', { name: 'Duration' })
    await duration.fill('0.25')
    await duration.press('Enter')
    await editor.simulate()
    expect(await editor.primary.innerText()).toBe('Up to date')
    const files = host.runFiles().length
    await duration.fill('0.3')
    await duration.press('Enter')
    await expect.poll(() => editor.primary.innerText()).toBe('Simulate again')
    await duration.fill('0.25')
    await duration.press('Enter')
    await expect.poll(() => editor.primary.innerText()).toBe('Up to date')
    await editor.simulate()
    expect(host.runFiles()).toHaveLength(files)
  })

  it('reads in the accuracy panel what the command line reads', async () => {
    await editor.workspace('Simulate & inspect')
    await editor.goTo(0.25)
    await editor.panel('Accuracy')
    const shown = Number(await editor.page.locator('dl[aria-label="Energy"] [data-value]').first().getAttribute('data-value'))
    // The cancelled run may end before this time; the command line then refuses.
    const runs = await Promise.allSettled(host.runFiles().map(file => host.cairn('inspect', file, '--time', '0.25', '--certificate', '--json')))
    const kinetic = runs.flatMap(run => run.status === 'fulfilled' ? [(JSON.parse(run.value) as { certificate: { energy: { kinetic: number } } }).certificate.energy.kinetic] : [])
    expect(kinetic).toContain(shown)
  })

  it('saves a whole table for a notebook', async () => {
    const table = async (format: string) => {
      await editor.menu('File', 'Export tables…')
      const dialog = editor.page.getByRole('dialog', { name: 'Export tables' })
      await dialog.getByRole('combobox', { name: 'Format' }).selectOption({ label: format })
      return editor.saved(() => dialog.getByRole('button', { name: 'Save file…' }).click())
    }
    const csv = (await table('CSV (spreadsheets)')).bytes.toString('utf8')
    expect(csv.split('\n').length).toBeGreaterThan(60)
    const parquet = await table('Parquet (DuckDB, pandas)')
    expect(parquet.name).toMatch(/-bodies\.parquet$/)
    expect(parquet.bytes.subarray(0, 4).toString()).toBe('PAR1')
    const npy = await table('NPY (NumPy)')
    expect(npy.bytes.subarray(1, 6).toString()).toBe('NUMPY')
  })

  it('finds an example as it was left: opened again, it shows its run from the start', async () => {
    await editor.menu('File', 'New scene')
    await editor.page.getByRole('dialog', { name: 'Save changes?' }).getByRole('button', { name: 'Don’t save' }).click()
    await editor.waitFor('untitled')
    await editor.openExample('Bouncing balls')
    await editor.waitFor('bouncing-balls')
    expect(await editor.primary.innerText()).toBe('Simulate')
    await editor.simulate()
    const files = host.runFiles().length
    await editor.openExample('Rocking ellipsoid')
    await editor.waitFor('rocking-ellipsoid')
    expect(await editor.primary.innerText()).toBe('Simulate')
    await editor.openExample('Bouncing balls')
    await editor.waitFor('bouncing-balls')
    await editor.reaches('current')
    expect(await editor.time()).toBe(0)
    await editor.page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect(host.runFiles()).toHaveLength(files)
  })

  it('finds everything by the keyboard: every control has a name', async () => {
    const nameless = await editor.page.evaluate(() => [...document.querySelectorAll<HTMLElement>('button, input, select, textarea, [role=slider], [role=treeitem]')]
      .filter(element => element.checkVisibility() && !element.closest('.monaco-editor'))
      .filter(element => !(element.getAttribute('aria-label') || element.innerText?.trim() || element.closest('label')?.innerText.trim() || element.title))
      .map(element => element.outerHTML.slice(0, 120)))
    expect(nameless).toEqual([])
    await editor.page.locator('body').press('Tab')
    await editor.page.keyboard.press('F1')
    await editor.page.getByRole('combobox', { name: 'Find a command' }).waitFor()
    await editor.page.keyboard.type('glossary')
    await editor.page.keyboard.press('Enter')
    await editor.page.getByRole('dialog', { name: 'Glossary' }).waitFor()
    await editor.page.keyboard.press('Escape')
  })

  it('has seen no error in the browser', () => {
    expect(editor.faults).toEqual([])
  })
})
