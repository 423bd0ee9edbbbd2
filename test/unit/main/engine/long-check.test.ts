/** Long work before the first frame of a run: nothing else waits for it, and it can be cancelled at any moment. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import type { HostError } from '../../../../main/protocol/host'
import { compute } from '../../../../main/run/compute'
import { controlLength, cancelIndex, type RunReport } from '../../../../main/run/job'
import { built, scratch } from '../built'
import { boxesScene, failure } from './boxes-scene'

const folder = scratch()
let engine: LocalEngine

beforeAll(() => {
  engine = createEngine({ home: join(folder, 'home'), workerUrl: built().worker })
})
afterAll(async () => {
  await engine.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** So many boxes in one place that their check takes seconds. */
const slow = () => boxesScene(300, { initialOverlap: 'separate' }, i => [1e-3 * i, 0, 1])

describe('a long check', () => {
  it('does not block other requests, and ends when it is cancelled or requested again', async () => {
    let ended = false
    const first = failure(engine.check(slow(), 'page')).finally(() => { ended = true })
    expect(await engine.check(boxesScene(), 'another page')).toStrictEqual([])
    expect(await engine.version()).toBeTypeOf('string')
    expect(ended).toBe(false)
    const second = failure(engine.check(slow(), 'page'))
    expect((await first).name).toBe('Cancelled')
    await engine.cancelCheck('page')
    expect((await second).name).toBe('Cancelled')
    expect(await engine.check(boxesScene(), 'page')).toStrictEqual([])
  })

  it('of a run that has not begun is ended by its ticket, and leaves nothing', async () => {
    const starting = failure(engine.simulate(slow(), { reuse: false, ticket: 'start' }))
    await engine.cancel('start')
    expect((await starting).name).toBe('Cancelled')
    expect(await engine.runs()).toStrictEqual([])
  })

  it('is ended by the ticket of its run, whether the run has just begun or not', async () => {
    for (const delay of [0, 10, 100, 300, 1000, 3000]) {
      const ticket = `start-${delay}`
      const starting = engine.simulate(slow(), { reuse: false, ticket }).catch((error: unknown) => error as HostError)
      await new Promise(resolve => setTimeout(resolve, delay))
      await engine.cancel(ticket)
      const started = await starting
      if (started instanceof Error) {
        expect(started.name).toBe('Cancelled')
        continue
      }
      await vi.waitFor(async () => expect((await engine.run(started.id)).status).toBe('cancelled'), { timeout: 5000 })
      await engine.deleteRun(started.id)
    }
    expect(await engine.runs()).toStrictEqual([])
  })
})

describe('bodies that are moved apart before the first frame', () => {
  it('report their progress, and stop at once when the run is cancelled', async () => {
    const control = new SharedArrayBuffer(4 * controlLength)
    const told: RunReport[] = []
    let since = 0
    // Heavy and light bodies alternate, so that every sweep moves the light ones back and forth.
    const text = boxesScene(60, { initialOverlap: 'separate' }, i => [1e-3 * i, 0, 0.5])
    await compute({ scene: text, output: join(folder, 'heap.mcap'), control }, report => {
      told.push(report)
      if (report.kind !== 'preparing' || since > 0) return
      since = performance.now()
      Atomics.store(new Int32Array(control), cancelIndex, 1)
    })
    expect(performance.now() - since).toBeLessThan(1000)
    expect(told.find(report => report.kind === 'preparing')).toMatchObject({ progress: expect.stringMatching(/^moving overlapping bodies apart: sweep \d+ of at most 5000/) as string })
    expect(told.at(-1)).toMatchObject({ kind: 'ended', end: { status: 'cancelled', frames: 0 } })
  })
})
