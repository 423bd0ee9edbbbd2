/**
 * Counts of the engine's work for small problems: queries, iterations and witness hits of colliders, pivots and sweeps of solvers, steps and solves
 * of runs, and a hash of the results. They do not depend on the machine. A search that takes longer to find the same result is detected here and in
 * no other test.
 */
import { readFileSync } from 'node:fs'
import { createCollider } from '../../../core/collision/collider'
import { Difference } from '../../../core/collision/curved/difference'
import { FeaturePairDirection } from '../../../core/collision/curved/feature-pair-direction'
import { flatConvex, LINE, PLANE, POINT, RIM, SIDE, SMOOTH } from '../../../core/collision/curved/flat-convex'
import { createPrimitive, type ShapeSpec } from '../../../core/geometry/primitives'
import type { Primitive } from '../../../core/geometry/shape'
import { SOLVERS, type ContactSolver } from '../../../core/lcp'
import { StateHash } from '../../../core/math/hash'
import { multiply, transpose, type Mat3 } from '../../../core/math/matrix'
import { IDENTITY_POSE, type Pose } from '../../../core/math/pose'
import { multiplyQuaternions, normalizeQuaternion, toMatrix } from '../../../core/math/quaternion'
import { addScaled, scale } from '../../../core/math/vector'
import { midpointTurn } from '../../../core/methods/time-stepping/rotation'
import { between, direction, orientation, random, vector, type Random } from '../../unit/core/collision/random'
import { randomProblem } from '../../unit/core/lcp/problems'
import { recorded, type Recorded } from '../support'

export type Counts = Readonly<Record<string, number | string>>
export type Work = Readonly<Record<string, Counts>>

const KINDS = ['box', 'hull', 'sphere', 'capsule', 'cylinder', 'cone', 'ellipsoid', 'superquadric', 'formula'] as const
type Kind = typeof KINDS[number]
/** Numbers of pairs of solids of two kinds, of poses of each pair, and of contact problems for a solver: some hundredths of a second each. */
const PAIRS = 4
const PLACES = 12
const PROBLEMS = 20

function shapeOf(r: Random, kind: Kind): ShapeSpec {
  const s = () => between(r, 0.2, 1)
  switch (kind) {
    case 'sphere': return { type: 'sphere', radius: s() }
    case 'capsule': case 'cylinder': case 'cone': return { type: kind, radius: s(), height: s() }
    case 'ellipsoid': return { type: 'ellipsoid', radii: [s(), s(), s()] }
    case 'superquadric': return { type: 'superquadric', radii: [s(), s(), s()], exponents: [between(r, 0.2, 1.8), between(r, 0.2, 1.8)] }
    case 'formula': return { type: 'implicit', formula: '(x/0.4)^2 + (y/0.2)^2 + (z/0.5)^2 - 1' }
    case 'box': return { type: 'box', size: [s(), s(), s()] }
    case 'hull': return { type: 'convexHull', points: Array.from({ length: 20 }, () => scale(direction(r), between(r, 0.4, 0.5))) }
  }
}

/** Making a surface from a formula takes long, so there is only one. */
const made = new Map<string, Primitive>()

function solid(r: Random, kind: Kind): Primitive {
  const shape = shapeOf(r, kind)
  if (kind !== 'formula') return createPrimitive(shape)
  if (!made.has(kind)) made.set(kind, createPrimitive(shape))
  return made.get(kind)!
}

/** One collider for each pair of solids: at independent poses, or each near the previous one. */
function collisions(kindA: Kind, kindB: Kind, coherent: boolean): Counts {
  const r = random(11)
  const hash = new StateHash()
  const total = { queries: 0, witnessHits: 0, iterations: 0, touching: 0 }
  const far = (): Pose => ({ position: scale(direction(r), between(r, 0.6, 2)), orientation: orientation(r) })
  const near = ({ position, orientation: turned }: Pose): Pose => ({
    position: addScaled(position, direction(r), 0.01),
    orientation: normalizeQuaternion(multiplyQuaternions(normalizeQuaternion([between(r, -0.01, 0.01), between(r, -0.01, 0.01), 0.01, 1]), turned)),
  })
  for (let pair = 0; pair < PAIRS; pair++) {
    const collider = createCollider({ primitive: solid(r, kindA), pose: IDENTITY_POSE }, { primitive: solid(r, kindB), pose: IDENTITY_POSE })!
    const there: Pose = { position: vector(r, 0.1), orientation: orientation(r) }
    let at = far()
    for (let place = 0; place < PLACES; place++) {
      const { separation, normal } = collider.separating(at, there)
      hash.add(separation)
      hash.addAll(normal)
      if (separation <= 0) total.touching++
      at = coherent ? near(at) : far()
    }
    const { queries, witnessHits, iterations } = collider.counts
    total.queries += queries
    total.witnessHits += witnessHits
    total.iterations += iterations
  }
  return { ...total, hash: hash.digest() }
}

const FEATURES = new Map([[POINT, 'point'], [LINE, 'line'], [SIDE, 'side'], [RIM, 'rim'], [SMOOTH, 'surface']])

/** Newton steps to the facing directions of all features of two solids, by the kinds of the features, from a start that is not the result. */
function directions(kindA: Kind, kindB: Kind): Counts {
  const r = random(13)
  const hash = new StateHash()
  const difference = new Difference()
  const pair = new FeaturePairDirection(difference)
  const counts: Record<string, number> = {}
  for (let n = 0; n < PAIRS * PLACES; n++) {
    const [a, b] = [flatConvex(solid(r, kindA)), flatConvex(solid(r, kindB))]
    const [at, there] = [{ position: scale(direction(r), between(r, 1, 2)), orientation: orientation(r) }, { position: vector(r, 0.1), orientation: orientation(r) }]
    difference.place(a, b, at, IDENTITY_POSE, there, IDENTITY_POSE)
    const { position: [x, y, z] } = difference as unknown as { position: [number, number, number] }
    const far = Math.sqrt(x * x + y * y + z * z)
    for (let i = 0; i < a.count; i++) {
      for (let j = 0; j < b.count; j++) {
        if (a.types[i] === PLANE || b.types[j] === PLANE) continue
        Object.assign(pair, { nx: -x / far, ny: -y / far, nz: -z / far, px: 0, py: 0, pz: 0, qx: x, qy: y, qz: z, steps: 0 })
        const kinds = `${FEATURES.get(a.types[i]!)} and ${FEATURES.get(b.types[j]!)}`
        const found = pair.find(i, j)
        counts[`${kinds}: found`] = (counts[`${kinds}: found`] ?? 0) + Number(found)
        counts[`${kinds}: steps`] = (counts[`${kinds}: steps`] ?? 0) + pair.steps
        if (found) hash.addAll([pair.nx, pair.ny, pair.nz, pair.distance, pair.firmness])
      }
    }
  }
  return { ...counts, hash: hash.digest() }
}

/** Newton iterations to the rotations of a step; each evaluates the inertia times θ once. */
function rotations(): Counts {
  const r = random(17)
  const hash = new StateHash()
  let iterations = 0
  for (let n = 0; n < 200; n++) {
    const axes = toMatrix(orientation(r))
    const [y, z] = [between(r, 1, 1.9), between(r, 1, 1.9)]
    const about = (values: readonly number[]): Mat3 => multiply(multiply(axes, [values[0]!, 0, 0, 0, values[1]!, 0, 0, 0, values[2]!]), transpose(axes))
    const inertia = [...about([1, y, z])]
    const first = inertia[0]!
    let reads = 0
    Object.defineProperty(inertia, 0, { get: () => { reads++; return first } })
    // Rotations of a milliradian to a radian.
    const theta = midpointTurn(inertia as unknown as Mat3, about([1, 1 / y, 1 / z]), scale(direction(r), [1e-3, 1e-2, 0.1, 1][n % 4]!), 1)
    iterations += reads / 2 // for the residual and its derivative
    hash.addAll(theta)
  }
  return { iterations, hash: hash.digest() }
}

/** Every solver over the same random heaps; from nothing, and from the index set of the solution. */
function problems(solver: ContactSolver, level: 'acceleration' | 'velocity', spins: boolean): Counts {
  const counts: Record<string, number> = { pivots: 0, sweeps: 0, again: 0, hits: 0 }
  for (let seed = 1; seed <= PROBLEMS; seed++) {
    const problem = randomProblem(seed, level, 24, spins)
    const solution = solver.solve(problem)
    const again = solver.solve(problem, { start: solution })
    counts[solution.status] = (counts[solution.status] ?? 0) + 1
    counts.pivots! += solution.pivots
    counts.sweeps! += solution.history.length
    counts.again! += again.pivots
    counts.hits! += again.basisHit ? 1 : 0
  }
  return counts
}

/** The beginning of a scene's run. */
function run(path: string, method: string, duration: number, settings: object = {}): Counts {
  const scene = JSON.parse(readFileSync(new URL(`../../../scenes/${path}.cairn.json`, import.meta.url), 'utf8')) as { simulation?: object }
  return counted(recorded({ ...scene, simulation: { ...scene.simulation, method, duration, ...settings } }))
}

/**
 * Boxes that fall on a rotating plate and on each other and come to rest on the floor, beside a pendulum, a rope and a cube that spins freely: all parts of a
 * time step with contacts in a heap, a small island and none.
 *
 * @param drop m: gap between layers
 * @param onPlate without the plate the heap falls on the floor, without bouncing
 */
function heap(drop: number, duration: number, step: number, onPlate = true): Counts {
  const cubes = Array.from({ length: 72 }, (_, k) => ({
    id: `cube${k}`, position: [0.21 * (k % 4), 0.21 * (Math.floor(k / 4) % 3), (onPlate ? 0.26 : 0.1 + drop) + (0.2 + drop) * Math.floor(k / 12)],
    linearVelocity: [onPlate ? 0.1 * (k % 3) : 0, 0, -1], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'm' }],
  }))
  const ran = recorded({
    format: 'cairn-scene', version: 1, materials: [{ id: 'm', density: 1000, friction: { static: 0.5, dynamic: 0.4 }, restitution: onPlate ? 0.2 : 0 }],
    bodies: [
      { id: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'm' }] },
      ...onPlate ? [{ id: 'plate', type: 'kinematic', position: [0.3, 0.2, 0.08], angularVelocity: [0, 0, 0.5], shapes: [{ type: 'box', size: [1.2, 1.2, 0.15], material: 'm' }] }] : [],
      { id: 'bob', position: [5, 0, 1], linearVelocity: [1, 0, 0], shapes: [{ type: 'sphere', radius: 0.1, material: 'm' }] },
      { id: 'weight', position: [7, 0, 1], shapes: [{ type: 'sphere', radius: 0.1, material: 'm' }] },
      { id: 'spinning', position: [9, 0, 3], angularVelocity: [1, 2, 3], shapes: [{ type: 'box', size: [0.3, 0.2, 0.1], material: 'm' }] },
      ...cubes,
    ],
    joints: [{ id: 'hook', type: 'ball', bodyA: 'bob', bodyB: null, anchor: [5, 0, 1.5] }],
    deformables: [{ id: 'rope', type: 'rope', material: 'm', points: [[7, 0, 1.6], [7, 0, 1.1]], segments: 4, pins: [0], attachments: [{ vertex: 4, body: 'weight' }] }],
    simulation: { method: 'time-stepping', duration, outputRate: Math.round(1 / step), timeStepping: { step } },
  })
  const { energy } = ran.certificates.at(-1)!
  return { ...counted(ran), energy: JSON.stringify(energy), solver: ran.end.solver.name, maxContacts: ran.end.solver.maxContacts }
}

function counted({ end, certificates, contacts, events }: Recorded): Counts {
  const sum = (of: (frame: typeof certificates[number]) => number) => certificates.reduce((total, frame) => total + of(frame), 0)
  return {
    status: end.status, frames: end.frames, steps: end.steps, solves: end.solver.calls, hits: end.solver.basisHits, pivots: end.solver.pivots,
    sweeps: sum(frame => frame.solvedSweeps.reduce((total, sweeps) => total + sweeps, 0)), hardest: sum(frame => frame.residualHistory.length),
    contacts: contacts.length, events: events.length, fallbacks: end.fallbacks.count, hash: end.finalHash,
  }
}

const RUNS: readonly (readonly [scene: string, method: string, duration: number, settings?: object])[] = [
  ['verification/stack-of-10', 'time-stepping', 0.1], ['verification/stack-of-10', 'event-driven', 0.1], ['verification/chair', 'event-driven', 0.1],
  ['verification/impact-pile-up', 'event-driven', 0.5], ['verification/impact-pile-up', 'time-stepping', 0.5], ['verification/billiard-break', 'event-driven', 0.3],
  ['verification/block-tipping', 'event-driven', 0.3], ['verification/rolling-or-slipping', 'event-driven', 0.3], ['verification/rolling-or-slipping', 'time-stepping', 0.3],
  ['verification/spinning-and-rolling', 'event-driven', 0.3], ['verification/rocking-ellipsoid', 'event-driven', 0.2], ['verification/four-bar', 'event-driven', 0.3],
  ['verification/four-bar', 'time-stepping', 0.1], ['verification/gears-on-moving-frames', 'event-driven', 0.1], ['verification/mass-ratio-1000', 'time-stepping', 0.1],
  ['verification/block-spinning-on-corners', 'event-driven', 0.1], ['verification/bead-on-helix', 'event-driven', 0.3], ['verification/rod-indeterminate', 'event-driven', 1e-5],
  ['twenty-dominoes', 'time-stepping', 0.3], ['card-house', 'time-stepping', 0.1], ['capsules-and-a-cone', 'time-stepping', 0.3], ['jack-down-stairs', 'time-stepping', 0.3],
  ['newtons-cradle', 'event-driven', 0.3], ['stack-of-ten', 'penalty', 0.02],
]

/** All counts by kind of work. */
export function workloads(): [name: string, work: () => Counts][] {
  const pairs = KINDS.flatMap((a, i) => KINDS.slice(i).flatMap(b => [false, true].map((coherent): [string, () => Counts] =>
    [`${coherent ? 'following' : 'scattered'}: ${a} and ${b}`, () => collisions(a, b, coherent)])))
  const curved = ['cylinder', 'cone', 'ellipsoid'] as const
  const facing = curved.flatMap((a, i) => [...curved.slice(i), 'capsule' as const, 'box' as const].map((b): [string, () => Counts] =>
    [`directions: ${a} and ${b}`, () => directions(a, b)]))
  const solves = SOLVERS.flatMap(solver => (['acceleration', 'velocity'] as const).flatMap(level => [false, true].map((spins): [string, () => Counts] =>
    [`${solver.name}: ${level}${spins ? ' with spin' : ''}`, () => problems(solver, level, spins)])))
  const runs = RUNS.map(([scene, method, duration, settings]): [string, () => Counts] => [`${method}: ${scene}, ${duration} s`, () => run(scene, method, duration, settings)])
  const heaps: [string, () => Counts][] = [
    ['time-stepping: a heap that falls, 0.2 s', () => heap(0.02, 0.2, 0.02)], ['time-stepping: a heap that falls close together, 0.2 s', () => heap(0.001, 0.2, 0.01)],
    ['time-stepping: a heap that comes to rest, 0.5 s', () => heap(0.001, 0.5, 0.01, false)],
  ]
  return [...pairs, ...facing, ['rotations of a step', rotations], ...solves, ...runs, ...heaps]
}
