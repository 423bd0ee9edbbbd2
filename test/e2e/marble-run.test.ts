// @module-tag long
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

/** Channels of several shapes, marbles and a bell, from an empty scene. */
describe.skipIf(!chromium)('a person who builds a marble run', () => {
  let editor: Editor
  sitting({ ready: async opened => {
    editor = opened
    await editor.beginEmpty()
  } })

  const box = (name: string) => editor.field(name)
  const type = (name: string, text: string) => editor.type(name, text)
  const number = async (name: string) => Number((await box(name).inputValue()).replace('−', '-'))
  const types = async (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) await type(name, value)
  }
  const add = (shape: string) => editor.addByKeys(shape)
  const status = () => editor.page.getByRole('contentinfo', { name: 'Status' })
  const shapes = () => editor.page.getByRole('region', { name: 'Shapes' })

  it('adds a rail to a thin plate: it stands on the plate, and its twin is a copy', async () => {
    await add('ground')
    await add('box')
    await types({ 'Name': 'Channel', 'Size x': '2', 'Size y': '0.3', 'Size z': '0.04' })
    await shapes().getByRole('button', { name: 'Add a shape to this body' }).click()
    await shapes().getByText('Box 2').waitFor()
    // Half of the plate and half of the new box.
    expect(await number('Shape position z')).toBe(0.02 + 0.25)
    await types({ 'Size x': '2', 'Size y': '0.03', 'Size z': '0.12', 'Shape position y': '0.165', 'Shape position z': '0.04' })
    await shapes().getByRole('button', { name: 'Duplicate shape 2' }).click()
    await shapes().getByText('Box 3').waitFor()
    expect([await number('Size y'), await number('Shape position y')]).toEqual([0.03, 0.165])
    await type('Shape position y', '-0.165')
    await shots(editor, 'channel')
    await types({ 'Position x': '0', 'Position y': '0', 'Position z': '1.2', 'Orientation y': '8' })
    await editor.page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('fixed')
  })

  it('puts a second channel below it, with a wall at its end', async () => {
    await editor.page.keyboard.press('Control+d')
    await types({ 'Name': 'Way back', 'Position x': '0.7', 'Position y': '0', 'Position z': '0.72', 'Orientation y': '-6' })
    await shapes().getByRole('button', { name: 'Add a shape to this body' }).click()
    await shapes().getByText('Box 4').waitFor()
    await types({ 'Size x': '0.03', 'Size y': '0.36', 'Size z': '0.6', 'Shape position x': '1.015', 'Shape position z': '0.28' })
    await status().getByText('0 errors').waitFor()
  })

  it('is told that a marble, dropped to rest, has rolled away, and puts it straight down instead', async () => {
    await add('sphere')
    await types({ 'Name': 'Marble', 'Radius': '4cm', 'Position x': '-0.85', 'Position y': '0', 'Position z': '1.6' })
    await editor.page.keyboard.press('g')
    await editor.page.getByText(/^(At rest|Still moving) after .* m away\.$/).waitFor()
    expect(Math.abs(await number('Position x') + 0.85)).toBeGreaterThan(1)
    await editor.page.getByRole('button', { name: 'Put down instead (Shift+G)' }).click()
    await status().getByText(/^Put down by/).waitFor()
    expect(await number('Position x')).toBe(-0.85)
    const plate = 1.2 + 0.85 * Math.tan(8 * Math.PI / 180) + 0.06 / Math.cos(8 * Math.PI / 180)
    expect(await number('Position z')).toBeCloseTo(plate, 3)
    // As if the marble had never fallen.
    await editor.page.keyboard.press('Control+z')
    await expect.poll(() => number('Position z')).toBe(1.6)
    await editor.page.keyboard.press('Shift+G')
    await expect.poll(() => number('Position z')).toBeCloseTo(plate, 3)
  })

  it('makes a row of marbles, whose names are counted', async () => {
    await editor.menu('Edit', 'Array', 'Linear…')
    await types({ 'Count': '3', 'Step x': '0.15', 'Step z': '-0.15 * tan(8)' })
    await editor.page.getByRole('button', { name: 'Make array' }).click()
    await editor.outlinerItem('Marble 2')
    await editor.outlinerItem('Marble 3')
    await editor.panel('Inspector')
  })

  it('hangs a bell at the end, and hears each marble ring it', async () => {
    await add('box')
    await types({ 'Name': 'Bell', 'Size x': '0.05', 'Size y': '0.4', 'Size z': '0.4', 'Position x': '-0.6', 'Position y': '0', 'Position z': '0.55' })
    await (await editor.outlinerItem('Ground')).click()
    await (await editor.outlinerItem('Bell')).click({ modifiers: ['Control'] })
    await editor.menu('Add', 'Joint of type', 'Hinge')
    const form = editor.page.getByRole('form', { name: 'New joint' })
    await form.waitFor()
    await types({ 'Anchor z': '0.75', 'Axis y': '1', 'Axis z': '0' })
    await form.getByRole('button', { name: 'Create joint' }).click()
    await editor.simulate()
    expect(await editor.primary.getAttribute('data-state')).toBe('current')
    await editor.workspace('Simulate & inspect')
    await editor.panel('Events')
    await editor.page.getByRole('searchbox', { name: 'Filter events' }).fill('Bell')
    const events = editor.page.getByRole('table', { name: 'Events' })
    for (const marble of ['Marble', 'Marble 2', 'Marble 3']) await events.getByText(new RegExp(`${marble}\\b(?! \\d)`)).first().waitFor()
    await shots(editor, 'bell')
  })
})
