/**
 * PEG17's pouring of polyhedra in three dimensions: ten random convex polyhedra, one every half second, fall into an open box made of five hexahedra. After
 * every step: the volume in which bodies overlap, how many contacts push, and how many constraints a model of half-spaces would have trapped.
 */

import { overlapVolume } from '../../../core/analysis/overlap'
import { solidAt, type ConvexSolid } from '../../../core/analysis/convex-solid'
import type { Polyhedron } from '../../../core/geometry/polyhedron'
import type { Pose } from '../../../core/math/pose'
import { max, min, scale, type Vec3 } from '../../../core/math/vector'
import type { World } from '../../../core/contact/world'
import type { ContactModel, StepConstraint } from '../../../core/methods/time-stepping/contact-model'
import type { Body, Scene } from '../../../core/scene'
import { between, direction, orientation, random, vector, type Random } from '../../unit/core/collision/random'

/** m: half the inner width of the box, its walls' height and thickness. */
const HALF = 0.5
const HEIGHT = 2
const WALL = 0.25
/** m: from where bodies fall. */
const SPAWN = 1.5
/** s between two of them. */
const INTERVAL = 0.5
const COUNT = 10

export interface Pouring {
  readonly seed: number
  /** s */
  readonly step: number
  readonly friction: number
  /** s */
  readonly duration: number
}

export function pouringScene({ seed, step, friction, duration }: Pouring): Scene {
  const r = random(seed)
  const bodies = Array.from({ length: COUNT }, (_, k) => falling(r, k)).filter(({ spawnTime }) => spawnTime! < duration)
  return {
    format: 'cairn-scene', version: 1, name: `Pouring ${seed}`, gravity: [0, 0, -9.81],
    materials: [{ id: 'stone', density: 1000, friction: { static: friction, dynamic: friction }, restitution: 0 }],
    bodies: [...container(), ...bodies],
    simulation: { duration, outputRate: 1 / step, method: 'time-stepping', timeStepping: { step } },
  }
}

function container(): Body[] {
  const wall = (id: string, size: Vec3, position: Vec3): Body => ({ id, type: 'fixed', position, shapes: [{ type: 'box', size, material: 'stone' }] })
  const outer = 2 * (HALF + WALL)
  return [
    wall('floor', [outer, outer, WALL], [0, 0, -WALL / 2]),
    wall('west', [WALL, outer, HEIGHT], [-HALF - WALL / 2, 0, HEIGHT / 2]), wall('east', [WALL, outer, HEIGHT], [HALF + WALL / 2, 0, HEIGHT / 2]),
    wall('south', [2 * HALF, WALL, HEIGHT], [0, -HALF - WALL / 2, HEIGHT / 2]), wall('north', [2 * HALF, WALL, HEIGHT], [0, HALF + WALL / 2, HEIGHT / 2]),
  ]
}

function falling(r: Random, k: number): Body {
  const squash: Vec3 = [between(r, 0.5, 1), between(r, 0.5, 1), between(r, 0.5, 1)]
  const radius = between(r, 0.18, 0.28)
  const points = Array.from({ length: 12 }, (): [number, number, number] => {
    const [x, y, z] = scale(direction(r), radius * between(r, 0.85, 1))
    return [x * squash[0], y * squash[1], z * squash[2]]
  })
  return {
    id: `stone${k}`, position: [between(r, -0.2, 0.2), between(r, -0.2, 0.2), SPAWN], orientation: orientation(r), angularVelocity: vector(r, 2), spawnTime: INTERVAL * k,
    shapes: [{ type: 'convexHull', points, material: 'stone' }],
  }
}

/** A model that keeps the constraints of the step for counting. */
export class Watched implements ContactModel {
  readonly name: string
  readonly fallback?: ContactModel
  readonly step: StepConstraint[] = []

  constructor(private readonly model: ContactModel) {
    this.name = model.name
    if (model.fallback !== undefined) this.fallback = model.fallback
  }

  constraints(...[pair, step, out]: Parameters<ContactModel['constraints']>): void {
    const from = out.length
    this.model.constraints(pair, step, out)
    this.step.push(...out.slice(from))
  }

  /** Constraints kept by one of several candidates, another of which, as a half-space without end, would have been violated; then forgets them. */
  takeTraps(poses: readonly Pose[]): number {
    const trapped = this.step.filter(({ pair: { bodyA, bodyB }, candidates, primaries }) => {
      if (candidates.length < 2 || primaries === 0) return false
      const gaps = candidates.map(pair => pair.locate(poses[bodyA]!, poses[bodyB]!).gap)
      return gaps[0]! < -1e-9 && gaps.some(gap => gap >= 0)
    })
    this.step.length = 0
    return trapped.length
  }
}

/** Sums the overlap of all pairs of bodies. */
export class OverlapMeter {
  private readonly solids: readonly (readonly Polyhedron[])[]
  private readonly fixed: readonly boolean[]

  constructor(world: World) {
    this.solids = world.primitives.map(parts => parts.map(({ primitive, pose }) => (primitive as Polyhedron).placed(pose)))
    this.fixed = world.bodies.map(body => body.type !== 'dynamic')
  }

  /** m³; `null` poses are those of bodies that do not exist yet. */
  volume(poses: readonly (Pose | null)[]): number {
    const placed = poses.flatMap((pose, body) => pose === null ? [] : this.solids[body]!.map(solid => ({ body, ...extent(solidAt(solid, pose)) })))
    let sum = 0
    placed.forEach((p, i) => placed.slice(i + 1).forEach(q => {
      if (p.body === q.body || (this.fixed[p.body] && this.fixed[q.body]) || apart(p, q)) return
      sum += overlapVolume(p.solid, q.solid)
    }))
    return sum
  }
}

interface Extent { readonly solid: ConvexSolid, readonly low: Vec3, readonly high: Vec3 }

function extent(solid: ConvexSolid): Extent {
  return { solid, low: solid.vertices.reduce(min), high: solid.vertices.reduce(max) }
}

function apart(p: Extent, q: Extent): boolean {
  return p.low.some((low, k) => low > q.high[k]! || q.low[k]! > p.high[k]!)
}
