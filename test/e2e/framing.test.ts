import { describe, expect, it } from 'vitest'
import type { Vec3 } from '../../core/math/vector'
import type { CameraState } from '../../renderer/state/view'
import { project, toPixel } from '../../renderer/viewport/camera/projection'
import { cornersOf, type Box } from '../../renderer/viewport/posed-scene'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

/** A row of fixed boxes, 12.4 m long: in a narrow picture its width determines the distance. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Row', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: Array.from({ length: 7 }, (_, i) => ({ id: `box-${i}`, type: 'fixed', position: [2 * i - 6, 0, 0], shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'wood' }] })),
  simulation: { duration: 1 },
}
/** A ball that falls beside the row's middle. */
const ball = {
  format: 'cairn-scene', version: 1, name: 'Ball', materials: scene.materials,
  bodies: [{ id: 'ball', position: [0, 0, 1], shapes: [{ type: 'sphere', radius: 0.1, material: 'wood' }] }], simulation: { duration: 0.1 },
}
const ROW: Box = { low: [-6.2, -0.2, -0.2], high: [6.2, 0.2, 0.2] }
const WINDOWS = [[1440, 900], [1024, 700], [720, 450], [700, 1000]] as const
const WORKSPACES = ['Compose', 'Simulate & inspect', 'Script'] as const

interface VueRoot extends Element { __vue_app__: { config: { globalProperties: { $pinia: { state: { value: { view: { camera: CameraState } } } } } } } }

describe.skipIf(!chromium)('a framed scene', () => {
  let editor: Editor
  sitting({
    scene: 'row.cairn.json', files: { 'row.cairn.json': scene, 'ball.cairn.json': ball },
    ready: async opened => {
      editor = opened
      await editor.waitFor('row')
    },
  })
  const camera = () => editor.page.evaluate(() => (document.querySelector('#app') as VueRoot).__vue_app__.config.globalProperties.$pinia.state.value.view.camera)
  /** Extent of the row, or of other points, ÷ half width and half height of the picture; above 1 it is cut off. */
  async function taken(points: readonly Vec3[] = cornersOf(ROW)): Promise<[number, number]> {
    const { width, height } = (await editor.viewport.locator('canvas').first().boundingBox())!
    const view = project(await camera(), width, height, { center: [0, 0, 0], radius: 20 }, [0, 0, 0])
    const pixels = points.map(point => toPixel(view, point))
    return [Math.max(...pixels.map(pixel => pixel ? Math.abs(2 * pixel[0] / width - 1) : Infinity)), Math.max(...pixels.map(pixel => pixel ? Math.abs(2 * pixel[1] / height - 1) : Infinity))]
  }
  const resize = async ([width, height]: readonly [number, number]) => {
    await editor.page.setViewportSize({ width, height })
    await editor.page.waitForTimeout(700)
  }

  it('is whole when it is opened while the run of another scene is shown', async () => {
    const open = async (name: string) => {
      await editor.page.keyboard.press('Control+o')
      await editor.page.getByRole('dialog', { name: 'Open' }).getByRole('button', { name: new RegExp(`^${name}\\.cairn`) }).dblclick()
      await editor.waitFor(name)
    }
    await open('ball')
    await editor.simulate()
    await editor.goTo(0.05)
    await open('row')
    await expect.poll(async () => Math.max(...await taken())).toBeLessThan(1)
    expect(Math.max(...await taken())).toBeGreaterThan(0.6)
  })

  it('is whole in every window and workspace: when it is opened, after the window has changed, and after Frame all', { tags: 'long' }, async () => {
    for (const workspace of WORKSPACES) {
      for (const window of WINDOWS) {
        await resize(window)
        if (workspace !== 'Compose' || window[0] !== 1440) await editor.workspace(workspace)
        await editor.page.waitForTimeout(400)
        const place = `${workspace} at ${window.join(' × ')}`
        expect(Math.max(...await taken()), `${place}, as it was framed`).toBeLessThan(1)
        await editor.page.keyboard.press('Shift+F')
        await editor.page.waitForTimeout(700)
        const [wide, high] = await taken()
        expect(Math.max(wide, high), `${place}, after Frame all`).toBeLessThan(1)
        expect(Math.max(wide, high), `${place}, after Frame all`).toBeGreaterThan(0.6)
      }
    }
  })

  it('is whole with the wire on which its beads slide: when it is opened, and after Frame selection', async () => {
    await resize([1440, 900])
    await editor.workspace('Compose')
    await editor.openExample('Train of beads')
    await editor.waitFor('train-of-beads')
    const wire = Array.from({ length: 64 }, (_, k): Vec3 => {
      const u = k / 64 * 2 * Math.PI
      return [0.6 * Math.cos(u), 0.4 * Math.sin(u), 0.75 + 0.25 * Math.cos(u) + 0.12 * Math.cos(3 * u)]
    })
    const isFramed = () => expect.poll(async () => Math.max(...await taken(wire))).toBeLessThan(0.9)
    await isFramed()
    expect(Math.max(...await taken(wire))).toBeGreaterThan(0.35)
    await editor.viewport.locator('canvas').first().hover()
    await editor.page.mouse.wheel(0, -1500)
    await expect.poll(async () => Math.max(...await taken(wire))).toBeGreaterThan(1)
    await (await editor.outlinerItem('Train')).click()
    await editor.page.keyboard.press('f')
    await isFramed()
    expect(Math.max(...await taken(wire))).toBeGreaterThan(0.35)
  })

  it('keeps its camera in another window, once it was moved by hand', async () => {
    await resize([1440, 900])
    const { x, y } = (await editor.viewport.locator('canvas').first().boundingBox())!
    await editor.page.mouse.move(x + 200, y + 200)
    await editor.page.mouse.wheel(0, 300)
    await editor.page.waitForTimeout(300)
    const before = await camera()
    await resize([720, 450])
    expect(await camera()).toEqual(before)
  })
})
