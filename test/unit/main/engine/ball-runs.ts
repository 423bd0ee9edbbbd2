/** A ball that bounces, the end of its runs and of their files, and refusals. */
import { expect } from 'vitest'
import type { LocalEngine } from '../../../../main/engine'
import { TrajectoryReader } from '../../../../main/engine/reader'
import { HostError } from '../../../../main/protocol/host'
import type { RunInfo } from '../../../../main/protocol/runs'

export function ball(changes: { name?: string; duration?: number; rate?: number; height?: number; color?: string; script?: string } = {}): string {
  const { name = 'Ball', duration = 0.5, rate = 100, height = 1.1, color = '#ffffff', script } = changes
  return JSON.stringify({
    format: 'cairn-scene', version: 1, name,
    materials: [{ id: 'rubber', density: 1000, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.8, color }],
    bodies: [
      { id: 'ground', type: 'fixed', position: [0, 0, 0], shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'rubber' }] },
      { id: 'ball', type: 'dynamic', position: [0, 0, height], shapes: [{ type: 'sphere', radius: 0.1, material: 'rubber' }] },
    ],
    ...(script === undefined ? {} : { scripts: [{ id: 'push.ts', source: script }], forces: [{ id: 'push', type: 'script', script: 'push.ts' }] }),
    simulation: { duration, outputRate: rate },
  })
}

/** The run once its state is as wanted; default: once it has ended. */
export const ended = (of: LocalEngine, run: RunInfo, when: (info: RunInfo) => boolean = info => info.status !== 'running') => new Promise<RunInfo>(done => {
  const stop = of.listen({
    runChanged: info => {
      if (info.id === run.id && when(info)) {
        stop()
        done(info)
      }
    },
  })
  void of.run(run.id).then(info => {
    if (!when(info)) return
    stop()
    done(info)
  })
})

export const failure = async (promise: Promise<unknown>): Promise<HostError> => {
  const error = await promise.then(() => { throw new Error('nothing was thrown') }, (caught: unknown) => caught)
  expect(error).toBeInstanceOf(HostError)
  return error as HostError
}

/** Position in a run's file within its last chunk; all earlier chunks are complete. */
export function withinLastChunk(path: string): number {
  const reader = new TrajectoryReader(path)
  const { position, length } = reader.chunks.at(-1)!
  reader.close()
  return Math.floor(position + length / 2)
}
