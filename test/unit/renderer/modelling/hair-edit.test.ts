import { describe, expect, it } from 'vitest'
import { bendingMoments } from '../../../../core/analysis/bending-moment'
import { distance, type Vec3 } from '../../../../core/math/vector'
import { resolveDeformable, type Body, type DeformableOf } from '../../../../core/scene'
import { combedStrand, growStrands, outsideOf, removeStrands, resizeStrands, SEGMENTS, strandLength, strandsOf } from '../../../../renderer/modelling/hair-edit'
import { paintable, paintedFactors, paintVertices } from '../../../../renderer/modelling/vertices-edit'

const strand = (x: number): Vec3[] => [[x, 0, 1], [x, 0, 1.1], [x, 0, 1.2], [x, 0, 1.3]]
const hair = (): DeformableOf<'hair'> => ({ id: 'h', type: 'hair', material: 'm', radius: 0.01, strands: [0, 1, 2].map(x => ({ body: 'ball', points: strand(x) })) })
const ball: Body = { id: 'ball', position: [0, 0, 0.5], shapes: [{ type: 'sphere', radius: 0.45, position: [0, 0, 0.05], material: 'm' }] }

describe('edits of hair', () => {
  it('grow strands along normals, whose painted factors are 1', () => {
    const draft = { ...hair(), bendFactors: Array<number>(12).fill(3) }
    growStrands(draft, [{ point: [1, 2, 3], normal: [0, 1, 0] }], 'ball', 0.5, 0.01)
    const { body, points } = draft.strands[3]!
    expect([body, points.length, points[0]]).toEqual(['ball', SEGMENTS + 1, [1, 2.0101, 3]])
    expect(strandLength(points)).toBeCloseTo(0.5, 9)
    expect(draft.bendFactors).toEqual([...Array<number>(12).fill(3), ...Array<number>(SEGMENTS + 1).fill(1)])
  })

  it('remove strands; what belongs to vertices of others follows them', () => {
    const draft = { ...hair(), bendFactors: [...Array(12).keys()], pins: [3, 6, 11], attachments: [{ vertex: 7, body: 'b' }, { vertex: 10, body: 'b' }] }
    removeStrands(draft, new Set([1]))
    expect(draft.strands.map(({ points }) => points[0]![0])).toEqual([0, 2])
    expect([draft.bendFactors, draft.pins, draft.attachments]).toEqual([[0, 1, 2, 3, 8, 9, 10, 11], [3, 7], [{ vertex: 6, body: 'b' }]])
  })

  it('comb: segments keep their lengths, the root its place, and no point enters the body', () => {
    const points: Vec3[] = [[0, 0, 1.0101], [0, 0, 1.1], [0, 0, 1.25], [0, 0, 1.3], [0, 0, 1.4]]
    const outside = outsideOf(ball, 0.01)
    let combed: readonly Vec3[] = points
    for (let k = 0; k < 40; k++) combed = combedStrand(combed, points.map((): Vec3 => [0.02, 0, -0.02]), outside)
    expect(combed[0]).toEqual(points[0])
    combed.slice(1).forEach((point, k) => expect(distance(combed[k]!, point)).toBeCloseTo(distance(points[k]!, points[k + 1]!), 9))
    // It lies on the ball, 1 cm away, and has been combed down and aside.
    expect(Math.min(...combed.map(point => distance(point, [0, 0, 0.55])))).toBeGreaterThan(0.4599)
    expect(combed.at(-1)![0]).toBeGreaterThan(0.2)
    // The same with nothing in the way goes down straight.
    let free: readonly Vec3[] = points
    for (let k = 0; k < 40; k++) free = combedStrand(free, points.map((): Vec3 => [0.02, 0, -0.02]), outsideOf(undefined, 0.01))
    expect(free.at(-1)![2]).toBeLessThan(0.8)
  })

  it('set lengths by shares, with the shape and the root kept', () => {
    const draft = hair()
    resizeStrands(draft, new Map([[0, 1], [2, 0.5]]), 0.6)
    expect(draft.strands.map(({ points }) => Number(strandLength(points).toFixed(6)))).toEqual([0.6, 0.3, 0.45])
    expect(draft.strands[0]!.points[0]).toEqual([0, 0, 1])
    expect(strandsOf(draft, [0, 3, 9])).toEqual(new Set([0, 2]))
  })

  it('paint the stiffness of its vertices: stretching and bending, no shear', () => {
    const draft = hair()
    expect(paintable(draft)).toEqual(['stretch', 'bend'])
    paintVertices(draft, 'bend', new Map([[2, 1], [5, 0.5]]), 5)
    expect(paintedFactors(draft, 'bend')).toEqual([1, 1, 5, 1, 1, 3, 1, 1, 1, 1, 1, 1])
    paintVertices(draft, 'shear', new Map([[2, 1]]), 5)
    expect([paintedFactors(draft, 'shear'), 'shearFactors' in draft]).toEqual([null, false])
    paintVertices(draft, 'bend', new Map([[2, 1], [5, 1]]), 1)
    expect(draft).toEqual(hair())
  })

  it('painted bending multiplies the bending moment that is shown', () => {
    const moments = (bendFactors?: readonly number[]): Float64Array => {
      const out = new Float64Array(12)
      const one = resolveDeformable({ ...hair(), bendingStiffness: 0.1, ...bendFactors && { bendFactors: [...bendFactors] } })
      bendingMoments(one, Float64Array.from(hair().strands.flatMap(({ points }) => points.flatMap(([x, y, z], k) => [x + 0.02 * k * k, y, z]))), out)
      return out
    }
    const plain = moments()
    expect(plain[2]).toBeGreaterThan(0)
    expect([...moments([1, 1, 4, 1, 1, 1, 0.5, 1, 1, 1, 1, 1])]).toEqual([...plain].map((moment, i) => moment * ({ 2: 4, 6: 0.5 }[i] ?? 1)))
  })
})
