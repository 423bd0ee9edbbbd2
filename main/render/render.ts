/** Films and pictures of a recorded run, made by the editor's page in an installed browser. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createEngine } from '../engine'
import { HostError } from '../protocol/host'
import { filmBindings, filmPage, filmQuery, type FilmChunk, type FilmProgress } from '../protocol/render'
import { FileSink } from '../tables'
import { startWebHost } from '../web/server'
import { startBrowser } from './browser'
import { DevTools, PageError } from './devtools'

/** ms for the page to open the run. */
const openLimit = 120_000
const pollInterval = 100

export interface RenderJob {
  readonly browser: string
  /** Folder of the built page. */
  readonly pages: string
  readonly run: string
  readonly output: string
  /** Call of the page's `film(spec)` or `picture(spec, time)`. */
  readonly call: { readonly name: 'film'; readonly spec: object } | { readonly name: 'picture'; readonly spec: object; readonly time: number }
  readonly progress: (done: number, of: number) => void
  readonly signal: AbortSignal
}

/**
 * Result of the page's call. The output is written completely, or stays as before.
 * @throws HostError `BrowserFailed`, `RenderFailed`, `Cancelled`; DiskFull and the like for the output
 */
export async function render(job: RenderJob): Promise<unknown> {
  const sink = new FileSink(job.output)
  const home = mkdtempSync(join(tmpdir(), 'cairn-render-'))
  const ends: (() => void | Promise<void>)[] = [() => rm(home, { recursive: true, force: true, maxRetries: 5 })]
  try {
    const engine = createEngine({ home })
    ends.push(() => engine.dispose())
    const host = await startWebHost({ engine, pages: job.pages, root: dirname(job.run), port: 0, initialDocument: engine.handleFor(job.run) })
    ends.push(() => host.close())
    const browser = await startBrowser(job.browser)
    ends.push(() => browser.end())
    const tools = await DevTools.open(browser.address, host.url.replace('/#', `/?${filmQuery}#`))
    ends.push(() => tools.close())
    const result = await Promise.race([drive(tools, job, sink), aborted(job.signal)])
    await sink.end()
    return result
  } catch (error) {
    sink.abandon()
    throw error instanceof PageError ? new HostError('RenderFailed', error.message) : error
  } finally {
    for (const end of ends.reverse()) await Promise.resolve(end()).catch(() => undefined) // each cleanup runs even if another fails
  }
}

async function drive(tools: DevTools, { call, progress }: RenderJob, sink: FileSink): Promise<unknown> {
  let fault: unknown = null
  let stop: (error: unknown) => void = () => undefined
  const stopped = new Promise<never>((_, fail) => { stop = fail })
  stopped.catch(() => undefined) // handled in the race below
  await tools.bind(filmBindings.write, text => {
    if (fault !== null) return
    try {
      const { position, data } = JSON.parse(text) as FilmChunk
      sink.writeAt(position, Buffer.from(data, 'base64'))
    } catch (error) {
      fault = error
      stop(error)
    }
  })
  await tools.bind(filmBindings.progress, text => {
    const { done, of } = JSON.parse(text) as FilmProgress
    progress(done, of)
  })
  await untilReady(tools)
  const args = [call.spec, ...(call.name === 'picture' ? [call.time] : [])].map(argument => JSON.stringify(argument))
  return Promise.race([tools.evaluate(`globalThis.${filmPage}.${call.name}(${args.join(', ')})`), stopped])
}

async function untilReady(tools: DevTools): Promise<void> {
  for (const began = performance.now(); performance.now() - began < openLimit;) {
    // While the page loads there may be no context for evaluation.
    if (await tools.evaluate(`typeof globalThis.${filmPage}`).catch(() => 'undefined') === 'object') return
    await new Promise(done => setTimeout(done, pollInterval))
  }
  throw new PageError('The editor\'s page did not open the run.')
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    const stop = () => fail(new HostError('Cancelled', 'Cancelled.'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
