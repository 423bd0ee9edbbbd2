/** The current run's messages: one cache per channel, filled from the host, cleared when another run is displayed. */

import { shallowRef, type ShallowRef } from 'vue'
import { decodeCertificate, decodeContacts, decodeDeformables, decodeEvent, decodeForces, decodeFrame, decodeJoints, decodeScript, decodeSensors } from '../../core/trajectory/codec'
import {
  BODY_STRIDE, type CertificateFrame, type ContactFrame, type DeformableFrame, type ForceFrame, type Frame, type JointFrame, type ScriptFrame, type SensorFrame,
  type TrajectoryEvent,
} from '../../core/trajectory/frame'
import type { Channel } from '../../main/protocol/runs'
import { useHost } from './host'
import { MessageCache } from './message-cache'
import { readsTogether, type ReadMessages } from './reads-together'

/** Bytes cached per channel; frames get most, because scrubbing reads many of them. */
const FRAME_BYTES = 256 * 1024 * 1024
const OTHER_BYTES = 128 * 1024 * 1024

/** Maximum number of script messages: enough to read, while a script's loop may write any number. */
const MAX_SCRIPT_FRAMES = 20_000
/** Events or script messages per read. */
const LIST_BLOCK = 2000

/** Messages per read at most: about half a second of playback, in one round trip. */
const BLOCK = 64
/** Expected bytes of contacts per body, before the first message is known: four contacts of 290 bytes. */
const CONTACT_BYTES = 1160

export class RunMessages {
  readonly frames: MessageCache<Frame>
  readonly contacts: MessageCache<ContactFrame>
  readonly joints: MessageCache<JointFrame>
  readonly forces: MessageCache<ForceFrame>
  readonly deformables: MessageCache<DeformableFrame>
  readonly certificates: MessageCache<CertificateFrame>
  readonly sensors: MessageCache<SensorFrame>
  /** All events read so far, in order of time. */
  readonly events = shallowRef<readonly TrajectoryEvent[]>([])
  /** Output of scripts so far, in order of time. */
  readonly scripts = shallowRef<readonly ScriptFrame[]>([])
  private readonly read: ReadMessages
  private reading: Promise<void> | null = null
  private wanted = false

  constructor(readonly run: string, bodies: number) {
    this.read = readsTogether(ranges => useHost().engine.read(run, ranges))
    const frame = 8 * BODY_STRIDE * bodies
    this.frames = this.cache('frames', decodeFrame, FRAME_BYTES, frame)
    this.contacts = this.cache('contacts', decodeContacts, OTHER_BYTES, CONTACT_BYTES * bodies)
    this.joints = this.cache('joints', decodeJoints, OTHER_BYTES, frame)
    this.forces = this.cache('forces', decodeForces, OTHER_BYTES, frame)
    this.deformables = this.cache('deformables', decodeDeformables, FRAME_BYTES, frame)
    this.certificates = this.cache('certificate', decodeCertificate, OTHER_BYTES, frame)
    this.sensors = this.cache('sensors', decodeSensors, OTHER_BYTES, frame)
  }

  /** Reads events and script output added since the last call. */
  async readLists(): Promise<void> {
    this.wanted = true
    this.reading ??= this.readNew()
    await this.reading
  }

  /** Reads again if a call came during reading, so that the last messages of a short run are not missed. */
  private async readNew() {
    try {
      while (this.wanted) {
        this.wanted = false
        await Promise.all([
          readOn(this.read, 'events', this.events, decodeEvent, Infinity), readOn(this.read, 'script', this.scripts, decodeScript, MAX_SCRIPT_FRAMES),
        ])
      }
    } finally {
      this.reading = null
    }
  }

  private cache<T>(channel: Channel, decode: (bytes: Uint8Array) => T, limit: number, expected: number) {
    return new MessageCache<T>(async (from, to) => {
      const messages = await this.read({ channel, from, to })
      return { messages: messages.map(decode), bytes: messages.reduce((sum, message) => sum + message.byteLength, 0) }
    }, BLOCK, limit, expected)
  }
}

/** Appends messages that are not in the list yet. */
async function readOn<T>(read: ReadMessages, channel: Channel, list: ShallowRef<readonly T[]>, decode: (bytes: Uint8Array) => T, most: number): Promise<void> {
  while (list.value.length < most) {
    const from = list.value.length
    const messages = await read({ channel, from, to: from + LIST_BLOCK })
    if (messages.length > 0) list.value = [...list.value, ...messages.map(decode)]
    if (messages.length < LIST_BLOCK) return
  }
}
