/** Records a run: one MCAP file that contains the scene, one message per frame and channel [core/trajectory/channels]. */
import { channels, type ChannelName } from '../../core/trajectory/channels'
import {
  encodeCertificate, encodeCheckpointFrame, encodeContacts, encodeControl, encodeDeformables, encodeEnd, encodeEvent, encodeForces, encodeFrame, encodeHeader,
  encodeJoints, encodeScript, encodeSensors,
} from '../../core/trajectory/codec'
import { fileDescriptorSet } from '../../core/trajectory/descriptor'
import type {
  CertificateFrame, CheckpointFrame, ContactFrame, ControlStateFrame, DeformableFrame, ForceFrame, Frame, JointFrame, ScriptFrame, SensorFrame,
  TrajectoryEnd, TrajectoryEvent, TrajectoryHeader, TrajectorySink,
} from '../../core/trajectory/frame'
import { McapFile } from './mcap-writer'
import { readWritten } from './mcap-written'

export const sceneAttachment = 'scene.cairn.json'
export const profile = 'cairn'

export interface RecorderOptions {
  readonly path: string
  /** The document of the run; attached unchanged. */
  readonly scene: string
  /** Called when more of the file is complete: bytes, frames and time so far. */
  readonly progress: (flushed: { bytes: number; frames: number; time: number }) => void
  /** Wall clock, s. */
  readonly now: () => number
  /** Continues in the file after these bytes, which end with a checkpoint. */
  readonly after?: number
}

/** s of wall clock until data are flushed at the latest, so that a slow run can be watched. */
const flushInterval = 0.1

export class Recorder implements TrajectorySink {
  /** Header of the run; null before it began. */
  begun: TrajectoryHeader | null = null
  /** Last recorded frame. */
  last: { frames: number; time: number; hash: string } = { frames: 0, time: 0, hash: '' }
  private file: McapFile | null = null
  private start = 0
  private lastFlush = 0

  constructor(private readonly options: RecorderOptions) {}

  /** Creates the file. @throws OutputError */
  header(header: TrajectoryHeader): void {
    const { path, after } = this.options
    const file = new McapFile(path, after === undefined ? { profile, library: `cairn ${header.engine}` } : { written: readWritten(path, after) })
    this.file = file
    this.begun = header
    const descriptor = fileDescriptorSet()
    channelNames.forEach((name, index) => {
      const { schemaName, schemaEncoding, topic, messageEncoding } = channels[name]
      file.addSchema({ id: index + 1, name: schemaName, encoding: schemaEncoding, data: descriptor })
      file.addChannel({ id: index, schemaId: index + 1, topic, messageEncoding })
    })
    if (after !== undefined) {
      this.start = this.lastFlush = this.options.now()
      return
    }
    file.addAttachment(sceneAttachment, 'application/json', new TextEncoder().encode(this.options.scene))
    file.addMetadata('cairn', new Map([
      ['engine', header.engine], ['sceneHash', header.sceneHash], ['sceneName', header.sceneName], ['method', header.method],
      ['solver', header.solver], ['staticFriction', header.staticFriction], ['duration', String(header.duration)], ['outputRate', String(header.outputRate)],
    ]))
    this.message('header', 0, 0, encodeHeader(header))
    this.flush()
    this.start = this.lastFlush
  }

  frame(frame: Frame): void {
    this.message('frames', frame.index, frame.time, encodeFrame(frame))
    this.last = { frames: frame.index + 1, time: frame.time, hash: frame.hash }
  }

  contacts(contacts: ContactFrame): void {
    this.message('contacts', contacts.index, contacts.time, encodeContacts(contacts))
  }

  joints(joints: JointFrame): void {
    this.message('joints', joints.index, joints.time, encodeJoints(joints))
  }

  forces(forces: ForceFrame): void {
    this.message('forces', forces.index, forces.time, encodeForces(forces))
  }

  deformables(deformables: DeformableFrame): void {
    this.message('deformables', deformables.index, deformables.time, encodeDeformables(deformables))
  }

  sensors(sensors: SensorFrame): void {
    this.message('sensors', sensors.index, sensors.time, encodeSensors(sensors))
  }

  control(control: ControlStateFrame): void {
    this.message('control', control.index, control.time, encodeControl(control))
  }

  certificate(certificate: CertificateFrame): void {
    this.message('certificate', certificate.index, certificate.time, encodeCertificate(certificate))
    // Flushes the first frame at once, then whenever the run's time has doubled: terminating the thread loses at most the later half.
    const unsaved = this.options.now() - this.lastFlush
    if (this.last.frames === 1 || (unsaved > 0 && unsaved >= Math.min(flushInterval, this.lastFlush - this.start))) this.flush()
  }

  script(script: ScriptFrame): void {
    if (script.names.length > 0 || script.logs.length > 0) this.message('script', script.index, script.time, encodeScript(script))
  }

  event(event: TrajectoryEvent): void {
    this.message('events', event.index, event.time, encodeEvent(event))
  }

  /** The last message of its chunk: a file truncated there contains everything up to it. */
  checkpoint(checkpoint: CheckpointFrame): void {
    this.message('checkpoints', checkpoint.index, checkpoint.time, encodeCheckpointFrame(checkpoint))
    this.flush()
  }

  /** Writes the end and closes the file. */
  end(end: TrajectoryEnd): void {
    const file = this.opened()
    this.message('end', 0, end.simulatedTime, encodeEnd(end))
    file.flush()
    file.addMetadata('cairn.end', new Map([
      ['status', end.status], ['reason', end.reason], ['message', end.message], ['simulatedTime', String(end.simulatedTime)],
      ['wallTime', String(end.wallTime)], ['frames', String(end.frames)], ['finalHash', end.finalHash],
    ]))
    file.end()
    this.notify(file)
  }

  /** Closes the file without its end, for example after a write error. */
  abandon(): void {
    this.file?.close()
  }

  /** Writes a message of another file unchanged. */
  copy(channel: ChannelName, sequence: number, time: bigint, data: Uint8Array): void {
    const file = this.opened()
    const before = file.position
    file.addMessage(channelNames.indexOf(channel), sequence, time, data)
    if (file.position > before) this.notify(file)
  }

  private message(channel: ChannelName, sequence: number, time: number, data: Uint8Array): void {
    this.copy(channel, sequence, BigInt(Math.round(time * 1e9)), data)
  }

  private flush(): void {
    const file = this.opened()
    file.flush()
    this.notify(file)
  }

  private notify(file: McapFile): void {
    this.lastFlush = this.options.now()
    this.options.progress({ bytes: file.position, frames: this.last.frames, time: this.last.time })
  }

  private opened(): McapFile {
    if (!this.file) throw new Error('The header comes first.')
    return this.file
  }
}

export const channelNames = Object.keys(channels) as ChannelName[]
