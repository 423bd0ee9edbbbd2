/** A run on the clock that takes in, between its frames, what a person does. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { GuideTrack } from '../../core/dynamics/forces'
import { encodeContacts, encodeFrame } from '../../core/trajectory/codec'
import type { ContactFrame, Frame, TrajectoryHeader } from '../../core/trajectory/frame'
import { HANDS, handId, type LiveInput } from '../protocol/live'
import type { RunReport } from './job'

/** ms of the clock between two pictures that are sent: no screen shows more. */
const PICTURE = 14
/** s of the clock that a run that fell behind catches up on; what is more is lost, and the pace says so. */
const CATCH_UP = 0.05
/** s of the clock over which the pace is taken. */
const PACE_OVER = 0.5
/** Of the cost that is told: share of the newest frame. */
const SMOOTHING = 0.1

const sleeping = new Int32Array(new SharedArrayBuffer(4))

export class LiveSession {
  readonly tracks: ReadonlyMap<string, GuideTrack> = new Map(Array.from({ length: HANDS }, (_, hand) => [handId(hand), new GuideTrack([])]))
  readonly done: { time: number; input: LiveInput }[] = []
  private bodies: readonly string[] = []
  /** Frames a simulated second. */
  private rate = 1
  private speed = 1
  /** Clock, s, at which the simulated time would have been 0 at this speed. */
  private origin = 0
  private pictured = -Infinity
  private frameEnd = 0
  private pace = 1
  /** Inputs that act in the present frame, and those that will in the next: what is said after a frame acts behind the one that follows. */
  private acting = 0
  private coming = 0
  private paceFrom = { clock: 0, time: 0 }
  private cost = 0
  private shown: Frame | null = null
  private touching: ContactFrame | null = null

  constructor(
    private readonly port: MessagePort, private readonly report: (report: RunReport) => void, private readonly now: () => number,
    private readonly stopped: () => boolean,
  ) {}

  begin({ bodyIds, outputRate }: TrajectoryHeader): void {
    this.bodies = bodyIds
    this.rate = outputRate
    this.origin = this.frameEnd = this.now()
    this.paceFrom = { clock: this.origin, time: 0 }
  }

  frame(frame: Frame): void {
    this.shown = frame
  }

  contacts(contacts: ContactFrame): void {
    this.touching = contacts
  }

  /** After the last message of a frame: it is shown, waited for, and followed by what the person did meanwhile. */
  pass(): void {
    const { shown, touching } = this
    if (shown === null || touching === null) return
    const computed = this.now()
    this.cost += SMOOTHING * (1000 * (computed - this.frameEnd) - this.cost)
    if (1000 * (computed - this.pictured) >= PICTURE) {
      this.pictured = computed
      this.report({ kind: 'live', frame: encodeFrame(shown), contacts: encodeContacts(touching), heard: this.acting, pace: this.pace, cost: this.cost })
    }
    this.wait(shown.time)
    const end = this.now()
    this.frameEnd = end
    if (end - this.paceFrom.clock >= PACE_OVER) {
      this.pace = (shown.time - this.paceFrom.time) / (end - this.paceFrom.clock)
      this.paceFrom = { clock: end, time: shown.time }
    }
    this.acting = this.coming
    this.coming = this.done.length
    this.listen((shown.index + 1) / this.rate)
  }

  /** Until the clock has come to the simulated time; a pause lasts until something is said. */
  private wait(time: number): void {
    for (;;) {
      if (this.stopped()) return
      const ahead = this.speed > 0 ? time / this.speed - (this.now() - this.origin) : Infinity
      if (ahead < -CATCH_UP) this.origin -= ahead + CATCH_UP
      if (!(ahead > 0)) return
      Atomics.wait(sleeping, 0, 0, Math.min(1000 * ahead, 5))
      if (this.speed === 0) this.listen((Math.round(time * this.rate) + 1) / this.rate)
    }
  }

  /** @param time s, of the next frame: what is said now counts from there */
  private listen(time: number): void {
    for (let message = receiveMessageOnPort(this.port); message !== undefined; message = receiveMessageOnPort(this.port)) {
      const input = message.message as LiveInput
      if (input.kind === 'speed') {
        if (input.ratio > 0) this.origin = this.now() - (time - 1 / this.rate) / input.ratio
        this.speed = input.ratio
        continue
      }
      const { hand, body, point, target, stiffness, damping } = input
      const index = body === null ? -1 : this.bodies.indexOf(body)
      if (body !== null && index < 0) continue
      this.tracks.get(handId(hand))!.append({ time, body: index, point, target, stiffness, damping })
      this.done.push({ time, input })
    }
  }
}
