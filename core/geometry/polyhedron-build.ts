/** From a list of polygons to valid, merged faces of a convex polyhedron, or a typed error. */

import { cross, dot, length, lengthSquared, normalize, scale, sub, ZERO, add, type Vec3 } from '../math/vector'
import { firstAtPlace } from './coincident'
import { ShapeError } from './shape'

/**
 * Deviation from a common plane below which neighbouring faces are merged, × size: more than rounding, far less than any
 * contact tolerance.
 */
const COPLANAR = 1e-12
/**
 * Largest distance of a vertex from its face's plane, × size; beyond it the face is reported as bent. It allows for
 * coordinates written with ten digits.
 */
const PLANAR = 1e-9
/** Largest height of a vertex above another face's plane, × size; beyond it the solid is reported as non-convex. */
const CONVEX = 1e-9
/** Largest number of faces of one convex solid: each is tested against every vertex, and no contact needs more. */
const MAX_FACES = 20_000

type Loop = readonly number[]

/** Sum of cross products around a loop: twice its area times its normal. Exact for plane polygons; the best mean for bent ones. */
export function newell(vertices: readonly Vec3[], loop: Loop): Vec3 {
  const origin = vertices[loop[0]!]!
  let sum: Vec3 = ZERO
  for (let k = 1; k + 1 < loop.length; k++) {
    sum = add(sum, cross(sub(vertices[loop[k]!]!, origin), sub(vertices[loop[k + 1]!]!, origin)))
  }
  return sum
}

export function sizeOf(points: readonly Vec3[]): number {
  const { min, max } = boundsOf(points)
  return length(sub(max, min))
}

/** The axis-aligned box of one or more points. */
export function boundsOf(points: readonly Vec3[]): { readonly min: Vec3, readonly max: Vec3 } {
  let [lowX, lowY, lowZ] = points[0]!
  let [highX, highY, highZ] = points[0]!
  for (const [x, y, z] of points) {
    lowX = Math.min(lowX, x)
    lowY = Math.min(lowY, y)
    lowZ = Math.min(lowZ, z)
    highX = Math.max(highX, x)
    highY = Math.max(highY, y)
    highZ = Math.max(highZ, z)
  }
  return { min: [lowX, lowY, lowZ], max: [highX, highY, highZ] }
}

/** Throws unless all points are finite and distinct. */
export function checkPoints(shape: string, points: readonly Vec3[]): void {
  if (points.length < 4) {
    throw new ShapeError(shape, 'tooFewPoints', `${points.length} points given; a solid needs at least 4`)
  }
  const fault = points.findIndex(([x, y, z]) => !(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)))
  const sound = fault < 0 ? points : points.slice(0, fault)
  const first = firstAtPlace(sound)
  const twin = first.findIndex((j, i) => j !== i)
  if (twin >= 0) {
    throw new ShapeError(shape, 'duplicatePoint', `points ${first[twin]} and ${twin} are both at (${points[twin]!.join(', ')})`, [first[twin]!, twin])
  }
  if (fault >= 0) {
    throw new ShapeError(shape, 'notFinite', `point ${fault} is (${points[fault]!.join(', ')}); coordinates have to be finite numbers`, [fault])
  }
}

/** Throws if there are more faces than a convex solid may have. */
export function checkCount(shape: string, loops: readonly Loop[]): void {
  if (loops.length > MAX_FACES) {
    throw new ShapeError(shape, 'tooManyFaces', `${loops.length} faces given; at most ${MAX_FACES} are allowed`)
  }
}

/** Throws unless the loops are plane and form one closed, consistently oriented surface around a positive volume. */
export function checkLoops(shape: string, vertices: readonly Vec3[], loops: readonly Loop[]): void {
  checkCount(shape, loops)
  checkPoints(shape, vertices)
  if (loops.length < 4) {
    throw new ShapeError(shape, 'openSurface', `${loops.length} faces given; a closed solid needs at least 4`)
  }
  const size = sizeOf(vertices)
  const directed = new Map<number, number>()
  loops.forEach((loop, f) => {
    checkLoop(shape, vertices, loop, f, size)
    loop.forEach((a, k) => {
      const key = a * vertices.length + loop[(k + 1) % loop.length]!
      const other = directed.get(key)
      if (other !== undefined) {
        throw new ShapeError(shape, 'nonManifold',
          `faces ${other} and ${f} both run along the edge from vertex ${a} to ${loop[(k + 1) % loop.length]}; `
          + 'one of them is turned inside out, or more than two faces share the edge', [other, f])
      }
      directed.set(key, f)
    })
  })
  for (const [key, f] of directed) {
    const a = Math.floor(key / vertices.length)
    const b = key % vertices.length
    if (!directed.has(b * vertices.length + a)) {
      throw new ShapeError(shape, 'openSurface', `the surface is open: face ${f} has no neighbour along the edge from vertex ${a} to ${b}`, [f])
    }
  }
  checkVolume(shape, vertices, loops, size)
}

function checkLoop(shape: string, vertices: readonly Vec3[], loop: Loop, f: number, size: number): void {
  if (loop.length < 3 || new Set(loop).size !== loop.length) {
    throw new ShapeError(shape, 'degenerateFace', `face ${f} is [${loop.join(', ')}]; it needs at least 3 vertices, each once`, [f])
  }
  for (const v of loop) {
    if (!Number.isInteger(v) || v < 0 || v >= vertices.length) {
      throw new ShapeError(shape, 'indexOutOfRange', `face ${f} names vertex ${v}; there are vertices 0 to ${vertices.length - 1}`, [f])
    }
  }
  const area = newell(vertices, loop)
  const edge = loop.reduce((e, v) => Math.max(e, lengthSquared(sub(vertices[v]!, vertices[loop[0]!]!))), 0)
  if (length(area) <= COPLANAR * edge) {
    throw new ShapeError(shape, 'degenerateFace', `face ${f} has no area`, [f])
  }
  const normal = normalize(area)
  const heights = loop.map(v => dot(normal, sub(vertices[v]!, vertices[loop[0]!]!)))
  const bend = Math.max(...heights) - Math.min(...heights)
  if (bend > PLANAR * size) {
    throw new ShapeError(shape, 'nonPlanarFace',
      `face ${f} is not plane: its vertices deviate by ${bend} m; at most ${PLANAR * size} m is allowed, or give it as triangles`, [f])
  }
}

function checkVolume(shape: string, vertices: readonly Vec3[], loops: readonly Loop[], size: number): void {
  const inner = scale(vertices.reduce(add), 1 / vertices.length)
  const volume = loops.reduce((sum, loop) => sum + dot(newell(vertices, loop), sub(vertices[loop[0]!]!, inner)) / 6, 0)
  if (Math.abs(volume) <= COPLANAR * size * size * size) {
    throw new ShapeError(shape, 'zeroVolume', `the volume is ${volume} m³; a solid needs more`)
  }
  if (volume < 0) {
    throw new ShapeError(shape, 'inwardFaces', 'the faces point inwards; list their vertices counter-clockwise seen from outside')
  }
}

/** Throws unless every vertex lies on or below every face. */
export function checkConvex(
  shape: string,
  vertices: readonly Vec3[],
  faces: readonly { readonly normal: Vec3, readonly offset: number, readonly loop: Loop }[],
): void {
  const allowed = CONVEX * sizeOf(vertices)
  for (let f = 0; f < faces.length; f++) {
    const { normal, offset, loop } = faces[f]!
    for (let i = 0; i < vertices.length; i++) {
      const v = vertices[i]!
      const above = dot(normal, v) - offset
      if (above > allowed) {
        throw new ShapeError(shape, 'nonConvex',
          `not convex: vertex ${i} at (${v.join(', ')}) lies ${above} m above the plane of face ${f} (vertices ${loop.join(', ')}); `
          + 'use a mesh, which is split into convex pieces, or a convexHull', [i, f])
      }
    }
  }
}

export interface MergedFaces {
  readonly vertices: readonly Vec3[]
  readonly loops: readonly Loop[]
  /** By merged face: the sum of the area vectors of its original faces. */
  readonly areas: readonly Vec3[]
}

/**
 * Merges neighbouring coplanar faces, drops vertices that are no longer corners, and renumbers the rest in their original order. Faces whose union has more
 * than one outline stay separate.
 * @param areas of the faces along their normals: twice their areas, m²
 */
export function mergeCoplanar(vertices: readonly Vec3[], loops: readonly Loop[], areas = loops.map(loop => newell(vertices, loop))): MergedFaces {
  const coplanar = groupCoplanar(vertices, loops, areas)
  // If no two faces are merged, every vertex is a corner of at least three.
  if (coplanar.length === loops.length) return { vertices, loops: coplanar.map(([f]) => loops[f!]!), areas: coplanar.map(([f]) => areas[f!]!) }
  const groups = coplanar.flatMap(members => {
    const around = outline(loops, members)
    return around === null ? members.map(f => ({ members: [f], around: loops[f]! })) : [{ members, around }]
  })
  const outlines = groups.map(({ around }) => around)
  const incident = new Int32Array(vertices.length)
  outlines.forEach(loop => loop.forEach(v => incident[v]!++))
  const kept = vertices.map((_, v) => incident[v]! >= 3)
  const index = new Int32Array(vertices.length)
  let count = 0
  kept.forEach((keep, v) => {
    index[v] = keep ? count++ : -1
  })
  return {
    vertices: vertices.filter((_, v) => kept[v]),
    loops: outlines.map(loop => loop.filter(v => kept[v]).map(v => index[v]!)),
    areas: groups.map(({ members }) => members.reduce<Vec3>((sum, f) => add(sum, areas[f]!), ZERO)),
  }
}

/** Up to this number of vertices a square table is faster than a map. */
const FEW = 64
const table = new Int32Array(FEW * FEW)

/** The face whose loop has the edge from one vertex to the next, for closed surfaces; valid until the next call. */
function facesByEdge(loops: readonly Loop[], count: number): (from: number, to: number) => number {
  if (count > FEW) {
    const faces = new Map<number, number>()
    loops.forEach((loop, f) => loop.forEach((a, k) => faces.set(a * count + loop[(k + 1) % loop.length]!, f)))
    return (from, to) => faces.get(from * count + to)!
  }
  for (let f = 0; f < loops.length; f++) {
    const loop = loops[f]!
    for (let k = 0; k < loop.length; k++) table[loop[k]! * FEW + loop[(k + 1) % loop.length]!] = f
  }
  return (from, to) => table[from * FEW + to]!
}

/**
 * Grows each group from its largest face over neighbours that lie entirely in that face's plane, so that small bends do
 * not accumulate.
 */
function groupCoplanar(vertices: readonly Vec3[], loops: readonly Loop[], areas: readonly Vec3[]): number[][] {
  const allowed = COPLANAR * sizeOf(vertices)
  const sizes = Float64Array.from(areas, lengthSquared)
  const order = loops.map((_, f) => f).sort((f, g) => sizes[g]! - sizes[f]! || f - g)
  const faceAt = facesByEdge(loops, vertices.length)
  const of = new Int32Array(loops.length).fill(-1)
  const members: number[][] = []
  for (const seed of order) {
    if (of[seed] !== -1) {
      continue
    }
    const normal = normalize(areas[seed]!)
    const origin = vertices[loops[seed]![0]!]!
    const flat = (f: number): boolean => {
      if (!(dot(areas[f]!, normal) > 0)) return false
      for (const i of loops[f]!) {
        const v = vertices[i]!
        const height = normal[0] * (v[0] - origin[0]) + normal[1] * (v[1] - origin[1]) + normal[2] * (v[2] - origin[2])
        if (!(Math.abs(height) <= allowed)) return false
      }
      return true
    }
    const group: number[] = [seed]
    of[seed] = members.length
    for (let next = 0; next < group.length; next++) {
      const loop = loops[group[next]!]!
      for (let k = 0; k < loop.length; k++) {
        const neighbor = faceAt(loop[(k + 1) % loop.length]!, loop[k]!)
        if (of[neighbor] === -1 && flat(neighbor)) {
          of[neighbor] = members.length
          group.push(neighbor)
        }
      }
    }
    members.push(group)
  }
  return members
}

/** The single loop around a group of faces; `null` if there are several. */
function outline(loops: readonly Loop[], members: readonly number[]): Loop | null {
  if (members.length === 1) {
    return loops[members[0]!]!
  }
  const inner = new Set<string>()
  for (const f of members) {
    const loop = loops[f]!
    loop.forEach((a, k) => inner.add(`${a} ${loop[(k + 1) % loop.length]}`))
  }
  const next = new Map<number, number>()
  let edges = 0
  for (const f of members) {
    const loop = loops[f]!
    loop.forEach((a, k) => {
      const b = loop[(k + 1) % loop.length]!
      if (!inner.has(`${b} ${a}`)) {
        next.set(a, b)
        edges++
      }
    })
  }
  const start = next.keys().next().value!
  const around = [start]
  for (let v = next.get(start); v !== undefined && v !== start && around.length <= edges; v = next.get(v)) {
    around.push(v)
  }
  return around.length === edges ? around : null
}
