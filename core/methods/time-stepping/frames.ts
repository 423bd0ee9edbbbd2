/** One output frame of the time-stepping method: forces are the impulses of the step ending there, divided by its length. */

import { relativeVelocityAt } from '../../geometry/motion'
import { addScaled, dot, length, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { NOT_COMPUTED, type MethodFrame, type SolvedContact } from '../method'
import type { ContactMode } from '../../vocabulary'
import { spinExcess } from '../spin-excess'
import type { ActiveConstraint } from './active-constraint'
import { clearanceOf } from './clearance'
import type { StepContext } from './context'
import type { StepRunner } from './run-steps'
import { solvedJoints } from './solved-joints'
import { slides } from './slip'
import type { StepIsland } from './step-island'
import type { StepProblem } from './step-problem'
import type { Stepper } from './stepper'
import { GAP_TARGET, ITERATIVE_GAP, STILL_SLIP } from './tolerances'

/** Angular velocity, × `STILL_SLIP` speed ÷ scene size, above which a sticking point rolls. */
const ROLLING = 1e1

/**
 * Contacts and overlaps measured on the shapes. Searches start from the last result, so a repeated measurement changes
 * later results in their last digits. Therefore placed bodies are measured once, however many frames show them.
 */
export interface MeasuredContacts {
  readonly contacts: readonly SolvedContact[]
  /** m: deepest overlap; 0 if none. */
  readonly deepest: number
}

/** Measures the contacts. The snapshot must be that of the context's state. */
export function measureContacts(context: StepContext, { stepper, sleepers: { resting } }: StepRunner): MeasuredContacts {
  const { equations: { snapshot: { motions } } } = context
  const contacts = stepper.kept.list.flatMap((island, k) => contactsOf(context, stepper, island, k, resting[island.bodies[0]!] === 1))
  let deepest = 0
  for (const pair of stepper.near.all) {
    const a = motions[pair.bodyA]!.pose
    const b = motions[pair.bodyB]!.pose
    if (!clearanceOf(pair).isKnownApart(a, b, 0)) deepest = Math.max(deepest, -pair.collider.separation(a, b))
  }
  return { contacts, deepest }
}

/** The frame at the end of a step. @param time s */
export function stepFrame(context: StepContext, steps: StepRunner, { contacts, deepest }: MeasuredContacts, index: number, time: number): MethodFrame {
  const { stepper, halved, hardest, sleepers: { asleep }, deformables } = steps
  const { equations, world } = context
  let force = 1e-3 * world.scales.force
  let violation = 0
  for (const contact of contacts) {
    const friction = length(contact.frictionForce)
    force = Math.max(force, contact.normalForce, friction)
    violation = Math.max(violation, -contact.normalForce, friction - contact.staticFriction * contact.normalForce, spinExcess(contact))
  }
  const joints = solvedJoints(context, stepper)
  return {
    index, time, snapshot: equations.snapshot, state: context.state, joints,
    contacts: deformables === null ? contacts : [...contacts, ...deformables.solvedContacts], ...balance(stepper),
    potential: equations.potential(),
    works: context.state.subarray(equations.layout.bodyLength), impactWork: context.impactWork, kinematicImpactWork: context.kinematicImpactWork,
    spawnedEnergy: context.spawnedEnergy, numericalWork: context.numericalWork, maxPenetration: deepest,
    maxComplementarity: stepper.kept.list.reduce((worst, { residual }) => Math.max(worst, residual), 0),
    maxConeViolation: violation / force, degraded: halved > 0,
    asleep: [...asleep.keys()].filter(body => asleep[body] === 1),
    solves: stepper.kept.list.flatMap(({ mode, bodies, sweeps, residual }, island) =>
      mode === 'contact' && asleep[bodies[0]!] === 0 ? [{ island, sweeps, residual }] : []),
    hardest, ...deformables === null ? {} : { deformables: deformables.solved },
  }
}

/** Forces by source, and the total force on each body: forces at the step's start, and impulses ÷ step. */
function balance(stepper: Stepper): Pick<MethodFrame, 'applied' | 'rates'> {
  const rates = stepper.external.slice()
  const applied = stepper.kept.appliedForces()
  const { trees } = stepper.motions
  trees?.joined.forEach((impulse, k) => { if (impulse !== 0) rates[k]! += impulse / trees.seconds[Math.floor(k / 6)]! })
  for (const { mode, problem, joints, drives, spins, endRows, endImpulse, endContacts, duration } of stepper.kept.list) {
    if (problem === null) continue
    const parts = [{ rows: problem.rows, p: problem.p }, ...endRows === null ? [] : [{ rows: endRows, p: endImpulse }]]
    for (const { rows, p } of parts) {
      const f = p.map(impulse => impulse / duration)
      rows.addWrench(f, rates)
      applied.addGears(joints, rows, f)
      // With contacts, neither drives nor friction of joints have rows at the end of the step, unless contacts have.
      if (mode === 'contact' && rows === endRows && endContacts === null) continue
      applied.addDrives({ drives: drives.map(({ drive }) => drive), driveRow: drives.map(({ row }) => row), rows }, f)
      if (mode !== 'contact' || rows !== endRows) applied.addSpins(spins, f)
    }
  }
  return { applied: applied.list, rates }
}

/** The contacts of an island, cached while it rests. */
function contactsOf(context: StepContext, stepper: Stepper, island: StepIsland, k: number, rests: boolean): readonly SolvedContact[] {
  const { recorded } = island
  if (!rests) return islandContacts(context, stepper, island, k)
  if (recorded?.[0]?.island === k) return recorded
  return island.recorded = recorded?.map(contact => ({ ...contact, island: k })) ?? islandContacts(context, stepper, island, k)
}

/** Contacts with an impulse, or within the contact gap. */
function islandContacts(context: StepContext, { motions }: Stepper, island: StepIsland, k: number): SolvedContact[] {
  const { snapshot } = context.equations
  const contacts: SolvedContact[] = []
  /** m/s: velocity of a row after the step, if it began in the middle of the last one with that of the state. */
  const after = (row: number): number => island.problem!.rows.along(row, motions.velocity) + island.problem!.rows.along(row, motions.leading)
  const { kickTime, endContacts } = island
  const solved = island.mode === 'contact'
  const p = !solved ? null : endContacts === null ? island.problem!.p : island.problem!.p.map((impulse, row) => impulse + endContacts.p[row]!)
  for (const active of island.constraints) {
    const { constraint: { pair, candidates }, choice, row, friction, tangent1, tangent2 } = active
    const normalForce = p === null ? 0 : p[row]! / kickTime
    const features = candidates[choice]!
    const { bodyA, bodyB } = pair
    const a = snapshot.motions[bodyA]!
    const b = snapshot.motions[bodyB]!
    const location = features.locate(a.pose, b.pose)
    // A gap may be negative or large without meaning if the contact point lies beyond the end of the face: such contacts
    // are omitted.
    if (normalForce === 0 && Math.abs(location.gap) > 2 * Math.max(GAP_TARGET, ITERATIVE_GAP * context.scales.size(bodyA, bodyB))) continue
    // The normal of the impulse; point and gap are those of the frame.
    const normal = p === null ? location.normal : active.at.normal
    const relativeVelocity = relativeVelocityAt(a, b, location.point)
    const frictionForce = p !== null && friction > 0 ? combine(tangent1, p[row + 1]! / kickTime, tangent2, p[row + 2]! / kickTime) : ZERO
    const frictionTorque = p !== null && active.spins.length > 0 ? scale(active.angularImpulse(p), 1 / kickTime) : ZERO
    contacts.push({
      bodyA, bodyB, shapeA: pair.shapeA, shapeB: pair.shapeB, featureA: features.featureA, featureB: features.featureB,
      point: location.point, normal, gap: location.gap, normalForce, frictionForce, frictionTorque,
      staticFriction: pair.material.staticFriction, dynamicFriction: pair.material.dynamicFriction,
      torsionalFriction: pair.material.torsionalFriction, rollingFriction: pair.material.rollingFriction,
      mode: normalForce === 0 ? 'separating' : modeOf(context, active, island.problem!, motions.velocity), relativeVelocity, interval: null, clamped: normalForce > 0, island: k,
      constraint: active.constraint.kind,
      normalAcceleration: p === null ? NaN : (after(row) - active.normalVelocity) / kickTime,
      tangentialAcceleration: p === null || !(friction > 0) ? NOT_COMPUTED : tangentialChange(active, after, kickTime),
    })
  }
  return contacts
}

/** Change of the tangential velocity in the step ÷ the time over which forces acted, m/s². @param after by row, m/s */
function tangentialChange({ row, tangent1, tangent2, relativeVelocity }: ActiveConstraint, after: (row: number) => number, time: number): Vec3 {
  return combine(
    tangent1, (after(row + 1) - dot(tangent1, relativeVelocity)) / time,
    tangent2, (after(row + 2) - dot(tangent2, relativeVelocity)) / time,
  )
}

/** p x + q y. */
function combine(p: Vec3, x: number, q: Vec3, y: number): Vec3 {
  return [p[0] * x + q[0] * y, p[1] * x + q[1] * y, p[2] * x + q[2] * y]
}

/** Of a contact that pushes. */
function modeOf(context: StepContext, active: ActiveConstraint, problem: StepProblem, velocity: Float64Array): ContactMode {
  const { settings, scales, equations: { snapshot } } = context
  const { constraint: { pair, candidates }, choice, friction, at: { normal } } = active
  const a = snapshot.motions[pair.bodyA]!
  const b = snapshot.motions[pair.bodyB]!
  const still = STILL_SLIP * scales.speed(pair.bodyA, pair.bodyB)
  if (friction > 0) {
    if (slides(active, problem, velocity, still, settings.frictionDirections)) return 'sliding'
  } else if (acrossOf(relativeVelocityAt(a, b, candidates[choice]!.locate(a.pose, b.pose).point), normal) > still) {
    return 'sliding'
  }
  const { featureA, featureB } = candidates[choice]!
  if (featureA.kind !== 'surface' && featureB.kind !== 'surface') return 'sticking'
  return acrossOf(sub(a.angularVelocity, b.angularVelocity), normal) * scales.size(pair.bodyA, pair.bodyB) > ROLLING * still ? 'rolling' : 'sticking'
}

/** Magnitude of the component perpendicular to a normal. */
function acrossOf(v: Vec3, normal: Vec3): number {
  return length(addScaled(v, normal, -dot(v, normal)))
}
