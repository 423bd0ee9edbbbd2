/**
 * Through holes of a solid, and how much of them convex pieces close.
 *
 * The search starts at the walls of holes. An outward ray from a point of the surface meets the surface again on the other
 * side of the hole. Through the midpoint, an axis is sought such that every perpendicular ray meets the wall, and such
 * that in both directions along the axis the wall ends before the axis meets the solid. A groove fails the first
 * condition, a blind hole the second. Of a bent hole, its straight parts are found; one without any is not.
 */

import { cos, PI, sin } from '../math/trigonometric'
import { add, addScaled, cross, dot, length, normalize, perpendicular, scale, sub, UNIT_X, UNIT_Y, UNIT_Z, type Vec3 } from '../math/vector'
import type { Mesh } from './mesh'
import type { Polyhedron } from './polyhedron'
import { sizeOf } from './polyhedron-build'
import { firstIntersection, surfaceTree, type Node } from './surface-tree'

export interface Hole {
  /** Centre of the hole, m. */
  readonly centre: Vec3
  /** Unit vector along it. */
  readonly axis: Vec3
  /** Twice the smallest distance of the wall from `centre`, perpendicular to the axis, m. */
  readonly diameter: number
  /** m */
  readonly length: number
}

export interface HoleProbe extends Hole {
  /** Share of the lines along the axis through the mesh's hole that the pieces leave open. */
  readonly open: number
}

/** Number of rays around an axis. */
const AROUND = 24
/** Number of directions perpendicular to a ray that are tried as axes, besides projections of the triangle's edges and of the coordinate axes. */
const TURNS = 12
/** Tangents of the angles between the wall's normal and the tilted rays to the opposite wall. */
const TILTS = [0.2, 0.5] as const
/** Step along the axis in the search for the ends of a hole, × its width. */
const STEP = 1 / 4
/** Range of rays around the axis, × the largest distance of the wall: where one of them meets nothing within it, the hole ends. */
const WIDER = 1.5
/** Distance of the rays' origins from the surface, × the mesh's size. */
const OFF = 1e-7
/** Largest number of triangles tried; of finer meshes only every second, third … triangle is tried. */
const MOST_WALLS = 20_000
/** Largest number of midpoints without a hole. */
const MOST_FAILURES = 1500
/** Radii of the rings of probing lines in a hole, × the distance of the wall. */
const RINGS = [0, 0.3, 0.6, 0.9] as const

/** The straight through holes of a closed triangle mesh, m. */
export function throughHoles(mesh: Mesh): Hole[] {
  const tree = surfaceTree(mesh)
  const size = sizeOf(mesh.vertices)
  const holes: Section[] = []
  let failures = 0
  const stride = Math.max(1, Math.ceil(mesh.faces.length / MOST_WALLS))
  for (let f = 0; f < mesh.faces.length && failures < MOST_FAILURES; f += stride) {
    const corners = mesh.faces[f]!.map(v => mesh.vertices[v]!) as [Vec3, Vec3, Vec3]
    const normal = normalize(cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])))
    if (!Number.isFinite(normal[0])) {
      continue
    }
    const start = addScaled(scale(corners.reduce(add), 1 / 3), normal, OFF * size)
    for (const outwards of directionsFrom(normal)) {
      const across = firstIntersection(tree, start, outwards)
      if (across === Infinity || across < 10 * OFF * size) {
        continue
      }
      const middle = addScaled(start, outwards, across / 2)
      if (holes.some(hole => isIn(tree, hole, middle))) {
        break
      }
      const found = axesAt(corners, outwards).reduce<Section | null>((hole, axis) => hole ?? passage(tree, middle, axis, across, size), null)
      if (found === null) {
        failures++
      } else if (!holes.some(hole => isIn(tree, hole, found.centre))) {
        holes.push(found)
        break
      }
    }
  }
  return holes.map(({ centre, axis, diameter, length: along }) => ({ centre, axis, diameter, length: along }))
}

interface Section extends Hole {
  readonly widest: number
}

/** Whether a point is in a hole that was found: within its length and width, and visible from its centre. */
function isIn(tree: Node, { centre, axis, widest, length: along }: Section, p: Vec3): boolean {
  const away = sub(p, centre)
  const height = dot(away, axis)
  if (Math.abs(height) > along / 2 + widest || length(addScaled(away, axis, -height)) > widest) {
    return false
  }
  const far = length(away)
  return far === 0 || firstIntersection(tree, centre, scale(away, 1 / far), far) === Infinity
}

/** The normal, and directions tilted from it, for walls that are curved along the hole. */
function directionsFrom(normal: Vec3): Vec3[] {
  const u = perpendicular(normal)
  const v = cross(normal, u)
  const tilted = TILTS.flatMap(tilt => Array.from({ length: 4 }, (_, k) => (
    normalize(add(normal, scale(add(scale(u, cos(PI * k / 2)), scale(v, sin(PI * k / 2))), tilt))))))
  return [normal, ...tilted]
}

function axesAt(corners: readonly [Vec3, Vec3, Vec3], normal: Vec3): Vec3[] {
  const u = perpendicular(normal)
  const v = cross(normal, u)
  const turned = Array.from({ length: TURNS }, (_, k) => addScaled(scale(u, cos(PI * k / TURNS)), v, sin(PI * k / TURNS)))
  const edges = corners.map((p, k) => sub(corners[(k + 1) % 3]!, p))
  return [...[...edges, UNIT_X, UNIT_Y, UNIT_Z].flatMap(direction => {
    const along = addScaled(direction, normal, -dot(direction, normal))
    return length(along) > 1e-3 * length(direction) ? [normalize(along)] : []
  }), ...turned]
}

/** Distances of the wall along rays around an axis, m; null if a ray meets nothing within `most`. */
function wallAround(tree: Node, p: Vec3, axis: Vec3, most = Infinity): number[] | null {
  const found: number[] = []
  for (let k = 0; k < AROUND; k++) {
    const at = firstIntersection(tree, p, spoke(axis, k), most)
    if (at === Infinity) {
      return null
    }
    found.push(at)
  }
  return found
}

function spoke(axis: Vec3, k: number): Vec3 {
  const u = perpendicular(axis)
  return addScaled(scale(u, cos(2 * PI * k / AROUND)), cross(axis, u), sin(2 * PI * k / AROUND))
}

/** Centroid of the polygon of the rays' ends. */
function middleOfWall(p: Vec3, axis: Vec3, wall: readonly number[]): Vec3 {
  const tips = wall.map((at, k) => scale(spoke(axis, k), at))
  let [sum, area]: [Vec3, number] = [[0, 0, 0], 0]
  tips.forEach((a, k) => {
    const b = tips[(k + 1) % AROUND]!
    const twice = dot(axis, cross(a, b))
    sum = addScaled(sum, add(a, b), twice / 3)
    area += twice
  })
  return area > 0 ? addScaled(p, sum, 1 / area) : p
}

function passage(tree: Node, p: Vec3, axis: Vec3, width: number, size: number): Section | null {
  const wall = wallAround(tree, p, axis)
  if (wall === null) {
    return null
  }
  const about = middleOfWall(p, axis, wall)
  const most = WIDER * Math.max(...wall)
  const ends = [1, -1].map(side => mouth(tree, about, scale(axis, side), STEP * width, most, size))
  if (ends[0] === null || ends[1] === null) {
    return null
  }
  const centre = addScaled(about, axis, (ends[0]! - ends[1]!) / 2)
  const around = wallAround(tree, centre, axis)
  const middle = around && middleOfWall(centre, axis, around)
  const within = middle && wallAround(tree, middle, axis)
  if (middle === null || within === null) {
    return null
  }
  return { centre: middle, axis, diameter: 2 * Math.min(...within), widest: Math.max(...within), length: ends[0]! + ends[1]! }
}

/** Distance along a direction at which the wall ends, m; null if the direction meets the solid before. */
function mouth(tree: Node, p: Vec3, direction: Vec3, step: number, most: number, size: number): number | null {
  const stop = firstIntersection(tree, p, direction)
  let [inside, outside] = [0, 0]
  for (let at = step; ; at += step) {
    if (at >= stop) {
      return null
    }
    if (at > 2 * size || wallAround(tree, addScaled(p, direction, at), direction, most) === null) {
      outside = at
      break
    }
    inside = at
  }
  while (outside - inside > step / 512) {
    const at = (inside + outside) / 2
    if (wallAround(tree, addScaled(p, direction, at), direction, most) === null) {
      outside = at
    } else {
      inside = at
    }
  }
  return inside
}

/** The share of each hole that the pieces leave open along its axis. Holes without a straight line through them are omitted. */
export function probeHoles(mesh: Mesh, holes: readonly Hole[], pieces: readonly Polyhedron[]): HoleProbe[] {
  const tree = surfaceTree(mesh)
  const size = sizeOf(mesh.vertices)
  return holes.flatMap(hole => {
    const wall = wallAround(tree, hole.centre, hole.axis)!
    const half = hole.length / 2 + OFF * size
    let [seen, free] = [0, 0]
    for (const ring of RINGS) {
      for (let k = 0; k < (ring === 0 ? 1 : AROUND); k++) {
        const from = addScaled(addScaled(hole.centre, spoke(hole.axis, k), ring * wall[k]!), hole.axis, -half)
        if (firstIntersection(tree, from, hole.axis, 2 * half) !== Infinity) {
          continue
        }
        seen++
        if (!pieces.some(piece => crosses(piece, from, hole.axis, 2 * half, OFF * size))) {
          free++
        }
      }
    }
    return seen === 0 ? [] : [{ ...hole, open: free / seen }]
  })
}

/** Whether the part of a segment inside a convex polyhedron is longer than `least`, m, by Cyrus–Beck clipping. */
function crosses({ faces }: Polyhedron, from: Vec3, direction: Vec3, along: number, least: number): boolean {
  let [enter, leave] = [0, along]
  for (const { normal, offset } of faces) {
    const height = dot(normal, from) - offset
    const slope = dot(normal, direction)
    if (slope === 0) {
      if (height >= 0) {
        return false
      }
    } else if (slope > 0) {
      leave = Math.min(leave, -height / slope)
    } else {
      enter = Math.max(enter, -height / slope)
    }
  }
  return leave - enter > least
}

