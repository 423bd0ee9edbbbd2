/**
 * The displayed time of the current run, and the data displayed at that time. Every change of time goes through `seek` or the playback clock. Seeking
 * never starts playback. Cached data are shown in the same tick; others are requested, and the latest request wins. The viewport draws `shownScene`,
 * posed by `frame` (null: the initial poses of the document), with `contacts`, and desaturates while `stale`.
 */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import type { CertificateFrame, ContactFrame, DeformableFrame, Frame, JointFrame, ScriptFrame, SensorFrame, TrajectoryEvent } from '../../core/trajectory/frame'
import type { Scene } from '../../core/scene'
import { useDocument } from './document'
import { useEventFilter } from './events'
import { prefersLessMotion } from './less-motion'
import { cachedMoment, loadMoment, type Picture, type Solution } from './moment'
import { makeMomentFetch } from './moment-fetch'
import { PlaybackClock } from './playback-clock'
import { useRuns } from './runs'
import { makeSeekMeasure } from './seek-measure'
import type { TimeCommand } from './time-command'
import { RunMessages } from './trajectory'

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10] as const
export const usePlayback = defineStore('playback', () => {
  const document = useDocument()
  const runs = useRuns()

  const time = ref(0)
  const playing = ref(false)
  /** The pointer drags the playhead. */
  const scrubbing = ref(false)
  const speed = ref(1)
  /** Playback loops between these times, s; null: it plays to the end. */
  const loop = shallowRef<{ readonly from: number; readonly to: number } | null>(null)
  const looping = ref(false)

  const messages = shallowRef<RunMessages | null>(null)
  const frame = shallowRef<Frame | null>(null)
  const contacts = shallowRef<ContactFrame | null>(null)
  const joints = shallowRef<JointFrame | null>(null)
  /** Null where the run has none. */
  const sensors = shallowRef<SensorFrame | null>(null)
  /** Positions of the deformables' particles, m, 3 each; null if the run has none. */
  const particles = shallowRef<Float64Array | null>(null)
  /** Strains, tensions, energies and reactions of the frame before the displayed time; null if the run has none. */
  const deformables = shallowRef<DeformableFrame | null>(null)
  const certificate = shallowRef<CertificateFrame | null>(null)
  /** The data of the displayed time have not arrived yet. */
  const waiting = ref(false)
  /** Increases when blocks arrive, so that the timeline redraws the cached ranges. */
  const cacheRevision = ref(0)
  /** Time before an edit returned to t = 0, for "Back to 1.20 s". */
  const returnedFrom = ref<number | null>(null)

  const rate = computed(() => runs.current?.header?.outputRate ?? 240)
  const hasDeformables = computed(() => (runs.current?.header?.deformableIds.length ?? 0) > 0)
  const hasSensors = computed(() => (runs.current?.header?.sensorIds.length ?? 0) > 0)
  const frameCount = computed(() => runs.current?.frames ?? 0)
  /** s: time of the run's first frame; 0 unless the run started from a moment of another run. */
  const from = computed(() => runs.current?.startTime ?? 0)
  /** s: end of the computed part. */
  const available = computed(() => Math.max(0, runs.current?.simulatedTime ?? 0))
  /** s: length of the time axis, of the run or of the document without a run. */
  const duration = computed(() => runs.current && runs.current.id === runs.session ? available.value : runs.current?.header?.duration ?? runs.duration)
  /** Ids of the bodies that are asleep in time-stepping. The same set object while they do not change, to avoid redrawing. */
  const asleep = computed<ReadonlySet<string>>(before => {
    const ids = runs.current?.header?.bodyIds ?? []
    const now = new Set([...certificate.value?.asleep ?? []].flatMap(body => ids[body] ?? []))
    return before !== undefined && before.size === now.size && [...now].every(id => before.has(id)) ? before : now
  })
  const events = computed<readonly TrajectoryEvent[]>(() => messages.value?.events.value ?? [])
  /** Output of scripts: plots and logs. */
  const scripts = computed<readonly ScriptFrame[]>(() => messages.value?.scripts.value ?? [])
  const stale = computed(() => runs.stale)
  /** At t = 0 of an outdated run the document itself is shown, for editing. */
  const showsRun = computed(() => frame.value !== null)
  const shownScene = computed<Scene>(() => showsRun.value && runs.scene ? runs.scene : document.scene)

  function wantedIndex(at: number): number {
    return Math.max(0, Math.min(frameCount.value - 1, Math.floor((at - from.value) * rate.value + 1e-6)))
  }

  /** A live session is running; it delivers the pictures. */
  const live = ref(false)
  /** The session's newest picture. Panels follow it at a lower rate. */
  const livePicture = shallowRef<Picture | null>(null)
  function showLive(picture: Picture) {
    livePicture.value = picture
  }
  /**
   * Shows the newest picture in the panels, whose layout takes longer than drawing the picture.
   * @param solution of the newest frame that has one, which is up to some frames older
   */
  function showLiveInPanels(soft: DeformableFrame | null, solution: Solution | null) {
    if (!livePicture.value) return
    ({ time: time.value, frame: frame.value, contacts: contacts.value, particles: particles.value } = livePicture.value)
    deformables.value = soft
    joints.value = solution?.joints ?? null
    sensors.value = solution?.sensors ?? null
    certificate.value = solution?.certificate ?? null
  }
  /** The picture that the viewport draws. */
  const picture = computed<Picture>(() => (live.value ? livePicture.value : null)
    ?? { time: time.value, frame: frame.value, contacts: contacts.value, particles: particles.value })
  watch(live, () => { livePicture.value = null }, { flush: 'sync' })

  /** Whether the run has a picture of the current time, rather than the document. */
  const hasPicture = () => frameCount.value > 0 && !(stale.value && time.value === 0)
  /** Shows the data of the current time, immediately if they are cached. */
  function refresh() {
    if (live.value) return
    const source = messages.value
    if (!source || !hasPicture()) {
      waiting.value = false
      particles.value = deformables.value = null
      frame.value = contacts.value = joints.value = sensors.value = certificate.value = null
      return
    }
    waiting.value = !showCached(source, wantedIndex(time.value), time.value)
    if (waiting.value) void moments.fetch(source)
    else measure.shown()
  }
  const measure = makeSeekMeasure()

  const layout = () => ({ frames: frameCount.value, deformables: hasDeformables.value, sensors: hasSensors.value, scene: runs.scene, events: events.value })
  function showCached(source: RunMessages, index: number, at: number): boolean {
    const moment = cachedMoment(source, layout(), index, at)
    if (!moment) return false
    ;({ deformables: deformables.value, particles: particles.value, frame: frame.value, contacts: contacts.value, joints: joints.value, sensors: sensors.value,
      certificate: certificate.value } = moment)
    return true
  }

  const moments = makeMomentFetch({
    layout, time: () => time.value, index: () => wantedIndex(time.value), timeOf: index => from.value + index / rate.value, rate: () => rate.value,
    isDisplayed: source => source === messages.value && !live.value && hasPicture(),
    show: showCached,
    arrived: () => { cacheRevision.value++ },
    shown: () => {
      waiting.value = false
      measure.shown()
    },
  })

  /** Seeks, and waits until all data of that time are shown. */
  async function arrive(target: number): Promise<void> {
    time.value = clampTime(target)
    if (messages.value) await loadMoment(messages.value, layout(), wantedIndex(time.value))
    refresh()
  }

  /** A run that starts later shows nothing before its start. If it is outdated, the document is shown at t = 0. */
  const earliest = computed(() => stale.value ? 0 : from.value)
  function clampTime(target: number): number {
    return Math.max(earliest.value, Math.min(runs.current ? available.value : 0, target))
  }

  /** Seeks to a time chosen by the user; the display stays there. @param pointed ms, of the pointer's event */
  function seek(target: number, pointed?: number) {
    following = false
    if (pointed !== undefined) measure.begin(pointed)
    show(target)
  }

  function show(target: number) {
    time.value = clampTime(target)
    refresh()
  }

  /** Moves to a neighbouring frame; between two frames, to the nearer one in that direction. */
  function step(frames: number) {
    pause()
    const at = (time.value - from.value) * rate.value
    const nearest = Math.abs(at - Math.round(at)) < 1e-6 ? Math.round(at) : frames > 0 ? Math.floor(at) : Math.ceil(at)
    seek(from.value + (nearest + frames) / rate.value)
  }

  /** Moves to the exact time of the next or previous event. */
  function stepEvent(direction: 1 | -1) {
    pause()
    const near = 1e-9
    const list = events.value
    const shown = useEventFilter().shows
    const found = direction > 0
      ? list.find(event => event.time > time.value + near && shown(event))
      : list.findLast(event => event.time < time.value - near && shown(event))
    if (found) seek(found.time)
  }

  /** Loops between two times, s, in either order; over the whole run if they are less than two frames apart. */
  function loopRange(a: number, b: number) {
    const [from, to] = [Math.max(earliest.value, Math.min(a, b)), Math.min(duration.value, Math.max(a, b))]
    loop.value = to - from < 1 / rate.value ? null : { from, to }
    looping.value = loop.value !== null
  }

  function command(change: TimeCommand) {
    switch (change.type) {
      case 'seek': return seek(change.time)
      case 'step': return step(change.frames)
      case 'stepEvent': return stepEvent(change.direction)
      case 'start': return seek(earliest.value)
      case 'end': return seek(available.value)
    }
  }

  /** The run is displayed for the first time: it plays while it is computed, and returns to its start; with less motion it stays there until it is played. */
  let following = false
  /** Called when that first display is over. */
  const onShown = new Set<() => void>()
  /** The same rule for long, short and cached runs. */
  function playFirst() {
    seek(from.value)
    const still = prefersLessMotion()
    if (!still) play()
    following = still || playing.value
    if (still && !runs.running) void endStill()
  }
  /** The run has ended and was not played: the display is over when its events have arrived. */
  async function endStill() {
    await messages.value?.readLists()
    if (following && !playing.value) endFirst()
  }
  function endFirst() {
    following = false
    for (const listener of onShown) listener()
  }

  const clock = new PlaybackClock(advance)
  function advance(elapsed: number) {
    if (waiting.value) return
    const range = looping.value ? loop.value ?? { from: from.value, to: duration.value } : null
    let next = time.value + elapsed * speed.value
    if (range && next >= Math.min(range.to, duration.value)) next = range.from
    if (next >= available.value) {
      next = available.value
      if (!runs.running && !range) {
        playing.value = false
        clock.stop()
        if (following) {
          next = from.value
          endFirst()
        }
      }
    }
    show(next)
    if (messages.value) moments.readAhead(messages.value, speed.value)
  }

  function play() {
    if (!runs.current || playing.value) return
    if (!runs.running && time.value >= available.value - 1e-9) seek(looping.value && loop.value ? loop.value.from : from.value)
    ;[following, playing.value] = [false, true]
    clock.start()
  }

  function pause() {
    following = false
    playing.value = false
    clock.stop()
  }

  /** Edits change the initial scene: returns there first and remembers the former time. */
  function returnToStart() {
    if (time.value === 0 && !playing.value) return
    const from = time.value
    pause()
    // Before the start of a run that starts later: the following edit makes it outdated.
    time.value = 0
    refresh()
    if (from > 0) returnedFrom.value = from
  }
  function backToTime() {
    const target = returnedFrom.value
    returnedFrom.value = null
    if (target !== null) seek(target)
  }

  document.onBeforeEdit(returnToStart)
  watch(() => runs.running, running => { if (!running && following && !playing.value) void endStill() })
  watch(earliest, begin => { if (time.value < begin) show(begin) })
  watch(() => runs.current?.id, id => {
    pause()
    returnedFrom.value = null
    messages.value = id === undefined ? null : new RunMessages(id, runs.current?.header?.bodyIds.length ?? 0)
    time.value = 0
    refresh()
  }, { flush: 'sync' })
  watch(() => [runs.current?.id, runs.current?.frames, runs.current?.status, runs.stale] as const, () => {
    void messages.value?.readLists().then(() => cacheRevision.value++)
    if (frame.value === null || waiting.value || (stale.value && time.value === 0)) refresh()
  })

  return {
    live, showLive, showLiveInPanels, picture,
    time, playing, scrubbing, speed, loop, looping, messages, frame, contacts, particles, deformables, joints, sensors, certificate, asleep, waiting,
    cacheRevision, returnedFrom,
    rate, from, earliest, frameCount, available, duration, events, scripts, stale, showsRun, shownScene,
    loopRange, seek, arrive, step, stepEvent, command, play, playFirst, pause, onShown, refresh, returnToStart, backToTime,
  }
})
