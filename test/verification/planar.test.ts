/** Scenes in two dimensions: everything stays in the plane bit for bit and moves by plane mechanics, and nothing overlaps. */

import { describe, expect, it } from 'vitest'
import { check } from '../../core/simulation/check'
import { between, random, type Random } from '../unit/core/collision/random'
import { bodyAt, bodyIn, contactForceOn, indexOf, recorded, sceneOf, turn, worst, type Recorded } from './support'

type Corner = readonly [x: number, z: number]

/** A prism along y over a convex polygon. */
function prism(corners: readonly Corner[], depth = 0.1): object {
  return { type: 'convexHull', points: corners.flatMap(([x, z]) => [[x, -depth, z], [x, depth, z]]), material: 'stone' }
}

/** A cylinder along y. */
const disc = (radius: number): object => ({ type: 'cylinder', radius, height: 0.2, orientation: turn([1, 0, 0], Math.PI / 2), material: 'stone' })
const rod = (radius: number, height: number): object => ({ type: 'capsule', radius, height, orientation: turn([0, 1, 0], 0.7), material: 'stone' })
const rectangle = (width: number, height: number): Corner[] => [[-width / 2, -height / 2], [width / 2, -height / 2], [width / 2, height / 2], [-width / 2, height / 2]]
const ground = { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] }

function polygon(r: Random): Corner[] {
  const count = 3 + Math.floor(between(r, 0, 5))
  const squash = between(r, 0.08, 0.15)
  return Array.from({ length: count }, (_, k): Corner => {
    const angle = 2 * Math.PI * (k + between(r, 0, 0.7)) / count
    return [0.15 * Math.cos(angle), squash * Math.sin(angle)]
  })
}

function expectInPlane({ frames }: Recorded, bodies: number): void {
  for (const frame of frames) {
    for (let body = 0; body < bodies; body++) {
      const { position, orientation, linearVelocity, angularVelocity } = bodyAt(frame, body)
      const out = [position[1]!, orientation[0]!, orientation[2]!, linearVelocity[1]!, angularVelocity[0]!, angularVelocity[2]!]
      expect(out.map(value => Number.isNaN(value) ? 0 : Math.abs(value))).toEqual([0, 0, 0, 0, 0, 0])
    }
  }
}

/** m²: by which two convex polygons overlap. */
function overlapArea(a: readonly Corner[], b: readonly Corner[]): number {
  let left: Corner[] = [...a]
  b.forEach(([x, z], k) => {
    const [u, w] = b[(k + 1) % b.length]!
    const inside = ([p, q]: Corner): number => (u - x) * (q - z) - (w - z) * (p - x)
    left = left.flatMap((here, i) => {
      const next = left[(i + 1) % left.length]!
      const [from, to] = [inside(here), inside(next)]
      const cut: Corner = [here[0] + (next[0] - here[0]) * from / (from - to), here[1] + (next[1] - here[1]) * from / (from - to)]
      return [...(from >= 0 ? [here] : []), ...(from * to < 0 ? [cut] : [])]
    })
  })
  return left.reduce((sum, [x, z], k) => sum + (x * left[(k + 1) % left.length]![1] - left[(k + 1) % left.length]![0] * z) / 2, 0)
}

function placed(corners: readonly Corner[], { position, orientation }: { readonly position: readonly number[], readonly orientation: readonly number[] }): Corner[] {
  const angle = 2 * Math.atan2(orientation[1]!, orientation[3]!)
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  return corners.map(([x, z]) => [position[0]! + c * x + s * z, position[2]! - s * x + c * z])
}

describe.each(['event-driven', 'time-stepping'])('in the plane, %s', method => {
  const plane = (rest: object = {}): object => ({ method, dimensions: 2, outputRate: 60, timeStepping: { step: 1 / 240 }, ...rest })

  it('a box slides and a disc rolls down a slope as the closed forms say', () => {
    const angle = 0.4
    const down = [Math.cos(angle), 0, -Math.sin(angle)]
    const normal = [Math.sin(angle), 0, Math.cos(angle)]
    const at = (along: number, above: number): number[] => down.map((value, k) => along * value + above * normal[k]!)
    const run = recorded(sceneOf([
      { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] },
      { id: 'box', position: at(3, 0.1), orientation: turn([0, 1, 0], angle), shapes: [prism(rectangle(0.4, 0.2))] },
      { id: 'disc', position: at(0, 0.1), shapes: [disc(0.1)] },
    ], 0.2, plane({ duration: 1 })))
    expect(run.end.status).toBe('completed')
    expectInPlane(run, 3)
    const speed = (id: string): number => bodyIn(run, id).linearVelocity.reduce((sum, value, k) => sum + value * down[k]!, 0)
    expect(speed('box')).toBeCloseTo(9.81 * (Math.sin(angle) - 0.2 * Math.cos(angle)), 7)
    expect(speed('disc')).toBeCloseTo(2 / 3 * 9.81 * Math.sin(angle), 7)
    expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThanOrEqual(1e-9)
  })

  it('a block rests on two points that share its weight', () => {
    const run = recorded(sceneOf([ground, { id: 'block', position: [0, 0, 0.1], shapes: [prism(rectangle(0.4, 0.2))] }], 0.5, plane({ duration: 0.2 })))
    const last = run.contacts.at(-1)!
    expect(last.count).toBe(2)
    const weight = 1000 * 0.4 * 0.2 * 0.2 * 9.81
    for (const force of last.normalForce) expect(force).toBeCloseTo(weight / 2, 7)
    expect(contactForceOn(last, indexOf(run, 'block')).total[2]).toBeCloseTo(weight, 7)
  })

  it('pendulum, slider and rod hold their joints', () => {
    const run = recorded(sceneOf([
      { id: 'arm', position: [0.5, 0, 1], shapes: [prism(rectangle(1, 0.1))] },
      { id: 'bob', position: [1.2, 0, 1], shapes: [disc(0.1)] },
      { id: 'cart', position: [0, 0, -1], shapes: [prism(rectangle(0.3, 0.1))], linearVelocity: [1, 0, 0] },
    ], 0.5, plane({ duration: 1 }), { joints: [
      { id: 'hinge', type: 'hinge', bodyA: 'arm', bodyB: null, anchor: [0, 0, 1], axis: [0, 1, 0] },
      { id: 'rod', type: 'distance', bodyA: 'bob', bodyB: 'arm', anchor: [1.2, 0, 1], anchorB: [1, 0, 1] },
      { id: 'rail', type: 'slider', bodyA: 'cart', bodyB: null, anchor: [0, 0, -1], axis: [1, 0, 0] },
    ] }))
    expect(run.end.status).toBe('completed')
    expectInPlane(run, 3)
    expect(bodyIn(run, 'cart').position[0]).toBeCloseTo(1, 9)
    expect(worst(run, ({ maxJointError }) => maxJointError)).toBeLessThanOrEqual(1e-9)
  })

  it('polygons, discs and rods poured into a box do not overlap', { tags: 'long' }, () => {
    const r = random(7)
    const shapes = Array.from({ length: method === 'event-driven' ? 3 : 6 }, () => polygon(r))
    const wall = (id: string, x: number): object => ({ id, type: 'fixed', position: [x, 0, 0.6], shapes: [prism(rectangle(0.2, 1.4))] })
    const run = recorded(sceneOf([
      { id: 'floor', type: 'fixed', position: [0, 0, -0.1], shapes: [prism(rectangle(1.2, 0.2))] }, wall('west', -0.4), wall('east', 0.4),
      ...shapes.map((corners, k) => ({ id: `p${k}`, position: [between(r, -0.1, 0.1), 0, 0.25 + 0.32 * k], shapes: [prism(corners)], angularVelocity: [0, between(r, -2, 2), 0] })),
      { id: 'disc', position: [0.05, 0, 0.35 + 0.32 * shapes.length], shapes: [disc(0.1)] }, { id: 'rod', position: [-0.05, 0, 0.7 + 0.32 * shapes.length], shapes: [rod(0.05, 0.15)] },
    ], 0.4, plane({ duration: 1.5, eventDriven: { maxEventsPerFrame: 100 } })))
    expect([run.end.status, run.end.message]).toEqual(['completed', ''])
    expectInPlane(run, 5 + shapes.length)
    const solids = [rectangle(1.2, 0.2), rectangle(0.2, 1.4), rectangle(0.2, 1.4), ...shapes]
    let most = 0
    for (const frame of run.frames) {
      const here = solids.map((corners, body) => placed(corners, bodyAt(frame, body)))
      here.forEach((p, i) => here.slice(Math.max(3, i + 1)).forEach(q => { if (q !== p) most = Math.max(most, overlapArea(p, q)) }))
    }
    expect(most).toBeLessThanOrEqual(1e-15)
    expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThanOrEqual(1e-9)
    expect(run.contacts.at(-1)!.count).toBeGreaterThanOrEqual(shapes.length + 2)
  })
})

describe.each(['event-driven', 'time-stepping', 'penalty'])('a push beside the plane, %s', method => {
  it('moves and rotates a disc within the plane only', () => {
    const run = recorded(sceneOf([{ id: 'disc', position: [0, 0, 1], shapes: [disc(0.1)] }], 0.5, { method, dimensions: 2, duration: 0.2 }, {
      gravity: [0, 0, 0], forces: [
        { id: 'push', type: 'point', body: 'disc', point: [0, 0.05, 0.1], force: [3, 0, 2], frame: 'world' },
        { id: 'twist', type: 'torque', body: 'disc', torque: [0.3, 0, 0.2], frame: 'world' },
      ],
    }))
    expect(run.end.status).toBe('completed')
    expectInPlane(run, 1)
    const { linearVelocity, angularVelocity } = bodyIn(run, 'disc')
    expect(linearVelocity[0]! / linearVelocity[2]!).toBeCloseTo(1.5, 9)
    expect(angularVelocity[1]!).toBeGreaterThan(0)
    expect(Math.max(...run.certificates.map(({ energy }) => Math.abs(energy.residual)))).toBeLessThanOrEqual(1e-3)
  })
})

it('by the penalty method, too, a block stays in the plane and sinks in by its weight divided by two springs', { tags: 'long' }, () => {
  const run = recorded(sceneOf([ground, { id: 'block', position: [0, 0, 0.1], shapes: [prism(rectangle(0.4, 0.2))] }], 0.5, { method: 'penalty', dimensions: 2, duration: 1 }))
  expect(run.end.status).toBe('completed')
  expectInPlane(run, 2)
  expect(bodyIn(run, 'block').position[2]).toBeCloseTo(0.1 - 1000 * 0.4 * 0.2 * 0.2 * 9.81 / 2e6, 9)
})

describe('motion out of the plane is refused', () => {
  const scene = (body: object, rest: object = {}): object => sceneOf([{ id: 'body', shapes: [disc(0.1)], ...body }], 0.5, { dimensions: 2 }, rest)
  it.each<[string, object, string]>([
    ['a body beside it', scene({ position: [0, 0.2, 0] }), 'bodies[0].position'],
    ['a body turned out of it', scene({ orientation: turn([1, 0, 0], 0.1) }), 'bodies[0].orientation'],
    ['a velocity', scene({ linearVelocity: [0, 1, 0] }), 'bodies[0].linearVelocity'],
    ['a spin', scene({ angularVelocity: [1, 0, 0] }), 'bodies[0].angularVelocity'],
    ['gravity', scene({}, { gravity: [0, 1, 0] }), 'gravity'],
    ['a cone', scene({ shapes: [{ type: 'cone', radius: 0.1, height: 0.2, material: 'stone' }] }), 'bodies[0].shapes[0]'],
    ['a cylinder along z', scene({ shapes: [{ type: 'cylinder', radius: 0.1, height: 0.2, material: 'stone' }] }), 'bodies[0].shapes[0]'],
    ['a box on one side', scene({ shapes: [{ type: 'box', size: [0.1, 0.1, 0.1], position: [0, 0.1, 0], material: 'stone' }] }), 'bodies[0].shapes[0]'],
    ['a tetrahedron', scene({ shapes: [{ type: 'convexHull', points: [[0, -1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], material: 'stone' }] }), 'bodies[0].shapes[0]'],
    ['a hinge across', scene({}, { joints: [{ id: 'j', type: 'hinge', bodyA: 'body', bodyB: null, anchor: [0, 0, 0], axis: [1, 0, 0] }] }), 'joints[0].axis'],
    ['a universal joint', scene({}, { joints: [{ id: 'j', type: 'universal', bodyA: 'body', bodyB: null, anchor: [0, 0, 0], axisA: [1, 0, 0], axisB: [0, 1, 0] }] }), 'joints[0].type'],
    ['cloth', scene({}, { deformables: [{ id: 'r', type: 'rope', material: 'stone', points: [[0, 0, 1], [1, 0, 1]], segments: 4, radius: 0.01 }] }), 'deformables[0]'],
  ])('%s', (_, source, path) => {
    const { problems, scene: compiled } = check(source)
    expect(compiled).toBeNull()
    expect(problems.filter(({ severity }) => severity === 'error').map(problem => problem.path)).toContain(path)
  })
})
