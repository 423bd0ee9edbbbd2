import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_CAMERA } from '../../renderer/state/view'
import { framePoints } from '../../renderer/viewport/camera/camera-state'
import { project, toPixel, type Projection } from '../../renderer/viewport/camera/projection'
import { cornersOf, middleOf } from '../../renderer/viewport/posed-scene'
import type { Vec3 } from '../../core/math/vector'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

/** Two unit boxes, one of them turned by 30° about z, an upright drum, and a rope of two segments of 0.5 m that rises. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Measure', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }], gravity: [0, 0, 0],
  bodies: [
    { id: 'crate', type: 'fixed', shapes: [{ type: 'box', size: [1, 1, 1], material: 'wood' }] },
    { id: 'case', type: 'fixed', position: [0, 0, 3], orientation: [0, 0, Math.sin(Math.PI / 12), Math.cos(Math.PI / 12)], shapes: [{ type: 'box', size: [1, 1, 1], material: 'wood' }] },
    { id: 'drum', type: 'fixed', position: [0, 3, 0], shapes: [{ type: 'cylinder', radius: 0.5, height: 2, material: 'wood' }] },
  ],
  deformables: [{ id: 'cord', type: 'rope', material: 'wood', points: [[2, 0, 1], [2.5, 0, 1], [3, 0, 1]], segments: 2, radius: 0.01, velocity: [0, 0, 0.5] }],
  simulation: { duration: 1 },
}
/** As framed: the boxes by their vertices, the drum by the ball around it. */
const [LOW, HIGH] = [[-1.118033988749895, -0.6830127018922193, -1.118033988749895], [3, 4.118033988749895, 3.5]] as [[number, number, number], [number, number, number]]

describe.skipIf(!chromium)('a person who measures', () => {
  let editor: Editor
  let view: Projection
  sitting({
    scene: 'measure.cairn.json', files: { 'measure.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('measure')
      await frame()
    },
  })
  async function frame() {
    await editor.page.keyboard.press('Shift+F')
    await editor.page.waitForTimeout(800)
    const { width, height } = (await editor.viewport.locator('canvas').first().boundingBox())!
    const [box, middle] = [{ low: LOW, high: HIGH }, middleOf({ low: LOW, high: HIGH })]
    view = project(framePoints(DEFAULT_CAMERA, middle, cornersOf(box), width / height), width, height, { center: middle, radius: 10 }, [0, 0, 0])
  }
  const click = async (point: Vec3) => {
    const canvas = (await editor.viewport.locator('canvas').first().boundingBox())!
    const [x, y] = toPixel(view, point)!
    await editor.page.mouse.move(canvas.x + x - 2, canvas.y + y)
    await editor.page.mouse.click(canvas.x + x, canvas.y + y)
  }
  const bar = () => editor.page.getByRole('region', { name: 'Measure' })
  const list = () => editor.page.getByRole('list', { name: 'Measurements' })
  const what = async (name: string) => bar().getByRole('radio', { name, exact: true }).click()
  async function measured(title: string): Promise<Record<string, number | string>> {
    const item = list().getByRole('listitem').filter({ hasText: title }).last()
    await item.waitFor()
    return item.evaluate(element => Object.fromEntries([...element.querySelectorAll('dt')].map(term => {
      const value = term.nextElementSibling!
      const number = value.querySelector<HTMLElement>('[data-value]')?.dataset.value
      return [term.textContent!, number === undefined ? value.textContent!.trim() : Number(number)]
    })))
  }
  afterEach(async () => {
    if (await list().count() > 0) await editor.menu('View', 'Measure', 'Clear measurements')
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('Escape')
    await editor.page.keyboard.press('Escape')
    await bar().waitFor({ state: 'detached' })
  })

  it('two vertices, an edge and an axis, by clicks on them', async () => {
    await editor.page.keyboard.press('m')
    await click([0.5, -0.5, 0.5])
    await bar().getByText('Vertex of crate').waitFor()
    await click([-0.5, -0.5, 0.5])
    expect(await measured('Vertex of crate – Vertex of crate')).toMatchObject({ Distance: 1 })
    await click([0.5, 0.1, 0.5])
    await bar().getByText('Edge of crate').waitFor()
    await click([0.4, 2.7, -0.4])
    expect(await measured('Edge of crate – Axis of drum')).toMatchObject({ Distance: expect.closeTo(Math.hypot(0.5, 2.5), 12), Angle: expect.closeTo(90, 10) })
  })

  it('two parallel faces, and two edges at an angle', async () => {
    await editor.page.keyboard.press('m')
    await what('Face')
    await click([0.1, 0, 0.5])
    await bar().getByText('0.25').or(bar().getByText(/Area\s*1/)).waitFor()
    await click([0.1, 0, 3.5])
    expect(await measured('Face of crate – Face of case')).toMatchObject({ Distance: 3, Angle: 0 })
    await what('Edge')
    await click([0.5, 0.1, 0.5])
    const cos = Math.cos(Math.PI / 6)
    await click([0.5 * cos, 0.5 * 0.5, 3.5])
    expect(await measured('Edge of crate – Edge of case')).toMatchObject({ Angle: expect.closeTo(30, 10) })
    await shots(editor, 'measure', frame)
    await frame()
  })

  it('one by itself: the radius of a rim by Enter, the area of a face by the button, the length of an edge by a second click', async () => {
    await editor.page.keyboard.press('m')
    await what('Circle or axis')
    await click([0.5, 3, 1])
    await bar().getByText('Circle of drum').waitFor()
    await editor.page.keyboard.press('Enter')
    expect(await measured('Circle of drum')).toEqual({ Radius: 0.5 })
    await what('Face')
    await click([0, 3, 1])
    await bar().getByRole('button', { name: 'Keep' }).click()
    expect(await measured('Face of drum')).toEqual({ Area: Math.PI / 4, Radius: 0.5 })
    await what('Anything')
    for (let k = 0; k < 2; k++) await click([0.5, 0.1, 0.5])
    expect(await measured('Edge of crate')).toEqual({ Length: 1 })
  })

  it('goes back by one pick, and ends, by Esc', async () => {
    await editor.page.keyboard.press('m')
    await click([0.5, -0.5, 0.5])
    await bar().getByText('Vertex of crate').waitFor()
    await editor.page.keyboard.press('Escape')
    await bar().getByText('Vertex of crate').waitFor({ state: 'detached' })
    await bar().waitFor()
    await editor.page.keyboard.press('Escape')
    await bar().waitFor({ state: 'detached' })
  })

  it('without the pointer: the body from a list, its features by arrow keys, Enter picks', async () => {
    await editor.page.keyboard.press('m')
    await what('Circle or axis')
    await bar().getByRole('combobox', { name: 'Object to pick from' }).selectOption('drum')
    const next = bar().getByRole('button', { name: 'Next feature' })
    await next.focus()
    for (const key of ['ArrowRight', 'Enter', 'Enter']) await editor.page.keyboard.press(key)
    expect(await measured('Circle of drum')).toEqual({ Radius: 0.5 })
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter', 'ArrowLeft', 'Enter']) await editor.page.keyboard.press(key)
    expect(await measured('Circle of drum – Circle of drum')).toMatchObject({ 'Distance from the centre': 2, Angle: 0 })
  })

  it('a point of a surface and a whole body', async () => {
    await editor.page.keyboard.press('m')
    await what('Point')
    await click([0, 0, 0.5])
    await what('Body')
    await click([0.3, 0, 3.5])
    expect(await measured('Point of crate – case')).toMatchObject({ Distance: expect.closeTo(2, 6) })
  })

  it('vertices of a rope, by clicks and from the list, and between it and a box', async () => {
    await editor.page.keyboard.press('m')
    await click([2, 0, 1])
    await bar().getByText('Vertex 0 of cord').waitFor()
    await click([3, 0, 1])
    expect(await measured('Vertex 0 of cord – Vertex 2 of cord')).toMatchObject({ Distance: expect.closeTo(1, 12) })
    await bar().getByRole('combobox', { name: 'Object to pick from' }).selectOption('cord')
    const next = bar().getByRole('button', { name: 'Next feature' })
    await next.focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await editor.page.keyboard.press(key)
    await bar().getByText('Vertex 1 of cord').waitFor()
    await what('Face')
    await click([0.1, 0, 0.5])
    const between = async () => (await measured('Vertex 1 of cord – Face of crate')).Distance
    expect(await between()).toBeCloseTo(Math.hypot(2, 0.5), 12)
    // The rope rises by half a metre in a second.
    await editor.simulate()
    await editor.goTo(1)
    await expect.poll(between).toBeCloseTo(Math.hypot(2, 1), 6)
  })
})
