import { createFileRegistry, fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { decodeContacts, decodeFrame, encodeContacts, encodeFrame } from '../../core/trajectory/codec'
import { fileDescriptorSet } from '../../core/trajectory/descriptor'
import { BODY_STRIDE, type ContactFrame } from '../../core/trajectory/frame'
import { contactColumns } from '../../core/trajectory/messages'
import { best, report } from './support/timing'

/** Encoding and decoding a frame of 1,000 bodies and 4,000 contacts, compared with a general library. */
export default function (): void {
  const frame = { index: 1, time: 1, bodies: Float64Array.from({ length: 1000 * BODY_STRIDE }, (_, i) => i / 7), hash: '0123456789abcdef' }
  const bytes = encodeFrame(frame)
  const empty = decodeContacts(new Uint8Array(0))
  const count = 4000
  const contacts = Object.fromEntries(Object.entries(empty).map(([name, column]) => [name, column instanceof Float64Array
    ? new Float64Array(count * contactColumns[name]!).fill(1.5)
    : column instanceof Int32Array ? new Int32Array(count).fill(2) : column])) as unknown as ContactFrame
  const full = { ...contacts, count, indexSet: new Int32Array(count) }
  const contactBytes = encodeContacts(full)
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, fileDescriptorSet()))
  const descriptor = registry.getMessage('cairn.Frame')!
  report(`frame of 1,000 bodies, ${bytes.length} bytes; 4,000 contacts, ${contactBytes.length} bytes`, {
    'encode the frame': best(() => encodeFrame(frame), 2000),
    'decode the frame': best(() => decodeFrame(bytes), 2000),
    'decode the frame with @bufbuild/protobuf': best(() => fromBinary(descriptor, bytes), 50),
    'encode the contacts': best(() => encodeContacts(full), 200),
    'decode the contacts': best(() => decodeContacts(contactBytes), 200),
  })
}
