/**
 * An impact at the start of a step, without forces: velocities jump, and works are those of impulses along the mean of the velocities before and after.
 * The law is that of the step's own problem: Newton's restitution, and friction that opposes the slip after the impact.
 */

import type { EquationsOfMotion } from '../../contact/equations'
import { WORKS } from '../../contact/works'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import type { ActiveConstraint } from './active-constraint'
import { bounces } from './bounce'
import { energyScaled, impactOf } from './contact-events'
import type { StepContext } from './context'
import { meetsTogether } from './first-touch'
import { workOnKinematic } from './kinematic-work'
import type { IslandImpact } from './division-point'
import type { ReportedImpact } from './reported-impact'
import type { StepArrays } from './step-arrays'
import type { StepIsland } from './step-island'
import type { StepSolver } from './step-problem'
import { ACCURACY, GAP_TARGET, LIMIT_REACHED } from './tolerances'

/**
 * × the fastest approach: targets of contacts that do not touch yet are this far below their velocities, so that these
 * contacts do not push.
 */
const IDLE = 100
/** Bisections of the restitution factor. */
const BISECTIONS = 6
/** × the fastest approach: velocities as accurate as rounding allows. */
const ROUNDED = 1e-13
/** Share of the sum of the works' magnitudes that is rounding. */
const ROUNDING = 1e-6

const FRICTION = WORKS.indexOf('friction')
const KINEMATIC = WORKS.indexOf('kinematic')

/**
 * Solves the impact of an island whose problem has been prepared. The problem then contains the impulses of the impact.
 *
 * @param most largest share of the materials' restitution
 * @returns null if there is no solution
 */
export function solveIslandImpact(context: StepContext, island: StepIsland, { motions, h }: StepArrays, solver: StepSolver, most: number): IslandImpact | null {
  const { constraints, bodies, drives, limits } = island
  const problem = island.problem!
  const { rows, b, p } = problem
  const before = Float64Array.from(p, (_, row) => rows.along(row, motions.before))
  const fastest = constraints.reduce((most, { row }) => Math.max(most, Math.abs(before[row]!)), 0)
  // Joints stop at limits that they have reached only.
  const reached = LIMIT_REACHED * context.scales.size(...bodies)
  const open = limits.filter(({ row, start }) => row >= 0 && start > reached)
  const fastestToLimit = open.reduce((most, { row }) => Math.max(most, Math.abs(before[row]!)), fastest)
  const restitutionOf = (active: ActiveConstraint): number => bounces(context, active) ? active.constraint.pair.material.restitution : 0
  const targets = constraints.map(active => {
    if (!active.collides) return active.touches ? 0 : null
    return meetsTogether(active, context.settings.step) ? reboundOf(active, restitutionOf(active), h) : null
  })
  for (const body of bodies) motions.kickBody(body, context.equations.external, 0)
  problem.gradient = rows.jacobian
  // Drives take no part: a bounded force gives no impulse in zero time.
  if (drives.length > 0) {
    for (const { row } of drives) problem.lower[row] = problem.upper[row] = 0
    problem.eliminated.value = null
  }
  const solve = (share: number): boolean => {
    for (let row = 0; row < p.length; row++) b[row] = -before[row]!
    constraints.forEach(({ row }, k) => {
      const target = targets[k]!
      b[row]! += target === null ? before[row]! - IDLE * fastest : share * target
    })
    for (const { row } of open) b[row] = -IDLE * fastestToLimit
    p.fill(0)
    problem.basis.fill(0)
    problem.slip.fill(0)
    problem.warm = false
    const solution = solver.solve(problem, Math.min(ACCURACY * GAP_TARGET / h, ROUNDED * fastest))
    context.counts.solverCalls++
    context.counts.pivots += solution.iterations
    if (!solution.solved) return false
    for (const body of bodies) motions.push.fill(0, 6 * body, 6 * body + 6)
    rows.addWrench(p, motions.push)
    motions.accelerateAll(bodies)
    return true
  }
  const after = (row: number): number => rows.along(row, motions.velocity)
  const gains = (): boolean => {
    let [work, turnover] = [0, 0]
    for (let row = 0; row < p.length; row++) {
      work += p[row]! * (before[row]! + after(row)) / 2
      turnover += Math.abs(p[row]!) * (Math.abs(before[row]!) + Math.abs(after(row))) / 2
    }
    return work > ROUNDING * turnover
  }
  if (!solve(most)) return null
  let share = most
  if (gains()) {
    share = 0
    for (let [k, high] = [0, most]; k < BISECTIONS; k++) {
      const tried = (share + high) / 2
      if (solve(tried) && !gains()) share = tried
      else high = tried
    }
    if (!solve(share)) return null
  }
  const impacts = constraints.filter(({ row, collides }) => collides && p[row]! > 0).map((active): ReportedImpact => ({
    key: active.constraint.key, bounces: restitutionOf(active) > 0, event: impactOf(motions.velocity, active, problem, context.time),
  }))
  const normals = new Set([...constraints, ...limits].map(({ row }) => row))
  const workOf = (chosen: (row: number) => boolean): number =>
    p.reduce((sum, impulse, row) => chosen(row) ? sum + impulse * (before[row]! + after(row)) / 2 : sum, 0)
  const works = new Float64Array(WORKS.length)
  works[FRICTION] = workOf(row => !normals.has(row))
  works[KINEMATIC] = -workOnKinematic(context.world, rows, p, motions.before)
  return {
    bodies, impulses: Float64Array.from(bodies.flatMap(body => [...motions.push.subarray(6 * body, 6 * body + 6)])),
    impactWork: workOf(row => normals.has(row)), works,
    time: context.time, impacts, scaled: share < most ? [energyScaled(context, bodies, share, context.time)] : [],
  }
}

/** Changes the velocities of the bodies in `state` by the impact. */
export function applyImpulses(
  { layout: { offsets }, snapshot: { inverseMass } }: EquationsOfMotion, { bodies, impulses }: IslandImpact, state: Float64Array,
): void {
  for (const [i, body] of bodies.entries()) {
    const o = offsets[body]!
    const m = inverseMass[body]!
    if (m === 0) continue
    for (let k = 0; k < 3; k++) {
      state[o + OFFSET_VELOCITY + k]! += m * impulses[6 * i + k]!
      state[o + OFFSET_MOMENTUM + k]! += impulses[6 * i + 3 + k]!
    }
  }
}

/**
 * m/s: rebound velocity of a contact that is resolved at a gap ψ, with the energy of an impact at the surface (`bounce.ts`); a is the normal acceleration of
 * the step without the impact: (v⁺)² − 2 a ψ = e² ((v⁻)² − 2 a ψ).
 */
function reboundOf({ normalVelocity, unmet, at: { gap } }: ActiveConstraint, e: number, h: number): number {
  const change = 4 * (unmet - normalVelocity) / h * gap
  return e === 0 ? 0 : Math.sqrt(Math.max(0, e * e * (normalVelocity * normalVelocity - change) + change))
}
