/**
 * One step of a scene with separate islands: an island that fails is halved alone, as often as needed, and the others keep their step.
 *
 * Islands move independently as long as they do not meet, so bodies stepped separately are checked afterwards. If the paths of two bodies met, their
 * islands are merged and stepped together from the start: in halves if one of them needed halves, otherwise with the contact model that one of them
 * needed.
 */

import { shortNumber } from '../../math/short-number'
import { BODY_STATE } from '../../dynamics/state'
import { rememberCoordinates } from '../../contact/drives'
import { StopError, type MethodEnvironment, type MethodEvent } from '../method'
import { auditStep } from './audit'
import type { StepContext } from './context'
import { factsOf } from './report'
import { PastFailures } from './past-failures'
import { MAX_HALVINGS } from './settings'
import { stepLength } from './step-length'
import { bodiesOfJoint } from '../../dynamics/joints'
import type { RememberedState } from './memory'
import type { StepFailure, Stepper } from './stepper'
import { asOne, firstPlans, MAX_DIVISIONS, PILED, planOfMeeting, UNDIVIDED, type Divided, type Plan, type Way } from './step-plans'
import { harder, StepOutcome } from './step-outcome'
import { applyImpulses } from './island-impact'
import { Traces } from './traces'

interface Group extends Plan {
  readonly outcome: StepOutcome
  /** Warm starts from before its step, if some of its bodies may have to be stepped again without the others; otherwise null. */
  readonly remembered: RememberedState | null
}

export class IslandSteps {
  readonly past: PastFailures
  /** For the step that ended the run: the solves up to the failure, in order. */
  readonly unfinished: MethodEvent[] = []

  /** @param collide resolves sequential impacts before a step of h seconds */
  constructor(
    private readonly context: StepContext, private readonly stepper: Stepper, private readonly collide: (h: number, environment: MethodEnvironment) => void,
  ) {
    this.past = new PastFailures(context.world.bodies.length)
  }

  /**
   * Advances some bodies, and kinematic ones, from the context's time and state to `time`; both are then those at the end.
   *
   * @param bodies sorted; complete with respect to coupling
   * @param divided how the step was divided at impacts so far
   * @throws StopError if an island fails at the smallest step
   */
  advance(bodies: readonly number[], time: number, halvings: number, divided = UNDIVIDED): StepOutcome {
    const { context, stepper: { kinematic } } = this
    const start = context.state.slice()
    const middles = context.leapfrog.copy()
    const from = context.time
    let kinematicEnd: Float64Array | null = null
    let groups: Group[] = []
    const plans = firstPlans(bodies, this.past, this.stepper.coupling, divided, halvings === 0 && divided === UNDIVIDED)
    while (plans.length > 0) {
      for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) {
        this.copy(start, context.state, [...plan.bodies, ...kinematic])
        context.leapfrog.takeFrom(middles, plan.bodies)
        context.time = from
        const group = plan.way === 'halves' ? this.halve(plan, time, halvings, divided)
          : plan.way === 'impact' ? this.atImpact(plan, time, halvings, divided) : this.inOne(plan, time, divided, plans, groups.length === 0)
        kinematicEnd ??= context.state.slice()
        if (group !== null) groups.push(group)
      }
      if (groups.length === 1) break
      groups = this.mergeGroupsThatMet(groups, plans)
    }
    this.copy(kinematicEnd!, context.state, kinematic)
    context.time = time
    const [first, ...rest] = groups
    if (first === undefined) return new StepOutcome()
    for (const { outcome } of rest) first.outcome.add(outcome)
    return first.outcome
  }

  private copy(from: Float64Array, to: Float64Array, bodies: readonly number[]): void {
    const { offsets } = this.context.equations.layout
    for (const body of bodies) {
      const o = offsets[body]!
      if (o >= 0) to.set(from.subarray(o, o + BODY_STATE), o)
    }
  }

  /** Bodies of the plan that complete the step at once; plans for the others are appended. @param first whether it is the first group */
  private inOne({ bodies, way, failure, met }: Plan, time: number, { times, last, together }: Divided, plans: Plan[], first: boolean): Group | null {
    const { context, stepper } = this
    const { contactModel, solver, linearizations } = context.settings
    const mayPile = solver === 'auto' && linearizations === null
    const h = stepLength(context, time)
    // Each division of bodies that keep the same parts divides the step of all of them.
    const divides = times < 2 * MAX_DIVISIONS && !(together && bodies.length >= PILED)
    const { fallback } = contactModel
    const failures = stepper.attempt(h, way === 'one' ? contactModel : fallback ?? contactModel, bodies, way === 'piled', divides ? { last, bounces: times < MAX_DIVISIONS } : null)
    const next = ({ at }: StepFailure): Way => way === 'one' && fallback !== undefined ? 'fallback'
      : way !== 'piled' && at.length >= PILED && mayPile ? 'piled' : 'halves'
    if (failures.length > 0 && (together || met)) {
      const failed = asOne(failures)
      plans.push({ bodies, way: failed.divisionPoint === null ? next(failed) : 'impact', failure: failed, met })
      this.copy(stepper.end, context.state, stepper.kinematic)
      return null
    }
    for (const failed of failures) plans.push({ bodies: failed.bodies, way: failed.divisionPoint === null ? next(failed) : 'impact', failure: failed, met })
    const outcome = new StepOutcome()
    if (way !== 'one' && stepper.bodies.length > 0) {
      outcome.addDegraded(context, failure!, way === 'piled' ? 'is solved with the accuracy of a pile' : `is solved with the ${fallback!.name} contact model`, h)
      if (fallback !== undefined) outcome.fellBack.push(...stepper.islands.map(island => island.bodies))
    }
    // Another group may meet this one: the bodies that do not meet it are then solved again from the same memory.
    const remembered = first && plans.length === 0 ? null : stepper.memory.save()
    this.accept(time, outcome)
    return stepper.bodies.length === 0 ? null : { bodies: stepper.bodies, way, failure, met, outcome, remembered }
  }

  /** Accepts the successful part of the stepper's last attempt. */
  private accept(time: number, outcome: StepOutcome): void {
    const { context, stepper } = this
    const { world } = context
    const { bodies, kinematic, motions, passages, h } = stepper
    outcome.traces.add(bodies, motions, passages, context.time, h)
    if (stepper.correction !== null) outcome.addCorrection(world, stepper.correction, time, h)
    outcome.reports.push({ time, facts: factsOf(context, stepper, time) })
    stepper.finish(time)
    for (const { mode, history } of stepper.islands) if (mode === 'contact') outcome.hardest = harder(outcome.hardest, { time, history })
    const { works, impactWork, numericalWork, load } = auditStep(context, stepper)
    works.forEach((work, k) => { outcome.works[k]! += work })
    outcome.impactWork += impactWork
    outcome.numericalWork += numericalWork
    outcome.load.along += load.along
    outcome.load.gained += load.gained
    this.copy(stepper.end, context.state, [...bodies, ...kinematic])
    context.counts.steps++
    context.counts.work += 1 + bodies.length
  }

  private halve(plan: Plan, time: number, halvings: number, divided: Divided): Group {
    const { context } = this
    const from = context.time
    const h = stepLength(context, time)
    const { reason, at } = plan.failure!
    if (halvings >= MAX_HALVINGS) {
      const ids = at.map(body => context.world.bodies[body]!.id)
      throw new StopError('StepSizeUnderflow', `a step of ${shortNumber(h)} s, halved ${halvings} times already, fails: ${reason}`, from, ids)
    }
    const outcome = new StepOutcome()
    outcome.addDegraded(context, plan.failure!, 'is halved', h)
    if (halvings === 0 && divided === UNDIVIDED) outcome.halved.push(plan.bodies)
    const next = { ...divided, together: divided.together || plan.met }
    this.inTwo(plan, from + h / 2, time, outcome, (bodies, end) => this.advance(bodies, end, halvings + 1, next))
    return { ...plan, outcome, remembered: null }
  }

  /** The impacts at its start, or up to the first impact and from it. */
  private atImpact(plan: Plan, time: number, halvings: number, divided: Divided): Group {
    const { context: { equations, state, leapfrog, time: from } } = this
    const outcome = new StepOutcome()
    const { after, islandImpacts } = plan.failure!.divisionPoint!
    const next: Divided = { times: divided.times + 1, last: islandImpacts.length > 0 ? from : divided.last, together: divided.together || plan.met }
    for (const impact of islandImpacts) {
      outcome.addImpact(impact)
      applyImpulses(equations, impact, state)
      for (const body of impact.bodies) leapfrog.restart(body)
    }
    if (after > 0) {
      this.inTwo(plan, from + after, time, outcome, (bodies, end) => this.advance(bodies, end, halvings, next))
    } else {
      equations.snapshot.update(state)
      outcome.add(this.advance(plan.bodies, time, halvings, next))
    }
    return { ...plan, outcome, remembered: null }
  }

  private inTwo(
    { bodies }: Plan, middle: number, time: number, outcome: StepOutcome, advance: (bodies: readonly number[], end: number) => StepOutcome,
  ): void {
    const { context } = this
    for (const end of [middle, time]) {
      const { observer } = context.environment
      const reports = context.time
      this.collide(stepLength(context, end), {
        ...context.environment, observer: { frame: frame => observer.frame(frame), event: event => outcome.reports.push({ time: reports, event }) },
      })
      try {
        outcome.add(advance(bodies, end))
      } catch (error) {
        this.unfinished.unshift(...outcome.reports.flatMap(({ event }) => event?.kind === 'degraded' ? [event] : []))
        throw error
      }
      context.equations.snapshot.update(context.state)
      rememberCoordinates(context.world, context.equations)
    }
  }

  /** Plans again the islands that were stepped separately and met. @returns the groups that remain valid */
  private mergeGroupsThatMet(groups: readonly Group[], plans: Plan[]): Group[] {
    const { stepper: { near, kept: { list: last }, coupling, memory }, context: { world, equations: { snapshot } } } = this
    /** By body: its group; −1 if none, or immovable. */
    const groupOf = new Int32Array(snapshot.bodies.length).fill(-1)
    groups.forEach((group, k) => { for (const body of group.bodies) if (snapshot.inverseMass[body]! > 0) groupOf[body] = k })
    const traces = new Traces()
    for (const { outcome } of groups) traces.addAll(outcome.traces)
    /** Sets of bodies that met, closed under coupling, with the pair that met. */
    let joined: { bodies: Set<number>; at: readonly number[] }[] = []
    for (const pair of near.all) {
      const { bodyA, bodyB } = pair
      const a = groupOf[bodyA]!
      const b = groupOf[bodyB]!
      if (a < 0 || b < 0 || a === b || joined.some(({ bodies }) => bodies.has(bodyA) && bodies.has(bodyB))) continue
      if (!traces.meet(pair, snapshot)) continue
      const bodies = new Set<number>([bodyA, bodyB])
      for (let before = -1; before < bodies.size;) {
        before = bodies.size
        for (const body of coupling.closure(bodies)) if (groupOf[body]! >= 0) bodies.add(body)
        for (const island of last) if (island.bodies.some(body => bodies.has(body))) for (const body of island.bodies) bodies.add(body)
        for (const group of groups) if (group.way !== 'one' && group.bodies.some(body => bodies.has(body))) for (const body of group.bodies) bodies.add(body)
        for (const other of joined) if ([...other.bodies].some(body => bodies.has(body))) for (const body of other.bodies) bodies.add(body)
      }
      joined = [...joined.filter(other => !bodies.has(other.at[0]!)), { bodies, at: [bodyA, bodyB] }]
    }
    for (const { bodies, at } of joined) {
      const own = groups.filter(group => group.bodies.some(body => bodies.has(body)))
      plans.push(planOfMeeting(bodies, at, own))
    }
    const leaves = (body: number): boolean => joined.some(({ bodies }) => bodies.has(body))
    return groups.filter(group => {
      if (!group.bodies.some(leaves)) return true
      const bodies = group.bodies.filter(body => !leaves(body))
      if (group.remembered !== null) memory.restore(group.remembered, new Set(group.bodies), joint => bodiesOfJoint(world.joints[joint]!.constraint))
      if (bodies.length > 0) plans.unshift({ ...group, bodies })
      return false
    })
  }
}
