/** The pictures of a live session: the newest one is drawn, and the time from a user's action to the picture that answers it is measured. */

import type { LiveFrame } from '../../main/protocol/live'
import { useViewportApi } from './viewport-api'

/** ms after an input for which pictures without its answer are not drawn: two steps, the longest that an answer takes if steps are computed in time. */
const ANSWER = 34
/** Name of the measures, of the page's timeline, from a user's action to its picture; their details are `AnswerStages`. */
export const ANSWER_MEASURE = 'cairn.live.answer'

/** ms, on the clock of the page. */
export interface AnswerStages {
  /** The input was sent. */
  readonly sent: number
  /** The picture computed with it was received. */
  readonly received: number
  /** The viewport began to draw it. */
  readonly drawn: number
}

/** @param display shows a picture's data */
export function makePictures(display: (picture: LiveFrame) => void) {
  /** Received, but not drawn yet. */
  let latest: LiveFrame | null = null
  /** Withdraws `latest` from the viewport; null if the viewport was not asked to draw it. */
  let withdraw: (() => void) | null = null
  /** Timer that ends the wait for an answer. */
  let answerTimer: ReturnType<typeof setTimeout> | null = null
  /** Time (ms) and sequence number of the input whose picture is awaited; 0 if none is. */
  let inputTime = 0
  let sentAt = 0
  let awaitedInput = 0
  let inputsSent = 0
  /** Time of the input that the picture being drawn responds to; 0 if none. */
  let answeredInput = 0
  /** Of `latest`; and when the picture being drawn was received, and its drawing began. */
  let receivedAt = 0
  let drawing = { received: 0, drawn: 0 }
  let latency: number | null = null

  function begin() {
    forget()
    latency = null
    inputTime = inputsSent = 0
  }

  function forget() {
    withdraw?.()
    withdraw = latest = null
    stopTimer()
  }

  /** @param at ms, of the user's action */
  function sent(at: number) {
    inputsSent++
    if (inputTime !== 0) return
    inputTime = at
    sentAt = performance.now()
    awaitedInput = inputsSent
    if (latest !== null) awaitAnswer()
  }

  /**
   * Shows a picture with the viewport's next frame; pictures that arrive before that replace it. While the answer to an input is awaited, older
   * pictures are held back for a while: the page cannot receive the answer while a software renderer draws them.
   */
  function show(picture: LiveFrame) {
    latest = picture
    receivedAt = performance.now()
    if (inputTime === 0 || picture.inputCount >= awaitedInput) askToDraw()
    else awaitAnswer()
  }

  function askToDraw() {
    stopTimer()
    if (withdraw !== null || latest === null) return
    const { api } = useViewportApi()
    const taken = api ? api.withNextPicture(apply, drawn) : apply()
    // It may have been drawn at once.
    withdraw = latest === null ? null : taken ?? null
  }

  function awaitAnswer() {
    withdraw?.()
    withdraw = null
    const left = inputTime + ANSWER - performance.now()
    if (left <= 0) askToDraw()
    else answerTimer ??= setTimeout(askToDraw, left)
  }

  function stopTimer() {
    if (answerTimer !== null) clearTimeout(answerTimer)
    answerTimer = null
  }

  function apply() {
    const picture = latest
    withdraw = latest = null
    if (!picture) return
    drawing = { received: receivedAt, drawn: performance.now() }
    display(picture)
    answeredInput = inputTime > 0 && picture.inputCount >= awaitedInput ? inputTime : 0
  }

  function drawn() {
    if (answeredInput === 0) return
    const detail: AnswerStages = { sent: sentAt, ...drawing }
    latency = performance.measure(ANSWER_MEASURE, { start: answeredInput, detail }).duration
    performance.clearMeasures(ANSWER_MEASURE)
    inputTime = answeredInput = 0
  }

  return {
    begin, forget, sent, show,
    /** Whether the picture that answers the last action has not been drawn yet. */
    isAwaiting: () => inputTime !== 0,
    /** ms from the last answered action to its picture; null before the first. */
    latency: () => latency,
  }
}
