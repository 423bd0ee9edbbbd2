// @module-tag long
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Machine', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, color: '#c39a6b' }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'wheel', position: [-1, 0, 1], orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], shapes: [{ type: 'cylinder', radius: 0.4, height: 0.1, material: 'wood' }] },
    { id: 'crate', position: [0.2, 0, 0.25], shapes: [{ type: 'box', size: [0.5, 0.5, 0.5], material: 'wood' }] },
    { id: 'parcel', position: [1.3, 0, 0.2], shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'wood' }] },
  ],
  joints: [{ id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: null, anchor: [-1, 0, 1], axis: [0, 1, 0], motor: { targetVelocity: 1, maxForce: 50 } }],
  deformables: [{ id: 'rope', type: 'rope', material: 'wood', points: [[0, 0.6, 1.6], [1, 0.6, 1.6]], segments: 8, radius: 0.02, pins: [0] }],
}

const withoutRope = { ...scene, name: 'Yard', deformables: [] }

interface Kept {
  gravityKeys: { time: number; gravity: number[] }[]
  bodies: { id: string; type?: string; spawnTime?: number; removeTime?: number }[]
  joints: { type: string; motor: { keys: { targetVelocity: number }[] }; spawnTime?: number; removeTime?: number; poseA?: object; poseB?: object }[]
  forces: { id: string; keys: { on?: string; deformable?: string; length?: number }[] }[]
}

describe.skipIf(!chromium)('a person who works on a machine while it runs', () => {
  let editor: Editor
  const host = sitting({
    scene: 'machine.cairn.json', files: { 'machine.cairn.json': scene, 'yard.cairn.json': withoutRope, 'pair.cairn.json': { ...withoutRope, name: 'Pair' }, 'tied.cairn.json': { ...withoutRope, name: 'Tied' } },
    ready: async opened => {
      editor = opened
      await editor.waitFor('machine')
    },
  })
  const banner = () => editor.page.getByRole('status').filter({ hasText: 'Live' })
  const controls = () => editor.page.getByRole('complementary', { name: 'Live controls' })
  const seconds = async () => Number(/([\d.]+) s ·/.exec(await banner().innerText())?.[1] ?? 0)
  const settled = async () => {
    const from = await seconds()
    await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(from + 0.2)
  }
  /** Ends the session, keeps it, saves the document, and runs it again. */
  async function keepAndRepeat(name: string): Promise<Kept> {
    const { page } = editor
    await page.keyboard.press('Control+Shift+Enter')
    await page.getByRole('button', { name: 'Keep as scene' }).click()
    await page.getByText(/^Kept:/).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    const session = host.runFiles().find(file => !done.includes(file))!
    await host.cairn('simulate', join(host.root, `${name}.cairn.json`), '-o', join(host.folder, `${name}.mcap`))
    expect(await host.cairn('compare', session, join(host.folder, `${name}.mcap`), '--tolerance', '0')).toContain('equal')
    done.push(...host.runFiles())
    return JSON.parse(readFileSync(join(host.root, `${name}.cairn.json`), 'utf8')) as Kept
  }
  const done: string[] = []
  const shot = async (name: string) => {
    if (process.env.CAIRN_SHOTS) await editor.page.screenshot({ path: join(process.env.CAIRN_SHOTS, `${name}.png`) })
  }
  /** The middle of the picture, with the camera on a body. */
  async function on(name: string): Promise<[number, number]> {
    await (await editor.outlinerItem(name)).click()
    await editor.page.keyboard.press('f')
    await editor.page.waitForTimeout(500)
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    return [box.x + box.width / 2, box.y + box.height / 2]
  }
  const changed = async () => {
    await editor.page.waitForTimeout(300)
    await expect.poll(async () => controls().getByRole('button', { name: 'Add a body' }).isEnabled(), { timeout: 120_000 }).toBe(true)
    await settled().catch(async (error: unknown) => {
      await shot('live-machine-failed')
      throw error
    })
  }

  it('turns a motor by its slider, and drags a rope; the kept scene repeats it to the byte', async () => {
    const { page } = editor
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(0.2)
    await controls().getByRole('slider', { name: 'axle: velocity' }).fill('6')
    await controls().getByRole('slider', { name: 'Gravity', exact: true }).fill('4')
    await controls().getByRole('slider', { name: 'Tilt of gravity' }).fill('0.3')
    // The rope hangs above the bodies.
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    for (let y = box.y + 0.3 * box.height; y < box.y + 0.5 * box.height; y += 24) {
      for (let x = box.x + 0.4 * box.width; x < box.x + 0.6 * box.width; x += 12) {
        await page.mouse.move(x, y)
        await page.mouse.down()
        await page.mouse.move(x + 2, y - 2)
        await page.mouse.up()
      }
    }
    await shot('live-rope')
    const { gravityKeys, joints, forces } = await keepAndRepeat('machine')
    gravityKeys.at(-1)!.gravity.forEach((g, k) => { expect(g).toBeCloseTo([4 * Math.sin(0.3), 0, -4 * Math.cos(0.3)][k]!, 1) })
    expect(joints[0]!.motor.keys.at(-1)!.targetVelocity).toBe(6)
    expect(forces.flatMap(({ keys }) => keys).some(({ deformable }) => deformable === 'rope')).toBe(true)
  }, 480_000)

  it.each([
    ['ball joint', 'ball', 'pair', 'Click where the ball joint is', 'Click the other body'], ['rod', 'distance', 'tied', 'Click where the rod begins', 'Click where it ends'],
  ])('joins two bodies by a %s at their current poses, and removes it; the kept scene repeats it to the byte', async (by, kind, name, first, second) => {
    const { page } = editor
    await page.keyboard.press('Control+o')
    await page.getByRole('dialog').getByText(`${name}.cairn.json`).dblclick()
    await editor.waitFor(name)
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(0.2)
    await controls().getByRole('combobox', { name: 'Attach by' }).selectOption(by)
    await on('crate')
    await page.keyboard.press('a')
    await page.getByText(first).waitFor()
    await page.mouse.click(...await on('crate'))
    await page.getByText(second).waitFor()
    await page.mouse.click(...await on('parcel'))
    await changed()
    await page.keyboard.press('Shift+F')
    await page.waitForTimeout(500)
    await shot('live-joined')
    await controls().getByRole('slider', { name: 'Gravity', exact: true }).fill('2')
    await settled()
    await controls().getByRole('button', { name: 'Delete' }).click()
    await changed()
    const { joints } = await keepAndRepeat(name)
    const joint = joints.find(({ type }) => type === kind)!
    expect(joint.spawnTime).toBeGreaterThan(0.2)
    expect(joint.removeTime).toBeGreaterThan(joint.spawnTime!)
    expect(Object.keys(joint)).toEqual(expect.arrayContaining(['poseA', 'poseB']))
  }, 480_000)

  it('ties, freezes, adds, deletes and steps; the kept scene repeats it to the byte', async () => {
    const { page } = editor
    await page.keyboard.press('Control+o')
    await page.getByRole('dialog').getByText('yard.cairn.json').dblclick()
    await editor.waitFor('yard')
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(0.2)
    await controls().getByRole('combobox', { name: 'Attach by' }).selectOption('spring')
    await on('crate')
    await page.keyboard.press('a')
    await page.getByText('Click where the spring begins').waitFor()
    await page.mouse.click(...await on('crate'))
    await page.getByText(/Click where it ends/).waitFor()
    await page.mouse.click(...await on('parcel'))
    await page.getByRole('button', { name: 'Cut 1 spring' }).waitFor()
    await page.keyboard.press('Shift+F')
    await page.waitForTimeout(500)
    await shot('live-machine')
    await page.mouse.click(...await on('crate'))
    await controls().getByRole('button', { name: 'Freeze' }).click()
    await changed()
    await page.keyboard.press('Shift+A')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('sphere')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await changed()
    await page.mouse.click(...await on('parcel'))
    await page.keyboard.press('Delete')
    await changed()
    await page.keyboard.press('Shift+F')
    await page.waitForTimeout(500)
    await shot('live-machine-2')
    await controls().getByRole('button', { name: 'Step' }).click()
    await page.getByRole('button', { name: 'Go on (Space)' }).waitFor()
    await page.waitForTimeout(400)
    const before = await seconds()
    for (let k = 0; k < 6; k++) {
      await controls().getByRole('button', { name: 'Step' }).click()
      await page.waitForTimeout(80)
    }
    await expect.poll(seconds).toBeCloseTo(before + 0.1, 1)
    const { bodies, forces } = await keepAndRepeat('yard')
    expect(forces.flatMap(({ keys }) => keys).some(({ on: other, length }) => other !== undefined && length! > 0)).toBe(true)
    expect(bodies.map(({ id, type = 'dynamic', removeTime }) => [id, type, removeTime === undefined])).toEqual([
      ['ground', 'fixed', true], ['wheel', 'dynamic', true], ['crate', 'dynamic', false], ['parcel', 'dynamic', false], ['crate-2', 'fixed', true], ['sphere', 'dynamic', true],
    ])
  }, 480_000)
})
