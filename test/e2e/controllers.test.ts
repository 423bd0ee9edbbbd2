// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import { Editor, WebHostProcess } from './editor'

describe.skipIf(!chromium)('a person who controls a mechanism', () => {
  const host = new WebHostProcess()
  let editor: Editor

  beforeAll(async () => {
    await host.start()
    editor = await Editor.open(host.url)
    await editor.waitFor('block-on-an-incline')
  })
  afterAll(async () => {
    expect(editor.faults).toEqual([])
    await editor?.close()
    await host.stop()
    host.dispose()
  })

  const field = (name: string) => editor.page.getByRole('textbox', { name, exact: true })
  async function type(name: string, text: string) {
    await field(name).click()
    await field(name).fill(text)
    await field(name).press('Enter')
  }

  it('opens the balanced pendulum, adds an inertial sensor to the pole, and simulates', async () => {
    await editor.openExample('Inverted pendulum')
    await editor.waitFor('inverted-pendulum')
    await (await editor.outlinerItem('Pole')).click()
    await editor.menu('Add', 'Sensor', 'Inertial sensor')
    await editor.outlinerItem('Inertial sensor')
    expect(await editor.inspector.getByRole('combobox', { name: 'Body' }).inputValue()).toBe('pole')
    await editor.simulate()
  })

  it('plots what the sensor felt and what the controller plotted', async () => {
    await editor.workspace('Simulate & inspect')
    await editor.panel('Plots')
    const add = editor.page.getByRole('combobox', { name: 'Add a plot' })
    await add.selectOption({ label: 'Inertial sensor: specific force' })
    await add.selectOption({ label: 'Script: force' })
    await editor.page.getByText('Inertial sensor specific force z').first().waitFor()
    await editor.goTo(6.1)
  })

  it('makes a parameter, binds the mass of the pole to it, moves its slider, and undoes all of that', async () => {
    await editor.workspace('Compose')
    await editor.menu('Add', 'Parameter…')
    const panel = editor.page.locator('.dv-tab').filter({ hasText: /^Parameters$/ }).first()
    await panel.click()
    await editor.page.getByRole('button', { name: 'Add parameter' }).first().click()
    await type('Name in formulas', 'load')
    await type('Greatest load', '4')
    await (await editor.outlinerItem('Pole')).click()
    await editor.panel('Inspector')
    await type('Mass', '= load / 2')
    await expect.poll(() => field('Mass').inputValue()).toBe('= load / 2')
    await field('Mass').blur()
    await expect.poll(() => field('Mass').inputValue()).toBe('0.5')
    await panel.click()
    const slider = editor.page.getByRole('slider', { name: 'load', exact: true })
    await slider.fill('3')
    await editor.page.getByText(/^Pole · Mass/).waitFor()
    await editor.panel('Inspector')
    await expect.poll(() => field('Mass').inputValue()).toBe('1.5')
    await editor.page.keyboard.press('Control+z')
    await expect.poll(() => field('Mass').inputValue()).toBe('0.5')
  })

  it('types a value beyond the range, which widens it', async () => {
    await editor.page.locator('.dv-tab').filter({ hasText: /^Parameters$/ }).first().click()
    await type('Value of load', '9')
    await expect.poll(() => field('Greatest load').inputValue()).toBe('9')
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => field('Greatest load').inputValue()).toBe('4')
    await editor.panel('Inspector')
  })

  it('is told of a formula with an unknown name, and of a circular reference with its members', async () => {
    await type('Mass', '= lode')
    await editor.page.getByText('There is no parameter "lode"').first().waitFor()
    await editor.page.keyboard.press('Escape')
    await editor.page.locator('.dv-tab').filter({ hasText: /^Parameters$/ }).first().click()
    await type('Value of load', '= 2 * load')
    await editor.page.getByText('load → load').first().waitFor()
  })

  it('writes a new controller from the menu', async () => {
    await editor.page.keyboard.press('Escape')
    await editor.menu('Add', 'Controller')
    // The panel is narrow here, so scripts are in a list.
    await expect.poll(() => editor.page.getByRole('combobox', { name: 'Script shown' }).inputValue()).toBe('control.ts')
    await expect.poll(() => editor.page.locator('.monaco-editor').first().innerText()).toContain('setTargetPosition')
  })
})
