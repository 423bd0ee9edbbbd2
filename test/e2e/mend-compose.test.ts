import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const box = (id: string, position: readonly number[]) => ({ id, position, shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'wood' }] })
const scene = {
  format: 'cairn-scene', version: 1, name: 'Three boxes', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    box('a', [0, 1, 0.1]), box('b', [1, 2, 0.1]), box('cylinder', [2, 2, 0.1]),
  ],
  joints: [
    { id: 'h1', type: 'hinge', bodyA: 'a', bodyB: null, anchor: [0, 1, 0.1], axis: [0, 1, 0] },
    { id: 'h2', type: 'hinge', bodyA: 'b', bodyB: null, anchor: [1, 2, 0.1], axis: [0, 1, 0] },
  ],
  forces: [{ id: 'push', type: 'script', script: 'push.ts' }, { id: 'spring', type: 'spring', bodyA: 'a', bodyB: 'b', stiffness: 5 }],
  scripts: [{ id: 'push.ts', source: "export default function (ctx: ForceContext): void {\n  ctx.body('cylinder').applyForce([1, 0, 0])\n}\n" }],
}

/** A ring of radii 1 and 0.3 as OBJ text. */
function torus(around: number, across: number): string {
  const lines: string[] = []
  for (let i = 0; i < around * across; i++) {
    const [u, v] = [Math.floor(i / across) * 2 * Math.PI / around, (i % across) * 2 * Math.PI / across]
    const r = 1 + 0.3 * Math.cos(v)
    lines.push(`v ${r * Math.cos(u)} ${r * Math.sin(u)} ${0.3 * Math.sin(v)}`)
  }
  for (let i = 0; i < around * across; i++) {
    const [u, v] = [Math.floor(i / across), i % across]
    const [w, x] = [(u + 1) % around, (v + 1) % across]
    lines.push(`f ${[u * across + v, w * across + v, w * across + x, u * across + x].map(k => k + 1).join(' ')}`)
  }
  return lines.join('\n')
}

describe.skipIf(!chromium)('a person who composes, at places where users had difficulties', () => {
  let editor: Editor
  const host = sitting({
    scene: 'boxes.cairn.json', files: { 'boxes.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('boxes')
    },
  })
  const field = (name: string) => editor.page.getByRole('textbox', { name, exact: true })
  const position = (axis: string) => editor.inspector.getByRole('textbox', { name: `Position ${axis}` })
  async function enter(input: ReturnType<typeof field>, text: string) {
    await input.fill(text)
    await input.press('Enter')
  }
  async function choose(...names: string[]) {
    for (const [i, name] of names.entries()) await (await editor.outlinerItem(name)).click(i > 0 ? { modifiers: ['Control'] } : {})
  }
  const saved = async (name: string) => {
    const file = join(host.root, name)
    const written = () => existsSync(file) ? statSync(file).mtimeMs : 0
    const before = written()
    await editor.page.keyboard.press('Escape')
    await editor.page.keyboard.press('Control+s')
    // The message of an earlier save may still be shown.
    await expect.poll(written).toBeGreaterThan(before)
    await editor.page.getByText(`Saved ${name}`).last().waitFor()
    return JSON.parse(readFileSync(file, 'utf8')) as {
      bodies: { id: string; name?: string; position?: number[]; shapes: { pieces?: unknown[] }[] }[]
      joints: { id: string; type: string; jointA?: string; curve?: { center: number[] }; bodyA?: string }[]
      forces: { type: string; bodyA?: string }[]
      scripts: { source: string }[]
    }
  }

  it('changes only the component that was typed, of several bodies', async () => {
    await choose('a', 'b')
    expect(await position('x').inputValue()).toBe('')
    expect(await position('x').getAttribute('placeholder')).toBe('mixed')
    await enter(position('z'), '12 in')
    await enter(position('y'), '+= 0.5')
    const { bodies } = await saved('boxes.cairn.json')
    expect(bodies.slice(1, 3).map(body => body.position)).toEqual([[0, 1.5, 0.3048], [1, 2.5, 0.3048]])
    await editor.page.keyboard.press('Control+z')
    await editor.page.keyboard.press('Control+z')
    await choose('a')
    await expect.poll(() => position('y').inputValue()).toBe('1')
  })

  it('reads a sine in degrees, as the fields beside it', async () => {
    await enter(position('x'), 'sin(30)')
    await expect.poll(() => position('x').inputValue()).toBe('0.5')
    await editor.page.getByRole('button', { name: 'Undo' }).click()
  })

  it('renames a body, and its id follows in scripts too until it is edited', async () => {
    await choose('cylinder')
    const name = editor.page.getByRole('textbox', { name: 'Name', exact: true })
    await enter(name, 'Big ramp')
    await expect.poll(() => field('Id').inputValue()).toBe('big-ramp')
    await enter(field('Id'), 'r1')
    await enter(name, 'Ramp')
    await expect.poll(() => field('Id').inputValue()).toBe('r1')
    expect((await saved('boxes.cairn.json')).scripts[0]!.source).toContain("body('r1')")
  })

  it('couples two hinges by a gear, and slides a point on a circle', async () => {
    await choose('h1', 'h2')
    await editor.panel('Joints')
    await editor.page.getByRole('button', { name: 'New joint' }).first().click()
    const form = editor.page.getByRole('form', { name: 'New joint' })
    expect(await form.getByRole('combobox', { name: 'Joint type' }).inputValue()).toBe('gear')
    await form.getByRole('button', { name: 'Create joint' }).click()
    await editor.outlinerItem('Gear')
    await choose('Ramp')
    await editor.panel('Joints')
    await editor.page.getByRole('button', { name: 'New joint' }).first().click()
    await form.getByRole('combobox', { name: 'Joint type' }).selectOption('pointOnCurve')
    await form.getByRole('combobox', { name: 'Curve' }).selectOption('circle')
    await form.getByRole('button', { name: 'Create joint' }).click()
    await editor.outlinerItem('Point on a curve')
  })

  it('duplicates bodies with their gear, spring and curve', async () => {
    await choose('a', 'b', 'Ramp')
    await editor.page.keyboard.press('Control+d')
    await editor.outlinerItem('Gear 2')
    const { joints, forces } = await saved('boxes.cairn.json')
    expect(joints.find(joint => joint.id === 'gear-2')!.jointA).not.toBe('h1')
    const [first, second] = joints.filter(joint => joint.type === 'pointOnCurve').map(joint => joint.curve!.center)
    expect(second).toEqual([first![0]! + 0.25, first![1]! + 0.25, first![2]])
    expect(forces.filter(force => force.type === 'spring').map(force => force.bodyA)).toEqual(['a', 'a-2'])
  })

  async function drop(name: string, text: string) {
    const transfer = await editor.page.evaluateHandle(([n, t]) => {
      const data = new DataTransfer()
      data.items.add(new File([t!], n!))
      return data
    }, [name, text])
    await editor.viewport.dispatchEvent('drop', { dataTransfer: transfer })
  }

  it('drops a ring whose hole stays open, and is asked where pieces would close it', { tags: 'long' }, async () => {
    await drop('ring.obj', torus(16, 8))
    await editor.page.getByText(/^ring\.obj: 16 exact convex pieces, 100\.0 % of its volume/).waitFor()
    const pieces = editor.page.getByRole('region', { name: 'Convex pieces' })
    await pieces.getByText('Decompose again').click()
    await enter(pieces.getByRole('textbox', { name: 'Pieces at most' }), '3')
    await pieces.getByRole('button', { name: 'Decompose', exact: true }).click()
    const question = editor.page.getByRole('dialog', { name: 'Use these convex pieces?' })
    await question.getByText(/ % of its volume, up to .* m beyond it\. The hole of .* m about .* is (closed|narrowed to .* of its section)\./).waitFor()
    await question.getByRole('button', { name: 'Leave it' }).click()
    expect((await saved('boxes.cairn.json')).bodies.at(-1)!.shapes[0]!.pieces).toHaveLength(16)
  })

  it('has a menu in the viewport, for the object under the pointer', async () => {
    await editor.page.keyboard.press('Escape')
    // After framing, the middle of the view shows the ring or the ground beside it.
    await editor.viewport.locator('canvas').first().click({ button: 'right' })
    await editor.page.getByRole('menu', { name: 'Commands for the selection' }).getByRole('menuitem', { name: 'Frame selection' }).click()
    await expect.poll(() => editor.page.getByRole('menu').count()).toBe(0)
  })

  it('flies with the right button held, and no menu opens when it is let go', async () => {
    const { page } = editor
    const { x, y, width } = (await editor.viewport.locator('canvas').first().boundingBox())!
    await page.mouse.move(x + width / 2, y + 60)
    await page.mouse.down({ button: 'right' })
    await page.keyboard.down('s')
    await page.waitForTimeout(200)
    await page.keyboard.up('s')
    await page.mouse.up({ button: 'right' })
    await page.waitForTimeout(300)
    expect(await page.getByRole('menu').count()).toBe(0)
    await page.keyboard.press('Shift+F')
  })

  it('goes through tools with the arrow keys, and from panel to panel with F6', async () => {
    const select = editor.page.getByRole('radio', { name: 'Select' })
    await select.focus()
    await editor.page.keyboard.press('ArrowRight')
    await expect.poll(() => editor.page.getByRole('radio', { name: 'Move' }).getAttribute('aria-checked')).toBe('true')
    expect(await select.getAttribute('tabindex')).toBe('-1')
    await editor.page.keyboard.press('F6')
    await expect.poll(() => editor.page.evaluate(() => document.activeElement?.closest('.dv-groupview') !== null)).toBe(true)
  })

  it('makes a wall of forty bricks, changes it, and takes it back or applies it', async () => {
    const bodies = () => editor.page.getByRole('contentinfo', { name: 'Status' }).getByText(/\d+ bodies/).innerText()
    const before = Number(/\d+/.exec(await bodies())![0])
    await choose('Ramp')
    await editor.menu('Edit', 'Array', 'Wall…')
    const form = editor.page.getByRole('form', { name: 'Array' })
    await form.getByRole('button', { name: 'Make array' }).click()
    await expect.poll(bodies).toContain(`${before + 39} bodies`)
    await enter(form.getByRole('textbox', { name: 'Rows' }), '2')
    await expect.poll(bodies).toContain(`${before + 15} bodies`)
    await form.getByRole('button', { name: 'Take back' }).click()
    await expect.poll(bodies).toContain(`${before} bodies`)
    await form.getByRole('combobox', { name: 'Kind of array' }).selectOption('curve')
    await form.getByRole('button', { name: 'Make array' }).click()
    await expect.poll(bodies).toContain(`${before + 9} bodies`)
    await form.getByRole('button', { name: 'Apply' }).click()
    await editor.page.keyboard.press('Control+z')
    await expect.poll(bodies).toContain(`${before} bodies`)
  })

  it('lines bodies up, and copies by the move that the last copy was given', async () => {
    await choose('a', 'b')
    await editor.panel('Arrange')
    await editor.page.getByRole('button', { name: 'Align lowest y' }).click()
    await editor.panel('Inspector')
    await choose('a')
    await expect.poll(() => position('y').inputValue()).toBe('2')
    await choose('Ramp')
    await editor.page.keyboard.press('Control+d')
    await expect.poll(() => position('x').inputValue()).toBe('2.25')
    await enter(position('x'), '+= 0.75')
    // Leaves the field, and keeps the selection.
    await editor.page.keyboard.press('Escape')
    await editor.page.keyboard.press('Control+d')
    await expect.poll(async () => Number(await position('x').inputValue())).toBeCloseTo(4, 9)
  })

  it('adds a body on the grid', async () => {
    await editor.menu('Add', 'Sphere')
    for (const axis of ['x', 'y']) {
      const value = Number((await position(axis).inputValue()).replace('−', '-'))
      expect(Math.abs(value / 0.05 - Math.round(value / 0.05))).toBeLessThan(1e-6)
    }
  })

  it('saves under a name without an ending, finds it in Open, and has it again after a reload', async () => {
    await editor.page.keyboard.press('Control+Shift+s')
    const dialog = editor.page.getByRole('dialog', { name: 'Save as' })
    await dialog.getByRole('textbox', { name: 'File name' }).fill('mine')
    await dialog.getByText('Saved as mine.cairn.json').waitFor()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await editor.waitFor('mine.cairn.json')
    await editor.page.keyboard.press('Control+o')
    await editor.page.getByRole('dialog', { name: 'Open' }).getByRole('button', { name: /^mine\.cairn\.json/ }).waitFor()
    await editor.page.getByRole('dialog', { name: 'Open' }).getByRole('button', { name: 'Cancel' }).click()
    await editor.page.reload()
    await editor.waitFor('mine.cairn.json')
    await editor.outlinerItem('Ramp')
  })

  it('is not asked to recover what was undone or not wanted', { tags: 'long' }, async () => {
    const recovery = editor.page.getByRole('dialog', { name: 'Recover unsaved work?' })
    await editor.menu('Add', 'Cone')
    await editor.hasCopies(1)
    await editor.page.keyboard.press('Control+z')
    await editor.hasCopies(0)
    await editor.menu('Add', 'Cone')
    await editor.hasCopies(1)
    await editor.menu('File', 'New scene')
    await editor.page.getByRole('dialog', { name: 'Save changes?' }).getByRole('button', { name: 'Don’t save' }).click()
    await editor.waitFor('untitled')
    const context = editor.context
    const url = host.url
    await editor.page.close({ runBeforeUnload: false })
    const page = await context.newPage()
    await page.goto(url)
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'boxes' }).waitFor()
    await page.waitForTimeout(500)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await recovery.count().catch(() => 0)).toBe(0)
  })
})
