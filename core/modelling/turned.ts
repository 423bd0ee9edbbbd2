/** Solids of revolution of a drawn profile, in convex parts. */

import { area, centroid, outlineFault, type Point2 } from '../geometry/outline'
import { profileParts, type ProfilePart } from '../geometry/profile-parts'
import { PI, cos, sin } from '../math/trigonometric'
import type { Vec3 } from '../math/vector'
import type { Body, Shape } from '../scene'
import { ModellingError } from './fault'
import { inSpace, outlineSentence, type DrawingPlane } from './sketch-solids'

/** Limits of the number of flat sides: fewer are too coarse, and more give a ring more parts than a body should have. */
export const MIN_SIDES = 6
export const MAX_SIDES = 96

export interface Turned {
  readonly body: Pick<Body, 'position' | 'shapes'>
  /** Fraction of the true volume that the flat sides omit; 0 if the solid consists of cylinders and cones only. */
  readonly missing: number
}

/**
 * A profile rotated about a vertical line in its plane. Parts on the axis are whole: cylinders and cones exactly, others with flat sides. Parts off
 * the axis, as in a ring, are adjacent wedges.
 * @param plane a vertical one
 * @param axis horizontal position of the line in the picture, m
 * @throws ModellingError if the outline is invalid, or lies on both sides of the axis
 */
export function turnedSolid(outline: readonly Point2[], plane: DrawingPlane, axis: number, sides: number, material: string): Turned {
  const fault = outlineFault(outline)
  if (fault) throw new ModellingError('outline', null, outlineSentence(fault))
  const [low, high] = [Math.min(...outline.map(([u]) => u)), Math.max(...outline.map(([u]) => u))]
  if (low < axis && high > axis) {
    throw new ModellingError('outline', null, `The profile reaches from ${low} m to ${high} m across the axis at ${axis} m: it has to lie on one side of it, or on it`)
  }
  const levels = outline.map(([, v]) => v)
  const middle = (Math.min(...levels) + Math.max(...levels)) / 2
  const profile = outline.map(([u, v]): Point2 => [Math.abs(u - axis), v - middle])
  const shapes = profileParts(profile).flatMap(part => shapesOf(part, sides, material))
  const exact = 2 * PI * Math.abs(area(profile)) * centroid(profile)[0]
  const shaped = shapes.every(({ type }) => type !== 'convexHull') ? exact : profileParts(profile).reduce((sum, part) => sum + volumeOf(part, sides), 0)
  return { body: { position: inSpace(plane, [axis, middle], 0), shapes }, missing: Math.max(0, 1 - shaped / exact) }
}

const isOnAxis = ({ left }: ProfilePart): boolean => left.every(([r]) => r === 0)

/** A cylinder or a cone, if the part is one. */
function roundShape({ left, right }: ProfilePart, material: string): Shape | null {
  if (!left.every(([r]) => r === 0) || right.length !== 2) return null
  const [[r, z], [s, top]] = right as [Point2, Point2]
  const height = top - z
  if (r === s) return { type: 'cylinder', radius: r, height, material, position: [0, 0, (z + top) / 2] }
  if (s === 0) return { type: 'cone', radius: r, height, material, position: [0, 0, z] }
  if (r === 0) return { type: 'cone', radius: s, height, material, position: [0, 0, top], orientation: [1, 0, 0, 0] }
  return null
}

function shapesOf(part: ProfilePart, sides: number, material: string): Shape[] {
  const round = roundShape(part, material)
  if (round) return [round]
  const at = ([r, z]: Point2, k: number): Vec3 => {
    const angle = 2 * PI * (k % sides) / sides
    return r === 0 ? [0, 0, z] : [r * cos(angle), r * sin(angle), z]
  }
  const around = Array.from({ length: sides }, (_, k) => k)
  const hull = (points: readonly Vec3[]): Shape => ({ type: 'convexHull', points: distinct(points), material })
  if (isOnAxis(part)) return [hull(part.right.flatMap(p => around.map(k => at(p, k))))]
  const corners = [...part.left, ...part.right]
  return around.map(k => hull(corners.flatMap(p => [at(p, k), at(p, k + 1)])))
}

const distinct = (points: readonly Vec3[]): Vec3[] => [...new Map(points.map(p => [p.join(' '), p])).values()]

/** m³ of the part as built: exactly round, or with flat sides, which have (n/2π) sin(2π/n) of the round area at every height. */
function volumeOf(part: ProfilePart, sides: number): number {
  const outline = [...part.right, ...[...part.left].reverse()].filter((p, i, all) => i === 0 || p[0] !== all[i - 1]![0] || p[1] !== all[i - 1]![1])
  const whole = 2 * PI * Math.abs(area(outline)) * centroid(outline)[0]
  return roundShape(part, '') ? whole : whole * sides / (2 * PI) * sin(2 * PI / sides)
}
