/** Drawing meshes of round shapes, at unit size if the instance's scale can give the size. */

import { normalize, UNIT_Z, type Vec3 } from '../../../core/math/vector'
import { MeshBuilder, type DrawingMesh } from './drawing-mesh'

/** Divisions of a full turn. */
export interface Detail {
  readonly around: number
}
export const FINE: Detail = { around: 48 }
/** For scenes with hundreds of round shapes. */
export const COARSE: Detail = { around: 24 }

const TURN = 2 * Math.PI
const onCircle = (s: number, radius: number, z: number): Vec3 => [radius * Math.cos(TURN * s), radius * Math.sin(TURN * s), z]

/** Radius 1, with three great circles as curves. */
export function sphereMesh(detail: Detail): DrawingMesh {
  return superquadricMesh([1, 1], detail)
}

/**
 * The superquadric (|x|^(2/e2) + |y|^(2/e2))^(e2/e1) + |z|^(2/e1) = 1, by casting rays through the vertices of a subdivided cube. Corners,
 * edges and face centres of the cube coincide with the superquadric's sharp corners and edges.
 */
export function superquadricMesh(exponents: readonly [number, number], detail: Detail): DrawingMesh {
  const [e1, e2] = exponents
  const mesh = new MeshBuilder()
  // Sharp exponents need more vertices, since the curvature concentrates along a few lines.
  const sharp = Math.min(e1, e2) < 0.5 || Math.max(e1, e2) > 1.5
  const n = Math.max(2, Math.round(detail.around / 8) * (sharp ? 2 : 1)) * 2
  const point = (d: Vec3): Vec3 => {
    const s = Math.pow(radial(d, e1, e2), -e1 / 2)
    return [d[0] * s, d[1] * s, d[2] * s]
  }
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [-1, 1]) {
      const first = addPatch(mesh, n, (u, v) => {
        const p = point(cubeDirection(axis, sign, u, v))
        return [p, gradient(p, e1, e2)]
      })
      addQuads(mesh, first, n, n, sign < 0)
    }
  }
  const around = detail.around
  mesh.curve(around, s => point(onCircle(s, 1, 0)))
  mesh.curve(around, s => point([Math.cos(TURN * s), 0, Math.sin(TURN * s)]))
  mesh.curve(around, s => point([0, Math.cos(TURN * s), Math.sin(TURN * s)]))
  return mesh.build(null)
}

/** A smooth solid: support points of normals spread over a subdivided cube. The three curves belong to normals that turn about one axis. */
export function supportMesh(support: (normal: Vec3) => Vec3, detail: Detail): DrawingMesh {
  const mesh = new MeshBuilder()
  const n = Math.max(2, Math.round(detail.around / 8)) * 2
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [-1, 1]) {
      const first = addPatch(mesh, n, (u, v) => {
        const normal = cubeDirection(axis, sign, u, v)
        return [support(normal), normal]
      })
      addQuads(mesh, first, n, n, sign < 0)
    }
  }
  mesh.curve(detail.around, s => support(onCircle(s, 1, 0)))
  mesh.curve(detail.around, s => support([Math.cos(TURN * s), 0, Math.sin(TURN * s)]))
  mesh.curve(detail.around, s => support([0, Math.cos(TURN * s), Math.sin(TURN * s)]))
  return mesh.build(null)
}

/** Unit vector through a point of a cube's face; equal parameter steps give equal angles. */
function cubeDirection(axis: number, sign: number, u: number, v: number): Vec3 {
  const d: [number, number, number] = [0, 0, 0]
  d[axis] = sign
  d[(axis + 1) % 3] = Math.tan(u * Math.PI / 4)
  d[(axis + 2) % 3] = Math.tan(v * Math.PI / 4)
  return normalize(d)
}

function radial(d: Vec3, e1: number, e2: number): number {
  return Math.pow(Math.pow(Math.abs(d[0]), 2 / e2) + Math.pow(Math.abs(d[1]), 2 / e2), e2 / e1) + Math.pow(Math.abs(d[2]), 2 / e1)
}

/** Outward unit normal of the superquadric at a point on it. */
function gradient(p: Vec3, e1: number, e2: number): Vec3 {
  const power = (value: number, exponent: number) => value === 0 ? 0 : Math.sign(value) * Math.pow(Math.abs(value), exponent)
  const ring = Math.pow(Math.abs(p[0]), 2 / e2) + Math.pow(Math.abs(p[1]), 2 / e2)
  const weight = ring > 0 ? Math.pow(ring, e2 / e1 - 1) : 0
  const n = normalize([weight * power(p[0], 2 / e2 - 1), weight * power(p[1], 2 / e2 - 1), power(p[2], 2 / e1 - 1)])
  return n[0] === 0 && n[1] === 0 && n[2] === 0 ? normalize(p) : n
}

/** A grid of (n + 1)² vertices over −1 … 1; returns the first one's index. */
function addPatch(mesh: MeshBuilder, n: number, at: (u: number, v: number) => readonly [Vec3, Vec3]): number {
  let first = -1
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      const index = mesh.vertex(...at(2 * i / n - 1, 2 * j / n - 1))
      if (first < 0) first = index
    }
  }
  return first
}

function addQuads(mesh: MeshBuilder, first: number, columns: number, rows: number, flipped: boolean): void {
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const a = first + i * (rows + 1) + j
      const b = a + rows + 1
      if (flipped) {
        mesh.triangle(a, b + 1, b)
        mesh.triangle(a, a + 1, b + 1)
      } else {
        mesh.triangle(a, b, b + 1)
        mesh.triangle(a, b + 1, a + 1)
      }
    }
  }
}

/** A surface of revolution about z: profile points (radius, z) from bottom to top, with their normals (radial, z). */
function revolve(mesh: MeshBuilder, detail: Detail, profile: readonly { r: number; z: number; nr: number; nz: number }[]): void {
  const rows = profile.length - 1
  let first = -1
  for (let i = 0; i <= detail.around; i++) {
    const c = Math.cos(TURN * i / detail.around)
    const s = Math.sin(TURN * i / detail.around)
    for (const { r, z, nr, nz } of profile) {
      const index = mesh.vertex([r * c, r * s, z], [nr * c, nr * s, nz])
      if (first < 0) first = index
    }
  }
  addQuads(mesh, first, detail.around, rows, false)
}

function disc(mesh: MeshBuilder, detail: Detail, radius: number, z: number, up: 1 | -1): void {
  const normal: Vec3 = [0, 0, up]
  const center = mesh.vertex([0, 0, z], normal)
  const rim = Array.from({ length: detail.around }, (_, i) => mesh.vertex(onCircle(i / detail.around, radius, z), normal))
  for (let i = 0; i < rim.length; i++) {
    const a = rim[i]!
    const b = rim[(i + 1) % rim.length]!
    if (up > 0) mesh.triangle(center, a, b)
    else mesh.triangle(center, b, a)
  }
}

/** Number of lines along the side that make rotation visible. */
const MARKS = 4
function marks(mesh: MeshBuilder, from: (turn: number) => Vec3, to: (turn: number) => Vec3): void {
  for (let i = 0; i < MARKS; i++) mesh.edge(from(i / MARKS), to(i / MARKS))
}

/** Radius 1, height 1, centred. */
export function cylinderMesh(detail: Detail): DrawingMesh {
  const mesh = new MeshBuilder()
  revolve(mesh, detail, [{ r: 1, z: -0.5, nr: 1, nz: 0 }, { r: 1, z: 0.5, nr: 1, nz: 0 }])
  disc(mesh, detail, 1, -0.5, -1)
  disc(mesh, detail, 1, 0.5, 1)
  for (const z of [-0.5, 0.5]) mesh.curve(detail.around, s => onCircle(s, 1, z))
  marks(mesh, s => onCircle(s, 1, -0.5), s => onCircle(s, 1, 0.5))
  marks(mesh, () => [0, 0, 0.5], s => onCircle(s, 1, 0.5))
  marks(mesh, () => [0, 0, -0.5], s => onCircle(s, 1, -0.5))
  return mesh.build(UNIT_Z)
}

/** Radius 1, height 1, origin at the centre of the base. */
export function coneMesh(detail: Detail): DrawingMesh {
  const mesh = new MeshBuilder()
  const n = Math.SQRT1_2
  revolve(mesh, detail, [{ r: 1, z: 0, nr: n, nz: n }, { r: 0, z: 1, nr: n, nz: n }])
  disc(mesh, detail, 1, 0, -1)
  mesh.curve(detail.around, s => onCircle(s, 1, 0))
  marks(mesh, () => [0, 0, 1], s => onCircle(s, 1, 0))
  return mesh.build(UNIT_Z)
}

/** Radius 1; `height` between the centres of the caps. */
export function capsuleMesh(height: number, detail: Detail): DrawingMesh {
  const mesh = new MeshBuilder()
  const rows = Math.max(4, detail.around / 4)
  const profile = []
  for (let cap = 0; cap < 2; cap++) {
    for (let i = 0; i <= rows; i++) {
      const angle = (cap - 1 + i / rows) * Math.PI / 2
      const nr = Math.abs(angle) === Math.PI / 2 ? 0 : Math.cos(angle)
      profile.push({ r: nr, z: Math.sin(angle) + (cap - 0.5) * height, nr, nz: Math.sin(angle) })
    }
  }
  revolve(mesh, detail, profile)
  for (const z of [-height / 2, height / 2]) mesh.curve(detail.around, s => onCircle(s, 1, z))
  marks(mesh, s => onCircle(s, 1, -height / 2), s => onCircle(s, 1, height / 2))
  for (const turn of [0, 0.25]) {
    const c = Math.cos(TURN * turn)
    const s = Math.sin(TURN * turn)
    for (const side of [-1, 1]) {
      mesh.curve(detail.around / 2, t => {
        const angle = Math.PI * t
        return [c * Math.cos(angle), s * Math.cos(angle), side * (Math.sin(angle) + height / 2)]
      })
    }
  }
  return mesh.build(UNIT_Z)
}
