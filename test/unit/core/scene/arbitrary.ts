import fc from 'fast-check'
import type { Body, Force, Joint, Material, Scene, Script, Shape } from '../../../../core/scene'

/** A scene with at least one of everything that the format has. */
export const everything = (): Scene => ({
  format: 'cairn-scene',
  version: 1,
  name: 'Everything',
  description: 'One of each.',
  gravity: [0, 0, -9.81],
  materials: [
    { id: 'steel', density: 7850, friction: { static: 0.74, dynamic: 0.42, torsional: 0, rolling: 0 }, restitution: 0.6, color: '#8899aa' },
    { id: 'ice', density: 917 },
  ],
  materialPairs: [{ materials: ['steel', 'ice'], friction: { static: 0.04, dynamic: 0.02 }, restitution: 0.1 }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 2], offset: 0, material: 'steel' }] },
    {
      id: 'block', name: 'Block', position: [0, 0, 1], orientation: [0, 0, 0, 1], linearVelocity: [1, 0, 0], angularVelocity: [0, 0, 1],
      spawnTime: 0.5, mass: { mass: 3, centerOfMass: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] },
      shapes: [
        { type: 'box', size: [1, 1, 1], material: 'steel', position: [0, 0, 0], orientation: [0, 0, 0, 1] },
        { type: 'sphere', radius: 0.5, material: 'ice' },
        { type: 'ellipsoid', radii: [1, 2, 3], material: 'ice' },
        { type: 'superquadric', radii: [1, 1, 1], exponents: [1, 1.5], material: 'ice' },
        { type: 'capsule', radius: 0.1, height: 1, material: 'ice' },
        { type: 'cylinder', radius: 0.1, height: 1, material: 'ice' },
        { type: 'cone', radius: 0.1, height: 1, material: 'ice' },
        { type: 'convexHull', points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], material: 'ice' },
        { type: 'polyhedron', vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], material: 'ice' },
        { type: 'mesh', file: 'meshes/bunny.obj', scale: 0.001, material: 'ice' },
        {
          type: 'mesh', vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
          pieces: [{ points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] }], material: 'ice',
        },
        { type: 'implicit', formula: 'x^2 + y^2 + z^2 - 1', material: 'ice' },
        {
          type: 'parametric', x: 'cos(u)*cos(v)', y: 'cos(u)*sin(v)', z: 'sin(u)', u: [-1.5707963267948966, 1.5707963267948966],
          v: [-3.141592653589793, 3.141592653589793], material: 'ice',
        },
      ],
    },
    {
      id: 'door', group: 'house', collision: { groups: 2, mask: 3, except: ['belt'] }, shapes: [{ type: 'box', size: [1, 0.1, 2], material: 'steel' }],
      visuals: [{ type: 'mesh', mesh: 'panel', color: '#aa5500', position: [0, 0.1, 0] }, { type: 'sphere', radius: 0.05 }],
    },
    { id: 'belt', type: 'kinematic', linearVelocity: [1, 0, 0], shapes: [{ type: 'box', size: [4, 1, 0.1], material: 'steel' }] },
  ],
  deformables: [
    { id: 'lattice', type: 'particles', material: 'steel', particles: [{ position: [5, 0, 0], mass: 1 }, { position: [6, 0, 0], mass: 1 }], springs: [{ a: 0, b: 1, restLength: 1, stiffness: 10 }], behaviours: [{ condition: { type: 'distance', vertices: [1], others: [{ type: 'vertex', deformable: 'rope', vertex: 0 }] }, stiffness: 1 }] },
    { id: 'rope', type: 'rope', material: 'steel', points: [[7, 0, 0], [8, 0, 0]], attachments: [{ vertex: 0, body: 'belt' }] },
    { id: 'fur', type: 'hair', material: 'steel', strands: [{ body: 'belt', points: [[9, 0, 0], [9, 0, 1], [9, 0, 2]] }] },
    { id: 'sheet', type: 'cloth', material: 'steel', vertices: [[9, 0, 0], [9, 0, 1], [9, 1, 0]], triangles: [[0, 1, 2]], pins: [0] },
  ],
  joints: [
    {
      id: 'hinge', type: 'hinge', bodyA: 'door', bodyB: null, anchor: [0, 0, 1], axis: [0, 0, 2], limits: { lower: -1.57, upper: 1.57 },
      motor: { targetVelocity: 1, maxForce: 10 }, damping: 0.1, friction: 0.2, spring: { stiffness: 1, rest: 0.5 }, collide: false,
    },
    { id: 'slide', type: 'slider', bodyA: 'block', bodyB: 'ground', anchor: [0, 0, 0], axis: [1, 0, 0], limits: { lower: -1 } },
    { id: 'ball', type: 'ball', bodyA: 'block', bodyB: 'door', anchor: [0, 0, 0], collide: true },
    { id: 'weld', type: 'fixed', bodyA: 'block', bodyB: 'door', anchor: [0, 0, 0] },
    { id: 'cardan', type: 'universal', bodyA: 'block', bodyB: 'door', anchor: [0, 0, 0], axisA: [1, 0, 0], axisB: [0, 1, 0] },
    { id: 'tube', type: 'cylindrical', bodyA: 'block', bodyB: 'door', anchor: [0, 0, 0], axis: [1, 0, 0], translation: { limits: { upper: 2 } } },
    { id: 'table', type: 'planar', bodyA: 'block', bodyB: null, anchor: [0, 0, 0], normal: [0, 0, 1] },
    { id: 'rod', type: 'distance', bodyA: 'block', bodyB: 'door', anchor: [0, 0, 0], anchorB: [3, 4, 0] },
    { id: 'bead', type: 'pointOnCurve', bodyA: 'block', bodyB: null, anchor: [0, 0, 0], curve: { type: 'helix', center: [0, 0, 0], axis: [0, 0, 1], radius: 1, pitch: 0.2 } },
    { id: 'gears', type: 'gear', jointA: 'hinge', jointB: 'slide', ratio: -2 },
  ],
  forces: [
    { id: 'push', type: 'uniform', bodies: ['block'], force: [1, 0, 0] },
    { id: 'pull', type: 'point', body: 'block', point: [0, 0, 0.5], force: [0, 1, 0], frame: 'body' },
    { id: 'twist', type: 'torque', body: 'block', torque: [0, 0, 1] },
    { id: 'air', type: 'drag', linear: 0.1, quadratic: 0.2 },
    { id: 'coil', type: 'spring', bodyA: 'block', pointA: [0, 0, 0], bodyB: null, pointB: [0, 0, 3], stiffness: 50, damping: 1 },
    { id: 'sun', type: 'attractor', center: [0, 0, 5], strength: 10 },
    { id: 'storm', type: 'wind', bodies: ['block', 'door'], velocity: [5, 0, 0], quadratic: 0.5, box: { min: [-1, -1, 0], max: [1, 1, 2] }, falloff: 0.1 },
    { id: 'tap', type: 'keyframed', body: 'door', interpolation: 'cubic', keys: [{ time: 0 }, { time: 1, force: [1, 0, 0] }, { time: 1, torque: [0, 0, 1] }] },
    { id: 'magic', type: 'script', script: 'magic.ts' },
    { id: 'glue', type: 'pair', energy: -0.1, cutOff: 0.2, within: false }, { id: 'gas', type: 'lennard-jones', depth: 0.01, diameter: 0.1, cutOff: 0.25 },
    { id: 'hand', type: 'guide', keys: [{ time: 0.1, body: 'door', target: [1, 0, 0], stiffness: 10, damping: 1 }, { time: 0.4, body: null }] },
  ],
  parameters: [{ id: 'height', name: 'Height', value: 2, unit: 'm', min: 0, max: 9 }, { id: 'twice', value: 4, expressions: [{ field: 'value', formula: '2 * height' }] }],
  sensors: [
    { id: 'feel', type: 'imu', body: 'block', position: [0.1, 0, 0], noise: 0.01 }, { id: 'strain', type: 'joint', joint: 'hinge', torqueNoise: 0.2 },
    { id: 'skin', type: 'contact', body: 'block', shape: 0 }, { id: 'eye', type: 'range', body: 'door', direction: [0, 0, -1], maximum: 3 },
    { id: 'look', type: 'range', body: null, direction: [0, 0, -1] }, { id: 'place', type: 'pose', body: 'door' },
  ],
  scripts: [{ id: 'magic.ts', source: 'export default function (ctx: ForceContext) {}\n' }],
  groups: [{ id: 'street' }, { id: 'house', name: 'House', group: 'street' }],
  meshes: [{ id: 'panel', vertices: [[0, 0, 0], [1, 0, 0], [0, 0, 2]], faces: [[0, 1, 2]] }],
  simulation: { duration: 2, timeStepping: { step: 0.01 }, branch: [{ event: 12, solution: 1 }] },
})

/** A small valid scene. */
export const small = (): Scene => ({
  format: 'cairn-scene',
  version: 1,
  materials: [{ id: 'steel', density: 7850 }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'steel' }] },
    { id: 'ball', shapes: [{ type: 'sphere', radius: 0.5, material: 'steel' }] },
  ],
})

const size = fc.double({ min: 1e-3, max: 1e3, noNaN: true })
const coordinate = fc.double({ min: -1e3, max: 1e3, noNaN: true })
const vector = fc.tuple(coordinate, coordinate, coordinate)
const optional = { requiredKeys: [] as never[] }

const shape = (materials: number): fc.Arbitrary<Shape> => fc.nat(materials - 1).chain(m => fc.oneof(
  fc.record({ type: fc.constant('box' as const), size: fc.tuple(size, size, size), material: fc.constant(`m${m}`) }),
  fc.record({ type: fc.constant('sphere' as const), radius: size, material: fc.constant(`m${m}`) }),
  fc.record({ type: fc.constant('capsule' as const), radius: size, height: size, material: fc.constant(`m${m}`) }),
))

/** Valid scenes of a few materials, bodies, joints, forces and scripts, with many keys left out at random. */
export const scenes: fc.Arbitrary<Scene> = fc.record({
  materials: fc.integer({ min: 1, max: 3 }), bodies: fc.integer({ min: 1, max: 6 }),
  joints: fc.nat(3), forces: fc.nat(3), scripts: fc.nat(2),
}).chain(counts => {
  const body = (i: number): fc.Arbitrary<Body> => fc.tuple(
    fc.record({ name: fc.string({ maxLength: 8 }), position: vector, linearVelocity: vector, spawnTime: size }, optional),
    fc.array(shape(counts.materials), { minLength: 1, maxLength: 3 }),
  ).map(([rest, shapes]) => ({ id: `b${i}`, ...rest, shapes }))
  const anyBody = fc.nat(counts.bodies - 1).map(i => `b${i}`)
  const joint = (i: number): fc.Arbitrary<Joint> => fc.tuple(anyBody, vector).map(([bodyA, anchor]) => ({ id: `j${i}`, type: 'ball', bodyA, bodyB: null, anchor }))
  const force = (i: number): fc.Arbitrary<Force> => fc.oneof(
    fc.tuple(anyBody, vector).map(([name, force]): Force => ({ id: `f${i}`, type: 'point', body: name, point: [0, 0, 0], force })),
    fc.tuple(fc.uniqueArray(anyBody, { minLength: 1 }), vector).map(([bodies, force]): Force => ({ id: `f${i}`, type: 'uniform', bodies, force })),
  )
  const each = <T>(n: number, make: (i: number) => fc.Arbitrary<T>) =>
    fc.tuple(...Array.from({ length: n }, (_, i) => make(i))) as unknown as fc.Arbitrary<T[]>
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const material = (i: number): fc.Arbitrary<Material> => fc.record({ density: size, restitution: share }, optional)
    .map(rest => ({ id: `m${i}`, ...rest }))
  const script = (i: number): fc.Arbitrary<Script> => fc.string({ unit: 'binary', maxLength: 30 }).map(source => ({ id: `s${i}`, source }))
  return fc.tuple(
    fc.record({ name: fc.string(), gravity: vector, simulation: fc.record({ duration: size, seed: fc.nat() }, optional) }, optional),
    each(counts.materials, material), each(counts.bodies, body), each(counts.joints, joint), each(counts.forces, force),
    each(counts.scripts, script),
  ).map(([head, materials, bodies, joints, forces, scripts]): Scene => ({
    format: 'cairn-scene', version: 1, ...head, materials, bodies,
    ...(joints.length > 0 ? { joints } : {}), ...(forces.length > 0 ? { forces } : {}), ...(scripts.length > 0 ? { scripts } : {}),
  }))
})
