/**
 * Live sessions in a real browser, 1440 × 900. Measured by the page: latency from the pointer's move to the end of drawing the first picture computed
 * with it, by stage, for each resolution of the viewport, while 30 boxes on a slope are dragged; the same last stage for an empty canvas of the same
 * size, which is the software renderer's share; and the time of scripts and of everything else of the page for a picture with 200 boxes.
 * `--drags n`, `--resolutions full,half`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium as family, type Browser, type Page } from 'playwright-core'
import { build } from '../../bin/build.js'
import { findChromium } from '../../bin/chromium.js'
import { ANSWER_MEASURE, type AnswerStages } from '../../renderer/state/live-pictures'
import { boxesOnSlope, SOFTWARE_BROWSER, scripted, shareOf, withHost } from './support/browser'

/** ms between two pointer moves, and number of moves in a drag. */
const [EVERY, MOVES] = [20, 60] as const

export default async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { drags: { type: 'string', default: '6' }, resolutions: { type: 'string', default: 'full,half,quarter' } } })
  const executablePath = await findChromium()
  if (executablePath === undefined) return console.log('  no Chromium: not measured')
  build()
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-live-'))
  const browser = await family.launch({ executablePath, args: SOFTWARE_BROWSER })
  try {
    writeFileSync(join(folder, 'thirty.cairn.json'), JSON.stringify(boxesOnSlope(30)))
    writeFileSync(join(folder, 'many.cairn.json'), JSON.stringify(boxesOnSlope(200)))
    for (const resolution of values.resolutions.split(',')) {
      await session(browser, folder, 'thirty', resolution, async page => {
        const answers = await drags(page, Number(values.drags))
        const stage = (name: string, of: (answer: Answer) => number) => `${name} ${shareOf(answers.map(of), 0.5)} and ${shareOf(answers.map(of), 0.9)}`
        const all = stage('input to picture', answer => answer.end - answer.start)
        console.log(`  30 boxes, ${resolution.padEnd(7)} ${all} ms, median and nine of ten of ${answers.length}; ${await drawn(page)} of the pixels along an edge`)
        console.log(`    ${[
          stage('until sent', answer => answer.sent - answer.start), stage('until received', answer => answer.received - answer.sent),
          stage('until drawn', answer => answer.drawn - answer.received), stage('drawing', answer => answer.end - answer.drawn),
        ].join(', ')}; drawing nothing ${(await emptyFrames(page)).map(time => time.toFixed(0)).join(' and ')} ms`)
      })
    }
    for (const resolution of ['full', 'quarter']) {
      await session(browser, folder, 'many', resolution, async page => {
        console.log(`  200 boxes, ${resolution.padEnd(7)} ${await scripted(page)}`)
      })
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function session(browser: Browser, folder: string, scene: string, resolution: string, measure: (page: Page) => Promise<void>): Promise<void> {
  await withHost(folder, scene, async url => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addInitScript(share => localStorage.setItem('cairn.view', JSON.stringify({ resolution: share })), resolution)
    const page = await context.newPage()
    await page.goto(url)
    await page.getByRole('heading', { level: 1, name: scene }).waitFor()
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await page.getByText('ms a frame').waitFor()
    await page.waitForTimeout(2000)
    await measure(page)
    await context.close()
  })
}

interface Answer extends AnswerStages {
  readonly start: number
  readonly end: number
}

/** Draws boxes about, each for a while. @returns ms on the page's clock, of every answered move */
async function drags(page: Page, count: number): Promise<Answer[]> {
  const banner = page.getByRole('status').filter({ hasText: 'Live' })
  const box = (await page.getByRole('region', { name: 'Viewport' }).last().locator('canvas').first().boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.evaluate(name => {
    const answers: unknown[] = []
    Object.assign(window, { answers })
    new PerformanceObserver(list => {
      for (const { startTime, duration, detail } of list.getEntriesByName(name) as PerformanceMeasure[]) answers.push({ start: startTime, end: startTime + duration, ...detail as object })
    }).observe({ type: 'measure' })
  }, ANSWER_MEASURE)
  await banner.waitFor()
  for (let i = 0; i < count; i++) {
    await page.mouse.move(x - 80 + 30 * i, y + 20)
    await page.mouse.down()
    for (let k = 1; k <= MOVES; k++) {
      await page.mouse.move(x - 80 + 30 * i + 2 * k, y + 20 - 2 * k)
      await page.waitForTimeout(EVERY)
    }
    await page.mouse.up()
  }
  return page.evaluate(() => (window as unknown as { answers: Answer[] }).answers)
}

/** ms from clearing a canvas to the end of the page's next frame, median and nine of ten: the size of the viewport's canvas, antialiased as it is. */
async function emptyFrames(page: Page): Promise<number[]> {
  const [width, height] = await page.getByRole('region', { name: 'Viewport' }).last().locator('canvas').first()
    .evaluate(canvas => [(canvas as HTMLCanvasElement).width, (canvas as HTMLCanvasElement).height])
  const blank = await page.context().newPage()
  const times = await blank.evaluate(async ([width, height]) => {
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    document.body.append(canvas)
    const gl = canvas.getContext('webgl2', { antialias: true, stencil: true, alpha: false })!
    const found: number[] = []
    for (let k = 0; k < 120; k++) {
      await new Promise(resolve => setTimeout(resolve, 5 + 20 * Math.random()))
      const began = performance.now()
      gl.clearColor(k % 2, 0, 0, 1)
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)
      await new Promise<void>(resolve => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve()
          port2.postMessage(null)
        })
      })
      found.push(performance.now() - began)
    }
    return found
  }, [width!, height!])
  await blank.close()
  return [0.5, 0.9].map(share => times.sort((a, b) => a - b)[Math.floor(share * (times.length - 1))]!)
}

/** Share of the canvas's pixels along an edge that is drawn: the chosen resolution times what the viewport finds by itself while a person waits. */
const drawn = (page: Page): Promise<string> => page.getByRole('region', { name: 'Viewport' }).last().locator('canvas').first()
  .evaluate(canvas => ((canvas as HTMLCanvasElement).width / canvas.clientWidth / devicePixelRatio).toFixed(2))
