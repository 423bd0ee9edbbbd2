/** Reads a run's file: random access to messages, also while it is being written, after truncation, or from an untrusted source. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { channels, type ChannelName } from '../../core/trajectory/channels'
import {
  decodeCertificate, decodeCheckpointFrame, decodeContacts, decodeControl, decodeDeformables, decodeEnd, decodeEvent, decodeForces, decodeFrame, decodeHeader,
  decodeJoints, DecodeError, decodeScript, decodeSensors,
} from '../../core/trajectory/codec'
import {
  BODY_STRIDE, type CertificateFrame, type CheckpointFrame, type ContactFrame, type DeformableFrame, type ForceFrame, type Frame, type JointFrame,
  type ScriptFrame, type SensorFrame,
  type TrajectoryEnd, type TrajectoryEvent,
  type TrajectoryHeader,
} from '../../core/trajectory/frame'
import { sensorLayout } from '../../core/trajectory/sensors'
import { ChunkCache, type FileChunks } from './chunk-cache'
import { McapIndex, messageData, TrajectoryFileError, type ChannelIndex, type ChunkPlace } from './mcap-index'

export { TrajectoryFileError } from './mcap-index'

const sharedChunks = new ChunkCache()

const sceneBytes = 64 * 1024 * 1024

export class TrajectoryReader {
  readonly header: TrajectoryHeader
  private readonly fd: number
  private readonly index: McapIndex
  private readonly kept: FileChunks
  private fileBytes = 0

  /**
   * @param size valid bytes, if the file is still being written; default: the whole file
   * @param chunks cache of its chunks
   * @throws TrajectoryFileError, or the system's error if it cannot be opened
   */
  constructor(readonly path: string, size?: number, chunks = sharedChunks) {
    this.kept = chunks.file()
    this.fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)) // opening a pipe would block until something writes to it
    try {
      if (!fstatSync(this.fd).isFile()) throw new TrajectoryFileError('This is not a file.')
      this.index = new McapIndex((position, length) => this.readAt(position, length))
      this.extend(size)
      this.header = this.readHeader()
    } catch (error) {
      closeSync(this.fd)
      throw error
    }
  }

  /** Reads what was written since: up to byte `size`, which the writer guarantees, or to the end. */
  extend(size?: number): void {
    this.fileBytes = size ?? fstatSync(this.fd).size
    this.index.extend(this.fileBytes, size !== undefined)
  }

  get byteCount(): number {
    return this.fileBytes
  }

  /** The valid bytes of the file. */
  wholeFile(): Uint8Array {
    return this.readAt(0, this.fileBytes)
  }

  close(): void {
    this.kept.clear()
    closeSync(this.fd)
  }

  get bytes(): number {
    return this.fileBytes
  }

  /** How the run ended; null while it computes, or if the file is truncated. */
  get end(): TrajectoryEnd | null {
    return this.count('end') > 0 ? this.decoded('end', 0, decodeEnd) : null
  }

  /** Whether the file was closed properly. */
  get complete(): boolean {
    return this.index.complete && this.count('end') > 0
  }

  /** Number of frames with messages on all channels. */
  get frames(): number {
    const deformables = this.header.deformableIds.length > 0 ? this.count('deformables') : Infinity
    const sensors = this.header.sensorIds.length > 0 ? this.count('sensors') : Infinity
    return Math.min(deformables, sensors, this.count('frames'), this.count('contacts'), this.count('joints'), this.count('forces'), this.count('certificate'))
  }

  /** The document that was run. @throws TrajectoryFileError */
  get scene(): string {
    const { attachment } = this.index
    if (!attachment) throw new TrajectoryFileError('The file has no scene inside.')
    if (attachment.data.length > sceneBytes) throw new TrajectoryFileError(`The scene inside is larger than ${sceneBytes} bytes.`)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(attachment.data)
    } catch {
      throw new TrajectoryFileError('The scene inside is not UTF-8 text.')
    }
  }

  /** Positions of the chunks, with their checksums. */
  get chunks(): readonly ChunkPlace[] {
    return this.index.chunks
  }

  /** End of the data, and the checksum of everything before; null if the file is truncated. */
  get dataEnd(): { readonly position: number; readonly crc: number } | null {
    return this.index.dataEnd
  }

  /** Raw bytes of the file; fewer at its end. */
  bytesAt(position: number, length: number): Uint8Array {
    return this.readAt(position, length)
  }

  /** First and last frame of a chunk and their times by the index, s; null if it has none. */
  framesIn(chunk: number): { readonly first: number; readonly last: number; readonly from: number; readonly to: number } | null {
    const index = this.index.topic(channels.frames.topic)
    const first = index?.chunks.indexOf(chunk) ?? -1
    if (!index || first < 0) return null
    const last = index.chunks.lastIndexOf(chunk)
    return { first, last, from: index.logTimes[first]! / 1e9, to: index.logTimes[last]! / 1e9 }
  }

  count(channel: ChannelName): number {
    return this.index.topic(channels[channel].topic)?.length ?? 0
  }

  /** Copy of one message's bytes. @throws RangeError beyond `count`, TrajectoryFileError */
  message(channel: ChannelName, number: number): Uint8Array {
    const { topic } = channels[channel]
    for (const [id, { topic: found, index }] of this.index.channels) {
      if (found !== topic) continue
      const chunk = index.chunks[number]
      if (chunk === undefined) break
      return messageData(this.chunk(chunk), index.offsets[number]!, id).slice()
    }
    throw new RangeError(`There is no message ${number} in ${topic}.`)
  }

  frame(number: number): Frame {
    const frame = this.decoded('frames', number, decodeFrame)
    const expected = this.header.bodyIds.length * BODY_STRIDE
    if (frame.bodies.length !== expected) throw new TrajectoryFileError(`Frame ${number} has ${frame.bodies.length} numbers, ${expected} belong there.`)
    return frame
  }

  contacts(number: number): ContactFrame {
    const contacts = this.decoded('contacts', number, decodeContacts)
    this.requireBodies(contacts.bodyA)
    this.requireBodies(contacts.bodyB)
    return contacts
  }

  joints(number: number): JointFrame {
    const joints = this.decoded('joints', number, decodeJoints)
    if (joints.error.length !== this.header.jointIds.length) throw new TrajectoryFileError(`Frame ${number} has ${joints.error.length} joints.`)
    return joints
  }

  forces(number: number): ForceFrame {
    const forces = this.decoded('forces', number, decodeForces)
    this.requireBodies(forces.body)
    this.requireBodies(forces.sourceBody)
    return forces
  }

  /** Only for runs with deformables. */
  deformables(number: number): DeformableFrame {
    const found = this.decoded('deformables', number, decodeDeformables)
    const { deformableParticles, deformableElements, deformableHeld, deformableIds } = this.header
    const expected = { position: 3 * sumOf(deformableParticles), strain: sumOf(deformableElements), reaction: 3 * sumOf(deformableHeld),
      energy: 3 * deformableIds.length }
    for (const [column, length] of Object.entries(expected) as [keyof typeof expected, number][]) {
      if (found[column].length !== length) throw new TrajectoryFileError(`Frame ${number} has ${found[column].length} numbers of ${column} of deformables, ${length} belong there.`)
    }
    return found
  }

  /** Only for runs with sensors. */
  sensors(number: number): SensorFrame {
    const found = this.decoded('sensors', number, decodeSensors)
    const { width } = sensorLayout(this.header)
    if (found.values.length !== width) throw new TrajectoryFileError(`Frame ${number} has ${found.values.length} numbers of sensors, ${width} belong there.`)
    return found
  }

  /** State of the controllers after a frame; undefined without controllers. */
  held(frame: number): string | undefined {
    return frame < this.count('control') ? this.decoded('control', frame, decodeControl).held : undefined
  }

  certificate(number: number): CertificateFrame {
    return this.decoded('certificate', number, decodeCertificate)
  }

  event(number: number): TrajectoryEvent {
    const event = this.decoded('events', number, decodeEvent)
    this.requireBodies([event.bodyA, event.bodyB])
    return event
  }

  /** The last checkpoint from which the file can be continued, and its end; null if there is none. */
  lastCheckpoint(): (CheckpointFrame & { readonly bytes: number }) | null {
    const index = this.index.topic(channels.checkpoints.topic)
    for (let number = (index?.length ?? 0) - 1; number >= 0; number--) {
      const bytes = this.index.chunkEnds[index!.chunks[number]!]
      if (bytes !== undefined) return { ...this.decoded('checkpoints', number, decodeCheckpointFrame), bytes }
    }
    return null
  }

  script(number: number): ScriptFrame {
    return this.decoded('script', number, decodeScript)
  }

  /** Number of the last message at or before `time`, s; −1 if there is none. */
  lastAt(channel: 'frames' | 'events', time: number): number {
    const index = this.index.topic(channels[channel].topic)
    if (!index) return -1
    const exact = (number: number) => (channel === 'frames' ? this.frame(number).time : this.event(number).time)
    let number = lastNotAfter(index, Math.round(time * 1e9)) + 1
    // Log times are rounded to ns: neighbouring entries are compared by their exact times.
    while (number < index.length && exact(number) <= time) number++
    while (number > 0 && exact(number - 1) > time) number--
    return number - 1
  }

  /** Contacts, forces and events refer to deformables too, by indices after those of the bodies. */
  private requireBodies(indices: ArrayLike<number>): void {
    const all = this.header.bodyIds.length + this.header.deformableIds.length
    for (let i = 0; i < indices.length; i++) {
      const body = indices[i]!
      if (body < -1 || body >= all) throw new TrajectoryFileError(`There is no body ${body} in this run.`)
    }
  }

  private readHeader(): TrajectoryHeader {
    if (this.count('header') === 0) throw new TrajectoryFileError('The file contains no run of Cairn, or ends before its first frame.')
    return this.decoded('header', 0, decodeHeader)
  }

  /** @throws RangeError beyond `count`; TrajectoryFileError, also if the bytes are not such a message */
  private decoded<Message>(channel: ChannelName, number: number, decode: (bytes: Uint8Array) => Message): Message {
    const bytes = this.message(channel, number)
    try {
      return decode(bytes)
    } catch (error) {
      if (error instanceof DecodeError) throw new TrajectoryFileError(`Message ${number} in ${channels[channel].topic} cannot be read: ${error.message}.`)
      throw error
    }
  }

  private chunk(number: number): Uint8Array {
    const known = this.kept.get(number)
    if (known) return known
    const { position, length } = this.index.chunks[number]!
    const records = this.readAt(position, length)
    this.kept.set(number, records)
    return records
  }

  private readAt(position: number, length: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, fstatSync(this.fd).size - position)))
    let got = 0
    while (got < bytes.length) {
      const read = readSync(this.fd, bytes, got, bytes.length - got, position + got)
      if (read === 0) break
      got += read
    }
    return bytes.subarray(0, got)
  }
}

function sumOf(counts: Int32Array): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Last entry whose log time is ≤ `logTime`, or −1. */
function lastNotAfter(index: ChannelIndex, logTime: number): number {
  let low = 0
  let high = index.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (index.logTimes[middle]! <= logTime) low = middle + 1
    else high = middle
  }
  return low - 1
}
