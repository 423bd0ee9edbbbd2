import { describe, expect, it } from 'vitest'
import type { ContactFrame } from '../../../../../core/trajectory/frame'
import { contactRegions } from '../../../../../renderer/viewport/glyphs/contact-regions'

type Contact = readonly [bodies: readonly [number, number], point: readonly number[], normal?: readonly number[]]

/** Of the columns that regions are made from. */
function frame(contacts: readonly Contact[]): ContactFrame {
  return {
    count: contacts.length,
    bodyA: Int32Array.from(contacts, ([[a]]) => a), bodyB: Int32Array.from(contacts, ([[, b]]) => b),
    shapeA: new Int32Array(contacts.length), shapeB: new Int32Array(contacts.length),
    point: Float64Array.from(contacts.flatMap(([, point]) => point)),
    normal: Float64Array.from(contacts.flatMap(([, , normal = [0, 0, 1]]) => normal)),
  } as unknown as ContactFrame
}

describe('contact regions', () => {
  it('join the points of two bodies in order around their polygon, whatever the order they come in', () => {
    const square = [[0, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0]] as const
    const [region] = contactRegions(frame(square.map(point => [[0, 1], point])))
    const around = region!.map(i => square[i]!)
    around.forEach((p, k) => {
      const q = around[(k + 1) % 4]!
      expect(Math.abs(p[0] - q[0]) + Math.abs(p[1] - q[1])).toBe(1)
    })
  })

  it('are lines for two points, and nothing for one', () => {
    expect(contactRegions(frame([[[0, 1], [0, 0, 0]], [[0, 1], [1, 0, 0]], [[2, 1], [5, 0, 0]]]))).toEqual([[0, 1]])
  })

  it('are separate for different pairs and for different normals', () => {
    const regions = contactRegions(frame([
      [[0, 1], [0, 0, 0]], [[0, 1], [1, 0, 0]], [[0, 2], [0, 0, 0]], [[0, 2], [1, 0, 0]], [[0, 1], [0, 0, 1], [1, 0, 0]], [[0, 1], [0, 1, 1], [1, 0, 0]],
    ]))
    expect(regions).toEqual([[0, 1], [4, 5], [2, 3]])
  })
})
