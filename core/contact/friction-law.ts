/**
 * Friction laws between restarts: Coulomb's, and the three approximations of its static part in [Baraff92 §14.2], which are for comparison. Each
 * modifies an island's exact problem (`core/lcp/static-approximations`).
 */

import { crawlProblem, decoupledProblem, lotstedtProblem } from '../lcp/static-approximations'
import { BASIS_CLAMPED, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, ROW_BOX, type ContactProblem } from '../lcp/problem'
import type { Vec3 } from '../math/vector'
import { addScaled, length, scale, ZERO } from '../math/vector'
import type { TouchingPoint } from './constraints'

export interface FrictionLaw {
  readonly name: 'exact' | 'lotstedt' | 'crawl' | 'sign-guess'
  /** ε of the crawl threshold, m/s. */
  readonly crawlSpeed: number
  /** Warning about an approximation; null for Coulomb's law. */
  readonly approximation: string | null
}

export const COULOMB: FrictionLaw = { name: 'exact', crawlSpeed: 0, approximation: null }

/** The law with its warning. @param crawlSpeed m/s: ε of the crawl law; not used by the others */
export function frictionLaw(name: FrictionLaw['name'], crawlSpeed: number): FrictionLaw {
  const how = howItDiffers(name, crawlSpeed)
  return {
    name, crawlSpeed,
    approximation: how === null ? null : `static friction is approximated: ${how}; complementarity residuals are of this law, cone violations of Coulomb's`,
  }
}

function howItDiffers(name: FrictionLaw['name'], crawlSpeed: number): string | null {
  switch (name) {
    case 'exact': return null
    case 'lotstedt': return 'by Lötstedt\'s law each axis of friction is bounded by μ times the normal force of the previous step'
    case 'crawl': return `below ${crawlSpeed} m/s friction grows in proportion to the slip speed, so that contacts creep instead of sticking`
    case 'sign-guess': return 'with guessed signs its two axes are bounded separately, so that the friction cone is a pyramid'
  }
}

/** Input of a law for a frictional contact, in the order of the exact problem's `friction`. */
export interface FrictionalContact {
  readonly point: TouchingPoint
  /** v_t along its two tangents, m/s. */
  velocity1: number
  velocity2: number
}

/** The problem under a law; the exact one under Coulomb's. */
export function poseProblem({ name, crawlSpeed }: FrictionLaw, exact: ContactProblem, contacts: readonly FrictionalContact[]): ContactProblem {
  switch (name) {
    case 'exact': return exact
    case 'lotstedt': return lotstedtProblem(exact, Float64Array.from(contacts, ({ point }) => point.pastNormalForce.before))
    case 'crawl': return crawlProblem(exact, Float64Array.from(contacts.flatMap(({ velocity1, velocity2 }) => [velocity1, velocity2])), crawlSpeed)
    case 'sign-guess': return decoupledProblem(exact)
  }
}

/** Friction of a contact with two separately bounded axes, a friction pyramid: by Lötstedt's law and with guessed signs. */
export class AxisFriction {
  /**
   * @param row of the first axis; the row before it is that of the normal force
   * @param at index of the first axis in `slip`; −1 if the bounds are known forces
   * @param slides friction is fully determined, without a bound
   */
  constructor(private readonly point: TouchingPoint, readonly row: number, private readonly at: number, readonly slides: boolean) {}

  /** μ f_N of either axis, N: with the present normal force, or, by Lötstedt's law, that of one step ago. */
  bound(f: Float64Array): number {
    const { material: { staticFriction, dynamicFriction }, pastNormalForce } = this.point
    return (this.slides ? dynamicFriction : staticFriction) * Math.max(0, this.at < 0 ? pastNormalForce.before : f[this.row - 1]!)
  }

  /** Distance of the friction of an axis from its bound, N. */
  slack(axis: 0 | 1, f: Float64Array): number {
    return this.bound(f) - Math.abs(f[this.row + axis]!)
  }

  /** Used share of the bound; for known friction, its magnitude. */
  usage(f: Float64Array): number {
    const bound = this.bound(f)
    const [x, y] = [f[this.row]!, f[this.row + 1]!]
    const used = this.slides ? Math.sqrt(x * x + y * y) : Math.max(Math.abs(x), Math.abs(y))
    return bound > 0 ? used / bound : 0
  }

  /** Index set of a loaded contact that would slip along `direction`, given by components; zero components hold. */
  place(direction: readonly [number, number], basis: Uint8Array, slip: Float64Array): void {
    direction.forEach((d, k) => {
      basis[this.row + k] = this.slides ? BASIS_LOWER : d === 0 ? BASIS_CLAMPED : this.at >= 0 ? BASIS_LIMITED : d > 0 ? BASIS_LOWER : BASIS_UPPER
      if (this.at >= 0 && d !== 0) slip[this.at + k] = d > 0 ? 1 : -1
    })
  }

  /** The direction of slip given by the axes at their bounds; zero if there are none. */
  reached(f: Float64Array, near: number, tangents: readonly [Vec3, Vec3]): Vec3 {
    return unitOf(tangents, ([0, 1] as const).map(k => this.slides || this.slack(k, f) > near ? 0 : -f[this.row + k]!))
  }

  /** Direction in which the contact begins to slip in a solution; zero if it sticks. @param still m/s²: accelerations below this are rounding */
  beginsAlong(basis: Uint8Array, a: Float64Array, still: number, tangents: readonly [Vec3, Vec3]): Vec3 {
    return unitOf(tangents, [0, 1].map(k => {
      const rate = a[this.row + k]!
      return basis[this.row + k] === BASIS_CLAMPED || Math.abs(rate) <= still ? 0 : rate
    }))
  }
}

function unitOf([tangent1, tangent2]: readonly [Vec3, Vec3], [x, y]: readonly number[]): Vec3 {
  const v = addScaled(scale(tangent1, x!), tangent2, y!)
  const size = length(v)
  return size > 0 ? scale(v, 1 / size) : ZERO
}

/** The pyramids of a posed problem: one for each frictional contact without rows in `posed.friction`. */
export function axisFriction(exact: ContactProblem, posed: ContactProblem, contacts: readonly FrictionalContact[]): (AxisFriction | null)[] {
  const own = new Set(posed.friction.map(({ normal }) => normal))
  let at = 2 * posed.friction.length + (exact.spin ?? []).reduce((sum, { rows }) => sum + rows.length, 0)
  return exact.friction.map(({ normal, tangent1, state }, c) => {
    if (own.has(normal)) return null
    const known = posed.kind[tangent1] === ROW_BOX
    return new AxisFriction(contacts[c]!.point, tangent1, known ? -1 : (at += 2) - 2, state === 'sliding')
  })
}
