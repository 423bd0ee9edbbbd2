import { describe, expect, it } from 'vitest'
import type { Mesh } from '../../../../core/geometry/mesh'
import { parseScene, type Deformable, type Scene } from '../../../../core/scene'
import type { Vec3 } from '../../../../core/math/vector'
import { sheetOf, shownMesh } from '../../../../renderer/state/new-cloth'
import { newDeformable } from '../../../../renderer/state/new-deformable'
import { ropeBetween } from '../../../../renderer/state/new-rope'

const scene = (deformable: Deformable, bodies: Scene['bodies'] = []) => parseScene({ format: 'cairn-scene', version: 1, materials: [{ id: 'felt' }], bodies, deformables: [deformable] })
const area = (vertices: readonly Vec3[], triangles: readonly (readonly number[])[]) => triangles.reduce((sum, [a, b, c]) => {
  const [u, v] = [b!, c!].map(k => vertices[k]!.map((x, i) => x - vertices[a!]![i]!)) as [number[], number[]]
  return sum + Math.hypot(u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!) / 2
}, 0)

describe('a new round cloth', () => {
  const cloth = newDeformable('disc', 'Round cloth', { format: 'cairn-scene', version: 1 } as Scene, 'felt', [1, 2, 3])

  it('is a valid disc one metre above the point, pinned at its centre', () => {
    expect(scene(cloth)).toMatchObject({ ok: true })
    if (cloth.type !== 'cloth') throw new Error(cloth.type)
    expect(cloth.vertices[cloth.pins![0]!]).toEqual([1, 2, 4])
    const far = cloth.vertices.map(([x, y]) => Math.hypot(x - 1, y - 2))
    expect(Math.max(...far)).toBeCloseTo(0.5, 6)
    // A regular polygon of 30 corners, each edge inside it in two triangles and each of its sides in one.
    expect(area(cloth.vertices, cloth.triangles)).toBeCloseTo(30 / 2 * 0.25 * Math.sin(2 * Math.PI / 30), 5)
    const edges = new Map<string, number>()
    for (const t of cloth.triangles) for (let k = 0; k < 3; k++) {
      const key = [t[k]!, t[(k + 1) % 3]!].sort((a, b) => a - b).join(' ')
      edges.set(key, (edges.get(key) ?? 0) + 1)
    }
    expect([...edges.values()].filter(count => count === 1)).toHaveLength(30)
    expect(Math.max(...edges.values())).toBe(2)
  })

  it('has triangles of one orientation, none of them thin', () => {
    if (cloth.type !== 'cloth') throw new Error(cloth.type)
    for (const t of cloth.triangles) {
      const [a, b, c] = t.map(k => cloth.vertices[k]!) as [Vec3, Vec3, Vec3]
      const twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
      const longest = Math.max(...[[a, b], [b, c], [c, a]].map(([p, q]) => Math.hypot(p![0] - q![0], p![1] - q![1])))
      expect(twice).toBeGreaterThan(0.5 * longest * longest)
    }
  })
})

describe('cloth of a mesh', () => {
  /** A roof of two rectangles, an unused vertex, and a corner given twice. */
  const roof: Mesh = {
    vertices: [[0, 0, 0], [2, 0, 0], [2, 1, 1], [0, 1, 1], [2, 2, 0], [0, 2, 0], [9, 9, 9], [0, 1, 1]],
    faces: [[0, 1, 2, 3], [7, 2, 4, 5]],
  }

  it('has its surface, its lowest point on the place and its middle above it', () => {
    const sheet = sheetOf(roof, [10, 20, 30])
    expect(scene({ id: 'c', type: 'cloth', material: 'felt', ...sheet })).toMatchObject({ ok: true })
    expect(sheet.vertices).toHaveLength(6)
    expect(area(sheet.vertices, sheet.triangles)).toBeCloseTo(4 * Math.SQRT2, 5)
    const [x, y, z] = [0, 1, 2].map(k => sheet.vertices.map(p => p[k]!)) as [number[], number[], number[]]
    expect([Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)]).toEqual([9, 11, 19, 21])
    expect(Math.min(...z)).toBeCloseTo(30.01, 9)
  })

  it('is scaled with the place kept', () => {
    const { vertices } = sheetOf(roof, [0, 0, 1], 0.001)
    expect(Math.max(...vertices.map(([x]) => x))).toBeCloseTo(0.001, 9)
    expect(Math.min(...vertices.map(([, , z]) => z))).toBeCloseTo(1.01, 9)
  })

  it('is refused with more than 20,000 triangles', () => {
    const wide: Mesh = { vertices: Array.from({ length: 20_003 }, (_, i) => [i, i % 2, 0]), faces: Array.from({ length: 20_001 }, (_, i) => [i, i + 1, i + 2]) }
    expect(() => sheetOf(wide, [0, 0, 0])).toThrow(/20001 triangles; a cloth has at most 20000/)
  })

  it('of a body is that of all its meshes, where they are in its frame', () => {
    const seen = shownMesh({
      format: 'cairn-scene', version: 1, meshes: [{ id: 'm', vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces: [[0, 1, 2]] }],
      bodies: [{ id: 'b', visuals: [{ type: 'mesh', mesh: 'm' }, { type: 'mesh', mesh: 'm', position: [0, 0, 2] }] }, { id: 'plain' }],
    } as unknown as Scene, 'b')
    expect(seen?.faces).toEqual([[0, 1, 2], [3, 4, 5]])
    expect(seen?.vertices[4]).toEqual([1, 0, 2])
    expect(shownMesh({ format: 'cairn-scene', version: 1, bodies: [{ id: 'plain' }] } as unknown as Scene, 'plain')).toBeNull()
  })
})

describe('a rope between two points', () => {
  const post = (id: string, x: number): NonNullable<Scene['bodies']>[number] => ({ id, type: 'fixed', position: [x, 0, 0.5], shapes: [{ type: 'box', size: [0.1, 0.1, 1], material: 'felt' }] })
  const rope = ropeBetween({ body: 'a', point: [0.05, 0, 0.9], normal: [1, 0, 0] }, { body: 'b', point: [1.95, 0, 0.9], normal: [-1, 0, 0] })

  it('is straight, one radius above both surfaces, and attached to both bodies', () => {
    expect(scene({ id: 'r', material: 'felt', ...rope }, [post('a', 0), post('b', 2)])).toMatchObject({ ok: true })
    expect(rope.points).toEqual([[0.06, 0, 0.9], [1.94, 0, 0.9]])
    expect(rope.attachments).toEqual([{ vertex: 0, body: 'a' }, { vertex: rope.segments, body: 'b' }])
    expect(rope.segments).toBe(47)
  })

  it('has at least eight segments, and at most two hundred', () => {
    const long = (x: number) => ropeBetween({ body: 'a', point: [0, 0, 0], normal: [0, 0, 1] }, { body: 'b', point: [x, 0, 0], normal: [0, 0, 1] }).segments
    expect([long(0.1), long(100)]).toEqual([8, 200])
  })
})
