import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import { createPrimitive, createPrimitives, kindOfShape, SHAPE_TYPES, type ShapeSpec, type ShapeType } from '../../../../core/geometry/primitives'
import { IDENTITY_POSE } from '../../../../core/math/pose'
import type { Vec3 } from '../../../../core/math/vector'

const TETRAHEDRON: Vec3[] = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
const SPECS: { readonly [T in ShapeType]: ShapeSpec & { type: T } } = {
  box: { type: 'box', size: [1, 2, 3] },
  convexHull: { type: 'convexHull', points: TETRAHEDRON },
  polyhedron: { type: 'polyhedron', vertices: TETRAHEDRON, faces: [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]] },
  mesh: { type: 'mesh', pieces: [{ points: TETRAHEDRON }] },
  halfSpace: { type: 'halfSpace', normal: [0, 0, 1], offset: 0 },
  sphere: { type: 'sphere', radius: 1 },
  ellipsoid: { type: 'ellipsoid', radii: [1, 2, 3] },
  superquadric: { type: 'superquadric', radii: [1, 2, 3], exponents: [0.8, 1.1] },
  implicit: { type: 'implicit', formula: 'x^2 + y^2 - (1 - z^2)*(1 + z/4)^2' },
  parametric: { type: 'parametric', x: '2*cos(u)*cos(v)', y: 'cos(u)*sin(v)', z: 'sin(u)', u: [-Math.PI / 2, Math.PI / 2], v: [-Math.PI, Math.PI] },
  capsule: { type: 'capsule', radius: 0.5, height: 1 },
  cylinder: { type: 'cylinder', radius: 0.5, height: 1 },
  cone: { type: 'cone', radius: 0.5, height: 1 },
}
describe('every shape', () => {
  it('can be made, has its kind, and has finite mass except the half-space', () => {
    for (const type of SHAPE_TYPES) {
      const primitive = createPrimitive(SPECS[type])
      expect(primitive.kind).toBe(kindOfShape(type))
      expect(primitive.massProperties === null).toBe(type === 'halfSpace')
    }
  })

  it('collides with every other: A above B is separated, and touches with an upward normal when lowered', () => {
    for (const a of SHAPE_TYPES) {
      for (const b of SHAPE_TYPES) {
        const [p, q] = [createPrimitive(SPECS[a]), createPrimitive(SPECS[b])]
        if (p.kind === 'halfSpace') {
          continue
        }
        const collider = createCollider({ primitive: p, pose: IDENTITY_POSE }, { primitive: q, pose: IDENTITY_POSE })!
        const at = (z: number) => ({ position: [0.01, 0.02, z] as Vec3, orientation: [0, 0, 0, 1] as const })
        let height = 10
        for (let k = 0; k < 100; k++) {
          height -= collider.separation(at(height), IDENTITY_POSE)
        }
        expect(Math.abs(collider.separation(at(height), IDENTITY_POSE)), `${a}/${b}`).toBeLessThan(1e-9)
        const region = collider.region(at(height), IDENTITY_POSE, 1e-6)
        expect(region.length, `${a}/${b}`).toBeGreaterThan(0)
        for (const contact of region) {
          const { normal, gap } = contact.locate(at(height), IDENTITY_POSE)
          expect(normal[2], `${a}/${b}`).toBeGreaterThan(0.1)
          expect(Math.abs(gap), `${a}/${b}`).toBeLessThan(1e-6)
        }
        expect(collider.separation(at(height + 0.5), IDENTITY_POSE), `${a}/${b}`).toBeGreaterThan(0.05)
      }
    }
  })

  it('that is a mesh consists of its pieces, and of none without pieces', () => {
    expect(createPrimitives({ type: 'mesh', pieces: [{ points: TETRAHEDRON }, { points: TETRAHEDRON }] })).toHaveLength(2)
    expect(() => createPrimitives({ type: 'mesh' })).toThrow(/mesh: has no convex pieces/)
  })
})
