/**
 * Writes an MCAP file while a run computes, synchronously: the simulation hands frames over without waiting, and flushed data are kept by the
 * operating system even if the process is killed. The records are @mcap/core's; its McapWriter is asynchronous, which a computing thread cannot
 * await.
 */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import { McapChunkBuilder, McapRecordBuilder, type McapTypes } from '@mcap/core'
import { systemReason } from '../protocol/problem-file'
import type { WrittenParts } from './mcap-written'

/** Bytes of uncompressed messages after which a chunk is closed. */
export const chunkBytes = 1024 * 1024

/** Opening a pipe without a reader would block the thread for ever: it fails instead. */
const writing = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NONBLOCK ?? 0)

/** The file could not be created or written. */
export class OutputError extends Error {
  override readonly name: 'OutputNotCreated' | 'DiskFull' | 'WriteFailed'

  constructor(readonly path: string, phase: 'create' | 'write', cause: NodeJS.ErrnoException) {
    const name = `"${basename(path)}"`
    super(phase === 'create' ? `${name} cannot be created: ${systemReason(cause)}.` : `Writing ${name} failed: ${systemReason(cause)}.`, { cause })
    this.name = phase === 'create' ? 'OutputNotCreated' : cause.code === 'ENOSPC' || cause.code === 'EDQUOT' ? 'DiskFull' : 'WriteFailed'
  }
}

export interface ChannelRecord {
  readonly id: number
  readonly schemaId: number
  readonly topic: string
  readonly messageEncoding: string
}

export class McapFile {
  /** Number of bytes that are complete: always the end of a record. */
  position = 0
  private readonly fd: number
  private readonly records = new McapRecordBuilder()
  private readonly chunk = new McapChunkBuilder({ useMessageIndex: true })
  private readonly schemas: McapTypes.Schema[] = []
  private readonly channels: McapTypes.Channel[] = []
  private chunks: McapTypes.ChunkIndex[] = []
  private attachments: McapTypes.AttachmentIndex[] = []
  private metadata: McapTypes.MetadataIndex[] = []
  private counts = new Map<number, bigint>()
  /** CRC-32 of everything before the data's end, for verification. */
  private dataCrc = 0
  private firstTime = 0n
  private lastTime = 0n
  /** Schemas and channels have been written to the file. */
  private declared = false

  /** @throws OutputError, as do all other methods */
  constructor(readonly path: string, header: { profile: string; library: string } | { written: WrittenParts }) {
    try {
      this.fd = openSync(path, 'written' in header ? 'a+' : writing)
      if (fstatSync(this.fd).isFIFO()) {
        closeSync(this.fd)
        throw Object.assign(new Error('it is a pipe'), { code: 'ESPIPE' })
      }
    } catch (error) {
      throw new OutputError(path, 'create', error as NodeJS.ErrnoException)
    }
    if ('written' in header) {
      this.continueFile(header.written)
      return
    }
    this.records.writeMagic()
    this.records.writeHeader(header)
    this.write()
  }

  /** Truncates the file after the given part and continues there. Schemas and channels must be declared again as they were. */
  private continueFile(written: WrittenParts): void {
    try {
      ftruncateSync(this.fd, written.bytes)
      this.dataCrc = checksumOf(this.fd, written.bytes)
    } catch (error) {
      throw new OutputError(this.path, 'write', error as NodeJS.ErrnoException)
    }
    this.position = written.bytes
    this.chunks = [...written.chunks]
    this.attachments = [...written.attachments]
    this.metadata = [...written.metadata]
    this.counts = new Map(written.counts)
    this.firstTime = written.firstTime
    this.lastTime = written.lastTime
    this.declared = true
  }

  addSchema(schema: McapTypes.Schema): void {
    this.schemas.push(schema)
    if (this.declared) return
    this.records.writeSchema(schema)
    this.write()
  }

  addChannel(channel: ChannelRecord): void {
    const record = { ...channel, metadata: new Map<string, string>() }
    this.channels.push(record)
    if (this.declared) return
    this.records.writeChannel(record)
    this.write()
  }

  addAttachment(name: string, mediaType: string, data: Uint8Array): void {
    const offset = BigInt(this.position)
    const length = this.records.writeAttachment({ name, mediaType, data, logTime: 0n, createTime: 0n })
    this.attachments.push({ name, mediaType, offset, length, logTime: 0n, createTime: 0n, dataSize: BigInt(data.length) })
    this.write()
  }

  addMetadata(name: string, values: ReadonlyMap<string, string>): void {
    const offset = BigInt(this.position)
    const length = this.records.writeMetadata({ name, metadata: new Map(values) })
    this.metadata.push({ name, offset, length })
    this.write()
  }

  /** `logTime` is only an index, in ns; the exact time is in the message. */
  addMessage(channelId: number, sequence: number, logTime: bigint, data: Uint8Array): void {
    if (this.counts.size === 0 || logTime < this.firstTime) this.firstTime = logTime
    if (logTime > this.lastTime) this.lastTime = logTime
    this.counts.set(channelId, (this.counts.get(channelId) ?? 0n) + 1n)
    this.chunk.addMessage({ channelId, sequence, logTime, publishTime: logTime, data })
    if (this.chunk.byteLength >= chunkBytes) this.flush()
  }

  /** Closes the open chunk: everything added so far can then be read. */
  flush(): void {
    if (this.chunk.numMessages === 0) return
    const records = this.chunk.buffer
    const { messageStartTime, messageEndTime } = this.chunk
    const size = BigInt(records.length)
    const chunkStartOffset = BigInt(this.position)
    const chunkLength = this.records.writeChunk({
      messageStartTime, messageEndTime, uncompressedSize: size, uncompressedCrc: crc32(records), compression: '', records,
    })
    const messageIndexOffsets = new Map<number, bigint>()
    let messageIndexLength = 0n
    for (const index of this.chunk.indices) {
      messageIndexOffsets.set(index.channelId, chunkStartOffset + chunkLength + messageIndexLength)
      messageIndexLength += this.records.writeMessageIndex(index)
    }
    this.chunks.push({
      messageStartTime, messageEndTime, chunkStartOffset, chunkLength, messageIndexOffsets, messageIndexLength, compression: '',
      compressedSize: size, uncompressedSize: size,
    })
    this.chunk.reset()
    this.write()
  }

  /** Writes the summary and closes the file. */
  end(): void {
    this.flush()
    this.records.writeDataEnd({ dataSectionCrc: this.dataCrc })
    this.write()
    const summaryStart = BigInt(this.position)
    const groups: McapTypes.SummaryOffset[] = []
    let groupStart = summaryStart
    const group = (groupOpcode: number, lengths: readonly bigint[]) => {
      const groupLength = lengths.reduce((sum, length) => sum + length, 0n)
      if (groupLength > 0n) groups.push({ groupOpcode, groupStart, groupLength })
      groupStart += groupLength
    }
    group(opcodes.schema, this.schemas.map(schema => this.records.writeSchema(schema)))
    group(opcodes.channel, this.channels.map(channel => this.records.writeChannel(channel)))
    group(opcodes.statistics, [this.records.writeStatistics({
      messageCount: [...this.counts.values()].reduce((sum, count) => sum + count, 0n), schemaCount: this.schemas.length,
      channelCount: this.channels.length, attachmentCount: this.attachments.length, metadataCount: this.metadata.length,
      chunkCount: this.chunks.length, messageStartTime: this.firstTime, messageEndTime: this.lastTime, channelMessageCounts: this.counts,
    })])
    group(opcodes.metadataIndex, this.metadata.map(index => this.records.writeMetadataIndex(index)))
    group(opcodes.attachmentIndex, this.attachments.map(index => this.records.writeAttachmentIndex(index)))
    group(opcodes.chunkIndex, this.chunks.map(index => this.records.writeChunkIndex(index)))
    const summaryOffsetStart = groupStart
    for (const offset of groups) this.records.writeSummaryOffset(offset)
    const summaryCrc = crc32(footerStart(summaryStart, summaryOffsetStart), crc32(this.records.buffer))
    this.records.writeFooter({ summaryStart, summaryOffsetStart, summaryCrc })
    this.records.writeMagic()
    this.write()
    this.close()
  }

  /** Leaves the file as it is, without a summary. */
  close(): void {
    try {
      closeSync(this.fd)
    } catch (error) {
      throw new OutputError(this.path, 'write', error as NodeJS.ErrnoException)
    }
  }

  private write(): void {
    const data = this.records.buffer
    try {
      for (let written = 0; written < data.length;) written += writeSync(this.fd, data, written)
    } catch (error) {
      throw new OutputError(this.path, 'write', error as NodeJS.ErrnoException)
    }
    this.position += data.length
    this.dataCrc = crc32(data, this.dataCrc)
    this.records.reset()
  }
}

/** Checksum of the first bytes of a file, read chunk by chunk. */
function checksumOf(fd: number, bytes: number): number {
  const buffer = new Uint8Array(Math.min(bytes, chunkBytes))
  let crc = 0
  for (let at = 0; at < bytes;) {
    const length = readSync(fd, buffer, 0, Math.min(buffer.length, bytes - at), at)
    if (length === 0) break
    crc = crc32(buffer.subarray(0, length), crc)
    at += length
  }
  return crc
}

/** The footer up to the checksum that covers it [MCAP specification, "Footer"]. */
function footerStart(summaryStart: bigint, summaryOffsetStart: bigint): Uint8Array {
  const view = new DataView(new ArrayBuffer(1 + 8 + 8 + 8))
  view.setUint8(0, opcodes.footer)
  view.setBigUint64(1, 8n + 8n + 4n, true)
  view.setBigUint64(9, summaryStart, true)
  view.setBigUint64(17, summaryOffsetStart, true)
  return new Uint8Array(view.buffer)
}

/** Of the record groups in a summary, and of the footer [MCAP specification, "Records"]. */
const opcodes = { footer: 2, schema: 3, channel: 4, chunkIndex: 8, attachmentIndex: 10, statistics: 11, metadataIndex: 13 } as const
