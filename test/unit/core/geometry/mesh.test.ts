import { describe, expect, it } from 'vitest'
import { solidAt } from '../../../../core/analysis/convex-solid'
import { overlapVolume } from '../../../../core/analysis/overlap'
import { exactPieces } from '../../../../core/geometry/convex-pieces'
import { convexHull } from '../../../../core/geometry/hull'
import { enclosedMass, MAX_MESH_TRIANGLES, triangleMesh, turnedMesh, type Mesh } from '../../../../core/geometry/mesh'
import { Polyhedron } from '../../../../core/geometry/polyhedron'
import { IDENTITY_POSE } from '../../../../core/math/pose'
import { normalizeQuaternion, rotate, type Quat } from '../../../../core/math/quaternion'
import { add, type Vec3 } from '../../../../core/math/vector'
import { frame, prism, stairs } from './solids'

const L = prism([[0, 0], [2, 0], [2, 1], [1, 1], [1, 3], [0, 3]], 0.5)
const turn: Quat = normalizeQuaternion([0.3, -0.5, 0.2, 0.7])
const moved = ({ vertices, faces }: Mesh): Mesh => ({ vertices: vertices.map(p => add(rotate(turn, p), [10, -20, 5])), faces })

describe('the solid that a mesh encloses', () => {
  it('has, for an L, the mass properties of its boxes', () => {
    const { volume, centroid, inertia } = enclosedMass(triangleMesh(L))
    // Boxes 2 × 1 and 1 × 2, half a metre thick.
    expect(volume).toBeCloseTo(2, 14)
    centroid.forEach((x, k) => expect(x).toBeCloseTo([(1 * 1 + 1 * 0.5) / 2, (1 * 0.5 + 1 * 2) / 2, 0.25][k]!, 14))
    const steiner = (own: number, d: number): number => own + d * d
    const xx = steiner((1 + 0.25) / 12, 0.75) + steiner((4 + 0.25) / 12, 0.75)
    expect(inertia[0]).toBeCloseTo(xx, 13)
  })

  it('does not depend on the mesh\'s position, its triangulation, or vertices repeated for each face', () => {
    const apart: Mesh = { vertices: L.faces.flatMap(face => face.map(v => L.vertices[v]!)), faces: [] }
    let next = 0
    const faces = L.faces.map(face => face.map(() => next++))
    expect(enclosedMass(triangleMesh({ vertices: apart.vertices, faces })).volume).toBeCloseTo(2, 14)
    expect(enclosedMass(triangleMesh(moved(L))).volume).toBeCloseTo(2, 12)
  })

  it.each<[string, Mesh, RegExp]>([
    ['is open', { vertices: L.vertices, faces: L.faces.slice(1) }, /mesh: the surface is open: face \d+ has no neighbour along the edge from vertex \d+ to \d+/],
    ['has a face turned inside out', { vertices: L.vertices, faces: L.faces.map((face, f) => f === 3 ? [...face].reverse() : face) }, /turned inside out/],
    ['faces inwards', turnedMesh(L), /mesh: the faces point inwards/],
    ['encloses nothing', { vertices: L.vertices, faces: [[0, 1, 2], [0, 2, 1]] }, /mesh: the volume is 0 m³/],
    ['names a vertex that is not there', { vertices: L.vertices, faces: [[0, 1, 99]] }, /mesh: face 0 names vertex 99; there are vertices 0 to 11/],
    ['has a coordinate that is no number', { vertices: [[NaN, 0, 0], ...L.vertices], faces: L.faces }, /mesh: vertex 0 is \(NaN, 0, 0\)/],
    ['is one point four times', { vertices: [[1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]], faces: [[0, 1, 2]] }, /mesh: 1 different vertices given/],
  ])('is refused where it %s', (_, mesh, message) => {
    expect(() => enclosedMass(triangleMesh(mesh))).toThrow(message)
  })

  it('with a million faces is refused before anything is computed', () => {
    const many: Mesh = { vertices: L.vertices, faces: Array.from({ length: 1_000_000 }, () => [0, 1, 2]) }
    expect(() => triangleMesh(many)).toThrow(`more than ${MAX_MESH_TRIANGLES} triangles (1000000 faces given); simplify it first`)
    expect(() => Polyhedron.fromFaces('polyhedron', L.vertices, many.faces)).toThrow('polyhedron: 1000000 faces given; at most 20000 are allowed')
    const points = Array.from({ length: 1_000_000 }, (_, i): Vec3 => [i, i * i, 1])
    expect(() => convexHull('convexHull', points)).toThrow('convexHull: 1000000 points given; at most 200000 are allowed')
  })
})

describe('exact convex pieces', () => {
  const solidsOf = (pieces: readonly (readonly Vec3[])[]): Polyhedron[] => pieces.map(points => convexHull('mesh', points))

  it.each<[string, Mesh, number]>([
    ['an L', L, 2], ['stairs of five steps', stairs(5), 5], ['a frame with a hole through it', frame(), 4],
    ['a turned and shifted frame', moved(frame()), 4], ['a box', prism([[0, 0], [1, 0], [1, 1], [0, 1]], 1), 1],
    ['two boxes apart', { vertices: [...L.vertices, ...L.vertices.map(p => add(p, [5, 0, 0]))], faces: [...L.faces, ...L.faces.map(f => f.map(v => v + 12))] }, 4],
    ['a star of five points', prism(Array.from({ length: 10 }, (_, k) => {
      const r = k % 2 === 0 ? 2 : 0.8
      return [r * Math.cos(k * Math.PI / 5), r * Math.sin(k * Math.PI / 5)] as const
    }), 1), 6],
  ])('of %s fill it, do not overlap, and are few', (_, mesh, most) => {
    const triangles = triangleMesh(mesh)
    const whole = enclosedMass(triangles).volume
    const pieces = solidsOf(exactPieces(triangles, 32)!)
    expect(pieces.length).toBeLessThanOrEqual(most)
    expect(pieces.reduce((sum, piece) => sum + piece.massProperties.volume, 0) / whole).toBeCloseTo(1, 9)
    const solids = pieces.map(piece => solidAt(piece, IDENTITY_POSE))
    solids.forEach((a, i) => solids.slice(i + 1).forEach(b => expect(overlapVolume(a, b) / whole).toBeLessThan(1e-9)))
  })

  it('are refused if more than the allowed number are needed, not truncated to it', () => {
    expect(exactPieces(triangleMesh(stairs(6)), 5)).toBeNull()
    expect(exactPieces(triangleMesh(stairs(6)), 6)).toHaveLength(6)
  })
})
