/** Bodies that appear and disappear during a run. */

import type { EquationsOfMotion } from '../contact/equations'
import type { World } from '../contact/world'
import { kineticEnergy } from '../dynamics/body'
import type { MethodEnvironment } from './method'

interface Present {
  readonly world: World
  readonly equations: EquationsOfMotion
  readonly environment: MethodEnvironment
  readonly state: Float64Array
  spawnedEnergy: number
}

/** s: times at which bodies and joints appear and disappear; not sorted. */
export function presenceTimes({ bodies, joints }: Pick<World, 'bodies' | 'joints'>): number[] {
  return [...bodies, ...joints].flatMap(({ spawnTime, removeTime }) => removeTime < Infinity ? [spawnTime, removeTime] : [spawnTime])
}

/**
 * Adds and removes the bodies of a time, with events. Their kinetic energy, and that of springs and attractors on them, counts as energy of bodies that
 * appear.
 *
 * @returns their indices
 */
export function updatePresence(context: Present, time: number): { readonly spawned: readonly number[]; readonly removed: readonly number[] } {
  const { world: { bodies }, equations, environment: { observer } } = context
  const { snapshot } = equations
  const spawned = bodies.filter(body => body.spawnTime === time)
  const removed = bodies.filter(body => body.removeTime === time)
  if (spawned.length + removed.length === 0) return { spawned: [], removed: [] }
  snapshot.update(context.state)
  const before = equations.potential()
  for (const body of removed) {
    context.spawnedEnergy -= kineticEnergy(body, snapshot.motions[body.index]!)
    snapshot.exists[body.index] = false
    observer.event({ kind: 'remove', time, bodyA: body.index })
  }
  for (const body of spawned) {
    snapshot.exists[body.index] = true
    context.spawnedEnergy += kineticEnergy(body, body.initial)
    observer.event({ kind: 'spawn', time, bodyA: body.index })
  }
  context.spawnedEnergy += equations.potential() - before
  return { spawned: spawned.map(({ index }) => index), removed: removed.map(({ index }) => index) }
}
