/**
 * Deformables in a run that steps: before every step of the bodies particles go to its end, and what they do to bodies becomes a force on these in that step;
 * after it, what is fixed to bodies follows them [docs/deformables.md].
 */

import type { EquationsOfMotion } from '../../contact/equations'
import type { World } from '../../contact/world'
import {
  adaptiveSteps, implicitEuler, STAGE_SETTINGS, StepTooShort, type AdvanceReport, type ImplicitMethod, type Load, type ParticleSystem,
} from '../../deformables'
import { ParticleBlock } from '../../dynamics/blocks'
import { transform, type Mat3 } from '../../math/matrix'
import { add, cross, length, scale, sub, type Vec3 } from '../../math/vector'
import { StopError } from '../method'
import { addWrench, attachedPoints, inertiaAt, placeOf, pointOf, type AttachedPoint } from './attachments'
import { elementValues } from './elements'
import { StageLosses, type LossSums } from './losses'
import type { SolvedDeformables } from './solved'
import { energiesOf, particleSystem, type OwnEnergy } from './system'

/** Steps are halved this often at most. */
const HALVINGS = 12
/** × what forces give a body: a greater acceleration by all else was an impact, which says nothing of the step to come. */
const IMPACT = 3

/** What the next steps depend on beside the particles. */
export interface StageState {
  /** m/s² and rad/s², 6 a body: by all but deformables, in the last step. */
  readonly other: readonly number[]
  /** J since t = 0. */
  readonly losses: LossSums
  readonly bodyWork: number
}

interface StageContext {
  readonly world: World
  readonly equations: EquationsOfMotion
  /** s */
  readonly time: number
  readonly state: Float64Array
}

const NO_REPORT: AdvanceReport = { steps: 0, refused: 0, shortest: 0, iterations: 0, linearIterations: 0, residual: 0, indefinite: 0 }

export class DeformableStage {
  readonly particles: ParticleBlock
  private readonly attached: readonly AttachedPoint[]
  /** How many points hang on each body. */
  private readonly load: Float64Array
  private readonly own: readonly OwnEnergy[]
  private readonly system: ParticleSystem
  private readonly steps: ReturnType<typeof adaptiveSteps>
  /** N on particles by what holds them, 3 each. */
  private readonly reactions: Float64Array
  /** N on particles by bodies that move with them, 3 an attached point. */
  private readonly pulls: Float64Array
  private readonly other: Float64Array
  private readonly losses: StageLosses
  /** J: done on bodies since t = 0. */
  private bodyWork = 0
  private report: AdvanceReport = NO_REPORT
  /** Of the bodies at the start of the step under way, 6 a body, and the power of the reactions then, W. */
  private readonly velocities: Float64Array
  private power = 0
  /** Of the implicit stage under way: velocities at its start, m/s, and its length, s. */
  private readonly stage: { readonly start: Float64Array; length: number; first: boolean }
  /** s: where the step under way began, and its length. */
  private from = 0
  private h = 0

  constructor(private readonly context: StageContext, particles: Float64Array | null) {
    const { world } = context
    const deformables = world.deformables!
    this.particles = new ParticleBlock(deformables.mass)
    this.particles.position.set(particles?.subarray(0, 3 * deformables.mass.length) ?? deformables.position)
    this.particles.velocity.set(particles?.subarray(3 * deformables.mass.length) ?? deformables.velocity)
    this.attached = attachedPoints(world)
    this.load = new Float64Array(world.bodies.length)
    const held = new Uint8Array(deformables.mass.length)
    for (const { particle, body, dynamic } of this.attached) {
      if (dynamic) this.load[body] = this.load[body]! + 1
      else held[particle] = 1
    }
    this.own = energiesOf(deformables)
    this.stage = { start: new Float64Array(3 * deformables.mass.length), length: 0, first: true }
    const carried: Load = {
      addForces: (_t, _x, v, f) => this.carry(v, f),
      addStiffness: (_t, _x, _v, a, { starts, values }) => {
        for (const { dynamic, particle, inertia } of this.attached) {
          if (dynamic) for (let k = 0; k < 9; k++) values[9 * (starts[particle + 1]! - 1) + k]! += inertia[k]! / (a * a)
        }
      },
    }
    this.system = particleSystem(world, deformables.mass, held, (t, x, v) => this.lead(t, x, v), this.own, [carried])
    this.losses = new StageLosses(this.system, world.particleForces, this.attached.map(({ particle }) => particle))
    this.steps = adaptiveSteps(this.system, this.audited(), { error: Infinity, changes: [], shortest: 0 })
    this.reactions = new Float64Array(3 * this.particles.count)
    this.pulls = new Float64Array(3 * this.attached.length)
    this.other = new Float64Array(6 * world.bodies.length)
    this.velocities = new Float64Array(6 * world.bodies.length)
    this.other.fill(NaN)
    context.equations.snapshot.update(context.state)
    if (particles === null) this.follow()
  }

  /** Positions and velocities, for a run that goes on. */
  get state(): Float64Array {
    const { position, velocity } = this.particles
    const state = new Float64Array(2 * position.length)
    state.set(position)
    state.set(velocity, position.length)
    return state
  }

  get carried(): StageState {
    return { other: [...this.other], losses: this.losses.sums, bodyWork: this.bodyWork }
  }

  set carried({ other, losses, bodyWork }: StageState) {
    this.other.set(other)
    this.losses.sums = losses
    this.bodyWork = bodyWork
  }

  /** Takes particles to `time`, and sets what they do to bodies until then. @throws StopError */
  before(time: number): void {
    const { context: { world, equations, time: from, state }, particles, attached, load } = this
    this.from = from
    this.h = time - from
    const { snapshot } = equations
    equations.loads(from, state)
    snapshot.velocities(this.velocities)
    for (let k = 0; k < this.other.length; k++) if (Number.isNaN(this.other[k]!)) this.other[k] = equations.free[k]!
    for (const point of attached) {
      if (!point.dynamic) continue
      const r = sub(pointOf(particles.position, point.particle), snapshot.motions[point.body]!.center)
      const whole = inertiaAt(r, snapshot.inverseMass[point.body]!, snapshot.inverseInertia, 9 * point.body)
      point.inertia = whole.map(entry => entry / load[point.body]!) as unknown as Mat3
      point.acceleration = this.accelerationAt(point.body, pointOf(particles.position, point.particle))
    }
    const before = attached.map(point => placeOf(point, snapshot.motions).velocity)
    this.stage.first = true
    try {
      this.report = this.steps.advance({ positions: particles.position, velocities: particles.velocity }, from, this.h, this.reactions)
    } catch (error) {
      if (!(error instanceof StepTooShort)) throw error
      throw new StopError('StepSizeUnderflow', `deformables: ${error.message}`, from, world.deformables!.list.map(({ id }) => id))
    }
    this.react(before)
  }

  /** What the particles' step gives bodies, as forces until its end. */
  private react(before: readonly Vec3[]): void {
    const { context: { world, equations: { snapshot } }, attached, particles, h } = this
    for (const { wrenches } of world.reactions) wrenches.fill(0)
    attached.forEach((point, i) => {
      const { body, particle, deformable, dynamic, inertia } = point
      if (!dynamic) {
        this.pulls.set(this.reactions.subarray(3 * particle, 3 * particle + 3), 3 * i)
        return
      }
      const place = placeOf(point, snapshot.motions)
      const gained = sub(sub(pointOf(particles.velocity, particle), before[i]!), scale(point.acceleration, h))
      const force = scale(transform(inertia, gained), 1 / h)
      addWrench(world.reactions[deformable]!.wrenches, 6 * body, snapshot.motions[body]!.center, place.position, force)
      for (let k = 0; k < 3; k++) this.pulls[3 * i + k] = -force[k]!
    })
    this.power = this.reactionPower(this.velocities)
  }

  /** W: what reactions do on bodies that move like this. */
  private reactionPower(velocities: Float64Array): number {
    let sum = 0
    for (const { wrenches } of this.context.world.reactions) for (let k = 0; k < wrenches.length; k++) sum += wrenches[k]! * velocities[k]!
    return sum
  }

  /** The bodies' step is done: what is fixed to them is where they are. */
  after(): void {
    const { context: { world, equations: { snapshot }, state }, velocities, other, h } = this
    snapshot.update(state)
    const former = velocities.slice()
    snapshot.velocities(velocities)
    const power = this.reactionPower(velocities)
    this.bodyWork += h / 2 * (this.power + power)
    const { free } = this.context.equations
    for (const { index } of world.bodies) {
      if (!(snapshot.inverseMass[index]! > 0)) continue
      const at = 6 * index
      const pushed = this.pushed(index)
      const measured = [0, 1, 2, 3, 4, 5].map(k => (velocities[at + k]! - former[at + k]!) / h - pushed[k]!)
      // Forces alone, less what deformables gave: what the body feels where nothing else comes.
      const alone = [0, 1, 2, 3, 4, 5].map(k => free[at + k]! - pushed[k]!)
      const size = (of: readonly number[], k: number): number => length([of[k]!, of[k + 1]!, of[k + 2]!])
      const impact = size(measured, 0) > IMPACT * size(alone, 0)
        || size(measured, 3) > IMPACT * Math.max(size(alone, 3), size(alone, 0) / world.bodies[index]!.boundingRadius)
      for (let k = 0; k < 6; k++) other[at + k] = impact ? alone[k]! : measured[k]!
    }
    this.follow()
    this.losses.end({ positions: this.particles.position, velocities: this.particles.velocity })
  }

  /** Accelerations that reactions gave a body in the last step, m/s² and rad/s². */
  private pushed(body: number): number[] {
    const { context: { world, equations: { snapshot: { inverseMass, inverseInertia } } } } = this
    const wrench = [0, 1, 2, 3, 4, 5].map(k => world.reactions.reduce((sum, { wrenches }) => sum + wrenches[6 * body + k]!, 0))
    const turn = (i: number): number => [0, 1, 2].reduce((sum, k) => sum + inverseInertia[9 * body + 3 * i + k]! * wrench[3 + k]!, 0)
    return [...wrench.slice(0, 3).map(f => f * inverseMass[body]!), turn(0), turn(1), turn(2)]
  }

  private follow(): void {
    const { context: { equations: { snapshot } }, attached, particles: { position, velocity } } = this
    for (const point of attached) {
      const { particle, dynamic } = point
      const place = placeOf(point, snapshot.motions)
      position.set(place.position, 3 * particle)
      // On a dynamic body the particle keeps the velocity that it was solved with, so that it takes no momentum from nowhere.
      if (!dynamic) velocity.set(place.velocity, 3 * particle)
    }
  }

  /** m/s²: of a body's point, by all but deformables. */
  private accelerationAt(body: number, point: Vec3): Vec3 {
    const { other, context: { equations: { snapshot } } } = this
    const motion = snapshot.motions[body]!
    const r = sub(point, motion.center)
    const at = 6 * body
    const turning: Vec3 = [other[at + 3]!, other[at + 4]!, other[at + 5]!]
    const spin = motion.angularVelocity
    return add([other[at]!, other[at + 1]!, other[at + 2]!], add(cross(turning, r), cross(spin, cross(spin, r))))
  }

  /** What bodies that particles take along move like at the start of an implicit step: at first as they do, then as the particles. */
  private beginStage(velocities: Float64Array, length: number): void {
    const { stage, attached, context: { equations: { snapshot } } } = this
    stage.length = length
    stage.start.set(velocities)
    if (!stage.first) return
    for (const point of attached) if (point.dynamic) stage.start.set(placeOf(point, snapshot.motions).velocity, 3 * point.particle)
  }

  /** Adds what the inertia of bodies that particles take along does to them: −K⁻¹ ((v − v₀) / a − what else accelerates the body). */
  private carry(v: Float64Array, f: Float64Array): void {
    const { attached, stage: { start, length } } = this
    for (const { dynamic, particle, inertia, acceleration } of attached) {
      if (!dynamic) continue
      const change = sub(scale(sub(pointOf(v, particle), pointOf(start, particle)), 1 / length), acceleration)
      const force = transform(inertia, change)
      for (let k = 0; k < 3; k++) f[3 * particle + k] = f[3 * particle + k]! - force[k]!
    }
  }

  /** Where held particles are: what holds them goes on as it moves at the step's start. */
  private lead(t: number, x: Float64Array, v: Float64Array): void {
    const { motions } = this.context.equations.snapshot
    for (const point of this.attached) {
      if (point.dynamic) continue
      const { position, velocity } = placeOf(point, motions)
      const spin: Vec3 = point.body < 0 ? [0, 0, 0] : motions[point.body]!.angularVelocity
      const s = t - this.from
      const turned = point.body < 0 ? velocity : sub(velocity, motions[point.body]!.velocity)
      const bent = cross(spin, turned)
      for (let k = 0; k < 3; k++) {
        x[3 * point.particle + k] = position[k]! + s * (velocity[k]! + s / 2 * bent[k]!)
        v[3 * point.particle + k] = velocity[k]! + s * bent[k]!
      }
    }
  }

  /** The method, which tells what its stages start from, and where energy went in each of its steps. */
  private audited(): ImplicitMethod {
    const method = implicitEuler(this.system, STAGE_SETTINGS)
    return {
      get error() { return method.error },
      step: (state, t, h, reactions) => {
        if (h < this.h / (1 << HALVINGS)) return { converged: false, iterations: 0, linearIterations: 0, residual: Infinity, indefinite: 0 }
        this.beginStage(state.velocities, h)
        this.losses.end(state)
        this.losses.begin(state, t, h)
        const report = method.step(state, t, h, reactions)
        if (report.converged) this.stage.first = false
        else this.losses.drop()
        return report
      },
    }
  }

  /** What a frame tells. */
  get solved(): SolvedDeformables {
    const { particles, own, context: { world }, report } = this
    return {
      particles, ...elementValues(own, world.deformables!, particles), reactions: this.pulls, works: { ...this.losses.sums, bodies: this.bodyWork },
      potential: world.particleForces.reduce((sum, force) => sum + (force.potential?.(particles.position) ?? 0), 0),
      iterations: report.iterations, linearIterations: report.linearIterations, residual: report.residual, steps: report.steps,
    }
  }
}
