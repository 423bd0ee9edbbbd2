import { describe, expect, it } from 'vitest'
import {
  canonicalScene, combineMaterials, pairOf, requireScene, resolveBody, resolveScene, SceneError, sceneHash, type Body, type Scene,
} from '../../../../core/scene'
import { everything, small } from './arbitrary'

describe('a resolved scene', () => {
  it('has every default of the format', () => {
    expect(resolveScene(small())).toEqual({
      format: 'cairn-scene', version: 1, gravity: [0, 0, -9.81],
      materials: [{ id: 'steel', density: 7850, friction: { static: 0, dynamic: 0, torsional: 0, rolling: 0 }, restitution: 0, color: '#8899aa' }],
      materialPairs: [],
      bodies: [
        {
          id: 'ground', type: 'fixed', position: [0, 0, 0], orientation: [0, 0, 0, 1], linearVelocity: [0, 0, 0], angularVelocity: [0, 0, 0],
          spawnTime: 0,
          shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'steel', position: [0, 0, 0], orientation: [0, 0, 0, 1] }],
        },
        {
          id: 'ball', type: 'dynamic', position: [0, 0, 0], orientation: [0, 0, 0, 1], linearVelocity: [0, 0, 0], angularVelocity: [0, 0, 0],
          spawnTime: 0, shapes: [{ type: 'sphere', radius: 0.5, material: 'steel', position: [0, 0, 0], orientation: [0, 0, 0, 1] }],
        },
      ],
      deformables: [], joints: [], forces: [], sensors: [], parameters: [], scripts: [], groups: [], meshes: [],
      simulation: {
        duration: 5, outputRate: 240, seed: 1, method: 'auto', initialOverlap: 'refuse',
        eventDriven: {
          integrator: 'dormand-prince', tolerance: 1e-9, step: 0.001, contactTolerance: 1e-9, solver: 'dantzig', staticFriction: 'exact',
          crawlSpeed: 1e-4, impact: 'simultaneous', restingSpeed: 1e-4, rootFinder: 'quadratic', maxEventsPerFrame: 1000,
        },
        timeStepping: {
          step: 1 / 240, contactModel: 'peg', solver: 'auto', frictionCone: 'exact', frictionDirections: 8, primaryContacts: 1, sleep: false,
        },
        penalty: { stiffness: 1e6, damping: 1e3, step: 1e-4 },
        branch: [],
      },
    })
  })
  it('lists the bodies meant by "every dynamic body"', () => {
    const scene = resolveScene(everything())
    expect(scene.forces.find(force => force.id === 'air')).toMatchObject({ bodies: ['block', 'door'] })
    const carried = resolveScene({ ...everything(), forces: [{ id: 'sun', type: 'attractor', body: 'door', strength: 1 }] })
    expect(carried.forces[0]).toMatchObject({ bodies: ['block'] })
  })
  it('has natural lengths if none are given', () => {
    const scene = resolveScene(everything())
    expect(scene.joints.find(joint => joint.id === 'rod')).toMatchObject({ length: 5 })
    // The block stands at z = 1, the other end at z = 3.
    expect(scene.forces.find(force => force.id === 'coil')).toMatchObject({ restLength: 2 })
    const turned: Scene = {
      ...small(),
      bodies: [{ id: 'a', position: [1, 0, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], shapes: small().bodies![1]!.shapes }],
      forces: [{ id: 's', type: 'spring', bodyA: 'a', pointA: [2, 0, 0], bodyB: null, pointB: [1, 5, 0], stiffness: 1 }],
    }
    expect((resolveScene(turned).forces[0] as { restLength: number }).restLength).toBeCloseTo(3, 14)
  })
  it('normalises directions and quaternions, and scales a half-space\'s offset with its normal', () => {
    const scene = everything()
    scene.bodies![0]!.shapes = [{ type: 'halfSpace', normal: [0, 0, 2], offset: 3, material: 'steel' }]
    scene.bodies![1]!.orientation = [0, 0, 0.7071, 0.7071]
    const resolved = resolveScene(scene)
    expect(resolved.bodies[0]!.shapes[0]).toMatchObject({ normal: [0, 0, 1], offset: 1.5 })
    expect(resolved.joints[0]).toMatchObject({ axis: [0, 0, 1] })
    const q = resolved.bodies[1]!.orientation
    expect(q[2] * q[2] + q[3] * q[3]).toBeCloseTo(1, 15)
    expect(scene.bodies![1]!.orientation).toEqual([0, 0, 0.7071, 0.7071])
  })
  it('is the same from the text and from the document', () => {
    const scene = requireScene(JSON.stringify(everything()))
    expect(resolveScene(scene)).toEqual(resolveScene(everything()))
  })
  it('keeps the objects of parts that did not change', () => {
    const scene = everything()
    const first = resolveScene(scene)
    const second = resolveScene({ ...scene, bodies: scene.bodies!.map((body, i) => (i === 1 ? { ...body, name: 'Other' } : body)) })
    expect(second.bodies[0]).toBe(first.bodies[0])
    expect(second.bodies[1]).not.toBe(first.bodies[1])
  })
  it('throws a typed error for a value that does not match the schema', () => {
    expect(() => resolveBody({ id: 'a', shapes: [{ type: 'sphere', radius: -1, material: 'x' }] } satisfies Body)).toThrow(SceneError)
  })
})

describe('the canonical scene', () => {
  const hash = (scene: Scene) => sceneHash(resolveScene(scene))
  it('does not depend on names, descriptions, colours, the order of keys or written defaults', () => {
    const scene = everything()
    const other = everything()
    other.name = 'Something else'
    other.description = undefined
    other.bodies![1]!.name = 'Renamed'
    other.materials![0]!.color = '#ff0000'
    other.bodies![2]!.type = 'dynamic'
    other.bodies![2]!.spawnTime = 0
    other.simulation = { ...other.simulation, method: 'auto', seed: 1 }
    other.bodies![1] = Object.fromEntries(Object.entries(other.bodies![1]!).reverse()) as unknown as Body
    expect(hash(other)).toBe(hash(scene))
  })
  it.each([
    ['a position', (scene: Scene) => { scene.bodies![1]!.position = [0, 0, 1 + Number.EPSILON] }],
    ['the order of bodies', (scene: Scene) => { scene.bodies!.reverse() }],
    ['an id', (scene: Scene) => { scene.forces![3]!.id = 'wind' }],
    ['a script', (scene: Scene) => { scene.scripts![0]!.source += ' ' }],
    ['the duration', (scene: Scene) => { scene.simulation!.duration = 3 }],
    ['a solver option', (scene: Scene) => { scene.simulation!.timeStepping!.sleep = true }],
    ['a coefficient of friction', (scene: Scene) => { scene.materials![0]!.friction!.static = 0.75 }],
  ])('depends on %s', (_, change) => {
    const scene = everything()
    change(scene)
    expect(hash(scene)).not.toBe(hash(everything()))
  })
  it('has sorted keys and no white space', () => {
    const text = canonicalScene(resolveScene(small()))
    expect(text.startsWith('{"bodies":[{"angularVelocity":[0,0,0],"id":"ground",')).toBe(true)
    expect(text).not.toContain('color')
    expect(text).not.toMatch(/\s/)
  })
  it('does not contain the lesson of the scene', () => {
    expect(hash({ ...small(), lesson: [{ text: 'Look', time: 1, select: ['ground'] }] })).toBe(hash(small()))
  })
  it('is the same text from release to release', () => {
    expect(hash(small())).toBe('c5d0d00cbd75c7cb7275adcc85cdc6e2c1d0cb3852e827bcd7a7d6f3ee7ae0dc')
  })
})

describe('two materials in contact', () => {
  const a = { id: 'a', friction: { static: 0.8, dynamic: 0.2, torsional: 0.1, rolling: 0 }, restitution: 0.3 }
  const b = { id: 'b', friction: { static: 0.2, dynamic: 0.05, torsional: 0.4, rolling: 1 }, restitution: 0.7 }
  it('have the geometric mean of each coefficient and the larger restitution', () => {
    const both = combineMaterials(a, b, null)
    expect(both.static).toBeCloseTo(0.4, 15)
    expect(both.dynamic).toBeCloseTo(0.1, 15)
    expect(both.torsional).toBeCloseTo(0.2, 15)
    expect(both).toMatchObject({ rolling: 0, restitution: 0.7 })
  })
  it('of one kind have exactly their own', () => {
    expect(combineMaterials({ id: 'x', friction: { static: 0.3, dynamic: 0.1 } }, { id: 'x', friction: { static: 0.3, dynamic: 0.1 } }, null))
      .toEqual({ static: 0.3, dynamic: 0.1, torsional: 0, rolling: 0, restitution: 0 })
  })
  it('have the values of their pair, key by key, in either order', () => {
    const pairs = [{ materials: ['b', 'a'] as [string, string], friction: { static: 0.04 }, restitution: 0.1 }]
    expect(combineMaterials(a, b, pairOf(pairs, 'a', 'b'))).toMatchObject({ static: 0.04, restitution: 0.1 })
    expect(combineMaterials(a, b, pairOf(pairs, 'a', 'b')).dynamic).toBeCloseTo(0.1, 15)
    expect(pairOf(pairs, 'a', 'a')).toBeNull()
  })
})
