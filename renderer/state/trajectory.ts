/** The current run's messages: one cache per channel, filled from the host, cleared when another run is shown. */

import { shallowRef } from 'vue'
import { decodeCertificate, decodeContacts, decodeEvent, decodeFrame, decodeJoints } from '../../core/trajectory/codec'
import type { CertificateFrame, ContactFrame, Frame, JointFrame, TrajectoryEvent } from '../../core/trajectory/frame'
import type { Channel } from '../../main/protocol/host'
import { useHost } from './host'
import { MessageCache } from './message-cache'

/** Bytes kept per channel; frames get most, because scrubbing walks over them. */
const FRAME_BYTES = 256 * 1024 * 1024
const OTHER_BYTES = 128 * 1024 * 1024

/** Messages per read: about half a second of film, one round trip. */
const BLOCK = 64

export class RunMessages {
  readonly frames: MessageCache<Frame>
  readonly contacts: MessageCache<ContactFrame>
  readonly joints: MessageCache<JointFrame>
  readonly certificates: MessageCache<CertificateFrame>
  /** All events read so far, in order of time. */
  readonly events = shallowRef<readonly TrajectoryEvent[]>([])
  private reading: Promise<void> | null = null

  constructor(readonly run: string) {
    this.frames = this.cache('frames', decodeFrame, FRAME_BYTES)
    this.contacts = this.cache('contacts', decodeContacts, OTHER_BYTES)
    this.joints = this.cache('joints', decodeJoints, OTHER_BYTES)
    this.certificates = this.cache('certificate', decodeCertificate, OTHER_BYTES)
  }

  /** Reads the events that came since the last call. */
  async readEvents(): Promise<void> {
    if (this.reading) return this.reading
    this.reading = this.readNewEvents()
    try {
      await this.reading
    } finally {
      this.reading = null
    }
  }

  private async readNewEvents() {
    for (;;) {
      const from = this.events.value.length
      const messages = await useHost().engine.read(this.run, 'events', from, from + 2000)
      if (messages.length === 0) return
      this.events.value = [...this.events.value, ...messages.map(decodeEvent)]
      if (messages.length < 2000) return
    }
  }

  private cache<T>(channel: Channel, decode: (bytes: Uint8Array) => T, limit: number) {
    return new MessageCache<T>(async (from, to) => {
      const messages = await useHost().engine.read(this.run, channel, from, to)
      return { messages: messages.map(decode), bytes: messages.reduce((sum, message) => sum + message.byteLength, 0) }
    }, BLOCK, limit)
  }
}
