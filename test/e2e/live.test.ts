// @module-tag long
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const angle = 0.26
const scene = {
  format: 'cairn-scene', version: 1, name: 'Slope', materials: [{ id: 'wood', density: 700, friction: { static: 0.6, dynamic: 0.5 }, restitution: 0.2 }],
  bodies: [
    { id: 'slope', type: 'fixed', orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)], shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    ...Array.from({ length: 30 }, (_, i) => {
      const [u, v] = [(i % 6) * 0.5 - 1.25, Math.floor(i / 6) * 0.5 - 1]
      return {
        id: `box-${i}`, position: [u * Math.cos(angle) + 0.1001 * Math.sin(angle), v, -u * Math.sin(angle) + 0.1001 * Math.cos(angle)],
        orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'wood' }],
      }
    }),
  ],
}

interface Kept { forces: { id: string; type: string; keys: { time: number; body: string | null }[] }[] }

describe.skipIf(!chromium)('a person who takes part in a simulation', () => {
  let editor: Editor
  const host = sitting({
    scene: 'slope.cairn.json', files: { 'slope.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('slope')
    },
  })
  const banner = () => editor.page.getByRole('status').filter({ hasText: 'Live' })
  const seconds = async () => Number(/([\d.]+) s ·/.exec(await banner().innerText())?.[1] ?? 0)

  it('is not asked to keep a session in which nothing was done', async () => {
    const { page } = editor
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(0.2)
    await banner().getByRole('button', { name: 'Stop' }).click()
    await banner().waitFor({ state: 'detached' })
    await editor.menu('Simulate')
    expect(await page.getByRole('menuitem', { name: 'Keep the session as scene' }).getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Keep as scene' }).count()).toBe(0)
  })

  /** @param least seconds of simulated time */
  const session = async (file: string, least: number) => {
    const { page } = editor
    const figures: number[] = []
    const former = new Set(host.runFiles())
    await page.evaluate(() => {
      const seen: number[] = []
      Object.assign(window, { seen })
      new PerformanceObserver(list => { for (const entry of list.getEntries()) seen.push(entry.duration) }).observe({ type: 'longtask' })
    })
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(0.3)
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const grasp = async (dx: number, dy: number) => {
      for (const step of [0, 12, -12, 24, -24, 36, -36]) {
        await page.mouse.move(x + dx + step, y + dy + step / 2)
        await page.mouse.down()
        await page.mouse.move(x + dx + step + 4, y + dy + step / 2 - 8)
        if (await page.getByRole('button', { name: /^Release 1 nail/ }).isVisible()) break
        await page.keyboard.press('n')
        const found = await page.getByRole('button', { name: /^Release/ }).isVisible()
        await page.mouse.up()
        if (found) return
      }
    }
    await grasp(0, 0)
    await page.getByRole('button', { name: 'Release 1 nail' }).waitFor()
    for (let i = 0; i < 6; i++) {
      await page.mouse.move(x - 80 + 30 * i, y + 20)
      await page.mouse.down()
      for (let k = 1; k <= 12; k++) await page.mouse.move(x - 80 + 30 * i + 5 * k, y + 20 - 10 * k)
      const latency = /([\d.]+) ms to the picture/.exec(await banner().innerText())?.[1]
      if (latency) figures.push(Number(latency))
      await page.mouse.up()
    }
    // Bodies are dragged slowly, thrown and sometimes nailed until the session has lasted long enough.
    for (let i = 0; await seconds() < least; i++) {
      const [from, to] = [x - 120 + 37 * (i % 8), y - 40 + 23 * (i % 5)]
      if (i % 6 === 5) {
        // There may be no body left at that place.
        await grasp(from - x, to - y)
        const release = page.getByRole('button', { name: /^Release \d nails?/ })
        if (i % 12 === 11 && await release.isVisible()) await release.click()
        continue
      }
      await page.mouse.move(from, to)
      await page.mouse.down()
      for (let k = 1; k <= 20; k++) {
        await page.mouse.move(from + (i % 2 ? 4 : -3) * k, to - 4 * k)
        if (i % 3 !== 0) await page.waitForTimeout(20)
      }
      await page.mouse.up()
    }
    if (process.env.CAIRN_SHOTS) await page.screenshot({ path: join(process.env.CAIRN_SHOTS, 'live.png') })
    const text = await banner().innerText()
    await page.keyboard.press('Control+Shift+Enter')
    await page.getByRole('button', { name: 'Keep as scene' }).click()
    await page.getByText(/^Kept:/).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    const kept = JSON.parse(readFileSync(join(host.root, file), 'utf8')) as Kept
    const guides = kept.forces.filter(force => force.type === 'guide')
    // The pointer's and the nail's, or more nails; none without a use.
    expect(guides.map(({ id }) => id)).toEqual(guides.map((_, k) => `live-hand-${k + 1}`))
    expect(guides.length).toBeGreaterThan(1)
    expect(guides.length).toBeLessThan(12)
    for (const { keys } of guides) expect(keys.length).toBeGreaterThan(0)
    const recorded = host.runFiles().find(file => !former.has(file))
    writeFileSync(join(host.folder, 'figures.txt'), `${text}\nlatency ms ${figures.join(' ')}\nlong tasks ms ${String(await page.evaluate(() => (window as unknown as { seen: number[] }).seen.join(' ')))}`)
    if (process.env.CAIRN_SHOTS) writeFileSync(join(process.env.CAIRN_SHOTS, 'live.txt'), readFileSync(join(host.folder, 'figures.txt')))
    await host.cairn('simulate', join(host.root, file), '-o', join(host.folder, 'again.mcap'))
    // Every pose, velocity, force and event, to the last bit.
    expect(await host.cairn('compare', recorded!, join(host.folder, 'again.mcap'), '--tolerance', '0')).toContain('equal')
  }

  it('drags 30 bodies on a slope, nails one, throws one, keeps the session, and runs it again to the byte', () => session('slope.cairn.json', 0), 240_000)

  it('does that for a minute', async () => {
    writeFileSync(join(host.root, 'again.cairn.json'), JSON.stringify(scene))
    await editor.page.keyboard.press('Control+o')
    await editor.page.getByRole('dialog', { name: 'Open' }).getByRole('button', { name: /^again\.cairn\.json/ }).dblclick()
    await editor.waitFor('again')
    await session('again.cairn.json', 60)
  }, 1_200_000)
})
