/** User interaction in a live session: dragging, pinning and attaching bodies. */

import { computed, ref, shallowRef } from 'vue'
import { toInner, toOuter } from '../../core/math/pose'
import { distance, type Vec3 } from '../../core/math/vector'
import { HANDS, type LiveInput } from '../../main/protocol/live'
import { forceOf, inputOf, shownPose, type Hold, type Shown } from './live-hold'
import type { Joining } from './live-edit'
import { usePick } from './pick'
import { usePlayback } from './playback'
import { useRuns } from './runs'
import { bodiesOf, typeOf } from './scene-access'
import { useShell } from './shell'

/** rad/s: natural frequency of a drag's critically damped spring. The wheel changes it by this factor within these bounds. */
const FREQUENCY = { first: 14, least: 3, most: 40, step: 1.15 } as const
/** rad/s: natural frequency of a pin's spring. */
const PIN_FREQUENCY = 30

/** Ways to attach two bodies to each other: by two points, or at one. */
export const ATTACHMENTS = { spring: 'spring', rod: 'rod', ball: 'ball joint', fixed: 'fixed joint' } as const

/**
 * @param send sends an input, of a user's action at a time in ms, to the engine; false if no session receives it
 * @param join joins two bodies at their current poses
 */
export function makeHands(send: (input: LiveInput, at?: number) => boolean, join: (joining: Joining) => Promise<void>) {
  const playback = usePlayback()
  const runs = useRuns()
  const shell = useShell()
  const pick = usePick()

  const holds = shallowRef<readonly Hold[]>([])
  const frequency = ref<number>(FREQUENCY.first)
  const attachBy = ref<keyof typeof ATTACHMENTS>('spring')
  const dragged = computed(() => holds.value.find(({ kind }) => kind === 'drag') ?? null)
  const pinned = computed(() => holds.value.filter(({ kind }) => kind === 'nail'))
  const springs = computed(() => holds.value.filter(({ kind }) => kind === 'spring'))

  function sendHold(hold: Hold | { readonly hand: number; readonly body: null }, at?: number) {
    const others = holds.value.filter(other => other.hand !== hold.hand)
    const holding = 'point' in hold
    const sent = send(holding ? inputOf(playback.shownScene, hold)
      : { kind: 'guide', hand: hold.hand, body: null, point: [0, 0, 0], target: [0, 0, 0], stiffness: 0, damping: 0 }, at)
    if (sent) holds.value = holding ? [...others, hold] : others
  }

  /** Whether this body can be dragged. */
  const mayGrasp = (id: string) => playback.live && bodiesOf(playback.shownScene).some(body => body.id === id && typeOf(body) === 'dynamic')
  const grasp = (body: string, point: Vec3, target: Vec3) => sendHold({ hand: freeHand(), kind: 'drag', body, point, target, frequency: frequency.value })
  /** A particle is held with the stiffest spring, so that it pulls its neighbours along. */
  const graspParticle = (deformable: string, index: number, target: Vec3) =>
    sendHold({ hand: freeHand(), kind: 'drag', body: null, particle: { deformable, index }, point: [0, 0, 0], target, frequency: FREQUENCY.most })
  /** @param at ms, of the user's move */
  function drag(target: Vec3, at: number) {
    if (dragged.value) sendHold({ ...dragged.value, target }, at)
  }
  const release = () => { if (dragged.value) releaseHand(dragged.value.hand) }
  function changeFrequency(direction: 1 | -1) {
    frequency.value = Math.max(FREQUENCY.least, Math.min(FREQUENCY.most, frequency.value * (direction > 0 ? FREQUENCY.step : 1 / FREQUENCY.step)))
    if (dragged.value) sendHold({ ...dragged.value, frequency: frequency.value })
  }

  /** The first hand that is not in use: one is always left for the pointer. */
  const freeHand = () => Array.from({ length: HANDS }, (_, hand) => hand).find(hand => holds.value.every(hold => hold.hand !== hand)) ?? 0
  /** Whether another nail or spring is allowed; says so if not. */
  function mayFasten() {
    if (holds.value.filter(({ kind }) => kind !== 'drag').length < HANDS - 1) return true
    shell.notify(`At most ${HANDS - 1} nails and springs are allowed: release some first`)
    return false
  }

  /** Pins the dragged point at the pointer: the hand that drags it stays there. */
  function pin() {
    if (dragged.value && mayFasten()) sendHold({ ...dragged.value, kind: 'nail', frequency: PIN_FREQUENCY })
  }
  const releaseHand = (hand: number) => sendHold({ hand, body: null })
  const releasePins = () => { for (const { hand } of pinned.value) releaseHand(hand) }
  const cutSprings = () => { for (const { hand } of springs.value) releaseHand(hand) }

  /** Attaches two clicked points by a spring with their current distance as length, or by a joint at the first point. */
  async function attach() {
    const ends: { body: string; point: Vec3 }[] = []
    const by = attachBy.value
    const prompts = by === 'spring' || by === 'rod' ? [`Click where the ${by} begins`, 'Click where it ends, on another body'] : [`Click where the ${ATTACHMENTS[by]} is, on one body`, 'Click the other body']
    for (const prompt of prompts) {
      const hit = await pick.ask({ prompt, what: 'point' })
      const pose = hit && playback.picture.frame && shownPose(playback.shownScene, playback.picture.frame.bodies, hit.body)
      if (!hit || !pose || !playback.live) return
      ends.push({ body: hit.body, point: toInner(pose, hit.point) })
    }
    // A spring pulls a movable body. If only the second one moves, they are swapped.
    const [a, b] = mayGrasp(ends[0]!.body) ? [ends[0]!, ends[1]!] : [ends[1]!, ends[0]!]
    if (a.body === b.body || !mayGrasp(a.body)) return shell.notify(`A ${ATTACHMENTS[by]} joins two bodies, one of which can move`)
    const { body: bodyA, point } = ends[0]!
    if (by === 'rod') return join({ type: 'distance', bodyA, bodyB: ends[1]!.body, point, pointB: ends[1]!.point })
    if (by !== 'spring') return join({ type: by, bodyA, bodyB: ends[1]!.body, point })
    const columns = playback.picture.frame!.bodies
    const [p, q] = [a, b].map(({ body, point }) => toOuter(shownPose(playback.shownScene, columns, body)!, point))
    if (mayFasten()) sendHold({ hand: freeHand(), kind: 'spring', body: a.body, point: a.point, target: b.point, on: b.body, length: distance(p!, q!), frequency: FREQUENCY.first })
  }

  const shown = computed<Shown | null>(() => {
    const header = runs.current?.header
    const { frame, particles } = playback.picture
    if (!frame || !header) return null
    let next = 0
    const first = new Map(header.deformableIds.map((id, k) => {
      const at = next
      next += header.deformableParticles[k]!
      return [id, at] as const
    }))
    return { scene: playback.shownScene, bodies: frame.bodies, particles, first }
  })
  /** Points and force of a hold as displayed now. */
  const actingOf = (hold: Hold) => shown.value && forceOf(hold, shown.value)

  /** Drops holds on these bodies. */
  function forget(gone: readonly string[]) {
    holds.value = holds.value.filter(({ body, on }) => !gone.includes(body ?? '') && !gone.includes(on ?? ''))
  }

  return {
    holds, frequency, attachBy, dragged, pinned, springs, shown,
    mayGrasp, grasp, graspParticle, drag, release, releaseHand, changeFrequency, pin, releasePins, attach, cutSprings, actingOf, forget,
  }
}
