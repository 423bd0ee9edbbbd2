/** The current run's messages: one cache per channel, filled from the host, cleared when another run is shown. */

import { shallowRef, type ShallowRef } from 'vue'
import { decodeCertificate, decodeContacts, decodeDeformables, decodeEvent, decodeForces, decodeFrame, decodeJoints, decodeScript, decodeSensors } from '../../core/trajectory/codec'
import type { CertificateFrame, ContactFrame, DeformableFrame, ForceFrame, Frame, JointFrame, ScriptFrame, SensorFrame, TrajectoryEvent } from '../../core/trajectory/frame'
import type { Channel } from '../../main/protocol/runs'
import { useHost } from './host'
import { MessageCache } from './message-cache'

/** Bytes kept per channel; frames get most, because scrubbing walks over them. */
const FRAME_BYTES = 256 * 1024 * 1024
const OTHER_BYTES = 128 * 1024 * 1024

/** Messages of scripts that are kept: what a person may read, not what a loop may write. */
const MOST_SCRIPT_FRAMES = 20_000
/** Events and script messages of one read. */
const LIST_BLOCK = 2000

/** Messages per read: about half a second of film, one round trip. */
const BLOCK = 64

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
  /** What scripts plotted and logged so far, in order of time. */
  readonly scripts = shallowRef<readonly ScriptFrame[]>([])
  private reading: Promise<void> | null = null
  private wanted = false

  constructor(readonly run: string) {
    this.frames = this.cache('frames', decodeFrame, FRAME_BYTES)
    this.contacts = this.cache('contacts', decodeContacts, OTHER_BYTES)
    this.joints = this.cache('joints', decodeJoints, OTHER_BYTES)
    this.forces = this.cache('forces', decodeForces, OTHER_BYTES)
    this.deformables = this.cache('deformables', decodeDeformables, FRAME_BYTES)
    this.certificates = this.cache('certificate', decodeCertificate, OTHER_BYTES)
    this.sensors = this.cache('sensors', decodeSensors, OTHER_BYTES)
  }

  /** Reads the events and the scripts' output that came since the last call. */
  async readLists(): Promise<void> {
    this.wanted = true
    this.reading ??= this.readNew()
    await this.reading
  }

  /** Again where more came while it was reading: the last of a quick run. */
  private async readNew() {
    try {
      while (this.wanted) {
        this.wanted = false
        await readOn(this.run, 'events', this.events, decodeEvent, Infinity)
        await readOn(this.run, 'script', this.scripts, decodeScript, MOST_SCRIPT_FRAMES)
      }
    } finally {
      this.reading = null
    }
  }

  private cache<T>(channel: Channel, decode: (bytes: Uint8Array) => T, limit: number) {
    return new MessageCache<T>(async (from, to) => {
      const messages = await useHost().engine.read(this.run, channel, from, to)
      return { messages: messages.map(decode), bytes: messages.reduce((sum, message) => sum + message.byteLength, 0) }
    }, BLOCK, limit)
  }
}

/** Appends the messages that the list does not have yet. */
async function readOn<T>(run: string, channel: Channel, list: ShallowRef<readonly T[]>, decode: (bytes: Uint8Array) => T, most: number): Promise<void> {
  while (list.value.length < most) {
    const from = list.value.length
    const messages = await useHost().engine.read(run, channel, from, from + LIST_BLOCK)
    if (messages.length > 0) list.value = [...list.value, ...messages.map(decode)]
    if (messages.length < LIST_BLOCK) return
  }
}
