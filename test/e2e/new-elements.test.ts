// @module-tag long
/** What a person adds: its name, where its fields are, and what is seen before it is made. */
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { differenceOf, pictureOf } from './pixels'
import { shots } from './shots'
import { sitting } from './sitting'

describe.skipIf(!chromium)('a person who adds elements', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.beginEmpty()
  } })

  const names = async () => (await editor.page.getByRole('treeitem').allInnerTexts()).map(text => text.trim().split('\n')[0]!)
  const picture = () => pictureOf(editor.viewport)
  const differing = async (earlier: string) => (await differenceOf(editor.page, earlier, await picture())).changed

  it('finds them named in one way, with ids that follow', async () => {
    for (const shape of ['ground', 'box', 'box', 'sphere']) await editor.addByKeys(shape)
    expect((await names()).filter(name => /Ground|Box|Sphere/.test(name))).toEqual(['Ground', 'Box', 'Box 2', 'Sphere'])
    expect(await editor.field('Id').inputValue()).toBe('sphere')
    await editor.menu('Add', 'Force', 'Uniform force')
    await editor.outlinerItem('Uniform force')
    await editor.menu('Add', 'Sensor', 'Pose sensor')
    await editor.outlinerItem('Pose sensor')
    await editor.menu('Add', 'Deformable', 'Particle lattice')
    await editor.outlinerItem('Particle lattice')
  })

  it('sees the fields of a new body also when Arrange was in front', async () => {
    await editor.panel('Arrange')
    await editor.page.getByRole('form', { name: 'Array' }).waitFor()
    await editor.addByKeys('cylinder')
    await editor.page.getByRole('textbox', { name: 'Radius', exact: true }).waitFor()
    expect(await editor.field('Name').inputValue()).toBe('Cylinder')
  })

  it('sees a joint before it is made, and not after Cancel', async () => {
    await (await editor.outlinerItem('Box')).click()
    await editor.panel('Joints')
    await editor.page.getByRole('button', { name: 'New joint' }).first().click()
    const form = editor.page.getByRole('form', { name: 'New joint' })
    await form.waitFor()
    await form.getByRole('combobox', { name: 'Body B' }).selectOption({ label: 'Box' })
    await editor.page.getByText('The two bodies must differ').waitFor()
    // The layout and the camera have come to rest when two pictures in a row are equal.
    let without = await picture()
    await expect.poll(async () => {
      const former = without
      await editor.page.waitForTimeout(300)
      without = await picture()
      return differing(former)
    }).toBeLessThan(20)
    await form.getByRole('combobox', { name: 'Body B' }).selectOption({ label: 'World' })
    await expect.poll(() => differing(without)).toBeGreaterThan(100)
    await form.getByRole('textbox', { name: 'Anchor z' }).fill('0.125')
    await form.getByRole('textbox', { name: 'Anchor z' }).press('Enter')
    // Another layout keeps what was filled in.
    for (const [width, height] of [[1024, 700], [1440, 900]] as const) {
      await editor.page.setViewportSize({ width, height })
      await editor.page.waitForTimeout(700)
      expect(await form.getByRole('textbox', { name: 'Anchor z' }).inputValue()).toBe('0.125')
    }
    await shots(editor, 'planned-joint')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => differing(without)).toBeLessThan(20)
  })

  it('gives a group a velocity as of one rigid body', async () => {
    await (await editor.outlinerItem('Box')).click()
    await (await editor.outlinerItem('Box 2')).click({ modifiers: ['Control'] })
    await editor.page.keyboard.press('Control+g')
    await (await editor.outlinerItem('Group 1')).click()
    await editor.panel('Inspector')
    const whole = editor.page.getByRole('region', { name: 'Velocity of the group' })
    await whole.getByRole('textbox', { name: 'Linear velocity x' }).fill('2')
    await whole.getByRole('textbox', { name: 'Linear velocity x' }).press('Enter')
    await whole.getByRole('textbox', { name: 'Angular velocity z' }).fill('1')
    await whole.getByRole('textbox', { name: 'Angular velocity z' }).press('Enter')
    await shots(editor, 'group-velocity')
    const speeds: number[] = []
    for (const name of ['Box', 'Box 2']) {
      await (await editor.outlinerItem(name)).click()
      expect(await editor.field('Angular velocity z').inputValue()).toBe('1')
      speeds.push(Number((await editor.field('Linear velocity y').inputValue()).replace('−', '-')))
    }
    // They turn about their common centre of mass: equal boxes with opposite velocities.
    expect(speeds[0]! + speeds[1]!).toBeCloseTo(0, 6)
  })

  it('takes a channel from the library', async () => {
    await editor.menu('Add', 'Shape library…')
    const dialog = editor.page.getByRole('dialog', { name: 'Shape library' })
    await dialog.getByRole('radio', { name: 'Channel', exact: true }).check({ force: true })
    await dialog.getByText('1 body of 3 convex solids.').waitFor()
    await dialog.getByRole('button', { name: 'Insert' }).click()
    await editor.outlinerItem('Channel')
  })
})
