/**
 * PEG17's pourings: in three dimensions ten random convex polyhedra, one every half second, fall into an open box made of five hexahedra; in two dimensions
 * twenty random convex polygons, one every quarter of a second, into a box made of three. After every step: the volume (area) in which bodies overlap, how many
 * contacts push, and how many constraints a model of half-spaces would have trapped.
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
/** s between two of them, and how many. */
const INTERVAL = { 2: 0.25, 3: 0.5 } as const
const COUNT = { 2: 20, 3: 10 } as const
/** m: half the extent of polygons along y, by which volumes are divided to give areas. */
const HALF_DEPTH = 0.1

export interface Pouring {
  readonly dimensions: 2 | 3
  /** How often gaps are linearised in a step; null: until nothing overlaps. */
  readonly linearizations: number | null
  readonly seed: number
  /** s */
  readonly step: number
  readonly friction: number
  /** s */
  readonly duration: number
}

export function pouringScene({ dimensions, linearizations, seed, step, friction, duration }: Pouring): Scene {
  const r = random(seed)
  const bodies = Array.from({ length: COUNT[dimensions] }, (_, k) => dimensions === 2 ? fallingPolygon(r, k) : falling(r, k))
    .filter(({ spawnTime }) => spawnTime! < duration)
  return {
    format: 'cairn-scene', version: 1, name: `Pouring ${seed}`, gravity: [0, 0, -9.81],
    materials: [{ id: 'stone', density: 1000, friction: { static: friction, dynamic: friction }, restitution: 0 }],
    bodies: [...dimensions === 2 ? flatContainer() : container(), ...bodies],
    simulation: {
      duration, outputRate: 1 / step, method: 'time-stepping', dimensions, timeStepping: { step, ...(linearizations === null ? {} : { linearizations }) },
    },
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

function flatContainer(): Body[] {
  const wall = (id: string, width: number, height: number, x: number, z: number): Body =>
    ({ id, type: 'fixed', position: [x, 0, z], shapes: [{ type: 'box', size: [width, 2 * HALF_DEPTH, height], material: 'stone' }] })
  return [
    wall('floor', 2 * (HALF + WALL), WALL, 0, -WALL / 2),
    wall('west', WALL, HEIGHT, -HALF - WALL / 2, HEIGHT / 2), wall('east', WALL, HEIGHT, HALF + WALL / 2, HEIGHT / 2),
  ]
}

function fallingPolygon(r: Random, k: number): Body {
  const squash = [between(r, 0.6, 1), between(r, 0.6, 1)] as const
  const radius = between(r, 0.12, 0.18)
  const count = 4 + Math.floor(between(r, 0, 5))
  const points = Array.from({ length: count }, (_, i) => {
    const angle = 2 * Math.PI * (i + between(r, 0, 0.8)) / count
    return [radius * squash[0] * Math.cos(angle), radius * squash[1] * Math.sin(angle)] as const
  }).flatMap(([x, z]): [number, number, number][] => [[x, -HALF_DEPTH, z], [x, HALF_DEPTH, z]])
  const angle = between(r, -Math.PI, Math.PI)
  return {
    id: `stone${k}`, position: [between(r, -0.3, 0.3), 0, SPAWN], orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)],
    angularVelocity: [0, between(r, -2, 2), 0], spawnTime: INTERVAL[2] * k, shapes: [{ type: 'convexHull', points, material: 'stone' }],
  }
}

function falling(r: Random, k: number): Body {
  const squash: Vec3 = [between(r, 0.5, 1), between(r, 0.5, 1), between(r, 0.5, 1)]
  const radius = between(r, 0.18, 0.28)
  const points = Array.from({ length: 12 }, (): [number, number, number] => {
    const [x, y, z] = scale(direction(r), radius * between(r, 0.85, 1))
    return [x * squash[0], y * squash[1], z * squash[2]]
  })
  return {
    id: `stone${k}`, position: [between(r, -0.2, 0.2), between(r, -0.2, 0.2), SPAWN], orientation: orientation(r), angularVelocity: vector(r, 2), spawnTime: INTERVAL[3] * k,
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

/** Sums the overlap of all pairs of bodies: of polygons that of their prisms, divided by the extent of these along y. */
export class OverlapMeter {
  private readonly solids: readonly (readonly Polyhedron[])[]
  private readonly fixed: readonly boolean[]
  private readonly depth: number

  constructor(world: World) {
    this.depth = world.planar ? 2 * HALF_DEPTH : 1
    this.solids = world.primitives.map(parts => parts.map(({ primitive, pose }) => {
      const solid = (primitive as Polyhedron).placed(pose)
      return solid.prism ?? solid
    }))
    this.fixed = world.bodies.map(body => body.type !== 'dynamic')
  }

  /** m³, in two dimensions m²; `null` poses are those of bodies that do not exist yet. */
  volume(poses: readonly (Pose | null)[]): number {
    const placed = poses.flatMap((pose, body) => pose === null ? [] : this.solids[body]!.map(solid => ({ body, ...extent(solidAt(solid, pose)) })))
    let sum = 0
    placed.forEach((p, i) => placed.slice(i + 1).forEach(q => {
      if (p.body === q.body || (this.fixed[p.body] && this.fixed[q.body]) || apart(p, q)) return
      sum += overlapVolume(p.solid, q.solid)
    }))
    return sum / this.depth
  }
}

interface Extent { readonly solid: ConvexSolid, readonly low: Vec3, readonly high: Vec3 }

function extent(solid: ConvexSolid): Extent {
  return { solid, low: solid.vertices.reduce(min), high: solid.vertices.reduce(max) }
}

function apart(p: Extent, q: Extent): boolean {
  return p.low.some((low, k) => low > q.high[k]! || q.low[k]! > p.high[k]!)
}
