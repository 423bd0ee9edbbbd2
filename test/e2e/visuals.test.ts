/** A robot with visuals, imported with its mesh: drawn with its visuals, its collision shapes, or both; its colours are changed. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { pixelsOf } from './pixels'
import { sitting } from './sitting'
import { pngOf } from '../unit/core/formats/picture-files'

const pictures = process.env.CAIRN_PICTURES
const shell = (name: string, inside: string): string => `<link name="${name}"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>${inside}</link>`
const leg = (x: number, y: number): string => `<visual><origin xyz="${x} ${y} -0.25" rpy="0.2 0 0"/><geometry><capsule radius="0.05" length="0.4"/></geometry><material name="g"><color rgba="0.2 0.6 0.4 1"/></material></visual>`
const ROBOT = `<robot name="r">${shell('trunk', `<visual><geometry><mesh filename="cover.obj"/></geometry><material name="o"><color rgba="1 0.5 0.1 1"/></material></visual>
  ${leg(0.3, 0.2)}${leg(-0.3, 0.2)}${leg(0.3, -0.2)}${leg(-0.3, -0.2)}<collision><origin xyz="0 0 -0.15"/><geometry><box size="0.9 0.5 0.7"/></geometry></collision>`)}</robot>`
const COVER = 'v -0.5 -0.25 0\nv 0.5 -0.25 0\nv 0.5 0.25 0\nv -0.5 0.25 0\nv -0.4 -0.15 0.2\nv 0.3 -0.15 0.2\nv 0.3 0.15 0.2\nv -0.4 0.15 0.2\n'
  + 'f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n'

/** A board with a picture of four stripes, and a fin whose corners are blue and yellow. */
const PAINTED = `<robot name="r">${shell('board', `<visual><geometry><mesh filename="painted.obj"/></geometry></visual><collision><geometry><box size="1 0.1 1"/></geometry></collision>`)}</robot>`
const PAINTED_OBJ = 'mtllib painted.mtl\nv -0.5 0 -0.5\nv 0.5 0 -0.5\nv 0.5 0 0.5\nv -0.5 0 0.5\nv 0.6 -0.1 -0.5 0 0 1\nv 1.4 -0.1 -0.5 0 0 1\nv 1.4 -0.1 0.5 1 1 0\nv 0.6 -0.1 0.5 1 1 0\n'
  + 'vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl paint\nf 1/1 2/2 3/3 4/4\nusemtl none\nf 5 6 7 8\n'
const STRIPES = pngOf(Array.from({ length: 16 }, (_, row) => Array.from({ length: 16 }, () => row < 8 ? [255, 0, 0] as const : [0, 255, 0] as const)))

/** Names of strong colours that cover at least a hundredth of the viewport. */
async function coloursOf(editor: Editor): Promise<string[]> {
  const size = (await editor.viewport.boundingBox())!
  const places = Array.from({ length: 400 }, (_, k): [number, number] => [(k % 20 + 0.5) / 20 * size.width, (Math.floor(k / 20) + 0.5) / 20 * size.height])
  const pixels = await pixelsOf(editor.page, (await editor.viewport.screenshot()).toString('base64'), places)
  const named = pixels.flatMap(([r, g, b]) => {
    const [red, green, blue] = [r!, g!, b!].map(light => light > 0.6 * Math.max(r!, g!, b!)) as [boolean, boolean, boolean]
    const least = Math.min(r!, g!, b!)
    if (least > 0.45 * Math.max(r!, g!, b!)) return []
    return red && green && !blue ? 'yellow' : red && !green && !blue ? 'red' : green && !red && !blue ? 'green' : blue && !red && !green ? 'blue' : []
  })
  return ['red', 'green', 'blue', 'yellow'].filter(name => named.filter(one => one === name).length >= 4)
}

describe.skipIf(!chromium)('a robot with visuals', () => {
  let editor: Editor
  const host = sitting({ ready: async opened => {
    editor = opened
    await editor.waitFor('block-on-an-incline')
  } })

  const picturesOf = async (name: string): Promise<void> => {
    if (pictures === undefined) return
    for (const theme of ['dark', 'light'] as const) {
      await editor.page.emulateMedia({ colorScheme: theme })
      for (const [width, height] of [[1440, 900], [1024, 700]] as const) {
        await editor.page.setViewportSize({ width, height })
        await editor.page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`) })
      }
    }
    await editor.page.setViewportSize({ width: 1440, height: 900 })
  }
  const draw = async (by: string): Promise<void> => {
    await editor.page.getByRole('button', { name: /^Show/ }).click()
    await editor.page.getByLabel('Bodies drawn by').selectOption({ label: by })
    await editor.page.keyboard.press('Escape')
  }
  /** Pixels of the view, read in the page. */
  const view = async (): Promise<string> => (await editor.viewport.screenshot()).toString('base64')

  it('is imported by dropping the file and its mesh on the view', async () => {
    const { page } = editor
    const transfer = await page.evaluateHandle(([robot, cover]) => {
      const data = new DataTransfer()
      data.items.add(new File([robot!], 'robot.urdf'))
      data.items.add(new File([cover!], 'cover.obj'))
      return data
    }, [ROBOT, COVER])
    await editor.viewport.dispatchEvent('drop', { dataTransfer: transfer })
    const dialog = page.getByRole('dialog', { name: 'Import scene' })
    await dialog.getByLabel('Ground at z = 0').check()
    await dialog.getByLabel(/^Height of the root/).fill('0.5')
    await dialog.getByLabel(/^Height of the root/).press('Tab')
    await dialog.getByText('added at z = 0').waitFor()
    await dialog.getByText('5 visuals').waitFor()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await editor.waitFor('robot.cairn.json')
    await page.keyboard.press('Shift+F')
  })

  it('lists the visuals, and changes their colour', async () => {
    const { page } = editor
    await page.getByRole('treeitem', { name: /trunk/ }).click()
    await page.getByText('seen in place of the shapes').click()
    const before = await view()
    await page.getByLabel('Colour of visual 1').fill('#3060ff')
    await page.getByText('cover, 6 faces').waitFor()
    await picturesOf('visuals-inspector')
    await expect.poll(view).not.toBe(before)
  })

  it('is drawn by its visuals, by its collision shapes, or by both', async () => {
    await picturesOf('visuals')
    const seen = await view()
    await draw('collision shapes')
    await expect.poll(view).not.toBe(seen)
    await picturesOf('visuals-shapes')
    const shapes = await view()
    await draw('visuals and collision shapes')
    await expect.poll(view).not.toBe(shapes)
    await picturesOf('visuals-both')
    await draw('visuals')
  })

  it('darkens the ground below it where soft contact shadows are asked for', async () => {
    const { page } = editor
    const before = await view()
    await page.getByRole('button', { name: /^Show/ }).click()
    await page.getByLabel('Soft contact shadows').check()
    await page.keyboard.press('Escape')
    await expect.poll(view).not.toBe(before)
    await picturesOf('visuals-shadows')
  })

  it('shows the pictures and the colours of vertices of imported meshes, saves them, and opens them again', async () => {
    const { page } = editor
    const transfer = await page.evaluateHandle(([robot, obj, mtl, picture]) => {
      const data = new DataTransfer()
      data.items.add(new File([robot!], 'painted.urdf'))
      data.items.add(new File([obj!], 'painted.obj'))
      data.items.add(new File([mtl!], 'painted.mtl'))
      data.items.add(new File([Uint8Array.from(atob(picture!), c => c.charCodeAt(0))], 'stripes.png'))
      return data
    }, [PAINTED, PAINTED_OBJ, 'newmtl paint\nKd 1 1 1\nmap_Kd stripes.png\n', Buffer.from(STRIPES).toString('base64')])
    await editor.viewport.dispatchEvent('drop', { dataTransfer: transfer })
    const dialog = page.getByRole('dialog', { name: 'Import scene' })
    await dialog.getByText('2 visuals').waitFor()
    expect(await dialog.getByText(/texture|colour/).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('dialog', { name: 'Save changes?' }).getByRole('button', { name: 'Don’t save' }).click()
    await editor.waitFor('painted.cairn.json')
    await page.keyboard.press('Shift+F')
    await expect.poll(() => coloursOf(editor)).toEqual(expect.arrayContaining(['red', 'green', 'blue', 'yellow']))
    await picturesOf('textures')
    await page.keyboard.press('Control+s')
    const saving = page.getByRole('dialog', { name: 'Save as' })
    await saving.getByRole('button', { name: 'Save' }).click()
    await saving.waitFor({ state: 'detached' })
    await expect.poll(() => page.title()).not.toContain('●')
    expect(readFileSync(join(host.root, 'painted.cairn.json'), 'utf8')).toContain('"textures"')
    await editor.openExample('Block on an incline')
    await editor.waitFor('block-on-an-incline')
    await expect.poll(() => coloursOf(editor)).not.toContain('yellow')
    await page.keyboard.press('Control+o')
    await page.getByRole('dialog', { name: 'Open' }).getByRole('button', { name: /^painted\.cairn/ }).dblclick()
    await editor.waitFor('painted')
    await page.keyboard.press('Shift+F')
    await expect.poll(() => coloursOf(editor)).toEqual(expect.arrayContaining(['red', 'green', 'blue', 'yellow']))
  })

  const drop = async (...files: (readonly [name: string, content: Uint8Array | string])[]) => {
    const transfer = await editor.page.evaluateHandle(list => {
      const data = new DataTransfer()
      for (const [name, content] of list) data.items.add(new File([Uint8Array.from(atob(content), c => c.charCodeAt(0))], name))
      return data
    }, files.map(([name, content]) => [name, Buffer.from(content).toString('base64')] as const))
    await editor.viewport.dispatchEvent('drop', { dataTransfer: transfer })
  }
  const newScene = async () => {
    await editor.menu('File', 'New scene')
    const discard = editor.page.getByRole('dialog', { name: 'Save changes?' }).getByRole('button', { name: 'Don’t save' })
    const empty = editor.page.getByText('Add a shape (Shift+A), open an example')
    await discard.or(empty).first().waitFor()
    if (await discard.isVisible()) await discard.click()
    await empty.waitFor()
  }
  /** A cube of 2 units with stripes on every side. */
  const CUBE = 'mtllib cube.mtl\nv -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl paint\n'
    + [[4, 3, 2, 1], [5, 6, 7, 8], [1, 2, 6, 5], [2, 3, 7, 6], [3, 4, 8, 7], [4, 1, 5, 8]].map(face => `f ${face.map((v, k) => `${v}/${k + 1}`).join(' ')}\n`).join('')
  const MTL = 'newmtl paint\nKd 1 1 1\nmap_Kd stripes.png\n'

  it('a mesh file dropped with its library and picture is a body that looks like it, and its pieces are shown when asked for', async () => {
    const { page } = editor
    await newScene()
    await drop(['cube.obj', CUBE], ['cube.mtl', MTL], ['stripes.png', STRIPES])
    await page.getByText('cube.obj: 1 exact convex piece, 100.0 % of its volume').waitFor()
    await page.keyboard.press('f')
    await expect.poll(() => coloursOf(editor)).toEqual(expect.arrayContaining(['red', 'green']))
    await picturesOf('mesh-with-look')
    const pieces = page.getByRole('checkbox', { name: 'Draw meshes as their pieces' })
    expect(await pieces.isChecked()).toBe(false)
    await pieces.check()
    await expect.poll(() => coloursOf(editor)).not.toContain('red')
    await pieces.uncheck()
    // One edit: undone, nothing of it remains, and redone it looks the same.
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('treeitem', { name: 'cube', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByRole('treeitem', { name: 'cube', exact: true }).click()
    await page.keyboard.press('f')
    await expect.poll(() => coloursOf(editor)).toEqual(expect.arrayContaining(['red', 'green']))
  })

  it('the look follows the scale of the mesh', async () => {
    const { page } = editor
    const before = await view()
    const scale = page.getByRole('region', { name: 'Shapes' }).getByRole('textbox', { name: 'Scale' })
    await scale.fill('0.4')
    await scale.press('Enter')
    await expect.poll(view).not.toBe(before)
    // What moves is still in the picture, and fills it again from near.
    await page.getByRole('treeitem', { name: 'cube', exact: true }).click()
    await page.keyboard.press('f')
    await expect.poll(() => coloursOf(editor)).toEqual(expect.arrayContaining(['red', 'green']))
  })

  it('a mesh in millimetres is made smaller by one click', async () => {
    const { page } = editor
    await newScene()
    await drop(['cube.obj', CUBE.replaceAll(/^v (.*)$/gm, (_, p: string) => `v ${p.split(' ').map(x => 25 * Number(x)).join(' ')}`)], ['cube.mtl', MTL], ['stripes.png', STRIPES])
    const message = page.getByRole('list', { name: 'Messages' }).getByRole('listitem').filter({ hasText: 'cube.obj is 50 m wide.' })
    await message.getByRole('button', { name: 'It is in millimetres' }).click()
    await expect.poll(() => page.getByRole('region', { name: 'Shapes' }).getByRole('textbox', { name: 'Scale' }).inputValue()).toBe('0.001')
    await page.keyboard.press('f')
    await expect.poll(() => coloursOf(editor)).toEqual(expect.arrayContaining(['red', 'green']))
    await page.getByText('1 convex piece, together 100.0 % of the mesh’s').waitFor()
  })

  it('says which files are missing, and when a picture cannot be decoded', async () => {
    const { page } = editor
    await newScene()
    await drop(['cube.obj', CUBE])
    await page.getByText('cube.mtl, with colours or textures, is missing: choose or drop it together with the mesh.').waitFor()
    // The header of a PNG, without its contents.
    await drop(['other.obj', CUBE], ['cube.mtl', MTL], ['stripes.png', STRIPES.subarray(0, 40)])
    await page.getByRole('alert').getByText('Textures that cannot be read and are not drawn: 1').waitFor()
    await page.getByRole('treeitem', { name: 'other', exact: true }).waitFor()
    expect(await coloursOf(editor)).not.toContain('green')
  })
})
