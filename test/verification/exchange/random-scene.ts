/** Random scenes: bodies of all kinds with shapes of all sizes, joints of all types between any of them and the world. */

import fc from 'fast-check'
import type { Scene } from '../../../core/scene'

const real = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true }).map(x => Math.round(x * 1e6) / 1e6)
const vector = (size: number) => fc.tuple(real(-size, size), real(-size, size), real(-size, size))
const turn = fc.tuple(real(-1, 1), real(-1, 1), real(-1, 1), real(-1, 1)).filter(q => Math.hypot(...q) > 0.1).map(q => q.map(x => x / Math.hypot(...q)))
const length = real(0.05, 2)
const cheap = fc.oneof(
  fc.record({ type: fc.constant('box'), size: fc.tuple(length, length, length) }), fc.record({ type: fc.constant('sphere'), radius: length }),
  fc.record({ type: fc.constant('capsule'), radius: length, height: length }), fc.record({ type: fc.constant('cylinder'), radius: length, height: length }),
)
/** Some formats write these as hulls of many points, which takes long. */
const costly = fc.oneof(
  fc.record({ type: fc.constant('cone'), radius: length, height: length }), fc.record({ type: fc.constant('ellipsoid'), radii: fc.tuple(length, length, length) }),
)
const sized = fc.oneof({ weight: 19, arbitrary: cheap }, { weight: 1, arbitrary: costly })
/** A visual surface: it may be open, but not every format allows a flat one. */
const seen = fc.oneof(cheap, costly, fc.record({ type: fc.constant('mesh'), mesh: fc.constantFrom('roof', 'tent') }))
const color = fc.constantFrom('#ff0000', '#12ab9c', '#808080')
const direction = vector(1).filter(v => Math.hypot(...v) > 0.1)
const freedom = fc.record({
  limits: fc.option(fc.record({ lower: real(-2, -0.1), upper: real(0.1, 2) }), { nil: undefined }),
  motor: fc.option(fc.record({ targetVelocity: real(-3, 3), maxForce: real(0.1, 50) }), { nil: undefined }),
  damping: fc.oneof(fc.constant(0), real(0.01, 5)), friction: fc.oneof(fc.constant(0), real(0.01, 5)),
  spring: fc.option(fc.record({ stiffness: real(0.1, 100), rest: real(-1, 1) }), { nil: undefined }),
  servo: fc.option(fc.record({
    target: real(-1, 1), stiffness: real(0.1, 100), damping: real(0, 5), maxForce: fc.option(real(1, 100), { nil: undefined }),
    keys: fc.option(fc.constant([{ time: 0.5, target: 0.25 }, { time: 1, target: -0.25 }]), { nil: undefined }),
  }), { nil: undefined, freq: 2 }),
})
const COUNT = 5
const nameOf = (body: number): string | null => body === COUNT ? null : `body.${body}`
const ends = fc.tuple(fc.nat(COUNT), fc.nat(COUNT)).filter(([a, b]) => a !== b)
const kinds = fc.oneof(
  fc.tuple(fc.constant('hinge'), freedom, direction), fc.tuple(fc.constant('slider'), freedom, direction), fc.tuple(fc.constant('ball'), freedom, direction),
  fc.tuple(fc.constant('fixed'), freedom, direction), fc.tuple(fc.constant('universal'), freedom, direction),
  fc.tuple(fc.constant('cylindrical'), freedom, direction), fc.tuple(fc.constant('planar'), freedom, direction), fc.tuple(fc.constant('distance'), freedom, direction),
)

/**
 * Five bodies that may be anything, and up to six joints between them and the world: several between the same two, and such as close loops; gears and springs.
 */
export const randomScene: fc.Arbitrary<Scene> = fc.record({
  bodies: fc.array(fc.record({
    type: fc.constantFrom('dynamic', 'dynamic', 'dynamic', 'fixed', 'kinematic'), position: vector(5), orientation: turn, linearVelocity: vector(3), angularVelocity: vector(3),
    shapes: fc.array(fc.tuple(sized, vector(1), turn), { minLength: 1, maxLength: 3 }),
    collision: fc.option(fc.record({ groups: fc.constantFrom(1, 2, 4, 5, 0), mask: fc.constantFrom(0, 1, 2, 6, 0xffffffff, 0xffffffff), except: fc.uniqueArray(fc.constantFrom('body.0', 'body.4'), { maxLength: 2 }) }), { nil: undefined, freq: 1 }),
    visuals: fc.option(fc.array(fc.tuple(seen, vector(1), turn, color), { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 3 }),
  }), { minLength: COUNT, maxLength: COUNT }),
  joints: fc.array(fc.tuple(kinds, ends, vector(3), fc.boolean(), fc.constantFrom({}, {}, { breakForce: 100 }, { breakTorque: 7, name: 'Knee of one' })), { maxLength: 6 }),
  document: fc.constantFrom({}, { description: 'Of what it is.', groups: [{ id: 'all' }], parameters: [{ id: 'height', value: 2 }] }),
  words: fc.constantFrom({}, { name: 'A body, in words' }, { path: [{ time: 1, position: [0, 0, 1] }] }),
  gravity: vector(10), coefficient: real(0, 1), restitution: real(0, 1),
  gears: fc.array(fc.tuple(fc.nat(5), fc.nat(5), real(0.2, 5)), { maxLength: 1 }),
  sensors: fc.array(fc.tuple(
    fc.constantFrom('imu', 'pose', 'joint', 'contact', 'contact of one', 'range', 'range of the world'), fc.nat(COUNT - 1), vector(1), turn, direction,
    fc.oneof(fc.constant(0), real(0.001, 0.5)),
  ), { maxLength: 3 }),
  springs: fc.array(fc.tuple(ends, vector(1), vector(1), real(1, 100), real(0, 5), length), { maxLength: 2 }),
}).map(({ bodies, joints, gravity, coefficient, restitution, gears, sensors, springs, document, words }) => ({
  format: 'cairn-scene', version: 1, gravity, ...document,
  materials: [{ id: 'one', density: 500, friction: { static: coefficient, dynamic: coefficient / 2, torsional: 0.01 * coefficient }, restitution, color: '#3366cc' }],
  meshes: [
    { id: 'roof', vertices: [[0, 0, 1.25], [1, 0.5, 0], [0, 1, 0.3], [-1, 0, 0.1]], faces: [[0, 1, 2], [0, 2, 3]] },
    { id: 'tent', vertices: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.3, 0.4, 0.7]], faces: [[3, 2, 1, 0], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]] },
  ],
  bodies: bodies.map(({ shapes, visuals, collision, linearVelocity, angularVelocity, ...body }, i) => ({
    id: `body.${i}`, ...body, ...i === 0 && !('path' in words && body.type !== 'kinematic') ? words : {}, ...body.type === 'fixed' ? {} : { linearVelocity, angularVelocity },
    shapes: shapes.map(([shape, position, orientation]) => ({ ...shape, position, orientation, material: 'one' })),
    ...collision === undefined ? {} : { collision: { ...collision, except: collision.except.filter(id => id !== `body.${i}`) } },
    ...visuals === undefined ? {} : { visuals: visuals.map(([shape, position, orientation, shade]) => ({ ...shape, position, orientation, color: shade })) },
  })),
  joints: withGears(joints.map(([[type, free, axis], [a, b], anchor, collide, more], i) => {
    const base = { id: `joint-${i}`, type, ...more, bodyA: nameOf(a), bodyB: nameOf(b), collide }
    const kept = JSON.parse(JSON.stringify(free)) as object
    const across = Math.abs(axis[0]) < 0.9 * Math.hypot(...axis) ? [0, axis[2], -axis[1]] : [-axis[2], 0, axis[0]]
    switch (type) {
      case 'hinge':
      case 'slider':
        return { ...base, anchor, axis, ...kept }
      case 'universal':
        return { ...base, anchor, axisA: axis, axisB: across, rotationA: kept, rotationB: {} }
      case 'cylindrical':
        return { ...base, anchor, axis, rotation: kept, translation: { damping: free.damping } }
      case 'planar':
        return { ...base, anchor, normal: axis }
      case 'distance':
        return { ...base, anchor, anchorB: [anchor[0] + 1, anchor[1], anchor[2]] }
      case 'ball':
        return { ...base, anchor, damping: free.damping, friction: free.friction }
      default:
        return { ...base, anchor }
    }
  }), gears),
  sensors: withSensors(sensors, joints.length),
  forces: springs.map(([[a, b], pointA, pointB, stiffness, damping, restLength], i) => (
    { id: `spring-${i}`, type: 'spring', bodyA: nameOf(a), pointA, bodyB: nameOf(b), pointB, stiffness, damping, restLength })),
}) as unknown as Scene)

function withGears(joints: readonly { readonly id: string; readonly type: string }[], gears: readonly (readonly [number, number, number])[]): readonly object[] {
  const turning = joints.filter(({ type }) => type === 'hinge' || type === 'slider')
  if (turning.length < 2) return joints
  return [...joints, ...gears.map(([a, b, ratio], i) => {
    const first = a % turning.length
    const second = b % turning.length === first ? (first + 1) % turning.length : b % turning.length
    return { id: `gear-${i}`, type: 'gear', jointA: turning[first]!.id, jointB: turning[second]!.id, ratio }
  })]
}


type DrawnSensor = readonly [string, number, readonly number[], readonly number[], readonly number[], number]

function withSensors(drawn: readonly DrawnSensor[], joints: number): readonly object[] {
  return drawn.flatMap(([type, at, position, orientation, ray, noise], i): object[] => {
    const base = { id: `sensor-${i}`, noise }
    const body = `body.${at}`
    switch (type) {
      case 'joint':
        return joints === 0 ? [] : [{ ...base, type, joint: `joint-${at % joints}`, torqueNoise: noise / 2 }]
      case 'contact':
        return [{ ...base, type, body }]
      case 'contact of one':
        return [{ ...base, type: 'contact', body, shape: 0 }]
      case 'range':
        return [{ ...base, type, body, position, direction: ray, maximum: 7 }]
      case 'range of the world':
        return [{ ...base, type: 'range', body: null, position, direction: ray, maximum: 7 }]
      case 'imu':
        return [{ ...base, type, body, position, orientation, rateNoise: noise / 2 }]
      default:
        return [{ ...base, type, body, position, orientation }]
    }
  })
}
