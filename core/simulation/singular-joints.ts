/**
 * Closed chains of joints that start in a singular position: a linkage that is fully stretched or folded flat.
 *
 * There the joints seem to allow a motion u, J u = 0, that they block at once: J u̇ + J̇ u = 0 has no solution if a stress w of the joints among themselves,
 * Jᵀ w = 0, has w · J̇ u ≠ 0. If one stress blocks every motion with the same sign, the chain is locked [Connelly and Whiteley 1996]. Ideal
 * joints have no finite reactions then to a force across the chain. Redundant joints, as those of a door with two hinges, have stresses that block nothing.
 */

import { Snapshot } from '../contact/snapshot'
import type { World } from '../contact/world'
import { bodiesOfJoint, evaluateJoint, jointEquations } from '../dynamics/joints'
import { JACOBIAN_WIDTH, type JointConstraint, type JointEquations } from '../dynamics/joints/joint'
import { initialState, stateLayout } from '../dynamics/state-layout'
import type { BodyMotion } from '../geometry/motion'
import { eigenvectors } from '../math/jacobi'
import { distance, type Vec3 } from '../math/vector'

export interface SingularJoints {
  /** Indices of the joints of a closed chain. */
  readonly joints: readonly number[]
  /** Whether no motion at all is possible. */
  readonly locked: boolean
}

/** Largest number of bodies of a chain that is examined: the check runs after each edit, and its time grows with the third power. */
const MOST_BODIES = 12
/** Squared singular value of J, × the largest one, below which a motion is free or a stress needs no load: typed coordinates of twelve digits. */
const FREE = 1e-12
/** w · J̇ u of unit vectors in units of the chain's size: less is rounding. */
const BLOCKED = 1e-6

export function singularJoints(world: World, planar: boolean): SingularJoints[] {
  const snapshot = new Snapshot(stateLayout(world.bodies))
  snapshot.update(initialState(snapshot.layout))
  const moves = (body: number) => snapshot.exists[body]! && snapshot.inverseMass[body]! > 0
  return closedChains(world, moves).flatMap(({ joints, bodies }) => {
    const blocked = blockedMotions(joints.map(joint => world.joints[joint]!.constraint), bodies, snapshot, planar)
    return blocked === null ? [] : [{ joints, locked: isDefinite(blocked) }]
  })
}

interface Chain {
  readonly joints: readonly number[]
  readonly bodies: readonly number[]
}

/** Bodies that joints connect, with more joints than an open chain has. */
function closedChains(world: World, moves: (body: number) => boolean): Chain[] {
  const links = world.joints.flatMap(({ constraint, broken }, joint) => broken ? [] : [{ joint, bodies: bodiesOfJoint(constraint).filter(moves) }])
    .filter(({ bodies }) => bodies.length > 0)
  const chains: Chain[] = []
  const left = new Set(links)
  for (const first of links) {
    if (!left.delete(first)) continue
    const [joints, bodies] = [[first.joint], new Set(first.bodies)]
    let grown = true
    while (grown) {
      grown = false
      for (const link of left) {
        if (!link.bodies.some(body => bodies.has(body))) continue
        left.delete(link)
        joints.push(link.joint)
        for (const body of link.bodies) bodies.add(body)
        grown = true
      }
    }
    const closed = joints.length >= bodies.size && joints.length > 1
    if (closed && bodies.size <= MOST_BODIES) chains.push({ joints: joints.sort((a, b) => a - b), bodies: [...bodies] })
  }
  return chains
}

/** w · J̇ u as a quadratic form of the free motions, for the stress that blocks most; null if none does. */
function blockedMotions(joints: readonly JointConstraint[], bodies: readonly number[], snapshot: Snapshot, planar: boolean): Float64Array[] | null {
  const axes = planar ? [0, 2, 4] : [0, 1, 2, 3, 4, 5]
  const columns = axes.length * bodies.length
  const count = joints.reduce((sum, { rows }) => sum + rows, 0)
  const size = sizeOf(bodies.map(body => snapshot.motionOf(body).center))
  const J = joints.flatMap(joint => rowsOf(joint, bodies, axes, size, evaluated(joint, body => snapshot.motionOf(body))))
  const stresses = nullVectors(count, (i, j) => product(J[i]!, J[j]!))
  if (stresses.length === 0) return null
  const motions = nullVectors(columns, (i, j) => J.reduce((sum, row) => sum + row[i]! * row[j]!, 0))
  /** J̇ u of velocities u, in units of the chain's size. */
  const biasOf = (u: Float64Array): number[] => {
    const moving = (body: number): BodyMotion => moved(snapshot.motionOf(body), bodies.indexOf(body), u, axes, size)
    return joints.flatMap(joint => {
      const { bias, jacobian } = evaluated(joint, moving)
      return Array.from(bias, (value, r) => value / unitOf(jacobian, r, size))
    })
  }
  const pairs = motions.map((u, i) => motions.slice(0, i + 1).map(v => biasOf(u.map((x, k) => x + v[k]!))))
  const single = motions.map(biasOf)
  let [most, found]: [number, Float64Array[] | null] = [BLOCKED, null]
  for (const w of stresses) {
    const form = motions.map(() => new Float64Array(motions.length))
    let largest = 0
    pairs.forEach((row, i) => row.forEach((sum, j) => {
      const value = w.reduce((total, x, r) => total + x * (sum[r]! - single[i]![r]! - single[j]![r]!) / 2, 0)
      form[i]![j] = form[j]![i] = value
      largest = Math.max(largest, Math.abs(value))
    }))
    if (largest > most) [most, found] = [largest, form]
  }
  return found
}

function evaluated(joint: JointConstraint, motionOf: (body: number) => BodyMotion): JointEquations {
  const out = jointEquations(joint)
  evaluateJoint(joint, motionOf, out)
  return out
}

/** Rows of J for velocities in units of the chain's size, without the joint's own unit. */
function rowsOf(joint: JointConstraint, bodies: readonly number[], axes: readonly number[], size: number, equations: JointEquations): Float64Array[] {
  return Array.from({ length: joint.rows }, (_, r) => {
    const row = new Float64Array(axes.length * bodies.length)
    const unit = unitOf(equations.jacobian, r, size)
    const put = (body: number, { jacobian }: JointEquations, from: number) => {
      const at = bodies.indexOf(body)
      if (at < 0) return
      axes.forEach((axis, k) => {
        const column = axes.length * at + k
        row[column] = row[column]! + jacobian[r * JACOBIAN_WIDTH + from + axis]! * (axis < 3 ? size : 1) / unit
      })
    }
    for (const [pair, part] of [[joint, equations], [joint.second, equations.second]] as const) {
      if (pair === undefined || part === undefined) continue
      put(pair.bodyA, part, 0)
      put(pair.bodyB, part, 6)
    }
    return row
  })
}

/** m for rows of translations, 1 for those of rotations. */
function unitOf(jacobian: Float64Array, r: number, size: number): number {
  const at = r * JACOBIAN_WIDTH
  return [0, 1, 2, 6, 7, 8].some(k => jacobian[at + k] !== 0) ? size : 1
}

function moved(motion: BodyMotion, at: number, u: Float64Array, axes: readonly number[], size: number): BodyMotion {
  const v = [0, 0, 0, 0, 0, 0]
  if (at >= 0) axes.forEach((axis, k) => { v[axis] = u[axes.length * at + k]! * (axis < 3 ? size : 1) })
  return { ...motion, velocity: v.slice(0, 3) as unknown as Vec3, angularVelocity: v.slice(3) as unknown as Vec3 }
}

/** Orthonormal vectors that a symmetric matrix with elements `at` maps to 0. */
function nullVectors(n: number, at: (i: number, j: number) => number): Float64Array[] {
  const A = Float64Array.from({ length: n * n }, (_, i) => at(Math.floor(i / n), i % n))
  const V = new Float64Array(n * n)
  eigenvectors(A, V, n)
  const values = Array.from({ length: n }, (_, i) => A[i * n + i]!)
  const largest = Math.max(...values)
  return values.flatMap((value, i) => value <= FREE * largest ? [Float64Array.from({ length: n }, (_, k) => V[k * n + i]!)] : [])
}

function isDefinite(form: readonly Float64Array[]): boolean {
  const n = form.length
  const A = Float64Array.from(form.flatMap(row => [...row]))
  eigenvectors(A, new Float64Array(n * n), n)
  const values = form.map((_, i) => A[i * n + i]!)
  return values.every(value => value > BLOCKED) || values.every(value => value < -BLOCKED)
}

function product(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, x, k) => sum + x * b[k]!, 0)
}

function sizeOf(points: readonly Vec3[]): number {
  const [first] = points
  return Math.max(...points.map(point => distance(point, first!))) || 1
}
