/** In a live session the picture that answers the user's action is drawn before all others. */

import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LiveFrame } from '../../../../main/protocol/live'
import { ANSWER_MEASURE, makePictures } from '../../../../renderer/state/live-pictures'
import { useViewportApi, type ViewportApi } from '../../../../renderer/state/viewport-api'

const picture = (inputCount: number): LiveFrame => ({
  run: 'r', frame: new Uint8Array(), contacts: new Uint8Array(), deformables: null, solution: null, inputCount, pace: 1, cost: 1,
})

describe('pictures of a session', () => {
  /** Changes that the viewport will draw with its next frame. */
  let pending: { apply: () => void; drawn: () => void }[]
  let shown: number[]
  const drawFrame = () => {
    const drawn = pending
    pending = []
    for (const { apply } of drawn) apply()
    for (const { drawn: report } of drawn) report()
  }
  const made = () => makePictures(({ inputCount }) => { shown.push(inputCount) })

  beforeEach(() => {
    vi.useFakeTimers()
    setActivePinia(createPinia())
    pending = []
    shown = []
    useViewportApi().provide({
      withNextPicture: (apply: () => void, drawn: () => void) => {
        const change = { apply, drawn }
        pending.push(change)
        return () => { pending = pending.filter(other => other !== change) }
      },
    } as unknown as ViewportApi)
  })
  afterEach(() => { vi.useRealTimers() })

  it('are drawn one a frame, the newest', () => {
    const pictures = made()
    for (const count of [0, 1, 2]) pictures.show(picture(count))
    drawFrame()
    drawFrame()
    expect(shown).toEqual([2])
  })

  it('without the awaited answer are held back; the answer is drawn, and measured from the action', () => {
    const pictures = made()
    vi.advanceTimersByTime(100)
    const measures: number[] = []
    const measure = vi.spyOn(performance, 'measure').mockImplementation((name, options) => {
      expect(name).toBe(ANSWER_MEASURE)
      const duration = performance.now() - ((options as PerformanceMeasureOptions).start as number)
      measures.push(duration)
      return { duration } as PerformanceMeasure
    })
    pictures.sent(performance.now() - 5)
    pictures.show(picture(0))
    drawFrame()
    expect(shown).toEqual([])
    expect(pictures.isAwaiting()).toBe(true)
    vi.advanceTimersByTime(20)
    pictures.show(picture(1))
    drawFrame()
    expect(shown).toEqual([1])
    expect(pictures.isAwaiting()).toBe(false)
    expect(measures).toEqual([25])
    expect(pictures.latency()).toBe(25)
    measure.mockRestore()
  })

  it('that were about to be drawn are withdrawn by an action, and drawn without its answer when that is overdue', () => {
    const pictures = made()
    pictures.show(picture(0))
    pictures.sent(performance.now())
    drawFrame()
    expect(shown).toEqual([])
    vi.advanceTimersByTime(35)
    drawFrame()
    expect(shown).toEqual([0])
    pictures.show(picture(0))
    drawFrame()
    expect(shown).toEqual([0, 0])
  })

  it('of the last session are forgotten', () => {
    const pictures = made()
    pictures.show(picture(0))
    pictures.forget()
    drawFrame()
    expect(shown).toEqual([])
    pictures.begin()
    expect(pictures.latency()).toBeNull()
  })
})
