import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { built, scratch } from '../built'

const folder = scratch()
let engine: LocalEngine

beforeAll(async () => {
  engine = createEngine({ home: join(folder, 'home'), workerUrl: built().worker })
})
afterAll(async () => {
  await engine.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const box = (id: string, position: readonly number[], more: object = {}) => ({ id, position, shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'wood' }], ...more })
const scene = (bodies: readonly object[], more: object = {}) => JSON.stringify({
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.9 }],
  bodies: [{ id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] }, ...bodies], ...more,
})

it('a box dropped flat onto a resting box comes to rest on top of it', async () => {
  const settled = await engine.settle(scene([box('low', [0, 0, 0.2]), box('high', [0.05, 0, 3], { linearVelocity: [4, 0, 0] })]), ['high'], 'one')
  expect(settled.resting).toBe(true)
  const [{ id, position, orientation }] = settled.poses as unknown as [typeof settled.poses[number]]
  expect(id).toBe('high')
  expect(Math.abs(position[2] - 0.6)).toBeLessThan(1e-8)
  expect(Math.abs(position[0] - 0.05)).toBeLessThan(1e-8)
  expect(Math.abs(orientation[3])).toBeCloseTo(1, 8)
})

it('a tilted box comes to rest on one of its faces', async () => {
  const { poses, resting } = await engine.settle(scene([box('one', [0, 0, 1], { orientation: [0.3, 0.1, 0, Math.sqrt(0.9)] })]), ['one'], 'two')
  expect(resting).toBe(true)
  expect(Math.abs(poses[0]!.position[2] - 0.2)).toBeLessThan(1e-7)
})

it('a body that cannot fall is refused, with the reason', async () => {
  await expect(engine.settle(scene([]), ['ground'], 'a')).rejects.toMatchObject({ problems: [{ name: 'NothingFalls' }] })
  await expect(engine.settle(scene([box('a', [0, 0, 1]), box('b', [0.1, 0, 1])]), ['a', 'b'], 'b')).rejects.toMatchObject({ problems: [{ name: 'InitialPenetration' }] })
  const floating = JSON.stringify({ format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 700 }], bodies: [box('shelf', [0, 0, 3], { type: 'fixed' }), box('low', [2, 0, 1], { type: 'fixed' })] })
  await expect(engine.settle(floating, ['shelf'], 'd')).rejects.toMatchObject({ problems: [{ name: 'NothingBelow', ids: ['shelf'] }] })
  await expect(engine.settle('{', ['a'], 'c')).rejects.toMatchObject({ name: 'Refused' })
})

it('a body that overlaps others is lifted out of them, and falls from there', async () => {
  const sunk = await engine.settle(scene([box('one', [0, 0, 0.05])]), ['one'], 'sunk')
  expect(sunk.lifted).toBeCloseTo(0.15, 8)
  expect(sunk.resting).toBe(true)
  expect(sunk.poses[0]!.position[2]).toBeCloseTo(0.2, 7)
  // The ground, then the box that is reached on the way out of it.
  const under = await engine.settle(scene([box('shelf', [0.1, 0, 0.5], { type: 'fixed' }), box('one', [0, 0, 0.1])]), ['one'], 'under')
  expect(under.lifted).toBeCloseTo(0.8, 8)
  expect(under.poses[0]!.position[2]).toBeCloseTo(0.9, 7)
})

it('a ball in a slope is lifted no further than until it touches it', async () => {
  const slope = { id: 'slope', type: 'fixed', orientation: [0, Math.sin(Math.PI / 6), 0, Math.cos(Math.PI / 6)], shapes: [{ type: 'box', size: [4, 4, 0.2], material: 'wood' }] }
  const ball = { id: 'ball', position: [0, 0, 0], shapes: [{ type: 'sphere', radius: 0.3, material: 'wood' }] }
  const { lifted } = await engine.settle(scene([slope, ball].map(body => ({ ...body, position: [0, 0, 5] }))), ['ball'], 'slope')
  expect(lifted).toBeCloseTo(0.4 / Math.cos(Math.PI / 3), 6)
})

it('fixed bodies are put down as one, without turning, also beside a wall', async () => {
  const bodies = [
    box('post', [0, 0, 1], { type: 'fixed' }), box('shelf', [0.2, 0, 1.4], { type: 'kinematic' }), box('wall', [-0.4, 0, 0.9], { type: 'fixed' }), box('low', [0.3, 0, 0.2]),
  ]
  const { poses, lowered, time, resting } = await engine.settle(scene(bodies), ['post', 'shelf'], 'down')
  expect(lowered).toBeCloseTo(0.4, 8)
  expect([time, resting]).toEqual([0, true])
  expect(poses.map(({ id, position }) => [id, ...position.map(x => Number(x.toFixed(7)))])).toEqual([['post', 0, 0, 0.6], ['shelf', 0.2, 0, 1]])
  const up = await engine.settle(scene([box('post', [0, 0, 0.1], { type: 'fixed' })]), ['post'], 'up')
  expect([up.lifted, up.lowered].map(x => Number(x!.toFixed(8)))).toEqual([0.1, 0])
  expect(up.poses[0]!.position[2]).toBeCloseTo(0.2, 8)
})

it('a drop that is cancelled reports that', async () => {
  const drop = engine.settle(scene([box('one', [0, 0, 100])]), ['one'], 'slow')
  await engine.cancelSettling('slow')
  await expect(drop).rejects.toMatchObject({ name: 'Cancelled' })
})

it('an instance of a prefab falls as one rigid body, whatever joints it has', async () => {
  const crane = JSON.stringify({
    format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
    bodies: [
      { id: 'base', shapes: [{ type: 'box', size: [2, 2, 0.5], material: 'wood' }] },
      { id: 'arm', position: [0.4, 0, 1], shapes: [{ type: 'box', size: [1, 0.1, 0.1], material: 'wood' }] },
    ],
    joints: [{ id: 'pin', type: 'hinge', bodyA: 'arm', bodyB: 'base', anchor: [0, 0, 1], axis: [0, 1, 0] }],
  })
  const text = scene([], {
    prefabs: [{ id: 'crane', file: 'crane.json' }], prefabFiles: [{ file: 'crane.json', source: crane }],
    instances: [{ id: 'one', prefab: 'crane', position: [0, 0, 2], orientation: [0, 0, 0.6, 0.8] }, { id: 'other', prefab: 'crane', position: [8, 0, 2] }],
  })
  const { poses, resting } = await engine.settle(text, ['one'], 'crane')
  expect(resting).toBe(true)
  expect(poses.map(({ id }) => id)).toEqual(['one'])
  expect(Math.abs(poses[0]!.position[2] - 0.25)).toBeLessThan(1e-8)
  poses[0]!.orientation.forEach((x, k) => expect(Math.abs(x - [0, 0, 0.6, 0.8][k]!)).toBeLessThan(1e-7))
})

it('an instance with fixed and kinematic parts is put down as one rigid body', async () => {
  const stand = JSON.stringify({
    format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
    bodies: [
      { id: 'base', type: 'fixed', shapes: [{ type: 'box', size: [2, 2, 0.5], material: 'wood' }] },
      { id: 'belt', type: 'kinematic', position: [0, 0, 0.3], linearVelocity: [1, 0, 0], shapes: [{ type: 'box', size: [1, 1, 0.1], material: 'wood' }] },
    ],
  })
  const text = scene([], { prefabs: [{ id: 'stand', file: 'stand.json' }], instances: [{ id: 's', prefab: 'stand', position: [0, 0, 1.5] }], prefabFiles: [{ file: 'stand.json', source: stand }] })
  const { poses, resting } = await engine.settle(text, ['s'], 'stand')
  expect(resting).toBe(true)
  expect(poses[0]!.id).toBe('s')
  ;[0, 0, 0.25].forEach((x, k) => expect(Math.abs(poses[0]!.position[k]! - x)).toBeLessThan(1e-7))
})

it('a box is put down on a cloth in its initial shape, and a rope is put down where it touches', async () => {
  const net = {
    id: 'net', type: 'cloth', material: 'wood', radius: 0.01, pins: [0, 1, 2, 3], vertices: [[-1, -1, 0.5], [1, -1, 0.5], [1, 1, 0.5], [-1, 1, 0.5]], triangles: [[0, 1, 2], [0, 2, 3]],
  }
  const rope = { id: 'rope', type: 'rope', material: 'wood', radius: 0.02, points: [[3, -0.5, 2], [3, 0.5, 2]], segments: 10 }
  const { poses, resting } = await engine.settle(scene([box('one', [0, 0, 1])], { deformables: [net, rope] }), ['one', 'rope'], 'net')
  expect(resting).toBe(true)
  const [one, line] = ['one', 'rope'].map(id => poses.find(pose => pose.id === id)!)
  expect(Math.abs(one!.position[2] - (0.5 + 0.01 + 0.2))).toBeLessThan(1e-7)
  expect(Math.abs(line!.position[2] - 0.02)).toBeLessThan(1e-7)
})

it('a ball is put straight down on a slope, where it would roll away if it fell', async () => {
  const turn = { orientation: [0, Math.sin(Math.PI / 36), 0, Math.cos(Math.PI / 36)] }
  const slope = { id: 'slope', type: 'fixed', position: [0, 0, 1], ...turn, shapes: [{ type: 'box', size: [2, 1, 0.2], material: 'wood' }] }
  const ball = { id: 'ball', position: [-0.5, 0, 2], shapes: [{ type: 'sphere', radius: 0.1, material: 'wood' }] }
  const fallen = await engine.settle(scene([slope, ball]), ['ball'], 'fallen')
  expect(Math.abs(fallen.poses[0]!.position[0] + 0.5)).toBeGreaterThan(1)
  const { poses, lowered } = await engine.settle(scene([slope, ball]), ['ball'], 'straight', true)
  // The centre is 0.2 m from the slope's middle plane, z = 1 − x tan 10°.
  const height = 1 + 0.5 * Math.tan(Math.PI / 18) + 0.2 / Math.cos(Math.PI / 18)
  expect(poses[0]!.position).toEqual([-0.5, 0, expect.closeTo(height, 6)])
  expect(lowered).toBeCloseTo(2 - height, 6)
})
