import { Document, WebIO } from '@gltf-transform/core'
import { describe, expect, it } from 'vitest'
import { MeshError, readMesh } from '../../../../../core/formats/mesh'
import { enclosedMass, triangleMesh } from '../../../../../core/geometry/mesh'

const text = (content: string): Uint8Array => new TextEncoder().encode(content)

/** A unit tetrahedron at the origin of the node that `place` sets. */
function tetrahedron(place: (document: Document) => void = () => undefined): Document {
  const document = new Document()
  const buffer = document.createBuffer()
  const positions = document.createAccessor().setType('VEC3').setArray(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)).setBuffer(buffer)
  const indices = document.createAccessor().setType('SCALAR').setArray(Uint16Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)).setBuffer(buffer)
  const mesh = document.createMesh('tetrahedron').addPrimitive(document.createPrimitive().setAttribute('POSITION', positions).setIndices(indices))
  document.createScene().addChild(document.createNode('parent').addChild(document.createNode('child').setMesh(mesh)))
  place(document)
  return document
}

const nodeOf = (document: Document, name: string) => document.getRoot().listNodes().find(node => node.getName() === name)!
const binary = (document: Document): Promise<Uint8Array> => new WebIO().writeBinary(document)

describe('a glTF file', () => {
  it('is converted to z up: its y is our z, its z our −y', async () => {
    const { vertices, faces } = await readMesh('a.glb', await binary(tetrahedron()))
    expect(vertices.map(p => p.map(x => x + 0))).toEqual([[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, -1, 0]])
    expect(enclosedMass(triangleMesh({ vertices, faces })).volume).toBeCloseTo(1 / 6, 14)
  })

  it('has its meshes at the poses of its nodes, with outward faces even if a node mirrors', async () => {
    const mesh = await readMesh('a.glb', await binary(tetrahedron(document => {
      nodeOf(document, 'parent').setTranslation([0, 10, 0]).setScale([2, 2, 2])
      nodeOf(document, 'child').setScale([-1, 1, 1]).setTranslation([1, 0, 0])
    })))
    const { volume, centroid } = enclosedMass(triangleMesh(mesh))
    expect(volume).toBeCloseTo(8 / 6, 12)
    ;[2 * (1 - 0.25), -0.5, 10.5].forEach((x, k) => expect(centroid[k]).toBeCloseTo(x, 12))
  })

  it('joins all nodes with a mesh, also if a mesh is used twice', async () => {
    const mesh = await readMesh('a.glb', await binary(tetrahedron(document => {
      document.getRoot().listScenes()[0]!.addChild(document.createNode('other').setMesh(document.getRoot().listMeshes()[0]!).setTranslation([5, 0, 0]))
    })))
    expect(mesh.faces).toHaveLength(8)
    expect(enclosedMass(triangleMesh(mesh)).volume).toBeCloseTo(2 / 6, 12)
  })

  it('may be JSON with embedded data', async () => {
    const { json, resources } = await new WebIO().writeJSON(tetrahedron())
    const [uri] = Object.keys(resources)
    json.buffers![0]!.uri = `data:application/octet-stream;base64,${Buffer.from(resources[uri!]!).toString('base64')}`
    expect((await readMesh('a.gltf', text(JSON.stringify(json)))).faces).toHaveLength(4)
  })

  const asset = { asset: { version: '2.0' } }
  it.each<[string, Uint8Array, RegExp]>([
    ['has its data elsewhere', text(JSON.stringify({ ...asset, buffers: [{ uri: '../../etc/passwd', byteLength: 10 }] })), /in another file, "..\/..\/etc\/passwd"/],
    ['asks for a billion vertices', text(JSON.stringify({ ...asset, accessors: [{ count: 1e9, componentType: 5126, type: 'VEC3' }] })), /accessor 0: 1000000000 elements; at most 3000000/],
    ['has a node within itself', text(JSON.stringify({ ...asset, nodes: [{ children: [1] }, { children: [0] }] })), /more than 64 nodes deep, or contains itself/],
    ['has a node below two others', text(JSON.stringify({ ...asset, nodes: [{ children: [2] }, { children: [2] }, {}] })), /child of both node 0 and node 1/],
    ['needs an extension that is not read', text(JSON.stringify({ ...asset, extensionsRequired: ['KHR_draco_mesh_compression'] })), /KHR_draco_mesh_compression/],
    ['shows nothing', text(JSON.stringify({ ...asset, scenes: [{}] })), /there are no triangles/],
    ['is no JSON', text('{'), /glTF, file/],
    ['is cut short', Uint8Array.of(0x67, 0x6c, 0x54, 0x46, 2, 0, 0, 0, 99, 0, 0, 0), /glTF, file/],
  ])('that %s is refused', async (_, bytes, message) => {
    await expect(readMesh('a.gltf', bytes)).rejects.toThrow(MeshError)
    await expect(readMesh('a.gltf', bytes)).rejects.toThrow(message)
  })
})
