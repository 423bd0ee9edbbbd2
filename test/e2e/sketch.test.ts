// @module-tag long
import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Sketch',
  materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, color: '#c39a6b' }],
  bodies: [{ id: 'block', position: [0, 0, 0.5], shapes: [{ type: 'box', size: [1, 0.4, 1], material: 'wood' }] }],
  simulation: { duration: 0.5, dimensions: 2 },
}

interface Saved {
  readonly bodies: { readonly id: string; readonly position: readonly number[]; readonly shapes: { readonly type: string; readonly size?: number[] }[] }[]
  readonly joints?: { readonly type: string; readonly bodyA: string; readonly bodyB: string | null; readonly anchor: readonly number[] }[]
}

describe.skipIf(!chromium)('a person who draws in the plane', () => {
  let editor: Editor
  const host = sitting({
    scene: 'sketch.cairn.json', files: { 'sketch.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('sketch')
    },
  })
  const saved = async (): Promise<Saved> => {
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    return JSON.parse(readFileSync(join(host.root, 'sketch.cairn.json'), 'utf8')) as Saved
  }
  const shot = (name: string) => shots(editor, name)
  const bar = (name: string) => editor.page.getByRole('region', { name: `Draw: ${name}` })
  /** Pixels relative to the middle of the picture. */
  async function at(dx: number, dy: number): Promise<[number, number]> {
    const area = (await editor.viewport.locator('canvas').first().boundingBox())!
    return [area.x + area.width / 2 + dx, area.y + area.height / 2 + dy]
  }
  async function drag(from: readonly [number, number], to: readonly [number, number]) {
    await editor.page.mouse.move(...await at(...from))
    await editor.page.mouse.down()
    await editor.page.mouse.move(...await at(...to), { steps: 4 })
    await editor.page.mouse.up()
  }

  it('draws a rectangle, a disc and a rod by drags', async () => {
    await editor.page.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name: 'Draw' }).click()
    await bar('Rectangle').waitFor()
    await editor.rests()
    await drag([120, -60], [260, 40])
    await editor.outlinerItem('Rectangle')
    await bar('Rectangle').getByRole('button', { name: 'Disc' }).click()
    await drag([-200, -100], [-160, -100])
    await editor.outlinerItem('Disc')
    await bar('Disc').getByRole('button', { name: 'Rod' }).click()
    await drag([-150, 120], [-60, 80])
    await editor.outlinerItem('Rod')
    await shot('sketch-drags')
    // At 200 % zoom the toolbar has an additional button, and the primary one must still fit.
    await editor.page.setViewportSize({ width: 720, height: 450 })
    const primary = (await editor.primary.boundingBox())!
    expect(primary.x + primary.width).toBeLessThanOrEqual(720)
    await editor.page.setViewportSize({ width: 1440, height: 900 })
    const { bodies } = await saved()
    expect(bodies.map(body => body.shapes[0]!.type)).toEqual(['box', 'box', 'cylinder', 'capsule'])
    expect(bodies.every(({ position }) => position[1] === 0)).toBe(true)
    // On the grid of 5 cm.
    for (const size of [bodies[1]!.shapes[0]!.size![0]!, bodies[1]!.shapes[0]!.size![2]!]) expect(Math.abs(size / 0.05 - Math.round(size / 0.05))).toBeLessThan(1e-9)
    for (let i = 0; i < 3; i++) await editor.page.keyboard.press('Control+z')
    expect((await saved()).bodies).toHaveLength(1)
  })

  it('draws ground by numbers', async () => {
    await bar('Rod').getByRole('button', { name: 'Ground line' }).click()
    for (const [label, value] of [['First point x', '0'], ['First point z', '0'], ['Second point x', '2'], ['Second point z', '0']] as const) {
      const field = bar('Ground line').getByLabel(label, { exact: true })
      await field.fill(value)
      await field.press('Enter')
    }
    await bar('Ground line').getByRole('button', { name: 'Make body' }).click()
    const ground = (await saved()).bodies[1]!
    expect(ground).toMatchObject({ type: 'fixed', position: [0, 0, 0], shapes: [{ type: 'halfSpace', normal: [0, 0, 1] }] })
  })

  it('draws a polygon by clicks, is told that it crosses itself, takes the point back and closes it', async () => {
    await editor.page.getByRole('button', { name: 'Done' }).click()
    await editor.page.keyboard.press('Shift+P')
    await bar('Polygon').waitFor()
    await editor.rests()
    for (const [dx, dy] of [[150, -150], [290, -150], [290, -40], [220, -200]] as const) await editor.page.mouse.click(...await at(dx, dy))
    await bar('Polygon').getByText(/meets the side from point/).waitFor()
    await shot('sketch-crosses')
    await editor.page.keyboard.press('Backspace')
    await editor.page.mouse.click(...await at(240, -110))
    await editor.page.mouse.move(...await at(180, -60))
    await shot('sketch-polygon')
    await editor.page.keyboard.press('Enter')
    await editor.outlinerItem('Polygon')
    const { bodies } = await saved()
    expect(bodies.at(-1)!.shapes).toHaveLength(2)
    await bar('Polygon').waitFor({ state: 'detached' })
  })

  it('hinges a body that overlaps another where it is clicked', async () => {
    await editor.menu('Add', 'Draw', 'Rectangle…')
    await editor.rests()
    await drag([-30, -30], [60, -120])
    await editor.outlinerItem('Rectangle')
    await bar('Rectangle').getByRole('button', { name: 'Hinge' }).click()
    await editor.page.mouse.click(...await at(-20, -40))
    await editor.outlinerItem('Hinge')
    await shot('sketch-hinge')
    const { joints } = await saved()
    expect(joints![0]).toMatchObject({ type: 'hinge', bodyA: 'rectangle', axis: [0, 1, 0] })
    await editor.viewport.locator('canvas').first().press('Escape')
    await bar('Hinge').waitFor({ state: 'detached' })
  })

  it('draws a polygon on the ground of a scene in three dimensions', async () => {
    await editor.menu('Edit', 'Two dimensions')
    await editor.menu('Add', 'Draw', 'Polygon…')
    await editor.rests()
    for (const [dx, dy] of [[150, -150], [290, -150], [290, -40]] as const) await editor.page.mouse.click(...await at(dx, dy))
    await shot('sketch-extrude')
    await bar('Polygon').getByRole('button', { name: 'Make body' }).click()
    const last = (await saved()).bodies.at(-1)!
    expect(last.position[2]).toBeCloseTo(0.2, 12)
    expect(last.shapes).toHaveLength(1)
  })

  it('turns a profile about an axis into a cylinder', async () => {
    await editor.menu('Add', 'Draw', 'Polygon…')
    await bar('Polygon').getByRole('combobox', { name: 'What it becomes' }).selectOption('turned')
    const profile = [[0, 0], [0.3, 0], [0.3, 0.5], [0, 0.5]] as const
    for (const [i, place] of profile.entries()) {
      await bar('Polygon').getByRole('button', { name: 'Add point' }).click()
      for (const [k, axis] of ['x', 'z'].entries()) {
        const field = bar('Polygon').getByLabel(`Point ${i + 1} ${axis}`, { exact: true })
        await field.fill(String(place[k]))
        await field.press('Enter')
      }
    }
    await shot('sketch-turned')
    await bar('Polygon').getByRole('button', { name: 'Make body' }).click()
    expect((await saved()).bodies.at(-1)).toMatchObject({ position: [0, 0, 0.25], shapes: [{ type: 'cylinder', radius: 0.3, height: 0.5 }] })
  })
})
