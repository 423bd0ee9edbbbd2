import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Scene } from '../../../../core/scene'
import { useDocument } from '../../../../renderer/state/document'
import { clipOf, pasteClip, renameElement } from '../../../../renderer/state/editing'

const box = (id: string, x: number) => ({ id, position: [x, 0, 1], shapes: [{ type: 'box', size: [1, 1, 1], material: 'wood' }] })
const scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood', friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [box('a', 0), box('b', 3), { ...box('wheel', 6), name: 'Wheel' }],
  joints: [
    { id: 'h1', type: 'hinge', bodyA: 'a', bodyB: null, anchor: [0, 0, 1], axis: [0, 1, 0] },
    { id: 'h2', type: 'hinge', bodyA: 'b', bodyB: null, anchor: [3, 0, 1], axis: [0, 1, 0] },
    { id: 'gear', type: 'gear', jointA: 'h1', jointB: 'h2', ratio: -1 },
    { id: 'wire', type: 'pointOnCurve', bodyA: 'wheel', bodyB: null, anchor: [6, 0, 1], curve: { type: 'circle', center: [5.5, 0, 1], normal: [0, 0, 1], radius: 0.5 } },
  ],
  forces: [
    { id: 'spring', type: 'spring', bodyA: 'a', bodyB: null, pointB: [0, 0, 3], stiffness: 5 },
    { id: 'script', type: 'script', script: 'push.ts' },
  ],
  scripts: [{ id: 'push.ts', source: 'export default function (ctx: ForceContext) { ctx.body("wheel").applyForce([0, 0, 1]); const wheel = "wheel" }' }],
} as unknown as Scene

function opened() {
  const document = useDocument()
  document.load({ scene, text: null, handle: 'h', name: 'scene', savable: true })
  return document
}

beforeEach(() => setActivePinia(createPinia()))

describe('a copy of bodies', () => {
  it('includes gears, springs and curves, connected to the copies', () => {
    const document = opened()
    const refused: unknown[] = []
    document.onRefused(problems => refused.push(...problems))
    pasteClip('duplicate', clipOf(document.scene, new Set(['a', 'b', 'wheel'])), [1, 2, 0])
    expect(refused).toEqual([])
    const { joints, forces } = document.scene
    expect(joints!.slice(4).map(joint => joint.type === 'gear' ? [joint.jointA, joint.jointB] : [joint.bodyA])).toEqual([['a-2'], ['b-2'], ['wheel-2'], ['h1-2', 'h2-2']])
    expect(joints!.find(joint => joint.id === 'wire-2')).toMatchObject({ anchor: [7, 2, 1], curve: { center: [6.5, 2, 1] } })
    expect(forces!.at(-1)).toMatchObject({ type: 'spring', bodyA: 'a-2', pointB: [1, 2, 3] })
  })

  it('keeps the other body of a chosen joint, and the place of a joint that is copied alone', () => {
    const document = opened()
    document.edit('join', draft => void draft.joints!.push({ id: 'rod', type: 'distance', bodyA: 'a', bodyB: 'b', anchor: [0, 0, 1], anchorB: [3, 0, 1] }))
    expect(clipOf(document.scene, new Set(['b'])).joints.map(joint => joint.id)).toEqual(['h2'])
    pasteClip('duplicate', clipOf(document.scene, new Set(['b', 'rod'])), [0, 2, 0])
    expect(document.scene.joints!.find(({ id }) => id === 'rod-2')).toMatchObject({ bodyA: 'a', bodyB: 'b-2', anchor: [0, 2, 1], anchorB: [3, 2, 1] })
    pasteClip('duplicate', clipOf(document.scene, new Set(['rod'])), [0, 2, 0])
    expect(document.scene.joints!.find(({ id }) => id === 'rod-3')).toMatchObject({ bodyA: 'a', bodyB: 'b', anchor: [0, 0, 1], anchorB: [3, 0, 1] })
  })

  it('leaves a joint behind whose other body the scene does not have', () => {
    const document = opened()
    document.edit('join', draft => void draft.joints!.push({ id: 'rod', type: 'distance', bodyA: 'a', bodyB: 'b', anchor: [0, 0, 1], anchorB: [3, 0, 1] }))
    const clip = clipOf(document.scene, new Set(['b', 'rod']))
    document.load({ scene: { format: 'cairn-scene', version: 1 } as Scene, text: null, handle: 'other', name: 'other', savable: true })
    const refused: unknown[] = []
    document.onRefused(problems => refused.push(...problems))
    pasteClip('paste', clip, [0, 0, 0])
    expect([refused, document.scene.bodies!.length, document.scene.joints!.map(({ id }) => id)]).toEqual([[], 1, ['h2']])
  })

  it('leaves out a gear whose other joint is not copied', () => {
    const document = opened()
    expect(clipOf(document.scene, new Set(['a'])).joints.map(joint => joint.id)).toEqual(['h1'])
  })
})

describe('a new name', () => {
  it('gives a new id, also in calls of scripts, if the old one was generated', () => {
    const document = opened()
    expect(renameElement('wheel', 'Großes Rad')).toBe('grosses-rad')
    expect(document.scene.scripts![0]!.source).toContain('ctx.body("grosses-rad")')
    expect(document.scene.scripts![0]!.source).toContain('const wheel = "wheel"')
    document.undo()
    expect(document.scene).toBe(scene)
  })

  it('keeps an id that was chosen, and one if no letter of the name is allowed in an id', () => {
    opened()
    expect(renameElement('h1', 'Knee')).toBe('h1')
    expect(renameElement('wheel', '輪')).toBe('wheel')
  })
})
