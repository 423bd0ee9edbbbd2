/** Converts a method's frames and events to those of the trajectory, with the certificate. */

import type { RecordingState } from './checkpoint'
import type { HeldControl } from './controllers'
import { KIND_INDEX } from './codes'
import { noCounts, type HardSolve, type IslandSolve, type MethodCounts, type MethodEvent, type MethodFrame, type MethodObserver } from '../methods/method'
import type { World } from '../contact/world'
import type { Snapshot } from '../contact/snapshot'
import {
  BODY_STRIDE, MAX_RESIDUALS, MAX_SOLVED_ISLANDS, type CertificateFrame, type ContactFrame, type Frame, type TrajectoryEvent, type TrajectorySink,
} from '../trajectory/frame'
import { frameHash, hashOrder } from '../trajectory/frame-hash'
import type { Sensors } from './sensors'
import { AuditWatch } from './audit-watch'
import { EnergyBalance } from './energy-balance'
import { encodeExactly } from './exact-json'
import { contactFrame, deformableFrame, forceFrame, jointFrame, packed, writeBody } from './frame-columns'
import type { LivePicture } from './live-tracks'
import type { Renumbering } from '../trajectory/renumbered'

const NOTHING = new Float64Array(0)

export class Recording implements MethodObserver {
  frames = 0
  finalHash = ''
  private eventIndex = 0
  private readonly balance: EnergyBalance
  private countsBefore: MethodCounts = noCounts()
  readonly audit = new AuditWatch()

  /** Order of the bodies in the hash. */
  private readonly order: readonly number[]

  constructor(
    private world: World, private readonly sink: TrajectorySink, private readonly counts: () => MethodCounts,
    private readonly scriptOutput: () => { plots: readonly { name: string; value: number }[]; logs: readonly string[] } | null,
    private readonly held: () => readonly HeldControl[] | null, private readonly sensors: Sensors | null, private readonly numbers: Renumbering | null,
  ) {
    this.balance = new EnergyBalance(this.audit)
    this.order = numbers?.order ?? hashOrder(world.bodies.map(body => body.id))
  }

  /** State of the recording, for a resumed run. */
  get carried(): RecordingState {
    const { frames, eventIndex, balance: { initial, maxKinetic, maxPotentialChange }, countsBefore, audit } = this
    return { frames, eventIndex, initial, maxKinetic, maxPotentialChange, countsBefore, audit: audit.past }
  }

  set carried({ frames, eventIndex, initial, maxKinetic, maxPotentialChange, countsBefore, audit }: RecordingState) {
    this.audit.past = audit
    this.frames = frames
    this.eventIndex = eventIndex
    this.balance.carry(initial, maxKinetic, maxPotentialChange)
    this.countsBefore = { ...countsBefore }
  }

  /** Frames are numbered from the first recorded one, which may be later than 0. */
  frame(given: MethodFrame): void {
    const frame = { ...given, index: this.frames }
    const { index, time, snapshot } = frame
    const bodies = this.bodies(snapshot)
    this.finalHash = frameHash(bodies, this.order, frame.deformables === undefined ? []
      : [frame.deformables.particles.position, frame.deformables.particles.velocity])
    this.sink.frame({ index, time, bodies, hash: this.finalHash } satisfies Frame)
    this.sink.contacts(this.contacts(frame))
    this.sink.joints(this.numbers === null ? jointFrame(frame) : this.numbers.jointFrame(jointFrame(frame)))
    this.sink.forces(this.numbers === null ? forceFrame(this.world, frame) : this.numbers.forces(forceFrame(this.world, frame)))
    if (frame.deformables !== undefined) this.sink.deformables(deformableFrame(index, time, frame.deformables))
    if (this.sensors !== null) this.sink.sensors?.({ index, time, values: this.sensors.measure(time, frame) })
    const held = this.held()
    if (held !== null) this.sink.control?.({ index, time, held: encodeExactly(held) })
    this.sink.certificate(this.numbers === null ? this.certificate(frame) : this.numbers.certificate(this.certificate(frame)))
    const output = this.scriptOutput()
    if (output !== null) {
      this.sink.script({
        index, time, names: output.plots.map(plot => plot.name), values: Float64Array.from(output.plots, plot => plot.value), logs: output.logs,
      })
    }
    this.frames++
  }

  /** Display data of a frame before it is recorded. */
  picture(given: MethodFrame): LivePicture {
    const frame = { ...given, index: this.frames }
    const { index, time, snapshot, deformables } = frame
    return {
      frame: { index, time, bodies: this.bodies(snapshot), hash: '' }, contacts: this.contacts(frame),
      deformables: deformables === undefined ? null : deformableFrame(index, time, deformables),
    }
  }

  event(event: MethodEvent): void {
    const { bodyA = -1, bodyB = -1 } = event
    const record = {
      index: this.eventIndex++, kind: event.kind, time: event.time, bodyA, bodyB, shapeA: event.shapeA ?? -1, shapeB: event.shapeB ?? -1,
      featureKindA: event.featureA ? KIND_INDEX[event.featureA.kind] : -1, featureA: event.featureA?.index ?? -1,
      featureKindB: event.featureB ? KIND_INDEX[event.featureB.kind] : -1, featureB: event.featureB?.index ?? -1,
      joint: event.joint ?? -1, point: packed(event.point), normal: packed(event.normal), impulse: packed(event.impulse),
      approachSpeed: event.approachSpeed ?? 0, reboundSpeed: event.reboundSpeed ?? 0,
      before: this.two(event.before, bodyA, bodyB), after: this.two(event.after, bodyA, bodyB),
      energyLoss: event.energyLoss ?? 0, restTime: event.restTime ?? NaN,
      solutions: (event.solutions ?? []).map((contacts, index) => contactFrame({ index, time: event.time, contacts })), solution: event.solution ?? -1,
      message: event.message ?? '',
    } satisfies TrajectoryEvent
    this.sink.event(this.numbers === null ? record : this.numbers.event(record))
  }

  private contacts(frame: Pick<MethodFrame, 'index' | 'time' | 'contacts'>): ContactFrame {
    return this.numbers === null ? contactFrame(frame) : this.numbers.contacts(contactFrame(frame))
  }

  private bodies(snapshot: Snapshot): Float64Array {
    const out = new Float64Array(this.world.bodies.length * BODY_STRIDE)
    for (let i = 0; i < this.world.bodies.length; i++) writeBody(snapshot, i, out, i * BODY_STRIDE)
    return this.numbers === null ? out : this.numbers.motions(out)
  }

  private two(snapshot: Snapshot | undefined, bodyA: number, bodyB: number): Float64Array {
    if (snapshot === undefined || bodyA < 0 || bodyB < 0) return NOTHING
    const out = new Float64Array(2 * BODY_STRIDE)
    writeBody(snapshot, bodyA, out, 0)
    writeBody(snapshot, bodyB, out, BODY_STRIDE)
    return out
  }

  private certificate(frame: MethodFrame): CertificateFrame {
    const counts = { ...this.counts() }
    const before = this.countsBefore
    this.countsBefore = counts
    return {
      index: frame.index, time: frame.time, maxPenetration: frame.maxPenetration, maxComplementarity: frame.maxComplementarity,
      maxJointError: frame.joints.reduce((worst, joint) => Math.max(worst, joint.error), 0), maxConeViolation: frame.maxConeViolation,
      energy: this.balance.at(frame, this.world), steps: counts.steps - before.steps, solverCalls: counts.solverCalls - before.solverCalls,
      basisHits: counts.basisHits - before.basisHits, pivots: counts.pivots - before.pivots, contacts: frame.contacts.length,
      degraded: frame.degraded ? 1 : 0, asleep: Int32Array.from(frame.asleep ?? []), ...solved(frame.solves ?? []), ...hardest(frame.hardest ?? null),
    }
  }
}

/** The part of the solves of one step that a certificate stores. */
function solved(solves: readonly IslandSolve[]): Pick<CertificateFrame, 'solvedIsland' | 'solvedSweeps' | 'solvedResidual'> {
  const kept = [...solves].sort((a, b) => b.residual - a.residual || a.island - b.island).slice(0, MAX_SOLVED_ISLANDS)
  return {
    solvedIsland: Int32Array.from(kept, ({ island }) => island), solvedSweeps: Int32Array.from(kept, ({ sweeps }) => sweeps),
    solvedResidual: Float64Array.from(kept, ({ residual }) => residual),
  }
}

function hardest(solve: HardSolve | null): Pick<CertificateFrame, 'residualTime' | 'residualHistory'> {
  let residualHistory = solve?.history.slice() ?? NOTHING
  while (residualHistory.length > MAX_RESIDUALS) residualHistory = residualHistory.filter((_, k) => k % 2 === 1)
  return { residualTime: solve?.time ?? NaN, residualHistory }
}
