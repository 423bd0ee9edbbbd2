// @module-tag long
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

interface Saved {
  bodies: { id: string; position: [number, number, number]; orientation?: [number, number, number, number]; expressions?: object[] }[]
  joints: { id: string; anchor: [number, number, number]; limits?: { lower: number; upper: number } }[]
}

/** A rod that hangs from a hinge, seen from the front: a pull to the right turns it. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Arm', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }], gravity: [0, 0, 0],
  bodies: [{ id: 'rod', name: 'Rod', position: [0, 0, -0.5], shapes: [{ type: 'box', size: [0.3, 0.3, 1], material: 'wood' }] }],
  joints: [{ id: 'pin', name: 'Pin', type: 'hinge', bodyA: 'rod', bodyB: null, anchor: [0, 0, 0], axis: [0, 1, 0], limits: { lower: -2, upper: 2 } }],
  parameters: [{ id: 'tilt', value: 20, unit: '°', min: -90, max: 90 }], simulation: { duration: 0.2, outputRate: 60 },
}

describe.skipIf(!chromium)('a person who sets a mechanism before any simulation', () => {
  let editor: Editor
  const host = sitting({
    scene: 'arm.cairn.json', files: { 'arm.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('arm')
    },
  })
  const field = (label: string) => editor.page.getByRole('textbox', { name: label, exact: true })
  const type = async (label: string, text: string) => {
    await field(label).fill(text)
    await field(label).press('Enter')
  }
  const saved = async () => {
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    return JSON.parse(readFileSync(join(host.root, 'arm.cairn.json'), 'utf8')) as Saved
  }

  it('pulls a body in the picture, and it turns about its hinge; Esc takes it back', async () => {
    await editor.workspace('Compose')
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const drag = async (dx: number) => {
      await editor.page.mouse.move(x, y)
      await editor.page.mouse.down()
      for (let k = 1; k <= 10; k++) await editor.page.mouse.move(x + dx * k / 10, y)
    }
    await drag(90)
    await editor.page.keyboard.press('Escape')
    await editor.page.mouse.up()
    expect(await editor.page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true)
    await drag(90)
    await editor.page.mouse.up()
    await shots(editor, 'joint-drag')
    const { bodies: [rod], joints: [pin] } = await saved()
    expect(Math.hypot(...rod!.position)).toBeCloseTo(0.5, 9)
    const angle = 2 * Math.atan2(rod!.orientation![1], rod!.orientation![3])
    expect(Math.abs(angle)).toBeGreaterThan(0.05)
    expect(rod!.position[0]).toBeCloseTo(-0.5 * Math.sin(angle), 9)
    expect(Math.hypot(...pin!.anchor)).toBeLessThan(1e-9)
    expect(pin!.limits!.lower).toBeCloseTo(-2 - angle, 9)
    // One edit.
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    expect((await saved()).bodies[0]!.position).toEqual([0, 0, -0.5])
  })

  it('has an angle of an orientation follow a parameter, in degrees as the field shows it', async () => {
    await (await editor.outlinerItem('Rod')).click()
    await editor.panel('Inspector')
    await type('Orientation z', '= tilt + 10')
    await expect.poll(() => field('Orientation z').inputValue()).toBe('= tilt + 10')
    await field('Orientation z').blur()
    await expect.poll(() => field('Orientation z').inputValue()).toBe('30')
    await shots(editor, 'formula-degrees')
    await type('Orientation x', '45')
    await expect.poll(() => field('Orientation x').inputValue()).toBe('45')
    const { bodies: [rod] } = await saved()
    expect(rod!.expressions).toContainEqual({ field: 'orientation.z', formula: 'tilt + 10', unit: 'deg' })
    expect(2 * Math.asin(Math.hypot(rod!.orientation![0], rod!.orientation![1]))).toBeCloseTo(Math.PI / 4, 12)
    await editor.page.locator('.dv-tab').filter({ hasText: /^Parameters$/ }).first().click()
    await type('Value of tilt', '50')
    await editor.panel('Inspector')
    await expect.poll(() => field('Orientation z').inputValue()).toBe('60')
    await expect.poll(() => field('Orientation x').inputValue()).toBe('45')
  })

  it('has a limit in degrees follow it too', async () => {
    await (await editor.outlinerItem('Pin')).click()
    await type('Upper limit', '= 2 * tilt')
    await field('Upper limit').blur()
    await expect.poll(() => field('Upper limit').inputValue()).toBe('100')
  })
})
