/**
 * Scenes that were changed during their run (`timeStepping.handovers`). Such a run has parts. Each part ignores everything that appears or disappears
 * at a later handover, so it is bit-identical to the original run before the change. A part ends at a checkpoint, and the next part starts from its
 * state.
 */

import type { ResolvedScene } from '../scene'

/** An element that may appear and disappear. */
interface Passing {
  readonly id: string
  readonly spawnTime?: number | undefined
  readonly removeTime?: number | undefined
}

export interface Handovers {
  /** s, ascending. */
  readonly times: readonly number[]
  /**
   * The scene as the run knows it after this number of handovers; bodies and joints in the order in which they became known, then in the scene's
   * order.
   */
  part(done: number): ResolvedScene
}

/** @param atInstant the run starts at an instant of another run: then it has no parts */
export function handoversOf(scene: ResolvedScene, atInstant: boolean): Handovers {
  const { method, duration, outputRate, timeStepping } = scene.simulation
  const onFrame = (time: number): boolean => Math.round(time * outputRate) / outputRate === time
  const given = method === 'time-stepping' && !atInstant ? timeStepping.handovers ?? [] : []
  const times = [...new Set(given)].filter(time => time > 0 && time <= duration && onFrame(time)).sort((a, b) => a - b)
  if (times.length === 0) return { times, part: () => scene }
  const ranks = ranksOf(scene, times)
  return {
    times,
    part(done) {
      const pending = new Set(times.slice(done))
      const rankOf = ({ id }: Passing): number => ranks.get(id)!
      const known = <Thing extends Passing>(things: readonly Thing[]): Thing[] =>
        things.filter(thing => rankOf(thing) <= done).sort((a, b) => rankOf(a) - rankOf(b)).map(thing => staying(thing, pending))
      const bodies = known(scene.bodies)
      const there = new Set(bodies.map(({ id }) => id))
      return {
        ...scene, bodies, joints: known(scene.joints),
        forces: scene.forces.map(force => force.type !== 'guide' ? force : {
          ...force, keys: force.keys.filter(({ body, on }) => [body, on].every(id => id === null || id === undefined || there.has(id))),
        }),
      }
    },
  }
}

/** The element without an end time that the run does not know yet. */
function staying<Thing extends Passing>(thing: Thing, pending: ReadonlySet<number>): Thing {
  if (thing.removeTime === undefined || !pending.has(thing.removeTime)) return thing
  const { removeTime: _unknown, ...rest } = thing
  return rest as unknown as Thing
}

/** Number of handovers after which a body or joint is known: those up to its appearance, or fewer if an earlier element refers to it. */
function ranksOf({ bodies, joints, sensors, deformables, forces }: ResolvedScene, times: readonly number[]): Map<string, number> {
  const ranks = new Map<string, number>()
  const passing: readonly Passing[] = [...bodies, ...joints]
  for (const { id, spawnTime } of passing) ranks.set(id, spawnTime === undefined ? 0 : times.indexOf(spawnTime) + 1)
  const lower = (id: string, rank: number): void => { if (rank < (ranks.get(id) ?? 0)) ranks.set(id, rank) }
  const named = (value: unknown): void => {
    if (typeof value === 'string') lower(value, 0)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(named)
  }
  named([sensors, deformables, forces.filter(({ type }) => type !== 'guide')])
  for (const joint of joints) if (joint.type === 'gear') for (const id of [joint.jointA, joint.jointB]) lower(id, ranks.get(joint.id)!)
  for (const joint of joints) if (joint.type !== 'gear') for (const id of [joint.bodyA, joint.bodyB]) if (id !== null) lower(id, ranks.get(joint.id)!)
  for (const { id, collision } of bodies) for (const other of collision?.except ?? []) lower(other, ranks.get(id)!)
  return ranks
}
