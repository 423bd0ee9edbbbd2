/**
 * Rows of friction against relative rotation. With ω = ω_A − ω_B, a torque about the direction d acts on A, its opposite on B:
 *
 *   torsional   d = n̂                     ω_n = n̂·ω        ω̇_n = n̂·ω̇ + ṅ·ω
 *   rolling     d = two tangents          ω_t = ω − n̂ ω_n  ω̇_t = d·ω̇ − (d·ṅ) ω_n where ω_t = 0
 *   ball        d = the three world axes  ω                ω̇
 */

import type { SpinRows } from '../lcp/problem'
import { addScaled, cross, dot, length, perpendicular, scale, sub, ZERO, type Vec3 } from '../math/vector'
import type { JointSpin, SpinFriction, SpinKind, TouchingPoint } from './constraints'
import type { Rows } from './rows'
import type { Snapshot } from './snapshot'

const AXES: readonly Vec3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
const COUNT: Readonly<Record<SpinKind, number>> = { torsional: 1, rolling: 2, ball: 3 }

type MutableSpin = { -readonly [K in keyof SpinRows]: SpinRows[K] }

/** Joint or point of the friction; neither if only its rows are needed. */
export interface SpinOwner {
  readonly joint?: JointSpin
  readonly point?: TouchingPoint
}

export class IslandSpin {
  readonly rows: MutableSpin
  /** Index of its direction in the island's `slip`. */
  at = 0
  /** Axes of the rows at the snapshot last filled from, world frame. */
  axes: readonly Vec3[] = AXES
  /** The part of ω_A − ω_B that this friction opposes, rad/s, at that snapshot. */
  velocity: Vec3 = ZERO

  /** @param normal row of the normal force; −1 if the bound is constant */
  constructor(
    readonly spin: SpinFriction, readonly of: SpinOwner, private readonly bodies: Pick<TouchingPoint, 'bodyA' | 'bodyB'>, normal: number,
    readonly row: number,
  ) {
    const rows = Array.from({ length: COUNT[spin.kind] }, (_, k) => row + k)
    this.rows = { normal, rows, limit: spin.limit, state: 'static', slip: rows.map(() => 0) }
  }

  /** m: lever arm that turns a tolerance of forces, N, into one of torques, N m; 1 m for a constant bound. */
  get reach(): number {
    return this.rows.normal < 0 ? 1 : this.rows.limit
  }

  /** Appends the rows, and updates slip and state; `slow`: rad/s, as for a sliding point. */
  fill(snapshot: Snapshot, rows: Rows, normal: Vec3, normalRate: Vec3, slow: number): void {
    const { bodyA, bodyB } = this.bodies
    const { spin } = this
    const omega = sub(snapshot.motionOf(bodyA).angularVelocity, snapshot.motionOf(bodyB).angularVelocity)
    this.axes = axesOf(spin.kind, normal)
    this.velocity = opposedPart(spin.kind, omega, normal)
    for (const axis of this.axes) rows.pushRotation(bodyA, bodyB, axis, biasOf(spin.kind, axis, omega, normal, normalRate))
    const sliding = spin.friction === 'sliding'
    this.rows.state = sliding ? 'sliding' : 'static'
    this.rows.slip = this.components(sliding ? this.direction(normal, slow) : spin.slip)
  }

  /** Components of a world vector along the axes. */
  components(v: Vec3): number[] {
    return this.axes.map(axis => dot(v, axis))
  }

  /** The world vector of components along the axes. */
  vector(components: readonly number[]): Vec3 {
    return this.axes.reduce((sum: Vec3, axis, k) => addScaled(sum, axis, components[k]!), ZERO)
  }

  /** On A, N m. */
  torque(f: Float64Array): Vec3 {
    return this.vector(this.rows.rows.map(row => f[row]!))
  }

  /** N m. */
  bound(f: Float64Array): number {
    return this.rows.limit * (this.rows.normal < 0 ? 1 : f[this.rows.normal]!)
  }

  private direction(normal: Vec3, slow: number): Vec3 {
    const { kind, slip, onset } = this.spin
    const flat = (v: Vec3): Vec3 => {
      const seen = opposedPart(kind, v, normal)
      return scale(seen, 1 / length(seen))
    }
    return onset ? flat(slip) : steadyDirection(this.velocity, slip, slow, flat)
  }
}

/** Direction of v, whose component along `before` is at least `slow`; `unit` normalises it. */
export function steadyDirection(v: Vec3, before: Vec3, slow: number, unit: (v: Vec3) => Vec3): Vec3 {
  const along = dot(v, before)
  return along >= slow ? scale(v, 1 / length(v)) : unit(addScaled(v, before, slow - along))
}

/** The part of a relative angular velocity that a kind of friction opposes. */
export function opposedPart(kind: SpinKind, omega: Vec3, normal: Vec3): Vec3 {
  if (kind === 'ball') return omega
  const about = scale(normal, dot(omega, normal))
  return kind === 'torsional' ? about : sub(omega, about)
}

function axesOf(kind: SpinKind, normal: Vec3): readonly Vec3[] {
  if (kind === 'ball') return AXES
  if (kind === 'torsional') return [normal]
  const first = perpendicular(normal)
  return [first, cross(normal, first)]
}

function biasOf(kind: SpinKind, axis: Vec3, omega: Vec3, normal: Vec3, normalRate: Vec3): number {
  if (kind === 'ball') return 0
  return kind === 'torsional' ? dot(normalRate, omega) : -dot(axis, normalRate) * dot(normal, omega)
}
