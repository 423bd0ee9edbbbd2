// @module-tag long
/** Sensors through the interface: added, simulated, read, plotted and exported as a table. */

import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Crate', materials: [{ id: 'wood', density: 500, friction: { static: 0.5, dynamic: 0.5 }, restitution: 0 }],
  bodies: [
    { id: 'ground', name: 'Ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'crate', name: 'Crate', position: [0, 0, 0.1], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'wood' }] },
  ],
  simulation: { duration: 1, outputRate: 60 },
}
/** m/s²: default of scenes. */
const GRAVITY = 9.81
/** N, of 500 kg/m³ × (0.2 m)³. */
const WEIGHT = 500 * 0.008 * GRAVITY

describe.skipIf(!chromium)('a person who measures with sensors', () => {
  let editor: Editor
  sitting({
    scene: 'crate.cairn.json', files: { 'crate.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('crate')
    },
  })

  it('adds one for the forces of contact and one for the motion, by clicks, and simulates', async () => {
    await (await editor.outlinerItem('Crate')).click()
    await editor.menu('Add', 'Sensor', 'Contact sensor')
    await editor.outlinerItem('Contact sensor')
    await (await editor.outlinerItem('Crate')).click()
    await editor.menu('Add', 'Sensor', 'Inertial sensor')
    await editor.outlinerItem('Inertial sensor')
    expect(await editor.inspector.getByRole('combobox', { name: 'Body' }).inputValue()).toBe('crate')
    await editor.simulate()
    await editor.goTo(0.5)
  })

  it('reads the weight that the ground carries, and what an accelerometer at rest feels', async () => {
    const reading = editor.page.getByRole('region', { name: 'Sensor reading' })
    const values = async () => [...(await reading.innerText()).replaceAll('−', '-').matchAll(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g)].map(([text]) => Number(text))
    await (await editor.outlinerItem('Inertial sensor')).click()
    await expect.poll(async () => (await values()).some(x => Math.abs(x - GRAVITY) < 0.01)).toBe(true)
    await (await editor.outlinerItem('Contact sensor')).click()
    await expect.poll(async () => (await values()).some(x => Math.abs(x - WEIGHT) < 0.05)).toBe(true)
    await shots(editor, 'sensor-reading')
  })

  /** Lines of the only table that the dialog saves. */
  async function saved(table: string, fileName: string): Promise<string[][]> {
    await editor.menu('File', 'Export tables…')
    const dialog = editor.page.getByRole('dialog', { name: 'Export tables' })
    await dialog.getByRole('checkbox', { name: /^Bodies/ }).uncheck()
    await dialog.getByRole('checkbox', { name: new RegExp(`^${table}`) }).check()
    const { name, bytes } = await editor.saved(() => dialog.getByRole('button', { name: 'Save file…' }).click())
    expect(name).toBe(fileName)
    return bytes.toString('utf8').trim().split('\n').map(line => line.split(','))
  }

  it('saves what was done to the crate, and what its script plotted, as tables too', async () => {
    expect(await saved('Forces', 'crate-forces.csv')).not.toHaveLength(0)
    expect(await saved('Script plots', 'crate-plots.csv')).not.toHaveLength(0)
  })

  it('saves them as a table', async () => {
    const [head, ...rows] = await saved('Sensors', 'crate-sensors.csv')
    const [sensor, quantity, time, x] = ['sensor', 'quantity', 'time', 'x'].map(name => head!.findIndex(title => title.startsWith(name))) as [number, number, number, number]
    const force = rows.find(row => row[sensor] === 'contact' && row[quantity] === 'force' && Math.abs(Number(row[time]) - 0.5) < 1e-9)!
    expect(Math.max(...force.slice(x, x + 3).map(Number))).toBeCloseTo(WEIGHT, 6)
  })
})
