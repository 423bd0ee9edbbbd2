/**
 * Buffers for the problem of an island, reused by one island after another: a step of many contacts fills megabytes, which would become garbage. An
 * island keeps its buffers as long as frames may read its rows.
 */

import { JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
import { Rows } from '../../contact/rows'
import type { FrictionRows } from '../../lcp/problem'

/** × the requested size, because the number of contacts varies slightly from step to step. */
const GROWTH = 1.25
/** × the requested size: larger buffers are kept for larger islands. */
const WASTE = 4

export class ProblemWorkspace {
  readonly rows: Rows
  readonly kind: Uint8Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly b: Float64Array
  readonly p: Float64Array
  readonly free: Float64Array
  readonly basis: Uint8Array
  readonly slotA: Int32Array
  readonly slotB: Int32Array
  private gradients: Float64Array | null = null
  private readonly friction: FrictionRows[] = []

  /** @param capacity rows */
  constructor(readonly capacity: number) {
    this.rows = new Rows(capacity)
    this.kind = new Uint8Array(capacity)
    this.lower = new Float64Array(capacity)
    this.upper = new Float64Array(capacity)
    this.b = new Float64Array(capacity)
    this.p = new Float64Array(capacity)
    this.free = new Float64Array(capacity)
    this.basis = new Uint8Array(capacity)
    this.slotA = new Int32Array(capacity)
    this.slotB = new Int32Array(capacity)
  }

  /** A copy of the rows for modification; the same copy until the buffer holds other rows. */
  gradientOf(): Float64Array {
    this.gradients ??= new Float64Array(this.rows.jacobian.length)
    this.gradients.set(this.rows.jacobian.subarray(0, JACOBIAN_WIDTH * this.rows.count))
    return this.gradients
  }

  /** For the k-th contact with friction, whose normal is row `normal`. */
  frictionRows(k: number, normal: number, coefficient: number): FrictionRows {
    const known = this.friction[k]
    if (known !== undefined && known.normal === normal && known.staticFriction === coefficient) return known
    return this.friction[k] = {
      normal, tangent1: normal + 1, tangent2: normal + 2, staticFriction: coefficient, dynamicFriction: coefficient, state: 'static', slip1: 0, slip2: 0,
    }
  }
}

export class ProblemWorkspaces {
  /** By increasing capacity. */
  private readonly idle: ProblemWorkspace[] = []

  /** The smallest buffer for this many rows, with undefined contents. */
  take(size: number): ProblemWorkspace {
    const at = this.idle.findIndex(({ capacity }) => capacity >= size)
    const found = this.idle[at]
    if (found === undefined || found.capacity > WASTE * size) return new ProblemWorkspace(Math.ceil(GROWTH * size))
    this.idle.splice(at, 1)
    found.rows.clear()
    return found
  }

  give(workspace: ProblemWorkspace): void {
    const at = this.idle.findIndex(({ capacity }) => capacity >= workspace.capacity)
    this.idle.splice(at < 0 ? this.idle.length : at, 0, workspace)
  }
}
