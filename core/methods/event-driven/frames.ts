/** One output frame: the forces solved at exactly that state, and the residual of every law there. */

import type { Island } from '../../contact/island'
import { project } from '../../contact/projection'
import { leastNorm } from '../../lcp/least-norm'
import type { ContactSolution } from '../../lcp/problem'
import { relativeAcceleration, residual } from '../../lcp/residual'
import { BASIS_CONE, BASIS_IDLE } from '../../lcp/problem'
import { SOLVED_RESIDUAL } from '../../math/tolerances'
import type { Reaction } from '../../contact/joint-breaking'
import { jointEquations } from '../../dynamics/joints'
import { length, ZERO } from '../../math/vector'
import type { TouchingPoint } from '../../contact/constraints'
import type { MethodFrame, SolvedContact, SolvedJoint } from '../method'
import { spinExcess } from '../spin-excess'
import { AppliedWrenches, ratesOf, withoutTrees } from '../../contact/applied'
import type { RunContext } from './context'
import { treeReaction } from '../../contact/tree-reaction'
import { reactionIn } from './joint-reaction'
import { asSolution, contactSetOf, knownForces } from './intervals'
import { solveIsland } from './solve-island'
import { modeOf, separatedContact, solvedContact } from './solved-contacts'

interface SolvedIsland {
  readonly island: Island
  readonly f: Float64Array
  readonly a: Float64Array
}

/**
 * Solves and describes the state at `time`, which lies between the last restart and the next.
 *
 * @param state projected in place onto its active constraints; an interpolated state violates them by the integrator's tolerance
 * @returns the frame, and the islands whose frozen index sets no longer give the same motion as a fresh solve
 */
export function solveFrame(context: RunContext, index: number, time: number, state: Float64Array): { frame: MethodFrame; inconsistent: Island[] } {
  const { equations, tolerances } = context
  if (equations.islands.length > 0) project(equations, state, 1e-5 * tolerances.gap)
  const applied = new AppliedWrenches(equations)
  equations.loads(time, state, applied.listen)
  let maxComplementarity = 0
  const inconsistent: Island[] = []
  const solved = equations.islands.map((island): SolvedIsland => {
    if (island.equilibrium !== null) {
      const a = relativeAcceleration(island.problem, island.equilibrium)
      maxComplementarity = Math.max(maxComplementarity, residual(island.problem, island.equilibrium, a))
      return { island, f: island.equilibrium, a }
    }
    island.assemble(equations.snapshot, equations.free)
    let f: Float64Array = island.indexSet.multipliers(equations.snapshot).slice()
    let a = relativeAcceleration(island.problem, f)
    let worst = residual(island.problem, f, a)
    if (worst > SOLVED_RESIDUAL) {
      const fresh: ContactSolution = solveIsland(context, island)
      // If there are no forces, the restart after this step applies an impulse.
      if (fresh.status !== 'solved' || !sameMotion(a, fresh.a)) inconsistent.push(island)
      if (fresh.status === 'solved') ({ f, a, residual: worst } = fresh)
    } else if (!isLeastNorm(island)) {
      ({ f, a, residual: worst } = leastNorm(island.problem, asSolution(island, f, a, worst)))
    }
    maxComplementarity = Math.max(maxComplementarity, worst)
    return { island, f, a }
  })
  const contacts = solvedContacts(context, solved)
  const rates = ratesOf(equations, solved)
  const reactions = equations.snapshot.trees?.reactions(withoutTrees(equations, solved), rates) ?? null
  if (reactions !== null) {
    const { size, force } = context.world.scales
    maxComplementarity = Math.max(maxComplementarity, equations.snapshot.trees!.reactionError(reactions, force * size))
  }
  const joints = solvedJoints(context, solved, reactions)
  for (const { island, f } of solved) {
    applied.addDrives(island, f)
    applied.addSpins(island.spins, f)
    applied.addGears(island.joints, island.rows, f)
  }
  const { maxConeViolation, maxPenetration } = worstOf(context, contacts)
  return {
    inconsistent,
    frame: {
      index, time, snapshot: equations.snapshot, state, contacts, joints, applied: applied.list, rates,
      potential: equations.potential(),
      works: state.subarray(equations.layout.bodyLength), impactWork: context.impactWork, kinematicImpactWork: context.kinematicImpactWork,
      spawnedEnergy: context.spawnedEnergy, numericalWork: context.numericalWork, maxPenetration, maxComplementarity, maxConeViolation, degraded: false,
    },
  }
}

/** Whether no bound of the frozen set is active without motion, and its forces are those of least norm: then they solve the whole problem. */
function isLeastNorm({ basis, indexSet }: Island): boolean {
  return indexSet.isLeastNorm && !basis!.includes(BASIS_IDLE) && !basis!.includes(BASIS_CONE)
}

function sameMotion(a: Float64Array, b: Float64Array): boolean {
  let size = 0
  let difference = 0
  for (let i = 0; i < a.length; i++) {
    size = Math.max(size, Math.abs(a[i]!), Math.abs(b[i]!))
    difference = Math.max(difference, Math.abs(a[i]! - b[i]!))
  }
  return difference <= 1e-6 * Math.max(size, 1)
}

function solvedContacts(context: RunContext, solved: readonly SolvedIsland[]): SolvedContact[] {
  const found = new Map<TouchingPoint, SolvedContact>()
  context.knownSets = knownForces(context, solved)
  solved.forEach(({ island, f, a }, k) => {
    const intervals = context.knownSets.get(contactSetOf(island))?.intervals
    island.points.forEach((point, i) => {
      const { location, relativeVelocity } = island.geometry[i]!
      const mode = modeOf(context, point, relativeVelocity, location.normal)
      found.set(point, solvedContact(island, k, i, { f, a, basis: island.basis! }, mode, intervals?.[i] ?? null))
    })
  })
  return context.points.flatMap((point): SolvedContact[] => {
    const contact = found.get(point) ?? separatedContact(context, point)
    return contact !== null && contact.gap <= context.tolerances.rearm ? [contact] : []
  })
}

function worstOf(context: RunContext, contacts: readonly SolvedContact[]): { maxConeViolation: number; maxPenetration: number } {
  let largest = 0
  let violation = 0
  let maxPenetration = 0
  for (const contact of contacts) {
    const friction = length(contact.frictionForce)
    largest = Math.max(largest, contact.normalForce, friction)
    violation = Math.max(violation, -contact.normalForce, friction - contact.staticFriction * contact.normalForce, spinExcess(contact))
    maxPenetration = Math.max(maxPenetration, -contact.gap)
  }
  const { snapshot } = context.equations
  for (const { bodyA, bodyB, collider } of context.contacts.nearAt(snapshot, 0)) {
    maxPenetration = Math.max(maxPenetration, -collider.separation(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose))
  }
  // If no contact presses, the forces are rounding errors. The violation is then relative to a thousandth of the scene's force scale, which includes
  // weights on joints.
  return { maxConeViolation: violation / Math.max(largest, 1e-3 * context.world.scales.force), maxPenetration }
}

/** @param reactions of tree joints, by node; null if there are none */
function solvedJoints(context: RunContext, solved: readonly SolvedIsland[], reactions: Float64Array | null): SolvedJoint[] {
  const { world, equations } = context
  return world.joints.map(({ constraint, coordinates, broken }, index): SolvedJoint => {
    const a = equations.snapshot.motionOf(constraint.bodyA)
    const b = equations.snapshot.motionOf(constraint.bodyB)
    let reaction: Reaction = { force: ZERO, torque: ZERO }
    let error = 0
    let motorForce = 0
    let limitForce = 0
    const inTrees = reactions === null ? null : treeReaction(equations, reactions, index)
    if (inTrees !== null) {
      const equationsOfJoint = jointEquations(constraint)
      constraint.evaluate(a, b, equationsOfJoint)
      error = equationsOfJoint.error.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
      const home = solved.find(({ island }) => island.limits.some(limit => limit.joint === index))
      reaction = reactionIn(equations, home?.island ?? null, home?.f ?? new Float64Array(0), index, inTrees)
    }
    for (const { island, f } of solved) {
      for (const joint of island.joints) {
        if (joint.index !== index) continue
        reaction = reactionIn(equations, island, f, index)
        for (let r = 0; r < constraint.rows; r++) {
          error = Math.max(error, Math.abs(joint.equations.error[r]!))
        }
      }
      island.drives.forEach((drive, i) => {
        if (drive.joint === index) motorForce += f[island.driveRow[i]!]!
      })
      for (const spin of island.spins) if (spin.of.joint?.joint === index) motorForce += length(spin.torque(f))
      island.limits.forEach((limit, i) => {
        if (limit.joint !== index) return
        limitForce += limit.side * f[island.limitRow[i]!]!
      })
    }
    motorForce += equations.jointLoads.commanded(index)
    for (const drive of equations.jointLoads.saturated) {
      if (drive.joint === index && equations.jointLoads.acts(index)) motorForce += drive.state === 'positive' ? drive.maxForce : -drive.maxForce
    }
    const anchor = constraint.anchor(a, b)
    const first = coordinates.length > 0 ? equations.jointLoads.coordinate(index, 0) : null
    const second = coordinates.length > 1 ? equations.jointLoads.coordinate(index, 1) : null
    return {
      ...reaction, broken, anchor, error, position: first?.position ?? NaN, velocity: first?.velocity ?? NaN,
      secondPosition: second?.position ?? NaN, secondVelocity: second?.velocity ?? NaN, motorForce, limitForce,
    }
  })
}
