// @module-tag long
/** A recorded run exported for other programs through the interface: File → Export run. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Editor } from './editor'
import { chromium } from './chromium'
import { sitting } from './sitting'

const pictures = process.env.CAIRN_PICTURES

describe.skipIf(!chromium)('File → Export run', () => {
  let editor!: Editor
  const host = sitting({
    scene: 'double-pendulum.cairn.json',
    ready: async opened => {
      editor = opened
      await editor.waitFor('double-pendulum')
    },
  })

  const submenu = async () => {
    await editor.page.getByRole('menubar').getByRole('menuitem', { name: 'File', exact: true }).click()
    await editor.page.getByRole('menuitem', { name: 'Export run' }).click()
  }
  const close = async () => {
    for (let k = 0; k < 3; k++) await editor.page.keyboard.press('Escape')
  }
  /** The file that the browser saves for one menu entry. */
  const saved = (entry: string) => editor.saved(() => editor.menu('File', 'Export run', entry))

  it('has nothing to offer before there is a run', async () => {
    await submenu()
    const entry = editor.page.getByRole('menuitem', { name: 'Animation (glTF)…' })
    await entry.waitFor()
    expect(await entry.isDisabled()).toBe(true)
    await close()
  })

  it('writes the run as an animation, which is named after the scene', async () => {
    await editor.simulate()
    await editor.page.keyboard.press('Alt+t')
    await submenu()
    const entry = editor.page.getByRole('menuitem', { name: 'Animation (glTF)…' })
    await expect.poll(() => entry.isEnabled()).toBe(true)
    if (pictures !== undefined) await editor.page.screenshot({ path: `${pictures}/export-run-menu-light.png` })
    await close()
    const { name, bytes } = await saved('Animation (glTF)…')
    expect([name, bytes.toString('latin1', 0, 4)]).toStrictEqual(['double-pendulum.glb', 'glTF'])
    const length = bytes.readUInt32LE(12)
    const { animations, nodes } = JSON.parse(bytes.toString('utf8', 20, 20 + length)) as { animations: { channels: object[] }[]; nodes: { name?: string }[] }
    expect(animations).toHaveLength(1)
    expect(animations[0]!.channels.length).toBeGreaterThanOrEqual(4)
    expect(nodes.length).toBeGreaterThanOrEqual(2)
    await editor.page.getByText(/Exported the run/).first().waitFor()
    if (pictures !== undefined) await editor.page.screenshot({ path: `${pictures}/export-run-told-light.png` })
  })

  it('writes the surfaces where they are at the time shown', async () => {
    await editor.goTo(0)
    const start = await saved('Surfaces now (OBJ)…')
    await editor.goTo(0.5)
    const later = await saved('Surfaces now (OBJ)…')
    expect(start.name).toMatch(/^double-pendulum.*\.obj$/)
    const corners = (bytes: Buffer) => bytes.toString('utf8').split('\n').filter(line => line.startsWith('v '))
    expect(corners(later.bytes)).toHaveLength(corners(start.bytes).length)
    expect(corners(later.bytes)).not.toStrictEqual(corners(start.bytes))
  })

  it('is shared as one file with its scene, which opens with the run', async () => {
    const { name, bytes } = await saved('Run and scene (MCAP)…')
    expect([name, bytes.toString('latin1', 1, 5)]).toStrictEqual(['double-pendulum.mcap', 'MCAP'])
    writeFileSync(join(host.root, 'from a friend.mcap'), bytes)
    await editor.page.keyboard.press('Control+o')
    await editor.page.getByRole('dialog', { name: 'Open' }).getByRole('button', { name: /^from a friend\.mcap/ }).dblclick()
    await editor.waitFor('from a friend')
    await editor.reaches('current')
    await editor.goTo(0.5)
    expect(await editor.time()).toBeCloseTo(0.5, 6)
    await editor.outlinerItem('Lower rod')
  })
})
