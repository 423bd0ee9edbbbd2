/**
 * One substep of a moving heap: contacts where the features of near pairs face each other, their problem, solved by a bounded number of sweeps from the
 * impulses of the substep before, and positions corrected wherever pairs overlap at its end.
 *
 * Bodies that nothing pushes go as far as they fall, c⁺ = c + h (v⁻ + v⁺)/2; the others by their velocity after the contacts, c⁺ = c + h v⁺.
 */

import type { PrimitivePair } from '../../../contact/contact-set'
import type { Snapshot } from '../../../contact/snapshot'
import { relativeVelocityAt } from '../../../geometry/motion'
import { ROW_FRICTION, ROW_UNILATERAL, type FrictionRows } from '../../../lcp/problem'
import { cross, dot, perpendicular, ZERO } from '../../../math/vector'
import type { BodyMotions } from '../body-motions'
import { speedAfterBounce } from '../bounce'
import type { StepContext } from '../context'
import { pileGap } from '../pile-gap'
import { moveApart } from '../moving-apart'
import type { ProblemRoom, ProblemRooms } from '../problem-room'
import { BOUNCE, STICKING } from '../settings'
import { accelerate } from '../solvers/iterative'
import type { StepProblem, StepSolution } from '../step-problem'
import { HeapContacts } from './heap-contacts'
import { HeapImpacts } from './heap-impacts'
import type { HeapPair } from './heap-pair'
import { book, type HeapWorks } from './heap-works'

/**
 * Sweeps of one substep at most. The next substep starts from their impulses and goes on where they ended. With 12 the worst residual of a fall is four times
 * as large; with 40 it is no smaller.
 */
const SWEEPS = 32
/** Sweeps of a heap that hardly moves: more of them bring it to rest in fewer steps. */
const SETTLING_SWEEPS = 50
/** m/s: the fastest point of a heap that hardly moves. */
const SETTLING = 1e-2
/** × the speed of the fastest point: how accurately velocities have to be found. */
const LEFT = 0.01
/**
 * × the speed below which a body counts as at rest (`stillSpeed`): the residual at which sweeps end. The impulses of a heap that is already at rest are kept
 * as they are up to the larger residual, since rounding may allow no smaller one.
 */
const FLOOR = 0.03
const FLOOR_AT_REST = 1
/** m/s ÷ (gap target ÷ substep): velocities found this well leave a tenth of the gap target. */
const ACCURACY = 0.1
/** × the way on which a pair may close in by its velocities: how far features are looked for. */
const AHEAD = 1.5
/** × gap target, below and above: a contact that rests between these stays where it is. */
const LEAST_AIM = 1e-4
const MOST_AIM = 2
/** The same: a contact that rests is looked for up to here. */
const TOUCHING = 3
/** What `MethodEnd.solver` calls it. */
const HEAP = 'heap'
const NO_SLOTS = new Int32Array(0)

export class Substep {
  readonly contacts = new HeapContacts()
  problem: StepProblem | null = null
  solution: StepSolution | null = null
  room: ProblemRoom | null = null
  readonly impacts = new HeapImpacts()
  /** Bodies that were moved apart since the step began, and m: the longest way of one of their centres in a substep. */
  readonly moved = new Set<number>()
  movedMost = 0
  readonly works: HeapWorks = { normal: 0, friction: 0, kinematic: 0 }
  /** By body: whether a contact pushed it. */
  private readonly pushed: Uint8Array
  private readonly slots: Int32Array
  /** By body, m/s: how fast its points move at most because it turns; 0 of what stands. */
  private readonly swings: Float64Array
  private fastest = 0
  private still = 0

  constructor(
    private readonly context: StepContext, readonly snapshot: Snapshot, readonly motions: BodyMotions, private readonly rooms: ProblemRooms,
    readonly state: Float64Array, readonly end: Float64Array,
  ) {
    this.pushed = new Uint8Array(snapshot.bodies.length)
    this.slots = new Int32Array(snapshot.bodies.length).fill(-1)
    this.swings = new Float64Array(snapshot.bodies.length)
  }

  /**
   * A step of a heap begins.
   *
   * @param fastest m/s: of its points
   * @param still m/s: what sweeps leave of velocities at rest, and is no motion
   */
  begin(fastest: number, still: number): void {
    this.fastest = fastest
    this.still = still
    this.works.normal = this.works.friction = this.works.kinematic = 0
    this.impacts.clear()
    this.moved.clear()
    this.movedMost = 0
  }

  /**
   * From the snapshot into `end`.
   *
   * @param bodies of the heap
   * @param moving those, and kinematic bodies
   * @param external wrenches, six doubles a body
   * @returns false where pairs still overlap
   */
  take(bodies: readonly number[], moving: readonly number[], pairs: readonly HeapPair[], external: Float64Array, h: number): boolean {
    const { motions } = this
    for (const body of moving) {
      motions.push.fill(0, 6 * body, 6 * body + 6)
      motions.kickBody(body, external, h)
      motions.accelerate(body)
    }
    this.gather(pairs, moving, h)
    this.assemble(bodies, h)
    this.solve(h)
    this.move(bodies, moving, h)
    return this.part(pairs)
  }

  /** Leaves the arrays of the last problem to whoever keeps it. */
  yieldRoom(): ProblemRoom {
    const room = this.room!
    this.room = null
    return room
  }

  private gather(pairs: readonly HeapPair[], moving: readonly number[], h: number): void {
    const { contacts, swings, snapshot: { motions, bodies }, motions: { velocity, turned } } = this
    contacts.count = 0
    for (const body of moving) swings[body] = swing(velocity, body, bodies[body]!.boundingRadius)
    for (let k = 0; k < pairs.length; k++) {
      const pair = pairs[k]!
      const { pair: { bodyA, bodyB }, margin, clearance, gap: aim } = pair
      const a = motions[bodyA]!.pose
      const b = motions[bodyB]!.pose
      const x = velocity[6 * bodyA]! - velocity[6 * bodyB]!
      const y = velocity[6 * bodyA + 1]! - velocity[6 * bodyB + 1]!
      const z = velocity[6 * bodyA + 2]! - velocity[6 * bodyB + 2]!
      const reach = AHEAD * h * (Math.sqrt(x * x + y * y + z * z) + swings[bodyA]! + swings[bodyB]!) + TOUCHING * aim
      let apart = margin.least(a, b, turned) > reach
      if (!apart) {
        const gap = clearance.knownGap(a, b, reach)
        margin.mark(gap, a, b, turned)
        apart = gap > reach
      }
      if (!apart) pair.contacts(a, b, reach, h, contacts)
      pair.forget()
    }
  }

  private assemble(bodies: readonly number[], h: number): void {
    const { contacts, snapshot, motions, slots, context: { scales, settings } } = this
    const { count } = contacts
    let size = count
    for (let k = 0; k < count; k++) if (contacts.pairs[k]!.pair.material.staticFriction > 0) size += 2
    if (this.room !== null) this.rooms.give(this.room)
    const room = this.room = this.rooms.take(size)
    const { rows } = room
    const kind = room.kind.subarray(0, size)
    const b = room.b.subarray(0, size)
    const p = room.p.subarray(0, size)
    const friction: FrictionRows[] = []
    for (let k = 0; k < count; k++) {
      const { bodyA, bodyB, material } = contacts.pairs[k]!.pair
      const { point, normal, gap } = contacts.at[k]!
      const relative = relativeVelocityAt(snapshot.motions[bodyA]!, snapshot.motions[bodyB]!, point)
      const approach = contacts.approach[k] = dot(normal, relative)
      const still = STICKING * scales.speed(bodyA, bodyB)
      const along = Math.sqrt(Math.max(0, dot(relative, relative) - approach * approach))
      const mu = contacts.friction[k] = along <= still ? material.staticFriction : material.dynamicFriction
      const row = contacts.row[k] = rows.count
      const [x, y, z] = [contacts.impulses[3 * k]!, contacts.impulses[3 * k + 1]!, contacts.impulses[3 * k + 2]!]
      kind[row] = ROW_UNILATERAL
      rows.pushPoint(snapshot, bodyA, bodyB, point, normal, 0)
      const exact = !Number.isNaN(contacts.rows[3 * k]!)
      p[row] = exact ? contacts.rows[3 * k]! : Math.max(0, x * normal[0] + y * normal[1] + z * normal[2])
      const target = contacts.pairs[k]!.gap
      const aim = contacts.aim[k] = Math.min(Math.max(gap, LEAST_AIM * target), MOST_AIM * target)
      const free = contacts.unmet[k] = rows.along(row, motions.velocity)
      const bounce = contacts.bounce[k] = material.restitution > 0
        ? speedAfterBounce({
            e: material.restitution, approach, unmet: free, gap, h, threshold: Math.max(settings.restingSpeed, BOUNCE * Math.abs(free - approach)),
          })
        : -Infinity
      b[row] = Math.max((aim - gap) / h, bounce) - free
      if (!(mu > 0)) continue
      kind[row + 1] = kind[row + 2] = ROW_FRICTION
      const tangent1 = perpendicular(normal)
      const tangent2 = cross(normal, tangent1)
      rows.pushPoint(snapshot, bodyA, bodyB, point, tangent1, 0)
      rows.pushPoint(snapshot, bodyA, bodyB, point, tangent2, 0)
      p[row + 1] = exact ? contacts.rows[3 * k + 1]! : x * tangent1[0] + y * tangent1[1] + z * tangent1[2]
      p[row + 2] = exact ? contacts.rows[3 * k + 2]! : x * tangent2[0] + y * tangent2[1] + z * tangent2[2]
      b[row + 1] = -rows.along(row + 1, motions.velocity)
      b[row + 2] = -rows.along(row + 2, motions.velocity)
      friction.push(room.frictionRows(friction.length, row, mu))
    }
    rows.weigh(snapshot)
    const n = rows.count
    for (let k = 0; k < bodies.length; k++) slots[bodies[k]!] = k
    const slotA = room.slotA.subarray(0, n)
    const slotB = room.slotB.subarray(0, n)
    for (let i = 0; i < n; i++) {
      slotA[i] = slots[rows.bodyA[i]!]!
      slotB[i] = slots[rows.bodyB[i]!]!
    }
    for (const body of bodies) slots[body] = -1
    this.problem = {
      rows, gradient: rows.jacobian, kind: kind.subarray(0, n), lower: room.lower.subarray(0, n), upper: room.upper.subarray(0, n), friction, spin: [],
      b: b.subarray(0, n), p: p.subarray(0, n), basis: room.basis.subarray(0, n).fill(0), slip: new Float64Array(2 * friction.length), warm: false,
      hopeless: false,
      bodyCount: bodies.length, slotA, slotB, secondSlotA: NO_SLOTS, secondSlotB: NO_SLOTS, alternatives: [],
    }
  }

  private solve(h: number): void {
    const { problem, contacts, motions, context: { counts, solves } } = this
    let least = Infinity
    for (let k = 0; k < contacts.count; k++) least = Math.min(least, contacts.pairs[k]!.gap)
    const { p } = problem!
    const guess = p.slice()
    const { fastest } = this
    const floor = (fastest === 0 ? FLOOR_AT_REST : FLOOR) * this.still
    const accuracy = Math.max(floor, Math.min(ACCURACY * least / h, LEFT * fastest))
    const solution = this.solution = accelerate(problem!, 0, accuracy, accuracy, false, fastest < SETTLING ? SETTLING_SWEEPS : SWEEPS)
    // What holds as it is stays as it is, to the bit.
    if (solution.iterations <= 1 && solution.residual <= floor) p.set(guess)
    counts.solverCalls++
    solves.set(HEAP, (solves.get(HEAP) ?? 0) + 1)
    counts.pivots += solution.iterations
    counts.maxContacts = Math.max(counts.maxContacts, contacts.count)
    problem!.rows.addWrench(problem!.p, motions.push)
  }

  private move(bodies: readonly number[], moving: readonly number[], h: number): void {
    const { motions, pushed, contacts, problem, state, end, snapshot: { inverseMass } } = this
    const { p } = problem!
    for (const body of bodies) motions.accelerate(body)
    pushed.fill(0)
    for (let k = 0; k < contacts.count; k++) {
      if (p[contacts.row[k]!] === 0) continue
      const { bodyA, bodyB } = contacts.pairs[k]!.pair
      pushed[bodyA] = pushed[bodyB] = 1
    }
    book(this, this.context.settings.restingSpeed, h)
    for (const body of moving) motions.drift(body, h, state, end)
    for (const body of bodies) {
      if (pushed[body] === 1) continue
      const share = -h / 2 * inverseMass[body]!
      const x = motions.kick[6 * body]!
      const y = motions.kick[6 * body + 1]!
      const z = motions.kick[6 * body + 2]!
      if (x !== 0 || y !== 0 || z !== 0) motions.correct(body, [share * x, share * y, share * z], ZERO, end)
    }
    motions.countTurns(moving)
  }

  /** Moves apart what overlaps at the end. @returns whether nothing does any more */
  private part(pairs: readonly HeapPair[]): boolean {
    const { motions, end } = this
    const { poses, turned } = motions
    const overlapping: PrimitivePair[] = []
    for (let k = 0; k < pairs.length; k++) {
      const { pair, margin, clearance } = pairs[k]!
      const a = poses[pair.bodyA]!
      const b = poses[pair.bodyB]!
      if (margin.least(a, b, turned) > 0 || clearance.isApart(a, b, 0)) continue
      overlapping.push(pair)
    }
    if (overlapping.length === 0) return true
    const moved = moveApart(
      motions, pairs.map(({ pair }) => pair), overlapping, end, pair => this.gapOf(pair), k => {
        const { pair: { bodyA, bodyB }, margin } = pairs[k]!
        return margin.least(poses[bodyA]!, poses[bodyB]!, turned)
      })
    if (moved === null) return false
    if (moved.most > this.movedMost) this.movedMost = moved.most
    for (const body of moved.bodies) this.moved.add(body)
    return true
  }

  /** m: the gap that its contacts are solved for. */
  private gapOf({ bodyA, bodyB }: PrimitivePair): number {
    return pileGap(this.context, [bodyA, bodyB])
  }
}

function swing(velocity: Float64Array, body: number, radius: number): number {
  const x = velocity[6 * body + 3]!
  const y = velocity[6 * body + 4]!
  const z = velocity[6 * body + 5]!
  const speed = x * x + y * y + z * z
  return speed === 0 ? 0 : Math.sqrt(speed) * radius
}
