import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Scene } from '../../core/scene'
import type { Vec3 } from '../../core/math/vector'
import { DEFAULT_CAMERA } from '../../renderer/state/view'
import { framePoints, toStandardView } from '../../renderer/viewport/camera/camera-state'
import { project, toPixel, type Projection } from '../../renderer/viewport/camera/projection'
import { cornersOf, middleOf, poseScene } from '../../renderer/viewport/posed-scene'
import { chromium } from './chromium'
import { Editor, WebHostProcess } from './editor'
import { contactModesNear, pixelsOf } from './pixels'
import { shots } from './shots'

const scene: Scene = {
  format: 'cairn-scene', version: 1, name: 'Two boxes and a ball',
  materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, color: '#c39a6b' }],
  bodies: [
    { id: 'ground', name: 'Ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'left', name: 'Left box', position: [-1, 0, 0.25], shapes: [{ type: 'box', size: [0.5, 0.5, 0.5], material: 'wood' }] },
    { id: 'right', name: 'Right box', position: [1, 0, 0.25], shapes: [{ type: 'box', size: [0.5, 0.5, 0.5], material: 'wood' }] },
    { id: 'ball', name: 'Ball', position: [0, 0, 0.3], shapes: [{ type: 'sphere', radius: 0.3, material: 'wood' }] },
  ],
  simulation: { duration: 0.25, outputRate: 60 },
}

/** The canvas has no roles: points in it are computed from the front view of everything. */
describe.skipIf(!chromium)('the viewport', () => {
  const host = new WebHostProcess()
  let editor: Editor
  let corner = { x: 0, y: 0 }
  let view: Projection

  beforeAll(async () => {
    writeFileSync(join(host.root, 'three.cairn.json'), JSON.stringify(scene))
    await host.start({ scene: 'three.cairn.json' })
    editor = await Editor.open(host.url, { resolution: 'full', motion: 'full' })
    await editor.waitFor('three')
  })
  beforeEach(async () => {
    const { page } = editor
    await editor.workspace('Compose')
    await editor.viewport.locator('canvas').first().focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('q')
    await page.keyboard.press('1')
    await page.keyboard.press('Shift+F')
    await measure()
  })
  afterAll(async () => {
    await editor?.close()
    await host.stop()
    host.dispose()
  })

  /** Positions after the camera has moved to the front view of everything. */
  const measure = async () => {
    await editor.page.waitForTimeout(400)
    const bounds = (await editor.viewport.locator('canvas').first().boundingBox())!
    corner = { x: bounds.x, y: bounds.y }
    const box = poseScene(scene, null, null).bounds()!
    const camera = framePoints(toStandardView(DEFAULT_CAMERA, 'front'), middleOf(box), cornersOf(box), bounds.width / bounds.height)
    view = project(camera, bounds.width, bounds.height, { center: middleOf(box), radius: 5 }, [0, 0, 0])
  }
  const at = (point: Vec3): [number, number] => {
    const [x, y] = toPixel(view, point)!
    return [corner.x + x, corner.y + y]
  }
  const selected = () => editor.page.locator('[role="treeitem"][aria-selected="true"]').evaluateAll(items => items.map(item => item.getAttribute('aria-label')))
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    await editor.page.mouse.move(...from)
    await editor.page.mouse.down()
    await editor.page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)
    await editor.page.mouse.move(...to)
    await editor.page.mouse.up()
  }
  const positionOf = async (name: string) => {
    await (await editor.outlinerItem(name)).click()
    const fields = editor.inspector.getByRole('group', { name: 'Position' }).first().getByRole('textbox')
    return Promise.all([0, 1, 2].map(async k => Number((await fields.nth(k).inputValue()).replace('−', '-'))))
  }

  it('selects the body that is clicked, more with Shift, none with a click on nothing', async () => {
    await editor.page.mouse.click(...at([-1, -0.25, 0.25]))
    expect(await selected()).toEqual(['Left box'])
    await editor.page.keyboard.down('Shift')
    await editor.page.mouse.click(...at([0, -0.3, 0.3]))
    await editor.page.keyboard.up('Shift')
    expect(await selected()).toEqual(['Left box', 'Ball'])
    await editor.page.mouse.click(...at([0, 0, 1.2]))
    expect(await selected()).toEqual([])
  })

  it('selects the bodies in a dragged rectangle', async () => {
    await drag(at([-0.5, -0.3, 0.9]), at([1.5, -0.3, 0.1]))
    expect(await selected()).toEqual(['Right box', 'Ball'])
  })

  it('does not select hidden bodies', async () => {
    await (await editor.outlinerItem('Left box')).click()
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('h')
    await editor.page.keyboard.press('Escape')
    await editor.page.mouse.click(...at([-1, -0.25, 0.25]))
    expect(await selected()).not.toContain('Left box')
    await editor.page.keyboard.press('Alt+h')
    await editor.page.mouse.click(...at([-1, -0.25, 0.25]))
    expect(await selected()).toEqual(['Left box'])
  })

  it('moves a body by its gizmo onto the grid in one undoable step', async () => {
    await editor.page.mouse.click(...at([-1, -0.25, 0.25]))
    await editor.page.keyboard.press('w')
    const [x, y] = at([-1, 0, 0.25])
    const [far] = at([-0.38, 0, 0.25])
    await drag([x + 60, y], [far + 60, y + 8])
    expect(await positionOf('Left box')).toEqual([-0.4, 0, 0.25])
    await editor.page.keyboard.press('Control+z')
    expect(await positionOf('Left box')).toEqual([-1, 0, 0.25])
    await editor.page.keyboard.press('Control+Shift+z')
    expect(await positionOf('Left box')).toEqual([-0.4, 0, 0.25])
    await editor.page.keyboard.press('Control+z')
  })

  it('stands a body on another one that it is dragged onto with Alt, as the tool says', async () => {
    await editor.page.getByRole('radio', { name: 'Move', exact: true }).hover()
    await editor.page.getByRole('tooltip').getByText(/With Alt, the middle snaps to corners, edges and faces/).waitFor()
    await editor.page.mouse.click(...at([0, -0.3, 0.3]))
    await editor.page.keyboard.press('w')
    const { mouse, keyboard } = editor.page
    await mouse.move(...at([0, 0, 0.3]))
    await mouse.down()
    await keyboard.down('Alt')
    // A little below the upper edge of the box's front face, to which the pointer snaps.
    await mouse.move(...at([0.5, -0.25, 0.4]))
    await mouse.move(...at([1, -0.25, 0.49]))
    await mouse.up()
    await keyboard.up('Alt')
    const [x, y, z] = await positionOf('Ball')
    expect(x).toBeCloseTo(1, 1)
    // Against the front face, with the ball's centre as far before the edge as its radius.
    expect(y).toBeCloseTo(-0.55, 3)
    expect(z).toBeCloseTo(0.5, 3)
    await keyboard.press('Control+z')
    expect(await positionOf('Ball')).toEqual([0, 0, 0.3])
  })

  it('cancels a drag on Escape', async () => {
    await editor.page.mouse.click(...at([1, -0.25, 0.25]))
    await editor.page.keyboard.press('w')
    const [x, y] = at([1, 0, 0.25])
    await editor.page.mouse.move(x, y - 60)
    await editor.page.mouse.down()
    await editor.page.mouse.move(x, y - 160)
    await editor.page.keyboard.press('Escape')
    await editor.page.mouse.move(x, y - 200)
    await editor.page.mouse.up()
    expect(await positionOf('Right box')).toEqual([1, 0, 0.25])
  })

  it('turns a body by its ring in increments', async () => {
    await editor.page.mouse.click(...at([1, -0.25, 0.25]))
    await editor.page.keyboard.press('e')
    const [x, y] = at([1, 0, 0.25])
    const ring = (degrees: number): [number, number] => [x + 78 * Math.cos(degrees * Math.PI / 180), y - 78 * Math.sin(degrees * Math.PI / 180)]
    await editor.page.mouse.move(...ring(-20))
    await editor.page.mouse.down()
    await editor.page.mouse.move(...ring(0))
    await editor.page.mouse.move(...ring(12))
    await editor.page.mouse.up()
    await editor.page.keyboard.press('Control+s')
    await expect.poll(() => (JSON.parse(readFileSync(join(host.root, 'three.cairn.json'), 'utf8')) as Scene).bodies![2]!.orientation).toBeDefined()
    const [qx, qy, qz, qw] = (JSON.parse(readFileSync(join(host.root, 'three.cairn.json'), 'utf8')) as Scene).bodies![2]!.orientation!
    expect([qx, qz]).toEqual([0, 0])
    // Anticlockwise in the front view is about −y; 32° is nearest to 30° in steps of 5°.
    expect(2 * Math.atan2(qy, qw) * 180 / Math.PI).toBeCloseTo(-30, 6)
    await editor.page.keyboard.press('Control+z')
    await editor.page.keyboard.press('Control+s')
  })

  it('changes the size of a box by one face, with the opposite face fixed', async () => {
    await editor.page.mouse.click(...at([1, -0.25, 0.25]))
    await editor.page.keyboard.press('r')
    await drag(at([1.25, 0, 0.25]), at([1.46, 0, 0.25]))
    await editor.page.keyboard.press('Control+s')
    const shape = () => (JSON.parse(readFileSync(join(host.root, 'three.cairn.json'), 'utf8')) as Scene).bodies![2]!.shapes![0]
    await expect.poll(shape).toMatchObject({ size: [0.7, 0.5, 0.5], position: [0.1, 0, 0] })
    await editor.page.keyboard.press('Control+z')
    await editor.page.keyboard.press('Control+s')
    await expect.poll(shape).toMatchObject({ size: [0.5, 0.5, 0.5] })
  })

  it('shows contacts in the colour of their mode, and opens the one that is clicked', async () => {
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    await expect.poll(() => editor.contacts.locator('tbody tr').count()).toBe(9)
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('1')
    await editor.page.keyboard.press('Shift+F')
    await measure()
    const [x, y] = at([-1.25, -0.25, 0])
    await expect.poll(() => contactModesNear(editor.page, x, y), { timeout: 20_000 }).toContain('sticking')
    await editor.page.mouse.click(x, y)
    await editor.page.locator('dl[aria-label="Contact"]').waitFor()
    const force = Number(await editor.page.locator('dl[aria-label="Contact"] [data-value]').first().getAttribute('data-value'))
    expect(force).toBeCloseTo(700 * 0.125 * 9.81 / 4, 9)
  })

  it('is saved as a picture of the canvas\'s own pixels, with what is drawn in it', async () => {
    const saving = editor.page.waitForEvent('download')
    await editor.menu('File', 'Save picture…')
    const png = readFileSync((await (await saving).path()))
    expect([...png.subarray(1, 4)].map(code => String.fromCharCode(code)).join('')).toBe('PNG')
    const bounds = (await editor.viewport.locator('canvas').first().boundingBox())!
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([Math.round(bounds.width), Math.round(bounds.height)])
    const [x, y] = at([1.1, -0.25, 0.35])
    const [bodyColor, skyColor] = await pixelsOf(editor.page, png.toString('base64'), [[x - corner.x, y - corner.y], [30, 60]])
    // Wood has more red than blue; the background of the dark theme has more blue.
    expect(bodyColor![0]! - bodyColor![2]!).toBeGreaterThan(25)
    expect(skyColor![2]! - skyColor![0]!).toBeGreaterThan(4)
  })

  it('is drawn at the chosen resolution, and picking still works', async () => {
    const canvas = editor.viewport.locator('canvas').first()
    const pixelsAlong = () => canvas.evaluate(element => (element as HTMLCanvasElement).width / element.clientWidth)
    const choose = async (resolution: string) => {
      await editor.page.getByRole('button', { name: 'Show ▾' }).click()
      await editor.page.getByRole('combobox', { name: 'Resolution' }).selectOption(resolution)
      await editor.page.keyboard.press('Escape')
    }
    expect(await pixelsAlong()).toBeCloseTo(1, 2)
    await choose('a quarter')
    await expect.poll(pixelsAlong).toBeCloseTo(0.25, 2)
    await shots(editor, 'quarter', () => editor.page.getByRole('button', { name: 'Show ▾' }).click())
    await editor.page.mouse.click(...at([-1, -0.25, 0.25]))
    expect(await selected()).toEqual(['Left box'])
    await choose('full')
    await expect.poll(pixelsAlong).toBeCloseTo(1, 2)
  })

  it('turns with the cube in its corner and with the keyboard', async () => {
    await editor.page.keyboard.press('0')
    await editor.page.getByRole('button', { name: 'Top view' }).click()
    await expect.poll(() => editor.page.getByRole('button', { name: 'Front view' }).count()).toBe(0)
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => editor.page.getByRole('button', { name: 'Front view' }).count()).toBe(1)
  })

  it('puts a shape that is dragged onto a surface there', async () => {
    const [x, y] = at([1, -0.25, 0.3])
    await editor.page.getByRole('button', { name: 'Add ▾' }).click()
    await editor.page.getByRole('button', { name: 'Sphere', exact: true }).dragTo(editor.viewport.locator('canvas').first(), { targetPosition: { x: x - corner.x, y: y - corner.y } })
    const [px, py, pz] = await positionOf('Sphere')
    // The pointer falls on whole pixels. The sphere of 0.25 m stands on the box, on whose side there is no place to stand: it does not overlap it.
    expect(Math.abs(px! - 1)).toBeLessThan(0.02)
    expect(Math.abs(py! + 0.25)).toBeLessThan(0.02)
    expect(pz).toBe(0.75)
    await editor.page.getByRole('contentinfo', { name: 'Status' }).getByText('0 errors').waitFor()
    await editor.page.keyboard.press('Control+z')
    await editor.page.getByRole('treeitem', { name: 'Sphere', exact: true }).waitFor({ state: 'detached' })
  })

  it('picks the anchor and the direction of a new joint', async () => {
    await editor.page.mouse.click(...at([-1, -0.25, 0.25]))
    await editor.panel('Joints')
    await editor.page.getByRole('button', { name: 'New joint' }).first().click()
    const form = editor.page.getByRole('form', { name: 'New joint' })
    const values = async (name: string) => Promise.all(['x', 'y', 'z'].map(async axis => Number((await form.getByRole('textbox', { name: `${name} ${axis}` }).inputValue()).replace('−', '-'))))
    await form.getByRole('button', { name: 'Pick the anchor' }).click()
    await editor.page.getByText('Click the anchor on a body.').waitFor()
    await editor.page.mouse.click(...at([-0.9, -0.25, 0.35]))
    await expect.poll(async () => (await values('Anchor')).map((v, k) => Math.abs(v - [-0.9, -0.25, 0.35][k]!) < 0.02)).toEqual([true, true, true])
    await form.getByRole('button', { name: 'Pick the axis' }).click()
    await editor.page.mouse.click(...at([-1, -0.25, 0.48]))
    await expect.poll(async () => (await values('Axis')).map(Math.abs)).toEqual([1, 0, 0])
    await form.getByRole('button', { name: 'Pick the axis' }).click()
    await editor.page.mouse.click(...at([-1.23, -0.25, 0.25]))
    await expect.poll(async () => (await values('Axis')).map(Math.abs)).toEqual([0, 0, 1])
    await form.getByRole('button', { name: 'Create joint' }).click()
    await editor.outlinerItem('Hinge')
    await editor.page.keyboard.press('Control+z')
  })

  it('is redrawn after its WebGL context was lost', async () => {
    await editor.page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas.picture')!
      canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!.loseContext()
    })
    await expect.poll(() => editor.page.evaluate(() => document.querySelector<HTMLCanvasElement>('canvas.picture')!.getContext('webgl2')!.isContextLost())).toBe(false)
    await editor.page.mouse.click(...at([1, -0.25, 0.25]))
    expect(await selected()).toEqual(['Right box'])
  })

  it('threw nothing and logged no error', () => {
    expect(editor.faults).toEqual([])
  })
})
