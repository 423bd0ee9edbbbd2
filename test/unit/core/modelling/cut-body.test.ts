import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyMass, partsOf } from '../../../../core/analysis/solids'
import { transform } from '../../../../core/math/matrix'
import { toOuter } from '../../../../core/math/pose'
import { normalizeQuaternion, toMatrix, type Quat } from '../../../../core/math/quaternion'
import { parallelAxis, turnInertia } from '../../../../core/geometry/mass-properties'
import { add, cross, dot, scale, sub, ZERO, type Vec3 } from '../../../../core/math/vector'
import { cutBodies, ModellingError, sectionsOf } from '../../../../core/modelling'
import { editScene, resolveBody, resolveScene, type Body, type Scene, type Shape } from '../../../../core/scene'

const material = 'wood'
const scene = (bodies: Body[], more: Partial<Scene> = {}): Scene => ({
  format: 'cairn-scene', version: 1, materials: [{ id: material, density: 700 }], bodies, ...more,
}) as Scene
const box = (more: Partial<Body> = {}): Body => ({ id: 'box', shapes: [{ type: 'box', size: [2, 1, 1], material }], ...more })

function massOf(body: Body, all: Scene) {
  const resolved = resolveBody(body)
  const { mass, centerOfMass, inertia } = bodyMass(resolved, partsOf(resolved, resolveScene(all)))
  return { mass, center: toOuter(resolved, centerOfMass), inertia: turnInertia(toMatrix(resolved.orientation), inertia), velocity: resolved.linearVelocity, omega: resolved.angularVelocity }
}

function cut(before: Scene, plane: { point: Vec3, normal: Vec3 }, ids: readonly string[] = ['box']): Scene {
  const made = cutBodies(before, ids, plane)
  const result = editScene(before, draft => made.apply(draft as Scene))
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.scene
}

const fault = (act: () => unknown): ModellingError => {
  try {
    act()
  } catch (error) {
    if (error instanceof ModellingError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const number = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true, noDefaultInfinity: true })
const vector = (size: number): fc.Arbitrary<Vec3> => fc.tuple(number(-size, size), number(-size, size), number(-size, size))
const turn: fc.Arbitrary<Quat> = fc.tuple(number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1)).map(normalizeQuaternion)
const length = number(0.1, 3)
const shape: fc.Arbitrary<Shape> = fc.oneof(
  fc.record({ type: fc.constant('box' as const), size: fc.tuple(length, length, length), material: fc.constant(material), position: vector(1), orientation: turn }),
  fc.record({
    type: fc.constant('convexHull' as const), material: fc.constant(material), position: vector(1),
    // The vertices of a tetrahedron ensure a volume, whatever points are added.
    points: fc.array(vector(1), { maxLength: 8 }).map(points => [...points, [1.5, 0, 0], [0, 1.25, 0], [0, 0, 1.75], [-1, -1.1, -1.2]] as Vec3[]),
  }),
) as fc.Arbitrary<Shape>

describe('cutting a body by a plane', () => {
  it('keeps mass, inertia, momentum and angular momentum, wherever it is cut', () => {
    let crossed = 0
    fc.assert(fc.property(fc.array(shape, { minLength: 1, maxLength: 3 }), turn, vector(2), vector(3), vector(3), vector(0.5), vector(1), (shapes, orientation, position, v, omega, point, normal) => {
      fc.pre(dot(normal, normal) > 1e-2)
      const before = scene([{ id: 'box', shapes, orientation, position, linearVelocity: v, angularVelocity: omega }])
      let after: Scene
      try {
        after = cut(before, { point: add(position, point), normal })
      } catch (error) {
        if (error instanceof ModellingError && error.fault === 'missed') return
        throw error
      }
      crossed++
      const whole = massOf(before.bodies![0]!, before)
      const halves = after.bodies!.map(body => massOf(body, after))
      const sum = (of: (m: typeof whole) => number) => halves.reduce((total, half) => total + of(half), 0)
      expect(Math.abs(sum(m => m.mass) / whole.mass - 1)).toBeLessThan(1e-12)
      const size = 1 + Math.hypot(...whole.center)
      for (const k of [0, 1, 2] as const) {
        expect(Math.abs(sum(m => m.mass * m.center[k]) - whole.mass * whole.center[k])).toBeLessThan(1e-12 * whole.mass * size)
        expect(Math.abs(sum(m => m.mass * m.velocity[k]) - whole.mass * whole.velocity[k])).toBeLessThan(1e-11 * whole.mass * size)
      }
      const spin = (m: typeof whole) => add(transform(m.inertia, m.omega), cross(m.center, scale(m.velocity, m.mass)))
      const spins = halves.map(spin).reduce(add, ZERO)
      spins.forEach((x, k) => { expect(Math.abs(x - spin(whole)[k]!)).toBeLessThan(1e-10 * whole.mass * size * size) })
      const inertia = halves.map(m => parallelAxis(m.mass, sub(m.center, whole.center)).map((x, k) => x + m.inertia[k]!))
      whole.inertia.forEach((x, k) => { expect(Math.abs(inertia[0]![k]! + inertia[1]![k]! - x)).toBeLessThan(1e-11 * whole.mass * size * size) })
      for (const [side, body] of after.bodies!.entries()) {
        for (const one of body.shapes!) {
          const points = one.type === 'convexHull' ? one.points as readonly Vec3[] : []
          for (const p of points) {
            const at = toOuter(resolveBody(body), toOuter({ position: one.position ?? ZERO, orientation: one.orientation ?? [0, 0, 0, 1] }, p))
            const height = dot(normal, sub(at, add(position, point))) / Math.sqrt(dot(normal, normal))
            expect(side === 0 ? height : -height).toBeLessThan(1e-11)
          }
        }
      }
    }), { numRuns: 100 })
    expect(crossed).toBeGreaterThan(50)
  })

  it('cuts a box through its corners into two wedges of six points each', () => {
    const { bodies } = cut(scene([box({ shapes: [{ type: 'box', size: [1, 1, 1], material }] })]), { point: [0, 0, 0], normal: [1, 0, 1] })
    expect(bodies!.map(({ id, name }) => [id, name])).toEqual([['box', 'box a'], ['box-2', 'box b']])
    for (const body of bodies!) expect((body.shapes![0] as { points: unknown[] }).points).toHaveLength(6)
  })

  it('leaves shapes beside the plane as they are, curved ones too', () => {
    const whole = box({ name: 'Lamp', shapes: [{ type: 'box', size: [2, 1, 1], material }, { type: 'sphere', radius: 0.25, position: [0.7, 0, 0.75], material }] })
    const { bodies } = cut(scene([whole]), { point: [0, 0, 0], normal: [1, 0, 0] })
    expect(bodies!.map(body => body.shapes!.map(({ type }) => type))).toEqual([['convexHull'], ['convexHull', 'sphere']])
    expect(bodies![1]!.shapes![1]).toEqual(whole.shapes![1])
    expect(fault(() => cutBodies(scene([whole]), ['box'], { point: [0.7, 0, 0], normal: [1, 0, 0] })).message).toBe(
      'shape 2 (sphere) of "Lamp" is curved, and its halves would not be shapes of Cairn: boxes, hulls, polyhedra and meshes can be cut. A curved shape may stay beside the plane')
  })

  it('distributes an explicit mass, and refuses an explicit centre of mass or inertia', () => {
    const { bodies } = cut(scene([box({ mass: { mass: 8 } })]), { point: [0.5, 0, 0], normal: [1, 0, 0] })
    expect(bodies!.map(({ mass }) => mass!.mass)).toEqual([expect.closeTo(6, 12), expect.closeTo(2, 12)])
    expect(fault(() => cutBodies(scene([box({ mass: { centerOfMass: [0, 0, 0] } })]), ['box'], { point: [0, 0, 0], normal: [1, 0, 0] })).fault).toBe('ownMass')
  })

  it('refuses bodies that it cannot cut, with their ids', () => {
    const far = fault(() => cutBodies(scene([box({ name: 'Crate' })]), ['box'], { point: [5, 0, 0], normal: [1, 0, 0] }))
    expect([far.fault, far.message]).toEqual(['missed', 'The plane does not cross "Crate": move it until the cut is drawn'])
    const plane = { point: ZERO, normal: [0, 0, 1] as Vec3 }
    const ground: Body = { id: 'box', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material }] }
    expect(fault(() => cutBodies(scene([ground]), ['box'], plane)).fault).toBe('endless')
    expect(fault(() => cutBodies(scene([box()]), ['box'], { ...plane, normal: [0, 0, 0] })).fault).toBe('invalid')
    expect(fault(() => cutBodies(scene([box()]), [], plane)).fault).toBe('noBody')
    const flat = scene([box()], { simulation: { dimensions: 2 } } as Partial<Scene>)
    expect(fault(() => cutBodies(flat, ['box'], { point: ZERO, normal: [1, 1, 0] })).fault).toBe('offPlane')
  })

  it('lets joints, forces, sensors and exceptions follow to the half that has their point', () => {
    const before = scene([box({ position: [1, 0, 0] }), { id: 'other', position: [0, 0, 2], collision: { except: ['box'] }, shapes: [{ type: 'sphere', radius: 0.1, material }] }], {
      joints: [
        { id: 'left', type: 'ball', bodyA: 'box', bodyB: 'other', anchor: [0.2, 0, 0] }, { id: 'right', type: 'ball', bodyA: 'other', bodyB: 'box', anchor: [1.8, 0, 0] },
        { id: 'rod', type: 'distance', bodyA: 'other', bodyB: 'box', anchor: [0, 0, 2], anchorB: [1.9, 0, 0] },
      ],
      forces: [
        { id: 'push', type: 'point', body: 'box', point: [0.9, 0, 0], force: [0, 0, 1] }, { id: 'spring', type: 'spring', bodyA: 'box', pointA: [-0.9, 0, 0], bodyB: null, stiffness: 1 },
        { id: 'drag', type: 'drag', bodies: ['box'], linear: 1 },
      ],
      sensors: [{ id: 'imu', type: 'imu', body: 'box', position: [0.5, 0, 0] }, { id: 'feel', type: 'contact', body: 'box', shape: 0 }],
      deformables: [{
        id: 'rope', type: 'rope', material, points: [[1.9, 0, 0.5], [1.9, 0, 2]], segments: 4,
        attachments: [{ vertex: 0, body: 'box' }],
      }],
    } as unknown as Partial<Scene>)
    const after = cut(before, { point: [1, 0, 0], normal: [1, 0, 0] })
    const joints = after.joints as { bodyA: string, bodyB: string }[]
    expect(joints.map(({ bodyA, bodyB }) => [bodyA, bodyB])).toEqual([['box', 'other'], ['other', 'box-2'], ['other', 'box-2']])
    expect(after.forces).toMatchObject([{ body: 'box-2' }, { bodyA: 'box' }, { bodies: ['box', 'box-2'] }])
    expect(after.sensors).toMatchObject([{ body: 'box-2' }, { body: 'box', shape: 0 }])
    expect(after.bodies![2]!.collision!.except).toEqual(['box', 'box-2'])
    expect(after.deformables![0]!.attachments![0]!.body).toBe('box-2')
  })

  it('draws the section before it is made', () => {
    const [section] = sectionsOf(box({ position: [0, 0, 3] }), { point: [0, 0, 3], normal: [0, 0, 2] })
    expect(section).toHaveLength(4)
    const area = section!.reduce((sum, p, k) => add(sum, cross(p, section![(k + 1) % 4]!)), ZERO)
    expect(area[2] / 2).toBeCloseTo(2, 12)
  })
})
