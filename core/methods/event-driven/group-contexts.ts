/** Contexts of groups of bodies: created from the context of the whole world, and merged back into it. */

import { ContactSet } from '../../contact/contact-set'
import { EquationsOfMotion } from '../../contact/equations'
import { BODY_STATE } from '../../dynamics/state'
import type { RunContext } from './context'

/** Data that groups hand over when they are joined or split. */
export type GroupContents = Pick<RunContext, 'points' | 'limits' | 'slidingSets'> & Pick<RunContext['equations'], 'islands'>
  & Pick<RunContext['equations']['jointLoads'], 'saturated'>

/** Contents of several groups, joined. */
export function contentsOf(contexts: readonly RunContext[]): GroupContents {
  return {
    points: contexts.flatMap(({ points }) => points), limits: contexts.flatMap(({ limits }) => limits),
    slidingSets: new Map(contexts.flatMap(({ slidingSets }) => [...slidingSets])),
    islands: contexts.flatMap(({ equations }) => equations.islands).sort((a, b) => a.bodies[0]! - b.bodies[0]!),
    saturated: contexts.flatMap(({ equations }) => equations.jointLoads.saturated),
  }
}

/** Replaces a context's contents. */
export function fill(context: RunContext, { points, limits, slidingSets, islands, saturated }: GroupContents): void {
  context.points = [...points]
  context.limits = [...limits]
  context.slidingSets = slidingSets
  context.equations.islands = islands
  context.equations.jointLoads.saturated = saturated
}

/**
 * The context of a group of bodies: other bodies do not move or exist in it. State and time are copied from the whole context, which must be up to
 * date. Works start at zero; the total work is the sum over the whole context and the groups.
 *
 * @param jointed whether the world's joints belong to the group; either all do, or none
 */
export function groupContext(whole: RunContext, bodies: readonly number[], contents: GroupContents, jointed: boolean, stop: number): RunContext {
  const own = new Set(bodies)
  const world = {
    ...whole.world, joints: jointed ? whole.world.joints : [],
    forces: whole.world.forces.filter(force => force.bodies.some(body => own.has(body))),
  }
  const equations = new EquationsOfMotion(world, own, jointed ? whole.equations.jointPositions : [], jointed ? world.forest : null)
  equations.before(stop)
  equations.snapshot.exists.forEach((_, i) => {
    equations.snapshot.exists[i] = whole.equations.snapshot.exists[i]! && (own.has(i) || whole.world.bodies[i]!.type === 'fixed')
  })
  const context: RunContext = {
    ...whole, world, equations, contacts: new ContactSet(world, whole.contacts), state: new Float64Array(equations.layout.length),
    drives: jointed ? whole.drives : [], jointSpins: jointed ? whole.jointSpins : [], concerned: null, impactWork: 0, kinematicImpactWork: 0,
    numericalWork: 0, nextSlidingSets: new Map(),
  }
  copyBodies(whole, whole.state, context, context.state)
  fill(context, {
    ...contents, points: contents.points.filter(({ bodyA, bodyB }) => own.has(bodyA) || own.has(bodyB)),
    islands: contents.islands.filter(island => own.has(island.bodies[0]!)), limits: jointed ? contents.limits : [],
    saturated: jointed ? contents.saturated : [],
  })
  equations.loads(context.time, context.state)
  return context
}

/** Copies the state of the bodies that both contexts contain. */
export function copyBodies(from: RunContext, state: Float64Array, to: RunContext, out: Float64Array): void {
  from.equations.layout.offsets.forEach((at, body) => {
    const o = to.equations.layout.offsets[body]!
    if (at >= 0 && o >= 0) out.set(state.subarray(at, at + BODY_STATE), o)
  })
}

/** Adds a group's works to a state of the whole context. */
export function addWorks(from: RunContext, state: Float64Array, whole: RunContext, out: Float64Array): void {
  const at = whole.equations.layout.bodyLength
  state.subarray(from.equations.layout.bodyLength).forEach((work, k) => { out[at + k] = out[at + k]! + work })
}

/** Returns a group's bodies and works to the whole context. */
export function mergeIntoWhole(group: RunContext, whole: RunContext): void {
  copyBodies(group, group.state, whole, whole.state)
  addWorks(group, group.state, whole, whole.state)
  whole.impactWork += group.impactWork
  whole.kinematicImpactWork += group.kinematicImpactWork
  whole.numericalWork += group.numericalWork
}
