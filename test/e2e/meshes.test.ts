// @module-tag long
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plateWithTwoHoles, stairs } from '../unit/core/geometry/solids'
import { chromium } from './chromium'
import { Editor, WebHostProcess } from './editor'
import { shots } from './shots'

const obj = ({ vertices, faces } = stairs(4)) => `${vertices.map(p => `v ${p.join(' ')}`).join('\n')}\n${faces.map(face => `f ${face.map(v => v + 1).join(' ')}`).join('\n')}\n`

describe.skipIf(!chromium)('a mesh file', () => {
  let host: WebHostProcess
  let editor: Editor

  beforeAll(async () => {
    host = new WebHostProcess()
    await host.start()
    editor = await Editor.open(host.url)
    await editor.page.keyboard.press('Alt+n')
    await editor.waitFor('untitled')
  })
  afterAll(async () => {
    expect(editor.faults).toEqual([])
    await editor.close()
    await host.stop()
    host.dispose()
  })

  const pieces = () => editor.page.getByRole('region', { name: 'Convex pieces' })

  it('is imported by the menu: cut into exact pieces, which are listed, drawn and undone', async () => {
    writeFileSync(join(host.folder, 'steps.obj'), obj())
    const chooser = editor.page.waitForEvent('filechooser')
    await editor.menu('Add', 'Mesh from file…')
    await (await chooser).setFiles(join(host.folder, 'steps.obj'))
    await editor.outlinerItem('steps')
    await pieces().getByText('4 convex pieces, together 100.0 % of the mesh’s 20 m³').waitFor()
    expect(await pieces().getByRole('row').count()).toBe(5)
    expect(await pieces().getByRole('checkbox', { name: 'Draw meshes as their pieces' }).isChecked()).toBe(true)
  })

  it('is decomposed again by other settings', async () => {
    await pieces().getByText('Decompose again').click()
    await pieces().getByRole('combobox', { name: 'Method' }).selectOption('voxels')
    const resolution = pieces().getByRole('textbox', { name: 'Resolution' })
    await resolution.fill('20')
    await resolution.press('Enter')
    await pieces().getByRole('button', { name: 'Decompose' }).click()
    await pieces().getByText(/^(?!4 )\d+ convex pieces/).waitFor()
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await pieces().getByText('4 convex pieces').waitFor()
  })

  it('is added by dropping it; a broken one is reported and changes nothing', async () => {
    const drop = async (name: string, text: string) => {
      const transfer = await editor.page.evaluateHandle(([file, content]) => {
        const data = new DataTransfer()
        data.items.add(new File([content!], file!))
        return data
      }, [name, text])
      await editor.viewport.dispatchEvent('drop', { dataTransfer: transfer })
    }
    await drop('other.obj', obj())
    await editor.outlinerItem('other')
    await drop('broken.obj', 'v 0 0 0\nf 1 2 3\n')
    await editor.page.getByRole('alert').getByText('broken.obj: OBJ, line 2: "2" does not refer to a vertex; there are 1 so far').waitFor()
    expect(await editor.page.getByRole('contentinfo', { name: 'Status' }).innerText()).toContain('2 bodies')
  })

  it('asks when a hole is closed: names it, and shows where the pieces reach beyond the mesh', async () => {
    if (!await pieces().getByRole('button', { name: 'Decompose' }).isVisible()) await pieces().getByText('Decompose again').click()
    const most = pieces().getByRole('textbox', { name: 'Pieces at most' })
    await most.fill('1')
    await most.press('Enter')
    await pieces().getByRole('combobox', { name: 'Method' }).selectOption('approximate')
    writeFileSync(join(host.folder, 'plate.obj'), obj(plateWithTwoHoles(0.1)))
    const chooser = editor.page.waitForEvent('filechooser')
    await editor.menu('Add', 'Mesh from file…')
    await (await chooser).setFiles(join(host.folder, 'plate.obj'))
    const question = editor.page.getByRole('dialog', { name: 'Use these convex pieces?' })
    await question.getByText('The hole of 0.1 m about (0.25, 0.25, 0.05) m is closed. The hole of 0.3 m about (0.75, 0.25, 0.05) m is closed.').waitFor()
    await question.getByRole('img', { name: /coloured by their distance beyond the mesh: from 0 to 0\.14 m/ }).waitFor()
    await shots(editor, 'decomposition-question')
    await question.getByRole('button', { name: 'Use them' }).click()
    await editor.outlinerItem('plate')
    await pieces().getByText('The hole of 0.1 m about (0.25, 0.25, 0.05) m is closed.').waitFor()
    const colours = pieces().getByRole('combobox', { name: 'Colours show' })
    expect(await colours.inputValue()).toBe('distance')
    await editor.page.keyboard.press('f')
    await shots(editor, 'decomposition-colours')
    await colours.selectOption('piece')
    await colours.selectOption('distance')
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await editor.page.getByRole('treeitem', { name: 'plate' }).waitFor({ state: 'detached' })
  })

  it('with an open surface is ground as it is, and a solid if that is wanted', async () => {
    // A gutter of three flat sides.
    const gutter = {
      vertices: [[0, 0, 1], [1, 0, 0], [2, 0, 0], [3, 0, 1], [0, 2, 1], [1, 2, 0], [2, 2, 0], [3, 2, 1]] as [number, number, number][],
      faces: [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6]],
    }
    writeFileSync(join(host.folder, 'gutter.obj'), obj(gutter))
    await (await editor.outlinerItem('steps')).click()
    if (!await pieces().getByRole('button', { name: 'Decompose' }).isVisible()) await pieces().getByText('Decompose again').click()
    await pieces().getByRole('combobox', { name: 'Method' }).selectOption('auto')
    const chooser = editor.page.waitForEvent('filechooser')
    await editor.menu('Add', 'Mesh from file…')
    await (await chooser).setFiles(join(host.folder, 'gutter.obj'))
    await editor.outlinerItem('gutter')
    await pieces().getByText('3 convex pieces').waitFor()
    expect(await editor.inspector.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('fixed')
    expect(await pieces().getByText(/its mass is that of its pieces/).count()).toBe(0)
    await shots(editor, 'open-surface')
    const message = editor.page.getByRole('list', { name: 'Messages' }).getByRole('listitem').filter({ hasText: 'gutter.obj is an open surface: bodies touch it as it is, by 3 plates up to 0.037 m deep behind it. It is fixed.' })
    await message.getByRole('button', { name: 'Make it a solid' }).click()
    await expect.poll(() => editor.inspector.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('dynamic')
    await pieces().getByText(/its mass is that of its pieces/).waitFor()
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await pieces().getByText('3 convex pieces').waitFor()
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await editor.page.getByRole('treeitem', { name: 'gutter', exact: true }).waitFor({ state: 'detached' })
  })

  it('of terrain is added from a table of heights; another is refused with the line', async () => {
    const add = async (name: string, text: string) => {
      writeFileSync(join(host.folder, name), text)
      const chooser = editor.page.waitForEvent('filechooser')
      await editor.menu('Add', 'Terrain from heights…')
      await (await chooser).setFiles(join(host.folder, name))
    }
    await add('hill.csv', '0,0,0\n0,0.5,0\n0,0,0\n')
    await editor.outlinerItem('hill')
    await editor.page.getByText('hill.csv: 3 × 3 heights, 4 × 4 m; the scale of its shape changes that').waitFor()
    expect(await editor.inspector.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('fixed')
    await shots(editor, 'terrain')
    await add('bad.csv', '0,1\n2,x\n')
    await editor.page.getByRole('alert').getByText('bad.csv, line 2: "x" is not a height. Allowed: numbers in metres.').waitFor()
    // Too large: refused by its size, before it is read.
    writeFileSync(join(host.folder, 'huge.csv'), '')
    truncateSync(join(host.folder, 'huge.csv'), 128 * 1024 * 1024 + 1)
    const chooser = editor.page.waitForEvent('filechooser')
    await editor.menu('Add', 'Terrain from heights…')
    await (await chooser).setFiles(join(host.folder, 'huge.csv'))
    await editor.page.getByRole('alert').getByText('huge.csv: It has 134217729 bytes. Allowed: at most 134217728.').waitFor()
    expect(await editor.page.getByRole('treeitem', { name: 'huge', exact: true }).count()).toBe(0)
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await editor.page.getByRole('treeitem', { name: 'hill', exact: true }).waitFor({ state: 'detached' })
  })

  it('is saved with its pieces', async () => {
    const download = join(host.root, 'steps.cairn.json')
    await editor.page.keyboard.press('Control+s')
    const dialog = editor.page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'File name' }).fill('steps.cairn.json')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor('steps.cairn.json')
    const scene = JSON.parse(readFileSync(download, 'utf8')) as { bodies: { shapes: { pieces: unknown[] }[] }[] }
    const [first, second] = scene.bodies.map(body => body.shapes[0]!.pieces.length)
    expect(first).toBe(4)
    // Dropped while the settings selected voxels.
    expect(second).toBeGreaterThan(4)
  })

  it('is exported to URDF as one archive, in which the names in the text are those of the files', async () => {
    await editor.page.keyboard.press('Control+e')
    const dialog = editor.page.getByRole('dialog', { name: 'Export scene' })
    await dialog.getByRole('combobox', { name: 'Format' }).selectOption('urdf')
    await dialog.getByText(/^steps\.zip: steps\.urdf \(/).waitFor()
    const { name, bytes } = await editor.saved(() => dialog.getByRole('button', { name: 'Save file…' }).click())
    expect(name).toBe('steps.zip')
    const files = unzipSync(bytes)
    const named = [...new TextDecoder().decode(files['steps.urdf']).matchAll(/filename="([^"]+)"/g)].map(([, file]) => file!)
    expect(named.length).toBeGreaterThan(3)
    for (const file of named) expect(new TextDecoder().decode(files[file])).toMatch(/^v /m)
  })
})
