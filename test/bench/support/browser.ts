/** What benchmarks of the editor in a browser share. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'

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
    env: { ...process.env, CAIRN_HOME: join(folder, 'home'), CAIRN_RECORD_AHEAD: '0' }, stdio: ['ignore', 'pipe', 'ignore'],
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

/** Drawing commands do nothing, and the renderer names itself a graphics card: what is left of a picture's time is not the rasteriser's. */
export async function withoutRasteriser(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const { prototype } = WebGL2RenderingContext
    for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced', 'clear', 'blitFramebuffer'] as const) prototype[name] = () => undefined
    const parameter = prototype.getParameter
    const [UNMASKED_RENDERER, RENDERER] = [0x9246, 0x1f01]
    prototype.getParameter = function (name) { return name === UNMASKED_RENDERER || name === RENDERER ? 'draws nothing' : parameter.call(this, name) as unknown }
  })
}

/** Names of the profiler's entries for time in which no script of the page runs. */
const NO_SCRIPT: ReadonlySet<string> = new Set(['(program)', '(idle)', '(root)'])

/**
 * ms a picture, while it runs for 5 s. Scripts are sampled: the browser's own sum of them leaves out those that run after a callback, which are the
 * updates of the panels.
 */
export async function scripted(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('Profiler.enable')
  await session.send('Profiler.setSamplingInterval', { interval: 250 })
  await page.evaluate(() => {
    Object.assign(window, { pictures: 0 })
    const count = () => {
      (window as unknown as { pictures: number }).pictures++
      requestAnimationFrame(count)
    }
    count()
  })
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const pictures = await page.evaluate(() => (window as unknown as { pictures: number }).pictures)
    return { task: metrics.find(one => one.name === 'TaskDuration')!.value, pictures }
  }
  const before = await read()
  await session.send('Profiler.start')
  await page.waitForTimeout(5000)
  const { profile } = await session.send('Profiler.stop')
  const after = await read()
  const idle = new Set(profile.nodes.filter(node => NO_SCRIPT.has(node.callFrame.functionName)).map(node => node.id))
  const script = profile.samples!.reduce((sum, node, i) => idle.has(node) ? sum : sum + profile.timeDeltas![i]! / 1000, 0)
  const pictures = after.pictures - before.pictures
  await session.detach()
  return `script ${(script / pictures).toFixed(1)} ms a picture, all of the page's work ${(1000 * (after.task - before.task) / pictures).toFixed(1)} ms, `
    + `${(pictures / 5).toFixed(1)} pictures a second`
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
