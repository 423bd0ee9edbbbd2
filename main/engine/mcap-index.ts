/**
 * Positions of the messages in an MCAP file. The records are traversed by their lengths, so complete, truncated and growing files are indexed by the same
 * code. A chunk's contents are read only if its message indexes are missing. Everything read is checked, because files may come from anywhere.
 */
import { McapStreamReader, type McapTypes } from '@mcap/core'

/** Random access to bytes; returns fewer bytes at the end of the file. */
export type ReadAt = (position: number, length: number) => Uint8Array

/** The file is not a trajectory, or it is damaged in a way that truncation does not explain. */
export class TrajectoryFileError extends Error {
  override readonly name = 'TrajectoryFileError'
}

export const fileLimits = {
  /** Maximum size of one chunk; chunks written by Cairn exceed their largest message by about 1 MiB. */
  chunkBytes: 1024 * 1024 * 1024,
  /** Maximum size of any other record; the attached scene is the largest. */
  recordBytes: 128 * 1024 * 1024,
  channels: 64,
  messages: 100_000_000,
} as const

/** Position of a message: its chunk, and the offset of its record in the chunk's records. */
export interface MessagePlace {
  readonly chunk: number
  readonly offset: number
}

/** Records of a chunk, in the file. */
export interface ChunkPlace {
  readonly position: number
  readonly length: number
  /** CRC-32 of the records; 0 if the writer gave none. */
  readonly crc: number
}

const magic = [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a]
const recordPrefix = 9
const opcode = { footer: 2, schema: 3, channel: 4, message: 5, chunk: 6, messageIndex: 7, attachment: 9, metadata: 12, dataEnd: 15 } as const
/** Bytes before a message's data: channel, sequence, log time, publish time. */
export const messagePrefix = recordPrefix + 2 + 4 + 8 + 8
/** Chunk fields before the compression's name: start, end, size, CRC. */
const chunkPrefix = 8 + 8 + 8 + 4

export class ChannelIndex {
  readonly chunks: number[] = []
  readonly offsets: number[] = []
  /** ns */
  readonly logTimes: number[] = []

  get length(): number {
    return this.chunks.length
  }
}

export class McapIndex {
  /** Start of the next record; everything before has been indexed. */
  position = magic.length
  /** Whether the file was closed properly. */
  complete = false
  /** Start of the record that ends the data, and the CRC-32 of everything before it (0 if the writer gave none); null if it is missing. */
  dataEnd: { readonly position: number; readonly crc: number } | null = null
  readonly chunks: ChunkPlace[] = []
  /** By chunk: the end of its message indexes; missing if they may be incomplete. */
  readonly chunkEnds: (number | undefined)[] = []
  readonly channels = new Map<number, { topic: string; messageEncoding: string; index: ChannelIndex }>()
  attachment: McapTypes.Attachment | null = null
  private messages = 0
  /** The last chunk, until all its message indexes are known to be present, and those so far. */
  private open: { readonly chunk: number; readonly indexes: DataView[] } | null = null

  /** @throws TrajectoryFileError if it does not begin like an MCAP file */
  constructor(private readonly readAt: ReadAt) {
    const start = readAt(0, magic.length)
    if (start.length < magic.length || magic.some((byte, i) => start[i] !== byte)) throw new TrajectoryFileError('This is not an MCAP file.')
  }

  topic(topic: string): ChannelIndex | null {
    for (const channel of this.channels.values()) if (channel.topic === topic) return channel.index
    return null
  }

  /**
   * Indexes the file up to byte `size`, or up to the last complete record before it.
   * @param flushed whether the writer guarantees `size`; otherwise the last chunk's message indexes may be truncated, and its contents are
   * read
   */
  extend(size: number, flushed: boolean): void {
    while (!this.complete && this.position + recordPrefix <= size) {
      const prefix = viewOf(this.readAt(this.position, recordPrefix))
      const length = Number(prefix.getBigUint64(1, true))
      const code = prefix.getUint8(0)
      const limit = code === opcode.chunk ? fileLimits.chunkBytes : fileLimits.recordBytes
      if (length > limit) throw new TrajectoryFileError(`A record of ${length} bytes at byte ${this.position}: allowed are ${limit}.`)
      const next = this.position + recordPrefix + length
      if (next > size) break
      this.record(code, this.position + recordPrefix, length)
      this.position = next
    }
    this.closeChunk(flushed)
  }

  private record(code: number, start: number, length: number): void {
    if (code === opcode.messageIndex) return void this.open?.indexes.push(viewOf(this.readAt(start, length)))
    this.closeChunk(true)
    switch (code) {
      case opcode.chunk: return this.chunk(start, length)
      case opcode.channel: return this.channel(this.parsed(start, length, 'Channel'))
      case opcode.attachment:
        this.attachment ??= this.parsed(start, length, 'Attachment')
        return
      case opcode.message: throw new TrajectoryFileError('Messages outside of chunks are not supported.')
      case opcode.dataEnd:
        this.complete = true
        this.dataEnd = { position: start - recordPrefix, crc: requireBytes(viewOf(this.readAt(start, length)), 4).getUint32(0, true) }
        return
      default: // schemas, metadata and records of later versions contain no positions
    }
  }

  /** A small record, by the library's own parser. */
  private parsed<T extends McapTypes.TypedMcapRecord['type']>(start: number, length: number, type: T): McapTypes.TypedMcapRecords[T] {
    const reader = new McapStreamReader({ noMagicPrefix: true })
    try {
      reader.append(this.readAt(start - recordPrefix, recordPrefix + length))
      const record = reader.nextRecord()
      if (record?.type === type) return record as McapTypes.TypedMcapRecords[T]
    } catch (error) {
      throw new TrajectoryFileError(`The ${type.toLowerCase()} at byte ${start} is damaged: ${(error as Error).message}`)
    }
    throw new TrajectoryFileError(`The ${type.toLowerCase()} at byte ${start} is damaged.`)
  }

  private channel(channel: McapTypes.Channel): void {
    if (this.channels.has(channel.id)) return
    if (this.channels.size >= fileLimits.channels) throw new TrajectoryFileError(`More than ${fileLimits.channels} channels.`)
    this.channels.set(channel.id, { topic: channel.topic, messageEncoding: channel.messageEncoding, index: new ChannelIndex() })
  }

  private chunk(start: number, length: number): void {
    const view = viewOf(this.readAt(start, Math.min(length, chunkPrefix + 4 + 64 + 8)))
    const fields = requireBytes(view, chunkPrefix + 4)
    const compression = fields.getUint32(chunkPrefix, true)
    if (compression !== 0) throw new TrajectoryFileError('The trajectory is compressed; Cairn reads uncompressed ones.')
    const records = Number(requireBytes(view, chunkPrefix + 12).getBigUint64(chunkPrefix + 4, true))
    if (records !== length - chunkPrefix - 12) throw new TrajectoryFileError(`The chunk at byte ${start} is damaged.`)
    this.chunks.push({ position: start + chunkPrefix + 12, length: records, crc: fields.getUint32(chunkPrefix - 4, true) })
    this.open = { chunk: this.chunks.length - 1, indexes: [] }
  }

  private messageIndex(chunk: number, view: DataView): void {
    const bytes = requireBytes(view, 6).getUint32(2, true)
    if (bytes % 16 !== 0 || bytes !== view.byteLength - 6) throw new TrajectoryFileError('A message index is damaged.')
    for (let at = 6; at < view.byteLength; at += 16) {
      this.add(view.getUint16(0, true), chunk, Number(view.getBigUint64(at + 8, true)), Number(view.getBigUint64(at, true)))
    }
  }

  private add(channelId: number, chunk: number, offset: number, logTime: number): void {
    const channel = this.channels.get(channelId)
    if (!channel) throw new TrajectoryFileError(`Messages of channel ${channelId}, which is not declared.`)
    if (offset + messagePrefix > this.chunks[chunk]!.length) throw new TrajectoryFileError('A message index points outside of its chunk.')
    if (++this.messages > fileLimits.messages) throw new TrajectoryFileError(`More than ${fileLimits.messages} messages.`)
    channel.index.chunks.push(chunk)
    channel.index.offsets.push(offset)
    channel.index.logTimes.push(logTime)
  }

  /** Adds the last chunk: by its message indexes, or by its contents if the indexes are unreliable. */
  private closeChunk(indexesAreWhole: boolean): void {
    if (this.open === null) return
    const { chunk, indexes } = this.open
    this.open = null
    this.chunkEnds[chunk] = indexesAreWhole && indexes.length > 0 ? this.position : undefined
    if (!indexesAreWhole || indexes.length === 0) return this.walk(chunk)
    for (const index of indexes) this.messageIndex(chunk, index)
  }

  private walk(chunk: number): void {
    const { position, length } = this.chunks[chunk]!
    const view = viewOf(this.readAt(position, length))
    for (let at = 0; at + recordPrefix <= view.byteLength;) {
      const size = Number(view.getBigUint64(at + 1, true))
      if (size > view.byteLength - at - recordPrefix) throw new TrajectoryFileError(`The chunk at byte ${position} is damaged.`)
      if (view.getUint8(at) === opcode.message) {
        requireBytes(view, at + messagePrefix)
        this.add(view.getUint16(at + recordPrefix, true), chunk, at, Number(view.getBigUint64(at + recordPrefix + 6, true)))
      }
      at += recordPrefix + size
    }
  }
}

/** The data of the message at `offset` of a chunk's records, after checking that it belongs to the channel. */
export function messageData(records: Uint8Array, offset: number, channelId: number): Uint8Array {
  const view = viewOf(records)
  const damaged = () => new TrajectoryFileError('A message index points to no message.')
  if (offset + messagePrefix > records.length) throw damaged()
  const size = Number(view.getBigUint64(offset + 1, true))
  const end = offset + recordPrefix + size
  const isMessage = view.getUint8(offset) === opcode.message && view.getUint16(offset + recordPrefix, true) === channelId
  if (!isMessage || end > records.length || size < messagePrefix - recordPrefix) throw damaged()
  return records.subarray(offset + messagePrefix, end)
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function requireBytes(view: DataView, count: number): DataView {
  if (view.byteLength < count) throw new TrajectoryFileError('A record is too short.')
  return view
}
