import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flatFacesOf, laidOnto, faceAt, nearestFaces, type FlatFace } from '../../../../core/modelling'
import { normalizeQuaternion, type Quat } from '../../../../core/math/quaternion'
import { addScaled, distance, dot, sub, type Vec3 } from '../../../../core/math/vector'
import type { Body } from '../../../../core/scene'

const material = 'wood'
const integer = fc.integer({ min: -20, max: 20 })
const vector: fc.Arbitrary<Vec3> = fc.tuple(integer, integer, integer).map(v => v.map(x => x / 8) as unknown as Vec3)
const turn: fc.Arbitrary<Quat> = fc.tuple(integer, integer, integer, fc.integer({ min: 1, max: 20 })).map(normalizeQuaternion)
const shape = fc.constantFrom<NonNullable<Body['shapes']>[number]>(
  { type: 'box', size: [1, 2, 3], material, position: [0.1, 0.2, 0.3] }, { type: 'cylinder', radius: 0.5, height: 1, material }, { type: 'cone', radius: 0.5, height: 1, material },
  { type: 'convexHull', points: [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0.25, 0.25, 3]], material },
)
const body = (id: string) => fc.record({ id: fc.constant(id), position: vector, orientation: turn, shapes: shape.map(one => [one]) }) as fc.Arbitrary<Body>
const box = (id: string, position: Vec3, size: Vec3 = [1, 1, 1]): Body => ({ id, position, shapes: [{ type: 'box', size, material }] })
const alone = (body: Body) => ({ id: body.id, name: body.name, bodies: [body] })
const poseOf = ({ position, orientation }: Body) => ({ position: position ?? [0, 0, 0] as Vec3, orientation: orientation ?? [0, 0, 0, 1] as Quat })

describe('a face laid onto a face', () => {
  it('lies in its plane, faces the other way, and has its centre over the other face, for any poses', () => {
    fc.assert(fc.property(body('a'), body('b'), fc.nat(), fc.nat(), (a, b, i, j) => {
      const [mine, others] = [flatFacesOf(a), flatFacesOf(b)]
      const [at, face, onto] = [i % mine.length, mine[i % mine.length]!, others[j % others.length]!]
      const pose = laidOnto(poseOf(a), face, onto)
      const laid = flatFacesOf({ ...a, ...pose })[at]!
      expect(dot(laid.normal, onto.normal)).toBeCloseTo(-1, 12)
      expect(dot(sub(laid.center, onto.center), onto.normal)).toBeCloseTo(0, 12)
      expect(onto.has(laid.center) || distance(laid.center, onto.center) < 1e-9).toBe(true)
    }))
  })

  it('of the nearest faces of two boxes: one is moved onto the other without rotation', () => {
    const [a, b] = [box('a', [0.2, 0.1, 3]), box('b', [0, 0, 0.5])]
    const pose = laidOnto(poseOf(a), ...nearestFaces(alone(a), alone(b)))
    expect(pose).toEqual({ position: [0.2, 0.1, 1.5], orientation: [0, 0, 0, 1] })
  })

  it('beyond the edge of the other it is laid onto its middle', () => {
    const [a, b] = [box('a', [5, 0, 1.6]), box('b', [0, 0, 0.5], [9, 1, 1])]
    const down = flatFacesOf(a).find(({ normal }) => normal[2] === -1)!
    const up = (faces: readonly FlatFace[]) => faces.find(({ normal }) => normal[2] === 1)!
    expect(laidOnto(poseOf(a), down, up(flatFacesOf(b))).position).toEqual([0, 0, 1.5])
    const ground: Body = { id: 'g', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material }] }
    expect(laidOnto(poseOf(a), ...nearestFaces(alone(a), alone(ground))).position).toEqual([5, 0, 0.5])
  })

  it('rotates by half a turn about y in two dimensions', () => {
    const [a, b] = [box('a', [0, 0, 3]), box('b', [0, 0, 0])]
    const top = (one: Body) => flatFacesOf(one, true).find(({ normal }) => normal[2] === 1)!
    expect(flatFacesOf(a, true)).toHaveLength(4)
    expect(laidOnto(poseOf(a), top(a), top(b), true)).toEqual({ position: [0, 0, 1], orientation: [0, 1, 0, 0] })
  })

  it('finds the face on which a point lies, and none beside it', () => {
    const faces = flatFacesOf(box('a', [0, 0, 0]))
    expect(faceAt(faces, [0.2, 0.3, 0.5], [0, 0, 1])?.normal).toEqual([0, 0, 1])
    expect(faceAt(faces, addScaled([0.2, 0.3, 0.5], [0, 0, 1], 0.1), [0, 0, 1])).toBeNull()
    expect(faceAt(faces, [0.7, 0.3, 0.5], [0, 0, 1])).toBeNull()
  })

  it('reports that nothing is flat', () => {
    const ball: Body = { id: 'ball', name: 'Ball', shapes: [{ type: 'sphere', radius: 1, material }] }
    expect(() => nearestFaces(alone(ball), alone(box('b', [0, 0, 0])))).toThrow('"Ball" and "b" have no flat faces that face each other')
  })
})
