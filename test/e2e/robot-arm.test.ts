// @module-tag long
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

/** A post on the ground, an upper arm that turns on it, and a forearm at its end, from an empty scene. */
describe.skipIf(!chromium)('a person who builds a robot arm from nothing', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.beginEmpty()
  } })

  const box = (name: string) => editor.field(name)
  const type = (name: string, text: string) => editor.type(name, text)
  const add = (shape: string) => editor.addByKeys(shape)
  const drop = () => editor.page.keyboard.press('g')
  const status = () => editor.page.getByRole('contentinfo', { name: 'Status' })
  const position = () => Promise.all(['x', 'y', 'z'].map(async axis => Number((await box(`Position ${axis}`).inputValue()).replace('−', '-'))))
  /** Selects two bodies and asks for a joint between them. */
  const join = async (first: string, second: string) => {
    await (await editor.outlinerItem(first)).click()
    await (await editor.outlinerItem(second)).click({ modifiers: ['Control'] })
    await editor.menu('Add', 'Joint of type', 'Hinge')
    return editor.page.getByRole('form', { name: 'New joint' })
  }

  it('adds bodies at the middle of the world, and a ground and a post that becomes fixed', async () => {
    await add('ground')
    await add('cylinder')
    expect((await position()).slice(0, 2)).toEqual([0, 0])
    await editor.page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('fixed')
    expect(await box('Linear velocity x').count()).toBe(0)
    await type('Name', 'Post')
    await type('Height', '0.2')
  })

  it('puts the post, which floats now, down on the ground though it is fixed', async () => {
    expect(await position()).toEqual([0, 0, 0.25])
    await drop()
    await status().getByText('Put down by 0.15 m').waitFor()
    await expect.poll(position).toEqual([0, 0, 0.1])
  })

  it('drops an arm that has become too long for its place: it is lifted out of the overlap and falls onto the post', async () => {
    await add('box')
    for (const [size, value] of [['x', '0.1'], ['y', '0.1'], ['z', '0.8']] as const) await type(`Size ${size}`, value)
    await type('Name', 'Upper arm')
    await type('Position x', '0')
    await status().getByText('1 error').waitFor()
    await editor.menu('Simulate', 'Live')
    await editor.page.getByText(/^No session: “Upper arm” and “Post” overlap by 0.15 m|^No session: “Post” and “Upper arm” overlap by 0.15 m/).waitFor()
    await editor.panel('Timeline')
    await shots(editor, 'arm-overlap')
    await type('Position y', '0')
    await drop()
    await status().getByText(/lifted by .* m out of an overlap first/).waitFor()
    await expect.poll(async () => Math.abs((await position())[2]! - 0.6)).toBeLessThan(1e-6)
    await status().getByText('0 errors').waitFor()
  })

  it('goes on typing numbers and copying them in a field after Enter, and takes an edit back from there', async () => {
    await type('Position y', '0.01')
    await editor.page.keyboard.type('-0.02')
    await editor.page.keyboard.press('Enter')
    await expect.poll(async () => (await position())[1]).toBe(-0.02)
    await editor.page.keyboard.press('Control+z')
    await expect.poll(async () => (await position())[1]).toBe(0.01)
    await editor.page.keyboard.press('Control+z')
    await expect.poll(async () => Math.abs((await position())[1]!)).toBeLessThan(1e-6)
  })

  it('is not told of an overlap any longer once it has been corrected by hand', async () => {
    await add('box')
    for (const [size, value] of [['x', '0.8'], ['y', '0.08'], ['z', '0.08']] as const) await type(`Size ${size}`, value)
    for (const [axis, value] of [['x', '0.35'], ['y', '0'], ['z', '0.9']] as const) await type(`Position ${axis}`, value)
    await type('Name', 'Forearm')
    await (await editor.outlinerItem('Upper arm')).click({ modifiers: ['Control'] })
    await editor.menu('Edit', 'Drop to rest')
    await editor.page.getByText(/^Nothing was dropped: “(Upper arm|Forearm)” and “(Upper arm|Forearm)” overlap/).waitFor()
    await (await editor.outlinerItem('Forearm')).click()
    await type('Position z', '1.04')
    await status().getByText('0 errors').waitFor()
  })

  it('joins the arm to the post where they touch, without measuring', async () => {
    const form = await join('Upper arm', 'Post')
    await expect.poll(() => form.getByRole('textbox', { name: 'Anchor z' }).inputValue()).toBe('0.2')
    expect(await form.getByRole('textbox', { name: 'Anchor x' }).inputValue()).toBe('0')
    await form.getByRole('button', { name: 'Create joint' }).click()
    await type('Name', 'Shoulder')
  })

  it('joins the forearm to the end of the arm, and gives the joint a servo with two keys', async () => {
    const form = await join('Forearm', 'Upper arm')
    await expect.poll(() => Promise.all(['x', 'y', 'z'].map(axis => form.getByRole('textbox', { name: `Anchor ${axis}` }).inputValue()))).toEqual(['0', '0', '1'])
    for (const [axis, value] of [['z', '0'], ['y', '1']] as const) {
      await form.getByRole('textbox', { name: `Axis ${axis}` }).fill(value)
      await form.getByRole('textbox', { name: `Axis ${axis}` }).press('Enter')
    }
    await form.getByRole('button', { name: 'Create joint' }).click()
    await type('Name', 'Elbow')
    await editor.page.getByRole('checkbox', { name: 'Servo' }).check()
    const servo = editor.page.getByRole('group', { name: 'Servo' })
    expect(await servo.getByRole('textbox', { name: 'Largest torque' }).getAttribute('placeholder')).toBe('unlimited')
    expect(await servo.getByRole('combobox', { name: 'Between keys' }).inputValue()).toBe('smooth')
    const inServo = async (name: string, text: string) => {
      await servo.getByRole('textbox', { name, exact: true }).fill(text)
      await servo.getByRole('textbox', { name, exact: true }).press('Enter')
    }
    await inServo('Stiffness', '5000')
    await inServo('Damping', '300')
    for (const [i, target] of [['0', '60'], ['1', '-30']] as const) {
      await servo.getByRole('button', { name: 'Add a row' }).click()
      await inServo(`Keys ${i} Target`, target)
    }
    await shots(editor, 'arm-servo', () => servo.scrollIntoViewIfNeeded())
  })

  it('has the anchor, the limits and the drives of a joint above what is rarely set', async () => {
    const top = async (name: string) => (await box(name).boundingBox())!.y
    expect(await top('Anchor x')).toBeLessThan(await top('Breaks at force'))
    expect(await top('Keys 0 Target')).toBeLessThan(await top('Breaks at force'))
  })

  it('sees the forearm go where the keys say', async () => {
    await editor.simulate()
    await editor.goTo(4)
    await expect.poll(async () => {
      const [, angle] = /Angle\s*([−\d.]+)/.exec(await editor.page.getByRole('region', { name: 'Joint motion' }).textContent() ?? '') ?? []
      return Math.abs(Number(angle?.replace('−', '-')) + 30)
    }).toBeLessThan(1)
    await shots(editor, 'arm-run')
  })
})
