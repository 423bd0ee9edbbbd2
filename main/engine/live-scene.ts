/** The scene that a live session runs, and the scene that reproduces the session. */

import { actingOn, freedomsOf, type Force, type Joint, type Parameter, type Scene } from '../../core/scene'
import { HANDS, handId, type LiveInput } from '../protocol/live'

/**
 * Frames and steps per second. 30 bodies in contact take 9 ms of processor time per step, and user input takes effect after two frames at
 * most.
 */
const RATE = 60
/** s */
const MAX_DURATION = 600

type Done = readonly { readonly time: number; readonly input: LiveInput }[]
type GuideKeys = Extract<Force, { type: 'guide' }>['keys']

/**
 * Uses time-stepping, whose steps end at the times of user input.
 * @param handover s: the session's scene has been changed at this time; null: a new session, without guides and handovers of a former one,
 * whose ids the hands use
 */
export function liveScene(scene: Scene, handover: number | null): Scene {
  const next = withHands(scene, keys => handover === null ? [] : keys, MAX_DURATION)
  const { timeStepping } = next.simulation!
  const { handovers = [], ...rest } = timeStepping!
  const all = handover === null ? [] : [...new Set([...handovers, ...handover > 0 ? [handover] : []])]
  return { ...next, simulation: { ...next.simulation, timeStepping: { ...rest, ...all.length > 0 ? { handovers: all } : {} } } }
}

/** @param scene of the session @param duration s, of the session's last frame */
export function keptScene(scene: Scene, done: Done, duration: number): Scene {
  const during = done.filter(({ time }) => time <= duration)
  const kept = withHands(scene, (keys, hand) => [
    ...keys.filter(({ time }) => time <= duration), ...during.flatMap(({ time, input }) => input.kind === 'guide' && input.hand === hand ? [guideKey(time, input)] : []),
  ], duration)
  const forces = withoutUnusedHands(kept.forces!)
  const gravityKeys = lastAtEachTime([
    ...scene.gravityKeys?.filter(({ time }) => time <= duration) ?? [],
    ...during.flatMap(({ time, input }) => input.kind === 'gravity' ? [{ time, gravity: input.gravity }] : []),
  ])
  const { gravityKeys: _, ...rest } = kept
  const joints = scene.joints?.map(joint => withDrives(joint, during))
  const parameters = scene.parameters?.map(parameter => withValues(parameter, during))
  return {
    ...rest, forces, ...gravityKeys.length > 0 ? { gravityKeys } : {}, ...joints === undefined ? {} : { joints },
    ...parameters === undefined ? {} : { parameters },
  }
}

function guideKey(time: number, { body, particle, point, target, on, length, stiffness, damping }: Extract<LiveInput, { kind: 'guide' }>): GuideKeys[number] {
  return {
    time, body, ...particle === undefined ? {} : { deformable: particle.deformable, particle: particle.index },
    point: [...point] as const, target: [...target] as const, ...on === undefined ? {} : { on }, ...length === undefined ? {} : { length }, stiffness, damping,
  }
}

function withHands(scene: Scene, keysOf: (before: GuideKeys, hand: number) => GuideKeys, duration: number): Scene {
  const ids = Array.from({ length: HANDS }, (_, hand) => handId(hand))
  const { timeStepping, ...rest } = scene.simulation ?? {}
  const others = (scene.forces ?? []).filter(({ id }) => !ids.includes(id))
  const hands = ids.map((id, hand): Force => {
    const before = scene.forces?.find(force => force.id === id)
    return { id, name: `Live hand ${hand + 1}`, type: 'guide', keys: keysOf(before?.type === 'guide' ? before.keys : [], hand) }
  })
  return {
    ...scene, gravityKeys: scene.gravityKeys ?? [], forces: [...others, ...hands],
    simulation: { ...rest, duration, outputRate: RATE, method: 'time-stepping', timeStepping: { ...timeStepping, step: 1 / RATE } },
  }
}

/**
 * Without the hands after the last one that was used. Holds take the first free hand, so none before it is unused, and those that stay have the
 * numbers that the session's file has for them: guides are numbered last (`forceIds`).
 */
function withoutUnusedHands(forces: readonly Force[]): Force[] {
  return forces.slice(0, 1 + forces.findLastIndex(force => force.type !== 'guide' || force.keys.length > 0))
}

/** If there are several entries for one time, the last one counts. */
const lastAtEachTime = <Key extends { readonly time: number }>(keys: readonly Key[]): Key[] => keys.filter(({ time }, i) => keys[i + 1]?.time !== time)

/** A parameter with the values set by the user, as keys. */
function withValues(parameter: Parameter, done: Done): Parameter {
  const set = done.flatMap(({ time, input }) => input.kind === 'parameter' && input.parameter === parameter.id ? [{ time, value: input.value }] : [])
  return set.length === 0 ? parameter : { ...parameter, keys: lastAtEachTime([...parameter.keys ?? [], ...set]) }
}

/** A joint with the drive values set by the user, as keys; of two at the same time, the last. */
function withDrives(joint: Joint, done: Done): Joint {
  const changes = done.flatMap(({ time, input }) => input.kind === 'drive' && input.joint === joint.id ? [{ time, input }] : [])
  if (changes.length === 0) return joint
  const next = structuredClone(joint)
  for (const { time, input: { coordinate, driven, value } } of changes) {
    const freedom = freedomsOf(next)[coordinate]
    if (freedom === undefined) continue
    const { motor, servo, drive } = actingOn(next, freedom)
    if (driven === 'motor' && motor !== undefined) motor.keys = lastAtEachTime([...motor.keys ?? [], { time, targetVelocity: value }])
    if (driven === 'drive' && drive !== undefined) drive.keys = lastAtEachTime([...drive.keys ?? [], { time, force: value }])
    if (driven === 'servo' && servo !== undefined) {
      servo.interpolation = 'hold'
      servo.keys = lastAtEachTime([...servo.keys ?? [], { time, target: value }])
    }
  }
  return next
}
