// @module-tag long
/** A round cloth, a cloth of a mesh file and of a body's mesh, and a rope between two picked points are added as a person would. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Deformable, Scene } from '../../core/scene'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const post = (id: string, name: string, x: number) => ({ id, name, type: 'fixed', position: [x, 0, 0.5], shapes: [{ type: 'box', size: [0.3, 0.3, 1], material: 'wood' }] })
const scene = {
  format: 'cairn-scene', version: 1, name: 'Soft', materials: [{ id: 'wood', density: 500 }],
  meshes: [{ id: 'roof', vertices: [[-0.3, -0.3, 0], [0.3, -0.3, 0], [0.3, 0.3, 0.2], [-0.3, 0.3, 0.2]], faces: [[0, 1, 2, 3]] }],
  bodies: [post('left', 'Left', -1), { ...post('right', 'Right', 1), visuals: [{ type: 'mesh', mesh: 'roof' }] }],
  simulation: { duration: 0.1, outputRate: 60, method: 'time-stepping' },
}
const HILL = ['v -0.5 -0.5 0', 'v 0.5 -0.5 0', 'v 0.5 0.5 0', 'v -0.5 0.5 0', 'v 0 0 0.3', 'f 1 2 5', 'f 2 3 5', 'f 3 4 5', 'f 4 1 5'].join('\n')

describe.skipIf(!chromium)('a person who adds cloth and ropes', () => {
  let editor: Editor
  const host = sitting({
    scene: 'soft.cairn.json', files: { 'soft.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('soft')
      await editor.viewport.locator('canvas').first().focus()
      for (const key of ['1', 'Home']) await editor.page.keyboard.press(key)
    },
  })
  const item = (name: string) => editor.page.getByRole('treeitem', { name, exact: true })
  const saved = async (): Promise<readonly Deformable[]> => {
    await editor.page.keyboard.press('Control+s')
    await expect.poll(() => editor.page.title()).not.toContain('●')
    return (JSON.parse(readFileSync(join(host.root, 'soft.cairn.json'), 'utf8')) as Scene).deformables ?? []
  }
  const undo = async () => {
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('Control+z')
    await expect.poll(() => editor.page.title()).toContain('●')
  }

  it('adds a round cloth, and undoes it', async () => {
    await editor.menu('Add', 'Deformable', 'Round cloth')
    const [cloth] = await saved()
    expect(cloth).toMatchObject({ id: 'cloth', type: 'cloth', pins: [0] })
    await undo()
    expect(await saved()).toEqual([])
  })

  it('adds the surface of a mesh file as cloth', async () => {
    const chooser = editor.page.waitForEvent('filechooser')
    await editor.menu('Add', 'Deformable', 'Cloth from mesh file…')
    await (await chooser).setFiles({ name: 'hill.obj', mimeType: 'text/plain', buffer: Buffer.from(HILL) })
    await item('hill').waitFor()
    const [cloth] = await saved()
    expect(cloth).toMatchObject({ id: 'cloth', name: 'hill', triangles: [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]] })
    await shots(editor, 'cloth-from-file')
    await undo()
  })

  it('asks whether a mesh of a thousand metres is in millimetres', async () => {
    const large = HILL.replace(/^v .*$/gm, line => line.split(' ').map((word, k) => k === 0 ? word : String(1000 * Number(word))).join(' '))
    const chooser = editor.page.waitForEvent('filechooser')
    await editor.menu('Add', 'Deformable', 'Cloth from mesh file…')
    await (await chooser).setFiles({ name: 'plan.obj', mimeType: 'text/plain', buffer: Buffer.from(large) })
    await editor.page.getByText(/^plan\.obj is \d+ m wide\.$/).waitFor()
    // The view shows it as a whole.
    await editor.rests()
    expect(await editor.page.getByText('Nothing that moves is in the picture.').count()).toBe(0)
    await shots(editor, 'cloth-from-large-file')
    const width = ([cloth]: Awaited<ReturnType<typeof saved>>) => cloth?.type === 'cloth' ? Math.max(...cloth.vertices.map(([x]) => x)) - Math.min(...cloth.vertices.map(([x]) => x)) : 0
    const wide = width(await saved())
    await editor.page.getByRole('button', { name: 'It is in millimetres' }).click()
    await expect.poll(() => editor.page.title()).toContain('●')
    expect(width(await saved()) / wide).toBeCloseTo(1e-3, 6)
    await undo()
    await undo()
    for (const key of ['1', 'Home']) await editor.page.keyboard.press(key)
  })

  it('says what is wrong with a file that is no mesh', async () => {
    const chooser = editor.page.waitForEvent('filechooser')
    await editor.menu('Add', 'Deformable', 'Cloth from mesh file…')
    await (await chooser).setFiles({ name: 'bad.obj', mimeType: 'text/plain', buffer: Buffer.from('v 0 0 zero\nf 1 2 3') })
    await editor.page.getByText(/^bad\.obj: /).waitFor()
    await shots(editor, 'cloth-from-bad-file')
    await editor.page.getByRole('button', { name: 'Dismiss' }).first().click()
    expect(await saved()).toEqual([])
  })

  it('adds the mesh that a body shows as cloth', async () => {
    await item('Left').click()
    await editor.menu('Add', 'Deformable')
    expect(await editor.page.getByRole('menuitem', { name: 'Cloth from mesh of selected body' }).getAttribute('data-disabled')).not.toBeNull()
    await shots(editor, 'deformable-menu')
    for (const key of ['Escape', 'Escape']) await editor.page.keyboard.press(key)
    await item('Right').click()
    await editor.menu('Add', 'Deformable', 'Cloth from mesh of selected body')
    const [cloth] = await saved()
    expect(cloth).toMatchObject({ type: 'cloth', name: 'Cloth of Right', triangles: [[3, 0, 1], [1, 2, 3]] })
    await shots(editor, 'cloth-from-body')
    await undo()
  })

  it('adds a rope by two clicks, attached to both bodies; Escape cancels', async () => {
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    const click = async (name: string) => {
      await item(name).click()
      await editor.viewport.locator('canvas').first().focus()
      await editor.page.keyboard.press('f')
      await editor.rests()
      await editor.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    }
    await editor.menu('Add', 'Deformable', 'Rope between two points…')
    await editor.page.getByText('Click where the rope begins.').waitFor()
    await editor.page.keyboard.press('Escape')
    await editor.page.getByText('Click where the rope begins.').waitFor({ state: 'detached' })
    expect(await saved()).toEqual([])
    await editor.menu('Add', 'Deformable', 'Rope between two points…')
    await click('Left')
    await editor.page.getByText('Click where it ends.').waitFor()
    await click('Right')
    await item('Rope').waitFor()
    const [rope] = await saved()
    expect(rope).toMatchObject({ type: 'rope', attachments: [{ vertex: 0, body: 'left' }, { body: 'right' }] })
    if (rope?.type !== 'rope') throw new Error(rope?.type)
    expect(rope.points[0]![0]).toBeCloseTo(-1, 1)
    expect(rope.points[1]![0]).toBeCloseTo(1, 1)
    expect(rope.points[0]![1]).toBeCloseTo(-0.16, 3)
    await undo()
    expect(await saved()).toEqual([])
  })
})
