/**
 * The editor in a real browser, 1440 × 900: time from the start of the host and from opening its page until the page can be used; time until a scene of
 * 1,000 bodies is shown; script of the page for a picture while its run is played with all contact arrows; and while the timeline is scrubbed over
 * the run, and over a long one, time from the pointer's move to the end of the frame that shows it, by stage, and tasks of more than 50 ms.
 * Played and scrubbed twice: as the software renderer draws it, and with drawing commands that do nothing, so that its share is seen.
 * `--bodies n`, `--frames n` of the long run.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium as family, type Browser, type Page } from 'playwright-core'
import { build } from '../../bin/build.js'
import { findChromium } from '../../bin/chromium.js'
import { SEEK_MEASURE, type SeekStages } from '../../renderer/state/seek-measure'
import { boxesOnSlope, SOFTWARE_BROWSER, scripted, shareOf, withHost, withoutRasteriser } from './support/browser'

/** ms between two pointer moves, and number of moves. */
const [EVERY, MOVES] = [30, 100] as const

export default async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { bodies: { type: 'string', default: '1000' }, frames: { type: 'string', default: '2000' } } })
  const executablePath = await findChromium()
  if (executablePath === undefined) return console.log('  no Chromium: not measured')
  build()
  const [count, frames] = [Number(values.bodies), Number(values.frames)]
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-editor-'))
  const browser = await family.launch({ executablePath, args: SOFTWARE_BROWSER })
  try {
    writeFileSync(join(folder, 'one.cairn.json'), JSON.stringify(boxesOnSlope(1)))
    writeFileSync(join(folder, 'many.cairn.json'), JSON.stringify({ ...boxesOnSlope(count), simulation: { duration: 1, outputRate: 60 } }))
    writeFileSync(join(folder, 'long.cairn.json'), JSON.stringify(flight(count, frames)))
    await started(browser, folder, count)
    for (const drawn of [true, false]) {
      console.log(drawn ? '  drawn by the software renderer' : '  drawing commands do nothing')
      await inspected(browser, folder, 'many', drawn, async page => {
        await page.getByRole('button', { name: 'Loop', exact: true }).click()
        if (await page.getByRole('button', { name: 'Play', exact: true }).isVisible()) await page.getByRole('button', { name: 'Play', exact: true }).click()
        await page.waitForTimeout(2000)
        console.log(`    ${count} bodies with arrows at all contacts, played: ${await scripted(page)}`)
        await page.getByRole('button', { name: 'Pause', exact: true }).click()
        await scrubbed(page)
        console.log(`    scrubbed, cached: ${await scrubbed(page)}`)
      })
      await inspected(browser, folder, 'long', drawn, async page => console.log(`    ${frames} frames, scrubbed, not cached: ${await scrubbed(page)}`))
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Boxes in free flight, each with its own velocities: of 10,000 frames of 1,000 bodies in contact, the file would have 11 GB. */
function flight(count: number, frames: number): object {
  const { bodies, ...scene } = boxesOnSlope(count) as { bodies: object[] }
  return {
    ...scene, simulation: { duration: 1, outputRate: frames },
    bodies: bodies.slice(1).map((body, i) => ({ ...body, linearVelocity: [0, 0, 2 + 0.1 * (i % 7)], angularVelocity: [i % 5, 1, 0.3] })),
  }
}

async function started(browser: Browser, folder: string, count: number): Promise<void> {
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
    await context.close()
  })
}

/** Opens a scene in a page of its own and simulates it; a second time, its recorded run is found. */
async function inspected(browser: Browser, folder: string, scene: string, drawn: boolean, measure: (page: Page) => Promise<void>): Promise<void> {
  await withHost(folder, scene, async url => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    if (!drawn) await withoutRasteriser(context)
    const page = await context.newPage()
    page.setDefaultTimeout(600_000)
    await page.goto(url)
    await page.getByRole('treeitem', { name: 'box-0' }).waitFor()
    const state = () => page.locator('button.simulate').getAttribute('data-state')
    if (await state() !== 'current') await page.keyboard.press('Control+Enter')
    await page.waitForFunction(() => document.querySelector<HTMLElement>('button.simulate')?.dataset.state === 'current', null, { polling: 500 })
    if (await page.getByRole('button', { name: 'Pause', exact: true }).isVisible()) await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await measure(page)
    await context.close()
  })
}

interface Seek extends SeekStages {
  readonly start: number
  readonly end: number
}

async function scrubbed(page: Page): Promise<string> {
  const axis = (await page.getByRole('slider', { name: 'Time', exact: true }).boundingBox())!
  await page.evaluate(name => {
    const seen = { tasks: [] as number[], seeks: [] as unknown[] }
    Object.assign(window, { seen })
    new PerformanceObserver(list => { for (const { duration } of list.getEntries()) seen.tasks.push(duration) }).observe({ type: 'longtask' })
    new PerformanceObserver(list => {
      for (const { startTime, duration, detail } of list.getEntriesByName(name) as PerformanceMeasure[]) seen.seeks.push({ start: startTime, end: startTime + duration, ...detail as object })
    }).observe({ type: 'measure' })
  }, SEEK_MEASURE)
  const y = axis.y + axis.height / 2
  await page.mouse.move(axis.x + 100, y)
  await page.mouse.down()
  for (let k = 0; k < MOVES; k++) {
    await page.mouse.move(axis.x + 100 + (axis.width - 140) * (0.5 - 0.5 * Math.cos(k / 8)), y)
    await page.waitForTimeout(EVERY)
  }
  await page.mouse.up()
  await page.waitForTimeout(500)
  const { tasks, seeks } = await page.evaluate(() => (window as unknown as { seen: { tasks: number[]; seeks: Seek[] } }).seen)
  const stage = (name: string, of: (seek: Seek) => number) => `${name} ${shareOf(seeks.map(of), 0.5)} and ${shareOf(seeks.map(of), 0.9)}`
  return `${stage('pointer to picture', seek => seek.end - seek.start)} ms, median and nine of ten of ${seeks.length}: ${[
    stage('until received', seek => seek.received - seek.start), stage('data', seek => seek.shown - seek.received),
    stage('scripts, and the wait for the browser\'s frame', seek => seek.drawn - seek.shown), stage('the rest of the frame', seek => seek.end - seek.drawn),
  ].join(', ')}; ${tasks.length} tasks of more than 50 ms, the longest ${Math.max(0, ...tasks).toFixed(0)} ms`
}
