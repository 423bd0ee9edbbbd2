/** All differences between two runs: poses, motion, contact forces and events, over time and at their maximum. */
import type { TrajectoryReader } from '../reader'
import { compareEvents, type EventComparison } from './events'
import { pairForces, worstForce } from './forces'
import { distance, pairBodies, pairFrames, SAME_TIME, type BodyPair, type FramePair } from './frames'

export const quantities = ['position', 'rotation', 'velocity', 'spin', 'force'] as const
export type Quantity = (typeof quantities)[number]
export const quantityUnits: Readonly<Record<Quantity, string>> = { position: 'm', rotation: 'rad', velocity: 'm/s', spin: 'rad/s', force: 'N' }

/** Compared quantities and the tolerance of each, SI units; quantities not listed are reported only. `event`: s. */
export type Tolerances = Readonly<Partial<Record<Quantity | 'event', number>>>

export interface Divergence {
  /** s */
  readonly time: number
  readonly quantity: Quantity | 'existence' | 'event' | 'length' | 'bodies'
  /** A body, two bodies that touch, or a kind of event. */
  readonly of: string
  /** In the quantity's unit; null for events. */
  readonly difference: number | null
}

export interface Worst {
  readonly difference: number
  readonly of: string
  /** s */
  readonly time: number
}

export interface BodyDifference {
  readonly body: string
  /** m and rad, and when: s. */
  readonly position: number
  readonly rotation: number
  readonly time: number
  /** s: start of the time from which it exceeds the tolerance; null if it never does. */
  readonly since: number | null
}

export interface Differences {
  readonly equal: boolean
  readonly tolerances: Tolerances
  readonly first: RunFacts
  readonly second: RunFacts
  /** Frames of the same time, and the last such time, s. */
  readonly commonFrames: number
  readonly until: number
  /** Bodies that only one of the runs has. */
  readonly alone: readonly string[]
  readonly divergence: Divergence | null
  readonly worst: Readonly<Record<Quantity, Worst>>
  /** Bodies that differ, the largest difference first. */
  readonly bodies: readonly BodyDifference[]
  readonly events: EventComparison
  /** s, and the largest difference of any body or pair at that time. */
  readonly series: { readonly time: readonly number[] } & Readonly<Record<Quantity, readonly number[]>>
}

export interface RunFacts {
  readonly scene: string
  readonly sceneHash: string
  readonly engine: string
  readonly method: string
  readonly outputRate: number
  readonly frames: number
  /** s, of the last frame. */
  readonly until: number
  readonly complete: boolean
}

/** Bodies are matched by id, frames by time, contacts by bodies, events by kind, bodies and approximate time. */
export async function differences(first: TrajectoryReader, second: TrajectoryReader, tolerances: Tolerances): Promise<Differences> {
  const { pairs, alone } = pairBodies(first, second)
  const bodies = pairs.map(({ id }) => ({ body: id, position: 0, rotation: 0, time: 0, since: null as number | null }))
  const series: Record<Quantity | 'time', number[]> = { time: [], position: [], rotation: [], velocity: [], spin: [], force: [] }
  const worst = Object.fromEntries(quantities.map(quantity => [quantity, { difference: 0, of: '', time: 0 }])) as Record<Quantity, Worst>
  let divergence: Divergence | null = alone.length > 0 ? { time: 0, quantity: 'bodies', of: alone.join(', '), difference: null } : null

  for await (const frames of pairFrames(first, second)) {
    const now = Object.fromEntries(quantities.map(quantity => [quantity, { difference: 0, of: '', time: frames.time }])) as Record<Quantity, Worst>
    pairs.forEach((pair, k) => {
      const found = bodyDifference(pair, frames)
      if (found === 'existence') {
        divergence ??= { time: frames.time, quantity: 'existence', of: pair.id, difference: null }
        return
      }
      if (found === null) return
      for (const quantity of ['position', 'rotation', 'velocity', 'spin'] as const) {
        if (found[quantity] > now[quantity].difference) now[quantity] = { difference: found[quantity], of: pair.id, time: frames.time }
      }
      const body = bodies[k]!
      if (exceeds(found.position, tolerances.position) || exceeds(found.rotation, tolerances.rotation)) body.since ??= frames.time
      if (found.position > body.position) Object.assign(body, { position: found.position, time: frames.time })
      body.rotation = Math.max(body.rotation, found.rotation)
    })
    const force = worstForce(pairForces(first.contacts(frames.first), first.header), pairForces(second.contacts(frames.second), second.header))
    now.force = { difference: force.difference, of: force.pair, time: frames.time }
    series.time.push(frames.time)
    for (const quantity of quantities) {
      series[quantity].push(now[quantity].difference)
      if (now[quantity].difference > worst[quantity].difference) worst[quantity] = now[quantity]
      if (exceeds(now[quantity].difference, tolerances[quantity])) divergence ??= { quantity, ...now[quantity] }
    }
  }

  const facts = [factsOf(first), factsOf(second)] as const
  const until = series.time.at(-1) ?? 0
  const window = tolerances.event ?? 1 / Math.min(facts[0].outputRate, facts[1].outputRate)
  const events = compareEvents(first, second, window, Math.min(facts[0].until, facts[1].until))
  const earliest = [...events.onlyFirst.slice(0, 1), ...events.onlySecond.slice(0, 1)].sort((a, b) => a.time - b.time)[0]
  const lone = tolerances.event === undefined ? undefined : earliest
  if (lone && (divergence === null || lone.time < (divergence as Divergence).time)) {
    divergence = { time: lone.time, quantity: 'event', of: `${lone.kind} ${lone.bodies.join(' – ')}`.trim(), difference: null }
  }
  if (Math.abs(facts[0].until - facts[1].until) > SAME_TIME * Math.max(1, until)) {
    divergence ??= { time: Math.min(facts[0].until, facts[1].until), quantity: 'length', of: '', difference: Math.abs(facts[0].until - facts[1].until) }
  }
  return {
    equal: divergence === null, tolerances, first: facts[0], second: facts[1], commonFrames: series.time.length, until, alone, divergence, worst,
    bodies: bodies.filter(({ position, rotation }) => position > 0 || rotation > 0).sort((a, b) => b.position - a.position), events, series,
  }
}

const exceeds = (difference: number, tolerance: number | undefined) => tolerance !== undefined && difference > tolerance

/** Null if the body does not exist yet in one of the runs. */
function bodyDifference({ a: i, b: j }: BodyPair, { a, b }: FramePair) {
  const [inFirst, inSecond] = [!Number.isNaN(a[i]!), !Number.isNaN(b[j]!)]
  if (inFirst !== inSecond) return 'existence'
  if (!inFirst) return null
  return {
    position: distance(a, i, b, j), rotation: angleBetween(a, i + 3, b, j + 3), velocity: distance(a, i + 7, b, j + 7), spin: distance(a, i + 10, b, j + 10),
  }
}

/** rad, between two unit quaternions up to sign. Exact for small angles too, unlike the arc cosine. */
function angleBetween(a: Float64Array, i: number, b: Float64Array, j: number): number {
  let [minus, plus] = [0, 0]
  for (let k = 0; k < 4; k++) {
    minus += (a[i + k]! - b[j + k]!) * (a[i + k]! - b[j + k]!)
    plus += (a[i + k]! + b[j + k]!) * (a[i + k]! + b[j + k]!)
  }
  return 4 * Math.asin(Math.min(1, Math.sqrt(Math.min(minus, plus)) / 2))
}

function factsOf(reader: TrajectoryReader): RunFacts {
  const { sceneName: scene, sceneHash, engine, method, outputRate } = reader.header
  const { frames, complete } = reader
  return { scene, sceneHash, engine, method, outputRate, frames, until: frames > 0 ? reader.frame(frames - 1).time : 0, complete }
}
