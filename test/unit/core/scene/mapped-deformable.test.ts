import { describe, expect, it } from 'vitest'
import { rotate, type Quat } from '../../../../core/math/quaternion'
import { curveOf, type CurveSpec } from '../../../../core/dynamics/joints/curve'
import { closestOfAll, type Curve as Shape } from '../../../../core/dynamics/joints/parametric-curve'
import { add, distance, type Vec3 } from '../../../../core/math/vector'
import { mappedCurve } from '../../../../core/scene/mapped-curve'
import { mappedDeformable, type Curve, type DeformableOf } from '../../../../core/scene'
import { runDeformables } from '../../../verification/deformable-runs'

const quarter: Quat = [0, 0, Math.SQRT1_2, Math.SQRT1_2]
const about = (rotation: Quat, shift: Vec3) => ({ point: (p: Vec3) => add(rotate(rotation, p), shift), direction: (v: Vec3) => rotate(rotation, v) })
const still: Quat = [0, 0, 0, 1]
const cloth: DeformableOf<'cloth'> = { id: 'c', type: 'cloth', material: 'wool', vertices: [[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]], triangles: [[0, 1, 2], [1, 3, 2]] }

describe('the warp of a sheet without rest coordinates', () => {
  it('rotates with the sheet, and is not written if it is the default', () => {
    expect(mappedDeformable(cloth, about(still, [1, 2, 3]))).not.toHaveProperty('warp')
    const turned = mappedDeformable(cloth, about(quarter, [0, 0, 0])) as DeformableOf<'cloth'>
    turned.warp!.forEach((x, k) => expect(x).toBeCloseTo([0, 1, 0][k]!, 12))
    expect(mappedDeformable(turned, about(quarter, [0, 0, 0]))).not.toHaveProperty('warp')
  })

  it('is along y in a sheet perpendicular to x, and rotates from there', () => {
    const upright = { ...cloth, vertices: [[0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]] as Vec3[] }
    expect(mappedDeformable(upright, about(quarter, [0, 0, 0]))).not.toHaveProperty('warp')
    const about_x = mappedDeformable(upright, about([Math.sin(0.2), 0, 0, Math.cos(0.2)], [0, 0, 0])) as DeformableOf<'cloth'>
    about_x.warp!.forEach((x, k) => expect(x).toBeCloseTo([0, Math.cos(0.4), Math.sin(0.4)][k]!, 12))
  })

  it('makes a rotated sheet hang as the rotated original does', () => {
    const sheet = { ...cloth, stretchWarp: 50, stretchWeft: 500, shear: 80, arealDensity: 1, damping: 0.02, pins: [0, 1] }
    const run = (one: object) => runDeformables({
      format: 'cairn-scene', version: 1, materials: [{ id: 'wool', density: 500, friction: { static: 0.5, dynamic: 0.4 } }], deformables: [one],
      simulation: { duration: 0.4, outputRate: 20, method: 'time-stepping' },
    }).deformables.at(-1)!.position
    const [here, there] = [run(sheet), run(mappedDeformable(sheet, about(quarter, [0, 0, 0])))]
    for (let i = 0; i < 4; i++) {
      const [x, y, z] = here.slice(3 * i, 3 * i + 3) as unknown as Vec3
      ;[-y, x, z].forEach((value, k) => expect(there[3 * i + k]!).toBeCloseTo(value, 9))
    }
    // Without its warp it would stretch otherwise.
    const { warp: _, ...wrong } = mappedDeformable(sheet, about(quarter, [0, 0, 0])) as DeformableOf<'cloth'>
    expect(Math.abs(run(wrong)[8]! - there[8]!)).toBeGreaterThan(1e-3)
  })
})

it('paths of controlled vertices turn with a deformable, and do not shift', () => {
  const rope = mappedDeformable({
    id: 'r', type: 'rope', material: 'wool', points: [[0, 0, 0], [1, 0, 0]], controlled: [
      { vertices: [0], motion: { type: 'keys', keys: [{ time: 1, offset: [1, 0, 0] }] } }, { vertices: [1], motion: { type: 'ellipse', semiAxisB: [0, 2, 0], period: 3 } },
      { vertices: [2], motion: { type: 'loop', points: [[1, 0, 0], [0, 0, 1]], period: 3 } },
    ],
  }, about(quarter, [0, 0, 2]))
  const offsets = rope.controlled!.flatMap(({ motion }) => motion.type === 'keys' ? motion.keys.map(({ offset }) => offset) : motion.type === 'loop' ? motion.points : [motion.semiAxisB])
  const expected = [[0, 1, 0], [-2, 0, 0], [0, 1, 0], [0, 0, 1]]
  offsets.forEach((offset, i) => { offset.forEach((x, k) => expect(x).toBeCloseTo(expected[i]![k]!, 12)) })
})

it('conditions turn and shift with a deformable, and keep what they measure', () => {
  const { behaviours } = mappedDeformable({
    id: 'r', type: 'rope', material: 'wool', points: [[0, 0, 0], [1, 0, 0]], behaviours: [
      { condition: { type: 'line', vertices: [0], point: [1, 0, 0], direction: [0, 1, 0] }, stiffness: 1 },
      { condition: { type: 'plane', vertices: [0], point: [1, 0, 0], normal: [1, 0, 0] }, stiffness: 1 },
      { condition: { type: 'point', vertex: 0, point: [1, 0, 0] }, stiffness: 1 }, { condition: { type: 'distance', vertices: [0, 1], distance: 3 }, stiffness: 1 },
    ],
  }, about(quarter, [0, 0, 2]))
  const [line, plane, point, distance] = behaviours!.map(({ condition }) => condition)
  const near = (a: Vec3, b: Vec3) => { a.forEach((x, k) => expect(x).toBeCloseTo(b[k]!, 12)) }
  if (line?.type !== 'line' || plane?.type !== 'plane' || point?.type !== 'point') throw new Error('other conditions')
  near(line.point, [0, 1, 2])
  near(line.direction, [-1, 0, 0])
  near(plane.point, [0, 1, 2])
  near(plane.normal, [0, 1, 0])
  near(point.point!, [0, 1, 2])
  expect(distance).toEqual({ type: 'distance', vertices: [0, 1], distance: 3 })
})

it.each([
  { type: 'formula', center: [1, 2, 3], orientation: [0.1, 0.2, 0.3, Math.sqrt(0.86)], x: 'cos(u)', y: '2*sin(u)', z: 'u/3', u: [-3, 3] },
  { type: 'helix', center: [1, 2, 3], axis: [0, 0, 1], radius: 2, pitch: 0.5 }, { type: 'ellipse', center: [1, 2, 3], semiAxisA: [0, 1, 0], semiAxisB: [2, 0, 0] },
] as Curve[])('a mirrored $type is the mirror image of the curve', spec => {
  const mirror = { point: (p: Vec3): Vec3 => [4 - p[0], p[1], p[2]], direction: (v: Vec3): Vec3 => [-v[0], v[1], v[2]] }
  const [curve, image] = [spec, mappedCurve(spec, mirror)].map(one => curveOf(one as CurveSpec)) as [Shape, Shape]
  for (const u of [-2, -1, 0, 0.7, 2.5]) {
    const p = mirror.point(curve.at(u).position)
    expect(distance(image.at(closestOfAll(image, p)).position, p)).toBeLessThan(1e-12)
  }
})

it('attachments to the world move with a deformable, and attachments to bodies stay on them', () => {
  const rope = mappedDeformable({
    id: 'r', type: 'rope', material: 'wool', points: [[0, 0, 0], [1, 0, 0]], velocity: [1, 0, 0],
    attachments: [{ vertex: 0, body: null, point: [0, 0, 0.5] }, { vertex: 4, body: 'box', point: [0.1, 0, 0] }, { vertex: 5, body: 'box' }],
  }, about(quarter, [0, 0, 2])) as DeformableOf<'rope'>
  rope.points[1]!.forEach((x, k) => expect(x).toBeCloseTo([0, 1, 2][k]!, 12))
  rope.velocity!.forEach((x, k) => expect(x).toBeCloseTo([0, 1, 0][k]!, 12))
  expect(rope.attachments).toEqual([{ vertex: 0, body: null, point: [0, 0, 2.5] }, { vertex: 4, body: 'box', point: [0.1, 0, 0] }, { vertex: 5, body: 'box' }])
})

it('conditions keep the points of the world that take part in their places relative to a deformable, and points of bodies on the bodies', () => {
  const others = [{ type: 'bodyPoint' as const, body: null, point: [1, 0, 0.5] as const }, { type: 'bodyPoint' as const, body: 'box', point: [0.1, 0, 0] as const }]
  const rope: DeformableOf<'rope'> = {
    id: 'r', type: 'rope', material: 'wool', points: [[0, 0, 0], [1, 0, 0]],
    constraints: others.map(other => ({ condition: { type: 'distance', vertices: [0], others: [{ ...other, point: [...other.point] }] } })),
  }
  const placesOf = (one: ReturnType<typeof mappedDeformable>): unknown[] => one.constraints!.map(({ condition }) => condition.type === 'distance' && condition.others![0])
  const [world, body] = placesOf(mappedDeformable(rope, about(quarter, [0, 0, 2]))) as { point: Vec3 }[]
  world!.point.forEach((x, k) => expect(x).toBeCloseTo([0, 1, 2.5][k]!, 12))
  expect(body).toEqual(others[1])
  // A mirror image of the body has the mirror image of the point.
  const mirror = { point: (p: Vec3): Vec3 => [-p[0], p[1], p[2]], direction: (v: Vec3): Vec3 => [-v[0], v[1], v[2]] }
  expect(placesOf(mappedDeformable(rope, mirror, mirror.direction))).toMatchObject([{ point: [-1, 0, 0.5] }, { point: [-0.1, 0, 0] }])
})
