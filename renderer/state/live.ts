/** A session on the clock: what the person's hands do, and what comes back. */

import { computed, ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import { decodeContacts, decodeFrame } from '../../core/trajectory/codec'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import { toOuter, type Pose } from '../../core/math/pose'
import { cross, length, sub, type Vec3 } from '../../core/math/vector'
import { HostError } from '../../main/protocol/host'
import { HANDS, type LiveFrame } from '../../main/protocol/live'
import type { RunInfo } from '../../main/protocol/runs'
import { useDocument } from './document'
import { useHost } from './host'
import { massesOf } from './body-masses'
import { usePlayback } from './playback'
import { useProblems } from './problems'
import { readScene } from './read-scene'
import { problemsOf, useRuns } from './runs'
import { bodiesOf, typeOf } from './scene-access'
import { sceneText } from './scene-text'
import { useShell } from './shell'
import { useViewportApi } from './viewport-api'

/** rad/s: how fast a hand's spring draws, critically damped; the wheel changes it by this factor within these bounds. */
const GRIP = { first: 14, least: 3, most: 40, step: 1.15 } as const
/** ms between two changes of the figures that are shown: nobody reads faster, and each lays the page out anew. */
const TELL_EVERY = 200
/** rad/s, of what is nailed. */
const NAIL = 30

export interface Hold {
  readonly hand: number
  readonly body: string
  /** m, body frame. */
  readonly point: Vec3
  /** m, world. */
  readonly target: Vec3
  /** rad/s */
  readonly grip: number
}

export const useLive = defineStore('live', () => {
  const document = useDocument()
  const playback = usePlayback()
  const problems = useProblems()
  const runs = useRuns()
  const shell = useShell()

  const starting = ref(false)
  /** The session under way; null while there is none. */
  const run = ref<string | null>(null)
  /** The scene of the last session, and the document as it was: what is kept repeats it as long as both are the same. */
  const ended = shallowRef<{ readonly run: string; readonly document: typeof document.scene } | null>(null)
  const pace = ref(1)
  /** ms of computing a frame. */
  const cost = ref(0)
  const paused = ref(false)
  const holds = shallowRef<readonly Hold[]>([])
  const grip = ref<number>(GRIP.first)
  /** ms from a change of a hand to the end of drawing the first picture that was computed with it; null before the first. */
  const latency = ref<number | null>(null)
  /** When the hand input was said whose picture is waited for, and the how manieth it is; 0 while none is. */
  let asked = 0
  let awaited = 0
  let said = 0
  let ticket = ''
  /** Came in, and is not drawn yet. */
  let latest: LiveFrame | null = null
  /** ms of the page's clock at which the figures were last shown, and the latest of the latencies. */
  let told = 0
  let waited: number | null = null

  const dragged = computed(() => holds.value.find(hold => hold.hand === 0) ?? null)
  const nailed = computed(() => holds.value.filter(hold => hold.hand > 0))

  async function start() {
    if (run.value !== null || starting.value) return
    document.commitGesture()
    const scene = document.scene
    starting.value = true
    ticket = crypto.randomUUID()
    try {
      const info = await useHost().engine.live(sceneText(scene, document.source), ticket)
      const text = await useHost().engine.sceneOf(info.id)
      holds.value = []
      paused.value = false
      latency.value = waited = null
      asked = said = 0
      ended.value = null
      runs.session = info.id
      runs.show(info, readScene(text).scene ?? scene)
      playback.pause()
      playback.live = true
      run.value = info.id
      ended.value = { run: info.id, document: scene }
      await runs.refresh()
    } catch (error) {
      if (error instanceof HostError && error.name === 'Cancelled') return
      problems.set('run', problemsOf(error))
      shell.say(`No session: ${problemsOf(error)[0]!.message}`, { kind: 'error' })
      shell.openPanel('problems')
    } finally {
      starting.value = false
    }
  }

  async function stop() {
    if (starting.value) return useHost().engine.cancel(ticket)
    if (run.value !== null) await useHost().engine.cancel(run.value)
  }

  /** The engine says how a run goes on: the session is over when its run is. */
  function update(info: RunInfo) {
    if (info.id !== run.value || info.status === 'running') return
    latest = null
    run.value = null
    holds.value = []
    playback.live = false
    playback.seek(info.simulatedTime)
    if (info.problem) shell.say(`The session ended: ${info.problem.message}`, { kind: 'error' })
  }

  /** Drawn with the viewport's next picture; what comes in between is passed over. */
  function show(picture: LiveFrame) {
    if (picture.run !== run.value) return
    const first = latest === null
    latest = picture
    if (!first) return
    const { api } = useViewportApi()
    if (api) api.withNextPicture(apply, drawn)
    else apply()
  }

  /** The hand's input that the picture being drawn shows the answer to, said at this time, ms; 0 where it shows none. */
  let answered = 0
  function apply() {
    const picture = latest
    latest = null
    if (!picture || run.value === null) return
    if (performance.now() - told > TELL_EVERY) {
      told = performance.now()
      pace.value = picture.pace
      cost.value = picture.cost
      latency.value = waited ?? latency.value
    }
    playback.showLive(decodeFrame(picture.frame), decodeContacts(picture.contacts))
    answered = asked > 0 && picture.heard >= awaited ? asked : 0
  }
  function drawn() {
    if (answered === 0) return
    waited = performance.now() - answered
    latency.value ??= waited
    asked = answered = 0
  }

  function tell(hold: Hold | { readonly hand: number; readonly body: null }) {
    if (run.value === null) return
    said++
    if (asked === 0) {
      asked = performance.now()
      awaited = said
    }
    if (hold.body === null) {
      holds.value = holds.value.filter(other => other.hand !== hold.hand)
      void useHost().engine.liveInput(run.value, { kind: 'guide', hand: hold.hand, body: null, point: [0, 0, 0], target: [0, 0, 0], stiffness: 0, damping: 0 })
      return
    }
    holds.value = [...holds.value.filter(other => other.hand !== hold.hand), hold]
    const { stiffness, damping } = springOf(hold)
    void useHost().engine.liveInput(run.value, { kind: 'guide', hand: hold.hand, body: hold.body, point: hold.point, target: hold.target, stiffness, damping })
  }

  /**
   * k = m ω², c = 2 m ω: critically damped for the mass that is felt at the point, at the least: 1/(1/m + r²/I), with the smallest I. A corner of a cube
   * feels a fifth of its mass, and the damping of the whole would be too stiff for a step.
   */
  function springOf({ body, point, grip: omega }: Hold): { stiffness: number; damping: number } {
    const scene = playback.shownScene
    const index = bodiesOf(scene).findIndex(one => one.id === body)
    const { inverseMass, inverseInertia, centers } = massesOf(scene)
    const arm = [0, 1, 2].reduce((sum, k) => sum + (point[k]! - centers[3 * index + k]!) ** 2, 0)
    const turning = Math.max(inverseInertia[9 * index]!, inverseInertia[9 * index + 4]!, inverseInertia[9 * index + 8]!)
    const mass = 1 / ((inverseMass[index] || 1) + arm * turning)
    return { stiffness: mass * omega * omega, damping: 2 * mass * omega }
  }

  /** Whether a hand can take this body. */
  const mayGrasp = (id: string) => run.value !== null && bodiesOf(playback.shownScene).some(body => body.id === id && typeOf(body) === 'dynamic')
  const grasp = (body: string, point: Vec3, target: Vec3) => tell({ hand: 0, body, point, target, grip: grip.value })
  function drag(target: Vec3) {
    if (dragged.value) tell({ ...dragged.value, target })
  }
  const release = () => { if (dragged.value) tell({ hand: 0, body: null }) }
  function changeGrip(direction: 1 | -1) {
    grip.value = Math.max(GRIP.least, Math.min(GRIP.most, grip.value * (direction > 0 ? GRIP.step : 1 / GRIP.step)))
    if (dragged.value) tell({ ...dragged.value, grip: grip.value })
  }

  /** What is dragged stays held where the pointer is. */
  function nail() {
    const held = dragged.value
    if (!held) return
    const free = Array.from({ length: HANDS - 1 }, (_, i) => i + 1).find(hand => holds.value.every(hold => hold.hand !== hand))
    if (free === undefined) return shell.say(`There are ${HANDS - 1} nails in all: release some first`)
    release()
    tell({ ...held, hand: free, grip: NAIL })
  }
  const releaseNails = () => { for (const { hand } of nailed.value) tell({ hand, body: null }) }

  function setPaused(next: boolean) {
    if (run.value === null) return
    paused.value = next
    void useHost().engine.liveInput(run.value, { kind: 'speed', ratio: next ? 0 : playback.speed })
  }

  /** What the person did, as forces of the document: a run of it repeats the session, to the byte. One edit. */
  async function keep() {
    const session = ended.value
    if (!session || session.document !== document.scene) return
    const { scene } = readScene(await useHost().engine.keptScene(session.run))
    if (!scene) return
    ended.value = null
    document.edit('keep the live session', draft => {
      draft.forces = scene.forces
      draft.simulation = scene.simulation
    })
    shell.say('Kept: what you did is forces of this scene now, and simulating it repeats the session')
  }
  const canKeep = computed(() => run.value === null && ended.value !== null && ended.value.document === document.scene && runs.current?.id === ended.value.run)

  /** Where a hold acts, and with which force, N, as shown now. */
  function forceOf(hold: Hold): { readonly from: Vec3; readonly newtons: number } | null {
    const index = bodiesOf(playback.shownScene).findIndex(body => body.id === hold.body)
    const columns = playback.frame?.bodies
    if (index < 0 || !columns) return null
    const c = (k: number) => columns[index * BODY_STRIDE + k]!
    const pose: Pose = { position: [c(0), c(1), c(2)], orientation: [c(3), c(4), c(5), c(6)] }
    const from = toOuter(pose, hold.point)
    const { centers } = massesOf(playback.shownScene)
    const center = toOuter(pose, [centers[3 * index]!, centers[3 * index + 1]!, centers[3 * index + 2]!])
    const velocity: Vec3 = [c(7), c(8), c(9)]
    const turning = cross([c(10), c(11), c(12)], sub(from, center))
    const { stiffness, damping } = springOf(hold)
    const force = hold.target.map((x, k) => stiffness * (x - from[k]!) - damping * (velocity[k]! + turning[k]!)) as unknown as Vec3
    return { from, newtons: length(force) }
  }

  document.onBeforeEdit(() => void stop())

  return {
    starting, run, pace, cost, paused, holds, dragged, nailed, grip, latency, ended, canKeep,
    start, stop, update, show, mayGrasp, grasp, drag, release, changeGrip, nail, releaseNails, setPaused, keep, forceOf,
  }
})
