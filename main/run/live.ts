/** A live run: paced by the wall clock, with user input applied between frames. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import type { GuideTrack } from '../../core/dynamics/forces'
import type { HeldTrack } from '../../core/dynamics/held-track'
import type { Vec3 } from '../../core/math/vector'
import { driveId, type LivePicture, type LiveTracks } from '../../core/simulation'
import { encodeCertificate, encodeContacts, encodeDeformables, encodeFrame, encodeJoints, encodeSensors } from '../../core/trajectory/codec'
import type { CertificateFrame, JointFrame, SensorFrame, TrajectoryHeader } from '../../core/trajectory/frame'
import { handId, type LiveInput, type LiveSolution } from '../protocol/live'
import type { RunReport } from './job'

/** ms of wall clock between two pictures that are sent; screens do not show more. */
const PICTURE = 14
/** ms of wall clock between two pictures with the solution, unless the session is paused: faster figures are unreadable. */
const SOLUTION = 190
/** s of wall clock that a delayed run catches up on; further delay is dropped and lowers the pace. */
const CATCH_UP = 0.05
/** s of wall clock over which the pace is averaged. */
const PACE_OVER = 0.5
/** Weight of the newest frame in the smoothed computing time. */
const SMOOTHING = 0.1
/** ms between two checks for cancellation. */
const LOOK = 5

export class LiveSession implements LiveTracks {
  private readonly guides = new Map<string, GuideTrack>()
  private readonly drives = new Map<string, HeldTrack>()
  private field: HeldTrack<Vec3> | null = null
  private values: HeldTrack<readonly number[]> | null = null
  readonly done: { time: number; input: LiveInput }[] = []
  ending = false
  /** What was recorded with the last frame. */
  readonly solved: { joints?: JointFrame; certificate?: CertificateFrame; sensors?: SensorFrame } = {}
  /** In the order of the guides' body indices. */
  private bodies: readonly string[] = []
  /** By the deformable's id: its first particle and number of particles. */
  private readonly particles = new Map<string, readonly [number, number]>()
  /** Frames per simulated second. */
  private rate = 1
  private speed = 1
  /** Wall clock, s, at which the simulated time would have been 0 at this speed; NaN before the first frame. */
  private origin = NaN
  private pictured = -Infinity
  private solutionSent = -Infinity
  private frameEnd = 0
  private pace = 1
  /** Number of inputs received, including those without effect. */
  private inputCount = 0
  private paceFrom = { clock: 0, time: 0 }
  private cost = 0
  /** One frame was requested while paused. */
  private stepping = false
  /** The next picture shows the effect of input received since the last one. */
  private answers = false

  /** @param spoken one word, which changes and wakes the thread whenever there is input */
  constructor(
    private readonly port: MessagePort, private readonly spoken: Int32Array, private readonly parameterIds: readonly string[],
    private readonly report: (report: RunReport) => void,
    private readonly now: () => number,
    private readonly stopped: () => boolean,
  ) {}

  guide(force: string, make: () => GuideTrack): GuideTrack {
    return trackOf(this.guides, force, make)
  }

  drive(id: string, make: () => HeldTrack): HeldTrack {
    return trackOf(this.drives, id, make)
  }

  gravity(make: () => HeldTrack<Vec3>): HeldTrack<Vec3> {
    return this.field ??= make()
  }

  parameters(make: () => HeldTrack<readonly number[]>): HeldTrack<readonly number[]> {
    return this.values ??= make()
  }

  begin({ bodies }: { readonly bodies: readonly { readonly id: string }[] }): void {
    this.bodies = bodies.map(({ id }) => id)
  }

  header({ outputRate, deformableIds, deformableParticles }: TrajectoryHeader): void {
    let first = 0
    deformableIds.forEach((id, k) => {
      this.particles.set(id, [first, deformableParticles[k]!])
      first += deformableParticles[k]!
    })
    this.rate = outputRate
    this.frameEnd = this.now()
  }

  /** Shows a frame, waits, applies the input received meanwhile, and records the frame after that. */
  reached({ frame, contacts, deformables }: LivePicture): void {
    const { time } = frame
    const computed = this.now()
    if (Number.isNaN(this.origin)) {
      this.origin = computed - time / this.speed
      this.paceFrom = { clock: computed, time }
    }
    this.cost += SMOOTHING * (1000 * (computed - this.frameEnd) - this.cost)
    const { inputCount } = this
    let complete = false
    const show = () => {
      this.pictured = computed
      const solution = this.solution(computed)
      complete = solution !== null || this.solved.certificate === undefined
      this.report({
        kind: 'live', frame: encodeFrame(frame), contacts: encodeContacts(contacts), deformables: deformables && encodeDeformables(deformables),
        solution, inputCount, pace: this.pace, cost: this.cost,
      })
    }
    const shown = this.speed === 0 || this.answers || 1000 * (computed - this.pictured) >= PICTURE
    if (shown) {
      this.answers = false
      show()
    }
    this.wait(time, complete ? null : show)
    this.listen(time)
    const end = this.now()
    this.frameEnd = end
    if (end - this.paceFrom.clock >= PACE_OVER) {
      this.pace = (time - this.paceFrom.time) / (end - this.paceFrom.clock)
      this.paceFrom = { clock: end, time }
    }
  }

  /** The last recorded frame's, if panels are to show one now. */
  private solution(now: number): LiveSolution | null {
    const { joints, certificate, sensors } = this.solved
    if (!joints || !certificate || (this.speed > 0 && 1000 * (now - this.solutionSent) < SOLUTION)) return null
    this.solutionSent = now
    return { joints: encodeJoints(joints), certificate: encodeCertificate(certificate), sensors: sensors ? encodeSensors(sensors) : null }
  }

  /**
   * Waits until the wall clock reaches the simulated time. Input that affects the next frame ends the wait up to one frame early, and the
   * following frame waits longer. A pause lasts until there is a step to make.
   *
   * @param show shows the frame that was reached, if its picture was left out or came without the solution: a pause is at a frame that is seen
   */
  private wait(time: number, show: (() => void) | null): void {
    let acted = false
    let left = show
    for (;;) {
      if (this.stopped() || this.stepping || this.ending) {
        this.stepping = false
        return
      }
      const ahead = this.speed > 0 ? time / this.speed - (this.now() - this.origin) : Infinity
      if (ahead < -CATCH_UP) this.origin -= ahead + CATCH_UP
      if (!(ahead > 0)) return
      const before = Atomics.load(this.spoken, 0)
      acted = this.listen(time) || acted
      if (this.speed === 0) {
        left?.()
        left = null
      }
      if (this.speed > 0 && acted && ahead * this.speed * this.rate <= 1) return
      Atomics.wait(this.spoken, 0, before, Math.min(1000 * ahead, LOOK))
    }
  }

  /**
   * @param time s, of the frame that is recorded next, from which the input takes effect
   * @returns whether there was input that the next frame shows
   */
  private listen(time: number): boolean {
    const before = this.inputCount
    for (let message = receiveMessageOnPort(this.port); message !== undefined; message = receiveMessageOnPort(this.port)) {
      const input = message.message as LiveInput
      if (input.kind === 'speed') {
        if (input.ratio > 0) this.origin = this.now() - time / input.ratio
        this.speed = input.ratio
        continue
      }
      if (input.kind === 'step') {
        this.stepping = this.speed === 0
        continue
      }
      if (input.kind === 'handOver') {
        this.ending = true
        continue
      }
      this.inputCount++
      if (this.act(input, time)) this.done.push({ time, input })
    }
    if (this.inputCount > before) this.answers = true
    return this.inputCount > before
  }

  /** @returns whether the element exists */
  private act(input: Exclude<LiveInput, { kind: 'speed' | 'step' | 'handOver' }>, time: number): boolean {
    switch (input.kind) {
      case 'drive': return this.driveBy(input, time)
      case 'gravity': return this.field !== null && appended(this.field, time, input.gravity)
      case 'parameter': return this.setParameter(input, time)
      case 'guide': return this.guideBy(input, time)
    }
  }

  private driveBy({ joint, coordinate, driven, value }: Extract<LiveInput, { kind: 'drive' }>, time: number): boolean {
    const track = this.drives.get(driveId(joint, coordinate, driven))
    return track !== undefined && appended(track, time, value)
  }

  private setParameter({ parameter, value }: Extract<LiveInput, { kind: 'parameter' }>, time: number): boolean {
    const index = this.parameterIds.indexOf(parameter)
    if (this.values === null || index < 0) return false
    return appended(this.values, time, this.values.at(time).map((known, k) => k === index ? value : known))
  }

  private guideBy({ hand, body, particle, point, target, on, length, stiffness, damping }: Extract<LiveInput, { kind: 'guide' }>, time: number): boolean {
    const track = this.guides.get(handId(hand))
    const index = body === null ? -1 : this.bodies.indexOf(body)
    const carrier = on === undefined ? -1 : this.bodies.indexOf(on)
    const [first, count] = particle === undefined ? [0, 0] : this.particles.get(particle.deformable) ?? [0, 0]
    const known = (body === null || index >= 0) && (on === undefined || carrier >= 0) && (particle === undefined || particle.index < count)
    if (track === undefined || !known) return false
    track.append({
      time, body: index, particle: particle === undefined ? -1 : first + particle.index, point, target, on: carrier, length: length ?? null, stiffness, damping,
    })
    return true
  }
}

/** Refused if the scene still has later keys for it, which would take effect at their own times. */
function appended<Value>(track: HeldTrack<Value>, time: number, value: Value): boolean {
  if ((track.times.at(-1) ?? 0) > time) return false
  track.append(time, value)
  return true
}

function trackOf<Track>(tracks: Map<string, Track>, id: string, make: () => Track): Track {
  let found = tracks.get(id)
  if (found === undefined) tracks.set(id, found = make())
  return found
}
