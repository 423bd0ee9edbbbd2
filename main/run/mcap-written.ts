/** Contents of a file written by Cairn up to some byte, as its summary must list them: for continuing an interrupted run. */
import { closeSync, openSync, readSync } from 'node:fs'
import { McapStreamReader, type McapTypes } from '@mcap/core'

export interface WrittenParts {
  readonly bytes: number
  readonly chunks: readonly McapTypes.ChunkIndex[]
  readonly attachments: readonly McapTypes.AttachmentIndex[]
  readonly metadata: readonly McapTypes.MetadataIndex[]
  /** Messages by channel. */
  readonly counts: ReadonlyMap<number, bigint>
  /** ns */
  readonly firstTime: bigint
  readonly lastTime: bigint
}

const magicBytes = 8
const prefixBytes = 9
const opcode = { chunk: 6, messageIndex: 7, attachment: 9, metadata: 12 } as const
/** Bytes of a chunk record before its compression's name: start, end, size, CRC. */
const chunkPrefix = 8 + 8 + 8 + 4

/** @param bytes the end of a record @throws RangeError if no record ends there */
export function readWritten(path: string, bytes: number): WrittenParts {
  const fd = openSync(path, 'r')
  try {
    return new Reading(fd, bytes).parts()
  } finally {
    closeSync(fd)
  }
}

class Reading {
  private readonly chunks: (McapTypes.ChunkIndex & { messageIndexOffsets: Map<number, bigint> })[] = []
  private readonly attachments: McapTypes.AttachmentIndex[] = []
  private readonly metadata: McapTypes.MetadataIndex[] = []
  private readonly counts = new Map<number, bigint>()

  constructor(private readonly fd: number, private readonly bytes: number) {}

  parts(): WrittenParts {
    let at = magicBytes
    while (at + prefixBytes <= this.bytes) {
      const prefix = this.view(at, prefixBytes)
      const length = prefixBytes + Number(prefix.getBigUint64(1, true))
      this.record(prefix.getUint8(0), at, length)
      at += length
    }
    if (at !== this.bytes) throw new RangeError(`byte ${this.bytes} is not the end of a record`)
    const { chunks, attachments, metadata, counts, bytes } = this
    const times = chunks.map(({ messageStartTime, messageEndTime }) => [messageStartTime, messageEndTime] as const)
    return {
      bytes, chunks, attachments, metadata, counts, firstTime: times.reduce((least, [start]) => start < least ? start : least, times[0]?.[0] ?? 0n),
      lastTime: times.reduce((most, [, end]) => end > most ? end : most, 0n),
    }
  }

  private record(code: number, at: number, length: number): void {
    switch (code) {
      case opcode.chunk: return this.chunk(at, length)
      case opcode.messageIndex: return this.messageIndex(at, length)
      case opcode.attachment: {
        const { name, mediaType, data, logTime, createTime } = this.parsed(at, length, 'Attachment')
        this.attachments.push({ name, mediaType, offset: BigInt(at), length: BigInt(length), logTime, createTime, dataSize: BigInt(data.length) })
        return
      }
      case opcode.metadata: this.metadata.push({ name: this.parsed(at, length, 'Metadata').name, offset: BigInt(at), length: BigInt(length) })
    }
  }

  private chunk(at: number, length: number): void {
    const view = this.view(at + prefixBytes, chunkPrefix)
    const size = view.getBigUint64(16, true)
    this.chunks.push({
      messageStartTime: view.getBigUint64(0, true), messageEndTime: view.getBigUint64(8, true), chunkStartOffset: BigInt(at), chunkLength: BigInt(length),
      messageIndexOffsets: new Map(), messageIndexLength: 0n, compression: '', compressedSize: size, uncompressedSize: size,
    })
  }

  private messageIndex(at: number, length: number): void {
    const chunk = this.chunks.at(-1)
    if (!chunk) throw new RangeError(`byte ${at}: a message index without a chunk`)
    const view = this.view(at + prefixBytes, 6)
    const channel = view.getUint16(0, true)
    chunk.messageIndexOffsets.set(channel, BigInt(at))
    this.chunks[this.chunks.length - 1] = { ...chunk, messageIndexLength: chunk.messageIndexLength + BigInt(length) }
    this.counts.set(channel, (this.counts.get(channel) ?? 0n) + BigInt(view.getUint32(2, true) / 16))
  }

  /** A small record, by the library's own parser. */
  private parsed<T extends 'Attachment' | 'Metadata'>(at: number, length: number, type: T): McapTypes.TypedMcapRecords[T] {
    const reader = new McapStreamReader({ noMagicPrefix: true })
    const view = this.view(at, length)
    reader.append(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
    const record = reader.nextRecord()
    if (record?.type !== type) throw new RangeError(`byte ${at}: no ${type.toLowerCase()}`)
    return record as McapTypes.TypedMcapRecords[T]
  }

  private view(at: number, length: number): DataView {
    const bytes = new Uint8Array(length)
    for (let got = 0; got < length;) {
      const read = readSync(this.fd, bytes, got, length - got, at + got)
      if (read === 0) throw new RangeError(`the file ends at byte ${at + got}`)
      got += read
    }
    return new DataView(bytes.buffer)
  }
}
