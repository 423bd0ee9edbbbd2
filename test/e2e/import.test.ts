// @module-tag long
/** A robot of another program imported through the interface: preview with its losses, acceptance, simulation; it stands on its feet. */

import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Editor, WebHostProcess } from './editor'

const CORPUS = resolve(import.meta.dirname, '../../../shared/reference/exchange')
const pictures = process.env.CAIRN_PICTURES

describe.skipIf(!existsSync(CORPUS))('a quadruped of another runtime', () => {
  const host = new WebHostProcess()
  let editor: Editor

  beforeAll(async () => {
    await host.start()
    editor = await Editor.open(host.url)
  })
  afterAll(async () => {
    const faults = editor.faults
    await editor.close()
    await host.stop()
    host.dispose()
    expect(faults).toEqual([])
  })

  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await editor.page.screenshot({ path: `${pictures}/${name}.png` })
  }
  const choose = async (path: string): Promise<void> => {
    const chooser = editor.page.waitForEvent('filechooser')
    await editor.menu('File', 'Import…')
    await (await chooser).setFiles(path)
  }
  const drop = async (path: string): Promise<void> => {
    const transfer = await editor.page.evaluateHandle(([name, content]) => {
      const data = new DataTransfer()
      data.items.add(new File([content!], name!))
      return data
    }, [basename(path), readFileSync(path, 'utf8')])
    await editor.viewport.dispatchEvent('drop', { dataTransfer: transfer })
  }
  /** At both sizes of window, in both themes. */
  const picturesOf = async (name: string): Promise<void> => {
    if (pictures === undefined) return
    for (const theme of ['dark', 'light'] as const) {
      await editor.page.emulateMedia({ colorScheme: theme })
      for (const [width, height] of [[1440, 900], [1024, 700]] as const) {
        await editor.page.setViewportSize({ width, height })
        await picture(`${name}-${theme}-${width}`)
      }
    }
    await editor.page.emulateMedia({ colorScheme: 'dark' })
    await editor.page.setViewportSize({ width: 1440, height: 900 })
  }
  const dialog = () => editor.page.getByRole('dialog', { name: 'Import scene' })

  it('is shown with what is lost before anything changes', async () => {
    await editor.waitFor('block-on-an-incline')
    const before = await editor.page.title()
    await drop(`${CORPUS}/urdf/newton-quadruped.urdf`)
    await dialog().getByText('URDF (ROS)').waitFor()
    await dialog().getByRole('table', { name: 'Losses' }).waitFor()
    expect(await editor.page.title()).toBe(before)
    await dialog().getByLabel('Drives hold their joints still').check()
    await dialog().getByLabel('Ground at z = 0').check()
    await dialog().getByLabel(/^Height of the root/).fill('0.5')
    await dialog().getByLabel(/^Height of the root/).press('Tab')
    await dialog().getByText('added at z = 0').waitFor()
    await picturesOf('import-preview')
    await dialog().getByRole('button', { name: 'Import', exact: true }).click()
    await editor.waitFor('newton-quadruped.cairn.json')
  })

  it('stands on its feet, and the contact forces carry its weight', async () => {
    await editor.simulate()
    const file = host.runFiles().at(-1)!
    const state = JSON.parse(await host.cairn('inspect', file, '--time', '2', '--json')) as {
      bodies: { id: string; position: number[] }[]; contacts: { bodyA: string; bodyB: string; force: number[] }[]
    }
    const up = state.contacts.reduce((sum, { bodyA, force }) => sum + (bodyA === 'ground' ? -force[2]! : force[2]!), 0)
    expect(Math.abs(up - 30.702 * 9.81)).toBeLessThan(1e-6 * 30.702 * 9.81)
    expect(Math.abs(state.bodies[0]!.position[2]! - 0.5)).toBeLessThan(1e-3)
    await editor.workspace('Simulate & inspect')
    await picturesOf('quadruped-standing')
  })

  it('asks for the meshes that it names', async () => {
    await choose(`${CORPUS}/urdf/drakemodels-iiwa14_primitive_collision.urdf`)
    await dialog().getByRole('region', { name: 'Missing files' }).getByText('link_6.obj').waitFor()
    await picturesOf('import-missing')
    await dialog().getByRole('button', { name: 'Cancel' }).click()
  })

  it('is exported to another runtime, and exported again by one key', async () => {
    await editor.page.keyboard.press('Control+e')
    const exporting = editor.page.getByRole('dialog', { name: 'Export scene' })
    await exporting.getByLabel('Format').selectOption('urdf')
    await exporting.getByRole('table', { name: 'Losses' }).waitFor()
    // By the name under which it is saved.
    await exporting.getByText(/^newton-quadruped\.urdf \(/).waitFor()
    await picturesOf('export-urdf')
    const first = editor.page.waitForEvent('download')
    await exporting.getByRole('button', { name: /^Save/ }).click()
    expect((await first).suggestedFilename()).toBe('newton-quadruped.urdf')
    const second = editor.page.waitForEvent('download')
    await editor.page.keyboard.press('Control+Shift+e')
    expect((await second).suggestedFilename()).toBe('newton-quadruped.urdf')
  })

  it('imports binary OpenUSD, and simulates it', async () => {
    await choose(resolve(import.meta.dirname, '../unit/core/formats/usdc/fixtures/four-bar.usdc'))
    await dialog().getByText('OpenUSD').first().waitFor()
    await picturesOf('import-usdc')
    await dialog().getByRole('button', { name: 'Import', exact: true }).click()
    await editor.page.getByRole('dialog', { name: 'Save changes?' }).getByRole('button', { name: 'Don’t save' }).click()
    await editor.waitFor('four-bar.cairn.json')
    await editor.simulate()
    const file = host.runFiles().at(-1)!
    const told = JSON.parse(await host.cairn('inspect', file, '--time', '1', '--json')) as { bodies: { id: string }[]; joints: unknown[] }
    expect(told.bodies.map(({ id }) => id).sort()).toEqual(['coupler', 'crank', 'rocker'])
    expect(told.joints).toHaveLength(4)
  })
})
