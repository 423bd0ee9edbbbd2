import { describe, expect, it } from 'vitest'
import { ContactSet } from '../../../../core/contact/contact-set'
import { Snapshot } from '../../../../core/contact/snapshot'
import { initialState, stateLayout } from '../../../../core/dynamics/state-layout'
import { parseScene } from '../../../../core/scene'
import { compile } from '../../../../core/simulation/compile'
import { ball, box, floor, sceneOf } from '../../../verification/support'

describe('touching points', () => {
  const angle = 5e-5
  const parsed = parseScene(sceneOf([
    box('below', [1, 1, 0.5], [0, 0, 0.25], { type: 'fixed' }),
    box('above', [1, 1, 0.5], [0, 1e-5, 0.75], { orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] }),
  ], 0.5))
  if (!parsed.ok) throw new Error('the scene is invalid')
  const world = compile(parsed.resolved, null)
  const snapshot = new Snapshot(stateLayout(world.bodies))
  const state = initialState(snapshot.layout)

  it('at crossings of nearly parallel edges follow the crossing once it has moved', () => {
    const contacts = new ContactSet(world)
    snapshot.update(state)
    let points = contacts.touching(snapshot, 1e-9, 1e-10, [])
    const crossings = points.filter(({ features: { featureA, featureB } }) => featureA.kind === 'edge' && featureB.kind === 'edge')
    expect(crossings.length).toBeGreaterThan(0)
    crossings.forEach(point => { point.settled = true })
    for (let k = 1; k <= 5; k++) {
      const moved = state.slice()
      moved[1] = moved[1]! + 4e-7 * k
      snapshot.update(moved)
      points = contacts.touching(snapshot, 1e-9, 1e-10, points)
      const kept = points.filter(({ settled }) => settled)
      expect(kept.map(({ key }) => key)).toEqual(crossings.map(({ key }) => key))
      for (const { features, bodyA, bodyB } of points) {
        expect(features.margin(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose)).toBeGreaterThanOrEqual(0)
      }
    }
  })
})

describe('pairs of bodies of several shapes', () => {
  it('are separate: the contacts of every shape are found and belong to that shape', () => {
    const dumbbell = (id: string, x: number, count: number): object => ({
      id, position: [x, 0, 0.1],
      shapes: Array.from({ length: count }, (_, k) => ({ type: 'sphere', radius: 0.1, position: [0.3 * k, 0, 0], material: 'stone' })),
    })
    const parsed = parseScene(sceneOf([ball('single', 0.1, [-1, 0, 0.1]), dumbbell('two', 0, 2), dumbbell('three', 1, 3), ball('last', 0.1, [3, 0, 0.1]), floor], 0.5))
    if (!parsed.ok) throw new Error('the scene is invalid')
    const world = compile(parsed.resolved, null)
    const snapshot = new Snapshot(stateLayout(world.bodies))
    snapshot.update(initialState(snapshot.layout))
    const found = new ContactSet(world).touching(snapshot, 1e-9, 1e-10, []).map(({ bodyA, bodyB, shapeA }) => `${world.bodies[bodyA]!.id} ${shapeA} ${world.bodies[bodyB]!.id}`)
    expect(found.sort()).toEqual(['last 0 ground', 'single 0 ground', 'three 0 ground', 'three 1 ground', 'three 2 ground', 'two 0 ground', 'two 1 ground'])
  })
})

describe('bodies may touch at some time of the run', () => {
  const mayEverTouch = (scene: object): boolean => {
    const parsed = parseScene(scene)
    if (!parsed.ok) throw new Error('the scene is invalid')
    return new ContactSet(compile(parsed.resolved, null)).mayEverTouch
  }
  const two = (rest: object = {}) => [ball('one', 0.1, [0, 0, 1], rest), ball('other', 0.1, [1, 0, 1], rest)]

  it('unless they have no shapes, no common group, or do not move', () => {
    expect(mayEverTouch(sceneOf(two(), 0.5))).toBe(true)
    expect(mayEverTouch(sceneOf(two({ collision: { mask: 0 } }), 0.5))).toBe(false)
    expect(mayEverTouch(sceneOf(two({ type: 'fixed' }), 0.5))).toBe(false)
    expect(mayEverTouch(sceneOf([ball('one', 0.1, [0, 0, 1]), { id: 'mass', mass: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }], 0.5))).toBe(false)
  })

  it('also if a joint ties them for some of the time', () => {
    const joints = [{ id: 'pin', type: 'ball', bodyA: 'one', bodyB: 'other', anchor: [0.5, 0, 1], removeTime: 0.5 }]
    expect(mayEverTouch(sceneOf(two(), 0.5, {}, { joints }))).toBe(true)
  })
})
