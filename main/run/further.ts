/** Copies the output of a run to the file of a run that continues from its end with more bodies. */
import { closeSync, openSync, readSync } from 'node:fs'
import { McapStreamReader } from '@mcap/core'
import {
  decodeCertificate, decodeContacts, decodeDeformables, decodeEvent, decodeForces, decodeFrame, decodeHeader, decodeJoints,
} from '../../core/trajectory/codec'
import type { Frame, TrajectoryHeader } from '../../core/trajectory/frame'
import { Renumbering } from '../../core/trajectory/renumbered'
import { chunkBytes } from './mcap-writer'
import { channelNames, type Recorder } from './recorder'

/** @param header of the continuing run @throws RangeError if the file is not a run's */
export function copyFurther(path: string, header: TrajectoryHeader, recorder: Recorder): void {
  const reader = new McapStreamReader()
  const fd = openSync(path, 'r')
  try {
    let copy: Copy | null = null
    for (let position = 0; ;) {
      const bytes = new Uint8Array(chunkBytes)
      const length = readSync(fd, bytes, 0, bytes.length, position)
      if (length === 0) return
      position += length
      reader.append(bytes.subarray(0, length))
      for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
        if (record.type !== 'Message') continue
        const name = channelNames[record.channelId]!
        if (name === 'header') copy = new Copy(new Renumbering(decodeHeader(record.data), header), recorder)
        else if (copy === null) throw new RangeError('the file has no header')
        else copy.take(name, record.sequence, record.logTime, record.data)
      }
    }
  } finally {
    closeSync(fd)
  }
}

class Copy {
  /** Waits for its particles, which its hash includes. */
  private frame: Frame | null = null

  constructor(private readonly numbers: Renumbering, private readonly recorder: Recorder) {}

  take(name: (typeof channelNames)[number], sequence: number, time: bigint, data: Uint8Array): void {
    const { numbers, recorder } = this
    switch (name) {
      case 'end': return
      case 'frames':
        this.frame = decodeFrame(data)
        if (numbers.hasParticles) return
        return this.give([])
      case 'deformables': {
        const { position, velocity } = decodeDeformables(data)
        this.give([position, velocity])
        break
      }
      case 'joints': return recorder.joints(numbers.jointFrame(decodeJoints(data)))
      case 'contacts': if (!numbers.keepsNumbers) return recorder.contacts(numbers.contacts(decodeContacts(data))); break
      case 'forces': if (!numbers.keepsNumbers) return recorder.forces(numbers.forces(decodeForces(data))); break
      case 'certificate': if (!numbers.keepsNumbers) return recorder.certificate(numbers.certificate(decodeCertificate(data))); break
      case 'events': if (!numbers.keepsNumbers) return recorder.event(numbers.event(decodeEvent(data))); break
      default:
    }
    recorder.copy(name, sequence, time, data)
  }

  private give(particles: readonly Float64Array[]): void {
    if (this.frame !== null) this.recorder.frame(this.numbers.frame(this.frame, particles))
    this.frame = null
  }
}
