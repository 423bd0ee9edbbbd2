import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Scene } from '../../../../core/scene'
import { useDocument } from '../../../../renderer/state/document'
import { motionOf, setMotion } from '../../../../renderer/state/group-motion'

/** Two equal cubes 2 m apart and one of eight times their mass above the middle, and a fixed one. */
const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 500 }],
  bodies: [
    { id: 'left', position: [-1, 0, 1], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'wood' }] },
    { id: 'right', position: [1, 0, 1], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'wood' }] },
    { id: 'top', position: [0, 0, 2.25], shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'wood' }] },
    { id: 'wall', type: 'fixed', position: [5, 0, 1], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'wood' }] },
  ],
}
const all = ['left', 'right', 'top', 'wall']

beforeEach(() => {
  setActivePinia(createPinia())
  useDocument().load({ scene, text: null, handle: null, name: 'x', savable: false })
})

describe('the velocity of a group', () => {
  it('is that of one rigid body about the common centre of mass', () => {
    setMotion(all, { linear: [1, 0, 0], angular: [0, 0, 2] })
    const [left, right, top, wall] = useDocument().scene.bodies!
    // The centre is at z = 2; v = (1, 0, 0) + (0, 0, 2) × (x, 0, z − 2).
    expect([left, right, top].map(body => body!.linearVelocity)).toEqual([[1, -2, 0], [1, 2, 0], [1, 0, 0]])
    expect([left, right, top].map(body => body!.angularVelocity)).toEqual([[0, 0, 2], [0, 0, 2], [0, 0, 2]])
    expect(wall).not.toHaveProperty('linearVelocity')
    setMotion(all, { linear: [0, 0, 0], angular: [0, 3, 0] })
    const tipped = useDocument().scene.bodies!.map(({ linearVelocity }) => linearVelocity?.map(x => Math.round(1e12 * x) / 1e12 + 0))
    expect(tipped).toEqual([[-3, 0, 3], [-3, 0, -3], [0.75, 0, 0], undefined])
  })

  it('is read back as it was set, and as mixed where the bodies move otherwise', () => {
    expect(motionOf(useDocument().scene, all)).toEqual({ linear: [0, 0, 0], angular: [0, 0, 0], mixed: { linear: false, angular: false } })
    setMotion(all, { linear: [0.1, 0.2, 0.3], angular: [0.7, -0.3, 0.9] })
    const read = motionOf(useDocument().scene, all)!
    read.linear.forEach((x, k) => expect(Math.abs(x - [0.1, 0.2, 0.3][k]!)).toBeLessThan(1e-12))
    expect(read.mixed).toEqual({ linear: false, angular: false })
    useDocument().edit('push', draft => { draft.bodies![0]!.linearVelocity = [5, 0, 0] })
    expect(motionOf(useDocument().scene, all)!.mixed).toEqual({ linear: true, angular: false })
    useDocument().edit('spin', draft => { draft.bodies![1]!.angularVelocity = [0, 0, 0] })
    expect(motionOf(useDocument().scene, all)!.mixed).toEqual({ linear: true, angular: true })
    expect(motionOf(useDocument().scene, ['wall'])).toBeNull()
  })
})
