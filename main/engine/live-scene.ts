/** The scene that a session runs, and the one that repeats it. */

import type { Force, Scene } from '../../core/scene'
import { HANDS, handId, type LiveInput } from '../protocol/live'

/** Frames and steps a second: 30 bodies in contact take 9 ms of processor time a step, and what a person does waits for two frames at most. */
const RATE = 60
/** s */
const LONGEST = 600

const handsOf = (keys: (hand: number) => Extract<Force, { type: 'guide' }>['keys']): Force[] =>
  Array.from({ length: HANDS }, (_, hand) => ({ id: handId(hand), type: 'guide', keys: keys(hand) }))

/** By time-stepping, whose steps end where what a person does begins. Guides of a former session are gone: their ids are the hands'. */
export function liveScene(scene: Scene): Scene {
  return withHands(scene, () => [], LONGEST)
}

/** @param duration s, of the session's last frame */
export function keptScene(scene: Scene, done: readonly { readonly time: number; readonly input: LiveInput }[], duration: number): Scene {
  return withHands(scene, hand => done.flatMap(({ time, input }) => {
    if (input.kind !== 'guide' || input.hand !== hand || time > duration) return []
    const { body, point, target, stiffness, damping } = input
    return [{ time, body, point: [...point] as const, target: [...target] as const, stiffness, damping }]
  }), duration)
}

function withHands(scene: Scene, keys: Parameters<typeof handsOf>[0], duration: number): Scene {
  const own = new Set(Array.from({ length: HANDS }, (_, hand) => handId(hand)))
  const { timeStepping, ...rest } = scene.simulation ?? {}
  return {
    ...scene, forces: [...(scene.forces ?? []).filter(({ id }) => !own.has(id)), ...handsOf(keys)],
    simulation: { ...rest, duration, outputRate: RATE, method: 'time-stepping', timeStepping: { ...timeStepping, step: 1 / RATE } },
  }
}
