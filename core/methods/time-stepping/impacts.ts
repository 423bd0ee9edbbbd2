/**
 * Sequential impacts at the velocity level at the start of a step: contacts that are met within the step faster than the bounce threshold. The step's
 * own problem treats impacts simultaneously by one law; with a sequential law it handles only resting and slower contacts.
 */

import type { ContactSet } from '../../contact/contact-set'
import { touchingPoint, type TouchingPoint } from '../../contact/constraints'
import { dantzig } from '../../lcp'
import { velocityAt } from '../../geometry/motion'
import { dot, length, sub } from '../../math/vector'
import { absoluteTolerances } from '../../contact/tolerances'
import { resolveImpacts } from '../impacts'
import type { ImpactContext } from '../impacts/context'
import type { MethodEnvironment } from '../method'
import type { StepContext } from './context'
import { BOUNCE } from './settings'
import { GAP_TARGET } from './tolerances'

/** Rounds, since impacts may cause further contacts within the step. */
const MAX_ROUNDS = 100
/** × gap target: smaller gaps count as touching. */
const TOUCHING = 10

/**
 * Resolves the impacts within the next h seconds, in the context's state.
 *
 * @param contacts a separate set: the step's own has persistent boxes
 * @param environment is notified of the impacts
 * @throws StopError
 */
export function collide(context: StepContext, contacts: ContactSet, h: number, environment: MethodEnvironment): void {
  const { world, settings, equations } = context
  if (settings.impact === 'simultaneous') return
  for (let round = 0; round < MAX_ROUNDS; round++) {
    equations.loads(context.time, context.state)
    const approach = bounceSpeedOf(context, h)
    const points = meeting(context, contacts, h, approach)
    if (points.length === 0) return
    const impacts: ImpactContext = {
      world, equations, points, settings: { impact: settings.impact, restingSpeed: approach, solver: dantzig },
      tolerances: { ...absoluteTolerances(world.scales), approach }, contacts, environment,
      counts: context.counts, time: context.time, state: context.state, limits: [], drives: context.drives.filter(({ servo }) => servo === null),
      impactWork: context.impactWork, kinematicImpactWork: context.kinematicImpactWork,
    }
    const any = resolveImpacts(impacts) > 0
    context.impactWork = impacts.impactWork
    context.kinematicImpactWork = impacts.kinematicImpactWork
    if (!any) return
  }
}

/** m/s: speeds up to what the step's acceleration causes are not impacts. */
function bounceSpeedOf({ settings, equations: { free }, world }: StepContext, h: number): number {
  let most = 0
  for (const { index } of world.bodies) most = Math.max(most, length([free[6 * index]!, free[6 * index + 1]!, free[6 * index + 2]!]))
  return Math.max(settings.restingSpeed, BOUNCE * h * most)
}

/** Points that touch, or meet within the step at the velocities of its start; none if no pair approaches faster than `approach`. */
function meeting({ world, equations: { snapshot } }: StepContext, contacts: ContactSet, h: number, approach: number): TouchingPoint[] {
  const touching = TOUCHING * GAP_TARGET
  const way = Float64Array.from(world.bodies, ({ index, boundingRadius }) => {
    const { velocity, angularVelocity } = snapshot.motions[index]!
    return h * (length(velocity) + length(angularVelocity) * (Number.isFinite(boundingRadius) ? boundingRadius : 0)) + touching
  })
  const points: TouchingPoint[] = []
  let fast = false
  for (const pair of contacts.near(snapshot, body => ({ from: snapshot.motions[body]!.pose, to: snapshot.motions[body]!.pose, path: 2 * way[body]! }))) {
    const a = snapshot.motions[pair.bodyA]!
    const b = snapshot.motions[pair.bodyB]!
    for (const features of pair.collider.region(a.pose, b.pose, way[pair.bodyA]! + way[pair.bodyB]!)) {
      const { point, normal, gap } = features.locate(a.pose, b.pose)
      const speed = -dot(normal, sub(velocityAt(a, point), velocityAt(b, point)))
      if (gap > touching && gap >= h * speed) continue
      fast ||= speed > approach
      points.push(touchingPoint({ ...pair, features, key: `${pair.key}/${features.key}` }, gap))
    }
  }
  return fast ? points : []
}
