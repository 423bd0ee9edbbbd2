import { describe, expect, it } from 'vitest'
import { ticks } from '../../../../renderer/film/plots'
import { frameCount, timeOfFrame } from '../../../../renderer/film/spec'
import { withoutBackground } from '../../../../renderer/film/transparent'

describe('a film', () => {
  it('has as many frames as its length and rate give, each at its exact time', () => {
    const film = { from: 0.2, to: 2.2, rate: 30, speed: 1 }
    expect(frameCount(film)).toBe(60)
    expect(timeOfFrame(film, 0)).toBe(0.2)
    expect(timeOfFrame(film, 59)).toBeCloseTo(2.2 - 1 / 30, 12)
  })

  it('is longer if time is slower', () => {
    expect(frameCount({ from: 0, to: 1, rate: 25, speed: 0.1 })).toBe(250)
    expect(timeOfFrame({ from: 0, rate: 25, speed: 0.1 }, 125)).toBeCloseTo(0.5, 12)
    expect(frameCount({ from: 0, to: 1e-6, rate: 30, speed: 1 })).toBe(1)
  })
})

describe('a picture without background', () => {
  it('has the colour and the opacity of what was drawn on black and on white', () => {
    const drawn = [[200, 100, 50, 1], [200, 100, 50, 0.5], [0, 0, 0, 0.25], [255, 255, 255, 0]] as const
    const on = (ground: number) => Uint8ClampedArray.from(drawn.flatMap(([r, g, b, alpha]) => [...[r, g, b].map(c => alpha * c + (1 - alpha) * ground), 255]))
    const picture = on(0)
    withoutBackground(picture, on(255))
    expect([...picture]).toEqual([200, 100, 50, 255, 200, 100, 50, 128, 0, 0, 0, 64, 0, 0, 0, 0].map(value => expect.closeTo(value, -0.5) as number))
  })
})

describe('ticks of an axis', () => {
  it('are round and within it', () => {
    expect(ticks(0, 1)).toHaveLength(3)
    expect(ticks(-0.3, 5263)).toStrictEqual([0, 2000, 4000])
    expect(ticks(1e-13, 9e-13).every(value => value >= 1e-13 && value <= 9e-13)).toBe(true)
    expect(ticks(1, 1)).toStrictEqual([])
  })
})
