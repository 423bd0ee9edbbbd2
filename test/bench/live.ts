/**
 * Live in a real browser: from the page's input to the end of drawing the first picture that was computed with it, as the page measures it, at each resolution
 * of the viewport, 30 boxes on a slope dragged by the pointer; and how long script and everything else of the page take a picture, for 200 boxes.
 * 1440 × 900; `--drags n`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium as family, type Browser, type Page } from 'playwright-core'
import { build } from '../../bin/build.js'
import { findChromium } from '../../bin/chromium.js'

const cli = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
/** rad */
const SLOPE = 0.26
/** ms between two moves of the hand, and moves of a drag: figures are told five times a second. */
const [EVERY, MOVES] = [20, 60] as const

export default async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { drags: { type: 'string', default: '6' } } })
  const executablePath = await findChromium()
  if (executablePath === undefined) return console.log('  no Chromium: not measured')
  build()
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-live-'))
  const browser = await family.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--enable-unsafe-swiftshader'] })
  try {
    writeFileSync(join(folder, 'thirty.cairn.json'), JSON.stringify(slope(30)))
    writeFileSync(join(folder, 'many.cairn.json'), JSON.stringify(slope(200)))
    for (const resolution of ['full', 'half', 'quarter']) {
      await session(browser, folder, 'thirty', resolution, async page => {
        const waited = await drags(page, Number(values.drags))
        console.log(`  30 boxes, ${resolution.padEnd(7)} input to picture: median ${at(waited, 0.5)} ms, nine of ten ${at(waited, 0.9)} ms (${waited.length} figures), ${await drawn(page)} of the pixels along an edge`)
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

const at = (figures: readonly number[], share: number) => [...figures].sort((a, b) => a - b)[Math.floor(share * (figures.length - 1))]?.toFixed(0) ?? '–'

async function session(browser: Browser, folder: string, scene: string, resolution: string, measure: (page: Page) => Promise<void>): Promise<void> {
  const host = spawn(process.execPath, [cli, 'open', '--web', '--no-browser', '--port', '0', '--root', folder, join(folder, `${scene}.cairn.json`)], {
    env: { ...process.env, CAIRN_HOME: join(folder, 'home') }, stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const url = await new Promise<string>((done, fail) => {
      host.stdout.on('data', data => {
        const found = /Cairn: (\S+)/.exec(String(data))
        if (found) done(found[1]!)
      })
      host.on('exit', code => fail(new Error(`The host ended with ${code}.`)))
    })
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
  } finally {
    if (host.exitCode === null && host.signalCode === null) {
      const ended = once(host, 'exit')
      host.kill()
      await ended
    }
  }
}

/** Draws boxes about, each for a while. @returns ms, of all figures that were shown */
async function drags(page: Page, count: number): Promise<number[]> {
  const banner = page.getByRole('status').filter({ hasText: 'Live' })
  const box = (await page.getByRole('region', { name: 'Viewport' }).last().locator('canvas').first().boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const look = () => {
      const text = [...document.querySelectorAll('[role=status]')].map(one => one.textContent ?? '').find(one => one.includes('to the picture')) ?? ''
      const figure = /([\d.]+) ms to the picture/.exec(text)?.[1]
      const time = /([\d.]+) s/.exec(text)?.[1] ?? ''
      if (figure && seen.at(-1) !== `${time} ${figure}`) seen.push(`${time} ${figure}`)
      requestAnimationFrame(look)
    }
    look()
  })
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
  return page.evaluate(() => (window as unknown as { seen: string[] }).seen.map(one => Number(one.split(' ')[1])))
}

/** Share of the canvas's pixels along an edge that is drawn: the chosen resolution times what the viewport finds by itself while a person waits. */
const drawn = (page: Page): Promise<string> => page.getByRole('region', { name: 'Viewport' }).last().locator('canvas').first()
  .evaluate(canvas => ((canvas as HTMLCanvasElement).width / canvas.clientWidth / devicePixelRatio).toFixed(2))

/** ms a picture, while it runs for 5 s. */
async function scripted(page: Page): Promise<string> {
  const metrics = await page.context().newCDPSession(page)
  await metrics.send('Performance.enable')
  await page.evaluate(() => {
    Object.assign(window, { pictures: 0 })
    const count = () => {
      (window as unknown as { pictures: number }).pictures++
      requestAnimationFrame(count)
    }
    count()
  })
  const read = async () => {
    const { metrics: all } = await metrics.send('Performance.getMetrics')
    const of = (name: string) => all.find(one => one.name === name)!.value
    return { script: of('ScriptDuration'), task: of('TaskDuration'), pictures: await page.evaluate(() => (window as unknown as { pictures: number }).pictures) }
  }
  const before = await read()
  await page.waitForTimeout(5000)
  const after = await read()
  const pictures = after.pictures - before.pictures
  const each = (key: 'script' | 'task') => (1000 * (after[key] - before[key]) / pictures).toFixed(1)
  return `script ${each('script')} ms a picture, all of the page's work ${each('task')} ms, ${(pictures / 5).toFixed(1)} pictures a second`
}

/** Boxes that lie on a slope, which holds them. */
function slope(count: number): object {
  const turn = [0, Math.sin(SLOPE / 2), 0, Math.cos(SLOPE / 2)]
  const across = Math.ceil(Math.sqrt(count))
  const boxes = Array.from({ length: count }, (_, i) => {
    const [u, v] = [(i % across) * 0.5 - across / 4, Math.floor(i / across) * 0.5 - across / 4]
    return {
      id: `box-${i}`, position: [u * Math.cos(SLOPE) + 0.1001 * Math.sin(SLOPE), v, -u * Math.sin(SLOPE) + 0.1001 * Math.cos(SLOPE)], orientation: turn,
      shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'wood' }],
    }
  })
  return {
    format: 'cairn-scene', version: 1, name: 'Slope', materials: [{ id: 'wood', density: 700, friction: { static: 0.6, dynamic: 0.5 }, restitution: 0.2 }],
    bodies: [{ id: 'slope', type: 'fixed', orientation: turn, shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] }, ...boxes],
  }
}
