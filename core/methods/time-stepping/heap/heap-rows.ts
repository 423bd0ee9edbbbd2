/** Builds the problem of a heap's substep from columns: one normal row for each contact, and two tangent rows if it has friction. */

import { JACOBIAN_WIDTH } from '../../../dynamics/joints/joint'
import type { Rows } from '../../../contact/rows'
import { ROW_FRICTION, ROW_UNILATERAL, type FrictionRows } from '../../../lcp/problem'
import { speedAfterBounce } from '../bounce'
import type { StepContext } from '../context'
import type { ProblemWorkspace } from '../problem-workspace'
import { BOUNCE } from '../settings'
import type { StepProblem } from '../step-problem'
import type { HeapBodies } from './heap-bodies'
import type { HeapContacts } from './heap-contacts'
import type { HeapPairs } from './heap-pairs'
import { MAX_AIM, MIN_AIM, STICKING } from '../tolerances'

const NO_SLOTS = new Int32Array(0)

/** Unit vectors along which a contact's rows act: its normal and two tangents. */
const directions = new Float64Array(9)

/** Upper bound on the number of rows of the substep's contacts. */
export function rowsOf({ count, pairs }: HeapContacts, { pairs: all }: HeapPairs): number {
  let size = count
  for (let k = 0; k < count; k++) if (all[pairs[k]!]!.material.staticFriction > 0) size += 2
  return size
}

export interface HeapAssembly {
  readonly workspace: ProblemWorkspace
  /** Scratch by body, filled with −1. */
  readonly slots: Int32Array
  /** s: length of the substep. */
  readonly h: number
  /**
   * Whether the heap hardly moves. Contacts with an impulse then keep their gap: if one slightly above the target gap had to close, it would have to
   * drop its load first, which takes thousands of sweeps when neighbouring contacts carry load too.
   */
  readonly settles: boolean
}

/**
 * Fills the rows at the start of the substep from the initial guess in `contacts`. Writes into `contacts` the values needed to account for the
 * solution.
 *
 * @param members bodies of the heap
 */
export function assemble(
  { settings, scales }: StepContext, contacts: HeapContacts, pairs: HeapPairs, bodies: HeapBodies, members: readonly number[],
  { workspace, slots, h, settles }: HeapAssembly,
): StepProblem {
  const { count, normals, points, gaps, impulses, rows: guess } = contacts
  const { rows, p, b, kind } = workspace
  const { velocity, before } = bodies
  const friction: FrictionRows[] = []
  let row = 0
  for (let k = 0; k < count; k++) {
    const pair = contacts.pairs[k]!
    const { material } = pairs.pairs[pair]!
    const bodyA = pairs.bodyA[pair]!
    const bodyB = pairs.bodyB[pair]!
    const o = 3 * k
    const [nx, ny, nz] = [normals[o]!, normals[o + 1]!, normals[o + 2]!]
    findTangents(nx, ny, nz)
    const mayRub = material.staticFriction > 0
    for (let r = 0; r < (mayRub ? 3 : 1); r++) fillRow(rows, row + r, bodies, bodyA, bodyB, points[o]!, points[o + 1]!, points[o + 2]!, 3 * r)
    rows.count = row + (mayRub ? 3 : 1)
    const approach = contacts.approach[k] = rows.along(row, before)
    let mu = 0
    if (mayRub) {
      const [s, t] = [rows.along(row + 1, before), rows.along(row + 2, before)]
      mu = Math.sqrt(s * s + t * t) <= STICKING * scales.speed(bodyA, bodyB) ? material.staticFriction : material.dynamicFriction
    }
    contacts.friction[k] = mu
    contacts.row[k] = row
    const [x, y, z] = [impulses[o]!, impulses[o + 1]!, impulses[o + 2]!]
    const exact = !Number.isNaN(guess[o]!)
    kind[row] = ROW_UNILATERAL
    p[row] = exact ? guess[o]! : Math.max(0, x * nx + y * ny + z * nz)
    const target = pairs.gap[pair]!
    const gap = gaps[k]!
    const aim = contacts.aim[k] = settles && p[row]! > 0 ? Math.max(gap, 0) : Math.min(Math.max(gap, MIN_AIM * target), MAX_AIM * target)
    const free = contacts.unmet[k] = rows.along(row, velocity)
    const bounce = contacts.bounce[k] = material.restitution > 0
      ? speedAfterBounce({
          e: material.restitution, approach, unmet: free, gap, h, threshold: Math.max(settings.restingSpeed, BOUNCE * Math.abs(free - approach)),
        })
      : -Infinity
    b[row] = Math.max((aim - gap) / h, bounce) - free
    rows.count = ++row
    if (!(mu > 0)) continue
    for (let t = 0; t < 2; t++) {
      const d = 3 + 3 * t
      kind[row + t] = ROW_FRICTION
      p[row + t] = exact ? guess[o + 1 + t]! : x * directions[d]! + y * directions[d + 1]! + z * directions[d + 2]!
      b[row + t] = -rows.along(row + t, velocity)
    }
    friction.push(workspace.frictionRows(friction.length, row - 1, mu))
    rows.count = row += 2
  }
  for (let k = 0; k < members.length; k++) slots[members[k]!] = k
  const slotA = workspace.slotA.subarray(0, row)
  const slotB = workspace.slotB.subarray(0, row)
  for (let i = 0; i < row; i++) {
    slotA[i] = slots[rows.bodyA[i]!]!
    slotB[i] = slots[rows.bodyB[i]!]!
  }
  for (let k = 0; k < members.length; k++) slots[members[k]!] = -1
  return {
    rows, gradient: rows.jacobian, kind: kind.subarray(0, row), lower: workspace.lower.subarray(0, row),
    upper: workspace.upper.subarray(0, row), friction, spin: [],
    b: b.subarray(0, row), p: p.subarray(0, row), basis: workspace.basis.subarray(0, row).fill(0), slip: new Float64Array(2 * friction.length), warm: false,
    pivotingFailed: false, eliminated: { value: null }, bodyCount: members.length, slotA, slotB, secondSlotA: NO_SLOTS, secondSlotB: NO_SLOTS, alternatives: [],
  }
}

/** Writes tangents of a unit normal into `directions`, in the convention of `perpendicular`. */
function findTangents(x: number, y: number, z: number): void {
  const ax = Math.abs(x)
  const ay = Math.abs(y)
  const az = Math.abs(z)
  let u = y
  let v = -x
  let w = 0
  if (ax <= ay && ax <= az) {
    u = 0
    v = z
    w = -y
  } else if (ay <= az) {
    u = -z
    v = 0
    w = x
  }
  const scale = 1 / Math.sqrt(u * u + v * v + w * w)
  u *= scale
  v *= scale
  w *= scale
  directions[0] = x
  directions[1] = y
  directions[2] = z
  directions[3] = u
  directions[4] = v
  directions[5] = w
  directions[6] = y * w - z * v
  directions[7] = z * u - x * w
  directions[8] = x * v - y * u
}

/** Fills J and M⁻¹ Jᵀ of one row: the direction at offset `d` of `directions`, acting at a point between two bodies. */
function fillRow(rows: Rows, row: number, bodies: HeapBodies, bodyA: number, bodyB: number, x: number, y: number, z: number, d: number): void {
  rows.bodyA[row] = bodyA
  rows.bodyB[row] = bodyB
  rows.bias[row] = 0
  fillHalf(rows, JACOBIAN_WIDTH * row, bodies, bodyA, x, y, z, directions[d]!, directions[d + 1]!, directions[d + 2]!)
  fillHalf(rows, JACOBIAN_WIDTH * row + 6, bodies, bodyB, x, y, z, -directions[d]!, -directions[d + 1]!, -directions[d + 2]!)
}

function fillHalf(
  { jacobian: J, inverseMassJacobian: W }: Rows, at: number, { start: { center }, inverseMass, inverseInertia: I }: HeapBodies, body: number, x: number,
  y: number, z: number, u: number, v: number, w: number,
): void {
  const c = 3 * body
  const rx = x - center[c]!
  const ry = y - center[c + 1]!
  const rz = z - center[c + 2]!
  const mx = ry * w - rz * v
  const my = rz * u - rx * w
  const mz = rx * v - ry * u
  J[at] = u
  J[at + 1] = v
  J[at + 2] = w
  J[at + 3] = mx
  J[at + 4] = my
  J[at + 5] = mz
  const m = inverseMass[body]!
  const i = 9 * body
  W[at] = m * u
  W[at + 1] = m * v
  W[at + 2] = m * w
  W[at + 3] = I[i]! * mx + I[i + 1]! * my + I[i + 2]! * mz
  W[at + 4] = I[i + 3]! * mx + I[i + 4]! * my + I[i + 5]! * mz
  W[at + 5] = I[i + 6]! * mx + I[i + 7]! * my + I[i + 8]! * mz
}
