/** The live session: sends the user's actions to the engine and receives the pictures. */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { decodeCertificate, decodeContacts, decodeDeformables, decodeFrame, decodeJoints, decodeSensors } from '../../core/trajectory/codec'
import type { Body, Scene } from '../../core/scene'
import { HostError } from '../../main/protocol/host'
import type { DeformableFrame, Frame } from '../../core/trajectory/frame'
import type { LiveFrame, LiveInput, LiveSolution } from '../../main/protocol/live'
import type { Problem } from '../../main/protocol/problem'
import type { RunInfo } from '../../main/protocol/runs'
import { useDocument } from './document'
import { useHost } from './host'
import { withNames } from './id-from-name'
import { withReasons } from './instances'
import { frozen, withBody, withJoint, without, type Edited, type PoseOf } from './live-edit'
import { makeHands } from './live-hands'
import { shownPose } from './live-hold'
import { makePictures } from './live-pictures'
import { makeSliders } from './live-sliders'
import { nothingToRun } from './nothing-to-run'
import { usePlayback } from './playback'
import { useProblems } from './problems'
import { readScene } from './read-scene'
import { problemsOf, useRuns } from './runs'
import { bodiesOf } from './scene-access'
import { sceneText } from './scene-text'
import { useSelection } from './selection'
import { useShell } from './shell'

/** ms between updates of the displayed figures: faster ones are unreadable, and each update costs a layout of the page. */
const PANEL_INTERVAL = 200

export const useLive = defineStore('live', () => {
  const document = useDocument()
  const playback = usePlayback()
  const problems = useProblems()
  const runs = useRuns()
  const shell = useShell()
  const selection = useSelection()

  const starting = ref(false)
  /** The running session; null without one. */
  const run = ref<string | null>(null)
  /** Whether the user did anything in the session that the scene could keep. */
  const acted = ref(false)
  /** Run of the last session, and the document at its start: the session can be kept as long as both are unchanged. */
  const ended = shallowRef<{ readonly run: string; readonly document: typeof document.scene } | null>(null)
  const pace = ref(1)
  /** ms of computing time per frame. */
  const cost = ref(0)
  const paused = ref(false)
  /** ms from a user's action to the first drawn frame computed with it; null before the first. */
  const latency = ref<number | null>(null)
  let ticket = ''
  let newest: LiveFrame | null = null
  let newestSoft: DeformableFrame | null = null
  let newestSolution: LiveSolution | null = null
  /** Timer that updates the displayed figures. */
  let panelTimer: ReturnType<typeof setTimeout> | null = null
  const pictures = makePictures(display)

  /** Whether the session's scene is being changed. */
  const changing = ref(false)
  /** @param at ms, of the user's action @returns whether a session receives it */
  function send(input: LiveInput, at = performance.now()): boolean {
    if (run.value === null || changing.value) return false
    void useHost().engine.liveInput(run.value, input)
    pictures.sent(at)
    acted.value = true
    return true
  }
  const sliders = makeSliders(() => run.value === null ? null : runs.scene, send)
  const hands = makeHands(send, joining => change((scene, time, poseOf) => withJoint(scene, joining, time, poseOf)))
  let atEnd: ((info: RunInfo) => void) | null = null

  async function start() {
    if (run.value !== null || starting.value) return
    document.commitGesture()
    const scene = document.scene
    const nothing = nothingToRun(scene)
    if (nothing) return refuse([nothing], nothing.message)
    starting.value = true
    ticket = crypto.randomUUID()
    try {
      // A run of an earlier state of the scene would slow the session down.
      if (runs.running && runs.stale) await runs.cancel()
      const info = await useHost().engine.live(sceneText(scene, document.source), ticket)
      hands.holds.value = []
      sliders.resetSliders()
      paused.value = false
      ended.value = null
      acted.value = false
      await begin(info, scene)
      playback.pause()
      playback.live = true
      await runs.refresh()
    } catch (error) {
      if (!wasCancelled(error)) refuse(withReasons(scene, problemsOf(error)))
    } finally {
      starting.value = false
    }
  }

  /** Starts following this run as the live session. @param of scene of the document at its start */
  async function begin(info: RunInfo, of: Scene) {
    const { scene } = readScene(await useHost().engine.sceneOf(info.id))
    latency.value = newest = newestSoft = newestSolution = null
    cost.value = 0
    pictures.begin()
    runs.session = info.id
    runs.sessionDocument = of
    runs.show(info, scene ?? of)
    run.value = info.id
    ended.value = { run: info.id, document: of }
  }

  const wasCancelled = (error: unknown) => error instanceof HostError && error.name === 'Cancelled'
  /** The scene cannot be run, live or not. */
  function refuse(found: readonly Problem[], text = `No session: ${withNames(found[0]!.message, found[0]!.ids, document.scene)}`) {
    runs.refuse(found)
    shell.notify(text)
    shell.openPanel('problems')
  }

  async function stop() {
    if (starting.value || changing.value) return useHost().engine.cancel(ticket)
    if (run.value !== null) await useHost().engine.cancel(run.value)
  }

  /**
   * Continues the session with another scene from now on. The running session ends, and a new one starts from its file at its last checkpoint,
   * so that both are one run.
   * @param edit makes the new scene from the session's scene, the time of the change (s), and the poses of bodies at that time
   */
  async function change(edit: (scene: Scene, time: number, poseOf: PoseOf) => Edited) {
    const id = run.value
    const of = ended.value?.document
    if (id === null || !of || !runs.scene || changing.value) return
    const before = runs.scene
    const poseIn = ({ bodies }: Frame): PoseOf => body => shownPose(before, bodies, body)
    const { frame, time } = playback.picture
    const tried = frame ? edit(before, time, poseIn(frame)) : { refused: 'The session has no frame yet: try again' }
    if ('refused' in tried) return shell.notify(tried.refused)
    changing.value = true
    hands.release()
    ticket = crypto.randomUUID()
    const { engine } = useHost()
    try {
      const over = new Promise<RunInfo>(resolve => { atEnd = resolve })
      await engine.liveInput(id, { kind: 'handOver' })
      const { frames } = await over
      const last = decodeFrame((await engine.read(id, [{ channel: 'frames', from: frames - 1, to: frames }]))[0]![0]!)
      const { scene } = readScene(await engine.keptScene(id))
      const next = scene && edit(scene, last.time, poseIn(last))
      if (!next || 'refused' in next) return end(id)
      const info = await engine.live(sceneText(next.scene, null), ticket, id)
      await begin(info, of)
      acted.value = true
      hands.forget(bodiesOf(next.scene).flatMap(({ id, removeTime }) => removeTime === undefined ? [] : id))
      selection.select(next.bodies)
      await engine.deleteRun(id)
      await runs.refresh()
    } catch (error) {
      if (!wasCancelled(error)) {
        const found = problemsOf(error)
        problems.set('attempt', found)
        shell.notify(`The session cannot continue with this change: ${withNames(found[0]!.message, found[0]!.ids, before)}`, { kind: 'error' })
        shell.openPanel('problems')
      }
      end(id)
    } finally {
      changing.value = false
      atEnd = null
    }
  }

  /** Adds a body, for the commands that add one to a document. */
  const create = (body: Body) => change((scene, time) => withBody(scene, body, time))
  const remove = (ids: readonly string[]) => change((scene, time) => without(scene, ids, time))
  /** Fixes bodies at their current poses, and releases fixed ones. */
  const freeze = (ids: readonly string[]) => change((scene, time, poseOf) => frozen(scene, ids, time, poseOf))

  /** The engine reports a run's status: the session ends with its run. */
  function update(info: RunInfo) {
    if (info.id !== run.value || info.status === 'running') return
    // While the scene is changed, the last picture stays.
    if (atEnd) return atEnd(info)
    end(info.id)
    playback.seek(info.simulatedTime)
    if (info.problem) shell.notify(`The session ended: ${withNames(info.problem.message, info.problem.ids, document.scene)}`, { kind: 'error' })
  }

  function end(id: string) {
    if (run.value !== id) return
    showInPanels()
    newest = newestSoft = newestSolution = null
    pictures.forget()
    run.value = null
    hands.holds.value = []
    playback.live = false
  }

  function show(picture: LiveFrame) {
    if (picture.run !== run.value) return
    newestSolution = picture.solution ?? newestSolution
    pictures.show(picture)
  }

  function display(picture: LiveFrame) {
    if (run.value === null) return
    const first = newest === null
    newest = picture
    const frame = decodeFrame(picture.frame)
    newestSoft = picture.deformables && decodeDeformables(picture.deformables)
    playback.showLive({ time: frame.time, frame, contacts: decodeContacts(picture.contacts), particles: newestSoft?.position ?? null })
    if (first) updatePanels()
    else panelTimer ??= setTimeout(updatePanels, PANEL_INTERVAL)
  }
  /** Updates the figures of panels and banner from the newest picture. */
  function updatePanels() {
    panelTimer = null
    if (newest === null || run.value === null) return
    pace.value = newest.pace
    cost.value = newest.cost
    latency.value = pictures.latency() ?? latency.value
    showInPanels()
  }
  function showInPanels() {
    const solution = newestSolution
    playback.showLiveInPanels(newestSoft, solution && {
      joints: decodeJoints(solution.joints), sensors: solution.sensors && decodeSensors(solution.sensors), certificate: decodeCertificate(solution.certificate),
    })
  }

  function sendSpeed() {
    if (run.value !== null) void useHost().engine.liveInput(run.value, { kind: 'speed', ratio: paused.value ? 0 : playback.speed })
  }
  watch(() => [run.value, playback.speed, paused.value] as const, sendSpeed, { flush: 'sync' })
  function setPaused(next: boolean) {
    if (run.value !== null) paused.value = next
  }
  /** Computes one frame; pauses a running session. */
  function step() {
    if (run.value === null) return
    if (!paused.value) setPaused(true)
    void useHost().engine.liveInput(run.value, { kind: 'step' })
  }

  /** Converts the user's actions to forces, keys and bodies of the document. A run of it reproduces the session bit by bit. One edit. */
  async function keep() {
    const session = ended.value
    if (!session || session.document !== document.scene) return
    const { scene } = readScene(await useHost().engine.keptScene(session.run))
    if (!scene) return
    ended.value = null
    document.edit('keep the live session', draft => {
      draft.forces = scene.forces
      draft.simulation = scene.simulation
      if (scene.gravityKeys) draft.gravityKeys = scene.gravityKeys
      else delete draft.gravityKeys
      if (scene.bodies) draft.bodies = scene.bodies
      if (scene.joints) draft.joints = scene.joints
      if (scene.parameters) draft.parameters = scene.parameters
    })
    runs.sessionDocument = document.scene
    shell.confirm('Kept: what you did is part of this scene now, and simulating it repeats the session')
  }
  const canKeep = computed(() => run.value === null && acted.value && ended.value?.document === document.scene && runs.current?.id === ended.value.run)

  document.onBeforeEdit(() => void stop())

  return {
    ...hands, ...sliders, isAwaiting: pictures.isAwaiting, starting, changing, run, acted, pace, cost, paused, latency, ended, canKeep,
    start, stop, update, show, setPaused, step, create, remove, freeze, keep,
  }
})
