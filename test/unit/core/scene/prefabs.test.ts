import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownScene, parseDocument, parseScene, plainScene, prefabLibrary, resolveScene, sceneHash, writeScene, type Scene } from '../../../../core/scene'
import { everything } from './arbitrary'
import { cart, good, header, material, read, reading, scene } from './carts'

describe('a prefab in a scene', () => {
  it('equals a scene written by hand, with each instance at its pose and under its own ids', () => {
    const byHand: Scene = {
      ...header, materials: [material],
      bodies: [
        scene().bodies![0]!,
        { ...cart().bodies![0]!, id: 'one.frame', group: 'one.whole' },
        { ...cart().bodies![1]!, id: 'one.wheel', group: 'one', collision: { except: ['one.frame'] } },
        { ...cart().bodies![0]!, id: 'two.frame', group: 'two.whole', position: [0, 3, 0], orientation: [0, 0, 1, 0], linearVelocity: [-1, 0, 0] },
        { ...cart().bodies![1]!, id: 'two.wheel', group: 'two', position: [-0.5, 3, -0.3], orientation: [0, 0, 1, 0], collision: { except: ['two.frame'] } },
      ],
      joints: [
        { id: 'one.axle', type: 'hinge', bodyA: 'one.wheel', bodyB: 'one.frame', anchor: [0.5, 0, -0.3], axis: [0, 1, 0] },
        { id: 'two.axle', type: 'hinge', bodyA: 'two.wheel', bodyB: 'two.frame', anchor: [-0.5, 3, -0.3], axis: [0, -1, 0] },
      ],
      forces: [
        { id: 'one.push', type: 'uniform', force: [1, 0, 0], bodies: ['one.frame', 'one.wheel'] }, { id: 'one.brain', type: 'script', script: 'one.brain.ts' },
        { id: 'two.push', type: 'uniform', force: [-1, 0, 0], bodies: ['two.frame', 'two.wheel'] }, { id: 'two.brain', type: 'script', script: 'two.brain.ts' },
      ],
      sensors: [{ id: 'one.feel', type: 'joint', joint: 'one.axle' }, { id: 'two.feel', type: 'joint', joint: 'two.axle' }],
      scripts: ['one', 'two'].map(id => ({
        id: `${id}.brain.ts`, source: `export default function (ctx) { ctx.body('${id}.wheel').applyTorque([0, 1, 0]); ctx.log("wheel") }`,
      })),
      groups: [{ id: 'one.whole', name: 'Whole', group: 'one' }, { id: 'two.whole', name: 'Whole', group: 'two' }, { id: 'one' }, { id: 'two', name: 'Second' }],
    }
    const found = good(read(scene()))
    expect(found.resolved).toEqual(good(parseScene(byHand)).resolved)
    expect(sceneHash(found.resolved)).toBe(sceneHash(good(parseScene(byHand)).resolved))
    expect(parseScene(found.scene).ok).toBe(true)
  })

  it('equals the file itself in an otherwise empty scene, for everything that the format has', () => {
    const { bodies, simulation: _, parameters: __, ...all } = everything()
    const file: Scene = { ...all, bodies: bodies!.map(({ expressions: ___, ...body }) => body) }
    const alone = good(read({ ...header, prefabs: [{ id: 'p', file: 'all.json' }], instances: [{ id: 'i', prefab: 'p' }] }, { 'all.json': file })).resolved
    const itself = good(parseScene(file)).resolved
    const without = (text: unknown) => JSON.parse(JSON.stringify(text).replaceAll('"i.', '"').replaceAll('"p.', '"').replaceAll('\'i.', '\'')) as Record<string, unknown>
    for (const key of ['materials', 'materialPairs', 'deformables', 'joints', 'forces', 'sensors', 'scripts', 'meshes'] as const) {
      expect(without(alone[key]), key).toEqual(without(itself[key]))
    }
    expect(without(alone.bodies.map(({ group: ____, ...body }) => body))).toEqual(without(itself.bodies.map(({ group: ____, ...body }) => body)))
  })

  it('moved there and back is unchanged: everything in the world frame moves with it', () => {
    const number = fc.double({ min: -10, max: 10, noNaN: true })
    const file = (() => {
      const { simulation: _, parameters: __, ...all } = everything()
      return { ...all, forces: all.forces!.filter(force => force.type !== 'wind' || force.box === undefined) }
    })()
    fc.assert(fc.property(fc.tuple(number, number, number), fc.tuple(number, number, number, number), (position, q) => {
      const size = Math.hypot(...q)
      fc.pre(size > 0.1)
      const orientation = q.map(x => x / size) as [number, number, number, number]
      const back = [-orientation[0], -orientation[1], -orientation[2], orientation[3]]
      const turned = (v: readonly number[]) => {
        const [x, y, z, w] = back as [number, number, number, number]
        const t = [2 * (y * v[2]! - z * v[1]!), 2 * (z * v[0]! - x * v[2]!), 2 * (x * v[1]! - y * v[0]!)]
        return [v[0]! + w * t[0]! + y * t[2]! - z * t[1]!, v[1]! + w * t[1]! + z * t[0]! - x * t[2]!, v[2]! + w * t[2]! + x * t[1]! - y * t[0]!]
      }
      const inner = { ...header, prefabs: [{ id: 'p', file: 'all.json' }], instances: [{ id: 'i', prefab: 'p', position, orientation }] }
      const outer = {
        ...header, prefabs: [{ id: 'p', file: 'inner.json' }],
        instances: [{ id: 'i', prefab: 'p', position: turned(position).map(x => -x), orientation: back }],
      }
      const there = good(read(outer, { 'inner.json': inner, 'all.json': file })).resolved
      const here = good(read({ ...header, prefabs: [{ id: 'p', file: 'all.json' }], instances: [{ id: 'i', prefab: 'p' }] }, { 'all.json': file })).resolved
      for (const key of ['bodies', 'joints', 'forces', 'sensors', 'deformables'] as const) expectNear(there[key], here[key])
    }), { numRuns: 40 })
  })

  it('rotates with its outer instance: the world frame of a nested file is the frame of its instance', () => {
    const half = Math.SQRT1_2
    const pair = { ...header, prefabs: [{ id: 'cart', file: '../parts/cart.cairn.json' }], instances: [{ id: 'left', prefab: 'cart', position: [1, 0, 0] }] }
    const found = good(read({ ...header, prefabs: [{ id: 'pair', file: 'sets/pair.json' }], instances: [{ id: 'a', prefab: 'pair', orientation: [0, 0, half, half] }] },
      { 'sets/pair.json': pair, 'parts/cart.cairn.json': cart() }))
    const wheel = found.resolved.bodies.find(({ id }) => id === 'a.left.wheel')!
    ;[0, 1.5, -0.3].forEach((x, k) => expect(wheel.position[k]).toBeCloseTo(x, 14))
    expect(wheel.group).toBe('a.left')
    expect(found.scene.groups).toContainEqual({ id: 'a.left', group: 'a' })
    expect(found.resolved.bodies.map(({ shapes }) => shapes[0]!.material)).toEqual(['pair.cart.wood', 'pair.cart.wood'])
  })
})

/** Numbers differ by rounding alone; a quaternion's sign and the ids do not count. */
function expectNear(a: unknown, b: unknown, key = ''): void {
  if (typeof a === 'number') {
    if (Math.abs(a - (b as number)) > 1e-9 * Math.max(1, Math.abs(a))) throw new Error(`${key}: ${a} is not ${String(b)}`)
  } else if (typeof a === 'object' && a !== null) {
    if (/orientation$/.test(key) && Math.sign((a as number[])[3]!) !== Math.sign((b as number[])[3]!)) a = (a as number[]).map(x => -x)
    for (const one of Object.keys(a as object)) expectNear((a as Record<string, unknown>)[one], (b as Record<string, unknown>)[one], `${key}.${one}`)
  }
}

describe('materials', () => {
  it('that equal one of the scene are shared with it, others get ids with the prefab\'s', () => {
    expect(good(read(scene())).scene.materials!.map(({ id }) => id)).toEqual(['wood'])
    const other = good(read(scene({ materials: [{ ...material, restitution: 0.9 }] }))).scene
    expect(other.materials!.map(({ id }) => id)).toEqual(['wood', 'cart.wood'])
    expect(other.bodies!.map(({ shapes }) => shapes![0]!.material)).toEqual(['wood', 'cart.wood', 'cart.wood', 'cart.wood', 'cart.wood'])
  })

  it('whose pairs differ from those of the scene are not shared', () => {
    const slippery = { ...cart(), materialPairs: [{ materials: ['wood', 'wood'] as [string, string], friction: { static: 0, dynamic: 0 } }] }
    const apart = good(read(scene(), { 'parts/cart.cairn.json': slippery })).scene
    expect(apart.materialPairs).toEqual([{ materials: ['cart.wood', 'cart.wood'], friction: { static: 0, dynamic: 0 } }])
    const alike = good(read(scene({ materialPairs: slippery.materialPairs }), { 'parts/cart.cairn.json': slippery })).scene
    expect([alike.materials!.length, alike.materialPairs!.length]).toEqual([1, 1])
  })
})

it('a scene that embeds the files of its prefabs needs no other files', () => {
  const inside = { ...scene(), prefabFiles: [{ file: 'parts/cart.cairn.json', source: JSON.stringify(cart()) }] }
  expect(good(parseScene(inside)).resolved).toEqual(good(read(scene())).resolved)
  expect('prefabFiles' in good(parseScene(inside)).scene).toBe(false)
})

it('a document keeps its instances beside their objects, and is written without these, byte for byte', () => {
  const text = `${JSON.stringify(scene(), null, 3)}\n`
  const library = prefabLibrary(reading({ 'parts/cart.cairn.json': cart() }))
  const parsed = good(parseDocument(text, library))
  expect(parsed.scene.instances).toHaveLength(2)
  expect(parsed.scene.bodies).toHaveLength(5)
  const own = ownScene(parsed.scene)
  expect(writeScene(own, { text, scene: own })).toBe(text)
  expect(plainScene(parsed.scene)).toEqual(good(read(scene())).scene)
  expect(resolveScene(plainScene(parsed.scene))).toEqual(good(read(scene())).resolved)
})
