/** Mutated mesh files of every format: they are read, measured and cut, or refused. */
import { readMesh } from '../../../core/formats/mesh'
import { exactPieces } from '../../../core/geometry/convex-pieces'
import { convexHull } from '../../../core/geometry/hull'
import { enclosedMass, triangleMesh } from '../../../core/geometry/mesh'
import { mutatedBytes } from '../mutate'
import { thrown, type Kind } from '../outcome'
import { Random } from '../random'

const text = (lines: readonly string[]) => new TextEncoder().encode(lines.join('\n'))

export const meshes: Kind = {
  async run(seed) {
    const r = new Random(seed)
    const [name, bytes] = r.of([['a.obj', obj(r)], ['a.stl', stl(r)], ['a.ply', ply(r)], ['a.stl', binaryStl(r)]] as const)
    try {
      const mesh = triangleMesh(await readMesh(name, r.chance(0.9) ? mutatedBytes(r, bytes) : bytes))
      convexHull('mesh', mesh.vertices)
      enclosedMass(mesh)
      exactPieces(mesh, 8)
      return { outcome: 'completed', detail: name }
    } catch (error) {
      return thrown(['MeshError', 'ShapeError'], error)
    }
  },
}

const FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] as const
const corners = (r: Random) => [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]].map(p => p.map(x => x + r.between(-0.2, 0.2)))

function obj(r: Random): Uint8Array {
  return text([...corners(r).map(p => `v ${p.join(' ')}`), ...FACES.map(face => `f ${face.map(v => v + 1).join(' ')}`)])
}

function stl(r: Random): Uint8Array {
  const points = corners(r)
  return text(['solid x', ...FACES.flatMap(face => ['facet normal 0 0 0', 'outer loop', ...face.map(v => `vertex ${points[v]!.join(' ')}`), 'endloop', 'endfacet']), 'endsolid x'])
}

function ply(r: Random): Uint8Array {
  return text([
    'ply', 'format ascii 1.0', 'element vertex 4', 'property float x', 'property float y', 'property float z', `element face ${FACES.length}`,
    'property list uchar int vertex_indices', 'end_header', ...corners(r).map(p => p.join(' ')), ...FACES.map(face => `3 ${face.join(' ')}`), '',
  ])
}

function binaryStl(r: Random): Uint8Array {
  const points = corners(r)
  const view = new DataView(new ArrayBuffer(84 + 50 * FACES.length))
  view.setUint32(80, FACES.length, true)
  FACES.forEach((face, k) => face.forEach((v, i) => points[v]!.forEach((x, axis) => view.setFloat32(84 + 50 * k + 12 + 12 * i + 4 * axis, x, true))))
  return new Uint8Array(view.buffer)
}
