// @module-tag long
/** Prefabs through the interface: saved from a selection, placed three times, edited once, made local, and everything undone. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Scene } from '../../core/scene'
import { chromium } from './chromium'
import { Editor, WebHostProcess } from './editor'
import { shots } from './shots'

const start: Scene = {
  format: 'cairn-scene', version: 1, name: 'Carts',
  materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'frame', group: 'cart', position: [0, 0, 0.6], shapes: [{ type: 'box', size: [1, 0.5, 0.2], material: 'wood' }] },
    { id: 'wheel', group: 'cart', position: [0.3, 0, 0.2], shapes: [{ type: 'sphere', radius: 0.2, material: 'wood' }] },
  ],
  joints: [{ id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: 'frame', anchor: [0.3, 0, 0.2], axis: [0, 1, 0] }],
  groups: [{ id: 'cart', name: 'Cart' }],
}

describe.skipIf(!chromium)('prefabs', () => {
  let host: WebHostProcess
  let editor: Editor
  beforeEach(async () => {
    host = new WebHostProcess()
    writeFileSync(join(host.root, 'carts.cairn.json'), JSON.stringify(start, null, 2))
    await host.start({ scene: 'carts.cairn.json' })
    editor = await Editor.open(host.url)
    await editor.waitFor('carts')
  })
  afterEach(async () => {
    expect(editor.faults).toEqual([])
    await editor?.close()
    await host.stop()
    host.dispose()
  })

  const written = (name: string) => JSON.parse(readFileSync(join(host.root, name), 'utf8')) as Scene
  const item = (name: string) => editor.page.getByRole('treeitem', { name, exact: true })
  const prefab = (entry: string | RegExp) => editor.menu('Edit', 'Prefab', entry as string)

  async function savePrefab(): Promise<void> {
    await item('Cart').click()
    await prefab('Save as prefab…')
    const dialog = editor.page.getByRole('dialog', { name: 'Save as' })
    expect(await dialog.getByRole('textbox', { name: 'File name' }).inputValue()).toBe('cart.cairn.json')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await item('cart-1.wheel').waitFor()
  }

  async function save(): Promise<void> {
    await editor.page.keyboard.press('Control+s')
    await expect.poll(() => editor.page.title()).not.toContain('●')
  }

  /** Undoes the whole history. */
  async function whileEnabled(name: 'Undo' | 'Redo'): Promise<void> {
    const button = editor.page.getByRole('button', { name })
    for (; await button.isEnabled(); await editor.page.waitForTimeout(100)) await button.click()
  }

  /** Of what the inspector shows. */
  const field = (name: string) => editor.page.getByRole('textbox', { name, exact: true })

  it('one file, three instances: an edit of the file is in all of them, here and from elsewhere, and everything is undone', async () => {
    await savePrefab()
    expect(written('cart.cairn.json')).toMatchObject({ name: 'Cart', bodies: [{ id: 'frame', position: [0, 0, 0] }, { id: 'wheel' }], joints: [{ id: 'axle' }] })
    await item('Cart').click()
    await prefab('Place once more')
    await item('cart-2').waitFor()
    await item('cart-2').click()
    for (const [name, value] of [['Position y', '2'], ['Position z', '0.6']] as const) {
      await field(name).fill(value)
      await field(name).press('Enter')
    }
    // A copy is an instance as well.
    await item('Cart').click()
    await editor.page.keyboard.press('Control+d')
    await item('cart-3.wheel').waitFor()
    await field('Position y').fill('-2')
    await field('Position y').press('Enter')
    await save()
    const scene = written('carts.cairn.json')
    expect(scene.bodies!.map(({ id }) => id)).toEqual(['ground'])
    expect(scene.prefabs).toEqual([{ id: 'cart', file: 'cart.cairn.json' }])
    expect(scene.instances!.map(({ id, prefab: of, position }) => [id, of, position![1]])).toEqual([['cart-1', 'cart', 0], ['cart-2', 'cart', 2], ['cart-3', 'cart', -2]])

    // Objects of an instance can be inspected under their ids in the prefab.
    await item('cart-2.wheel').click()
    expect(await field('Id').isDisabled()).toBe(true)
    await editor.page.getByText('It belongs to cart-2').waitFor()
    expect(await editor.page.getByRole('combobox', { name: 'Group', exact: true }).inputValue()).toBe('cart-2')
    await shots(editor, 'prefabs')

    // The prefab is edited once, in its own file.
    await editor.page.getByRole('button', { name: 'Edit prefab' }).click()
    await editor.waitFor('cart')
    await item('wheel').click()
    await field('Radius').fill('0.25')
    await field('Radius').press('Enter')
    await save()
    await prefab('Back to carts.cairn.json')
    await editor.waitFor('carts')
    for (const id of ['cart-1', 'cart-2', 'cart-3']) {
      await item(`${id}.wheel`).click()
      await expect.poll(() => field('Radius').inputValue()).toBe('0.25')
    }
    expect(await editor.page.title()).not.toContain('●')

    // Another program changes the file: every open scene is updated.
    const file = written('cart.cairn.json')
    file.bodies![1]!.shapes = [{ type: 'sphere', radius: 0.15, material: 'wood' }]
    writeFileSync(join(host.root, 'cart.cairn.json'), JSON.stringify(file))
    await expect.poll(() => field('Radius').inputValue(), { timeout: 10_000 }).toBe('0.15')

    // The scene's history is kept.
    await whileEnabled('Undo')
    await item('Cart').waitFor()
    await item('frame').waitFor()
    expect(await item('cart-1.wheel').count()).toBe(0)
    await whileEnabled('Redo')
    await item('cart-3.wheel').click()
    await expect.poll(() => field('Radius').inputValue()).toBe('0.15')
    expect(await editor.page.title()).not.toContain('●')
    await editor.simulate()
    expect(await editor.primary.getAttribute('data-state')).toBe('current')
  })

  it('one property of one instance is overridden, seen to be, simulated, and reverted; the others follow the file', async () => {
    await savePrefab()
    await item('Cart').click()
    await editor.page.keyboard.press('Control+d')
    await item('cart-2.wheel').waitFor()
    await field('Position y').fill('2')
    await field('Position y').press('Enter')
    await item('cart-2.wheel').click()
    const overrides = editor.page.getByRole('region', { name: 'Overrides' })
    expect(await overrides.count()).toBe(0)
    await field('Radius').fill('0.3')
    await field('Radius').press('Enter')
    await overrides.getByText('Shapes 1 radius 0.3, prefab: 0.2').waitFor()
    await field('Linear velocity x').fill('1')
    await field('Linear velocity x').press('Enter')
    await overrides.getByRole('heading', { name: 'Overrides · 2' }).waitFor()
    await shots(editor, 'prefab-overrides')
    await item('cart-1.wheel').click()
    expect([await field('Radius').inputValue(), await overrides.count()]).toEqual(['0.2', 0])
    // The instance as a whole lists them by object.
    await item('Cart 2').click()
    await overrides.getByText('cart-2.wheel · Shapes 1 radius').waitFor()
    await save()
    expect(written('carts.cairn.json').instances!.map(({ id, overrides: made }) => [id, made])).toEqual([['cart-1', undefined], ['cart-2', [
      { collection: 'bodies', of: 'wheel', field: 'shapes[0].radius', value: 0.3 }, { collection: 'bodies', of: 'wheel', field: 'linearVelocity', value: [1, 0, 0] },
    ]]])
    await editor.page.reload()
    await editor.waitFor('carts')
    await item('cart-2.wheel').click()
    await expect.poll(() => field('Radius').inputValue()).toBe('0.3')

    // The file changes: overridden values stay, all others are updated.
    const file = written('cart.cairn.json')
    file.bodies![1]!.shapes = [{ type: 'sphere', radius: 0.15, material: 'wood' }]
    writeFileSync(join(host.root, 'cart.cairn.json'), JSON.stringify(file))
    await overrides.getByText('Shapes 1 radius 0.3, prefab: 0.15').waitFor({ timeout: 10_000 })
    await item('cart-1.wheel').click()
    await expect.poll(() => field('Radius').inputValue()).toBe('0.15')
    await item('cart-2.wheel').click()
    await overrides.getByRole('button', { name: 'Revert Shapes 1 radius' }).click()
    await expect.poll(() => field('Radius').inputValue()).toBe('0.15')
    await overrides.getByRole('heading', { name: 'Overrides · 1' }).waitFor()
    await editor.page.keyboard.press('Control+z')
    await expect.poll(() => field('Radius').inputValue()).toBe('0.3')
    await overrides.getByRole('button', { name: 'Revert all' }).click()
    await expect.poll(() => overrides.count()).toBe(0)
    await save()
    expect(written('carts.cairn.json').instances!.every(one => one.overrides === undefined)).toBe(true)
  })

  it('an instance made local is ordinary bodies, and moves as before', async () => {
    await savePrefab()
    await item('Cart').click()
    await editor.page.keyboard.press('Control+d')
    await item('cart-2.wheel').waitFor()
    await prefab('Make local')
    await item('cart-2.wheel').click()
    await expect.poll(() => field('Radius').isDisabled()).toBe(false)
    await field('Radius').fill('0.1')
    await field('Radius').press('Enter')
    await save()
    const scene = written('carts.cairn.json')
    expect(scene.instances!.map(({ id }) => id)).toEqual(['cart-1'])
    expect(scene.bodies!.map(({ id, group }) => [id, group])).toEqual([['ground', undefined], ['cart-2.frame', 'cart-2'], ['cart-2.wheel', 'cart-2']])
    expect(scene.groups).toContainEqual({ id: 'cart-2', name: 'Cart 2' })
  })

  it('a whole instance is dropped to rest and aligned with another', async () => {
    await savePrefab()
    await item('Cart').click()
    await editor.page.keyboard.press('Control+d')
    await item('cart-2.wheel').waitFor()
    for (const [name, value] of [['Position y', '1.5'], ['Position z', '2']] as const) {
      await field(name).fill(value)
      await field(name).press('Enter')
    }
    await editor.menu('Edit', 'Drop to rest')
    await editor.page.getByText(/^At rest after/).waitFor({ timeout: 30_000 })
    await save()
    const dropped = written('carts.cairn.json')
    const { position, orientation = [0, 0, 0, 1] } = dropped.instances!.find(({ id }) => id === 'cart-2')!
    // It tips over its single wheel as one body.
    expect(position![2]).toBeLessThan(0.6)
    expect(Math.abs(orientation[1])).toBeGreaterThan(0.05)

    await item('Cart 2').click()
    await item('Cart').click({ modifiers: ['Control'] })
    await editor.panel('Arrange')
    await editor.page.getByText('2 pieces, to the one selected last').waitFor()
    await shots(editor, 'prefabs-align')
    await editor.page.getByRole('button', { name: 'Align lowest z' }).click()
    await editor.page.getByRole('button', { name: 'Align middle y' }).click()
    await save()
    expect(written('carts.cairn.json').instances!.find(({ id }) => id === 'cart-2')!.position![1]).toBeCloseTo(0, 9)
    expect(written('carts.cairn.json').instances!.find(({ id }) => id === 'cart-2')!.orientation).toEqual(orientation)
  })

  it('a file from another folder is refused, and one below the scene\'s is placed', async () => {
    mkdirSync(join(host.root, 'parts'))
    writeFileSync(join(host.root, 'parts', 'ball.cairn.json'), JSON.stringify({
      format: 'cairn-scene', version: 1, materials: [{ id: 'rubber' }], bodies: [{ id: 'ball', shapes: [{ type: 'sphere', radius: 0.3, material: 'rubber' }] }],
    }))
    await prefab('Place prefab…')
    const dialog = editor.page.getByRole('dialog', { name: 'Open' })
    await dialog.getByRole('button', { name: /^carts\.cairn\.json/ }).dblclick()
    await editor.page.getByText('cannot be placed in itself').waitFor()
    await prefab('Place prefab…')
    await dialog.getByRole('button', { name: /^parts/ }).click()
    await dialog.getByRole('button', { name: /^ball\.cairn\.json/ }).dblclick()
    await item('ball-1').waitFor()
    expect(await editor.page.getByRole('treeitem', { name: 'ball.rubber', exact: true }).count()).toBe(1)
    await editor.page.keyboard.press('Delete')
    await expect.poll(() => item('ball-1').count()).toBe(0)
    await editor.page.keyboard.press('Control+z')
    await item('ball-1.ball').waitFor()
  })
})
