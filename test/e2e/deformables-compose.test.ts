// @module-tag long
/** Cloth, ropes and hair are moved, turned, copied, arranged and put down as bodies are; and so are prefabs that contain them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scene } from '../../core/scene'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const side = [0, 1, 2, 3, 4]
const wool = { id: 'wool', density: 500, friction: { static: 0.5, dynamic: 0.4 }, color: '#c2685a' }
const strand = (y: number) => ({ body: 'ball', points: [[0, y, 1], [0, 1.1 * y, 1], [0, 1.3 * y, 1]] })
const sheet = (height: number) => ({
  type: 'cloth', material: 'wool', radius: 0.01, vertices: side.flatMap(i => side.map(j => [i / 8 - 0.25 + 2, j / 8 - 0.25, height])),
  triangles: side.slice(1).flatMap(i => side.slice(1).flatMap(j => {
    const a = 5 * (i - 1) + j - 1
    return [[a, a + 5, a + 6], [a, a + 6, a + 1]]
  })),
})
const tent = {
  format: 'cairn-scene', version: 1, name: 'Tent', materials: [wool],
  bodies: [{ id: 'post', position: [0, 0, 0.25], shapes: [{ type: 'box', size: [0.4, 0.4, 0.5], material: 'wool' }] }],
  deformables: [{ id: 'line', type: 'rope', material: 'wool', radius: 0.02, points: [[0.22, 0, 0.4], [0.6, 0, 0.1], [0.6, 0, -0.1]], segments: 8, attachments: [{ vertex: 0, body: 'post' }] }],
}
const scene = {
  format: 'cairn-scene', version: 1, name: 'Soft things', materials: [wool],
  bodies: [
    { id: 'ground', name: 'Ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wool' }] },
    { id: 'ball', name: 'Ball', position: [0, 0, 1], shapes: [{ type: 'sphere', radius: 0.3, material: 'wool' }] },
  ],
  deformables: [{ id: 'fur', name: 'Fur', type: 'hair', material: 'wool', radius: 0.01, strands: [strand(0.3), strand(-0.3)] }, { id: 'sheet', name: 'Sheet', ...sheet(0.8) }],
  prefabs: [{ id: 'tent', file: 'tent.cairn.json' }],
  instances: [{ id: 'camp', name: 'Camp', prefab: 'tent', position: [-2, 0, 1], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }],
  simulation: { duration: 0.2, outputRate: 60, method: 'time-stepping' },
}

describe.skipIf(!chromium)('a person who places soft things', () => {
  let editor: Editor
  const host = sitting({
    scene: 'soft.cairn.json', files: { 'soft.cairn.json': scene, 'tent.cairn.json': tent },
    ready: async opened => {
      editor = opened
      await editor.waitFor('soft')
    },
  })
  const item = (name: string) => editor.page.getByRole('treeitem', { name, exact: true })
  const saved = async () => {
    await editor.page.keyboard.press('Control+s')
    await expect.poll(() => editor.page.title()).not.toContain('●')
    return JSON.parse(readFileSync(join(host.root, 'soft.cairn.json'), 'utf8')) as Scene
  }
  const verticesOf = ({ deformables }: Scene, id: string): readonly (readonly number[])[] => {
    const found = deformables!.find(one => one.id === id)!
    return found.type === 'cloth' ? found.vertices : found.type === 'hair' ? found.strands.flatMap(({ points }) => points) : []
  }
  const undone = async () => {
    await editor.page.keyboard.press('Control+z')
    await editor.page.waitForTimeout(200)
  }
  const drop = async (...names: string[]) => {
    await item(names[0]!).click()
    for (const name of names.slice(1)) await item(name).click({ modifiers: ['Control'] })
    const rest = editor.page.getByText(/^At rest after/)
    // An earlier drop may still be confirmed; each confirmation is an element of its own.
    await rest.evaluateAll(earlier => { for (const element of earlier) element.setAttribute('data-earlier', '') })
    await editor.page.keyboard.press('g')
    await rest.and(editor.page.locator(':not([data-earlier])')).waitFor({ timeout: 60_000 })
  }

  it('drags a cloth by its gizmo along x, in one undoable step', async () => {
    await item('Sheet').click()
    await editor.viewport.locator('canvas').first().focus()
    for (const key of ['1', 'f', 'w']) await editor.page.keyboard.press(key)
    await editor.rests()
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await editor.page.mouse.move(x + 60, y)
    await editor.page.mouse.down()
    await editor.page.mouse.move(x + 120, y, { steps: 4 })
    await editor.page.mouse.move(x + 160, y, { steps: 4 })
    await editor.page.mouse.up()
    const moved = verticesOf(await saved(), 'sheet')
    const shift = moved[0]![0]! - (2 - 0.25)
    expect(shift).toBeGreaterThan(0.04)
    moved.forEach(([px, py, pz], k) => {
      const [qx, qy, qz] = sheet(0.8).vertices[k]!
      expect([px! - qx!, py! - qy!, pz! - qz!].map(value => Number(value.toFixed(9)))).toEqual([Number(shift.toFixed(9)), 0, 0])
    })
    await undone()
    expect(verticesOf(await saved(), 'sheet')).toEqual(sheet(0.8).vertices)
  })

  it('grows hair on the seen side of the ball, along its normals, in one undoable step', async () => {
    await item('Ball').click()
    await editor.viewport.locator('canvas').first().focus()
    for (const key of ['1', 'f']) await editor.page.keyboard.press(key)
    await editor.rests()
    await editor.menu('Add', 'Deformable', 'Hair on selected body')
    await item('Hair').waitFor()
    const hair = (await saved()).deformables!.find(({ id }) => id === 'hair')!
    if (hair.type !== 'hair') throw new Error(hair.type)
    expect(hair.strands.length).toBeGreaterThan(20)
    for (const { body, points: [root] } of hair.strands) {
      expect(body).toBe('ball')
      expect(Math.hypot(root![0], root![1], root![2] - 1)).toBeCloseTo(0.3, 2)
      // Seen from the front.
      expect(root![1]).toBeLessThan(0.05)
    }
    await undone()
    expect((await saved()).deformables!.map(({ id }) => id)).toEqual(['fur', 'sheet'])
  })

  it('copies the ball with its fur, each strand on the copy', async () => {
    await item('Ball').click()
    await editor.page.keyboard.press('Control+d')
    await item('Ball 2').waitFor()
    const { deformables, bodies } = await saved()
    const copy = bodies!.find(({ name }) => name === 'Ball 2')!
    const fur = deformables!.find(({ name }) => name === 'Fur 2')!
    expect(fur.type === 'hair' && fur.strands.map(({ body }) => body)).toEqual([copy.id, copy.id])
    expect(verticesOf({ deformables } as Scene, fur.id)[0]).toEqual([0.25, 0.55, 1])
    await undone()
  })

  it('makes a row of three balls, each with fur', async () => {
    await item('Ball').click()
    await editor.menu('Edit', 'Array', 'Linear…')
    await editor.page.getByRole('textbox', { name: 'Count' }).fill('3')
    await editor.page.keyboard.press('Enter')
    await editor.page.getByRole('button', { name: 'Make array' }).click()
    const { deformables } = await saved()
    expect(deformables!.filter(({ type }) => type === 'hair').map(one => one.type === 'hair' && one.strands[0]!.body)).toEqual(['ball', 'ball-2', 'ball-3'])
    await undone()
  })

  it('puts the ball down: its fur goes with it, and a cloth keeps its shape', async () => {
    await drop('Ball', 'Sheet')
    const dropped = await saved()
    const [x, , z] = dropped.bodies!.find(({ id }) => id === 'ball')!.position!
    expect(z).toBeCloseTo(0.3, 6)
    const roots = verticesOf(dropped, 'fur').slice(0, 1)
    expect(Math.hypot(roots[0]![0]! - x!, roots[0]![1]!, roots[0]![2]! - z!)).toBeCloseTo(0.3, 6)
    // The sheet lies half its thickness above the ground.
    for (const [, , height] of verticesOf(dropped, 'sheet')) expect(height).toBeCloseTo(0.01, 6)
    await undone()
  })

  it('puts an instance down with its rope, and simulates it where it is held', async () => {
    await drop('Camp')
    const camp = (await saved()).instances![0]!
    // The rope's end is the lowest: 0.1 m and its radius below the file's ground.
    expect(camp.position![2]).toBeLessThan(0.13)
    expect(camp.position![2]).toBeGreaterThan(0.01)
    await editor.simulate()
    expect(await editor.primary.getAttribute('data-state')).toBe('current')
    const run = host.runFiles().at(-1)!
    const { deformables } = JSON.parse(await host.cairn('inspect', run, '--time', '0.2', '--deformables', '--json')) as { deformables: { id: string; reactions: number[][] }[] }
    const line = deformables.find(({ id }) => id === 'camp.line')!
    expect(Math.hypot(...line.reactions[0]!)).toBeGreaterThan(0.01)
  })
})
