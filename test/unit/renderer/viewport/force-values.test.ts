/** Force labels do not cover each other, and those without room are counted. */

import { describe, expect, it } from 'vitest'
import { overlap, type LabelBox } from '../../../../core/analysis/label-places'
import type { Vec3 } from '../../../../core/math/vector'
import { DEFAULT_CAMERA } from '../../../../renderer/state/view'
import { project } from '../../../../renderer/viewport/camera/projection'
import { drawPlateBeside, type Context } from '../../../../renderer/viewport/overlay/drawing'
import { drawForceValues, type ForceTip } from '../../../../renderer/viewport/overlay/force-values'
import { picturePlaces } from '../../../../renderer/viewport/overlay/labels'
import type { ViewportTheme } from '../../../../renderer/viewport/theme'

const view = project(DEFAULT_CAMERA, 800, 500, { center: [0, 0, 0], radius: 3 }, [0, 0, 0])
const theme = { css: { font: 'sans', surface: '#000', text: '#fff', muted: '#888' } } as unknown as ViewportTheme

/** Plates and their texts, drawn with letters of 6 pixels. */
function drawnBy(draw: (ctx: Context) => void): { box: LabelBox; text: string }[] {
  const drawn: { box: LabelBox; text: string }[] = []
  let box: LabelBox = { left: 0, top: 0, right: 0, bottom: 0 }
  const nothing = () => undefined
  const ctx = {
    measureText: (text: string) => ({ width: 6 * text.length }), beginPath: nothing, fill: nothing, stroke: nothing, moveTo: nothing, lineTo: nothing,
    roundRect: (x: number, y: number, width: number, height: number) => { box = { left: x, top: y, right: x + width, bottom: y + height } },
    fillText: (text: string) => { drawn.push({ box, text }) },
  } as unknown as Context
  draw(ctx)
  return drawn
}
const plates = (tips: readonly ForceTip[]) => drawnBy(ctx => drawForceValues(ctx, tips, view, theme, picturePlaces(view)))

const tip = (tail: Vec3, force: number): ForceTip => ({ tail, tip: [tail[0], tail[1], tail[2] + force / 100], force })

describe('labels of forces', () => {
  it('of many contacts are placed beside their arrows without overlap', () => {
    const drawn = plates(Array.from({ length: 40 }, (_, k) => tip([0.05 * (k % 7), 0.05 * Math.floor(k / 7), 0], 40 - k)))
    expect(drawn.length).toBeGreaterThan(15)
    for (const [i, a] of drawn.entries()) for (const b of drawn.slice(i + 1)) expect(overlap(a.box, b.box)).toBe(false)
  })

  it('without room are counted in the corner', () => {
    const drawn = plates(Array.from({ length: 300 }, () => tip([0, 0, 0], 10)))
    const [, count] = /^\+(\d+) more values$/.exec(drawn.at(-1)!.text)!
    expect(Number(count)).toBe(300 - (drawn.length - 1))
  })

  it('are all shown if there is room', () => {
    expect(plates([tip([0, 0, 0], 12.5), tip([1, 0, 0], 3)]).map(({ text }) => text)).toEqual(['12.5 N', '3 N'])
  })
})

describe('a readout beside the pointer', () => {
  const at = (x: number) => drawnBy(ctx => drawPlateBeside(ctx, 'Vertex of Box number 2', [x, 100], [14, -16], 800, theme))[0]!.box

  it('is to the right of it, and to the left where the picture ends', () => {
    expect(at(100)).toMatchObject({ left: 108 })
    expect(at(780).right).toBeLessThan(780)
    expect(at(780).left).toBeGreaterThan(0)
  })
})
