/** Converts a method's frames and events to those of the trajectory, with the certificate [physics.md §0]. */

import type { RecordingState } from './checkpoint'
import type { HeldControl } from './controllers'
import { KIND_INDEX, modeIndex } from './codes'
import { noCounts, type HardSolve, type IslandSolve, type MethodCounts, type MethodEvent, type MethodFrame, type MethodObserver } from '../methods/method'
import { BodyBlock, type StateBlock } from '../dynamics/blocks'
import { bodiesOfJoint } from '../dynamics/joints'
import type { SolvedDeformables } from '../methods/deformables/solved'
import type { World } from '../contact/world'
import { WORKS } from '../contact/equations'
import type { Snapshot } from '../contact/snapshot'
import type { Vec3 } from '../math/vector'
import {
  BODY_STRIDE, MAX_RESIDUALS, MAX_SOLVED_ISLANDS, WRENCH_SOURCES, type CertificateFrame, type ContactFrame, type DeformableFrame, type EnergyAudit,
  type ForceFrame, type Frame, type JointFrame, type TrajectoryEvent, type TrajectorySink,
} from '../trajectory/frame'
import { CONSTRAINT_KINDS } from '../vocabulary'
import { frameHash, hashOrder } from '../trajectory/frame-hash'
import type { Sensors } from './sensors'
import { AuditWatch } from './audit-watch'
import { encodeExactly } from './exact-json'
import type { LivePicture } from './live-tracks'
import type { Renumbering } from '../trajectory/renumbered'

const NOTHING = new Float64Array(0)

export class Recording implements MethodObserver {
  frames = 0
  finalHash = ''
  private eventIndex = 0
  /** Energy at t = 0, and the largest energies so far, J. */
  private initial: RecordingState['initial'] = null
  private maxKinetic = 0
  private maxPotentialChange = 0
  private countsBefore: MethodCounts = noCounts()
  readonly audit = new AuditWatch()

  /** Order of the bodies in the hash. */
  private readonly order: readonly number[]

  constructor(
    private world: World, private readonly sink: TrajectorySink, private readonly counts: () => MethodCounts,
    private readonly scriptOutput: () => { plots: readonly { name: string; value: number }[]; logs: readonly string[] } | null,
    private readonly held: () => readonly HeldControl[] | null, private readonly sensors: Sensors | null, private readonly numbers: Renumbering | null,
  ) {
    this.order = numbers?.order ?? hashOrder(world.bodies.map(body => body.id))
  }

  /** State of the recording, for a resumed run. */
  get carried(): RecordingState {
    const { frames, eventIndex, initial, maxKinetic, maxPotentialChange, countsBefore, audit } = this
    return { frames, eventIndex, initial, maxKinetic, maxPotentialChange, countsBefore, audit: audit.past }
  }

  set carried({ frames, eventIndex, initial, maxKinetic, maxPotentialChange, countsBefore, audit }: RecordingState) {
    this.audit.past = audit
    this.frames = frames
    this.eventIndex = eventIndex
    this.initial = initial
    this.maxKinetic = maxKinetic
    this.maxPotentialChange = maxPotentialChange
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
    const told = {
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
    this.sink.event(this.numbers === null ? told : this.numbers.event(told))
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
      energy: this.energy(frame), steps: counts.steps - before.steps, solverCalls: counts.solverCalls - before.solverCalls,
      basisHits: counts.basisHits - before.basisHits, pivots: counts.pivots - before.pivots, contacts: frame.contacts.length,
      degraded: frame.degraded ? 1 : 0, asleep: Int32Array.from(frame.asleep ?? []), ...solved(frame.solves ?? []), ...hardest(frame.hardest ?? null),
    }
  }

  /** Kinetic + potential − initial − all known works; the remainder is the integrator's error [physics.md §0]. */
  private energy(frame: MethodFrame): EnergyAudit {
    const { snapshot, deformables, impactWork, kinematicImpactWork, spawnedEnergy } = frame
    const blocks: readonly StateBlock[] = [new BodyBlock(this.world.bodies, snapshot), ...deformables === undefined ? [] : [deformables.particles]]
    const kinetic = blocks.reduce((sum, block) => sum + block.kineticEnergy(), 0)
    const potential = frame.potential + (deformables?.potential ?? 0)
    const elastic = deformables?.energy.reduce((sum, value, k) => k % 3 === 0 ? sum : sum + value, 0) ?? 0
    const impacts = impactWork + (deformables?.works.impacts ?? 0)
    const [damping, numerical] = [-(deformables?.works.damped ?? 0), -(deformables?.works.numerical ?? 0)]
    this.initial ??= { energy: kinetic + potential + elastic - impactWork - kinematicImpactWork, potential: potential + elastic }
    const work = Object.fromEntries(WORKS.map((name, k) => [name, frame.works[k]!])) as Record<typeof WORKS[number], number>
    if (deformables !== undefined) {
      // Loads of deformables on bodies were counted as forces without a potential, but take their energy from the deformables.
      work.scripts -= deformables.works.bodies
      work.drag += deformables.works.external
      work.friction += deformables.works.friction
      work.kinematic += deformables.works.led
    }
    this.maxKinetic = Math.max(this.maxKinetic, kinetic)
    this.maxPotentialChange = Math.max(this.maxPotentialChange, Math.abs(potential + elastic - this.initial.potential))
    // If nothing moves, both values are rounding errors; the reference is then the work of a typical force over the scene's size.
    const { force, size } = this.world.scales
    const scale = Math.max(this.maxKinetic + this.maxPotentialChange, 1e-3 * force * size)
    const kinematic = work.kinematic + kinematicImpactWork
    const unexplained = kinetic + potential + elastic - this.initial.energy
      - (work.friction + impacts + work.drag + work.scripts + work.joints + kinematic + spawnedEnergy + damping + numerical)
    const residual = unexplained / scale
    this.audit.note(frame.time, unexplained, scale)
    return {
      kinetic, potential, initial: this.initial.energy, friction: work.friction, impacts, drag: work.drag, scripts: work.scripts,
      joints: work.joints, kinematic, spawned: spawnedEnergy, elastic, damping, numerical, residual,
    }
  }
}

function writeBody(snapshot: Snapshot, body: number, out: Float64Array, at: number): void {
  if (!snapshot.exists[body]) {
    out.fill(NaN, at, at + BODY_STRIDE)
    return
  }
  const { pose: { position, orientation }, velocity, angularVelocity } = snapshot.motions[body]!
  write(position, out, at)
  for (let k = 0; k < 4; k++) out[at + 3 + k] = orientation[k]!
  write(velocity, out, at + 7)
  write(angularVelocity, out, at + 10)
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

function packed(v: Vec3 | undefined): Float64Array {
  return v === undefined ? NOTHING : Float64Array.from(v)
}

function contactFrame({ index, time, contacts }: Pick<MethodFrame, 'index' | 'time' | 'contacts'>): ContactFrame {
  const n = contacts.length
  const integers = (): Int32Array => new Int32Array(n)
  const numbers = (width = 1): Float64Array => new Float64Array(width * n)
  const frame = {
    index, time, count: n, bodyA: integers(), bodyB: integers(), shapeA: integers(), shapeB: integers(), featureKindA: integers(), featureA: integers(),
    featureKindB: integers(), featureB: integers(), point: numbers(3), normal: numbers(3), gap: numbers(), normalForce: numbers(),
    frictionForce: numbers(3), frictionTorque: numbers(3), staticFriction: numbers(), dynamicFriction: numbers(), coneUsage: numbers(), mode: integers(),
    relativeVelocity: numbers(3), interval: numbers(2).fill(NaN), indexSet: integers(), island: integers(), normalAcceleration: numbers(),
    torsionalFriction: numbers(), rollingFriction: numbers(), tangentialAcceleration: numbers(3), constraint: integers(),
  } satisfies ContactFrame
  for (let i = 0; i < n; i++) {
    const contact = contacts[i]!
    frame.bodyA[i] = contact.bodyA
    frame.bodyB[i] = contact.bodyB
    frame.shapeA[i] = contact.shapeA
    frame.shapeB[i] = contact.shapeB
    frame.featureKindA[i] = KIND_INDEX[contact.featureA.kind]
    frame.featureA[i] = contact.featureA.index
    frame.featureKindB[i] = KIND_INDEX[contact.featureB.kind]
    frame.featureB[i] = contact.featureB.index
    write(contact.point, frame.point, 3 * i)
    write(contact.normal, frame.normal, 3 * i)
    frame.gap[i] = contact.gap
    frame.normalForce[i] = contact.normalForce
    write(contact.frictionForce, frame.frictionForce, 3 * i)
    write(contact.frictionTorque, frame.frictionTorque, 3 * i)
    frame.staticFriction[i] = contact.staticFriction
    frame.dynamicFriction[i] = contact.dynamicFriction
    frame.coneUsage[i] = contact.frictionUsage ?? coneUsage(contact)
    frame.mode[i] = modeIndex(contact.mode)
    write(contact.relativeVelocity, frame.relativeVelocity, 3 * i)
    if (contact.interval !== null) frame.interval.set(contact.interval, 2 * i)
    frame.indexSet[i] = contact.clamped ? 0 : 1
    frame.island[i] = contact.island
    frame.normalAcceleration[i] = contact.normalAcceleration
    frame.torsionalFriction[i] = contact.torsionalFriction
    frame.rollingFriction[i] = contact.rollingFriction
    write(contact.tangentialAcceleration, frame.tangentialAcceleration, 3 * i)
    frame.constraint[i] = CONSTRAINT_KINDS.indexOf(contact.constraint ?? 'none')
  }
  return frame
}

function write([x, y, z]: Vec3, out: Float64Array, at: number): void {
  out[at] = x
  out[at + 1] = y
  out[at + 2] = z
}

/** |f_t| ÷ (μ f_N), μ the coefficient in force: dynamic while sliding, static otherwise. */
function coneUsage(contact: MethodFrame['contacts'][number]): number {
  const [x, y, z] = contact.frictionForce
  const friction = Math.sqrt(x * x + y * y + z * z)
  const limit = (contact.mode === 'sliding' ? contact.dynamicFriction : contact.staticFriction) * contact.normalForce
  return limit > 0 ? friction / limit : 0
}

function jointFrame({ index, time, joints }: MethodFrame): JointFrame {
  return {
    index, time, force: Float64Array.from(joints.flatMap(joint => [...joint.force])), torque: Float64Array.from(joints.flatMap(joint => [...joint.torque])),
    error: Float64Array.from(joints, joint => joint.error), position: Float64Array.from(joints, joint => joint.position),
    velocity: Float64Array.from(joints, joint => joint.velocity), secondPosition: Float64Array.from(joints, joint => joint.secondPosition),
    secondVelocity: Float64Array.from(joints, joint => joint.secondVelocity), motorForce: Float64Array.from(joints, joint => joint.motorForce),
    limitForce: Float64Array.from(joints, joint => joint.limitForce), anchor: Float64Array.from(joints.flatMap(joint => [...joint.anchor])),
    broken: Int32Array.from(joints.flatMap(({ broken }, joint) => broken ? [joint] : [])),
  }
}

function deformableFrame(index: number, time: number, { particles, strain, tension, reactions, energy, steps, iterations, linearIterations,
  residual }: SolvedDeformables): DeformableFrame {
  return {
    index, time, position: particles.position.slice(), velocity: particles.velocity.slice(), strain, tension, reaction: reactions.slice(), energy, steps,
      iterations,
    linearIterations, residual,
  }
}

/** Only for bodies with loads other than gravity: for others the weight in the header is sufficient. */
function forceFrame(world: World, { index, time, snapshot, contacts, applied, rates }: MethodFrame): ForceFrame {
  const acted = new Uint8Array(world.bodies.length)
  const mark = (body: number): void => {
    if (body >= 0 && world.bodies[body]?.type === 'dynamic' && snapshot.exists[body]) acted[body] = 1
  }
  for (const { bodyA, bodyB } of contacts) [bodyA, bodyB].forEach(mark)
  for (const { constraint } of world.joints) bodiesOfJoint(constraint).forEach(mark)
  for (const { body } of applied) mark(body)
  const body = Int32Array.from([...acted.keys()].filter(i => acted[i] === 1))
  const rate = new Float64Array(6 * body.length)
  body.forEach((i, k) => rate.set(rates.subarray(6 * i, 6 * i + 6), 6 * k))
  // Gravity has no number in the header: it is the first force, and the only one that is not in the scene's list.
  return {
    index, time, body, rate, sourceKind: Int32Array.from(applied, ({ kind }) => WRENCH_SOURCES.indexOf(kind)),
    source: Int32Array.from(applied, ({ kind, source }) => kind === 'force' ? source - 1 : source),
    sourceBody: Int32Array.from(applied, wrench => wrench.body),
    wrench: Float64Array.from(applied.flatMap(({ force, torque }) => [...force, ...torque])),
  }
}
