/**
 * Random valid scenes of what `randomScene` leaves out: surfaces by formulas and meshes, deformables, motion in the plane, coordinates of joints, drives
 * and breaking joints, paths and removal of bodies, sleep, and every solver and law.
 */
import type { Random } from './random'
import { randomScene, type RandomScene } from './scene'

type Options = Record<string, unknown>

export function randomVariant(r: Random): RandomScene {
  const planar = r.chance(0.15)
  const base = planar ? planarScene(r) : randomScene(r)
  const soft = !planar && r.chance(0.3)
  const { simulation, joints = [] } = base as unknown as { simulation: Options; joints?: readonly Options[] }
  const method = soft ? r.of(['auto', 'time-stepping']) : simulation.method as string
  const bodies = base.bodies.map(body => varied(r, body as Options, planar))
  const dynamic = bodies.filter(({ type }) => type === 'dynamic').map(({ id }) => id as string)
  return {
    ...base, bodies: bodies as RandomScene['bodies'],
    ...joints.length > 0 ? { joints: joints.map(joint => driven(r, joint)) } : {},
    ...soft ? { deformables: Array.from({ length: 1 + r.index(2) }, (_, i) => deformable(r, i, dynamic)) } : {},
    ...r.chance(0.1) && method !== 'penalty' ? { gravityKeys: [{ time: 0.1, gravity: planar ? [3, 0, -9] : r.vector(10) }] } : {},
    ...dynamic.length > 0 && r.chance(0.1) ? { sensors: [{ id: 'felt', type: 'contact', body: r.of(dynamic) }, { id: 'turned', type: 'imu', body: r.of(dynamic) }] } : {},
    simulation: {
      ...simulation, method, ...planar ? { dimensions: 2 } : {},
      ...!soft && method !== 'penalty' && r.chance(0.25) ? { coordinates: 'reduced' } : {},
      eventDriven: eventDriven(r, method), timeStepping: timeStepping(r), ...method === 'penalty' && r.chance(0.5) ? { penalty: { joints: {} } } : {},
    },
  }
}

function eventDriven(r: Random, method: string): Options {
  return {
    ...r.chance(0.2) ? { integrator: r.of(['rk4', 'midpoint']), step: 0.002 } : { tolerance: r.size(1e-11, 1e-5) },
    solver: r.of(['dantzig', 'lemke', 'gauss-seidel', 'jacobi', 'sor', 'qp']), staticFriction: r.of(['exact', 'exact', 'lotstedt', 'crawl', 'sign-guess']),
    impact: r.of(['simultaneous', 'sequential', 'energy-consistent']), rootFinder: r.of(['quadratic', 'bisection']),
    ...r.chance(0.2) ? { jointFeedback: { stiffness: r.size(10, 1e4), damping: r.size(1, 200) } } : {},
    ...method === 'event-driven' && r.chance(0.3) ? { flatSpots: r.of(['impulse', 'time-stepping']) } : {},
  }
}

function timeStepping(r: Random): Options {
  const solver = r.of(['auto', 'auto', 'dantzig', 'lemke', 'slack', 'gauss-seidel', 'jacobi', 'sor', 'accelerated'])
  return {
    step: r.of([0.01, 0.005, 1 / 240]), contactModel: solver === 'slack' ? 'peg' : r.of(['peg', 'peg', 'standard', 'half-spaces']), solver, sleep: r.chance(0.3),
    ...solver === 'slack' || r.chance(0.2) ? { frictionCone: 'polyhedral', frictionDirections: r.of([4, 8]) } : {},
    ...r.chance(0.2) ? { primaryContacts: 1 + r.index(3) } : {}, ...r.chance(0.2) ? { tolerance: r.size(1e-10, 1e-6) } : {},
  }
}

function varied(r: Random, body: Options, planar: boolean): Options {
  const shapes = body.shapes as readonly Options[]
  const kinematic = body.type === 'kinematic' && r.chance(0.7)
  const position = (body.position as number[] | undefined ?? [0, 0, 0]).map((x, i) => x + (planar && i === 1 ? 0 : r.between(-0.1, 0.1)))
  const path = [{ time: 0.1, position }, ...planar ? [] : [{ time: 0.15, orientation: r.orientation() }]]
  return {
    ...body, ...kinematic ? { path, linearVelocity: undefined, angularVelocity: undefined } : {},
    ...body.id !== 'ground' && r.chance(0.05) ? { removeTime: r.between(0.16, 0.2) } : {}, ...r.chance(0.1) ? { collision: { groups: 1 + r.index(3), mask: 1 + r.index(3) } } : {},
    shapes: shapes.map(shape => (!planar && shape.type !== 'halfSpace' && r.chance(0.35) ? { ...unusualShape(r), material: shape.material } : shape)),
  }
}

function unusualShape(r: Random): object {
  const [a, b, c] = [r.size(0.05, 0.4), r.size(0.05, 0.4), r.size(0.05, 0.4)]
  switch (r.index(4)) {
    case 0: return { type: 'implicit', formula: `(x/${a})^2 + (y/${b})^2 + (z/${c})^2 + ${r.between(0, 2)}*((x/${a})^4 + (z/${c})^4) - 1` }
    case 1: return { type: 'parametric', x: `${a}*sin(u)*cos(v)`, y: `${b}*sin(u)*sin(v)`, z: `${c}*(cos(u) + ${r.between(-0.1, 0.1)}*cos(u)^2)`, u: [0, Math.PI], v: [0, 2 * Math.PI] }
    default: return bent(a, b, c)
  }
}

/** An L of two boxes, as a mesh with its convex pieces. */
function bent(a: number, b: number, c: number): object {
  const outline = [[0, 0], [2 * a, 0], [2 * a, c], [a, c], [a, 2 * c], [0, 2 * c]] as const
  const vertices = [0, b].flatMap(y => outline.map(([x, z]) => [x, y, z]))
  const n = outline.length
  const sides = outline.map((_, i) => [i, n + i, n + (i + 1) % n, (i + 1) % n])
  const box = ([x0, x1]: readonly [number, number], [z0, z1]: readonly [number, number]) => ({ points: [x0, x1].flatMap(x => [0, b].flatMap(y => [z0, z1].map(z => [x, y, z]))) })
  return {
    type: 'mesh', vertices, faces: [[0, 1, 2, 3, 4, 5], [11, 10, 9, 8, 7, 6], ...sides], pieces: [box([0, 2 * a], [0, c]), box([0, a], [c, 2 * c])],
  }
}

function driven(r: Random, joint: Options): Options {
  const turns = joint.type === 'hinge' || joint.type === 'slider'
  return {
    ...joint, ...r.chance(0.2) ? { breakForce: r.size(1, 1000) } : {}, ...r.chance(0.1) ? { removeTime: 0.12 } : {},
    ...turns && r.chance(0.3) ? { servo: { target: r.between(-0.5, 0.5), stiffness: r.size(1, 1000), damping: r.size(0.1, 10), ...r.chance(0.5) ? { maxForce: r.size(1, 100) } : {} } } : {},
    ...turns && r.chance(0.2) ? { drive: { force: r.between(-5, 5) } } : {}, ...turns && r.chance(0.2) ? { spring: { stiffness: r.size(1, 100) } } : {},
  }
}

function deformable(r: Random, number: number, dynamic: readonly string[]): object {
  const at = [r.between(-0.5, 2), r.between(-0.5, 1), r.between(0.2, 2.5)] as const
  const common = { id: `soft${number}`, material: r.of(['a', 'b']), radius: r.size(0.004, 0.02), damping: r.of([0, 0.005]) }
  const held = dynamic.length > 0 && r.chance(0.5) ? { attachments: [{ vertex: 0, body: r.of(dynamic) }] } : r.chance(0.5) ? { pins: [0] } : {}
  const from = (x: number, y: number, z: number) => [at[0] + x, at[1] + y, at[2] + z]
  switch (r.index(4)) {
    case 0: return {
      ...common, ...held, type: 'rope', points: [from(0, 0, 0), from(r.between(0.3, 1), r.between(-0.5, 0.5), r.between(-0.3, 0.3))], segments: 4 + r.index(12),
      ...r.chance(0.3) ? { inextensible: true } : { axialStiffness: r.size(100, 1e6) }, bendingStiffness: r.of([0, 0.01, 1]),
    }
    case 1: return {
      ...common, type: 'hair', strands: [0, 1].map(k => ({ points: [0, 1, 2, 3].map(i => from(0.1 * i, 0.2 * k, 0.05 * i)) })), linearDensity: 0.01,
      bendingStiffness: r.size(1e-5, 1e-2),
    }
    case 2: return {
      ...common, type: 'particles', particles: [0, 1, 2].map(i => ({ position: from(0.2 * i, 0, 0.1 * i), mass: r.size(0.01, 10) })),
      springs: [{ a: 0, b: 1, restLength: 0.2, stiffness: r.size(10, 1e4) }, { a: 1, b: 2, restLength: 0.2, stiffness: r.size(10, 1e4), damping: 1 }],
    }
    default: {
      const n = 3 + r.index(3)
      const vertices = Array.from({ length: n * n }, (_, k) => from(0.12 * (k % n), 0.12 * Math.floor(k / n), 0))
      const triangles = Array.from({ length: (n - 1) * (n - 1) }, (_, k) => k + Math.floor(k / (n - 1))).flatMap(k => [[k, k + 1, k + n], [k + 1, k + n + 1, k + n]])
      return { ...common, ...held, type: 'cloth', vertices, triangles, bendWarp: r.size(1e-6, 1e-3) }
    }
  }
}

/** Prisms, discs and balls in the plane y = 0. */
function planarScene(r: Random): RandomScene {
  const { materials, simulation } = randomScene(r) as unknown as Record<string, Options>
  const turned = (angle: number) => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]
  const size = () => r.size(0.1, 0.6)
  const shapeOf = () => r.of([
    () => ({ type: 'box', size: [size(), 0.2, size()] }), () => ({ type: 'cylinder', radius: size() / 2, height: 0.3, orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] }),
    () => ({ type: 'sphere', radius: size() / 2 }), () => ({ type: 'convexHull', points: [[0, 0], [size(), 0], [0, size()]].flatMap(([x, z]) => [[x, -0.1, z], [x, 0.1, z]]) }),
  ])()
  const bodies = Array.from({ length: 1 + r.index(6) }, (_, i) => ({
    id: `b${i}`, type: r.chance(0.85) ? 'dynamic' : 'kinematic', position: [0.9 * (i % 3) + r.between(-0.1, 0.1), 0, 0.8 + 0.9 * Math.floor(i / 3)], orientation: turned(r.between(-3, 3)),
    linearVelocity: [r.between(-2, 2), 0, r.between(-2, 2)], angularVelocity: [0, r.between(-4, 4), 0], shapes: [{ ...shapeOf(), material: r.of(['a', 'b']) }],
  }))
  const dynamic = bodies.filter(({ type }) => type === 'dynamic')
  const normal = r.chance(0.7) ? [0, 0, 1] : [r.between(-0.4, 0.4), 0, 1]
  return {
    format: 'cairn-scene', version: 1, gravity: [0, 0, -9.81], materials,
    bodies: [{ id: 'ground', type: 'fixed', position: [0, 0, 0], shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'a' }] }, ...bodies],
    ...dynamic.length > 0 && r.chance(0.4) ? { joints: [{ id: 'j0', type: 'hinge', bodyA: r.of(dynamic).id, bodyB: null, anchor: [r.between(0, 1), 0, 1], axis: [0, 1, 0] }] } : {},
    simulation,
  }
}
