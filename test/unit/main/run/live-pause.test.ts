import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import type { LivePicture } from '../../../../core/simulation'
import { decodeFrame, decodeJoints } from '../../../../core/trajectory/codec'
import { BODY_STRIDE } from '../../../../core/trajectory/frame'
import type { RunReport } from '../../../../main/run/job'
import { LiveSession } from '../../../../main/run/live'
import type { LiveInput } from '../../../../main/protocol/live'
import { contact, recordFrame } from './trajectory-sample'

const pictureAt = (index: number, time: number): LivePicture => ({
  frame: { index, time, bodies: new Float64Array(2 * BODY_STRIDE), hash: '0'.repeat(16) }, contacts: contact(index, time), deformables: null,
})

describe('a live session that pauses', () => {
  it('shows the frame at which it pauses, though its picture was left out', () => {
    const { port1, port2 } = new MessageChannel()
    const spoken = new Int32Array(new SharedArrayBuffer(4))
    const reports: RunReport[] = []
    let clock = 0
    let looks = Infinity
    const session = new LiveSession(port2, spoken, [], report => reports.push(report), () => clock, () => looks-- <= 0)
    const say = (...inputs: LiveInput[]) => {
      for (const input of inputs) port1.postMessage(input)
    }
    const shown = () => reports.map(report => report.kind === 'live' ? decodeFrame(report.frame).index : NaN)

    session.reached(pictureAt(0, 0))
    // Too soon after the last picture to be shown, and ahead of the clock: the pause comes while the session waits.
    clock = 0.005
    say({ kind: 'gravity', gravity: [0, 0, 1] }, { kind: 'speed', ratio: 0 })
    looks = 3
    session.reached(pictureAt(1, 0.01))
    expect(shown()).toEqual([0, 1])
    // The input came after this frame.
    expect(reports.map(report => report.kind === 'live' ? report.inputCount : NaN)).toEqual([0, 0])
    say({ kind: 'step' })
    looks = Infinity
    session.reached(pictureAt(2, 0.02))
    expect(shown()).toEqual([0, 1, 2])
    port1.close()
  })

  it('shows what was solved with the last recorded frame five times a second, and with the frame at which it pauses', () => {
    const { port1, port2 } = new MessageChannel()
    const reports: RunReport[] = []
    let clock = 0
    let looks = Infinity
    const session = new LiveSession(port2, new Int32Array(new SharedArrayBuffer(4)), [], report => reports.push(report), () => clock, () => looks-- <= 0)
    const record = (index: number) => recordFrame({
      frame: () => undefined, contacts: () => undefined, forces: () => undefined, joints: joints => { session.solved.joints = joints },
      certificate: certificate => { session.solved.certificate = certificate },
    }, index)
    const run = (index: number) => {
      clock = index / 60
      session.reached(pictureAt(index, index / 60))
      record(index)
    }
    /** The frame of each picture, and the one whose solution it shows. */
    const shown = () => reports.map(report => report.kind === 'live' ? [decodeFrame(report.frame).index, report.solution && decodeJoints(report.solution.joints).index] : [])

    for (let index = 0; index <= 13; index++) run(index)
    expect(shown().filter(([, solved]) => solved !== null)).toEqual([[1, 0], [13, 12]])
    port1.postMessage({ kind: 'speed', ratio: 0 } satisfies LiveInput)
    // The pause is noticed while the session waits.
    clock = 13.5 / 60
    looks = 3
    session.reached(pictureAt(14, 14 / 60))
    expect(shown().at(-1)).toEqual([14, 13])
    port1.close()
  })
})
