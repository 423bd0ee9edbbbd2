import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { validateScene, type Scene } from '../../../../core/scene'
import { defaultShape, shapeTypes } from '../../../../renderer/shapes'
import { changeId, clipOf, deleteElements, pasteClip } from '../../../../renderer/state/editing'
import { useDocument } from '../../../../renderer/state/document'
import { useSelection } from '../../../../renderer/state/selection'
import { changePair, clearPair } from '../../../../renderer/state/materials'
import { newForce } from '../../../../renderer/state/new-force'
import { jointTypes, newJoint } from '../../../../renderer/joints'
import { CURVE_KINDS } from '../../../../renderer/joints/curves'

const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood' }, { id: 'ice' }],
  bodies: [
    { id: 'door', position: [0, 0, 1], shapes: [{ type: 'box', size: [1, 0.1, 1], material: 'wood' }] },
    { id: 'post', position: [1, 0, 1], shapes: [{ type: 'box', size: [0.1, 0.1, 2], material: 'wood' }] },
  ],
  joints: [{ id: 'hinge', type: 'hinge', bodyA: 'door', bodyB: 'post', anchor: [0.5, 0, 1], axis: [0, 0, 1] }],
  forces: [{ id: 'pull', type: 'spring', bodyA: 'door', bodyB: null, stiffness: 10 }, { id: 'wind', type: 'uniform', bodies: ['door', 'post'], force: [1, 0, 0] }],
}

const errors = (of: Scene) => validateScene(of).filter(problem => problem.severity === 'error')

beforeEach(() => {
  setActivePinia(createPinia())
  useDocument().load({ scene, text: null, handle: null, name: 'x', savable: false })
})

describe('editing', () => {
  it('duplicates bodies with the joints among them, shifted and under new ids', () => {
    const document = useDocument()
    pasteClip('duplicate', clipOf(scene, new Set(['door', 'post'])), [1, 0, 0])
    expect(document.scene.bodies!.map(body => body.id)).toEqual(['door', 'post', 'door-2', 'post-2'])
    expect(document.scene.joints![1]).toMatchObject({ id: 'hinge-2', bodyA: 'door-2', bodyB: 'post-2', anchor: [1.5, 0, 1] })
    expect(useSelection().ids).toEqual(['door-2', 'post-2'])
    expect(errors(document.scene)).toEqual([])
    document.undo()
    expect(document.scene).toBe(scene)
  })

  it('gives copies names that differ from their originals', () => {
    const document = useDocument()
    const named: Scene = { ...scene, bodies: scene.bodies!.map(body => body.id === 'door' ? { ...body, name: 'Door' } : body) }
    document.load({ scene: named, text: null, handle: null, name: 'x', savable: false })
    pasteClip('duplicate', clipOf(named, new Set(['door'])), [1, 0, 0])
    pasteClip('duplicate', clipOf(document.scene, new Set(['door-2', 'post'])), [1, 0, 0])
    expect(document.scene.bodies!.map(body => body.name)).toEqual(['Door', undefined, 'Door 2', undefined, 'Door 3'])
  })

  it('leaves out joints to bodies that were not copied', () => {
    expect(clipOf(scene, new Set(['door'])).joints).toEqual([])
  })

  it('deletes a body with its joints and springs, and removes it from lists', () => {
    deleteElements(['door'])
    const after = useDocument().scene
    expect(after.joints ?? []).toEqual([])
    expect(after.forces!.map(force => force.id)).toEqual(['wind'])
    expect(after.forces![0]).toMatchObject({ bodies: ['post'] })
    expect(errors(after)).toEqual([])
  })

  it('changes an id everywhere it is used, and keeps the selection', () => {
    useSelection().select(['door'])
    changeId('door', 'gate')
    const after = useDocument().scene
    expect(after.joints![0]).toMatchObject({ bodyA: 'gate' })
    expect(after.forces![1]).toMatchObject({ bodies: ['gate', 'post'] })
    expect(useSelection().ids).toEqual(['gate'])
  })

  it('adds shapes of every kind that are valid without edits', () => {
    for (const type of shapeTypes) {
      const next: Scene = { ...scene, bodies: [...scene.bodies!, { id: 'new', type: type === 'halfSpace' ? 'fixed' : 'dynamic', position: [0, 9, 0], shapes: [defaultShape(type, 'wood')] }] }
      expect(errors(next), type).toEqual([])
    }
  })

  it('adds forces and joints of every kind that are valid without edits', () => {
    for (const type of ['uniform', 'point', 'torque', 'spring', 'drag', 'attractor', 'wind', 'keyframed', 'script'] as const) {
      const { force, script } = newForce(type, 'Force', scene, ['door'])
      expect(errors({ ...scene, forces: [...scene.forces!, force], scripts: script ? [script] : [] }), type).toEqual([])
    }
    const deformables = [1, 2].map(x => ({ id: `dust-${x}`, type: 'particles' as const, material: 'wood', particles: [{ position: [x, 0, 5] as const, mass: 1 }] }))
    for (const type of ['pair', 'lennard-jones'] as const) {
      const { force } = newForce(type, 'Force', { ...scene, bodies: [], deformables }, ['door', 'dust-2'])
      expect(force).toMatchObject({ deformables: ['dust-2'] })
      expect(errors({ ...scene, deformables, forces: [...scene.forces!, force] }), type).toEqual([])
    }
    for (const type of jointTypes) {
      if (type === 'gear') continue
      expect(errors({ ...scene, joints: [newJoint(type, 'j', 'door', 'post', [0, 0, 1], [0, 0.6, 0.8])] }), type).toEqual([])
    }
    for (const [curve] of CURVE_KINDS) {
      expect(errors({ ...scene, joints: [newJoint('pointOnCurve', 'j', 'door', 'post', [0, 0, 1], [0, 0.6, 0.8], curve)] }), curve).toEqual([])
    }
  })

  it('gives a pair its own values, and removes the pair with the last of them', () => {
    const document = useDocument()
    changePair(['wood', 'ice'], { static: 0.1, dynamic: 0.05 })
    changePair(['ice', 'wood'], { restitution: 0.2 })
    expect(document.scene.materialPairs).toEqual([{ materials: ['wood', 'ice'], friction: { static: 0.1, dynamic: 0.05 }, restitution: 0.2 }])
    changePair(['wood', 'ice'], { dynamic: undefined, static: undefined })
    changePair(['wood', 'ice'], { restitution: undefined })
    expect(document.scene.materialPairs).toEqual([])
    changePair(['wood', 'wood'], { static: 0.3 })
    clearPair(['wood', 'wood'])
    expect(document.scene.materialPairs).toEqual([])
  })
})

describe('the selection', () => {
  it('drops objects that the document no longer has', () => {
    const selection = useSelection()
    selection.select(['door', 'post'])
    deleteElements(['door'])
    expect(selection.ids).toEqual(['post'])
  })

  it('adds, toggles and removes', () => {
    const selection = useSelection()
    selection.select(['door'])
    selection.select(['post'], 'add')
    expect(selection.active).toBe('post')
    selection.select(['door'], 'toggle')
    expect(selection.ids).toEqual(['post'])
    selection.select(['post'], 'remove')
    expect(selection.ids).toEqual([])
  })
})
