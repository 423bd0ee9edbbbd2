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
/** The frame around the scene: boxes by their vertices, the drum by its bounding sphere. */
const [LOW, HIGH] = [[-1.118033988749895, -0.6830127018922193, -1.118033988749895], [3, 4.118033988749895, 3.5]] as [[number, number, number], [number, number, number]]

type Corner = [number, number, number]

/** Frames a box of the scene and clicks on its points. */
class Aim {
  private view: Projection | undefined

  constructor(private readonly editor: Editor, private readonly low: Corner, private readonly high: Corner) {}

  async frame(): Promise<void> {
    await this.editor.page.keyboard.press('Shift+F')
    await this.editor.rests()
    const { width, height } = (await this.editor.viewport.locator('canvas').first().boundingBox())!
    const box = { low: this.low, high: this.high }
    const middle = middleOf(box)
    this.view = project(framePoints(DEFAULT_CAMERA, middle, cornersOf(box), width / height), width, height, { center: middle, radius: 10 }, [0, 0, 0])
  }

  async point(point: Vec3): Promise<void> {
    const canvas = (await this.editor.viewport.locator('canvas').first().boundingBox())!
    const [x, y] = toPixel(this.view!, point)!
    await this.editor.page.mouse.move(canvas.x + x, canvas.y + y)
  }

  async click(point: Vec3): Promise<void> {
    const canvas = (await this.editor.viewport.locator('canvas').first().boundingBox())!
    const [x, y] = toPixel(this.view!, point)!
    await this.editor.page.mouse.move(canvas.x + x - 2, canvas.y + y)
    await this.editor.page.mouse.click(canvas.x + x, canvas.y + y)
  }
}

/** Result of the last measurement with this title. */
async function readings(editor: Editor, title: string): Promise<Record<string, number | string>> {
  const item = editor.page.getByRole('list', { name: 'Measurements' }).getByRole('listitem').filter({ hasText: title }).last()
  await item.waitFor()
  return item.evaluate(element => Object.fromEntries([...element.querySelectorAll('dt')].map(term => {
    const value = term.nextElementSibling!
    const number = value.querySelector<HTMLElement>('[data-value]')?.dataset.value
    return [term.textContent!, number === undefined ? value.textContent!.trim() : Number(number)]
  })))
}

describe.skipIf(!chromium)('a person who measures', () => {
  let editor: Editor
  let aim: Aim
  sitting({
    scene: 'measure.cairn.json', files: { 'measure.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('measure')
      aim = new Aim(editor, LOW, HIGH)
      await frame()
    },
  })
  const frame = () => aim.frame()
  const click = (point: Vec3) => aim.click(point)
  const bar = () => editor.page.getByRole('region', { name: 'Measure' })
  const list = () => editor.page.getByRole('list', { name: 'Measurements' })
  const what = async (name: string) => bar().getByRole('radio', { name, exact: true }).click()
  const measured = (title: string) => readings(editor, title)
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

/** A puck of 0.4 m rests on a bench of 1 m; an arm hangs by a ball joint at (2, 0, 1); a rope. */
const marked = {
  format: 'cairn-scene', version: 1, name: 'Marks', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [
    { id: 'bench', type: 'fixed', shapes: [{ type: 'box', size: [1, 1, 1], material: 'wood' }] },
    { id: 'puck', type: 'dynamic', position: [0, 0, 0.7], shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'wood' }] },
    { id: 'arm', type: 'dynamic', position: [2, 0, 0.5], shapes: [{ type: 'box', size: [0.2, 0.2, 1], material: 'wood' }] },
  ],
  joints: [{ id: 'pivot', type: 'ball', bodyA: 'arm', bodyB: null, anchor: [2, 0, 1] }],
  deformables: [{ id: 'cord', type: 'rope', material: 'wood', points: [[1, 2, 1], [1.5, 2, 1], [2, 2, 1]], segments: 2, radius: 0.01, pins: [0, 1, 2] }],
  simulation: { duration: 0.1 },
}

describe.skipIf(!chromium)('a person who measures angles between marks', () => {
  let editor: Editor
  let aim: Aim
  sitting({
    scene: 'marks.cairn.json', files: { 'marks.cairn.json': marked },
    ready: async opened => {
      editor = opened
      await editor.waitFor('marks')
      aim = new Aim(editor, [-0.5, -0.5, -0.5], [2.1, 2, 1])
      await editor.simulate()
      await aim.frame()
    },
  })
  const bar = () => editor.page.getByRole('region', { name: /Measure|Angle of three points/ })

  it('of a contact, an anchor and a vertex of a rope, by clicks', async () => {
    await editor.page.keyboard.press('Shift+M')
    await bar().getByText('Pick a point on the first side').waitFor()
    await aim.click([0.2, -0.2, 0.5])
    await bar().getByText(/^Contact of (puck and bench|bench and puck)/).waitFor()
    await aim.click([2, 0, 1])
    await bar().getByText('Anchor of pivot').waitFor()
    await aim.click([1, 2, 1])
    const [u, v] = [[-1.8, -0.2, -0.5], [-1, 2, 0]] as const
    const cos = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / Math.hypot(...u) / Math.hypot(...v)
    expect(await readings(editor, 'Angle: Contact of')).toEqual({ Angle: expect.closeTo(Math.acos(cos) * 180 / Math.PI, 6) })
  })

  it('of vertices from the list, with the keys; edges, which are no points, are not offered', async () => {
    expect(await bar().getByRole('radio', { name: 'Edge' }).count()).toBe(0)
    await bar().getByRole('combobox', { name: 'Object to pick from' }).selectOption('cord')
    await bar().getByRole('button', { name: 'Next feature' }).focus()
    for (const key of ['ArrowRight', 'Enter', 'ArrowRight', 'Enter', 'ArrowRight', 'Enter']) await editor.page.keyboard.press(key)
    expect(await readings(editor, 'Vertex 0 of cord – Vertex 1 of cord – Vertex 2 of cord')).toEqual({ Angle: expect.closeTo(180, 5) })
  })

  it('reads the point under the pointer in the status bar', async () => {
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('Escape')
    await editor.page.keyboard.press('Escape')
    await bar().waitFor({ state: 'detached' })
    const point = editor.page.getByTitle('Point of the surface under the pointer, m')
    await aim.point([0.35, -0.4, 0.5])
    const shown = (await point.innerText()).replaceAll('−', '-').match(/-?[\d.]+/g)!.map(Number)
    for (const [k, x] of [0.35, -0.4, 0.5].entries()) expect(shown[k]).toBeCloseTo(x, 1)
    await editor.page.mouse.move(5, 5)
    await point.waitFor({ state: 'detached' })
  })

  it('and the distance of a contact and an anchor', async () => {
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('m')
    await aim.click([0.2, -0.2, 0.5])
    await bar().getByText(/^Contact of/).waitFor()
    await aim.click([2, 0, 1])
    expect(await readings(editor, '– Anchor of pivot')).toMatchObject({ Distance: expect.closeTo(Math.hypot(1.8, 0.2, 0.5), 6) })
  })
})
