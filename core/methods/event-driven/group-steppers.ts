/**
 * The groups of bodies that step independently. Groups are joined if their bodies come near each other, split if they no longer do, and merged into
 * the context of the whole world if an operation concerns all bodies.
 */

import type { Integrator } from '../../dynamics/integrator'
import { writeScales } from '../../dynamics/state-layout'
import { TreeIntegrator } from '../../dynamics/trees'
import type { RunContext } from './context'
import { addWorks, contentsOf, copyBodies, fill, mergeIntoWhole, groupContext } from './group-contexts'
import { GroupStepper } from './group-stepper'
import { Groups } from './groups'
import type { StepMotion } from './step-motion'

/** Number of steps of a group for which its bodies get bounding boxes. */
const STEPS_AHEAD = 8

export class GroupSteppers {
  /** In the order of their first bodies. */
  list: GroupStepper[] = []
  /** s: the next breakpoint of forces; no stage of a step passes it. */
  stop = Infinity
  private readonly groups: Groups

  /** @param context of the whole world; with a single group it is that group's context, otherwise it is updated on demand */
  constructor(private readonly context: RunContext) {
    this.groups = new Groups(context.world, context.settings)
  }

  /** Whether there is only one group, which uses the context of the whole world. */
  get one(): boolean {
    return this.list.some(stepper => stepper.context === this.context)
  }

  /** s: the time that all groups have reached. */
  get reached(): number {
    return this.list.reduce((least, { reached }) => Math.min(least, reached), Infinity)
  }

  /** s: the smallest of the step sizes to try next. */
  get step(): number {
    return Math.min(...this.list.map(({ step }) => step))
  }

  /** Creates one group of all bodies, from the context of the whole world. @param step s, the step size to try first if all groups were separate */
  join(step: number): GroupStepper {
    const { context } = this
    const stepper = this.list.find(known => known.context === context) ?? this.stepperOf(context, step)
    this.list = [stepper]
    this.groups.clear()
    stepper.reached = context.time
    return stepper
  }

  /**
   * Writes the state and the works of all groups at an instant that every group has reached into `out`; touching points and islands go into the
   * context.
   */
  stateAt(time: number, out: Float64Array): void {
    const { context, list } = this
    out.set(context.state)
    for (const stepper of list) {
      const state = stepper.stateAt(time)
      if (stepper.context === context) out.set(state)
      else {
        copyBodies(stepper.context, state, context, out)
        addWorks(stepper.context, state, context, out)
      }
    }
    if (this.one) return
    context.time = time
    fill(context, contentsOf(list.map(stepper => stepper.context)))
  }

  /** Works of all groups outside the state vector, J: see `MethodFrame`. */
  ownWorks(): { impactWork: number; kinematicImpactWork: number; numericalWork: number } {
    const { context, list } = this
    const others = list.filter(stepper => stepper.context !== context)
    const sum = (of: (from: RunContext) => number): number => others.reduce((total, stepper) => total + of(stepper.context), of(context))
    return {
      impactWork: sum(({ impactWork }) => impactWork), kinematicImpactWork: sum(({ kinematicImpactWork }) => kinematicImpactWork),
      numericalWork: sum(({ numericalWork }) => numericalWork),
    }
  }

  /** Whether a group's step is valid: its bodies stay in their boxes, or get new ones; otherwise groups are rebuilt. */
  staysApart(stepper: GroupStepper, motion: () => StepMotion): boolean {
    const { groups } = this
    if (!groups.possible) return true
    const bodies = this.bodiesOf(stepper)
    return groups.hold(bodies, motion) || this.regroup(stepper, bodies, motion())
  }

  /**
   * Gives the bodies of a group new boxes, merges it with groups whose boxes they overlap, and splits independent parts.
   *
   * @returns whether the group is unchanged
   */
  private regroup(stepper: GroupStepper, own: readonly number[], motion: StepMotion): boolean {
    const { groups } = this
    const { time } = stepper.context
    const chosen = [stepper]
    const bodies = [...own]
    this.furnish(stepper, own, motion)
    for (let k = 0; k < chosen.length; k++) {
      for (const other of this.list) {
        if (chosen.includes(other)) continue
        const others = this.bodiesOf(other)
        if (!bodies.some(a => others.some(b => groups.meet(a, b)))) continue
        other.cutShort(time)
        this.furnish(other, others, null)
        chosen.push(other)
        bodies.push(...others)
        k = -1
        break
      }
    }
    const parts = groups.partition(bodies, chosen.map(({ context }) => context))
    if (chosen.length === 1 && parts.length === 1) return true
    this.replace(chosen, parts, time)
    return false
  }

  private furnish({ context, step }: GroupStepper, bodies: readonly number[], motion: StepMotion | null): void {
    const { snapshot } = context.equations
    snapshot.update(context.state)
    for (const body of bodies) this.groups.furnish(body, snapshot.motions[body]!, STEPS_AHEAD * Math.min(step, context.settings.longestStep), motion)
  }

  /** Creates groups of `parts` from the bodies of `chosen`, which have all reached `time`. */
  private replace(chosen: readonly GroupStepper[], parts: readonly (readonly number[])[], time: number): void {
    const { context, groups, list, stop } = this
    const contents = contentsOf(chosen.map(stepper => stepper.context))
    const step = Math.min(...chosen.map(stepper => stepper.step))
    for (const stepper of chosen) if (stepper.context !== context) mergeIntoWhole(stepper.context, context)
    context.time = time
    const rest = list.filter(stepper => !chosen.includes(stepper))
    const made = rest.length === 0 && parts.length === 1 ? [this.wholeStepper(contents, step)] : parts.map(bodies =>
      this.stepperOf(groupContext(context, bodies, contents, bodies.some(body => groups.jointed.has(body)), stop), step))
    for (const stepper of made) {
      stepper.eventCount.continueFrom(chosen.map(({ eventCount }) => eventCount))
      stepper.watch()
    }
    this.list = [...rest, ...made].sort((a, b) => this.bodiesOf(a)[0]! - this.bodiesOf(b)[0]!)
  }

  private wholeStepper(contents: ReturnType<typeof contentsOf>, step: number): GroupStepper {
    const { context } = this
    fill(context, contents)
    context.equations.loads(context.time, context.state)
    return this.stepperOf(context, step)
  }

  private stepperOf(context: RunContext, step: number): GroupStepper {
    const { world: { scales: { size, speed, force } }, equations: { layout } } = context
    const scales = new Float64Array(layout.length)
    writeScales(layout, size, speed, scales)
    scales.fill(force * size, layout.bodyLength)
    return new GroupStepper(context, integratorOf(context), scales, step)
  }

  /** The existing moving bodies of a group, sorted. */
  private bodiesOf({ context: { world, equations: { snapshot, layout } } }: GroupStepper): number[] {
    return world.bodies.map(({ index }) => index).filter(body => layout.offsets[body]! >= 0 && snapshot.exists[body])
  }

  /** Brings all groups to one instant, no earlier than the end of any step, and merges them into the context of the whole world. */
  bringTo(time: number): void {
    const { context, list } = this
    for (const stepper of list) {
      if (stepper.unsettled && stepper.reached > time) stepper.cutShort(time)
      else if (stepper.unsettled) stepper.arrive()
    }
    this.gather()
    context.time = time
  }

  /** Returns all states to the context of the whole world; groups must be rebuilt afterwards. */
  private gather(): void {
    const { context, list } = this
    if (this.one) return
    fill(context, contentsOf(list.map(stepper => stepper.context)))
    for (const stepper of list) mergeIntoWhole(stepper.context, context)
    this.list = []
  }
}

function integratorOf({ settings, equations: { coordinates, snapshot: { trees }, layout } }: RunContext): Integrator {
  const integrator = settings.integrator()
  return coordinates === null || trees === null ? integrator : new TreeIntegrator(integrator, coordinates, layout.length, trees.rates)
}
