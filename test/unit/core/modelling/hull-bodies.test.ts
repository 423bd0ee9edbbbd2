import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convexHull } from '../../../../core/geometry/hull'
import { solidsOf } from '../../../../core/analysis/solids'
import { composePoses, toOuter, type Pose } from '../../../../core/math/pose'
import { normalizeQuaternion, rotateInverse, type Quat } from '../../../../core/math/quaternion'
import { add, dot, type Vec3 } from '../../../../core/math/vector'
import { hullOfBodies, ModellingError } from '../../../../core/modelling'
import { resolveBody, resolveShape, type Body, type Scene } from '../../../../core/scene'

const material = 'wood'
const scene = (bodies: Body[], more: Partial<Scene> = {}): Scene => ({ format: 'cairn-scene', version: 1, materials: [{ id: material, density: 700 }], bodies, ...more }) as Scene
const number = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true, noDefaultInfinity: true })
const vector = (size: number): fc.Arbitrary<Vec3> => fc.tuple(number(-size, size), number(-size, size), number(-size, size))
// On a grid: a direction that differs from an axis by a denormal number cannot be normalised.
const step = fc.integer({ min: -1000, max: 1000 })
const turn: fc.Arbitrary<Quat> = fc.tuple(step, step, step, fc.integer({ min: 100, max: 1000 }))
  .map(normalizeQuaternion)
const length = number(0.1, 2)
const shape = fc.oneof(
  fc.record({ type: fc.constant('box' as const), size: fc.tuple(length, length, length), material: fc.constant(material) }),
  fc.record({ type: fc.constant('sphere' as const), radius: length, material: fc.constant(material) }),
  fc.record({ type: fc.constantFrom('cylinder' as const, 'cone' as const, 'capsule' as const), radius: length, height: length, material: fc.constant(material) }),
  fc.record({ type: fc.constant('ellipsoid' as const), radii: fc.tuple(length, length, length), material: fc.constant(material) }),
)
const body = (i: number) => fc.record({ id: fc.constant(`b${i}`), position: vector(2), orientation: turn, shapes: fc.tuple(shape) }) as fc.Arbitrary<Body>

const reach = (one: Body, direction: Vec3): number => Math.max(...one.shapes!.flatMap(each => solidsOf(each).map(solid => {
  const pose: Pose = composePoses(resolveBody(one), resolveShape(each))
  return dot(direction, toOuter(pose, solid.support(rotateInverse(pose.orientation, direction))))
})))

describe('the hull of bodies', () => {
  it('lies within the true hull, which exceeds it by at most the reported error', () => {
    fc.assert(fc.property(body(0), body(1), (a, b) => {
      const hull = hullOfBodies(scene([a, b]), ['b0', 'b1'], 16)
      const solid = convexHull('hull', hull.points.map(p => add(hull.origin, p)))
      let most = 0
      for (const { normal, offset } of solid.faces) {
        const beyond = Math.max(reach(a, normal), reach(b, normal)) - offset
        expect(beyond).toBeGreaterThan(-1e-9)
        most = Math.max(most, beyond)
      }
      expect(Math.abs(most - hull.error)).toBeLessThan(1e-8)
    }), { numRuns: 30 })
  })

  it('of two boxes is exact: its volume is that of a prism over six corners', () => {
    const box = (id: string, position: Vec3): Body => ({ id, position, shapes: [{ type: 'box', size: [1, 1, 1], material }] })
    const hull = hullOfBodies(scene([box('a', [0, 0, 0]), box('b', [1, 0, 1])]), ['a', 'b'], 24)
    expect([hull.points.length, hull.error]).toEqual([12, 0])
    expect(hull.volume).toBeCloseTo(3, 12)
    hull.origin.forEach((x, k) => { expect(x).toBeCloseTo([0.5, 0, 0.5][k]!, 12) })
  })

  it('of a sphere loses at a pole r (1 − cos) of half a step, and less the finer it is', () => {
    const ball: Body = { id: 'a', shapes: [{ type: 'sphere', radius: 1, material }] }
    const errors = [8, 16, 32, 64].map(around => hullOfBodies(scene([ball]), ['a'], around).error)
    for (const [i, error] of errors.entries()) expect(error).toBeLessThan(i === 0 ? 0.2 : errors[i - 1]! / 3)
  })

  it('of a cylinder has its rims alone, and of a cone its rim and its tip', () => {
    const of = (type: 'cylinder' | 'cone') => hullOfBodies(scene([{ id: 'a', shapes: [{ type, radius: 1, height: 2, material }] }]), ['a'], 24)
    expect([of('cylinder').points.length, of('cone').points.length]).toEqual([48, 25])
    expect(of('cylinder').volume).toBeCloseTo(24 * Math.sin(2 * Math.PI / 24), 12)
    expect(of('cylinder').error).toBeCloseTo(1 - Math.cos(Math.PI / 24), 12)
  })

  it('in two dimensions is a prism', () => {
    const flat = scene([
      { id: 'a', shapes: [{ type: 'box', size: [1, 0.4, 1], material }] }, { id: 'b', position: [2, 0, 0], orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], shapes: [{ type: 'cylinder', radius: 0.5, height: 0.2, material }] },
    ], { simulation: { dimensions: 2 } } as Partial<Scene>)
    const { points, origin } = hullOfBodies(flat, ['a', 'b'], 24)
    for (const [, y] of points) expect(Math.abs(Math.abs(y) - 0.2)).toBeLessThan(1e-12)
    expect(Math.abs(origin[1])).toBeLessThan(1e-12)
  })

  it('refuses infinite bodies and bodies without shapes, with their ids', () => {
    const ground: Body = { id: 'a', name: 'Ground', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material }] }
    expect(() => hullOfBodies(scene([ground]), ['a'], 24)).toThrow('shape 1 (half-space) of "Ground" is unbounded')
    expect(() => hullOfBodies(scene([{ id: 'a' }]), ['a'], 24)).toThrow('"a" has no shape')
    expect(() => hullOfBodies(scene([]), [], 24)).toThrow(ModellingError)
  })
})
