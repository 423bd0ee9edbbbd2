/** Random valid scenes of all methods, shapes, joints and forces. */
import type { Random } from './random'

const METHODS = ['auto', 'event-driven', 'time-stepping', 'penalty'] as const

export type RandomScene = { readonly bodies: readonly object[] } & Record<string, unknown>

export function randomScene(r: Random): RandomScene {
  const count = 1 + r.index(7)
  const method = r.of(METHODS)
  const deep = method !== 'penalty' && r.chance(0.15)
  const spread = deep ? 0.3 : 1.4
  const bodies = Array.from({ length: count }, (_, i) => ({
    id: `b${i}`, type: r.chance(0.85) ? 'dynamic' : r.of(['fixed', 'kinematic']),
    position: [spread * (i % 3) + r.between(-0.1, 0.1), spread * (Math.floor(i / 3) % 2) + r.between(-0.1, 0.1), 0.9 + spread * Math.floor(i / 6) + r.between(0, 0.2)],
    ...(r.chance(0.7) ? { orientation: r.orientation() } : {}),
    ...(r.chance(0.5) ? { linearVelocity: r.vector(2), angularVelocity: r.vector(4) } : {}),
    ...(r.chance(0.05) ? { spawnTime: r.between(0, 0.15) } : {}),
    shapes: Array.from({ length: r.chance(0.85) ? 1 : 2 }, (_, k) => ({ ...shape(r), material: r.of(['a', 'b']), ...(k > 0 ? { position: r.vector(0.2), orientation: r.orientation() } : {}) })),
  }))
  const ground = { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: r.chance(0.7) ? [0, 0, 1] : [r.between(-0.4, 0.4), 0, 1], offset: 0, material: 'a' }] }
  const ids = bodies.filter(body => body.type === 'dynamic').map(body => body.id)
  return {
    format: 'cairn-scene', version: 1, gravity: r.chance(0.8) ? [0, 0, -9.81] : r.vector(10),
    materials: ['a', 'b'].map(id => ({ id, density: r.size(100, 8000), friction: friction(r, method), restitution: r.chance(0.5) ? r.share() : 0 })),
    bodies: r.chance(0.9) ? [ground, ...bodies] : bodies,
    ...(ids.length > 0 && r.chance(0.4) ? { joints: Array.from({ length: 1 + r.index(2) }, (_, i) => joint(r, i, ids, bodies)) } : {}),
    ...(ids.length > 0 && r.chance(0.4) ? { forces: Array.from({ length: 1 + r.index(2) }, (_, i) => force(r, i, ids)) } : {}),
    simulation: {
      duration: 0.2, outputRate: 30, method, ...(deep ? { initialOverlap: 'separate' } : {}), seed: r.index(1000),
      eventDriven: { ...(r.chance(0.3) ? { solver: r.of(['dantzig', 'lemke', 'gauss-seidel']) } : {}), ...(r.chance(0.3) ? { impact: r.of(['simultaneous', 'sequential']) } : {}) },
      timeStepping: { step: r.of([0.01, 0.005, 1 / 240]), ...(r.chance(0.3) ? { contactModel: 'peg' } : {}) },
    },
  }
}

function friction(r: Random, method: string): object {
  const dynamic = r.chance(0.2) ? 0 : r.share()
  const spin = method === 'penalty' ? 0 : 0.1
  return { static: dynamic * r.between(1, 1.5), dynamic, ...(r.chance(spin) ? { torsional: 0.01 } : {}), ...(r.chance(spin) ? { rolling: 0.005 } : {}) }
}

function shape(r: Random): object {
  const size = () => r.size(0.1, 0.8)
  switch (r.index(10)) {
    case 0: case 1: return { type: 'box', size: [size(), size(), size()] }
    case 2: return { type: 'sphere', radius: size() / 2 }
    case 3: return { type: 'ellipsoid', radii: [size() / 2, size() / 2, size() / 2] }
    case 4: return { type: 'superquadric', radii: [size() / 2, size() / 2, size() / 2], exponents: [r.between(0.4, 1.6), r.between(0.4, 1.6)] }
    case 5: return { type: 'capsule', radius: size() / 4, height: size() / 2 }
    case 6: return { type: 'cylinder', radius: size() / 2, height: size() }
    case 7: return { type: 'cone', radius: size() / 2, height: size() }
    case 8: return { type: 'convexHull', points: Array.from({ length: 4 + r.index(12) }, () => r.vector(0.4)) }
    default: {
      const [a, b, c] = [size() / 2, size() / 2, size() / 2]
      return { type: 'polyhedron', vertices: [[0, 0, 0], [a, 0, 0], [0, b, 0], [0, 0, c]], faces: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] }
    }
  }
}

function joint(r: Random, number: number, ids: readonly string[], bodies: readonly { id: string; position: readonly number[] }[]): object {
  const bodyA = r.of(ids)
  const bodyB = r.chance(0.5) ? null : r.of(ids.filter(id => id !== bodyA).concat(ids.length > 1 ? [] : [])) ?? null
  const anchor = bodies.find(({ id }) => id === bodyA)!.position.map(x => x + r.between(-0.3, 0.3))
  const common = { id: `j${number}`, bodyA, bodyB: bodyB ?? null }
  const axis = r.vector(1)
  const freedom = {
    ...(r.chance(0.3) ? { limits: { lower: -r.share(), upper: r.share() } } : {}), ...(r.chance(0.3) ? { motor: { targetVelocity: r.between(-3, 3), maxForce: r.size(0.1, 100) } } : {}),
    ...(r.chance(0.2) ? { damping: r.share() } : {}), ...(r.chance(0.2) ? { friction: r.share() } : {}),
  }
  switch (r.index(9)) {
    case 0: return { ...common, type: 'ball', anchor }
    case 1: return { ...common, type: 'hinge', anchor, axis, ...freedom }
    case 2: return { ...common, type: 'slider', anchor, axis, ...freedom }
    case 3: return { ...common, type: 'fixed', anchor }
    case 4: return { ...common, type: 'universal', anchor, axisA: [1, 0, 0], axisB: [0, 1, 0] }
    case 5: return { ...common, type: 'cylindrical', anchor, axis }
    case 6: return { ...common, type: 'planar', anchor, normal: axis }
    case 7: return { ...common, type: 'distance', anchor, anchorB: anchor.map(x => x + 0.5) }
    default: return { ...common, type: 'pointOnCurve', anchor, curve: { type: 'line', point: anchor, direction: axis } }
  }
}

function force(r: Random, number: number, ids: readonly string[]): object {
  const [id, body] = [`f${number}`, r.of(ids)]
  switch (r.index(8)) {
    case 0: return { id, type: 'uniform', force: r.vector(20) }
    case 1: return { id, type: 'point', body, point: r.vector(0.2), force: r.vector(20), frame: r.of(['body', 'world']) }
    case 2: return { id, type: 'torque', body, torque: r.vector(2) }
    case 3: return { id, type: 'drag', linear: r.share(), quadratic: r.share() }
    case 4: return { id, type: 'spring', bodyA: body, bodyB: null, pointB: r.vector(2), stiffness: r.size(1, 1000), damping: r.share() }
    case 5: return { id, type: 'attractor', center: r.vector(3), strength: r.size(0.1, 100), softening: r.chance(0.7) ? 0.2 : 0 }
    case 6: return { id, type: 'wind', velocity: r.vector(5), quadratic: r.share() }
    default: return { id, type: 'keyframed', body, interpolation: r.of(['linear', 'cubic']), keys: [{ time: 0, force: r.vector(5) }, { time: 0.1, force: r.vector(5) }] }
  }
}
