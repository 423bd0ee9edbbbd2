import { createPinia, setActivePinia } from 'pinia'
import { isReactive } from 'vue'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Scene } from '../../../../core/scene'
import { useDocument } from '../../../../renderer/state/document'
import { startGesture } from '../../../../renderer/state/gesture'

const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood', friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [
    { id: 'a', position: [0, 0, 1], shapes: [{ type: 'box', size: [1, 1, 1], material: 'wood' }] },
    { id: 'b', position: [3, 0, 1], shapes: [{ type: 'box', size: [1, 1, 1], material: 'wood' }] },
  ],
}

function opened() {
  const document = useDocument()
  document.load({ scene, text: null, handle: 'h', name: 'scene', savable: true })
  return document
}
const move = (x: number) => (draft: Scene) => { draft.bodies![0]!.position = [x, 0, 1] }

beforeEach(() => setActivePinia(createPinia()))

describe('the document', () => {
  it('undoes and redoes to the same scene objects', () => {
    const document = opened()
    document.edit('move', move(1))
    document.edit('move', move(2))
    const second = document.scene
    document.undo()
    expect(document.scene.bodies![0]!.position).toEqual([1, 0, 1])
    document.undo()
    expect(document.scene).toBe(scene)
    expect(document.canUndo).toBe(false)
    document.redo()
    document.redo()
    expect(document.scene).toBe(second)
    expect(document.canRedo).toBe(false)
  })

  it('shares everything that an edit does not touch, and makes nothing reactive', () => {
    const document = opened()
    document.edit('move', move(1))
    expect(document.scene.bodies![1]).toBe(scene.bodies![1])
    expect(document.scene.materials).toBe(scene.materials)
    expect(isReactive(document.scene)).toBe(false)
    expect(isReactive(document.scene.bodies)).toBe(false)
  })

  it('is dirty until it is saved or undone to its saved state', () => {
    const document = opened()
    expect(document.dirty).toBe(false)
    document.edit('move', move(1))
    expect(document.dirty).toBe(true)
    document.undo()
    expect(document.dirty).toBe(false)
    document.redo()
    document.markSaved(document.scene, 'text', { handle: 'h', name: 'scene', revision: 'r' })
    expect(document.dirty).toBe(false)
    document.undo()
    expect(document.dirty).toBe(true)
  })

  it('clears the redo history after another edit', () => {
    const document = opened()
    document.edit('move', move(1))
    document.undo()
    document.edit('move', move(5))
    expect(document.canRedo).toBe(false)
    expect(document.past.map(entry => entry.label)).toEqual(['move'])
  })

  it('refuses an edit that would make the scene invalid, and reports why', () => {
    const document = opened()
    const told: string[] = []
    document.onRefused(problems => told.push(problems[0]!.path))
    const done = document.edit('friction', draft => { draft.materials![0]!.friction!.dynamic = -0.1 })
    expect(done).toBe(false)
    expect(document.scene).toBe(scene)
    expect(document.canUndo).toBe(false)
    expect(told[0]).toContain('materials[0].friction')
  })

  it('leaves no undo entry for an edit that changes nothing', () => {
    const document = opened()
    document.edit('nothing', () => undefined)
    expect(document.canUndo).toBe(false)
  })

  it('announces an edit before it happens, so that the time can go back to the start', () => {
    const document = opened()
    const seen: unknown[] = []
    document.onBeforeEdit(() => seen.push(document.scene))
    document.edit('move', move(1))
    expect(seen).toEqual([scene])
  })
})

describe('a gesture', () => {
  it('is one undo entry, however many steps it had', () => {
    const document = opened()
    const drag = startGesture('move')
    for (let x = 1; x <= 10; x++) drag.update(move(x))
    expect(document.scene.bodies![0]!.position).toEqual([10, 0, 1])
    drag.commit()
    expect(document.past).toHaveLength(1)
    document.undo()
    expect(document.scene).toBe(scene)
  })

  it('is discarded whole by Esc', () => {
    const document = opened()
    let told = false
    const drag = startGesture('move', () => { told = true })
    drag.update(move(4))
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
    expect(document.scene).toBe(scene)
    expect(document.canUndo).toBe(false)
    expect(told).toBe(true)
    drag.update(move(5))
    expect(document.scene).toBe(scene)
  })

  it('leaves no entry if it ends where it began', () => {
    const document = opened()
    const drag = startGesture('move')
    drag.update(move(4))
    drag.update(() => undefined)
    drag.commit()
    expect(document.canUndo).toBe(false)
  })

  it('skips invalid states', () => {
    const document = opened()
    const drag = startGesture('resize')
    const size = (x: number) => (draft: Scene) => { (draft.bodies![0]!.shapes![0] as { size: readonly number[] }).size = [x, 1, 1] }
    drag.update(size(0.5))
    drag.update(size(-0.5))
    drag.commit()
    expect(document.scene.bodies![0]!.shapes![0]).toMatchObject({ size: [0.5, 1, 1] })
  })

  it('refuses undo while it is in progress', () => {
    const document = opened()
    document.edit('move', move(1))
    const drag = startGesture('move')
    expect(document.canUndo).toBe(false)
    drag.commit()
    expect(document.canUndo).toBe(true)
  })
})
