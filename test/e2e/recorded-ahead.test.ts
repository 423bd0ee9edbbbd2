/** Example scenes come with a recorded run: it is there when they are opened, or soon after. */
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

describe.skipIf(!chromium)('a person who opens examples and simulates nothing', () => {
  let editor: Editor
  const host = sitting({ ready: async opened => { editor = opened } })
  host.recordsAhead = true

  /** The playhead is dragged from the middle of the axis to its right part. */
  async function scrub(): Promise<number> {
    const axis = (await editor.timeline.boundingBox())!
    await editor.page.mouse.move(axis.x + axis.width / 2, axis.y + 20)
    await editor.page.mouse.down()
    await editor.page.mouse.move(axis.x + 0.8 * axis.width, axis.y + 20, { steps: 5 })
    await editor.page.mouse.up()
    return editor.time()
  }

  it('scrubs the first example\'s run, and sees in the status line that examples are recorded', async () => {
    await editor.reaches('current')
    expect(await scrub()).toBeGreaterThan(0.5)
    await editor.workspace('Simulate & inspect')
    await expect.poll(() => editor.contacts.locator('tbody tr').count()).toBeGreaterThan(0)
  })

  it('scrubs another example, whose run begins when it is opened', async () => {
    await editor.openExample('Bouncing balls')
    await editor.reaches('current')
    expect(await scrub()).toBeGreaterThan(0.2)
  })

  it('simulates at once while an example is being recorded, and can end the recording', async () => {
    const status = editor.page.getByRole('contentinfo', { name: 'Status' })
    await editor.openExample('Card house')
    await status.getByText(/^Recording “Card house”$/).waitFor()
    await editor.menu('File', 'New')
    await editor.primary.click()
    await editor.reaches('current', 'stopped', 'refused')
    await editor.openExample('Card house')
    await status.getByText(/^Recording “Card house”$/).waitFor()
    await status.getByRole('button', { name: 'Stop' }).click()
    await status.getByText(/^Recording/).waitFor({ state: 'detached' })
    await editor.page.waitForTimeout(1000)
    expect(await status.getByText(/^Recording/).count()).toBe(0)
    expect(await editor.primary.getAttribute('data-state')).toBe('ready')
  })
})
