/**
 * Cost of contact finding: coherent and incoherent pairs with the share of witness hits, times of contact, and the broad phase for 100 to 10,000
 * moving boxes, with its pair changes and the exponent of its growth.
 */

import { createCollider } from '../../core/collision/collider'
import { SortAndSweep } from '../../core/collision/sort-and-sweep'
import { timeOfContact } from '../../core/collision/time-of-contact'
import { createPrimitive, type ShapeSpec } from '../../core/geometry/primitives'
import type { Bounds, Primitive } from '../../core/geometry/shape'
import { IDENTITY_POSE, type Pose } from '../../core/math/pose'
import { addScaled, length, scale } from '../../core/math/vector'
import { advance, between, direction, motionOf, orientation, random, vector } from '../unit/core/collision/random'

interface Row {
  readonly what: string
  readonly [column: string]: string | number
}

const placed = (primitive: Primitive) => ({ primitive, pose: IDENTITY_POSE })
/** µs of processor time, which does not depend on other work on the machine. */
const now = (): number => process.cpuUsage().user

function hullSpec(points: number): ShapeSpec {
  const r = random(points)
  return { type: 'convexHull', points: Array.from({ length: points }, () => scale(direction(r), between(r, 0.45, 0.5))) }
}

const SHAPES: Record<string, ShapeSpec> = {
  box: { type: 'box', size: [1, 1, 1] },
  'hull of 20': hullSpec(20),
  'hull of 100': hullSpec(100),
  sphere: { type: 'sphere', radius: 0.5 },
  ellipsoid: { type: 'ellipsoid', radii: [0.5, 0.4, 0.3] },
  capsule: { type: 'capsule', radius: 0.2, height: 0.6 },
  cylinder: { type: 'cylinder', radius: 0.3, height: 0.8 },
  cone: { type: 'cone', radius: 0.4, height: 0.8 },
  superquadric: { type: 'superquadric', radii: [0.5, 0.4, 0.3], exponents: [0.6, 0.8] },
}

/** µs of processor time for warm-up, so that the code is compiled, and for measuring, since the clock is coarse. */
const WARM = 200_000
const MEASURED = 100_000

/** µs a query, of passes over `n` of them. */
function timePerQuery(n: number, pass: () => void): number {
  let passes = 0
  for (const until = now() + WARM; now() < until;) pass()
  const from = now()
  do {
    pass()
    passes++
  } while (now() - from < MEASURED)
  return (now() - from) / (passes * n)
}

/** µs a query, witness hits: `coherent` moves 1 cm and 0.01 rad a query about 1 m away, else places are random. */
function pairRow(nameA: string, nameB: string, coherent: boolean): Row {
  const collider = createCollider(placed(createPrimitive(SHAPES[nameA]!)), placed(createPrimitive(SHAPES[nameB]!)))!
  const r = random(1)
  const n = coherent ? 4000 : 400
  const start = motionOf({ position: [1.5, 0.1, 0.2], orientation: orientation(r) }, [0, 0.3, -0.2], [0.7, 0.5, 0.5])
  const poses = Array.from({ length: n }, (_, k): Pose => coherent
    ? advance(start, Math.sin(k / 50)).pose : { position: scale(direction(r), between(r, 1.1, 2)), orientation: orientation(r) })
  const before = { ...collider.counts }
  const time = timePerQuery(n, () => poses.forEach(pose => collider.separation(pose, IDENTITY_POSE)))
  const queries = collider.counts.queries - before.queries
  return {
    what: `${nameA} / ${nameB}, ${coherent ? 'coherent' : 'incoherent'}`, 'µs a query': Number(time.toFixed(2)),
    'witness hits': `${Math.round(100 * (collider.counts.witnessHits - before.witnessHits) / Math.max(1, queries))} %`,
  }
}

function restingRow(what: string, name: string): Row {
  const shape = placed(createPrimitive(SHAPES[name]!))
  const collider = createCollider(shape, shape)!
  const height = shape.primitive.bounds.max[2] - shape.primitive.bounds.min[2]
  const pose: Pose = { position: [0.1, 0.2, height], orientation: [0, 0, Math.sin(0.2), Math.cos(0.2)] }
  const time = timePerQuery(1, () => collider.region(pose, IDENTITY_POSE, 1e-9))
  return { what: `contact region of two resting ${what}`, points: collider.region(pose, IDENTITY_POSE, 1e-9).length, 'µs a query': Number(time.toFixed(2)) }
}

function contactTimeRow(method: 'prediction' | 'bisection'): Row {
  const r = random(5)
  let [looks, hits] = [0, 0]
  const a = createPrimitive(SHAPES['hull of 20']!)
  const from = now()
  const n = 200
  for (let k = 0; k < n; k++) {
    const collider = createCollider(placed(a), placed(a))!
    const position = scale(direction(r), 3)
    const moving = motionOf({ position, orientation: orientation(r) }, addScaled(vector(r, 0.3), position, -1), vector(r, 5))
    const bounds = { speed: length(moving.velocity), acceleration: 0, angularSpeed: length(moving.angularVelocity), angularAcceleration: 0 }
    const rest = motionOf(IDENTITY_POSE, [0, 0, 0], [0, 0, 0])
    const found = timeOfContact(
      collider, { motionAt: t => advance(moving, t), bounds, ...placed(a) },
      { motionAt: () => rest, bounds: { speed: 0, acceleration: 0, angularSpeed: 0, angularAcceleration: 0 }, ...placed(a) }, 0, 1, { method },
    )
    looks += found.iterations
    hits += found.outcome === 'contact' ? 1 : 0
  }
  return { what: `time of contact by ${method}`, looks: Number((looks / n).toFixed(1)), 'µs': Math.round((now() - from) / n), contacts: `${hits} of ${n}` }
}

/** n boxes at constant density, each moving 1 % of its size a step: µs of the quickest of several runs, and exchanges, a step. */
function broadRow(n: number): { readonly boxes: number; readonly time: number; readonly exchanges: number; readonly pairs: number } {
  const steps = 50
  const runs = 5
  // The clock of processor time is coarse, so smaller scenes are run more often, in proportion.
  const scenes = Array.from({ length: Math.ceil(10_000 / n) }, (_, k) => k)
  let [time, exchanges, pairs] = [Infinity, 0, 0]
  for (let run = 0; run < runs; run++) {
    let spent = 0
    exchanges = pairs = 0
    for (const scene of scenes) {
      const r = random(n + scene)
      const side = 2 * Math.cbrt(n)
      const centers = Float64Array.from({ length: 3 * n }, () => side * r())
      // Hundredths of the greatest speed, and one box for all: what belongs to the bench should not take the sweep's room in the caches.
      const velocities = Int8Array.from({ length: 3 * n }, () => between(r, -100, 100))
      const sweep = new SortAndSweep(n)
      const bounds = { min: [0, 0, 0], max: [0, 0, 0] }
      const update = (step: number): void => {
        for (let i = 0; i < n; i++) {
          for (let axis = 0; axis < 3; axis++) {
            const at = centers[3 * i + axis]! + 1e-4 * velocities[3 * i + axis]! * step
            bounds.min[axis] = at - 0.5
            bounds.max[axis] = at + 0.5
          }
          sweep.set(i, bounds as unknown as Bounds)
        }
        sweep.update()
      }
      update(0)
      const before = sweep.exchanges
      const from = now()
      for (let step = 1; step <= steps; step++) update(step)
      spent += now() - from
      exchanges += sweep.exchanges - before
      pairs += sweep.pairs.length
    }
    time = Math.min(time, spent / (scenes.length * steps))
  }
  return { boxes: n, time, exchanges: exchanges / (scenes.length * steps), pairs: Math.round(pairs / scenes.length) }
}

function rows(): Row[] {
  const found: Row[] = []
  for (const [a, b] of [['box', 'box'], ['hull of 20', 'hull of 20'], ['hull of 100', 'hull of 100'], ['sphere', 'box'], ['ellipsoid', 'ellipsoid'],
    ['ellipsoid', 'box'], ['superquadric', 'superquadric'], ['superquadric', 'box'], ['capsule', 'box'], ['capsule', 'hull of 100'],
    ['cylinder', 'box'], ['cylinder', 'cylinder'], ['cone', 'cone'], ['cone', 'ellipsoid']] as const) {
    found.push(pairRow(a, b, true), pairRow(a, b, false))
  }
  found.push(restingRow('boxes', 'box'), restingRow('cylinders', 'cylinder'), contactTimeRow('prediction'), contactTimeRow('bisection'))
  // Warm-up: otherwise the first size would include compilation.
  broadRow(300)
  const broad = [100, 300, 1000, 3000, 10000].map(broadRow)
  found.push(...broad.map(({ boxes, time, exchanges, pairs }): Row => ({
    what: `broad phase, ${boxes} boxes`, 'µs a step': Math.round(time), 'exchanges a step': Number(exchanges.toFixed(1)), pairs, 'ns a box': Math.round(1000 * time / boxes),
  })))
  const [first, last] = [broad[0]!, broad[broad.length - 1]!]
  const exponent = (of: 'time' | 'exchanges'): string => (Math.log(last[of] / first[of]) / Math.log(last.boxes / first.boxes)).toFixed(2)
  found.push({ what: 'broad phase, exponents', time: exponent('time'), exchanges: exponent('exchanges') })
  return found
}

export default function run(): void {
  rows().forEach(({ what, ...figures }) => console.log(what.padEnd(52), Object.entries(figures).map(([name, value]) => `${name} ${value}`).join(', ')))
}
