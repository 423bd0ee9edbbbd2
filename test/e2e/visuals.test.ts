/** A robot with visuals, imported with its mesh: drawn with its visuals, its collision shapes, or both; its colours are changed. */

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const pictures = process.env.CAIRN_PICTURES
const shell = (name: string, inside: string): string => `<link name="${name}"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>${inside}</link>`
const leg = (x: number, y: number): string => `<visual><origin xyz="${x} ${y} -0.25" rpy="0.2 0 0"/><geometry><capsule radius="0.05" length="0.4"/></geometry><material name="g"><color rgba="0.2 0.6 0.4 1"/></material></visual>`
const ROBOT = `<robot name="r">${shell('trunk', `<visual><geometry><mesh filename="cover.obj"/></geometry><material name="o"><color rgba="1 0.5 0.1 1"/></material></visual>
  ${leg(0.3, 0.2)}${leg(-0.3, 0.2)}${leg(0.3, -0.2)}${leg(-0.3, -0.2)}<collision><origin xyz="0 0 -0.15"/><geometry><box size="0.9 0.5 0.7"/></geometry></collision>`)}</robot>`
const COVER = 'v -0.5 -0.25 0\nv 0.5 -0.25 0\nv 0.5 0.25 0\nv -0.5 0.25 0\nv -0.4 -0.15 0.2\nv 0.3 -0.15 0.2\nv 0.3 0.15 0.2\nv -0.4 0.15 0.2\n'
  + 'f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n'

describe.skipIf(!chromium)('a robot with visuals', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.waitFor('block-on-an-incline')
  } })

  const picturesOf = async (name: string): Promise<void> => {
    if (pictures === undefined) return
    for (const theme of ['dark', 'light']) {
      if (await editor.page.locator('html').getAttribute('data-theme') !== theme) await editor.page.keyboard.press('Alt+T')
      for (const [width, height] of [[1440, 900], [1024, 700]] as const) {
        await editor.page.setViewportSize({ width, height })
        await editor.page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`) })
      }
    }
  }
  const draw = async (by: string): Promise<void> => {
    await editor.page.getByRole('button', { name: /^Show/ }).click()
    await editor.page.getByLabel('Bodies drawn by').selectOption({ label: by })
    await editor.page.keyboard.press('Escape')
  }
  /** The view's pixels, as the page has them. */
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
    await editor.waitFor('painted.cairn.json')
    await page.keyboard.press('Shift+F')
    await expect.poll(() => coloursOf(editor)).toEqual(expect.arrayContaining(['red', 'green', 'blue', 'yellow']))
    await picturesOf('textures')
    const text = await editor.saveAs('painted')
    expect(text).toContain('"textures"')
    await editor.open('block-on-an-incline')
    expect(await coloursOf(editor)).not.toContain('red')
    await editor.open('painted')
    await page.keyboard.press('Shift+F')
    await expect.poll(() => coloursOf(editor)).toEqual(expect.arrayContaining(['red', 'green', 'blue', 'yellow']))
  })
})
