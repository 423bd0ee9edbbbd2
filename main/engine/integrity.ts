/**
 * Checks the integrity of a run's file: every chunk against its checksum, the data before the summary against the file's checksum, and every
 * frame's bodies against the frame's hash. It reads the whole file once or twice; scrubbing does without it.
 */
import { crc32 } from 'node:zlib'
import { frameHash, hashOrder } from '../../core/trajectory/frame-hash'
import { shortNumber } from '../../core/math/short-number'
import type { Problem } from '../protocol/problem'
import { TrajectoryFileError, type TrajectoryReader } from './reader'
import { inTurns } from './turns'

/** Bytes read at a time. */
const block = 1024 * 1024
/** Maximum number of errors that are listed; a failing disk damages many chunks. */
const mostNamed = 20

/** All errors, found without a pause. */
export function damageOf(reader: TrajectoryReader): readonly Problem[] {
  const looking = lookForDamage(reader)
  for (;;) {
    const step = looking.next()
    if (step.done) return step.value
  }
}

/** All errors; other requests are answered in between. */
export async function damageOfInTurns(reader: TrajectoryReader): Promise<readonly Problem[]> {
  const looking = lookForDamage(reader)
  const turn = inTurns()
  for (;;) {
    const step = looking.next()
    if (step.done) return step.value
    await turn()
  }
}

function* lookForDamage(reader: TrajectoryReader): Generator<void, readonly Problem[]> {
  const found: Problem[] = []
  let more = 0
  const report = (message: string, time?: number): void => {
    if (found.length < mostNamed) found.push({ name: 'DamagedFile', severity: 'error', message, path: '', ids: [], ...(time === undefined ? {} : { time }) })
    else more++
  }
  for (const [number, { position, length, crc }] of reader.chunks.entries()) {
    const records = reader.bytesAt(position, length)
    if (crc !== 0 && crc32(records) !== crc) {
      const span = reader.framesIn(number)
      const what = span === null ? 'no frames' : `frames ${span.first} to ${span.last}, ${shortNumber(span.from, 6)} s to ${shortNumber(span.to, 6)} s`
      report(`the chunk at byte ${position} (${what}) does not match its checksum: its numbers are not those that were recorded`, span?.from)
    }
    yield
  }
  const { dataEnd } = reader
  if (found.length === 0 && dataEnd !== null && dataEnd.crc !== 0) {
    let crc = 0
    for (let at = 0; at < dataEnd.position; at += block) {
      crc = crc32(reader.bytesAt(at, Math.min(block, dataEnd.position - at)), crc)
      yield
    }
    if (crc !== dataEnd.crc) report('the file does not match its checksum: records between its chunks (the scene, indexes or names) were changed')
  }
  if (found.length === 0) yield* checkFrames(reader, report)
  return more > 0 ? [...found, { ...found[0]!, message: `${more} more faults of this kind` }] : found
}

/** States of deformables, which the hash includes after the bodies'. */
function particlesOf(reader: TrajectoryReader, number: number): readonly Float64Array[] {
  if (reader.header.deformableIds.length === 0) return []
  const { position, velocity } = reader.deformables(number)
  return [position, velocity]
}

/** Errors that checksums cannot detect: numbers wrong when written, or changed together with the checksum. */
function* checkFrames(reader: TrajectoryReader, report: (message: string, time?: number) => void): Generator<void, void> {
  const order = hashOrder(reader.header.bodyIds)
  let last = ''
  for (let number = 0; number < reader.frames; number++) {
    try {
      const frame = reader.frame(number)
      last = frameHash(frame.bodies, order, particlesOf(reader, number))
      if (last !== frame.hash) report(`frame ${number} at ${shortNumber(frame.time, 6)} s does not match its hash: its bodies are not those that were recorded`, frame.time)
    } catch (error) {
      if (!(error instanceof TrajectoryFileError) && !(error instanceof RangeError)) throw error
      report(`frame ${number} cannot be read: ${error.message}`)
    }
    yield
  }
  const { end } = reader
  if (end !== null && end.frames === reader.frames && end.frames > 0 && end.finalHash !== '' && end.finalHash !== last) {
    report('the last frame does not match the final hash that the run ended with')
  }
}
