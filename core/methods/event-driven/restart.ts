/**
 * What happens at one instant, whenever the equations may change: the touching points are found anew, impacts resolved, modes decided, forces
 * solved, and the index sets frozen until the next event [Baraff92 ch. 3, 6, 8, 9].
 */

import type { SpinFriction, TouchingPoint } from '../../contact/constraints'
import { markEquilibria } from '../../contact/equilibrium'
import { contradictingIds } from '../../contact/contradiction'
import { buildIslands } from '../../contact/islands'
import { foresee, guess } from '../../contact/guess'
import type { Island } from '../../contact/island'
import { tangential } from '../../contact/slip'
import { seenBy } from '../../contact/island-spin'
import type { Snapshot } from '../../contact/snapshot'
import { project } from '../../contact/projection'
import { dantzig, signGuess } from '../../lcp'
import { leastNorm } from '../../lcp/least-norm'
import {
  BASIS_CLAMPED, BASIS_CONE, BASIS_FREE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, type ContactSolution,
} from '../../lcp/problem'
import { velocityAt } from '../../geometry/motion'
import { dot, length, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { StopError } from '../method'
import type { RunContext } from './context'
import { classifyDrives, rememberCoordinates, touchingLimits } from './drives'
import { allSpins, reportChanges, standing } from './changes'
import { chooseSolution } from './indeterminacy'
import { contradictory, resolveImpacts } from './impacts'
import { applyRay } from './inconsistency'
import { withoutParting } from './parting'
import { noteForces, settleBounds } from './past-forces'
import { accelerationOutcome, addLowest, RimSearches } from './rims'
import { requireJoints } from './satisfied'
import { isSolved } from './solved'

/** Impulses of inconsistent configurations at one instant. */
const MAX_ROUNDS = 20
/** Share of the crawl speed within which a speed has reached it. */
const THRESHOLD = 1e-9
/** Cosine between a slow slip and the direction that it was given from which on it has left it. */
const LOST = 0.5
/** Position errors below this share of the gap tolerance are left alone by the projection. */
const PROJECTION_ACCURACY = 1e-5

/** Brings the context to a consistent state at its time. @throws StopError */
export function restart(context: RunContext): void {
  const { world, equations, tolerances, state } = context
  foreseeAll(context)
  equations.islands = []
  equations.saturated = []
  equations.loads(context.time, state)
  rememberCoordinates(world, equations)
  const before = standing(context)
  context.points = context.contacts.touching(equations.snapshot, tolerances.gap, context.points)
  context.limits = touchingLimits(world, equations, tolerances)
  const forces = settle(context)
  project(equations, state, PROJECTION_ACCURACY * tolerances.gap)
  equations.loads(context.time, state)
  requireJoints(context)
  markEquilibria(equations, forces, state)
  for (const island of equations.islands) if (island.equilibrium !== null) noteForces(island, island.equilibrium, true)
  reportChanges(context, before)
}

/** Resolves impacts and solves forces, by way of an impulse where there are no forces. */
function settle(context: RunContext): Float64Array[] {
  const { equations, tolerances, state } = context
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // What approached by no more than a resting point may part changes no index set to speak of.
    if (resolveImpacts(context) > tolerances.parting) forgetPoints(context)
    classifyDrives(context.drives, equations, tolerances.speedNoise * 1e3)
    equations.saturated = context.drives.filter(drive => drive.state !== 'holding')
    equations.loads(context.time, state)
    const forces = solveForces(context)
    if (forces !== null) return forces
    forgetPoints(context)
  }
  throw new StopError('Inconsistent', `impulses at one instant did not lead to contact forces in ${MAX_ROUNDS} rounds`, context.time, [])
}

/** After an impulse nothing is known of where points stand. */
function forgetPoints(context: RunContext): void {
  for (const point of context.points) {
    point.onset = false
    point.settled = false
    point.hint = null
    point.pastNormalForce.before = point.pastNormalForce.last = NaN
  }
  for (const spin of allSpins(context)) {
    spin.onset = false
    spin.hint = null
  }
}

/** Marks the points whose bounds are reached at this instant, by the index sets that end here. */
function foreseeAll(context: RunContext): void {
  const { equations, time, state } = context
  if (equations.islands.length === 0) return
  equations.loads(time, state)
  for (const island of equations.islands) {
    if (island.equilibrium !== null) continue
    island.refill(equations.snapshot, equations.free)
    if (time > context.pastForcesTime) noteForces(island, island.frozen(equations.snapshot))
    // Forces that went on from an earlier restart's may end where those of least norm do not: then these take over, by the same index set.
    foresee(island, island.leastNorm(equations.snapshot))
  }
  context.pastForcesTime = time
}

/**
 * Decides which points take part, solves every island and freezes its index set.
 *
 * @returns multipliers of each island; null where an island had none and an impulse was applied instead
 */
function solveForces(context: RunContext): Float64Array[] | null {
  const { equations } = context
  addLowest(context)
  const rims = new RimSearches(context, context.points)
  for (;;) {
    equations.islands = restingIslands(context)
    const solutions = equations.islands.map(island => {
      island.assemble(equations.snapshot, equations.free)
      return solveIsland(context, island)
    })
    if (solutions.every(({ status }) => status !== 'ray')
      && rims.unsettled(() => accelerationOutcome(context, equations.islands, solutions.map(({ f }) => f)))) continue
    rims.end()
    return settled(context, solutions)
  }
}

/** Chooses among several solutions and freezes their index sets. @returns as `solveForces` */
function settled(context: RunContext, solutions: readonly ContactSolution[]): Float64Array[] | null {
  const { islands } = context.equations
  const forces: Float64Array[] = []
  context.nextSlidingSets = new Map()
  for (const [k, island] of islands.entries()) {
    const solution = chooseSolution(context, island, solutions[k]!)
    if (solution.status === 'ray') {
      if (!applyRay(context, island, solution.ray)) throw unsolved(context, island, solution)
      return null
    }
    freeze(context, island, withoutParting(island, solution, solution !== solutions[k]))
    forces.push(solution.f)
  }
  // A drive that cannot hold pushes with its whole force from here on: its row leaves the problem at the next assembly.
  saturate(context)
  context.slidingSets = context.nextSlidingSets
  return forces
}

/** Islands of the points that neither part nor approach, with what is known of their slip. */
function restingIslands(context: RunContext): Island[] {
  const { world, equations, tolerances } = context
  const { snapshot } = equations
  const resting: TouchingPoint[] = []
  for (const point of context.points) {
    const a = snapshot.motions[point.bodyA]!
    const b = snapshot.motions[point.bodyB]!
    const { normal, point: p } = point.features.locate(a.pose, b.pose)
    const velocity = sub(velocityAt(a, p), velocityAt(b, p))
    if (dot(velocity, normal) > tolerances.parting) {
      point.normal = 'parting'
      point.friction = 'none'
      continue
    }
    const slip = tangential(velocity, normal)
    const speed = length(slip)
    const slow = point.friction === 'sliding' && speed <= tolerances.onset
    const begun = slow && point.onset
    // A slow slip that has left its direction follows none: it is decided anew, as from rest, whether it sticks and where it slips to.
    const lost = slow && dot(slip, point.slip) <= LOST * speed
    if (speed > slipThreshold(context, point) && !begun && !lost) {
      point.friction = 'sliding'
      point.slip = scale(slip, 1 / speed)
      point.onset = false
    } else if (!begun) {
      point.friction = 'none'
      point.slip = ZERO
    }
    for (const spin of point.spins) classifySpin(context, spin, seenBy(spin.kind, spinOf(snapshot, point.bodyA, point.bodyB), normal))
    resting.push(point)
  }
  for (const { element: { constraint }, spin } of context.jointSpins) {
    classifySpin(context, spin, spinOf(snapshot, constraint.bodyA, constraint.bodyB))
  }
  const limits = context.limits.filter(limit => {
    const { velocity } = equations.coordinate(limit.joint, limit.coordinate)
    return limit.side * velocity <= tolerances.approach
  })
  return buildIslands({
    world, snapshot, points: resting, limits, drives: context.drives.filter(drive => drive.state === 'holding'),
    jointSpins: context.jointSpins, jointPositions: equations.jointPositions, slowSlip: tolerances.onset, slowSpin: tolerances.onsetSpin,
    law: context.settings.friction,
  })
}

/** m/s: above this a point slides. On the crawl threshold, which it reaches only to rounding, it goes over to the other side. */
function slipThreshold({ tolerances, settings: { friction } }: RunContext, { friction: state }: TouchingPoint): number {
  if (friction.name !== 'crawl') return tolerances.slip
  return tolerances.slip * (state === 'sliding' ? 1 + THRESHOLD : 1 - THRESHOLD)
}

/** Whether friction against rotation slides, at the part of the relative angular velocity that it sees. */
function classifySpin({ tolerances }: RunContext, spin: SpinFriction, omega: Vec3): void {
  const speed = length(omega)
  if (spin.friction === 'sliding' && spin.onset && speed <= tolerances.onsetSpin) return
  const sliding = speed > tolerances.stickSpin
  spin.friction = sliding ? 'sliding' : 'none'
  spin.slip = sliding ? scale(omega, 1 / speed) : ZERO
  if (sliding) spin.onset = false
}

function spinOf(snapshot: Snapshot, bodyA: number, bodyB: number): Vec3 {
  return sub(snapshot.motionOf(bodyA).angularVelocity, snapshot.motionOf(bodyB).angularVelocity)
}

export function solveIsland(context: RunContext, island: Island): ContactSolution {
  const { law } = island
  if (law.name === 'lotstedt') {
    const settled = settleBounds(island, () => { island.refill(context.equations.snapshot, context.equations.free) }, () => solvePosed(context, island))
    if (!settled) warnOnce(context, 'Lötstedt\'s bounds of friction did not settle where contacts had no past: they begin with the frictionless forces')
  }
  return solvePosed(context, island)
}

function solvePosed(context: RunContext, island: Island): ContactSolution {
  const { counts } = context
  const start = island.basis === null ? guess(island) : { basis: island.basis, slip: island.slip }
  let solution = byGuessedSigns(context, island) ?? context.settings.solver.solve(island.problem, { start })
  counts.solverCalls++
  counts.pivots += solution.pivots
  if (solution.basisHit) counts.basisHits++
  counts.maxContacts = Math.max(counts.maxContacts, island.points.length)
  if (!isSolved(solution) && context.settings.solver !== dantzig) {
    warnOnce(context, `${context.settings.solver.name} did not reach its tolerance in some solves: dantzig finished them`)
    solution = dantzig.solve(island.problem, { start })
  }
  if (solution.status === 'ray') return solution
  if (!isSolved(solution)) throw unsolved(context, island, solution)
  return leastNorm(island.problem, { ...solution, status: 'solved' })
}

/** By the quadratic program of guessed signs, where that is the law and it finds forces. */
function byGuessedSigns(context: RunContext, island: Island): ContactSolution | null {
  if (island.law.name !== 'sign-guess' || island.axes.every(axes => axes === null)) return null
  const found = signGuess(island.exact)
  if (found.status === 'solved') return { ...found, residual: found.ownResidual }
  warnOnce(context, `guessed signs did not lead to friction forces in some solves: ${context.settings.solver.name} found those of the same law`)
  return null
}

export function warnOnce(context: RunContext, message: string): void {
  if (context.warnings.includes(message)) return
  context.warnings.push(message)
  context.environment.observer.event({ kind: 'warning', time: context.time, message })
}

function unsolved(context: RunContext, island: Island, solution: ContactSolution): StopError {
  const contradicting = solution.status === 'ray' || solution.status === 'limit' ? contradictingIds(context.world, island, island.problem.b) : null
  if (contradicting !== null) return contradictory(context, contradicting)
  const ids = island.bodies.map(body => context.world.bodies[body]!.id)
  switch (solution.status) {
    case 'infeasible':
      return new StopError('UnsatisfiableConstraints', `no forces satisfy the joints of ${ids.join(', ')}`, context.time, ids)
    case 'ray':
      return new StopError(
        'Inconsistent', `no contact forces satisfy Coulomb's law between ${ids.join(', ')}, and no impulse along the ray stops a slip`,
        context.time, ids)
    default:
      return new StopError(
        'SolverFailure', `the contact forces of ${ids.join(', ')} were found only to ${solution.residual}`, context.time, ids)
  }
}

function freeze(context: RunContext, island: Island, solution: ContactSolution): void {
  island.freeze(context.equations.snapshot, solution)
  island.points.forEach((point, i) => {
    const row = island.pointRow[i]!
    const place = solution.basis[row]!
    point.settled = true
    point.hint = null
    point.normal = place === BASIS_CLAMPED ? 'holding' : place === BASIS_FREE ? 'parting' : 'idle'
    if (point.normal === 'holding') point.heldGap = Math.min(Math.max(island.geometry[i]!.location.gap, 0), context.tolerances.gap)
    if (island.frictionIndex[i]! < 0 || point.normal !== 'holding') {
      if (point.friction === 'sliding' && point.onset) point.friction = 'none'
      return
    }
    const axes = island.axes[i]!
    const tangent = axes === null ? solution.basis[row + 1]! : axes.slides ? BASIS_LIMITED : point.slip === ZERO ? BASIS_CLAMPED : BASIS_LIMITED
    if (island.law.name === 'crawl') {
      if (point.friction !== 'sliding') point.friction = 'sticking'
    } else if (tangent === BASIS_CLAMPED || tangent === BASIS_CONE) {
      point.friction = 'sticking'
      point.onset = false
    } else if (tangent === BASIS_LIMITED && point.friction !== 'sliding') {
      point.friction = 'sliding'
      point.onset = true
    }
  })
  for (const { spin, row, rows: { normal } } of island.spins) {
    const place = solution.basis[row]!
    spin.hint = null
    if (normal >= 0 && solution.basis[normal] !== BASIS_CLAMPED) {
      if (spin.friction === 'sliding' && spin.onset) spin.friction = 'none'
    } else if (place === BASIS_CLAMPED || place === BASIS_CONE) {
      spin.friction = 'sticking'
      spin.onset = false
    } else if (place === BASIS_LIMITED && spin.friction !== 'sliding') {
      spin.friction = 'sliding'
      spin.onset = true
    }
  }
  island.limits.forEach((limit, i) => {
    limit.normal = solution.basis[island.limitRow[i]!] === BASIS_CLAMPED ? 'holding' : 'idle'
  })
  island.drives.forEach((drive, i) => {
    const place = solution.basis[island.driveRow[i]!]!
    drive.state = place === BASIS_LOWER ? 'negative' : place === BASIS_UPPER ? 'positive' : 'holding'
  })
}

/** Rows of drives that reached their bound keep that force in the frozen basis, so nothing else has to change before the next restart. */
function saturate(context: RunContext): void {
  context.equations.saturated = context.drives.filter(drive =>
    drive.state !== 'holding' && !context.equations.islands.some(island => island.drives.includes(drive)))
}
