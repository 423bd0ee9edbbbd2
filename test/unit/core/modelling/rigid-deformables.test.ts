import { describe, expect, it } from 'vitest'
import { withRigidDeformables } from '../../../../core/modelling'
import { requireScene, type Scene } from '../../../../core/scene'

const materials = [{ id: 'wool', density: 500, friction: { static: 0.5, dynamic: 0.4 } }]
const ball = { id: 'ball', position: [0, 0, 1], shapes: [{ type: 'sphere', radius: 0.3, material: 'wool' }] }
const strand = (body: string | null, x = 0.3) => ({ body, points: [[x, 0, 1], [x + 0.1, 0, 1], [x + 0.2, 0, 1], [x + 0.2, 0, 0.9]] })
const scene = (deformables: readonly object[], more: object = {}): Scene => requireScene({ format: 'cairn-scene', version: 1, materials, bodies: [ball], deformables, ...more } as never)
const bodyOf = ({ scene: { bodies } }: { scene: Scene }, id: string) => bodies!.find(body => body.id === id)

describe('deformables as rigid bodies', () => {
  it('a scene without deformables does not change', () => {
    const plain = scene([])
    expect(withRigidDeformables(plain, ['ball']).scene).toBe(plain)
  })

  it('each straight part of a hair is one capsule, with the hair\'s radius', () => {
    const made = bodyOf(withRigidDeformables(scene([{ id: 'fur', type: 'hair', material: 'wool', radius: 0.01, strands: [strand('ball')] }]), []), 'fur')!
    expect(made.shapes).toHaveLength(2)
    expect(made.shapes![0]).toMatchObject({ type: 'capsule', radius: 0.01 })
    expect((made.shapes![0] as { height: number }).height).toBeCloseTo(0.2, 12)
    // Its axis, z in the shape, points along x.
    const [x, y, z, w] = made.shapes![0]!.orientation!
    expect(2 * (x * z + w * y)).toBeCloseTo(1, 12)
    expect(made.collision).toEqual({ except: ['ball'] })
  })

  it('a flat sheet with a convex outline is one solid of its thickness; one with a concave outline is one solid for each triangle', () => {
    const vertices = [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1], [0.5, 0.25, 1]]
    const sheet = (id: string, triangles: number[][]) => ({ id, type: 'cloth', material: 'wool', radius: 0.01, vertices, triangles })
    const made = withRigidDeformables(scene([sheet('whole', [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]), sheet('dented', [[1, 2, 4], [2, 3, 4], [3, 0, 4]])]), [])
    expect(bodyOf(made, 'whole')!.shapes).toHaveLength(1)
    expect(bodyOf(made, 'dented')!.shapes).toHaveLength(3)
    const heights = (bodyOf(made, 'whole')!.shapes![0] as unknown as { points: number[][] }).points.map(point => point[2]! + bodyOf(made, 'whole')!.position![2])
    expect(Math.max(...heights)).toBeCloseTo(1.01, 12)
    expect(Math.min(...heights)).toBeCloseTo(0.99, 12)
  })

  it('a deformable that only the body to be put down holds is fixed to it; one that something else holds too is left out', () => {
    const fur = (id: string, ...bodies: (string | null)[]) => ({ id, type: 'hair', material: 'wool', strands: bodies.map((body, i) => strand(body, 0.3 + i)) })
    const { scene: made, placed } = withRigidDeformables(scene([fur('own', 'ball'), fur('both', 'ball', null), fur('world', null)]), ['ball'])
    expect(placed).toEqual(['ball', 'own'])
    expect(made.bodies!.map(({ id }) => id)).toEqual(['ball', 'own', 'world'])
    expect(made.joints).toMatchObject([{ type: 'fixed', bodyA: 'own', bodyB: 'ball' }])
    expect(made.deformables).toEqual([])
  })
})
