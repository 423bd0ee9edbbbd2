/**
 * The editor in a real browser, 1440 × 900: time from the start of the host and from opening its page until the page can be used; time until a scene of
 * 1,000 bodies is shown; script of the page for a picture while its run is played with all contact arrows; and while the timeline is scrubbed over it,
 * time from the pointer's move to the end of the frame that follows it, and tasks of more than 50 ms. `--bodies n`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium as family, type Page } from 'playwright-core'
import { build } from '../../bin/build.js'
import { findChromium } from '../../bin/chromium.js'
import { boxesOnSlope, SOFTWARE_BROWSER, scripted, shareOf, withHost } from './support/browser'

/** ms between two pointer moves, and number of moves. */
const [EVERY, MOVES] = [30, 100] as const

export default async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { bodies: { type: 'string', default: '1000' } } })
  const executablePath = await findChromium()
  if (executablePath === undefined) return console.log('  no Chromium: not measured')
  build()
  const count = Number(values.bodies)
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-editor-'))
  const browser = await family.launch({ executablePath, args: SOFTWARE_BROWSER })
  try {
    writeFileSync(join(folder, 'one.cairn.json'), JSON.stringify(boxesOnSlope(1)))
    writeFileSync(join(folder, 'many.cairn.json'), JSON.stringify({ ...boxesOnSlope(count), simulation: { duration: 1, outputRate: 60 } }))
    const begun = performance.now()
    await withHost(folder, 'one', async url => {
      const started = performance.now()
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const page = await context.newPage()
      page.setDefaultTimeout(600_000)
      await page.goto(url)
      await page.getByRole('treeitem', { name: 'box-0' }).waitFor()
      await page.getByRole('button', { name: 'Simulate', exact: true }).waitFor()
      console.log(`  host started in ${(started - begun).toFixed(0)} ms, its page usable after another ${(performance.now() - started).toFixed(0)} ms`)
      await page.keyboard.press('Control+o')
      const file = page.getByRole('dialog', { name: 'Open' }).getByRole('button', { name: /^many/ })
      await file.waitFor()
      const chosen = performance.now()
      await file.dblclick()
      await page.getByRole('treeitem', { name: 'box-0' }).waitFor()
      await page.getByRole('contentinfo', { name: 'Status' }).getByText(`${count + 1} bodies`).waitFor()
      await page.evaluate(() => new Promise(resolve => { requestAnimationFrame(() => requestAnimationFrame(resolve)) }))
      console.log(`  ${count} bodies shown ${(performance.now() - chosen).toFixed(0)} ms after the click on their file`)
      await page.keyboard.press('Control+Enter')
      await page.waitForFunction(() => document.querySelector<HTMLElement>('button.simulate')?.dataset.state === 'current', null, { polling: 500 })
      await page.getByRole('button', { name: 'Loop', exact: true }).click()
      if (await page.getByRole('button', { name: 'Play', exact: true }).isVisible()) await page.getByRole('button', { name: 'Play', exact: true }).click()
      await page.waitForTimeout(2000)
      console.log(`  played with arrows: ${await scripted(page)}`)
      await page.getByRole('button', { name: 'Pause', exact: true }).click()
      console.log(`  ${await scrubbed(page)}`)
      await context.close()
    })
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function scrubbed(page: Page): Promise<string> {
  const axis = (await page.getByRole('slider', { name: 'Time', exact: true }).boundingBox())!
  await page.evaluate(() => {
    const seen = { tasks: [] as number[], waits: [] as number[] }
    Object.assign(window, { seen })
    new PerformanceObserver(list => { for (const { duration } of list.getEntries()) seen.tasks.push(duration) }).observe({ type: 'longtask' })
    document.addEventListener('pointermove', ({ timeStamp }) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => seen.waits.push(performance.now() - timeStamp)
        port2.postMessage(null)
      })
    }, true)
  })
  const y = axis.y + axis.height / 2
  await page.mouse.move(axis.x + 100, y)
  await page.mouse.down()
  for (let k = 0; k < MOVES; k++) {
    await page.mouse.move(axis.x + 100 + (axis.width - 140) * (0.5 - 0.5 * Math.cos(k / 8)), y)
    await page.waitForTimeout(EVERY)
  }
  await page.mouse.up()
  const { tasks, waits } = await page.evaluate(() => (window as unknown as { seen: { tasks: number[]; waits: number[] } }).seen)
  return `scrubbed: pointer to picture ${shareOf(waits, 0.5)} and ${shareOf(waits, 0.9)} ms, median and nine of ten of ${waits.length}; ${tasks.length} tasks of more than 50 ms, the longest ${Math.max(0, ...tasks).toFixed(0)} ms`
}
