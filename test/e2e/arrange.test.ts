/** What puts bodies in place exactly: equal gaps, steps by keys, and one point onto another. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scene } from '../../core/scene'
import type { Vec3 } from '../../core/math/vector'
import { DEFAULT_CAMERA } from '../../renderer/state/view'
import { framePoints, toStandardView } from '../../renderer/viewport/camera/camera-state'
import { project, toPixel, type Projection } from '../../renderer/viewport/camera/projection'
import { cornersOf, middleOf, poseScene } from '../../renderer/viewport/posed-scene'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const box = (id: string, name: string, position: Vec3, size: Vec3) => ({ id, name, position, shapes: [{ type: 'box' as const, size, material: 'wood' }] })
const scene: Scene = {
  format: 'cairn-scene', version: 1, name: 'Crates', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [
    { id: 'ground', name: 'Ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    box('a', 'Narrow', [-2, 0, 0.25], [0.4, 0.5, 0.5]), box('b', 'Wide', [-0.33, 0, 0.25], [1, 0.5, 0.5]), box('c', 'Last', [2.1, 0, 1.3], [0.6, 0.6, 0.6]),
  ],
  simulation: { duration: 0.1, outputRate: 60 },
}

describe.skipIf(!chromium)('a person who puts bodies in place', () => {
  let editor: Editor
  let corner = { x: 0, y: 0 }
  let view: Projection
  const host = sitting({
    scene: 'crates.cairn.json', files: { 'crates.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('crates')
    },
  })

  async function choose(...names: string[]) {
    for (const [i, name] of names.entries()) await (await editor.outlinerItem(name)).click(i > 0 ? { modifiers: ['Control'] } : {})
  }
  const positions = async (): Promise<Readonly<Record<string, Vec3>>> => {
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    const { bodies = [] } = JSON.parse(readFileSync(join(host.root, 'crates.cairn.json'), 'utf8')) as Scene
    return Object.fromEntries(bodies.map(({ id, position = [0, 0, 0] }) => [id, position]))
  }
  const pictureFocused = () => editor.viewport.locator('canvas').first().focus()
  /** Pixels of points from the front, with everything in the picture. */
  const fromTheFront = async () => {
    await pictureFocused()
    await editor.page.keyboard.press('1')
    await editor.page.keyboard.press('Shift+F')
    await editor.rests()
    const bounds = (await editor.viewport.locator('canvas').first().boundingBox())!
    corner = { x: bounds.x, y: bounds.y }
    const around = poseScene(scene, null, null).bounds()!
    const camera = framePoints(toStandardView(DEFAULT_CAMERA, 'front'), middleOf(around), cornersOf(around), bounds.width / bounds.height)
    view = project(camera, bounds.width, bounds.height, { center: middleOf(around), radius: 5 }, [0, 0, 0])
  }
  const at = (point: Vec3): [number, number] => {
    const [x, y] = toPixel(view, point)!
    return [corner.x + x, corner.y + y]
  }
  /** Points at a body, waits until the named feature is marked, and clicks. */
  const near = (expected: Vec3, prefix: string, by: readonly [number, number]) => expect.poll(async () => {
    const [x, y] = at(expected)
    await editor.page.mouse.move(x + by[0], y + by[1])
    await editor.page.mouse.move(x + by[0] / 2, y + by[1] / 2)
    return editor.page.getByText(prefix).count()
  }).toBe(1).then(async () => editor.page.mouse.click(at(expected)[0] + by[0] / 2, at(expected)[1] + by[1] / 2))

  it('distributes three bodies of different sizes with equal gaps, the outermost staying, as one step', async () => {
    await choose('Narrow', 'Last')
    await editor.panel('Arrange')
    const button = editor.page.getByRole('button', { name: 'Distribute along x', exact: true })
    expect(await button.isDisabled()).toBe(true)
    await choose('Narrow', 'Last', 'Wide')
    await button.click()
    const { a, b, c } = await positions()
    expect([a, c]).toEqual([[-2, 0, 0.25], [2.1, 0, 1.3]])
    // Between −1.8 and 1.8 the wide one leaves 2.6 m: 1.3 m on either side.
    expect(b![0]).toBeCloseTo(0, 9)
    expect([b![1], b![2]]).toEqual([0, 0.25])
    await shots(editor, 'arrange-distributed')
    await editor.page.keyboard.press('Control+z')
    expect((await positions()).b).toEqual([-0.33, 0, 0.25])
  })

  it('distributes by the menu too, along another axis', async () => {
    await choose('Narrow', 'Last', 'Wide')
    await editor.page.keyboard.press('Control+Shift+P')
    await editor.page.keyboard.type('Distribute along z')
    await editor.page.keyboard.press('Enter')
    // Half a metre, half a metre and 0.6 m fill the height of 1.6 m.
    expect(await positions()).toMatchObject({ a: [-2, 0, 0.25], c: [2.1, 0, 1.3] })
    expect((await positions()).b![2]).toBeCloseTo(0.75, 9)
    await editor.page.keyboard.press('Control+z')
  })

  it('moves bodies by keys, onto the grid and by its increment', async () => {
    await choose('Wide')
    await pictureFocused()
    await editor.page.keyboard.press('Control+ArrowRight')
    expect((await positions()).b).toEqual([-0.3, 0, 0.25])
    for (const key of ['ArrowRight', 'ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowUp']) await editor.page.keyboard.press(`Control+${key}`)
    expect((await positions()).b).toEqual([-0.25, 0.05, 0.35])
    for (const key of ['ArrowLeft', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown']) await editor.page.keyboard.press(`Control+${key}`)
    expect((await positions()).b).toEqual([-0.3, 0, 0.25])
    await editor.page.keyboard.press('Control+ArrowLeft')
    expect((await positions()).b).toEqual([-0.35, 0, 0.25])
    for (let i = 0; i < 10; i++) await editor.page.keyboard.press('Control+z')
    expect((await positions()).b).toEqual([-0.33, 0, 0.25])
  })

  it('moves a body by a corner of it exactly to a corner of another', async () => {
    await fromTheFront()
    await editor.page.keyboard.press('Escape')
    await editor.panel('Arrange')
    await editor.page.getByRole('button', { name: 'Pick points…' }).click()
    // The upper right corner of its front face, pointed at from inside.
    await near([0.17, -0.25, 0.5], 'Click the point that moves', [-8, 8])
    await near([1.8, -0.3, 1.6], 'Click the point to which it moves', [8, 8])
    await editor.page.getByText('Click the point to which it moves').waitFor({ state: 'detached' })
    const { b, c } = await positions()
    for (const [k, x] of [1.3, -0.05, 1.35].entries()) expect(b![k]).toBeCloseTo(x, 9)
    expect(c).toEqual([2.1, 0, 1.3])
    await editor.page.keyboard.press('Control+z')
    expect((await positions()).b).toEqual([-0.33, 0, 0.25])
  })

  it('moves the whole selection by a point of one of them, and refuses two points of it', async () => {
    await choose('Narrow', 'Wide')
    await fromTheFront()
    await editor.page.keyboard.press('Shift+V')
    await near([0.17, -0.25, 0.5], 'Click the point that moves', [-8, 8])
    await near([-1.8, -0.25, 0.5], 'Click the point to which it moves', [-8, 8])
    await editor.page.getByText('Both points are of what is moved').waitFor()
    await editor.page.keyboard.press('Shift+V')
    await near([0.17, -0.25, 0.5], 'Click the point that moves', [-8, 8])
    await near([1.8, -0.3, 1.6], 'Click the point to which it moves', [8, 8])
    const { a, b } = await positions()
    for (const [k, x] of [-0.37, -0.05, 1.35].entries()) expect(a![k]).toBeCloseTo(x, 9)
    for (const [k, x] of [1.3, -0.05, 1.35].entries()) expect(b![k]).toBeCloseTo(x, 9)
    await editor.page.keyboard.press('Control+z')
  })

  it.each<[string, Vec3, readonly [number, number], Vec3]>([
    ['corner', [1.8, -0.3, 1.6], [8, 8], [1.8, -0.55, 1.6]], ['centre of a face', [2.1, -0.3, 1.3], [5, 5], [2.1, -0.55, 1.3]], ['middle of an edge', [2.1, -0.3, 1.6], [4, 5], [2.1, -0.55, 1.6]],
  ])('a body that is dragged with Alt snaps to the %s of another, and touches its face', async (_, target, [dx, dy], wanted) => {
    await choose('Wide')
    await fromTheFront()
    await editor.page.keyboard.press('w')
    const { mouse, keyboard } = editor.page
    await mouse.move(...at([-0.33, 0, 0.25]))
    await mouse.down()
    await keyboard.down('Alt')
    const [x, y] = at(target)
    await mouse.move(x - 30, y + 20)
    await mouse.move(x + dx, y + dy)
    await mouse.up()
    await keyboard.up('Alt')
    await keyboard.press('q')
    const { b } = await positions()
    for (const [k, x] of wanted.entries()) expect(b![k]).toBeCloseTo(x, 9)
    await keyboard.press('Control+z')
    expect((await positions()).b).toEqual([-0.33, 0, 0.25])
  })
})
