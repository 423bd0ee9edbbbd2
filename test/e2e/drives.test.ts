// @module-tag long
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import { Editor, WebHostProcess } from './editor'

const SHOTS = process.env.CAIRN_SHOTS

/** An arm on a hinge above the ground, with an inertial sensor at its end and a range sensor that looks down. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Arm', materials: [{ id: 'steel', density: 1000 }],
  bodies: [
    { id: 'ground', name: 'Ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'steel' }] },
    { id: 'arm', name: 'Arm', position: [0.5, 0, 1.5], shapes: [{ type: 'box', size: [1, 0.1, 0.1], material: 'steel' }] },
    { id: 'lift', name: 'Lift', type: 'kinematic', position: [2, 0, 0.3], shapes: [{ type: 'box', size: [0.5, 0.5, 0.2], material: 'steel' }] },
  ],
  joints: [{ id: 'shoulder', name: 'Shoulder', type: 'hinge', bodyA: 'arm', bodyB: null, anchor: [0, 0, 1.5], axis: [0, 1, 0] }],
  sensors: [
    { id: 'imu', name: 'Tip', type: 'imu', body: 'arm', position: [0.5, 0, 0] }, { id: 'eye', name: 'Eye', type: 'range', body: 'arm', direction: [0, 0, -1], position: [0.2, 0, 0] },
    { id: 'feel', name: 'Feel', type: 'contact', body: 'arm' },
  ],
  simulation: { duration: 2, outputRate: 100, method: 'time-stepping' },
}

describe.skipIf(!chromium)('a person who drives joints and bodies by keys', () => {
  const host = new WebHostProcess()
  let editor: Editor

  beforeAll(async () => {
    writeFileSync(join(host.root, 'arm.cairn.json'), JSON.stringify(scene))
    await host.start({ scene: 'arm.cairn.json' })
    editor = await Editor.open(host.url)
    editor.page.setDefaultTimeout(15_000)
    await editor.waitFor('arm')
  })
  afterAll(async () => {
    expect(editor.faults).toEqual([])
    await editor?.close()
    await host.stop()
    host.dispose()
  })

  const field = (name: string) => editor.inspector.getByRole('textbox', { name, exact: true })
  async function type(name: string, text: string) {
    await field(name).click()
    await field(name).fill(text)
    await field(name).press('Enter')
  }
  /** Pictures in both themes and sizes, for visual inspection. */
  async function shoot(name: string) {
    if (SHOTS === undefined) return
    mkdirSync(SHOTS, { recursive: true })
    for (const [width, height] of [[1440, 900], [1024, 700]] as const) {
      await editor.page.setViewportSize({ width, height })
      await editor.page.waitForTimeout(700)
      await editor.page.screenshot({ path: join(SHOTS, `${name}-${width}.png`) })
    }
    await editor.page.setViewportSize({ width: 1440, height: 900 })
  }

  it('gives the hinge a servo with a key, and the arm is where the key says', async () => {
    await (await editor.outlinerItem('Shoulder')).click()
    await editor.panel('Inspector')
    await editor.inspector.getByRole('checkbox', { name: 'Servo' }).check()
    const servo = editor.inspector.getByRole('group', { name: 'Servo' })
    const inServo = async (name: string, text: string) => {
      const box = servo.getByRole('textbox', { name, exact: true })
      await box.click()
      await box.fill(text)
      await box.press('Enter')
    }
    await inServo('Stiffness', '4000')
    await inServo('Damping', '400')
    await servo.getByRole('button', { name: 'Add a row' }).click()
    await shoot('servo')
    expect(await servo.getByRole('textbox', { name: 'Keys 0 Time' }).inputValue()).toBe('1')
    await inServo('Keys 0 Target', '30')
    await editor.simulate()
    await editor.goTo(2)
    const motion = editor.page.getByRole('region', { name: 'Joint motion' })
    await expect.poll(async () => await motion.textContent()).toMatch(/30\.\d+\s*°|29\.\d+\s*°/)
    await shoot('servo-run')
  })

  it('reads sensors at the playhead', async () => {
    await (await editor.outlinerItem('Eye')).click()
    const reading = editor.page.getByRole('region', { name: 'Sensor reading' })
    await expect.poll(async () => await reading.textContent()).toMatch(/Distance\s*\d/)
    await shoot('sensor')
    await (await editor.outlinerItem('Tip')).click()
    await expect.poll(async () => await reading.textContent()).toContain('Specific force')
  })

  it('lets the lift follow a path of one key', async () => {
    await (await editor.outlinerItem('Lift')).click()
    await editor.panel('Inspector')
    await editor.inspector.getByRole('button', { name: 'Add to path' }).click()
    await shoot('path')
    const path = editor.inspector.getByRole('group', { name: 'Path', exact: true })
    await path.getByRole('button', { name: 'Set' }).first().click()
    for (const [name, value] of [['Position x', '2'], ['Position z', '0.8']] as const) {
      await path.getByRole('textbox', { name }).fill(value)
      await path.getByRole('textbox', { name }).press('Enter')
    }
    await editor.simulate()
    const present = editor.page.getByRole('textbox', { name: 'Time', exact: true }).last()
    await present.fill('2')
    await present.press('Enter')
    await expect.poll(async () => await editor.page.getByRole('region', { name: 'Motion', exact: true }).textContent()).toContain('0.8')
  })

  it('makes the hinge breakable: it parts, which the events, the inspector and the picture tell', async () => {
    await (await editor.outlinerItem('Shoulder')).click()
    await editor.panel('Inspector')
    await type('Breaks at force', '60')
    await editor.simulate()
    await editor.goTo(2)
    await editor.page.getByText('This joint has broken.').waitFor()
    await editor.workspace('Simulate & inspect')
    await editor.panel('Events')
    await editor.page.getByText(/Joint breaks/).first().waitFor()
    await shoot('parted')
  })
})
