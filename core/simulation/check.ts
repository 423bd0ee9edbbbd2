/** The common check of `validate`, `simulate` and the editor's list of problems: everything that can be known before the first frame. */

import { bodyMass, meshMass, partsOf, solidsOf } from '../analysis/solids'
import { ContactSet } from '../contact/contact-set'
import { allowedOverlap, overlapsAt } from '../contact/overlaps'
import { Snapshot } from '../contact/snapshot'
import type { World } from '../contact/world'
import { Rows } from '../contact/rows'
import { bodiesOfJoint, evaluateJoint, jointEquations } from '../dynamics/joints'
import { initialState, stateLayout } from '../dynamics/state-layout'
import { planarSolid } from '../geometry/planar'
import { ShapeError } from '../geometry/shape'
import { INITIAL_OVERLAP } from '../math/tolerances'
import { distance, max, min, scale as scaled, type Vec3 } from '../math/vector'
import { shortNumber } from '../math/short-number'
import { parseScene, type ParseResult, type ResolvedBody, type ResolvedScene, type ResolvedShapeOf } from '../scene'
import { compile, type ControlledWorld } from './compile'
import { constraintProblems } from './constraint-problems'
import { methodName } from './method'
import { isPlanar, planarProblems } from './planar'
import type { Problem } from './problem'
import { singularJoints } from './singular-joints'
import { unsupported } from './unsupported'

export interface CheckResult {
  /** Errors and warnings, in the order of detection. */
  readonly problems: readonly Problem[]
  /** Null if there is an error. */
  readonly scene: ResolvedScene | null
  /** The scene compiled without its scripts, at its start; null if it could not be compiled. */
  readonly world: ControlledWorld | null
}

export function check(source: string | object): CheckResult {
  return checkParsed(parseScene(source))
}

export function checkParsed(parsed: ParseResult): CheckResult {
  if (!parsed.ok) return { problems: parsed.problems, scene: null, world: null }
  const scene = parsed.resolved
  const problems: Problem[] = [...parsed.warnings, ...unsupported(scene), ...planarProblems(scene)]
  if (failed(problems)) return { problems, scene: null, world: null }
  problems.push(...bodyProblems(scene))
  if (failed(problems)) return { problems, scene: null, world: null }
  const world = compiled(scene, problems)
  if (world !== null) problems.push(...overlaps(world, scene.simulation.initialOverlap === 'separate'), ...jointProblems(world, scene))
  if (world !== null) problems.push(...constraintProblems(world))
  return { problems, scene: failed(problems) ? null : scene, world }
}

function failed(problems: readonly Problem[]): boolean {
  return problems.some(problem => problem.severity === 'error')
}

/** Shapes that cannot be built, and dynamic bodies without a usable mass. */
function bodyProblems(scene: ResolvedScene): Problem[] {
  const problems: Problem[] = []
  scene.bodies.forEach((body, i) => {
    let sound = true
    body.shapes.forEach((shape, j) => {
      try {
        const solids = solidsOf(shape)
        if (isPlanar(scene)) for (const solid of solids) planarSolid(shape.type, solid, shape)
        if (shape.type === 'mesh') problems.push(...meshProblems(shape, body, `bodies[${i}].shapes[${j}]`))
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error
        sound = false
        const path = `bodies[${i}].shapes[${j}]${error.field === null ? '' : `.${error.field}`}`
        problems.push({ name: 'InvalidShape', severity: 'error', message: `body "${body.id}": ${error.message}`, path, ids: [body.id] })
      }
    })
    if (sound && body.type === 'dynamic') problems.push(...massProblems(body, scene, `bodies[${i}]`))
  })
  return problems
}

/** Tolerated difference between the extents of the pieces and their mesh, × size: the resolution of a coarse decomposition. */
const PIECES_OFF = 0.1

/**
 * A mesh with an open surface has the mass of its pieces, which matters if the body is dynamic. Problems: a surface that faces inwards, and pieces that do
 * not match the mesh because they are outdated.
 */
function meshProblems(shape: ResolvedShapeOf<'mesh'>, { id: body, type }: ResolvedBody, path: string): Problem[] {
  const problems: Problem[] = []
  const mass = meshMass(shape)
  if (mass instanceof ShapeError) {
    const open = mass.fault === 'openSurface' || mass.fault === 'nonManifold'
    if (!open || type === 'dynamic') problems.push({
      name: open ? 'OpenMesh' : 'InvalidShape', severity: open ? 'warning' : 'error', path, ids: [body],
      message: `body "${body}": ${mass.message}${open ? '; its mass is that of its convex pieces' : ''}`,
    })
  }
  const { vertices, scale, pieces = [] } = shape
  if (vertices === undefined) return problems
  const [low, high] = boundsOf(vertices)
  const [lowest, highest] = boundsOf(pieces.flatMap(piece => piece.points))
  const off = Math.max(distance(lowest, scaled(low, scale)), distance(highest, scaled(high, scale)))
  const size = scale * distance(low, high)
  if (off > PIECES_OFF * size) {
    problems.push({
      name: 'StalePieces', severity: 'warning', path: `${path}.pieces`, value: off, allowed: `at most ${PIECES_OFF} of the mesh's size, ${shortNumber(size)} m`, ids: [body],
      message: `body "${body}": mesh: the box around its convex pieces differs by ${shortNumber(off)} m from that around its vertices: they belong to another mesh or scale`,
    })
  }
  return problems
}

function boundsOf(points: readonly Vec3[]): readonly [Vec3, Vec3] {
  return [points.reduce(min), points.reduce(max)]
}

function massProblems(body: ResolvedBody, scene: ResolvedScene, path: string): Problem[] {
  const { mass, inertia } = bodyMass(body, partsOf(body, scene))
  if (mass > 0 && mass < Infinity && inertia.every(Number.isFinite)) return []
  return [{
    name: 'MissingMass', severity: 'error', path: `${path}.mass`, value: mass, allowed: 'a finite mass > 0, from shapes or explicit', ids: [body.id],
    message: `Body "${body.id}" is dynamic, but its mass is ${mass} kg`,
  }]
}

function compiled(scene: ResolvedScene, problems: Problem[]): ControlledWorld | null {
  try {
    return compile(scene, null)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const joint = scene.joints.findIndex(candidate => error.message.includes(`"${candidate.id}"`))
    problems.push({
      name: 'InvalidJoint', severity: 'error', message: error.message, path: joint < 0 ? '' : `joints[${joint}]`,
      ids: joint < 0 ? [] : [scene.joints[joint]!.id],
    })
    return null
  }
}

/** Maximum number of overlapping pairs in the message, the deepest ones: a thousand bodies in one place have half a million. */
const MAX_OVERLAPS = 50
/** Maximum number of pairs that are searched: a scene with more is clearly faulty. */
const MAX_PAIRS = 20_000

/** Bodies that overlap at t = 0 by more than projection removes; `separated`: the scene moves them apart at any depth. */
function overlaps(world: World, separated: boolean): Problem[] {
  const snapshot = new Snapshot(stateLayout(world.bodies))
  snapshot.update(initialState(snapshot.layout))
  const problems: Problem[] = []
  const allowed = allowedOverlap(world)
  const overlapping = overlapsAt(world, new ContactSet(world), snapshot, MAX_PAIRS)
  const reported = overlapping.length <= MAX_OVERLAPS ? overlapping : [...overlapping].sort((one, other) => other.depth - one.depth).slice(0, MAX_OVERLAPS)
  for (const { bodyA: a, bodyB: b, depth } of reported) {
    const [first, second] = [world.bodies[a]!, world.bodies[b]!]
    const severe = depth > allowed && !separated
    problems.push({
      name: 'InitialPenetration', severity: severe ? 'error' : 'warning', path: `bodies[${Math.max(a, b)}].position`, value: depth,
      allowed: `an overlap of at most ${shortNumber(allowed)} m, which projection removes; more if simulation.initialOverlap is "separate"`, ids: [first.id, second.id], time: 0,
      message: severe
        ? `"${first.id}" and "${second.id}" overlap by ${shortNumber(depth)} m at the start`
        : `"${first.id}" and "${second.id}" overlap by ${shortNumber(depth)} m at the start: they are moved apart`,
    })
  }
  if (reported.length < overlapping.length) {
    const { name, severity } = problems[0]!
    problems.push({ name, severity, path: 'bodies', ids: [],
      message: overlapping.length < MAX_PAIRS
        ? `${overlapping.length - reported.length} more pairs of bodies overlap at the start, less deep`
        : `at least ${overlapping.length - reported.length} more pairs of bodies overlap at the start; the search stops at ${MAX_PAIRS}`,
    })
  }
  return problems
}

/** Joints whose equations do not hold at t = 0: a rod whose length differs from the distance of its anchors, a bead off its wire. */
function openJoints(world: World, scene: ResolvedScene): Problem[] {
  const allowed = INITIAL_OVERLAP * Math.max(1, world.scales.size)
  return jointsAtStart(world).flatMap(({ error, joint }): Problem[] => error <= allowed ? [] : [{
    name: 'UnsatisfiableConstraints', severity: 'error', path: `joints[${joint}]`, value: error, time: 0,
    allowed: `an error of at most ${shortNumber(allowed)} m or rad, which projection removes`, ids: idsOfJoint(scene, joint),
    message: `joint "${scene.joints[joint]!.id}" does not hold at the start: its error is ${shortNumber(error)} m or rad`,
  }])
}

function jointProblems(world: World, scene: ResolvedScene): Problem[] {
  const open = openJoints(world, scene)
  return [...open, ...jointVelocities(world, scene), ...open.length > 0 ? [] : singularPositions(world, scene)]
}

/** m/s and rad/s, × the speed scale: lower relative speeds are the rounding of typed digits. */
const JOINT_SPEED = 1e-6

/** Joints that contradict the initial velocities: the velocities are projected onto them, with a warning. */
function jointVelocities(world: World, scene: ResolvedScene): Problem[] {
  const allowed = JOINT_SPEED * Math.max(1, world.scales.speed)
  const feedback = scene.simulation.eventDriven.jointFeedback !== undefined && methodName(scene) === 'event-driven'
  return jointsAtStart(world).flatMap(({ rate, joint }): Problem[] => rate <= allowed ? [] : [{
    name: 'ContradictoryVelocities', severity: 'warning', path: `joints[${joint}]`, value: rate, time: 0,
    allowed: 'initial velocities that the joint allows', ids: idsOfJoint(scene, joint),
    message: `joint "${scene.joints[joint]!.id}" contradicts the initial velocities of its bodies, which separate it at ${shortNumber(rate)} m/s or rad/s: `
      + (feedback ? 'feedback restores the joint' : 'the smallest correction is applied'),
  }])
}

/** Closed chains that start stretched or folded, of joints that hold. */
function singularPositions(world: World, scene: ResolvedScene): Problem[] {
  return singularJoints(world, isPlanar(scene)).map(({ joints, locked }): Problem => {
    const ids = joints.map(joint => scene.joints[joint]!.id)
    return {
      name: 'SingularPosition', severity: 'warning', path: `joints[${joints[0]!}]`, time: 0, ids, allowed: 'a position off the one that is stretched or folded',
      message: `joints ${list(ids)} ${locked ? 'lock each other at the start, like a chain pulled straight: no motion is possible, and a force across it has no finite reaction'
        : 'are in a singular position at the start, like a linkage folded flat: the motion can go on in several ways or in none, and reactions may have no bound'}`,
    }
  })
}

/** Most ids in a message. */
const NAMED = 6

function list(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED).map(id => `"${id}"`)
  const last = ids.length > NAMED ? `${ids.length - NAMED} more` : named.pop()!
  return `${named.join(', ')} and ${last}`
}

/**
 * Largest error and rate of each joint's equations at t = 0, in m or rad, and per second; only for joints whose bodies exist then, and of which one
 * can move.
 */
function jointsAtStart(world: World): { joint: number; error: number; rate: number }[] {
  const snapshot = new Snapshot(stateLayout(world.bodies))
  snapshot.update(initialState(snapshot.layout))
  const velocities = new Float64Array(6 * world.bodies.length)
  snapshot.velocities(velocities)
  const row = new Rows(1)
  return world.joints.flatMap(({ constraint, broken }, joint) => {
    if (broken) return []
    const bodies = bodiesOfJoint(constraint)
    const out = jointEquations(constraint)
    evaluateJoint(constraint, body => snapshot.motionOf(body), out)
    const counts = bodies.every(body => snapshot.exists[body]!) && bodies.some(body => snapshot.inverseMass[body]! > 0)
    let [error, rate] = [0, 0]
    for (let r = 0; r < constraint.rows; r++) {
      row.clear()
      row.pushJoint(constraint, out, r)
      error = Math.max(error, Math.abs(out.error[r]!))
      if (counts) rate = Math.max(rate, Math.abs(row.along(0, velocities)))
    }
    return [{ joint, error, rate }]
  })
}

function idsOfJoint(scene: ResolvedScene, joint: number): string[] {
  const { id, bodyA, bodyB } = scene.joints[joint] as { id: string; bodyA?: string | null; bodyB?: string | null }
  return [id, bodyA, bodyB].filter(body => typeof body === 'string')
}
