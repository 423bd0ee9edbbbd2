/**
 * The course of a rope round a body: straight from its first end, along the outline of the body across an axis, and straight to its other end. The outline
 * is convex, as that of a taut rope is: h(φ) is the body's extent in the direction of angle φ about the axis, and the rope's centre line is the curve at the
 * distance of its radius from it. A straight part touches it where the end lies on the tangent: p · n(φ) = h(φ) + radius.
 */

import { solidsOf } from '../analysis/solids'
import type { Primitive } from '../geometry/shape'
import { cos, PI, sin } from '../math/elementary'
import { composePoses, toOuter, type Pose } from '../math/pose'
import { IDENTITY_ROTATION, rotateInverse, type Quat } from '../math/quaternion'
import { bracketedRoot } from '../math/root'
import { add, addScaled, cross, distance, dot, length, normalize, perpendicular, scale, ZERO, type Vec3 } from '../math/vector'
import type { Body } from '../scene'
import { ModellingError } from './fault'

/** An end that hangs free for some metres, or that is at a point. World. */
export type RopeEnd = { readonly hangs: number } | { readonly point: Vec3 }

export interface Winding {
  /** World; need not be a unit vector. The rope goes round it right-handed. */
  readonly axis: Vec3
  /** Whole turns beyond the way from one end to the other. */
  readonly turns: number
  /** The other way round. */
  readonly reversed: boolean
  readonly ends: readonly [RopeEnd, RopeEnd]
  /** Direction in which free ends hang, that of gravity. */
  readonly down: Vec3
  /** Of the rope, m. */
  readonly radius: number
}

export interface WoundRope {
  readonly points: readonly Vec3[]
  /** rad: how far it goes round the body. */
  readonly angle: number
  /** m */
  readonly length: number
  /** Length of the centre line of one turn, m. */
  readonly perimeter: number
}

/** Directions in which the outline is sampled, in a turn. */
const SAMPLES = 360
/** × radius: distance of neighbouring turns along the axis; a little more than the rope's thickness. */
const PITCH = 2.2
/** Share of the gravity below which the axis counts as vertical. */
const VERTICAL = 1e-6
/** rad: wrapping by less is rounding. */
const ROUNDING = 1e-9

interface Placed {
  readonly position?: Vec3 | undefined
  readonly orientation?: Quat | undefined
}

const poseOf = ({ position = ZERO, orientation = IDENTITY_ROTATION }: Placed): Pose => ({ position, orientation })

type Point2 = readonly [number, number]

/** The body as seen along the axis, in coordinates along u and v (across it) and w (along it). */
class Outline {
  private readonly parts: readonly { readonly solid: Primitive; readonly pose: Pose }[]

  constructor(private readonly body: Body, readonly u: Vec3, readonly v: Vec3, readonly w: Vec3) {
    const placed = poseOf(body)
    this.parts = (body.shapes ?? []).flatMap(shape => {
      const pose = composePoses(placed, poseOf(shape))
      return solidsOf(shape).map(solid => ({ solid, pose }))
    })
    if (this.parts.length === 0) throw new ModellingError('noShape', body.id, `"${body.name ?? body.id}" has no shape to wind a rope round`)
    if (this.parts.some(({ solid }) => solid.kind === 'halfSpace')) throw new ModellingError('endless', body.id, `"${body.name ?? body.id}" is unbounded: a rope goes round a finite body`)
  }

  /** The farthest point of the body in a direction. */
  farthest(direction: Vec3): Vec3 {
    const points = this.parts.map(({ solid, pose }) => toOuter(pose, solid.support(rotateInverse(pose.orientation, direction))))
    return points.reduce((best, point) => dot(point, direction) > dot(best, direction) ? point : best)
  }

  /** Half its larger extent across the axis, m. */
  get reach(): number {
    return Math.max(...[0, PI / 2].map(angle => this.extent(this.normal(angle)))) / 2
  }

  private extent(direction: Vec3): number {
    return dot(this.farthest(direction), direction) + dot(this.farthest(scale(direction, -1)), scale(direction, -1))
  }

  /** Where it begins and ends along the axis, m. */
  get width(): Point2 {
    return [dot(this.farthest(scale(this.w, -1)), this.w), dot(this.farthest(this.w), this.w)]
  }

  normal = (angle: number): Vec3 => add(scale(this.u, cos(angle)), scale(this.v, sin(angle)))

  /** The point of the centre line with this normal. @param off m, its distance from the body */
  at(angle: number, off: number): Point2 {
    const point = addScaled(this.farthest(this.normal(angle)), this.normal(angle), off)
    return [dot(point, this.u), dot(point, this.v)]
  }

  /** Where the tangent of the centre line passes through a point that lies before (or behind) it on the way. */
  tangent(end: Point2, off: number, sense: number, before: boolean): number {
    const gap = (angle: number) => end[0] * cos(angle) + end[1] * sin(angle) - dot(this.farthest(this.normal(angle)), this.normal(angle)) - off
    const gaps = Array.from({ length: SAMPLES + 1 }, (_, k) => gap(2 * PI * k / SAMPLES))
    for (let k = 0; k < SAMPLES; k++) {
      if (gaps[k]! < 0 === gaps[k + 1]! < 0) continue
      const angle = bracketedRoot(gap, 2 * PI * k / SAMPLES, gaps[k]!, 2 * PI * (k + 1) / SAMPLES, gaps[k + 1]!)
      const [x, y] = this.at(angle, off)
      const along = sense * ((x - end[0]) * -sin(angle) + (y - end[1]) * cos(angle))
      if (along > 0 === before) return angle
    }
    const { name, id } = this.body
    throw new ModellingError('outline', id, `An end of the rope is closer to "${name ?? id}" than its radius, or inside: choose a point outside of its outline`)
  }
}

/** @throws ModellingError, ShapeError */
export function windRope(body: Body, { axis, turns, reversed, ends, down, radius }: Winding): WoundRope {
  if (!(length(axis) > 0)) throw new ModellingError('invalid', body.id, 'The axis must not be zero')
  const w = normalize(axis)
  const across = addScaled(down, w, -dot(down, w))
  const u = length(across) > VERTICAL * length(down) ? normalize(across) : perpendicular(w)
  const outline = new Outline(body, u, cross(w, u), w)
  const sense = reversed ? -1 : 1

  // The straight line between two samples must not come closer to a round body than the radius.
  const off = radius + (outline.reach + radius) * (1 - cos(PI / SAMPLES))

  // A free end hangs along u, and the rope moves against u there, or along it at the other end.
  const planes = ends.map(end => 'point' in end ? [dot(end.point, u), dot(end.point, outline.v)] as const : null)
  const first = planes[0] ? outline.tangent(planes[0], off, sense, true) : sense * PI / 2
  const last = planes[1] ? outline.tangent(planes[1], off, sense, false) : -sense * PI / 2
  const way = (sense * (last - first)) % (2 * PI)
  const positive = way < -ROUNDING ? way + 2 * PI : Math.max(way, 0)
  const angle = (positive > 2 * PI - ROUNDING ? 0 : positive) + 2 * PI * turns

  const steps = Math.max(1, Math.ceil(angle / (2 * PI) * SAMPLES))
  const arc = Array.from({ length: steps + 1 }, (_, k) => outline.at(first + sense * angle * k / steps, off))
  const along = [0]
  for (let k = 1; k < arc.length; k++) along.push(along[k - 1]! + flatDistance(arc[k - 1]!, arc[k]!))
  const round = along.at(-1)!
  const tips = [0, 1].map((k): Point2 => {
    const [x, y] = k === 0 ? arc[0]! : arc.at(-1)!
    const end = ends[k]!
    return planes[k] ?? [x + (end as { readonly hangs: number }).hangs, y]
  })
  const straight = [flatDistance(tips[0]!, arc[0]!), flatDistance(tips[1]!, arc.at(-1)!)] as const
  const heights = ends.map(end => 'point' in end ? dot(end.point, w) : null)
  const [from, to] = axialRange(outline, body, { heights, straight, round, angle, turns, radius })

  const inSpace = ([x, y]: Point2, z: number): Vec3 => add(add(scale(u, x), scale(outline.v, y)), scale(w, z))
  const points = [
    inSpace(tips[0]!, heights[0] ?? from),
    ...arc.map((point, k) => inSpace(point, from + (to - from) * (round > 0 ? along[k]! / round : 0.5))),
    inSpace(tips[1]!, heights[1] ?? to),
  ].filter((point, k, all) => k === 0 || distance(point, all[k - 1]!) > 0)
  const total = points.slice(1).reduce((sum, point, k) => sum + distance(point, points[k]!), 0)
  return { points, angle, length: total, perimeter: perimeterOf(outline, off) }
}

const flatDistance = (a: Point2, b: Point2): number => length([a[0] - b[0], a[1] - b[1], 0])

function perimeterOf(outline: Outline, off: number): number {
  const points = Array.from({ length: SAMPLES }, (_, k) => outline.at(2 * PI * k / SAMPLES, off))
  return points.reduce((sum, point, k) => sum + flatDistance(point, points[(k + 1) % SAMPLES]!), 0)
}

interface Course {
  /** Of the ends along the axis; null for a free end. */
  readonly heights: readonly (number | null)[]
  readonly straight: readonly [number, number]
  readonly round: number
  readonly angle: number
  readonly turns: number
  readonly radius: number
}

/**
 * Where the rope comes onto the body and leaves it along the axis: a straight line in the unrolled outline, steeper if turns would overlap, and within the
 * body's width.
 */
function axialRange(outline: Outline, body: Body, { heights: [a = null, b = null], straight, round, angle, turns, radius }: Course): Point2 {
  const [low, high] = outline.width
  const middle = (low + high) / 2
  const total = straight[0] + round + straight[1]
  const rise = a !== null && b !== null ? b - a : 0
  const least = turns > 0 ? PITCH * radius * angle / (2 * PI) : 0
  // From one given end the turns go towards the middle of the body.
  const towards = Math.sign(a !== null && b !== null ? rise : a !== null ? middle - a : b !== null ? b - middle : 1) || 1
  const advance = towards * Math.max(Math.abs(rise * round / total), least)
  const half = Math.abs(advance) / 2
  if (high - low < 2 * half) {
    const [needed, width] = [2 * half, high - low].map(x => Number(x.toPrecision(3)))
    throw new ModellingError('outline', body.id, `"${body.name ?? body.id}" is ${width} m wide along the axis, and the turns take ${needed} m: choose fewer`)
  }
  const wanted = a !== null && b !== null ? a + rise * (straight[0] + round / 2) / total : a !== null ? a + advance / 2 : b !== null ? b - advance / 2 : middle
  const center = Math.min(Math.max(wanted, low + half), high - half)
  return [center - advance / 2, center + advance / 2]
}
