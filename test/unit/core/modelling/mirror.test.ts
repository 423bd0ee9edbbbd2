import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyMass, partsOf, solidsOf } from '../../../../core/analysis/solids'
import { composePoses, toOuter } from '../../../../core/math/pose'
import { normalizeQuaternion, rotateInverse, type Quat } from '../../../../core/math/quaternion'
import { dot, type Vec3 } from '../../../../core/math/vector'
import { mirrorBodies, ModellingError } from '../../../../core/modelling'
import { editScene, parseScene, resolveBody, resolveScene, resolveShape, type Body, type Scene, type Shape } from '../../../../core/scene'

const material = 'wood'
const scene = (bodies: Body[], more: Partial<Scene> = {}): Scene => ({ format: 'cairn-scene', version: 1, materials: [{ id: material, density: 700 }], bodies, ...more }) as Scene
const integer = fc.integer({ min: -20, max: 20 })
const vector: fc.Arbitrary<Vec3> = fc.tuple(integer, integer, integer).map(v => v.map(x => x / 8) as unknown as Vec3)
const turn: fc.Arbitrary<Quat> = fc.tuple(integer, integer, integer, fc.integer({ min: 1, max: 20 })).map(normalizeQuaternion)
const length = fc.integer({ min: 1, max: 16 }).map(x => x / 8)
const placed = { material: fc.constant(material), position: vector, orientation: turn }
const shape = fc.oneof(
  fc.record({ type: fc.constant('box' as const), size: fc.tuple(length, length, length), ...placed }),
  fc.record({ type: fc.constantFrom('cone' as const, 'cylinder' as const, 'capsule' as const), radius: length, height: length, ...placed }),
  fc.record({ type: fc.constant('convexHull' as const), points: fc.constant([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0.25, 0.25, 3]] as Vec3[]), ...placed }),
) as fc.Arbitrary<Shape>
const body = fc.record({ id: fc.constant('a'), position: vector, orientation: turn, linearVelocity: vector, angularVelocity: vector, shapes: fc.array(shape, { minLength: 1, maxLength: 3 }) }) as fc.Arbitrary<Body>
const axis = fc.constantFrom(0 as const, 1 as const, 2 as const)

function mirrored(before: Scene, ids: string[], along: 0 | 1 | 2, at: number): Scene {
  const change = mirrorBodies(before, ids, along, at)
  const result = editScene(before, draft => { change(draft as Scene) })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.scene
}
const support = (one: Body, k: number, direction: Vec3): number => {
  const shapeOf = one.shapes![k]!
  const pose = composePoses(resolveBody(one), resolveShape(shapeOf))
  return Math.max(...solidsOf(shapeOf).map(solid => dot(direction, toOuter(pose, solid.support(rotateInverse(pose.orientation, direction))))))
}
const flip = (v: Vec3, k: number): Vec3 => v.map((x, i) => i === k ? -x : x) as unknown as Vec3

describe('mirroring bodies', () => {
  it('puts every shape where its mirror image is', () => {
    fc.assert(fc.property(body, axis, integer, vector.filter(v => dot(v, v) > 0), (one, along, at, direction) => {
      const { bodies } = mirrored(scene([one]), ['a'], along, at)
      one.shapes!.forEach((_, k) => {
        // The support of the image along d equals that of the original along the image of d, shifted by the mirror's offset.
        expect(support(bodies![0]!, k, direction)).toBeCloseTo(support(one, k, flip(direction, along)) + 2 * at * direction[along], 9)
      })
    }))
  })

  it('mirrors mass properties and motion, and twice gives the original', () => {
    fc.assert(fc.property(body, axis, integer, (one, along, at) => {
      const before = scene([one])
      const after = mirrored(before, ['a'], along, at)
      const mass = (all: Scene) => {
        const resolved = resolveBody(all.bodies![0]!)
        const found = bodyMass(resolved, partsOf(resolved, resolveScene(all)))
        return { mass: found.mass, center: toOuter(resolved, found.centerOfMass) }
      }
      expect(mass(after).mass).toBeCloseTo(mass(before).mass, 6)
      const center = flip(mass(before).center, along).map((x, k) => k === along ? x + 2 * at : x)
      mass(after).center.forEach((x, k) => { expect(x).toBeCloseTo(center[k]!, 9) })
      const again = mirrored(after, ['a'], along, at).bodies![0]!
      again.position!.forEach((x, k) => { expect(x).toBeCloseTo(one.position![k]!, 12) })
      expect(again.linearVelocity!.map(x => x + 0)).toEqual(one.linearVelocity!.map(x => x + 0))
      expect(again.angularVelocity!.map(x => x + 0)).toEqual(one.angularVelocity!.map(x => x + 0))
    }))
  })

  it('mirrors joints between bodies: a hinge keeps its sense of rotation, a slider its direction', () => {
    const box = (id: string, x: number): Body => ({ id, position: [x, 0, 0], shapes: [{ type: 'box', size: [1, 1, 1], material }] })
    const before = scene([box('a', 0), box('b', 2), box('c', 5)], {
      joints: [
        { id: 'hinge', type: 'hinge', bodyA: 'a', bodyB: 'b', anchor: [1, 0.5, 0], axis: [0, 1, 0] }, { id: 'slider', type: 'slider', bodyA: 'a', bodyB: null, anchor: [0, 0, 0], axis: [1, 0, 0] },
        { id: 'out', type: 'ball', bodyA: 'b', bodyB: 'c', anchor: [3, 0, 0] },
      ],
    } as Partial<Scene>)
    const { joints } = mirrored(before, ['a', 'b'], 0, 1)
    expect(joints).toMatchObject([{ anchor: [1, 0.5, 0], axis: [0, -1, 0] }, { anchor: [2, 0, 0], axis: [-1, 0, 0] }, { anchor: [3, 0, 0] }])
  })

  it('mirrors visual meshes: those of one body in place, shared ones as copies', () => {
    const corner = { vertices: [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]] as [number, number, number][], faces: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] }
    const looking = (id: string, ...names: string[]): Body => ({ id, shapes: [{ type: 'sphere', radius: 1, material }], visuals: names.map(mesh => ({ type: 'mesh', mesh, position: [1, 2, 3] })) })
    const before = scene([looking('a', 'own', 'common'), looking('b', 'common')], { meshes: [{ id: 'own', ...corner }, { id: 'common', ...corner }] } as Partial<Scene>)
    const after = mirrored(before, ['a'], 0, 1)
    expect(after.bodies!.map(({ visuals }) => visuals!.map(visual => visual.type === 'mesh' ? [visual.mesh, visual.position] : []))).toEqual([
      [['own', [-1, 2, 3]], ['common-mirrored', [-1, 2, 3]]], [['common', [1, 2, 3]]],
    ])
    const image = { vertices: [[0, 0, 0], [-1, 0, 0], [0, 2, 0], [0, 0, 3]], faces: [[1, 2, 0], [3, 1, 0], [2, 3, 0], [3, 2, 1]] }
    expect(after.meshes).toEqual([{ id: 'own', ...image }, { id: 'common', ...corner }, { id: 'common-mirrored', ...image }])
    expect(mirrored(mirrored(scene([looking('a', 'own')], { meshes: [{ id: 'own', ...corner }] } as Partial<Scene>), ['a'], 0, 1), ['a'], 0, 1).meshes).toMatchObject([{ vertices: corner.vertices }])
  })

  it('mirrors formulas of positions and orientations: they give the mirrored numbers for any parameters', () => {
    const text = (width: number) => ({
      format: 'cairn-scene', version: 1, parameters: [{ id: 'width', value: width }], materials: [{ id: material }], bodies: [{
        id: 'a', position: ['=width', '=2 * width', 0.5], orientation: [0, 0, 0, 1], linearVelocity: ['=width - 1', 0, 0], angularVelocity: ['=width', '=width', 0],
        shapes: [{ type: 'box', size: ['=width', 1, 1], position: ['=width / 2', 0, '=width'], material }],
        expressions: [{ field: 'orientation.x', formula: '30 * width' }, { field: 'orientation.z', formula: '20 * width' }],
      }],
    })
    const read = (given: object): Scene => {
      const parsed = parseScene(given)
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
      return parsed.scene
    }
    for (const axis of [0, 1, 2] as const) {
      const image = mirrored(read(text(2)), ['a'], axis, 0.75)
      // The formulas with another width, and the mirrored values for that width.
      const wider = read({ ...structuredClone(image), parameters: [{ id: 'width', value: 3 }] }).bodies![0]!
      const wanted = mirrored({ ...read(text(3)), bodies: [{ ...read(text(3)).bodies![0]!, expressions: undefined }] } as unknown as Scene, ['a'], axis, 0.75).bodies![0]!
      const numbers = ({ position, orientation, linearVelocity, angularVelocity, shapes }: Body) => [position, orientation, linearVelocity, angularVelocity, shapes![0]!.position].flat()
      numbers(wider).forEach((x, k) => { expect(x, `${axis}, ${k}`).toBeCloseTo(numbers(wanted)[k]!, 12) })
      expect(mirrored(image, ['a'], axis, 0.75).bodies![0]!.expressions).toEqual(read(text(2)).bodies![0]!.expressions)
    }
  })

  it('refuses objects without a mirror image, with their ids', () => {
    const formula: Body = { id: 'a', name: 'Egg', shapes: [{ type: 'cone', radius: 1, height: 1, material }], expressions: [{ field: 'shapes[0].orientation.x', formula: '1' }] }
    expect(() => mirrorBodies(scene([formula]), ['a'], 0, 0)).toThrow('"Egg" follows a formula in shapes[0].orientation.x, which has no mirror image')
    expect(() => mirrorBodies(scene([]), [], 0, 0)).toThrow(ModellingError)
  })
})
