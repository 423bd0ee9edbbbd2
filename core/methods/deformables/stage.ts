/**
 * Deformables in a stepping run. Before every step of the bodies, particles are advanced to its end, together with the bodies that they touch or are
 * attached to. Their loads become forces on these bodies in that step. Afterwards vertices in contact or attached follow the bodies
 * [docs/deformables.md].
 */

import type { EquationsOfMotion } from '../../contact/equations'
import type { World } from '../../contact/world'
import {
  adaptiveSteps, STAGE_SETTINGS, StepTooShort, type AdvanceReport, type ImplicitMethod, type ParticleState, type ParticleSystem,
} from '../../deformables'
import { ParticleBlock } from '../../dynamics/blocks'
import type { ParticleForce } from '../../dynamics/forces/particles'
import { StopError, stopWhereCancelled, type MethodEnvironment, type SolvedContact } from '../method'
import { Attempts, type Retreat } from './attempts'
import { attachedPoints, heldBlocks, type AttachedPoint } from './attachments'
import { ContactMeans } from './contact-means'
import { elementValues } from './elements'
import { follow } from './follow'
import { kineticOf, leadHeld, placeHeld, pushPaths } from './held'
import { StageLosses, type LossSums } from './losses'
import { otherLoads } from './other-loads'
import { addSupports, completeReactions, heldElements, recordedReactions, rodTensions, solvedContacts } from './reactions'
import { conditionProjection } from './rods'
import type { SolvedDeformables } from './solved'
import { StageBodies } from './stage-bodies'
import { energiesOf, parametersOf, particleSystem, takeParameters, type OwnEnergy } from './system'
import { touchingOf, type Touching } from './touching'

/** Maximum number of halvings of a step. */
const HALVINGS = 12
/** Rounds of alternating corrections of rods and constraints, and of penetrations. */
const ROUNDS = 8

/** State that the next steps need in addition to the particles. */
export interface StageState {
  /** m/s² and rad/s², 6 per body: by all loads except those of deformables, in the last step. */
  readonly other: readonly number[]
  /** J since t = 0. */
  readonly losses: LossSums
  readonly bodyWork: number
  /** Multipliers of contacts, ties and conditions, and searches of energies: entries of `link-memory.ts`. */
  readonly memory: readonly number[]
  readonly retreat: Retreat
}

interface StageContext {
  readonly world: World
  readonly equations: EquationsOfMotion
  /** s */
  readonly time: number
  readonly state: Float64Array
  readonly environment: Pick<MethodEnvironment, 'cancelled'>
  readonly settings: { readonly implicitMethod: 'euler' | 'tr-bdf2' }
}

const NO_REPORT: AdvanceReport = { steps: 0, refused: 0, shortest: 0, iterations: 0, linearIterations: 0, residual: 0, indefinite: 0 }

export class DeformableStage {
  readonly particles: ParticleBlock
  readonly touching: Touching
  private readonly attached: readonly AttachedPoint[]
  private readonly bodies: StageBodies
  private readonly own: readonly OwnEnergy[]
  /** Particles, and two blocks for each dynamic body. */
  private readonly blocks: ParticleState
  private readonly steps: ReturnType<typeof adaptiveSteps>
  private readonly limits = { error: Infinity, changes: [], shortest: 0 }
  /** N on held particles, 3 each. */
  private readonly reactions: Float64Array
  /** N on particles by their supports, 3 per attached point: means of the step. */
  private readonly pulls: Float64Array
  /** N: of exact constraints, 3 per element. */
  private readonly holding: Float64Array
  private readonly other: Float64Array
  private readonly losses: StageLosses
  private readonly held: Uint8Array
  /** J: kinetic energy of held particles. */
  private heldEnergy: number
  /** J: work on bodies since t = 0. */
  private bodyWork = 0
  private report: AdvanceReport = NO_REPORT
  /** Residual of the last step, × the largest force, if a stage was accepted after its last iteration; otherwise 0. */
  left = 0
  private attempts!: Attempts
  private contacts: SolvedContact[] = []
  private readonly means = new ContactMeans()
  private tensions: readonly number[] = []
  private readonly keepConditions: ((x: Float64Array) => boolean) | null
  /** Velocities of the bodies at the start of the current step, 6 per body. */
  private readonly velocities: Float64Array
  /** s: start of the current step, and its length. */
  private from = 0
  private h = 0
  /** Ends a cancelled run, also within a step. */
  private readonly interrupt = (): void => { stopWhereCancelled(this.context.environment) }
  /** s: the last instant in it at which forces on particles are evaluated. */
  private lastInstant = Infinity

  constructor(private readonly context: StageContext, particles: Float64Array | null) {
    const { world, equations: { snapshot } } = context
    const deformables = world.deformables!
    const n = deformables.mass.length
    this.particles = new ParticleBlock(deformables.mass)
    this.particles.position.set(particles?.subarray(0, 3 * n) ?? deformables.position)
    this.particles.velocity.set(particles?.subarray(3 * n) ?? deformables.velocity)
    this.attached = attachedPoints(world)
    this.bodies = new StageBodies(world, n)
    const masses = Float64Array.from([...deformables.mass, ...this.bodies.masses])
    this.held = heldBlocks(this.attached, masses.length)
    this.own = energiesOf(deformables)
    this.blocks = { positions: new Float64Array(3 * masses.length), velocities: new Float64Array(3 * masses.length) }
    // At a breakpoint the step that ends there uses the values before the jump.
    const loads = world.particleForces.map((force): ParticleForce => ({
      ...force, addForces: (t, x, v, f) => force.addForces(Math.min(t, this.lastInstant), x, v, f),
    }))
    const system = particleSystem(loads, masses, this.held, (t, x, v) => this.lead(t, x, v), this.own)
    this.losses = new StageLosses({ ...system, masses: deformables.mass }, loads)
    this.touching = touchingOf(world, this.bodies.carriers, this.held, this.attached, snapshot.exists, this.interrupt)
    this.keepConditions = conditionProjection(world, this.attached, this.touching.conditions.points)
    this.reactions = new Float64Array(3 * masses.length)
    this.pulls = new Float64Array(3 * this.attached.length)
    this.holding = new Float64Array(3 * heldElements(deformables).length)
    this.other = new Float64Array(6 * world.bodies.length)
    this.velocities = new Float64Array(6 * world.bodies.length)
    this.steps = adaptiveSteps(system, this.coupled(system), this.limits)
    this.other.fill(NaN)
    snapshot.update(context.state)
    if (particles === null) placeHeld(this.attached, snapshot.motions, context.time, this.particles)
    this.heldEnergy = kineticOf(this.held, this.particles)
  }

  /** Positions and velocities, for a resumed run. */
  get state(): Float64Array {
    const { position, velocity } = this.particles
    const state = new Float64Array(2 * position.length)
    state.set(position)
    state.set(velocity, position.length)
    return state
  }

  get carried(): StageState {
    const { other, losses: { sums: losses }, bodyWork, attempts: { retreat } } = this
    return { other: [...other], losses, bodyWork, retreat, memory: [...this.touching.contacts.memory, ...parametersOf(this.own)] }
  }

  set carried({ other, losses, bodyWork, memory, retreat }: StageState) {
    this.other.set(other)
    this.losses.sums = losses
    this.bodyWork = bodyWork
    this.attempts.retreat = retreat
    this.touching.contacts.memory = Float64Array.from(takeParameters(this.own, memory))
  }

  /** Advances particles to `time`, and sets their loads on bodies until then. @throws StopError */
  before(time: number): void {
    const { context: { world, equations, time: from, state }, particles, blocks, bodies } = this
    this.from = from
    this.h = time - from
    this.limits.shortest = this.h / (1 << HALVINGS)
    // The largest double below a positive one.
    this.lastInstant = time * (1 - Number.EPSILON / 2)
    const { snapshot } = equations
    equations.loads(from, state)
    snapshot.velocities(this.velocities)
    for (let k = 0; k < this.other.length; k++) if (Number.isNaN(this.other[k]!)) this.other[k] = equations.free[k]!
    bodies.begin(snapshot.motions)
    for (const { wrenches } of world.reactions) wrenches.fill(0)
    this.pulls.fill(0)
    this.holding.fill(0)
    this.means.begin()
    blocks.positions.set(particles.position)
    blocks.velocities.set(particles.velocity)
    this.left = 0
    try {
      this.report = this.steps.advance(blocks, from, this.h, this.reactions)
    } catch (error) {
      if (!(error instanceof StepTooShort)) throw error
      throw new StopError('StepSizeUnderflow', `deformables: ${error.message}`, from, world.deformables!.list.map(({ id }) => id))
    }
    particles.position.set(blocks.positions.subarray(0, particles.position.length))
    particles.velocity.set(blocks.velocities.subarray(0, particles.velocity.length))
    completeReactions(bodies, this.h, world)
  }

  /**
   * Bodies have taken a step, or a part of one.
   *
   * @param along J: work of deformables on them; @param gained J: the part that they received
   */
  book({ along, gained }: { readonly along: number; readonly gained: number }): void {
    this.bodyWork += gained
    this.losses.gave(along, gained)
  }

  /** Completes the bodies' step: particles in contact with or fixed to bodies are moved to them. */
  after(): void {
    const { context: { equations: { snapshot }, state }, velocities, losses, particles: { position }, touching, heldEnergy } = this
    snapshot.update(state)
    const former = velocities.slice()
    snapshot.velocities(velocities)
    otherLoads(this.context.world, this.context.equations, former, velocities, this.h, this.other)
    const solved = losses.stored(position)
    placeHeld(this.attached, snapshot.motions, this.from + this.h, this.particles)
    this.heldEnergy = kineticOf(this.held, this.particles)
    losses.lead(this.heldEnergy - heldEnergy)
    // Corrections of rods and constraints and of surfaces alternate, because each may disturb the other.
    let moved = false
    for (let round = 0; round < ROUNDS; round++) {
      moved = follow(touching.contacts, this.bodies.carriers, snapshot.motions, this.held, position) || moved
      if (this.keepConditions?.(position) !== true) break
      moved = true
    }
    // Recorded gaps are those after the last correction.
    if (moved) touching.contacts.place(position)
    losses.placed(losses.stored(position) - solved)
    this.tensions = rodTensions(touching)
    this.contacts = solvedContacts(this.context.world, touching, snapshot, this.particles, this.means.contacts)
  }

  /** Positions of held particles, and of bodies in the first iterate. */
  private lead(t: number, x: Float64Array, v: Float64Array): void {
    leadHeld(this.attached, this.context.equations.snapshot.motions, t, this.from, x, v)
    this.bodies.hold(x)
  }

  /** The implicit method, including bodies, that records the losses of its steps. */
  private coupled(system: ParticleSystem): ImplicitMethod {
    const { touching, attached, bodies, losses, pulls, holding, means, other, particles: { count, mass }, context: { world, settings } } = this
    const accuracy = { ...STAGE_SETTINGS, ...this.keepConditions !== null ? { solver: 'direct' as const } : {}, interrupt: this.interrupt }
    const attempts = new Attempts(settings.implicitMethod, system, accuracy,
      { world, touching, bodies, losses, pulls, holding, means, other, count, step: () => this.h })
    this.attempts = attempts
    const own = (of: ParticleState): ParticleState => ({ positions: of.positions.subarray(0, 3 * count), velocities: of.velocities.subarray(0, 3 * count) })
    return {
      get error() { return attempts.taken.error },
      step: (state, t, h, reactions) => {
        const report = attempts.step(state, t, h, reactions)
        if (!report.converged) return report
        const { taken, before } = attempts
        if (report.exhausted) this.left = Math.max(this.left, report.residual)
        bodies.endStage(h, before.velocities, state.velocities)
        addSupports(attached, reactions, h / this.h, pulls)
        pushPaths(attached, mass, this.h, before.velocities, state.velocities, pulls)
        taken.accept(own(before), own(state), t, h, reactions)
        return report
      },
    }
  }

  /** Implicit steps of a scene of second order that implicit Euler has taken, because they did not converge otherwise. */
  get firstOrder(): number {
    return this.attempts.firstOrder
  }

  /** m: deepest contact at the end of the step; 0 without contacts. */
  get depth(): number {
    return this.contacts.reduce((most, { gap }) => Math.max(most, -gap), 0)
  }

  /** Contacts with bodies at the end of the step. */
  get solvedContacts(): readonly SolvedContact[] {
    return this.contacts
  }

  /** Results for a frame. */
  get solved(): SolvedDeformables {
    const { particles, own, context: { world }, report } = this
    return {
      particles, ...elementValues(own, world.deformables!, particles, this.tensions),
      reactions: recordedReactions(world.deformables!, this.attached, this.pulls, this.holding),
      works: { ...this.losses.sums, bodies: this.bodyWork },
      potential: world.particleForces.reduce((sum, force) => sum + (force.potential?.(particles.position) ?? 0), 0),
      iterations: report.iterations, linearIterations: report.linearIterations, residual: report.residual, steps: report.steps,
    }
  }
}
