import { expect, it } from 'vitest'
import { editScene, parseScene, removeElements, renameId, sceneHash, type Scene, type Sensor } from '../../../../core/scene'

const scene = (sensors: readonly Sensor[]): Scene => ({
  format: 'cairn-scene', version: 1, materials: [{ id: 'm' }],
  bodies: [{ id: 'a', shapes: [{ type: 'sphere', radius: 1, material: 'm' }] }, { id: 'b', position: [3, 0, 0], shapes: [{ type: 'sphere', radius: 1, material: 'm' }] }],
  joints: [{ id: 'j', type: 'ball', bodyA: 'a', bodyB: 'b', anchor: [1, 0, 0] }], sensors: [...sensors],
})
const all: readonly Sensor[] = [{ id: 's1', type: 'imu', body: 'a' }, { id: 's2', type: 'joint', joint: 'j' }, { id: 's3', type: 'range', body: null, direction: [1, 0, 0] }, { id: 's4', type: 'contact', body: 'b', shape: 0 }]
const faults = (of: Scene) => {
  const parsed = parseScene(of)
  return parsed.ok ? [] : parsed.problems.map(({ name, path, allowed }) => [name, path, allowed])
}

it('sensors refer only to existing bodies, joints and shapes, and rays have a direction', () => {
  expect(faults(scene(all))).toEqual([])
  expect(faults(scene([{ id: 's', type: 'imu', body: 'c' }]))).toEqual([['UnknownReference', 'sensors[0].body', 'one of a, b']])
  expect(faults(scene([{ id: 's', type: 'joint', joint: 'a' }]))).toEqual([['UnknownReference', 'sensors[0].joint', 'one of j']])
  expect(faults(scene([{ id: 's', type: 'contact', body: 'a', shape: 1 }]))).toEqual([['InvalidValue', 'sensors[0].shape', '0 to 0, or none for all']])
  expect(faults(scene([{ id: 's', type: 'range', body: 'a', direction: [0, 0, 0] }])).map(([name]) => name)).toEqual(['ZeroVector'])
})

it('sensors follow renamed ids, and are deleted with what they measure', () => {
  const renamed = renameId(scene(all), 'a', 'trunk')
  expect(renamed.ok && renamed.scene.sensors![0]).toMatchObject({ body: 'trunk' })
  const joint = renameId(scene(all), 'j', 'hip')
  expect(joint.ok && joint.scene.sensors![1]).toMatchObject({ joint: 'hip' })
  const removed = removeElements(scene(all), ['a'])
  expect(removed.ok && removed.scene.sensors!.map(({ id }) => id)).toEqual(['s3', 's4'])
})

it('an edit that leaves a sensor without its body is refused', () => {
  expect(editScene(scene([all[0]!]), draft => {
    draft.joints = []
    draft.bodies!.shift()
  })).toMatchObject({ ok: false, problems: [{ name: 'UnknownReference' }] })
})

it('a scene without sensors has the hash that it had before there were any', () => {
  const hashOf = (of: Scene): string => {
    const parsed = parseScene(of)
    return parsed.ok ? sceneHash(parsed.resolved) : ''
  }
  const { sensors, ...plain } = scene([])
  expect(sensors).toEqual([])
  expect(hashOf(plain)).toBe(hashOf(scene([])))
  expect(hashOf(scene(all))).not.toBe(hashOf(plain))
})
