/** What benchmarks of the editor in a browser share. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const cli = fileURLToPath(new URL('../../../bin/cairn.js', import.meta.url))
/** rad */
const SLOPE = 0.26

/** Arguments for Chromium without a graphics card. */
export const SOFTWARE_BROWSER = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--enable-unsafe-swiftshader']

/** The value that this share of the figures does not exceed, without decimals. */
export const shareOf = (figures: readonly number[], share: number) => [...figures].sort((a, b) => a - b)[Math.floor(share * (figures.length - 1))]?.toFixed(0) ?? '–'

/** A web host on a scene of the folder, while `use` takes. */
export async function withHost(folder: string, scene: string, use: (url: string) => Promise<void>): Promise<void> {
  const host = spawn(process.execPath, [cli, 'open', '--web', '--no-browser', '--port', '0', '--root', folder, join(folder, `${scene}.cairn.json`)], {
    env: { ...process.env, CAIRN_HOME: join(folder, 'home') }, stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    await use(await new Promise<string>((done, fail) => {
      host.stdout.on('data', data => {
        const found = /Cairn: (\S+)/.exec(String(data))
        if (found) done(found[1]!)
      })
      host.on('exit', code => fail(new Error(`The host ended with ${code}.`)))
    }))
  } finally {
    if (host.exitCode === null && host.signalCode === null) {
      const ended = once(host, 'exit')
      host.kill()
      await ended
    }
  }
}

/** ms a picture, while it runs for 5 s. */
export async function scripted(page: Page): Promise<string> {
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
export function boxesOnSlope(count: number): object {
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
