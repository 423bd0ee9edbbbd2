// @module-tag long
/** What a person points at in the picture: where a rope begins and ends round a drum, and anchor and axis of a joint that is there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

type Vec3 = [number, number, number]

const box = (id: string, name: string, position: Vec3, size: Vec3) => ({ id, name, position, shapes: [{ type: 'box', size, material: 'hemp' }] })
/** A drum between two loads, the nearest edges of which are below its sides, and a door on a hinge in its middle. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Hoist', materials: [{ id: 'hemp', density: 700, friction: { static: 0.4, dynamic: 0.3 } }],
  bodies: [
    { id: 'drum', name: 'Drum', type: 'fixed', position: [0, 0, 2], orientation: [-0.7071067811865476, 0, 0, 0.7071067811865476], shapes: [{ type: 'cylinder', radius: 0.25, height: 0.7, material: 'hemp' }] },
    box('left', 'Left load', [-0.26, 0, 1], [0.2, 0.2, 0.2]), box('right', 'Right load', [0.26, 0, 1], [0.2, 0.2, 0.2]), box('door', 'Door', [2, 0, 1], [0.8, 0.8, 0.8]),
  ],
  joints: [{ id: 'pin', name: 'Pin', type: 'hinge', bodyA: 'door', bodyB: null, anchor: [2, 0, 1], axis: [1, 0, 0] }],
  simulation: { duration: 0.02, outputRate: 60 },
}
interface Saved {
  deformables?: { points: Vec3[]; segments: number; attachments: { vertex: number; body: string }[] }[]
  joints: { anchor: Vec3; axis: Vec3 }[]
}

describe.skipIf(!chromium)('a person who points at bodies', () => {
  let editor: Editor
  const host = sitting({ scene: 'hoist.cairn.json', files: { 'hoist.cairn.json': scene }, ready: async opened => {
    editor = opened
    await editor.waitFor('hoist')
  } })
  const saved = async () => {
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    return JSON.parse(readFileSync(join(host.root, 'hoist.cairn.json'), 'utf8')) as Saved
  }
  /** Clicks the middle of the top of a body, which snapping finds, from above. @param x of the body, as the status shows it */
  const clickTopOf = async (name: string, x: string, ask: () => Promise<unknown>) => {
    await (await editor.outlinerItem(name)).click()
    await editor.page.keyboard.press('f')
    await editor.page.keyboard.press('7')
    await ask()
    const canvas = (await editor.viewport.locator('canvas').first().boundingBox())!
    const [atX, atY] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2]
    let step = 0
    await expect.poll(async () => {
      await editor.page.mouse.move(atX + (step++ % 2), atY)
      return (await editor.page.getByRole('contentinfo', { name: 'Status' }).innerText()).replaceAll(/\s+/g, ' ')
    }).toContain(`x, y, z ${x}`)
    await editor.page.mouse.click(atX, atY)
    await editor.page.getByText(/^Click (where|the|an edge)/).waitFor({ state: 'detached' })
  }

  it('winds a rope round a drum between two loads, without typing a point', async () => {
    await editor.workspace('Compose')
    await (await editor.outlinerItem('Drum')).click()
    await editor.addByKeys('wound')
    const bar = editor.page.getByRole('region', { name: 'Wind rope' })
    await bar.getByText('180°').waitFor()
    await bar.getByRole('textbox', { name: 'Extra turns' }).fill('1')
    await bar.getByRole('textbox', { name: 'Extra turns' }).press('Enter')
    await bar.getByText('540°').waitFor()
    await clickTopOf('Left load', '−0.2', () => bar.getByRole('button', { name: 'Pick where it begins' }).click())
    await clickTopOf('Right load', '0.2', () => bar.getByRole('button', { name: 'Pick where it ends' }).click())
    await bar.getByText('540').waitFor()
    await shots(editor, 'wind-rope')
    await bar.getByRole('button', { name: 'Wind', exact: true }).click()
    await editor.outlinerItem('Rope')
    const [rope] = (await saved()).deformables!
    expect(rope!.attachments).toEqual([{ vertex: 0, body: 'left' }, { vertex: rope!.segments, body: 'right' }])
    expect(rope!.points.length).toBe(rope!.segments + 1)
    expect(Math.min(...rope!.points.map(([x, , z]) => Math.hypot(x, z - 2)))).toBeGreaterThan(0.2599)
    // The rope of the scene can be wound again, between its ends, which stay on the loads.
    await (await editor.outlinerItem('Drum')).click({ modifiers: ['Control'] })
    await editor.addByKeys('wound')
    await bar.getByRole('textbox', { name: 'Extra turns' }).fill('2')
    await bar.getByRole('textbox', { name: 'Extra turns' }).press('Enter')
    await bar.getByText('900').waitFor()
    await bar.getByRole('button', { name: 'Wind', exact: true }).click()
    await bar.waitFor({ state: 'detached' })
    const [again] = (await saved()).deformables!
    expect([again!.points[0], again!.points.at(-1)]).toEqual([rope!.points[0], rope!.points.at(-1)])
    expect(again!.attachments.map(({ body }) => body)).toEqual(['left', 'right'])
    expect(again!.segments).toBeGreaterThan(rope!.segments)
    await editor.simulate()
    expect(await editor.primary.getAttribute('data-state')).toBe('current')
  })

  it('picks anchor and axis of a joint that is there, as at its creation', async () => {
    await editor.workspace('Compose')
    const pinned = async () => {
      await (await editor.outlinerItem('Pin')).click()
      await editor.panel('Inspector')
    }
    await clickTopOf('Door', '2', async () => {
      await pinned()
      await shots(editor, 'joint-picks')
      await editor.page.getByRole('button', { name: 'Pick the anchor' }).click()
    })
    await expect.poll(() => editor.field('Anchor z').inputValue()).toBe('1.4')
    await clickTopOf('Door', '2', async () => {
      await pinned()
      await editor.page.getByRole('button', { name: 'Pick the axis' }).click()
    })
    await expect.poll(() => editor.field('Axis z').inputValue()).toBe('1')
    const { joints: [pin] } = await saved()
    expect(pin).toMatchObject({ anchor: [2, 0, 1.4], axis: [0, 0, 1] })
    // Each pick is one edit, and Esc asks for none.
    await editor.page.getByRole('button', { name: 'Pick the axis' }).click()
    await editor.page.keyboard.press('Escape')
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => editor.field('Axis z').inputValue()).toBe('0')
    expect(await editor.field('Anchor z').inputValue()).toBe('1.4')
  })
})
