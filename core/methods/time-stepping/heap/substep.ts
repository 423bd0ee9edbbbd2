/**
 * One substep of a moving heap: contacts between the facing features of near pairs, their problem solved by a bounded number of sweeps warm-started
 * from the last substep, and position correction of pairs that overlap at the end.
 *
 * Bodies without a contact impulse fall freely, c⁺ = c + h (v⁻ + v⁺)/2; the others move by their velocity after the contacts, c⁺ = c + h v⁺.
 */

import type { StepContext } from '../context'
import type { ProblemWorkspace, ProblemWorkspaces } from '../problem-workspace'
import { accelerate, type SweepLimits } from '../solvers/iterative'
import type { StepProblem, StepSolution } from '../step-problem'
import type { HeapBodies } from './heap-bodies'
import { HeapContacts } from './heap-contacts'
import { HeapImpacts } from './heap-impacts'
import type { HeapPairs } from './heap-pairs'
import { assemble, rowsOf } from './heap-rows'
import { book, bookKick, type HeapWorks } from './heap-works'
import { PositionCorrection } from './position-correction'
import { ACCURACY, HEAP_ACCURACY, HEAP_FLOOR, HEAP_FLOOR_AT_REST } from '../tolerances'

/**
 * Sweeps of one substep, from whose impulses the next one continues: 32, and up to 200 while the residual is coarse, as where many hulls land at once.
 * Without the latter the worst residual of a falling heap is ten times as large, with more of them no smaller.
 */
const SWEEPS: SweepLimits = { coarseAfter: 32, most: 200 }
/** Sweeps of a heap that hardly moves. More sweeps bring it to rest in fewer steps. */
const SETTLING_SWEEPS: SweepLimits = { coarseAfter: 50, most: 50 }
/** m/s: a heap hardly moves if its fastest point is slower than this. */
const SETTLING = 1e-2
/** × the approach distance of a pair in the substep: range within which features are searched. */
const AHEAD = 1.5
/** × gap target: range within which resting contacts are searched. */
const TOUCHING = 3
/** Name in `MethodEnd.solver`. */
const HEAP = 'heap'

export class Substep {
  readonly contacts = new HeapContacts()
  problem: StepProblem | null = null
  solution: StepSolution | null = null
  workspace: ProblemWorkspace | null = null
  readonly impacts = new HeapImpacts()
  readonly correction: PositionCorrection
  readonly works: HeapWorks = { normal: 0, friction: 0, kinematic: 0, numerical: 0 }
  /** Handles of the pairs that may come into contact in the step. */
  private list: Int32Array = new Int32Array(0)
  private listed = 0
  /** By body: whether a contact impulse acted on it. */
  private readonly pushed: Uint8Array
  private readonly slots: Int32Array
  /** m/s, by body: bound on the speed of its points due to rotation; 0 for bodies at rest. */
  private readonly swings: Float64Array
  private fastest = 0
  private still = 0

  constructor(private readonly context: StepContext, readonly bodies: HeapBodies, readonly pairs: HeapPairs, private readonly workspaces: ProblemWorkspaces) {
    const { length } = bodies.bodies
    this.correction = new PositionCorrection(pairs, bodies)
    this.pushed = new Uint8Array(length)
    this.slots = new Int32Array(length).fill(-1)
    this.swings = new Float64Array(length)
  }

  /**
   * Prepares for a step of a heap.
   *
   * @param list handles of the pairs that may come into contact in it
   * @param fastest m/s: speed of the fastest point
   * @param still m/s: speeds below this are residuals of the sweeps, not motion
   */
  begin(list: Int32Array, listed: number, fastest: number, still: number): void {
    this.list = list
    this.listed = listed
    this.fastest = fastest
    this.still = still
    this.works.normal = this.works.friction = this.works.kinematic = this.works.numerical = 0
    this.impacts.clear()
    this.correction.begin(list, listed)
  }

  /**
   * @param members bodies of the heap
   * @param moving these and the kinematic bodies
   * @param external wrenches, six doubles a body
   * @returns false if pairs still overlap
   */
  take(members: readonly number[], moving: readonly number[], external: Float64Array, h: number): boolean {
    const { bodies, context } = this
    for (let k = 0; k < moving.length; k++) bodies.kickBody(moving[k]!, external, h)
    this.gather(moving, h)
    if (this.workspace !== null) this.workspaces.give(this.workspace)
    this.workspace = this.workspaces.take(rowsOf(this.contacts, this.pairs))
    this.problem = assemble(context, this.contacts, this.pairs, bodies, members, {
      workspace: this.workspace, slots: this.slots, h, settles: this.fastest < SETTLING,
    })
    this.solve(h)
    this.move(members, moving, h)
    const apart = this.correction.correct(this.list, this.listed)
    this.works.numerical += this.correction.gain / h
    return apart
  }

  /** Hands the workspace of the last problem to the caller. */
  releaseWorkspace(): ProblemWorkspace {
    const workspace = this.workspace!
    this.workspace = null
    return workspace
  }

  private gather(moving: readonly number[], h: number): void {
    const { contacts, swings, pairs, list, listed, bodies: { start, velocity, turned, bodies } } = this
    contacts.count = 0
    for (let k = 0; k < moving.length; k++) swings[moving[k]!] = swing(velocity, moving[k]!, bodies[moving[k]!]!.boundingRadius)
    for (let k = 0; k < listed; k++) {
      const pair = list[k]!
      const a = pairs.bodyA[pair]!
      const b = pairs.bodyB[pair]!
      const x = velocity[6 * a]! - velocity[6 * b]!
      const y = velocity[6 * a + 1]! - velocity[6 * b + 1]!
      const z = velocity[6 * a + 2]! - velocity[6 * b + 2]!
      const reach = AHEAD * h * (Math.sqrt(x * x + y * y + z * z) + swings[a]! + swings[b]!) + TOUCHING * pairs.gap[pair]!
      if (!(pairs.least(pair, start, turned) > reach)) {
        const first = contacts.count
        let bound = pairs.between(pair, start)
        if (!(bound > reach)) {
          contacts.begin(pair, pairs.spacing[pair]!)
          bound = pairs.manifold(pair).contacts(start, a, b, reach, contacts)
        }
        if (bound > -Infinity) pairs.bound(pair, bound, start, turned)
        for (let n = first; n < contacts.count; n++) pairs.memory(pair).recall(contacts, n, h)
      }
      pairs.forget(pair)
    }
  }

  private solve(h: number): void {
    const { problem, contacts, pairs, bodies, fastest, context: { counts, solves } } = this
    let least = Infinity
    for (let k = 0; k < contacts.count; k++) least = Math.min(least, pairs.gap[contacts.pairs[k]!]!)
    const { p, rows } = problem!
    const guess = p.slice()
    const floor = (fastest === 0 ? HEAP_FLOOR_AT_REST : HEAP_FLOOR) * this.still
    const accuracy = Math.max(floor, Math.min(ACCURACY * least / h, HEAP_ACCURACY * fastest))
    const solution = this.solution = accelerate(problem!, 0, accuracy, accuracy, false, fastest < SETTLING ? SETTLING_SWEEPS : SWEEPS)
    // If the warm start is already accurate, it is kept bit for bit.
    if (solution.iterations <= 1 && solution.residual <= floor) p.set(guess)
    counts.solverCalls++
    solves.set(HEAP, (solves.get(HEAP) ?? 0) + 1)
    counts.pivots += solution.iterations
    counts.maxContacts = Math.max(counts.maxContacts, contacts.count)
    rows.addWrench(p, bodies.push)
  }

  private move(members: readonly number[], moving: readonly number[], h: number): void {
    const { bodies, pushed, contacts, pairs, problem } = this
    const { p } = problem!
    for (let k = 0; k < members.length; k++) {
      bodies.accelerate(members[k]!)
      pushed[members[k]!] = 0
    }
    for (let k = 0; k < contacts.count; k++) {
      if (p[contacts.row[k]!] === 0) continue
      pushed[pairs.bodyA[contacts.pairs[k]!]!] = pushed[pairs.bodyB[contacts.pairs[k]!]!] = 1
    }
    book(this, this.context.settings.restingSpeed, h)
    for (let k = 0; k < members.length; k++) if (pushed[members[k]!] === 1) bookKick(members[k]!, bodies, this.works)
    for (let k = 0; k < moving.length; k++) bodies.drift(moving[k]!, h, pushed[moving[k]!] === 1 ? 0 : 1 / 2)
  }
}

function swing(velocity: Float64Array, body: number, radius: number): number {
  const x = velocity[6 * body + 3]!
  const y = velocity[6 * body + 4]!
  const z = velocity[6 * body + 5]!
  const speed = x * x + y * y + z * z
  return speed === 0 ? 0 : Math.sqrt(speed) * radius
}
