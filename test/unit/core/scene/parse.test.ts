import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPath, parsePath, parseScene, requireScene, SceneError, type Problem, type Scene } from '../../../../core/scene'
import { everything, scenes, small } from './arbitrary'
import { problemsOf } from './problems'
import { sampled } from '../../../sampled'

/** The one problem of a scene after a change. */
function spoilt(change: (scene: ReturnType<typeof everything>) => void, base = everything): Problem {
  const scene = base()
  change(scene)
  const found = problemsOf(scene)
  expect(found, JSON.stringify(found)).toHaveLength(1)
  return found[0]!
}

/** Sets a value that the types forbid. */
const set = (target: object, key: string | number, value: unknown) => {
  (target as Record<string | number, unknown>)[key] = value
}

describe('a scene with one of everything', () => {
  it('is valid, from text and as a value', () => {
    expect(problemsOf(everything())).toEqual([])
    expect(parseScene(JSON.stringify(everything()))).toMatchObject({ ok: true, warnings: [], version: 1 })
  })
  it('is returned as written and as resolved', () => {
    const scene = everything()
    const result = parseScene(scene)
    if (!result.ok) throw new SceneError(result.problems)
    expect(result.scene).toEqual(everything())
    expect(result.resolved.bodies[2]).toMatchObject({ type: 'dynamic', position: [0, 0, 0], orientation: [0, 0, 0, 1], spawnTime: 0 })
    expect(result.resolved.simulation.timeStepping).toMatchObject({ step: 0.01, contactModel: 'peg', frictionDirections: 8 })
  })
  sampled('survives any valid scene of the generator', { few: 20, all: 100 }, cases => {
    fc.assert(fc.property(scenes, scene => {
      expect(problemsOf(JSON.stringify(scene))).toEqual([])
    }), { numRuns: cases })
  })
})

describe('each problem is reported once, at its path, with what is allowed', () => {
  it('an unknown key, with the nearest known one', () => {
    const found = spoilt(scene => set(scene.bodies![1]!.shapes![1]!, 'raduis', 1))
    expect(found).toMatchObject({ name: 'UnknownKey', path: 'bodies[1].shapes[1].raduis', value: 1 })
    expect(found.message).toContain('did you mean "radius"?')
    expect(found.allowed).toBe('type, radius, material, position, orientation')
  })
  it('an unknown key at the top', () => {
    expect(spoilt(scene => set(scene, 'bodeis', []))).toMatchObject({ name: 'UnknownKey', path: 'bodeis', message: expect.stringContaining('"bodies"') })
  })
  it('an unknown shape type, without the problems of every branch', () => {
    const found = spoilt(scene => set(scene.bodies![1]!.shapes!, 1, { type: 'spere', radius: 1, material: 'steel' }))
    expect(found).toMatchObject({ name: 'InvalidValue', path: 'bodies[1].shapes[1].type', value: 'spere' })
    expect(found.message).toContain('did you mean "sphere"?')
    expect(found.allowed).toContain('superquadric')
  })
  it('only the branch of the given type', () => {
    const found = spoilt(scene => set(scene.bodies![1]!.shapes!, 1, { type: 'sphere', material: 'steel' }))
    expect(found).toMatchObject({ name: 'MissingKey', path: 'bodies[1].shapes[1].radius', allowed: 'a finite number > 0 (m)' })
  })
  it.each([
    ['a string for a number', (scene: Scene) => set(scene.bodies![1]!.shapes![1]!, 'radius', '3'), 'WrongType', 'bodies[1].shapes[1].radius'],
    ['a radius of zero', (scene: Scene) => set(scene.bodies![1]!.shapes![1]!, 'radius', 0), 'OutOfRange', 'bodies[1].shapes[1].radius'],
    ['a negative edge', (scene: Scene) => set(scene.bodies![1]!.shapes![0]!, 'size', [1, -1, 1]), 'OutOfRange', 'bodies[1].shapes[0].size[1]'],
    ['two numbers for three', (scene: Scene) => set(scene, 'gravity', [0, -9.81]), 'OutOfRange', 'gravity'],
    ['a NaN in a value', (scene: Scene) => set(scene, 'gravity', [0, 0, NaN]), 'NotFinite', 'gravity[2]'],
    ['an overflowing number', (scene: Scene) => set(scene.bodies![1]!.mass!, 'mass', Infinity), 'NotFinite', 'bodies[1].mass.mass'],
    ['zero mass', (scene: Scene) => set(scene.bodies![1]!.mass!, 'mass', 0), 'OutOfRange', 'bodies[1].mass.mass'],
    ['a restitution above 1', (scene: Scene) => set(scene.materials![0]!, 'restitution', 1.1), 'OutOfRange', 'materials[0].restitution'],
    ['an exponent above 2', (scene: Scene) => set(scene.bodies![1]!.shapes![3]!, 'exponents', [2.5, 1]), 'OutOfRange', 'bodies[1].shapes[3].exponents[0]'],
    ['an id with a blank', (scene: Scene) => set(scene.forces![3]!, 'id', 'the air'), 'InvalidFormat', 'forces[3].id'],
    ['an unknown method', (scene: Scene) => set(scene.simulation!, 'method', 'event-drivn'), 'InvalidValue', 'simulation.method'],
    ['an odd number of directions', (scene: Scene) => set(scene.simulation!.timeStepping!, 'frictionDirections', 7), 'OutOfRange', 'simulation.timeStepping.frictionDirections'],
    ['a seed with a fraction', (scene: Scene) => set(scene.simulation!, 'seed', 0.5), 'WrongType', 'simulation.seed'],
    ['a colour by name', (scene: Scene) => set(scene.materials![0]!, 'color', 'red'), 'InvalidFormat', 'materials[0].color'],
    ['null for an object', (scene: Scene) => set(scene, 'simulation', null), 'WrongType', 'simulation'],
    ['too few points', (scene: Scene) => set(scene.bodies![1]!.shapes![7]!, 'points', [[0, 0, 0]]), 'OutOfRange', 'bodies[1].shapes[7].points'],
    ['a point of two', (scene: Scene) => set((scene.bodies![1]!.shapes![7]! as { points: object }).points, 2, [0, 0]), 'WrongType', 'bodies[1].shapes[7].points[2]'],
    ['NaN in a point', (scene: Scene) => set((scene.bodies![1]!.shapes![7]! as { points: object }).points, 2, [0, NaN, 0]), 'NotFinite', 'bodies[1].shapes[7].points[2][1]'],
    ['a face of two', (scene: Scene) => set((scene.bodies![1]!.shapes![8]! as { faces: object }).faces, 0, [0, 1]), 'WrongType', 'bodies[1].shapes[8].faces[0]'],
    ['a face on a missing vertex', (scene: Scene) => set((scene.bodies![1]!.shapes![8]! as { faces: object }).faces, 0, [0, 1, 4]), 'InvalidFace', 'bodies[1].shapes[8].faces[0]'],
    ['a face with a vertex twice', (scene: Scene) => set((scene.bodies![1]!.shapes![8]! as { faces: object }).faces, 3, [1, 2, 1]), 'InvalidFace', 'bodies[1].shapes[8].faces[3]'],
    ['a mesh with file and vertices', (scene: Scene) => set(scene.bodies![1]!.shapes![9]!, 'vertices', [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), 'InvalidMesh', 'bodies[1].shapes[9]'],
    ['a mesh outside the folder', (scene: Scene) => set(scene.bodies![1]!.shapes![9]!, 'file', 'a/../../secret.obj'), 'InvalidFile', 'bodies[1].shapes[9].file'],
    ['a mesh on another drive', (scene: Scene) => set(scene.bodies![1]!.shapes![9]!, 'file', 'C:bunny.obj'), 'InvalidFile', 'bodies[1].shapes[9].file'],
    ['a mesh at the root', (scene: Scene) => set(scene.bodies![1]!.shapes![9]!, 'file', '/bunny.obj'), 'InvalidFile', 'bodies[1].shapes[9].file'],
    ['a mesh of unknown kind', (scene: Scene) => set(scene.bodies![1]!.shapes![9]!, 'file', 'bunny.exe'), 'InvalidFile', 'bodies[1].shapes[9].file'],
    ['a missing material', (scene: Scene) => set(scene.bodies![1]!.shapes![1]!, 'material', 'stele'), 'UnknownReference', 'bodies[1].shapes[1].material'],
    ['a joint to a missing body', (scene: Scene) => set(scene.joints![0]!, 'bodyA', 'dor'), 'UnknownReference', 'joints[0].bodyA'],
    ['a body named where a joint is needed', (scene: Scene) => set(scene.joints![9]!, 'jointA', 'door'), 'UnknownReference', 'joints[9].jointA'],
    ['a missing script', (scene: Scene) => set(scene.forces![8]!, 'script', 'magic'), 'UnknownReference', 'forces[8].script'],
    ['a joint of a body with itself', (scene: Scene) => set(scene.joints![2]!, 'bodyB', 'block'), 'InvalidJoint', 'joints[2].bodyB'],
    ['a gear on a ball joint', (scene: Scene) => set(scene.joints![9]!, 'jointA', 'ball'), 'InvalidJoint', 'joints[9].jointA'],
    ['a zero axis', (scene: Scene) => set(scene.joints![0]!, 'axis', [0, 0, 0]), 'ZeroVector', 'joints[0].axis'],
    ['universal axes that are not perpendicular', (scene: Scene) => set(scene.joints![4]!, 'axisB', [1, 1, 0]), 'ParallelAxes', 'joints[4].axisB'],
    ['limits upside down', (scene: Scene) => set(scene.joints![0]!, 'limits', { lower: 1, upper: -1 }), 'InvalidLimits', 'joints[0].limits'],
    ['limits without an end', (scene: Scene) => set(scene.joints![0]!, 'limits', {}), 'InvalidLimits', 'joints[0].limits'],
    ['a half-space that moves', (scene: Scene) => set(scene.bodies![0]!, 'type', 'kinematic'), 'HalfSpaceNotFixed', 'bodies[0].shapes[0]'],
    ['a quaternion far from unit', (scene: Scene) => set(scene.bodies![1]!, 'orientation', [0, 0, 1, 1]), 'InvalidOrientation', 'bodies[1].orientation'],
    ['a pair given twice, the other way round', (scene: Scene) => scene.materialPairs!.push({ materials: ['ice', 'steel'] }), 'DuplicatePair', 'materialPairs[1].materials'],
    ['keys that go back in time', (scene: Scene) => set((scene.forces![7] as { keys: object[] }).keys[2]!, 'time', 0.5), 'InvalidKeys', 'forces[7].keys[2].time'],
    ['three keys at one time', (scene: Scene) => (scene.forces![7] as { keys: object[] }).keys.push({ time: 1 }), 'InvalidKeys', 'forces[7].keys[3].time'],
    ['a gear of ratio 0', (scene: Scene) => set(scene.joints![9]!, 'ratio', 0), 'InvalidJoint', 'joints[9].ratio'],
    ['a gear of one joint', (scene: Scene) => set(scene.joints![9]!, 'jointB', 'hinge'), 'InvalidJoint', 'joints[9].jointB'],
    ['a rod without length', (scene: Scene) => set(scene.joints![7]!, 'anchorB', [0, 0, 0]), 'InvalidJoint', 'joints[7].length'],
    ['a joint of the world with itself', (scene: Scene) => Object.assign(scene.joints![6]!, { bodyA: null }), 'InvalidJoint', 'joints[6].bodyB'],
    ['limits that exclude the initial position', (scene: Scene) => set(scene.joints![5]!, 'translation', { limits: { lower: 0.1 } }), 'InvalidLimits', 'joints[5].translation.limits'],
    ['an ellipse with slanted axes', (scene: Scene) => set(scene.joints![8]!, 'curve', { type: 'ellipse', center: [0, 0, 0], semiAxisA: [1, 0, 0], semiAxisB: [1, 1, 0] }), 'ParallelAxes', 'joints[8].curve.semiAxisB'],
    ['a spline that stands still', (scene: Scene) => set(scene.joints![8]!, 'curve', { type: 'spline', points: [[0, 0, 0], [1, 0, 0], [1, 0, 0]] }), 'InvalidJoint', 'joints[8].curve.points[2]'],
    ['a closed spline of two points', (scene: Scene) => set(scene.joints![8]!, 'curve', { type: 'spline', points: [[0, 0, 0], [1, 0, 0]], closed: true }), 'InvalidJoint', 'joints[8].curve.points'],
    ['an unknown curve', (scene: Scene) => set(scene.joints![8]!, 'curve', { type: 'circel', center: [0, 0, 0] }), 'InvalidValue', 'joints[8].curve.type'],
    ['a spring of a body with itself', (scene: Scene) => set(scene.forces![4]!, 'bodyB', 'block'), 'InvalidValue', 'forces[4].bodyB'],
    ['an attractor on a missing body', (scene: Scene) => set(scene.forces![5]!, 'body', 'sol'), 'UnknownReference', 'forces[5].body'],
    ['a box upside down', (scene: Scene) => set((scene.forces![6] as { box: object }).box, 'min', [1, -1, 0]), 'InvalidBox', 'forces[6].box'],
    ['a body listed twice', (scene: Scene) => set(scene.forces![6]!, 'bodies', ['block', 'block']), 'InvalidValue', 'forces[6].bodies'],
    ['a script of 300 KiB in two-byte letters', (scene: Scene) => set(scene.scripts![0]!, 'source', 'é'.repeat(150 * 1024)), 'TooLarge', 'scripts[0].source'],
  ] as [string, (scene: Scene) => void, string, string][])('%s', (_, change, name, path) => {
    const found = spoilt(change)
    expect(found).toMatchObject({ name, path, severity: 'error' })
    expect(found.message.length).toBeGreaterThan(10)
  })
  it('an id used twice, across collections', () => {
    const found = spoilt(scene => set(scene.forces![3]!, 'id', 'block'))
    expect(found).toMatchObject({ name: 'DuplicateId', path: 'forces[3].id', ids: ['block'] })
    expect(found.message).toContain('bodies[1]')
  })
  it('a dynamic body without mass', () => {
    expect(spoilt(scene => scene.bodies!.push({ id: 'ghost' }))).toMatchObject({ name: 'MissingMass', ids: ['ghost'] })
    expect(problemsOf({ ...small(), bodies: [{ id: 'point', mass: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }] })).toEqual([])
  })
  it('several problems at once', () => {
    const scene = small()
    set(scene.bodies![1]!, 'colour', 'red')
    set(scene.bodies![1]!.shapes![0]!, 'radius', -1)
    set(scene, 'gravity', 9.81)
    expect(problemsOf(scene).map(found => found.path).sort()).toEqual(['bodies[1].colour', 'bodies[1].shapes[0].radius', 'gravity'])
  })
  it('lists a hundred problems and counts the rest', () => {
    const scene = { ...small(), bodies: Array.from({ length: 5000 }, (_, i) => ({ id: `b${i}`, mas: 1 })) }
    const found = problemsOf(scene)
    expect(found).toHaveLength(101)
    expect(found[100]).toMatchObject({ name: 'TooManyProblems', message: expect.stringContaining('4900') })
  })
  it('as an exception, if that is asked for', () => {
    expect(() => requireScene('{')).toThrow(SceneError)
    expect(requireScene(small())).toEqual(small())
  })
})

describe('inertia', () => {
  const withInertia = (...inertia: number[]) => problemsOf({ ...small(), bodies: [{ id: 'a', mass: { mass: 1, inertia } }] }).map(found => found.name)
  it('must be positive definite', () => {
    expect(withInertia(1, 1, 0, 0, 0, 0)).toEqual(['InvalidInertia'])
    expect(withInertia(1, 1, 1, 2, 0, 0)).toEqual(['InvalidInertia'])
    expect(withInertia(1, 1, 1, 0.4, 0, 0)).toEqual([])
  })
  it('must satisfy A + B ≥ C about its principal axes, in whatever axes it is given', () => {
    expect(withInertia(1, 1, 2.1, 0, 0, 0)).toEqual(['InvalidInertia'])
    expect(withInertia(1, 1, 2, 0, 0, 0)).toEqual([])
    const four = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
    fc.assert(fc.property(four, fc.boolean(), (q, valid) => {
      const norm = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0))
      fc.pre(norm > 0.1)
      const [x, y, z, w] = q.map(value => value / norm) as [number, number, number, number]
      const r = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
      ]
      const principal = [3, 4, valid ? 6.999 : 7.001]
      const entry = (i: number, k: number) => principal.reduce((sum, moment, m) => sum + r[i]![m]! * moment * r[k]![m]!, 0)
      expect(withInertia(entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2))).toEqual(valid ? [] : ['InvalidInertia'])
    }))
  })
})

describe('warnings do not refuse', () => {
  it.each([
    ['flat spots of a superquadric', (scene: Scene) => set(scene.bodies![1]!.shapes![3]!, 'exponents', [0.5, 1]), 'FlatSpots', /poles/],
    ['a velocity of a fixed body', (scene: Scene) => set(scene.bodies![0]!, 'linearVelocity', [1, 0, 0]), 'IgnoredVelocity', /fixed/],
    ['platinum, whose dynamic friction exceeds the static one', (scene: Scene) => set(scene.materials![0]!.friction!, 'dynamic', 3), 'InvalidFriction', /exceeds/],
    ['a joint of bodies that cannot move', (scene: Scene) => set(scene.joints![6]!, 'bodyA', 'ground'), 'UnusedJoint', /no effect/],
  ] as [string, (scene: Scene) => void, string, RegExp][])('%s', (_, change, name, message) => {
    const scene = everything()
    change(scene)
    const result = parseScene(scene)
    expect(result).toMatchObject({ ok: true, warnings: [{ name, severity: 'warning', message: expect.stringMatching(message) }] })
  })
})

describe('paths', () => {
  it('are written and read back', () => {
    const part = fc.oneof(fc.nat(1000), fc.string({ minLength: 1, maxLength: 8 }))
    fc.assert(fc.property(fc.array(part, { maxLength: 6 }), path => {
      expect(parsePath(formatPath(path))).toEqual(path)
    }))
    expect(formatPath(['bodies', 3, 'shapes', 0, 'radius'])).toBe('bodies[3].shapes[0].radius')
    expect(parsePath('bodies[3]..x')).toBeNull()
    expect(parsePath('bodies[x]')).toBeNull()
  })
})

describe('a spline', () => {
  const onWire = (points: number[][], closed: boolean) => ({
    format: 'cairn-scene', version: 1, materials: [{ id: 'm', density: 1 }],
    bodies: [{ id: 'bead', position: [0, 0, 0], shapes: [{ type: 'sphere', radius: 0.1, material: 'm' }] }],
    joints: [{ id: 'wire', type: 'pointOnCurve', bodyA: 'bead', bodyB: null, anchor: [0, 0, 0], curve: { type: 'spline', points, closed } }],
  })

  it('whose last point equals its first is open, and is refused if it is marked as closed', () => {
    const points = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]]
    expect(parseScene(onWire(points, false)).ok).toBe(true)
    const closed = parseScene(onWire(points, true))
    expect(!closed.ok && closed.problems).toMatchObject([{ name: 'InvalidJoint', path: 'joints[0].curve.points[0]' }])
    expect(parseScene(onWire(points.slice(0, 3), true)).ok).toBe(true)
  })
})
