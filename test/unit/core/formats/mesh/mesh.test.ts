import { describe, expect, it } from 'vitest'
import { MeshError, readMesh, type Mesh } from '../../../../../core/formats/mesh'
import { enclosedMass } from '../../../../../core/geometry/mesh'
import { Polyhedron } from '../../../../../core/geometry/polyhedron'
import type { Vec3 } from '../../../../../core/math/vector'

const text = (content: string): Uint8Array => new TextEncoder().encode(content)
const VERTICES: Vec3[] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
const FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]

const expectTetrahedron = ({ vertices, faces }: Mesh): void => {
  expect(vertices).toHaveLength(4)
  expect(faces).toHaveLength(4)
  expect(Polyhedron.fromFaces('mesh', vertices, faces).massProperties.volume).toBeCloseTo(1 / 6, 7)
}

function binaryStl(): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * FACES.length)
  bytes.set(text('solid that is binary'))
  const view = new DataView(bytes.buffer)
  view.setUint32(80, FACES.length, true)
  FACES.forEach((face, f) => face.forEach((v, k) => VERTICES[v]!.forEach((x, axis) => view.setFloat32(84 + 50 * f + 12 + 12 * k + 4 * axis, x, true))))
  return bytes
}

function binaryPly(little: boolean): Uint8Array {
  const head = text(`ply\nformat binary_${little ? 'little' : 'big'}_endian 1.0\ncomment made here\nelement vertex 4\nproperty double x\n`
    + 'property double y\nproperty double z\nproperty uchar red\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n')
  const bytes = new Uint8Array(head.length + 4 * 25 + 4 * 13)
  bytes.set(head)
  const view = new DataView(bytes.buffer)
  let at = head.length
  VERTICES.forEach(v => {
    v.forEach(x => { view.setFloat64(at, x, little); at += 8 })
    view.setUint8(at++, 7)
  })
  FACES.forEach(face => {
    view.setUint8(at++, 3)
    face.forEach(v => { view.setInt32(at, v, little); at += 4 })
  })
  return bytes
}

describe('a mesh file', () => {
  it('in OBJ is read with comments, groups, texture indices and indices from the end', async () => {
    expectTetrahedron(await readMesh('a.obj', text(`# a tetrahedron\no thing\n${VERTICES.map(v => `v ${v.join(' ')}`).join('\n')}\nvn 0 0 1\n`
      + 'f 1 3 2\r\nf 1/1 2/2 4/3\nf 1//1 4//1 3//1 # side\nf -3 -2 -1\n')))
  })

  it('in STL is closed also where a corner was computed anew for each triangle, up to rounding', async () => {
    const [n, m] = [32, 16]
    const at = (i: number, j: number) => {
      const [u, v] = [2 * Math.PI * i / n, 2 * Math.PI * j / m]
      return `vertex ${(0.3 + 0.1 * Math.cos(v)) * Math.cos(u)} ${(0.3 + 0.1 * Math.cos(v)) * Math.sin(u)} ${0.1 * Math.sin(v)}`
    }
    const facets: string[] = []
    for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) {
      const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]
      for (const corners of [[a, b, c], [a, c, d]]) facets.push(`facet normal 0 0 0\nouter loop\n${corners.join('\n')}\nendloop\nendfacet`)
    }
    // The last meridian is the first one but for rounding: sin(2π) is not 0.
    expect(at(n, 0)).not.toBe(at(0, 0))
    const mesh = await readMesh('torus.stl', text(`solid torus\n${facets.join('\n')}\nendsolid torus\n`))
    expect([mesh.vertices.length, mesh.faces.length]).toEqual([n * m, 2 * n * m])
    expect(enclosedMass(mesh).volume).toBeCloseTo(2 * Math.PI ** 2 * 0.3 * 0.01, 2)
  })

  it('in STL is read as text and as binary, even where the binary begins with "solid"', async () => {
    const facets = FACES.map(face => `facet normal 0 0 0\n outer loop\n${face.map(v => `  vertex ${VERTICES[v]!.join(' ')}`).join('\n')}\n endloop\nendfacet`)
    expectTetrahedron(await readMesh('a.STL', text(`solid a\n${facets.join('\n')}\nendsolid a\n`)))
    expectTetrahedron(await readMesh('a.stl', binaryStl()))
  })

  it('in PLY is read as text and as binary in both byte orders', async () => {
    expectTetrahedron(await readMesh('a.ply', text('ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n'
      + 'element face 4\nproperty list uchar int vertex_indices\nend_header\n'
      + `${VERTICES.map(v => v.join(' ')).join('\n')}\n${FACES.map(f => `3 ${f.join(' ')}`).join('\n')}\n`)))
    expectTetrahedron(await readMesh('a.ply', binaryPly(true)))
    expectTetrahedron(await readMesh('a.ply', binaryPly(false)))
  })

  it.each<[string, string, Uint8Array, RegExp]>([
    ['names a missing vertex', 'a.obj', text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n'), /OBJ, line 4: "4" does not refer to a vertex; there are 3/],
    ['has a coordinate that is no number', 'a.obj', text('v 0 zero 0\n'), /OBJ, line 1: "0 zero 0" is not a point; three finite numbers/],
    ['has a corner that is no number', 'a.stl', text('solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 1e999 0\nendloop\nendfacet\nendsolid s\n'), /STL, line 4: "0 1e999 0" is not a point/],
    ['has an unknown record', 'a.obj', text('v 0 0 0\ncall evil\n'), /OBJ, line 2: unknown record "call"/],
    ['has no faces', 'a.obj', text('v 0 0 0\n'), /no faces/],
    ['is cut short', 'a.stl', binaryStl().subarray(0, 200), /STL, line|STL, end|STL, header/],
    ['is cut short', 'a.ply', binaryPly(true).subarray(0, 300), /PLY, byte \d+: the file ends too early/],
    ['claims a billion vertices', 'a.ply', text('ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n'), /at most 1000000 are allowed/],
    ['has an unknown property type', 'a.ply', text('ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n'), /PLY, line 4/],
    ['has an unknown ending', 'a.blend', text(''), /a.blend: unknown kind of file; allowed are obj, stl, ply, gltf, glb/],
  ])('that %s is refused (%s)', async (_, name, bytes, message) => {
    await expect(readMesh(name, bytes)).rejects.toThrow(MeshError)
    await expect(readMesh(name, bytes)).rejects.toThrow(message)
  })
})
