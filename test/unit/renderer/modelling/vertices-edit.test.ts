import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deformable } from '../../../../core/scene'
import { attachVertices, brushShare, conditionFor, controlVertices, paintVertices, paintedFactors, pinVertices, readRanges, releaseVertices, seamsBetween, sew, unpick, weighVertices, writeRanges } from '../../../../renderer/modelling/vertices-edit'

const cloth = (): Deformable => ({
  id: 'c', type: 'cloth', material: 'm', vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], triangles: [[0, 1, 2], [3, 5, 4]],
}) as unknown as Deformable

describe('edits of vertices', () => {
  it('hold each vertex once: the last hold replaces earlier ones, and releasing restores the deformable', () => {
    const draft = cloth()
    pinVertices(draft, new Set([5, 0]))
    expect(draft.pins).toEqual([0, 5])
    attachVertices(draft, new Set([5]), 'box')
    expect([draft.pins, draft.attachments]).toEqual([[0], [{ vertex: 5, body: 'box' }]])
    pinVertices(draft, new Set([5]))
    expect([draft.pins, 'attachments' in draft]).toEqual([[0, 5], false])
    releaseVertices(draft, new Set([0, 5]))
    expect(draft).toEqual(cloth())
  })

  it('leave attachments of triangles alone', () => {
    const draft = { ...cloth(), attachments: [{ triangle: 0, body: 'box' }, { vertex: 1, body: 'box' }] } as Deformable
    releaseVertices(draft, new Set([0, 1, 2]))
    expect(draft.attachments).toEqual([{ triangle: 0, body: 'box' }])
  })

  it('sew vertices at the same place, once', () => {
    const draft = cloth()
    const seams = seamsBetween(draft, new Set([0, 1, 2, 3, 4, 5]))
    expect(seams).toEqual([[1, 3], [2, 4]])
    sew(draft, seams)
    sew(draft, [[3, 1]])
    expect((draft as { seams?: unknown }).seams).toEqual([[1, 3], [2, 4]])
    unpick(draft, new Set([4]))
    expect((draft as { seams?: unknown }).seams).toEqual([[1, 3]])
    unpick(draft, new Set([1]))
    expect(draft).toEqual(cloth())
  })

  it('propose a seam of two vertices that lie apart, and none of three', () => {
    expect(seamsBetween(cloth(), new Set([0, 5]))).toEqual([[0, 5]])
    expect(seamsBetween(cloth(), new Set([0, 1, 2]))).toEqual([])
  })

  it('paint factors of a stiffness towards a value, and leave nothing where all are 1 again', () => {
    const draft = cloth()
    expect(paintedFactors(draft, 'shear')).toEqual([1, 1, 1, 1, 1, 1])
    paintVertices(draft, 'shear', new Map([[0, 1], [4, 0.5], [5, 0]]), 3)
    expect(paintedFactors(draft, 'shear')).toEqual([3, 1, 1, 1, 2, 1])
    expect(paintedFactors(draft, 'bend')).toEqual([1, 1, 1, 1, 1, 1])
    paintVertices(draft, 'shear', new Map([[4, 1 / 3]]), 0)
    expect(paintedFactors(draft, 'shear')).toEqual([3, 1, 1, 1, 1.333, 1])
    paintVertices(draft, 'shear', new Map([[0, 1], [4, 1]]), 1)
    expect(draft).toEqual(cloth())
    const rope = { id: 'r', type: 'rope', material: 'm', points: [[0, 0, 0], [1, 0, 0]] } as unknown as Deformable
    paintVertices(rope, 'bend', new Map([[0, 1]]), 2)
    expect([paintedFactors(rope, 'bend'), Object.keys(rope)]).toEqual([null, ['id', 'type', 'material', 'points']])
  })

  it('paint whole in the middle of the brush, and less and less towards its rim', () => {
    expect([0, 0.5, 0.75, 1, 2].map(brushShare)).toEqual([1, 1, 0.5, 0, 0])
  })

  it('set the mass of particles only', () => {
    const draft = { id: 'p', type: 'particles', material: 'm', particles: [0, 1, 2].map(x => ({ position: [x, 0, 0], mass: 1 })) } as unknown as Deformable
    weighVertices(draft, new Set([1]), 3)
    expect((draft as Extract<Deformable, { type: 'particles' }>).particles.map(({ mass }) => mass)).toEqual([1, 3, 1])
    const sheet = cloth()
    weighVertices(sheet, new Set([1]), 3)
    expect(sheet).toEqual(cloth())
  })
})

describe('lists of vertex numbers', () => {
  it('read back what they write', () => {
    fc.assert(fc.property(fc.uniqueArray(fc.nat(200)), list => {
      expect(readRanges(writeRanges(new Set(list)), 201)).toEqual(new Set(list))
    }))
  })

  it('accept hyphens, blanks and commas; refuse words, missing vertices, and descending ranges', () => {
    expect(readRanges(' 3 - 5, 8 10', 11)).toEqual(new Set([3, 4, 5, 8, 10]))
    for (const text of ['a', '3–', '11', '5–3', '-2']) expect(readRanges(text, 11), text).toBeNull()
  })
})

describe('conditions of vertices', () => {
  const places: [number, number, number][] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 0, 0], [0, 0, 0]]
  const masses = (): Deformable => ({ id: 'd', type: 'particles', material: 'm', particles: places.map(position => ({ position, mass: 1 })), pins: [3] })

  it.each([
    [[2], { type: 'point', vertex: 2 }], [[1, 0], { type: 'distance', vertices: [0, 1] }], [[0, 5], { type: 'coincide', vertices: [0, 5] }],
    [[0, 1, 2], { type: 'angle', vertices: [0, 1, 2] }], [[0, 1, 4], { type: 'centre', vertices: [0, 1, 4] }], [[0, 1, 2, 3], { type: 'volume', vertices: [0, 1, 2, 3] }],
    [[0, 1, 2, 3, 4], { type: 'centre', vertices: [0, 1, 2, 3, 4] }],
  ] as const)('of %j are %j', (chosen, condition) => {
    expect(conditionFor(masses(), new Set(chosen))).toEqual(condition)
  })

  it('include places of other deformables, which come after the vertices', () => {
    const joined = (x: number, y: number, z: number, vertex: number) => ({ place: { type: 'vertex' as const, deformable: 'r', vertex }, at: [x, y, z] as const })
    const other = (vertex: number) => ({ type: 'vertex', deformable: 'r', vertex })
    expect(conditionFor(masses(), new Set([2]), [joined(3, 0, 0, 7)])).toEqual({ type: 'distance', vertices: [2], others: [other(7)] })
    expect(conditionFor(masses(), new Set([1]), [joined(1, 0, 0, 0)])).toEqual({ type: 'coincide', vertices: [1], others: [other(0)] })
    expect(conditionFor(masses(), new Set([1, 0]), [joined(0, 0, 2, 1)])).toEqual({ type: 'angle', vertices: [0, 1], others: [other(1)] })
    expect(conditionFor(masses(), new Set([0, 1]), [joined(5, 0, 0, 1)])).toEqual({ type: 'centre', vertices: [0, 1], others: [other(1)] })
    expect(conditionFor(masses(), new Set(), [joined(5, 0, 0, 1)])).toBeNull()
  })

  it('are none for no vertices and for too many', () => {
    expect(conditionFor(masses(), new Set())).toBeNull()
    const many: Deformable = { id: 'r', type: 'rope', material: 'm', points: [[0, 0, 0], [1, 0, 0]], segments: 200 }
    expect(conditionFor(many, new Set(Array(101).keys()))).toBeNull()
  })

  it('a path replaces a pin, and releasing its vertices removes it', () => {
    const draft = masses()
    controlVertices(draft, new Set([3, 1]))
    expect(draft.pins).toBeUndefined()
    expect(draft.controlled).toMatchObject([{ vertices: [1, 3], motion: { type: 'ellipse', period: 1 } }])
    pinVertices(draft, new Set([1]))
    expect(draft.controlled![0]!.vertices).toEqual([3])
    releaseVertices(draft, new Set([3]))
    expect(draft.controlled).toBeUndefined()
  })
})
