/** Initial state of `cairn simulate`: a recorded instant with `--from`, or the end of an interrupted run with `--resume`. */
import { parseScene, sceneHash } from '../../core/scene'
import { ENGINE_VERSION } from '../../core/simulation'
import { sweepFault } from '../batch/fault'
import { TrajectoryReader } from '../engine/reader'
import { instantOf } from '../engine/recorded-instant'
import type { RunStart } from '../run/job'
import type { Arguments } from './arguments'
import { withReader } from './inspect'
import { usage } from './output'

/** Tolerance of `--at` around a recorded frame, in frames. */
const OFF_FRAME = 1e-6

/** The bodies of the run `--from` at `--at`, or at its end. @throws Refusal, HostError */
export function recordedStart(given: Arguments): RunStart | undefined {
  const path = given.text('from')
  const time = given.number('at', { least: 0 })
  if (path === undefined) {
    if (time !== undefined) throw usage('--at needs --from run.mcap.')
    return undefined
  }
  return withReader(path, reader => {
    const { header, frames } = reader
    const number = time === undefined ? frames - 1 : reader.lastAt('frames', time + OFF_FRAME / header.outputRate)
    if (number < 0) throw usage(`"${path}" has no frame${time === undefined ? '' : ` at ${time} s or before`}.`)
    const frame = reader.frame(number)
    if (time !== undefined && Math.abs(frame.time - time) * header.outputRate > OFF_FRAME) {
      const next = number + 1 < frames ? ` and ${reader.frame(number + 1).time} s` : ''
      throw usage(`No frame was recorded at ${time} s.`, `the time of a frame: the nearest are at ${frame.time} s${next}`)
    }
    return { kind: 'instant', instant: instantOf(reader, number) }
  })
}

export interface Resumption {
  /** The scene stored in the file. */
  readonly scene: string
  /** Absent: the file has no checkpoint yet, and the run is repeated from its start. */
  readonly start?: RunStart
  /** Hash and number of the last existing frame: the run has to reproduce it. */
  readonly known: { readonly frame: number; readonly hash: string } | null
  /** The run is complete: there is nothing to do. */
  readonly completed: boolean
}

/** State of an interrupted run. @param scene its text, if one was given: it must equal the stored one @throws Refusal, HostError */
export function resumption(path: string, scene: string | null): Resumption {
  return withReader(path, reader => {
    const { header, frames } = reader
    if (header.engine !== ENGINE_VERSION) {
      throw sweepFault(`"${path}" was computed by engine ${header.engine}; this is ${ENGINE_VERSION}, which would continue differently.`,
        { value: header.engine, allowed: ENGINE_VERSION }, 'OtherEngine')
    }
    if (scene !== null && hashOf(scene) !== header.sceneHash) {
      throw sweepFault(`"${path}" is a run of another scene than this one.`, { value: path, allowed: 'the scene of the run, with the same options' },
        'OtherScene')
    }
    if (frames > 0 && reader.frame(0).time !== 0 && reader.lastCheckpoint() === null) {
      throw sweepFault(`"${path}" begins at ${reader.frame(0).time} s and has no checkpoint to resume from.`,
        { value: path, allowed: 'to run it again with --from' })
    }
    const checkpoint = reader.lastCheckpoint()
    return {
      scene: reader.scene, completed: reader.end?.status === 'completed', known: frames > 0 ? { frame: frames - 1, hash: reader.frame(frames - 1).hash } : null,
      ...(checkpoint === null ? {} : { start: { kind: 'checkpoint', bytes: checkpoint.bytes, state: checkpoint.state } }),
    }
  })
}

/** Reports a resumed run that differs from the recorded one. @throws HostError */
export function requireSame(path: string, { known }: Resumption): void {
  if (known === null) return
  const reader = new TrajectoryReader(path)
  try {
    if (known.frame < reader.frames && reader.frame(known.frame).hash !== known.hash) {
      throw sweepFault(`Frame ${known.frame} differs from the recorded one: this machine does not reproduce the run.`, { value: known.hash },
        'NotReproducible')
    }
  } finally {
    reader.close()
  }
}

function hashOf(text: string): string {
  const parsed = parseScene(text)
  return parsed.ok ? sceneHash(parsed.resolved) : ''
}
