// @module-tag long
/** Hair is grown with a brush, combed, cut to length, made stiffer where it is painted, and removed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DeformableOf, Scene } from '../../core/scene'
import { distance, type Vec3 } from '../../core/math/vector'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'A head',
  materials: [{ id: 'felt', density: 500, friction: { static: 0.5, dynamic: 0.4 }, color: '#b98a5e' }],
  bodies: [{ id: 'head', name: 'Head', type: 'fixed', position: [0, 0, 1], shapes: [{ type: 'sphere', radius: 0.5, material: 'felt' }] }],
  simulation: { duration: 0.2, outputRate: 60, method: 'time-stepping' },
}

describe.skipIf(!chromium)('a person who paints hair on a body', () => {
  let editor: Editor
  const host = sitting({
    scene: 'head.cairn.json', files: { 'head.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('head')
      await editor.page.getByRole('button', { name: 'Close the card' }).click({ timeout: 2000 }).catch(() => undefined)
    },
  })
  const bar = (name = /^Vertices of /) => editor.page.getByRole('region', { name })
  const drag = () => bar().getByRole('combobox', { name: 'What a drag does' })
  const middle = async () => {
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    return [box.x + box.width / 2, box.y + box.height / 2] as const
  }
  const stroke = async (from: readonly [number, number], to: readonly [number, number]) => {
    const [x, y] = await middle()
    await editor.page.mouse.move(x + from[0], y + from[1])
    await editor.page.mouse.down()
    for (let k = 1; k <= 8; k++) await editor.page.mouse.move(x + from[0] + (to[0] - from[0]) * k / 8, y + from[1] + (to[1] - from[1]) * k / 8)
    await editor.page.mouse.up()
  }
  const set = async (name: string, value: string) => {
    const field = editor.page.getByRole('textbox', { name, exact: true })
    await field.fill(value)
    await field.press('Enter')
  }
  const written = async () => {
    await editor.page.keyboard.press('Control+s')
    await expect.poll(() => editor.page.title()).not.toContain('●')
    return (JSON.parse(readFileSync(join(host.root, 'head.cairn.json'), 'utf8')) as Scene).deformables?.[0] as DeformableOf<'hair'> | undefined
  }
  const undo = () => editor.page.getByRole('button', { name: 'Undo' }).click()
  const long = ({ points }: { points: readonly Vec3[] }): number => points.slice(1).reduce((sum, point, k) => sum + distance(points[k]!, point), 0)

  it('grows strands under the brush, at their spacing, in one undo step a stroke', async () => {
    await (await editor.outlinerItem('Head')).click()
    await editor.viewport.locator('canvas').first().focus()
    await editor.page.keyboard.press('1')
    await editor.page.waitForTimeout(600)
    await editor.page.keyboard.press('f')
    await editor.page.waitForTimeout(600)
    await editor.menu('Add', 'Deformable', 'Hair where it is painted…')
    const waiting = bar(/^Hair on Head/)
    await waiting.getByText('Paint on the body: strands grow').waitFor()
    await set('Length of strands', '0.2')
    await set('Spacing of roots', '0.08')
    await waiting.getByRole('slider', { name: 'Brush radius' }).fill('40')
    await stroke([-70, -40], [70, -40])
    await bar().waitFor()
    const first = (await written())!
    expect(first.strands.length).toBeGreaterThan(8)
    for (const { body, points } of first.strands) {
      expect(body).toBe('head')
      expect(distance(points[0]!, [0, 0, 1])).toBeGreaterThan(0.49)
      expect(long({ points })).toBeCloseTo(0.2, 4)
    }
    const apart = first.strands.flatMap(({ points }, i) => first.strands.slice(0, i).map(other => distance(points[0]!, other.points[0]!)))
    expect(Math.min(...apart)).toBeGreaterThan(0.075)
    // A second stroke adds where there are none; undoing takes back the whole stroke.
    await stroke([-70, 40], [70, 40])
    const second = (await written())!
    expect(second.strands.length).toBeGreaterThan(first.strands.length + 4)
    await undo()
    expect(await written()).toEqual(first)
    await editor.page.getByRole('button', { name: 'Redo' }).click()
    await shots(editor, 'hair-grown')
    // Escape during a stroke leaves everything as it was.
    const [x, y] = await middle()
    await editor.page.mouse.move(x, y + 110)
    await editor.page.mouse.down()
    await editor.page.mouse.move(x + 20, y + 120)
    await editor.page.keyboard.press('Escape')
    await editor.page.mouse.up()
    expect(await written()).toEqual(second)
  })

  it('combs it: strands follow the brush, keep their lengths, and stay out of the body', async () => {
    const before = (await written())!
    await drag().selectOption('comb')
    for (let k = 0; k < 3; k++) await stroke([-110, -60], [110, 60])
    const after = (await written())!
    const moved = after.strands.filter(({ points }, i) => distance(points.at(-1)!, before.strands[i]!.points.at(-1)!) > 0.02)
    expect(moved.length).toBeGreaterThan(4)
    after.strands.forEach(({ points }, i) => {
      expect(points[0]).toEqual(before.strands[i]!.points[0])
      expect(long({ points })).toBeCloseTo(0.2, 4)
      for (const point of points) expect(distance(point, [0, 0, 1])).toBeGreaterThan(0.5)
    })
    await shots(editor, 'hair-combed')
    await undo()
    await undo()
    await undo()
    expect(await written()).toEqual(before)
    await stroke([-110, -60], [110, 60])
  })

  it('combs chosen strands by keys alone, in one undo step each time', async () => {
    const { page } = editor
    const before = (await written())!
    const vertices = before.strands[0]!.points.length
    await set('Chosen vertices', `0–${vertices - 1}`)
    await drag().selectOption('comb')
    await bar().getByRole('combobox', { name: 'Comb towards' }).focus()
    await page.keyboard.press('z')
    const comb = bar().getByRole('button', { name: 'Comb chosen' })
    await comb.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const after = (await written())!
    expect(after.strands[0]!.points[0]).toEqual(before.strands[0]!.points[0])
    expect(after.strands[0]!.points.at(-1)![2] - before.strands[0]!.points.at(-1)![2]).toBeGreaterThan(0.05)
    expect(long(after.strands[0]!)).toBeCloseTo(long(before.strands[0]!), 4)
    for (const point of after.strands[0]!.points) expect(distance(point, [0, 0, 1])).toBeGreaterThan(0.5)
    expect(after.strands.slice(1)).toEqual(before.strands.slice(1))
    await undo()
    await undo()
    expect(await written()).toEqual(before)
  })

  it('sets lengths with the brush, and of chosen strands', async () => {
    await drag().selectOption('set length')
    await set('Length of strands', '0.1')
    await stroke([-90, -40], [90, -40])
    const cut = (await written())!
    const lengths = cut.strands.map(long)
    expect(Math.min(...lengths)).toBeCloseTo(0.1, 3)
    expect(Math.max(...lengths)).toBeGreaterThan(0.15)
    await set('Length of strands', '0.3')
    await set('Chosen vertices', '0')
    await bar().getByRole('button', { name: 'Set chosen' }).click()
    const set0 = (await written())!
    expect(long(set0.strands[0]!)).toBeCloseTo(0.3, 4)
    expect(set0.strands.slice(1)).toEqual(cut.strands.slice(1))
    await undo()
  })

  it('paints its stiffness, which the inspector shows, and which the simulation takes', async () => {
    const section = editor.page.getByRole('region', { name: 'Painted stiffness' })
    expect(await section.innerText()).toMatch(/Stretch\s+nothing[\s\S]*Bending\s+nothing/)
    expect(await section.innerText()).not.toContain('Shear')
    await section.getByRole('button', { name: 'Paint bending' }).click()
    expect(await bar().getByRole('combobox', { name: 'Painted stiffness' }).locator('option').allInnerTexts()).toEqual(['stretch', 'bending'])
    await set('Painted factor', '8')
    await stroke([-70, -40], [70, -40])
    await expect.poll(() => section.innerText()).toMatch(/Bending\s+1 to 8 ×/)
    await editor.page.mouse.move(5, 300)
    await shots(editor, 'hair-painted')
    const painted = await written()
    expect(painted!.bendFactors!.length).toBe(painted!.strands.reduce((sum, { points }) => sum + points.length, 0))
    await undo()
    await expect.poll(() => section.innerText()).toMatch(/Bending\s+nothing/)
    await editor.page.getByRole('button', { name: 'Redo' }).click()
    await editor.simulate()
  })

  it('removes strands with Alt, and the hair with the last of them', async () => {
    const before = (await written())!
    await drag().selectOption('grow strands')
    await bar().getByRole('slider', { name: 'Brush radius' }).fill('20')
    await editor.page.keyboard.down('Alt')
    await stroke([-70, -40], [0, -40])
    await editor.page.keyboard.up('Alt')
    const after = (await written())!
    expect(after.strands.length).toBeGreaterThan(0)
    expect(after.strands.length).toBeLessThan(before.strands.length)
    expect(after.bendFactors!.length).toBe(after.strands.reduce((sum, { points }) => sum + points.length, 0))
    await bar().getByRole('slider', { name: 'Brush radius' }).fill('80')
    await editor.page.keyboard.down('Alt')
    await stroke([-120, -60], [120, -60])
    await stroke([-120, 40], [120, 40])
    await editor.page.keyboard.up('Alt')
    expect(await written()).toBeUndefined()
    expect(await bar().count()).toBe(0)
  })
})
