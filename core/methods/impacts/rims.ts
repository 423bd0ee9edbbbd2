/**
 * A flat surface on a round one: rims that lie flat touch along a curve, of which only some points are constrained. If the bodies would penetrate at
 * another point of the curve, that point is constrained too, and the problem is solved again until they penetrate nowhere.
 *
 * The additional point is a pivot, found by a search along the rim. It is near the point at which the load acts, which decides whether the body tips
 * (the centre of pressure lies between two constrained points and gives its direction). Once the body tips, it is near the lowest point of the rim.
 * Either point's side of the present pivot brackets the search. Separating points of the rim take no part meanwhile, so no two points nearly
 * coincide, and the problems stay well-conditioned.
 */

import type { TouchingPoint } from '../../contact/constraints'
import type { TouchingRim } from '../../contact/contact-set'
import type { Island } from '../../contact/island'
import { normalDrift, normalRate, type PointOfBodies } from '../../contact/point-kinematics'
import { addScaled, distance, scale, ZERO, type Vec3 } from '../../math/vector'
import { StopError, stopWhereCancelled } from '../method'
import type { ImpactContext } from './context'

/** × the typical acceleration: residual of a_N at active points. */
const PENETRATING = 1e-13
/** × the speed or acceleration with which the farthest point of a tipping disc rises. */
const TIPPING = 1e-10
/**
 * Fraction of the lowest point's penetration that must occur in the direction of the centre of pressure; then the pivot lies between constrained
 * points.
 */
const BETWEEN = 1e-6
/** × the largest distance of active points: the pivot replaces points that are nearer than this. */
const NEAR = 1e-3
const MAX_ROUNDS = 100

/** A search along one rim. Angles in rad; those of the pivot's bracket are not reduced to one turn. */
interface Search {
  readonly rim: TouchingRim
  pivot: TouchingPoint | null
  angle: number
  low: number
  high: number
}

/** Motion of a solution at points: Ċ or C̈, and normal impulses or forces. */
export interface Outcome {
  rate(point: PointOfBodies): number
  /** Values above minus this do not count as penetrating. */
  readonly noise: number
  readonly load: ReadonlyMap<TouchingPoint, number>
  /** Points that already separate are not considered. */
  parts(point: PointOfBodies): boolean
}

/** Changes the context's points between attempts. */
export class RimSearches {
  private readonly searches: readonly Search[]
  /** Points that take no part at present. */
  private parked: TouchingPoint[] = []
  private rounds = 0

  /** `points`: those whose rims are searched. */
  constructor(private readonly context: ImpactContext, points: readonly TouchingPoint[]) {
    const { contacts, equations, tolerances } = context
    this.searches = contacts.rims(equations.snapshot, tolerances.gap, points)
      .map(rim => ({ rim, pivot: null, angle: 0, low: -Infinity, high: Infinity }))
  }

  /** Whether the problem must be solved again with other points. @throws StopError */
  unsettled(outcome: () => Outcome): boolean {
    if (this.searches.length === 0) return false
    stopWhereCancelled(this.context.environment)
    const found = outcome()
    const moved = this.searches.map(search => this.move(search, found))
    if (moved.includes(true)) {
      this.park(point => (found.load.get(point) ?? 0) === 0 && found.rate(point) > found.noise)
      return true
    }
    const back = this.parked.filter(point => found.rate(point) <= found.noise && !this.isStoodFor(point))
    const away = this.parked.filter(point => !back.includes(point))
    if (back.length > 0) this.park(point => away.includes(point))
    return back.length > 0
  }

  /** All points take part in the world again; the parked ones separate. */
  end(): void {
    for (const point of this.parked) {
      if (this.isStoodFor(point)) continue
      point.normal = 'parting'
      point.friction = 'none'
      this.context.points.push(point)
    }
    this.parked = []
  }

  /** Moves the pivot of a penetrating rim. */
  private move(search: Search, { rate, noise, load, parts }: Outcome): boolean {
    const { rim: { pair, side, points }, pivot } = search
    const { bodyA, bodyB } = pair
    const at = (angle: number): PointOfBodies => ({ bodyA, bodyB, features: side.at(angle) })
    const lowest = side.lowest(features => rate({ bodyA, bodyB, features }))
    if (lowest === null || parts(at(lowest))) return false
    const depth = -rate(at(lowest))
    const rise = points.reduce((most, point) => Math.max(most, rate(point)), 0)
    if (depth <= Math.max(noise, TIPPING * rise)) return false
    if (++this.rounds > MAX_ROUNDS) {
      const { bodies } = this.context.world
      throw new StopError('SolverFailure', `the point on which a rim tips was not found in ${MAX_ROUNDS} rounds`, this.context.time,
        [bodies[bodyA]!.id, bodies[bodyB]!.id])
    }
    const center = this.centerOf(pivot === null ? points : [...points, pivot], load)
    const pressed = center && side.towards(center)
    const proposed = pressed !== null && -rate(at(pressed)) > Math.max(noise, BETWEEN * depth) ? pressed : lowest
    this.place(search, proposed)
    return true
  }

  private place(search: Search, proposed: number): void {
    const { contacts, equations: { snapshot }, points } = this.context
    const { rim: { pair, side }, pivot, angle } = search
    let next = proposed
    if (pivot !== null) {
      const turns = (proposed - angle) / (2 * Math.PI)
      next = angle + 2 * Math.PI * (turns - Math.round(turns))
      if (next > angle) search.low = angle
      else search.high = angle
      if (!(next > search.low && next < search.high)) {
        next = (search.low + search.high) / 2
      }
      points.splice(points.indexOf(pivot), 1)
    }
    search.angle = next
    search.pivot = contacts.pointOf(snapshot, pair, side.at(next))
    points.push(search.pivot)
  }

  /** Deactivates rim points selected by `parted`, and those replaced by a pivot; all others take part. */
  private park(parted: (point: TouchingPoint) => boolean): void {
    const { context } = this
    const onRim = new Set(this.searches.flatMap(({ rim }) => rim.points.filter(({ features: { featureA, featureB } }) =>
      featureA.kind === 'rim' || featureB.kind === 'rim')))
    const all = [...context.points, ...this.parked]
    this.parked = all.filter(point => onRim.has(point) && (parted(point) || this.isStoodFor(point)))
    context.points = all.filter(point => !this.parked.includes(point))
  }

  private isStoodFor(point: TouchingPoint): boolean {
    return this.searches.some(({ rim, pivot }) => {
      if (pivot === null || !rim.points.includes(point)) return false
      const here = this.positionOf(pivot)
      const widest = rim.points.reduce((most, other) => Math.max(most, distance(this.positionOf(other), here)), 0)
      return distance(this.positionOf(point), here) < NEAR * widest
    })
  }

  private positionOf({ bodyA, bodyB, features }: PointOfBodies): Vec3 {
    const { motions } = this.context.equations.snapshot
    return features.locate(motions[bodyA]!.pose, motions[bodyB]!.pose).point
  }

  /** Centre of pressure; null if no point presses. */
  private centerOf(points: readonly TouchingPoint[], load: ReadonlyMap<TouchingPoint, number>): Vec3 | null {
    let sum = ZERO
    let total = 0
    for (const point of points) {
      const force = load.get(point) ?? 0
      sum = addScaled(sum, this.positionOf(point), force)
      total += force
    }
    return total > 0 ? scale(sum, 1 / total) : null
  }
}

/** C̈ with the forces of all islands. */
export function accelerationOutcome(context: ImpactContext, islands: readonly Island[], forces: readonly Float64Array[]): Outcome {
  const { equations, tolerances, world: { scales } } = context
  const { snapshot } = equations
  const accelerations = equations.free.slice()
  const velocities = new Float64Array(accelerations.length)
  snapshot.velocities(velocities)
  islands.forEach((island, k) => addMotion(context, island, forces[k]!, accelerations))
  return {
    rate: point => normalRate(snapshot, point, accelerations, normalDrift(snapshot, point)),
    noise: PENETRATING * scales.speed * scales.speed / scales.size, load: loads(islands, forces),
    parts: point => normalRate(snapshot, point, velocities) > tolerances.approach,
  }
}

/** Ċ after the impulses of one island. */
export function velocityOutcome(context: ImpactContext, island: Island, impulses: Float64Array): Outcome {
  const { snapshot } = context.equations
  const velocities = new Float64Array(6 * snapshot.motions.length)
  snapshot.velocities(velocities)
  addMotion(context, island, impulses, velocities)
  return {
    rate: point => normalRate(snapshot, point, velocities), noise: context.tolerances.approach, load: loads([island], [impulses]), parts: () => false,
  }
}

function addMotion({ equations }: ImpactContext, island: Island, multipliers: Float64Array, out: Float64Array): void {
  island.rows.weigh(equations.snapshot)
  island.rows.addMotion(multipliers, out)
}

function loads(islands: readonly Island[], multipliers: readonly Float64Array[]): Map<TouchingPoint, number> {
  return new Map(islands.flatMap((island, k) => island.points.map((point, i) => [point, multipliers[k]![island.pointRow[i]!]!] as const)))
}

/**
 * For each rim of which all constrained points separate, adds the point that approaches fastest, or on which a tipping disc still rests: this point
 * lies between the constrained ones.
 */
export function addLowest(context: ImpactContext): void {
  const { contacts, equations: { snapshot }, tolerances, points } = context
  const velocities = new Float64Array(6 * snapshot.motions.length)
  snapshot.velocities(velocities)
  const speed = (point: PointOfBodies): number => normalRate(snapshot, point, velocities)
  for (const { pair, side, points: held } of contacts.rims(snapshot, tolerances.gap, points)) {
    const angle = side.lowest(features => speed({ bodyA: pair.bodyA, bodyB: pair.bodyB, features }))
    if (angle === null) continue
    const lowest = contacts.pointOf(snapshot, pair, side.at(angle))
    const highest = held.reduce((most, point) => Math.max(most, speed(point)), -Infinity)
    if (speed(lowest) > tolerances.approach || highest - speed(lowest) <= tolerances.approach) continue
    if (!points.some(known => known.key === lowest.key)) points.push(lowest)
  }
}
