// @module-tag long
/**
 * A long session at the editor in a real browser: edit, simulate, play, scrub, undo and redo repeatedly. The memory of the page and of the host has to
 * level off. CAIRN_SOAK_MINUTES sets the least duration; the default is 24 rounds.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CDPSession } from 'playwright-core'
import { chromium } from './chromium'
import { Editor, WebHostProcess } from './editor'

const minutes = Number(process.env.CAIRN_SOAK_MINUTES ?? 0)
/** Least number of rounds; growth that is not a leak ends within the first six. */
const ROUNDS = 24
/**
 * Allowed growth from the second to the last quarter of the session: × the memory then, and MB. The host's thread for runs fills up to 192 MB with new
 * objects over its first runs before it collects them.
 */
const LEVEL = { factor: 1.1, page: 10, host: 200 }

/** MB */
interface Memory { readonly page: number; readonly host: number }

describe.skipIf(!chromium)('rounds of editing, simulating, playing, scrubbing and undoing', () => {
  const host = new WebHostProcess()
  let editor: Editor
  let session: CDPSession

  beforeAll(async () => {
    await host.start({ scene: 'bouncing-balls.cairn.json' })
    editor = await Editor.open(host.url)
    await editor.waitFor('bouncing-balls')
    session = await editor.context.newCDPSession(editor.page)
    await session.send('HeapProfiler.enable')
  })
  afterAll(async () => {
    await editor?.close()
    await host.stop()
    host.dispose()
  })

  async function cycle(number: number): Promise<void> {
    const { page } = editor
    await editor.menu('Add', 'Box')
    const size = page.getByRole('textbox', { name: 'Size x' })
    // A different size each time, since a scene simulated before would be answered from the cache.
    await size.fill(String(0.3 + number / 1e5))
    await size.press('Enter')
    await editor.simulate()
    expect(await editor.primary.getAttribute('data-state')).toBe('current')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => editor.time()).toBeGreaterThan(0.3)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    const end = Number(await editor.timeline.getAttribute('aria-valuemax'))
    for (const share of [0.2, 0.9, 0.5, 1, 0]) await editor.goTo(share * end)
    await editor.viewport.click()
    for (const key of ['z', 'z', 'y', 'y', 'z', 'z']) await page.keyboard.press(`Control+${key}`)
    await expect.poll(() => page.title()).not.toContain('●')
  }

  async function memory(): Promise<Memory> {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${host.pid}/status`, 'utf8'))
    return { page: usedSize / 1e6, host: Number(resident![1]) / 1e3 }
  }

  it.skipIf(process.platform !== 'linux')('leave the memory level and no error behind', async () => {
    const until = performance.now() + 60_000 * minutes
    const measured: Memory[] = []
    for (let number = 1; number <= ROUNDS || performance.now() < until; number++) {
      await cycle(number)
      measured.push(await memory())
    }
    const quarter = measured.length / 4
    const median = (from: number, to: number, of: (memory: Memory) => number): number =>
      measured.slice(Math.floor(from), Math.ceil(to)).map(of).sort((p, q) => p - q)[Math.floor((to - from) / 2)]!
    for (const part of ['page', 'host'] as const) {
      const of = (memory: Memory): number => memory[part]
      const [before, after] = [median(quarter, 2 * quarter, of), median(3 * quarter, 4 * quarter, of)]
      expect(after, part).toBeLessThan(before * LEVEL.factor + LEVEL[part])
    }
    const [second, last] = [measured[Math.floor(quarter)]!, measured.at(-1)!]
    const told = ({ page, host: process }: Memory): string => `${page.toFixed(1)} MB in the page and ${process.toFixed(0)} MB in the host`
    console.log(`${measured.length} rounds: ${told(second)} after the first quarter, ${told(last)} at the end`)
    expect(editor.faults).toEqual([])
  }, 60_000 * (minutes + 10))
})
