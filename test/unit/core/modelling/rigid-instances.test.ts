import { expect, it } from 'vitest'
import { withRigidInstances } from '../../../../core/modelling'
import { composePoses, toOuter, type Pose } from '../../../../core/math/pose'
import type { Vec3 } from '../../../../core/math/vector'
import { mayTouch, parseDocument, prefabLibrary, type Scene } from '../../../../core/scene'

const wood = { id: 'wood', density: 500, friction: { static: 0.5, dynamic: 0.4 } }
const box = (id: string, position: number[], more: object = {}) => ({ id, position, shapes: [{ type: 'box', size: [1, 1, 1], material: 'wood' }], ...more })
function document(parts: object[], rest: object, joints: object[] = []): Scene {
  const part = JSON.stringify({ format: 'cairn-scene', version: 1, materials: [wood], bodies: parts, joints })
  const read = parseDocument({
    format: 'cairn-scene', version: 1, materials: [wood], prefabs: [{ id: 'part', file: 'part.json' }],
    instances: [{ id: 'p', prefab: 'part', position: [1, 2, 3], orientation: [0, 0, 0.6, 0.8] }], ...rest,
  }, prefabLibrary(() => part))
  if (!read.ok) throw new Error(read.problems[0]!.message)
  return read.scene
}
const bodyOf = (scene: Scene, id: string) => scene.bodies!.find(body => body.id === id)!
const poseOf = ({ position = [0, 0, 0], orientation = [0, 0, 0, 1] }: { position?: Vec3; orientation?: Pose['orientation'] }): Pose => ({ position, orientation })

it('a scene without instances does not change', () => {
  const scene = document([box('a', [0, 0, 0])], { instances: [] })
  expect(withRigidInstances(scene)).toBe(scene)
})

it('shapes keep their poses in the world', () => {
  const scene = document([box('a', [1, 0, 0], { orientation: [0.6, 0, 0, 0.8] }), box('b', [0, 3, 0])], {})
  const rigid = withRigidInstances(scene)
  const { shapes, type, ...rest } = bodyOf(rigid, 'p')
  expect(type).toBe('dynamic')
  const whole = poseOf(rest)
  for (const [k, id] of ['p.a', 'p.b'].entries()) {
    const [was, is] = [poseOf(bodyOf(scene, id)), composePoses(whole, poseOf(shapes![k]!))]
    for (let i = 0; i < 3; i++) expect(is.position[i]).toBeCloseTo(was.position[i]!, 12)
    for (let i = 0; i < 4; i++) expect(is.orientation[i]).toBeCloseTo(was.orientation[i]!, 12)
  }
})

it('is fixed if one of its parts is not dynamic', () => {
  const rigid = withRigidInstances(document([box('a', [1, 0, 0]), box('b', [0, 3, 0], { type: 'kinematic' })], {}))
  expect(bodyOf(rigid, 'p')).toMatchObject({ type: 'fixed' })
  expect(bodyOf(rigid, 'p').mass).toBeUndefined()
})

it('is dynamic as a whole if it is to be placed, with the weight of all parts, unless it has a half-space', () => {
  const parts = [box('a', [1, 0, 0]), box('b', [0, 3, 0], { type: 'fixed' }), box('c', [0, 0, 3], { type: 'kinematic' })]
  expect(bodyOf(withRigidInstances(document(parts, {}), new Set(['p'])), 'p')).toMatchObject({ type: 'dynamic', mass: { mass: 1500 } })
  const floor = { id: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] }
  expect(bodyOf(withRigidInstances(document([...parts, floor], {}), new Set(['p'])), 'p')).toMatchObject({ type: 'fixed' })
})

it('touches what one of its parts touches', () => {
  const groups = (...masks: readonly (readonly [number, number])[]) => masks.map(([g, mask], k) => box(`b${k}`, [k * 2, 0, 0], { collision: { groups: g, mask } }))
  for (const [mine, mask] of [[1, 0], [2, 0], [8, 0], [2, 4], [8, 1], [4, 0], [16, 16]] as const) {
    const scene = document(groups([1, 2], [4, 8]), { bodies: [box('other', [20, 0, 0], { collision: { groups: mine, mask } })] })
    const rigid = withRigidInstances(scene)
    const parts = ['p.b0', 'p.b1'].some(id => mayTouch(bodyOf(scene, id), bodyOf(scene, 'other')))
    expect([mine, mask, mayTouch(bodyOf(rigid, 'p'), bodyOf(rigid, 'other'))]).toEqual([mine, mask, parts])
  }
})

it('ignores only bodies that all of its parts ignore', () => {
  const parts = [box('a', [0, 0, 0]), box('b', [2, 0, 0])]
  const except = (...ids: string[]) => {
    const rigid = withRigidInstances(document(parts, { bodies: [box('other', [20, 0, 0], { collision: { except: ids } })] }))
    return mayTouch(bodyOf(rigid, 'p'), bodyOf(rigid, 'other'))
  }
  expect([except('p.a'), except('p.a', 'p.b'), except()]).toEqual([true, false, true])
})

it('keeps its connections: joints with explicit poses, gears between remaining joints, ropes at points of its parts', () => {
  const scene = document([box('a', [0, 0, 0]), box('b', [2, 0, 0])], {
    bodies: [box('post', [9, 0, 0]), box('wheel', [9, 3, 0])],
    joints: [
      { id: 'hold', type: 'hinge', bodyA: 'p.b', bodyB: 'post', anchor: [5, 0, 0], axis: [0, 1, 0], spawnTime: 0.5, poseA: { position: [3, 0, 0], orientation: [0, 0, 1, 0] } },
      { id: 'turn', type: 'hinge', bodyA: 'wheel', bodyB: 'post', anchor: [9, 2, 0], axis: [0, 1, 0] },
      { id: 'lean', type: 'hinge', bodyA: 'post', bodyB: 'p.a', anchor: [9, -2, 0], axis: [0, 1, 0] },
      { id: 'inside', type: 'hinge', bodyA: 'p.a', bodyB: 'p.b', anchor: [0, 0, 0], axis: [0, 1, 0] },
      { id: 'gone', type: 'gear', jointA: 'inside', jointB: 'turn', ratio: 2 }, { id: 'kept', type: 'gear', jointA: 'lean', jointB: 'turn', ratio: 2 },
    ],
    deformables: [{ id: 'rope', type: 'rope', material: 'wood', points: [[1, 2, 3], [1, 2, 4]], attachments: [{ vertex: 0, body: 'p.b', point: [0.1, 0.2, 0.3] }] }],
  }, [{ id: 'pin', type: 'fixed', bodyA: 'a', bodyB: 'b', anchor: [1, 0, 0] }])
  const rigid = withRigidInstances(scene)
  expect(rigid.joints!.map(({ id }) => id)).toEqual(['hold', 'turn', 'lean', 'kept'])
  const [hold] = rigid.joints as readonly { bodyA: string; poseA: Pose }[]
  expect(hold!.bodyA).toBe('p')
  // Pose of the whole relative to its part when the joint was defined.
  const part = composePoses(hold!.poseA, { position: [2, 0, 0], orientation: [0, 0, 0, 1] })
  ;[3, 0, 0].forEach((x, k) => expect(part.position[k]).toBeCloseTo(x, 12))
  const held = rigid.deformables![0]!.attachments![0]!
  expect(held.body).toBe('p')
  const [was, is] = [toOuter(poseOf(bodyOf(scene, 'p.b')), [0.1, 0.2, 0.3]), toOuter(poseOf(bodyOf(rigid, 'p')), held.point!)]
  is.forEach((x, k) => expect(x).toBeCloseTo(was[k]!, 12))
})
