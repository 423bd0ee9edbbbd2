/** Wavefront OBJ: `v` and `f` records, and for the appearance `vt`, `usemtl` and `mtllib`. Other records (normals, groups) do not affect the surface. */

import type { Vec3 } from '../../math/vector'
import { hexOfSrgb } from '../shared/colors'
import { NO_LOOK, PartCollector, type Look, type MeshPart } from './look'
import { latin, MAX_MESH_FACES, MAX_MESH_VERTICES, MeshError, pointOf, requireCount, type Mesh } from './mesh'

const IGNORED = new Set(['vn', 'vt', 'vp', 'g', 'o', 's', 'usemtl', 'mtllib', 'l', 'p'])

/** @param pointsOnly whether a file without faces is accepted, for its convex hull @throws MeshError naming the line. */
export function readObj(source: Uint8Array | string, pointsOnly = false): Mesh {
  return scan(source, pointsOnly, null)
}

/** The parts of each material. @param materials finds the materials of a library by its name @throws MeshError naming the line. */
export function partsOfObj(source: Uint8Array | string, materials: (file: string) => ReadonlyMap<string, Look>): MeshPart[] {
  const seen: Seen = { uv: [], colors: [], corners: [], materials: [], libraries: [] }
  const { vertices, faces } = scan(source, true, seen)
  const known = new Map(seen.libraries.flatMap(file => [...materials(file)]))
  const parts = new PartCollector()
  faces.forEach((face, f) => {
    const name = seen.materials[f]!
    const look = known.get(name) ?? NO_LOOK
    const part = parts.part(look === NO_LOOK ? '' : name, look)
    part.faces.push(face.map((v, k) => {
      const t = seen.corners[f]![k]!
      return part.corner(`${v} ${t}`, vertices[v]!, t < 0 ? null : seen.uv[t]!, seen.colors[v] ?? null)
    }))
  })
  return parts.list()
}

/** What a file states about its appearance. */
interface Seen {
  readonly uv: (readonly [number, number])[]
  /** By vertex; null or absent without a colour. */
  readonly colors: (string | null)[]
  /** By face and corner: index of its texture coordinates, or −1. */
  readonly corners: number[][]
  /** By face. */
  readonly materials: string[]
  readonly libraries: string[]
}

function scan(source: Uint8Array | string, pointsOnly: boolean, seen: Seen | null): Mesh {
  const vertices: Vec3[] = []
  const faces: number[][] = []
  let material = ''
  const text = typeof source === 'string' ? source : latin(source)
  const point: [number, number, number] = [0, 0, 0]
  for (let i = 0, from = 0; from <= text.length; i++) {
    const newline = text.indexOf('\n', from)
    const to = newline < 0 ? text.length : newline
    const line = text.slice(from, to)
    from = to + 1
    // Half of all lines are vertices; this path avoids splitting them into words.
    if (vertices.length < MAX_MESH_VERTICES && threeNumbers(line, point)) {
      vertices.push([point[0], point[1], point[2]])
      continue
    }
    const comment = line.indexOf('#')
    const words = (comment < 0 ? line : line.slice(0, comment)).trim().split(/\s+/)
    const word = words[0]!
    if (word === 'v') {
      vertices.push(pointOf('OBJ', lineAt(i), words.slice(1, 4)))
      if (vertices.length > MAX_MESH_VERTICES) requireCount('OBJ', lineAt(i), 'vertices', vertices.length)
      // x y z r g b, as scanners and Blender write it.
      if (seen && words.length >= 7) seen.colors[vertices.length - 1] = hexOfSrgb(pointOf('OBJ', lineAt(i), words.slice(4, 7)))
    } else if (word === 'f') {
      if (words.length < 4) {
        throw new MeshError('OBJ', lineAt(i), `a face of ${words.length - 1} vertices; it needs at least 3`)
      }
      const face: number[] = []
      for (let k = 1; k < words.length; k++) face.push(vertexOf(words[k]!, vertices.length, i))
      faces.push(face)
      if (faces.length > MAX_MESH_FACES) requireCount('OBJ', lineAt(i), 'faces', faces.length)
      seen?.corners.push(words.slice(1).map(corner => coordinatesOf(corner, seen.uv.length, i)))
      seen?.materials.push(material)
    } else if (seen && word === 'vt') {
      const uv = words.slice(1, 3).map(Number)
      if (!Number.isFinite(uv[0]) || !Number.isFinite(uv[1] ?? 0)) throw new MeshError('OBJ', lineAt(i), `(${uv.join(', ')}) are not texture coordinates; two finite numbers are needed`)
      requireCount('OBJ', lineAt(i), 'vertices', seen.uv.push([uv[0]!, uv[1] ?? 0]))
    } else if (seen && word === 'usemtl') {
      material = words.slice(1).join(' ')
    } else if (seen && word === 'mtllib') {
      // A library's name may contain spaces, and several may be listed.
      const names = words.slice(1)
      seen.libraries.push(...names.length > 1 && names.every(name => /\.mtl$/i.test(name)) ? names : [names.join(' ')])
    } else if (word !== '' && !IGNORED.has(word)) {
      throw new MeshError('OBJ', lineAt(i), `unknown record "${word.slice(0, 20)}"`)
    }
  }
  if (faces.length === 0 && !(pointsOnly && vertices.length > 0)) {
    throw new MeshError('OBJ', 'end', 'there are no faces')
  }
  return { vertices, faces }
}

/** Whether a line is `v x y z` with single spaces and finite numbers, which are written into `out`. */
function threeNumbers(line: string, out: [number, number, number]): boolean {
  if (!line.startsWith('v ')) return false
  const second = line.indexOf(' ', 2) + 1
  const third = line.indexOf(' ', second) + 1
  if (second <= 3 || third <= second + 1 || third >= line.length || line.includes(' ', third)) return false
  out[0] = Number(line.slice(2, second - 1))
  out[1] = Number(line.slice(second, third - 1))
  out[2] = Number(line.slice(third))
  return Number.isFinite(out[0]) && Number.isFinite(out[1]) && Number.isFinite(out[2])
}

const lineAt = (index: number): string => `line ${index + 1}`

/** `v`, `v/vt`, `v//vn` or `v/vt/vn`, from 1, or from the end if negative. */
function vertexOf(corner: string, count: number, line: number): number {
  const slash = corner.indexOf('/')
  const number = Number(slash < 0 ? corner : corner.slice(0, slash))
  const index = number < 0 ? count + number : number - 1
  if (!Number.isInteger(number) || number === 0 || index < 0 || index >= count) {
    throw new MeshError('OBJ', lineAt(line), `"${corner.slice(0, 20)}" does not refer to a vertex; there are ${count} so far`)
  }
  return index
}

/** The texture coordinates of a corner, from 0; −1 if it has none. */
function coordinatesOf(corner: string, count: number, line: number): number {
  const written = corner.split('/')[1] ?? ''
  if (written === '') return -1
  const number = Number(written)
  const index = number < 0 ? count + number : number - 1
  if (!Number.isInteger(number) || number === 0 || index < 0 || index >= count) {
    throw new MeshError('OBJ', lineAt(line), `"${corner.slice(0, 20)}" does not refer to texture coordinates; there are ${count} so far`)
  }
  return index
}
