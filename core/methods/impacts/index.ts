/** Resolves all impacts at one instant, and reports each. */

import { contradictingIds, wedgedIds } from '../../contact/contradiction'
import { buildIslands } from '../../contact/islands'
import { applyImpulse, fastestApproach, simultaneousImpact, type ImpactResult } from '../../contact/impact'
import type { Island } from '../../contact/island'
import { copySnapshot, type Snapshot } from '../../contact/snapshot'
import { kineticEnergy } from '../../dynamics/body'
import { add, scale, type Vec3 } from '../../math/vector'
import { StopError, stopWhereCancelled } from '../method'
import type { ImpactContext } from './context'
import { addLowest, RimSearches, velocityOutcome } from './rims'
import { isSolved } from './solved'

/** Maximum number of rounds at one instant. After a round, only rounding errors still approach, so more than a few rounds indicate a fault. */
const MAX_ROUNDS = 100
/** Maximum number of impacts of parts of islands at one instant; beyond it they are resolved together and without rebound. */
const MAX_SEQUENTIAL = 1000

/** @returns the fastest approach, m/s or rad/s; 0 if nothing approached */
export function resolveImpacts(context: ImpactContext): number {
  const { equations, state } = context
  let parts = 0
  let hardest = 0
  for (let round = 0; round < MAX_ROUNDS + MAX_SEQUENTIAL; round++) {
    stopWhereCancelled(context.environment)
    equations.loads(context.time, state)
    addLowest(context)
    let approaching = false
    for (const island of touchingIslands(context)) {
      island.assemble(equations.snapshot, equations.free)
      const speed = fastest(island, context)
      if (speed <= context.tolerances.approach) continue
      approaching = true
      hardest = Math.max(hardest, speed)
      const law = context.settings.impact
      if (law !== 'simultaneous' && parts < MAX_SEQUENTIAL) {
        parts++
        for (const part of law === 'sequential' ? [fastestPair(context, island)] : approachingParts(context, island)) impact(context, part, false)
      } else {
        impact(context, island, law !== 'simultaneous')
      }
    }
    if (!approaching) return hardest
  }
  throw new StopError('SolverFailure', 'impacts at one instant did not end', context.time, [])
}

function touchingIslands(context: ImpactContext): Island[] {
  return buildIslands({
    world: context.world, snapshot: context.equations.snapshot, points: context.points, limits: context.limits,
    drives: context.drives.filter(drive => drive.maxForce === Infinity),
    jointPositions: context.equations.jointPositions, slowSlip: context.tolerances.onset, slowSpin: context.tolerances.onsetSpin, jointSpins: [],
    interrupt: () => { stopWhereCancelled(context.environment) },
  }).filter(island => island.points.length > 0 || island.limits.length > 0)
}

/** Fastest approach of points and limits, m/s or rad/s. */
function fastest(island: Island, context: ImpactContext): number {
  const velocities = velocitiesOf(context)
  return Math.max(fastestApproach(island).speed, ...island.limitRow.map(row => -island.rows.along(row, velocities)))
}

/** 6 doubles per body. */
function velocitiesOf({ world, equations }: ImpactContext): Float64Array {
  const velocities = new Float64Array(6 * world.bodies.length)
  equations.snapshot.velocities(velocities)
  return velocities
}

/** The island reduced to the points of the two bodies with the fastest approach; its joints take part. */
function fastestPair(context: ImpactContext, island: Island): Island {
  const { point } = fastestApproach(island)
  const chosen = island.points[point]
  const points = chosen === undefined ? [] : island.points.filter(p => p.bodyA === chosen.bodyA && p.bodyB === chosen.bodyB)
  const { equations } = context
  return buildIslands({
    world: context.world, snapshot: equations.snapshot, points, limits: island.limits, drives: island.drives,
    jointPositions: equations.jointPositions, slowSlip: context.tolerances.onset, slowSpin: context.tolerances.onsetSpin, jointSpins: [],
    interrupt: () => { stopWhereCancelled(context.environment) },
  }).find(candidate => chosen === undefined ? candidate.limits.length > 0 : candidate.points.includes(chosen))!
}

/**
 * The island reduced to approaching contacts: resting contacts take no part in an impact until it makes them approach. With one coefficient of
 * restitution this is the generalised reflection of [Smith, Kaufman, Vouga, Tamstorf and Grinspun 2012]: the fraction e² of the energy of approach is
 * kept, and symmetric impacts stay symmetric.
 */
function approachingParts(context: ImpactContext, island: Island): Island[] {
  const { equations, tolerances } = context
  const velocities = velocitiesOf(context)
  const approaches = (row: number): boolean => -island.rows.along(row, velocities) > tolerances.approach
  return buildIslands({
    world: context.world, snapshot: equations.snapshot, points: island.points.filter((_, i) => approaches(island.pointRow[i]!)),
    limits: island.limits.filter((_, i) => approaches(island.limitRow[i]!)), drives: island.drives,
    jointPositions: equations.jointPositions, slowSlip: tolerances.onset, slowSpin: tolerances.onsetSpin, jointSpins: [],
    interrupt: () => { stopWhereCancelled(context.environment) },
  }).filter(part => part.points.length > 0 || part.limits.length > 0)
}

/** Impulses of one island. If the impulses would drive a rim through a flat surface, the rim first gets further points. */
function impact(context: ImpactContext, given: Island, inelastic: boolean): void {
  const rims = new RimSearches(context, given.points)
  let island = given
  let result = impactOf(context, island, inelastic)
  while (rims.unsettled(() => velocityOutcome(context, island, result.impulse))) {
    island = again(context, given)
    result = impactOf(context, island, inelastic)
  }
  rims.end()
  apply(context, island, result)
}

/** The same island, rebuilt with the present points of its bodies. */
function again({ world, equations, points, tolerances, environment }: ImpactContext, { bodies, points: before, limits, drives }: Island): Island {
  return buildIslands({
    world, snapshot: equations.snapshot, points: points.filter(p => before.some(q => p.bodyA === q.bodyA && p.bodyB === q.bodyB)), limits, drives,
    jointPositions: equations.jointPositions, slowSlip: tolerances.onset, slowSpin: tolerances.onsetSpin, jointSpins: [],
    interrupt: () => { stopWhereCancelled(environment) },
  }).find(candidate => candidate.bodies.includes(bodies[0]!))!
}

/** @throws StopError */
function impactOf(context: ImpactContext, island: Island, inelastic: boolean): ImpactResult {
  const { equations, settings, tolerances, world } = context
  island.assemble(equations.snapshot, equations.free)
  const velocities = velocitiesOf(context)
  const result = simultaneousImpact(island, velocities, {
    solver: settings.solver, restingSpeed: inelastic ? Infinity : settings.restingSpeed, stickSpeed: tolerances.stick,
    approachSpeed: tolerances.approach,
  })
  context.counts.solverCalls++
  context.counts.pivots += result.solution.pivots
  if (!isSolved(result.solution)) {
    const demanded = relativeVelocities(island, velocities).map(v => -v)
    const ids = contradictingIds(world, island, demanded)
    if (ids !== null) throw contradictory(context, ids)
    const wedged = wedgedIds(world, island, result.impulse, demanded)
    if (wedged !== null) {
      throw new StopError('UnsatisfiableConstraints', `friction wedges ${wedged.join(', ')}: no impulse, however large, keeps them from penetrating`, context.time, wedged)
    }
    throw new StopError(
      result.solution.status === 'infeasible' ? 'UnsatisfiableConstraints' : 'SolverFailure',
      `the impulses of an impact could not be found (${result.solution.status}, residual ${result.solution.residual})`,
      context.time, island.bodies.map(body => world.bodies[body]!.id))
  }
  return result
}

function apply(context: ImpactContext, island: Island, result: ImpactResult): void {
  const { equations, state } = context
  const before = copySnapshot(equations.snapshot, state)
  const energyBefore = energyOf(context, before, island)
  applyImpulse(island, equations.snapshot, result.impulse, state)
  const after = copySnapshot(equations.snapshot, state)
  context.impactWork += result.work
  context.kinematicImpactWork += energyOf(context, after, island) - energyBefore - result.work
  report(context, island, result, before, after)
  equations.loads(context.time, state)
}

/** Error for constraints that no motion satisfies. */
export function contradictory({ time }: ImpactContext, ids: readonly string[]): StopError {
  return new StopError('UnsatisfiableConstraints', `no motion satisfies all constraints of ${ids.join(', ')}: they would have to penetrate or separate`, time, ids)
}

/** J u of every row, m/s or rad/s. */
function relativeVelocities({ rows }: Island, velocities: Float64Array): Float64Array {
  return Float64Array.from({ length: rows.count }, (_, row) => rows.along(row, velocities))
}

function energyOf(context: ImpactContext, snapshot: Snapshot, island: Island): number {
  return island.bodies.reduce((sum, body) => sum + kineticEnergy(context.world.bodies[body]!, snapshot.motions[body]!), 0)
}

function report(context: ImpactContext, island: Island, result: ImpactResult, before: Snapshot, after: Snapshot): void {
  const { environment, time, settings } = context
  if (result.restitutionScale < 1) {
    environment.observer.event({
      kind: 'energyScaled', time,
      message: `Newton's hypothesis with friction would gain energy: restitution was scaled by ${result.restitutionScale}`,
    })
  }
  for (const { point: index, normal, tangent1, tangent2, before: v0, after: v1 } of result.points) {
    if (normal <= 0) continue
    const point = island.points[index]!
    const { location, tangent1: t1, tangent2: t2 } = island.geometry[index]!
    const impulse: Vec3 = add(scale(location.normal, normal), add(scale(t1, tangent1), scale(t2, tangent2)))
    const approach = Math.max(-v0, 0)
    environment.observer.event({
      kind: 'impact', time, bodyA: point.bodyA, bodyB: point.bodyB, shapeA: point.shapeA, shapeB: point.shapeB,
      featureA: point.features.featureA, featureB: point.features.featureB, point: location.point, normal: location.normal,
      impulse, approachSpeed: approach, reboundSpeed: Math.max(v1, 0), before, after,
      restTime: approach > 0 && approach < settings.restingSpeed ? restTime(island, index, approach, time) : NaN,
      energyLoss: -result.work,
    })
  }
}

/** Time at which infinitely many bounces from approach speed `v` would have ended: t + 2 e v / ((1 − e) |a_n|). */
function restTime(island: Island, index: number, v: number, time: number): number {
  const e = island.points[index]!.material.restitution
  const fall = island.problem.b[island.pointRow[index]!]!
  return e < 1 && fall > 0 ? time + 2 * e * v / ((1 - e) * fall) : time
}
