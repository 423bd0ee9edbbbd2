import { describe, expect, it } from 'vitest'
import { bendingMoments } from '../../../../core/analysis/bending-moment'
import { deformablePlaces, deformableState, holdsOf } from '../../../../core/analysis/deformable-state'
import { resolveDeformable, type Deformable } from '../../../../core/scene'
import type { DeformableFrame } from '../../../../core/trajectory/frame'

const places = deformablePlaces({
  deformableIds: ['net', 'rope'], deformableParticles: Int32Array.of(4, 3), deformableElements: Int32Array.of(3, 2), deformableHeld: Int32Array.of(1, 2),
})
const frame = {
  strain: Float64Array.of(0.1, -0.4, 0.1, 0.02, 0.04), tension: Float64Array.of(NaN, NaN, NaN, -3, 2),
  reaction: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), energy: Float64Array.of(1, 2, 3, 4, 5, 6),
} as unknown as DeformableFrame

describe('the state of a deformable in a frame', () => {
  it('takes the columns of each: the worst value with its sign, the mean of absolute values, tensions if there are any', () => {
    const [net, rope] = places.map(place => deformableState(frame, place))
    expect(net).toMatchObject({ kinetic: 1, stretching: 2, bending: 3, worstStrain: -0.4, largestTension: null })
    expect(net!.meanStrain).toBeCloseTo(0.2, 15)
    expect([...net!.reactions]).toEqual([1, 2, 3])
    expect(rope).toMatchObject({ kinetic: 4, worstStrain: 0.04, largestTension: -3 })
    expect([...rope!.reactions]).toEqual([4, 5, 6, 7, 8, 9])
  })

  it('names its supports in the order of the reactions', () => {
    const hair = resolveDeformable({
      id: 'fur', type: 'hair', material: 'm', pins: [2], attachments: [{ vertex: 5, body: 'b' }],
      strands: [0, 1].map(y => ({ body: 'a', points: [[0, y, 0], [0, y, 1], [0, y, 2]] })),
    } as unknown as Deformable)
    expect(holdsOf(hair).map(({ kind, vertices }) => [kind, ...vertices])).toEqual([
      ['pin', 2], ['root', 0], ['root', 1], ['root', 3], ['root', 4], ['attachment', 5],
    ])
  })
})

describe('bending moments', () => {
  const [R, n] = [2, 200]
  const arc = (k: number) => [R * Math.cos(k / n), R * Math.sin(k / n), 0]

  it('are EI ÷ R along a straight rope that is bent to a circle, and nothing at its ends', () => {
    const rope = resolveDeformable({
      id: 'rope', type: 'rope', material: 'm', points: [[0, 0, 0], [2 * R * n * Math.sin(0.5 / n), 0, 0]], segments: n, bendingStiffness: 3,
    } as unknown as Deformable)
    const out = new Float64Array(n + 1)
    bendingMoments(rope, Float64Array.from(Array.from({ length: n + 1 }, (_, k) => arc(k)).flat()), out)
    expect([out[0], out[n]]).toEqual([0, 0])
    // A polygon of n sides on the circle: its turn is that of the arc, its sides are a little shorter.
    for (const moment of out.subarray(1, n)) expect(Math.abs(moment - 3 / R) / (3 / R)).toBeLessThan(1 / (n * n))
  })

  it('at a clamp are those of the half segment that bends, in hair and in ropes that one support holds at two vertices', () => {
    const turned = Float64Array.of(0, 0, 0, 1, 0, 0, 1 + Math.cos(0.2), 0, -Math.sin(0.2))
    const points = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    const hair = { id: 'h', type: 'hair', material: 'm', bendingStiffness: 3, strands: [{ body: 'b', points }] }
    const rope = { id: 'r', type: 'rope', material: 'm', bendingStiffness: 3, points, segments: 2 }
    const out = new Float64Array(3)
    for (const [scene, length] of [[hair, 0.5], [{ ...rope, pins: [0, 1] }, 0.5], [{ ...rope, pins: [0], attachments: [{ vertex: 1, body: 'b' }] }, 1]] as const) {
      bendingMoments(resolveDeformable(scene as unknown as Deformable), turned, out)
      expect(out[1]! / (3 * 0.2 / length)).toBeCloseTo(1, 12)
    }
  })

  it('are zero in hair with its initial shape, and absent in cloth', () => {
    const points = Array.from({ length: 5 }, (_, k) => arc(20 * k))
    const hair = resolveDeformable({ id: 'h', type: 'hair', material: 'm', bendingStiffness: 3, strands: [{ body: null, points }] } as unknown as Deformable)
    const out = new Float64Array(5)
    bendingMoments(hair, Float64Array.from(points.flat()), out)
    expect([...out]).toEqual([0, 0, 0, 0, 0])
    const cloth = resolveDeformable({ id: 'c', type: 'cloth', material: 'm', vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]] } as unknown as Deformable)
    bendingMoments(cloth, new Float64Array(9), out)
    expect(out.every(Number.isNaN)).toBe(true)
  })
})
