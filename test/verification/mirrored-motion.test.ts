// @module-tag long
/** A mirrored scene moves as the mirror image of the original, with all forces on its bodies; mirrored twice it is the original scene. */

import { describe, expect, it } from 'vitest'
import { mirrorBodies } from '../../core/modelling'
import { editScene, parseScene, resolveScene, type Body, type Deformable, type Force, type Joint, type Scene, type Sensor } from '../../core/scene'
import { bodyAt, recorded, type Recorded } from './support'

const AT = 0.25
type Axis = 0 | 1 | 2

const brick = (id: string, position: [number, number, number], more: Partial<Body> = {}): Body => ({
  id, position, orientation: [0.1, 0.2, 0.3, Math.sqrt(0.86)], linearVelocity: [0.3, -0.2, 0.1], angularVelocity: [1, 2, -1.5],
  shapes: [{ type: 'box', size: [0.5, 0.3, 0.2], material: 'wood', position: [0.05, 0.02, -0.03] }, { type: 'cone', radius: 0.1, height: 0.3, material: 'wood', position: [0, 0.1, 0.1], orientation: [0.5, 0.5, 0.5, 0.5] }],
  ...more,
})

interface Case {
  readonly gravity?: [number, number, number]
  readonly bodies?: Body[]
  readonly joints?: Joint[]
  readonly forces?: Force[]
  readonly sensors?: Sensor[]
  readonly deformables?: Deformable[]
}

const one = [brick('a', [0, 0, 1])]
const two = [...one, brick('b', [0.8, 0.3, 1.1])]
const still = { linearVelocity: [0, 0, 0] as [number, number, number], angularVelocity: [0, 0, 0] as [number, number, number] }
const resting = [brick('a', [0, 0, 1], still), brick('b', [0.8, 0.3, 1.1], still)]
const id = 'it'

const cases: Record<string, Case> = {
  'a force at a point, in the world frame': { bodies: one, forces: [{ id, type: 'point', body: 'a', point: [0.1, 0.2, 0.05], force: [30, 20, -10] }] },
  'a force at a point, in the body frame': { bodies: one, forces: [{ id, type: 'point', body: 'a', point: [0.1, 0.2, 0.05], force: [30, 20, -10], frame: 'body' }] },
  'a torque': { bodies: one, forces: [{ id, type: 'torque', body: 'a', torque: [1, -2, 3] }] },
  'a torque in the body frame': { bodies: one, forces: [{ id, type: 'torque', body: 'a', torque: [1, -2, 3], frame: 'body' }] },
  'a uniform force on it alone': { bodies: one, forces: [{ id, type: 'uniform', bodies: ['a'], force: [10, 20, 30] }] },
  'wind in a box': { bodies: one, forces: [{ id, type: 'wind', bodies: ['a'], velocity: [5, 3, 1], linear: 2, quadratic: 1, box: { min: [-1, -0.5, 0], max: [0.3, 0.9, 2] }, falloff: 0.4 }] },
  'an attractor in the world': { bodies: one, forces: [{ id, type: 'attractor', bodies: ['a'], center: [1, 2, 3], strength: 20, exponent: 1 }] },
  'an attractor on a body': { bodies: two, forces: [{ id, type: 'attractor', bodies: ['a'], body: 'b', center: [0.1, 0.2, 0.3], strength: 5, exponent: 1 }] },
  'a spring between bodies': { bodies: two, forces: [{ id, type: 'spring', bodyA: 'a', pointA: [0.2, 0.1, 0], bodyB: 'b', pointB: [0.1, -0.1, 0.05], stiffness: 300, damping: 2, restLength: 0.3 }] },
  'a spring to the world': { bodies: one, forces: [{ id, type: 'spring', bodyA: null, pointA: [1, 1, 2], bodyB: 'a', pointB: [0.1, -0.1, 0.05], stiffness: 300 }] },
  'a keyframed force': {
    bodies: one,
    forces: [{ id, type: 'keyframed', body: 'a', point: [0.1, 0, 0.1], frame: 'body', keys: [{ time: 0, force: [10, 0, 5], torque: [1, 2, 3] }, { time: 0.1, force: [0, 20, 5] }] }],
  },
  'a guide to points of the world, then of a body': {
    bodies: two, forces: [{
      id, type: 'guide', keys: [
        { time: 0, body: 'a', point: [0.1, 0.1, 0], target: [1, 0.5, 1.5], stiffness: 200, damping: 5 }, { time: 0.1, body: 'a', point: [0.1, 0.1, 0], on: 'b', target: [0.1, 0.2, 0], stiffness: 200 },
        { time: 0.15, body: null },
      ],
    }],
  },
  'sensors that turn and look': {
    bodies: two, sensors: [
      { id: 'range', type: 'range', body: 'a', position: [0.1, 0.05, 0], direction: [0.75, 0.3, 0.1] }, { id: 'imu', type: 'imu', body: 'a', position: [0.1, 0.2, 0.1], orientation: [0.5, 0.5, 0.5, 0.5] },
    ],
  },
  'a universal joint with a motor': {
    bodies: resting, joints: [{
      id, type: 'universal', bodyA: 'a', bodyB: 'b', anchor: [0.4, 0.15, 1.05], axisA: [1, 0, 0], axisB: [0, 1, 0], rotationA: { motor: { targetVelocity: 3, maxForce: 2 } },
    }],
  },
  'a cylindrical joint with all that drives and limits it': {
    bodies: resting, joints: [{
      id, type: 'cylindrical', bodyA: 'a', bodyB: 'b', anchor: [0.4, 0.15, 1.05], axis: [1, 2, 3],
      rotation: {
        limits: { lower: -0.02 }, motor: { targetVelocity: 3, maxForce: 2, keys: [{ time: 0.1, targetVelocity: -1 }] }, drive: { force: 0.3 },
        servo: { target: 0.2, stiffness: 4, damping: 0.1, keys: [{ time: 0.1, target: 0.3 }] }, spring: { stiffness: 3, rest: 0.1 },
      },
      translation: { limits: { upper: 0.01 }, drive: { force: 5 }, spring: { stiffness: 30, rest: -0.05 } },
    }],
  },
  'surfaces by formulas, that fall on a plate': {
    bodies: [
      { id: 'plate', type: 'fixed', position: [0, 0, 0.78], shapes: [{ type: 'box', size: [4, 4, 0.1], material: 'wood' }] },
      { ...brick('egg', [0, 0, 1]), shapes: [{ type: 'implicit', formula: '(x/0.2)^2 + (y/0.15)^2 + (z/0.1)^2 + 0.3*x*exp(-x) - 1', material: 'wood' }] },
      {
        ...brick('drop', [0.8, 0.3, 1.1]),
        shapes: [{ type: 'parametric', x: '0.2 * cos(u) * (1 + 0.2 * cos(u))', y: '0.15 * sin(u) * cos(v)', z: '0.1 * sin(u) * sin(v)', u: [0, 3.141592653589793], v: [0, 6.283185307179586], material: 'wood' }],
      },
    ],
  },
  'a bead on a curve by formulas': {
    bodies: [brick('a', [0, 0, 1], still)], joints: [{
      id, type: 'pointOnCurve', bodyA: 'a', bodyB: null, anchor: [0.3, 0.1, 1], curve: { type: 'formula', center: [0, 0.1, 1], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], x: '0.2 * sin(u)', y: '-0.3 * cos(u)', z: '0.1 * u', u: [-2, 2] },
    }],
  },
  'a hinge that comes later, given at poses of its own': {
    gravity: [0, 0, 0], bodies: [brick('a', [0, 0, 1], { ...still, orientation: [0, 0, 0, 1] })], joints: [{
      id, type: 'hinge', bodyA: 'a', bodyB: null, anchor: [0.2, 0.1, 1], axis: [0, 1, 2], spawnTime: 0.02, poseA: { position: [0, 0, 1], orientation: [0, 0, 0, 1] }, collide: true,
    }],
  },
  'a body moved by keys': {
    bodies: [brick('a', [0, 0, 1], { type: 'kinematic', ...still, path: [{ time: 0.2, position: [1, 0.5, 2], orientation: [0.5, 0.5, 0.5, 0.5] }] })],
  },
  'a rope between a body and the world': {
    bodies: one, deformables: [{
      id, type: 'rope', material: 'wood', points: [[0.1, 0.2, 1.3], [0.5, 0.7, 1.8], [1, 1, 2]], segments: 6, velocity: [0.1, 0.2, 0.3], axialStiffness: 200, bendingStiffness: 0.01,
      linearDensity: 0.1, pins: [6], attachments: [{ vertex: 0, body: 'a', point: [0.1, 0.2, 0.3] }],
    }],
  },
  'particles, with wind on them': {
    bodies: one, deformables: [{
      id: 'bob', type: 'particles', material: 'wood', particles: [{ position: [0.2, 0.1, 1.4], mass: 0.2 }, { position: [0.6, 0.3, 1.6], mass: 0.1, velocity: [1, 2, 3] }],
      springs: [{ a: 0, b: 1, restLength: 0.4, stiffness: 100 }], attachments: [{ vertex: 0, body: 'a' }],
    }],
    forces: [{ id, type: 'wind', deformables: ['bob'], velocity: [5, 3, 1], linear: 0.3 }],
  },
  'hair on a body': {
    bodies: one, deformables: [{
      id, type: 'hair', material: 'wood', linearDensity: 0.01, bendingStiffness: 1e-3, strands: [{ body: 'a', points: [[0.1, 0.2, 1.3], [0.15, 0.25, 1.35], [0.2, 0.27, 1.4], [0.3, 0.27, 1.4]] }],
    }],
  },
  'cloth held in a triangle': {
    bodies: one, deformables: [{
      id, type: 'cloth', material: 'wood', vertices: [[0, 0, 1.4], [0.3, 0, 1.4], [0.3, 0.3, 1.5], [0, 0.3, 1.45]], triangles: [[0, 1, 2], [0, 2, 3]],
      attachments: [{ triangle: 0, weights: [0.2, 0.3, 0.5], body: 'a' }], velocity: [0.3, 0.2, 0.1],
    }],
    forces: [{ id: 'air', type: 'wind', deformables: ['it'], velocity: [3, 2, 1], quadratic: 0.5 }],
  },
}

const sceneOf = (given: Case, axis: Axis): Scene => {
  const parsed = parseScene({
    format: 'cairn-scene', version: 1, gravity: axis === 2 ? [0, -9.81, 0] : [0, 0, -9.81], materials: [{ id: 'wood', density: 300, friction: { static: 0.5, dynamic: 0.4 } }],
    simulation: { method: 'time-stepping', duration: 0.2, outputRate: 50, timeStepping: { step: 0.005 } }, ...given,
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.scene
}
function mirrored(before: Scene, axis: Axis): Scene {
  const change = mirrorBodies(before, before.bodies!.map(body => body.id), axis, AT)
  const result = editScene(before, draft => { change(draft as Scene) })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.scene
}

/** All numbers are equal up to rounding; both scenes are resolved, so that defaults are present. */
function expectClose(a: unknown, b: unknown, path: string): void {
  if (typeof a === 'number') expect(b, path).toBeCloseTo(a, 12)
  else if (a === null || typeof a !== 'object') expect(b, path).toBe(a)
  else for (const key of Object.keys(a)) expectClose((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}.${key}`)
}

const polar = (v: readonly number[], axis: Axis) => v.map((x, k) => k === axis ? -x : x)
const axial = (v: readonly number[], axis: Axis) => v.map((x, k) => k === axis ? x : -x)
const point = (v: readonly number[], axis: Axis) => v.map((x, k) => k === axis ? 2 * AT - x : x)

function expectNumbers(found: readonly number[], wanted: readonly number[], what: string): void {
  found.forEach((x, k) => { expect(Math.abs(x - wanted[k]!), `${what}[${k}]: ${x}, ${wanted[k]}`).toBeLessThan(1e-7) })
}

function expectImage(run: Recorded, original: Recorded, axis: Axis): void {
  expect([run.end.status, original.end.status]).toEqual(['completed', 'completed'])
  expect(run.frames.length).toBe(original.frames.length)
  original.frames.forEach((frame, at) => {
    original.header.bodyIds.forEach((name, body) => {
      const [is, was] = [bodyAt(run.frames[at]!, body), bodyAt(frame, body)]
      const what = `${name} at ${frame.time} s`
      expectNumbers(is.position, point(was.position, axis), `position of ${what}`)
      expectNumbers(is.linearVelocity, polar(was.linearVelocity, axis), `velocity of ${what}`)
      expectNumbers(is.angularVelocity, axial(was.angularVelocity, axis), `angular velocity of ${what}`)
      const turned = [...axial(was.orientation.slice(0, 3), axis), was.orientation[3]!]
      const sign = Math.sign(turned.reduce((sum, x, k) => sum + x * is.orientation[k]!, 0))
      expectNumbers(is.orientation, turned.map(x => sign * x), `orientation of ${what}`)
    })
  })
}

describe.each([0, 1, 2] as const)('in a mirror along axis %i', axis => {
  it.each(Object.entries(cases))('%s', (_, given) => {
    const before = sceneOf(given, axis)
    const after = mirrored(before, axis)
    expectClose(resolveScene(before), resolveScene(mirrored(after, axis)), 'scene')
    const [run, original] = [recorded(after), recorded(before)]
    expectImage(run, original, axis)
    original.deformables.forEach((frame, at) => {
      const [was, is] = [frame.position, run.deformables[at]!.position]
      for (let k = 0; k < was.length; k += 3) expectNumbers([...is.subarray(k, k + 3)], point([...was.subarray(k, k + 3)], axis), `particle ${k / 3} at ${frame.time} s`)
    })
    original.sensors.forEach((frame, at) => {
      const [range, ...rest] = frame.values
      const [mirroredRange, ...mirroredRest] = run.sensors[at]!.values
      expectNumbers([mirroredRange!], [range!], 'range')
      expectNumbers(mirroredRest.slice(0, 3), polar(rest.slice(0, 3), axis), 'specific force')
      expectNumbers(mirroredRest.slice(3), axial(rest.slice(3), axis), 'rate')
    })
  })
})

describe('objects that cannot be mirrored are refused with a typed error', () => {
  const refusal = (given: Case & Partial<Scene>, ids: string[], axis: Axis = 0) => () => mirrorBodies({ ...sceneOf({}, 0), ...given } as Scene, ids, axis, AT)
  it('a force on others too', () => {
    const forces: Force[] = [{ id, name: 'Push', type: 'uniform', bodies: ['a', 'b'], force: [1, 0, 0] }]
    expect(refusal({ bodies: two, forces }, ['a'])).toThrow('Force "Push" also acts on "b"')
    expect(refusal({ bodies: two, forces }, ['a'], 1)).not.toThrow()
  })
  it('a deformable that is held by others too', () => {
    const deformables: Deformable[] = [{ id, name: 'Line', type: 'rope', material: 'wood', points: [[0, 0, 1], [1, 0, 1]], attachments: [{ vertex: 0, body: 'a' }, { vertex: 32, body: 'b' }] }]
    expect(refusal({ bodies: two, deformables }, ['a'])).toThrow('"Line" is held by "b" as well: select it too')
  })
  it('a script that refers to other bodies too', () => {
    const scripts = [{ id: 'code', source: 'export default (ctx: ForceContext) => ctx.body(\'a\').applyForce(ctx.body(\'b\').position)' }]
    const forces: Force[] = [{ id, type: 'script', script: 'code' }]
    expect(refusal({ bodies: two, forces, scripts }, ['a'])).toThrow('Script "code" refers to "b" as well')
    expect(refusal({ bodies: two, forces, scripts }, ['a', 'b'])).not.toThrow()
  })
  it('but forces on everything are unchanged', () => {
    const forces: Force[] = [{ id, type: 'uniform', force: [1, 0, 0] }]
    const draft = { ...sceneOf({}, 0), bodies: structuredClone(two), forces: structuredClone(forces) } as Scene
    mirrorBodies({ ...draft, bodies: two, forces } as Scene, ['a'], 0, AT)(draft)
    expect(draft.forces).toEqual(forces)
  })
})
