import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchRun, type LaunchedRun } from '../../../../main/run/launch'
import type { RunReport } from '../../../../main/run/job'
import { releaseThread, acquireThread } from '../../../../main/run/threads'
import { built, scenes, scratch } from '../built'

let worker: URL
let folder: string
beforeAll(async () => {
  worker = built().worker
  folder = scratch()
}, 300_000)
afterAll(async () => {
  await acquireThread(worker).terminate()
  rmSync(folder, { recursive: true, force: true })
})

const sceneOf = (name: string) => readFileSync(join(scenes, `${name}.cairn.json`), 'utf8')

function ended(scene: string, use: (run: LaunchedRun, report: RunReport) => void = () => undefined, output = join(folder, 'run.mcap')): Promise<RunReport> {
  return new Promise(done => {
    const run = launchRun({ scene, output }, report => {
      use(run, report)
      if (report.kind === 'ended' || report.kind === 'refused' || report.kind === 'failed') done(report)
    }, worker)
  })
}

const hashOf = (report: RunReport) => report.kind === 'ended' ? report.end.finalHash : report.kind
/** Id of the waiting thread, which keeps waiting. */
const waiting = () => {
  const thread = acquireThread(worker)
  releaseThread(worker, thread, 0)
  return thread.threadId
}

describe('a thread that has finished a run', () => {
  it('computes the next one with the same result as a new thread, also after a run that was refused or cancelled', { tags: 'long' }, async () => {
    const [pendulum, balls] = [sceneOf('pushed-pendulum'), sceneOf('bouncing-balls')]
    const fresh = []
    for (const scene of [pendulum, balls]) {
      await acquireThread(worker).terminate()
      fresh.push(hashOf(await ended(scene)))
    }
    const thread = waiting()
    expect((await ended('{"format":"cairn-scene"}')).kind).toBe('refused')
    expect(await ended(balls, (run, { kind }) => { if (kind === 'begun') run.cancel() })).toMatchObject({ kind: 'ended', end: { status: 'cancelled' } })
    expect([hashOf(await ended(pendulum)), hashOf(await ended(balls))]).toEqual(fresh)
    expect(waiting()).toBe(thread)
  })

  it('ends if its run took long, if another thread already waits, and if it was terminated', async () => {
    const first = acquireThread(worker)
    const second = acquireThread(worker)
    releaseThread(worker, first, 1)
    releaseThread(worker, second, 1)
    expect(waiting()).toBe(first.threadId)
    releaseThread(worker, acquireThread(worker), 60)
    expect(waiting()).not.toBe(first.threadId)
    const third = waiting()
    const run = launchRun({ scene: sceneOf('bouncing-balls'), output: join(folder, 'run.mcap') }, () => undefined, worker)
    await run.terminate()
    await run.over
    expect(waiting()).not.toBe(third)
  })

  it.skipIf(!existsSync('/dev/full'))('ends if its run could not write, and closes the file', async () => {
    const thread = waiting()
    expect(await ended(sceneOf('bouncing-balls'), undefined, '/dev/full')).toMatchObject({ kind: 'ended', complete: false, end: { reason: 'DiskFull' } })
    expect(waiting()).not.toBe(thread)
  })

  it('is forgotten if it dies while it waits', async () => {
    const thread = acquireThread(worker)
    releaseThread(worker, thread, 0)
    const id = thread.threadId
    await thread.terminate()
    expect(waiting()).not.toBe(id)
  })
})
