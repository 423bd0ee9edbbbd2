import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  editScene, extracted, ownScene, parseDocument, parseScene, plainScene, prefabLibrary, PrefabReadError, removeElements, renameId, resolveScene, sceneHash,
  settledEdit, unpacked, withInstances, withoutOverrides, writeScene, type EditResult, type ParseResult, type Scene,
} from '../../../../core/scene'
import { everything } from './arbitrary'

const material = { id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.2 }
const header = { format: 'cairn-scene', version: 1 } as const

/** A cart of two bodies with an axle, a force on both and a script. */
const cart = (): Scene => ({
  ...header, gravity: [0, 0, -1], materials: [material],
  bodies: [
    { id: 'frame', group: 'whole', shapes: [{ type: 'box', size: [1, 0.5, 0.2], material: 'wood' }], linearVelocity: [1, 0, 0] },
    { id: 'wheel', position: [0.5, 0, -0.3], shapes: [{ type: 'sphere', radius: 0.2, material: 'wood' }], collision: { except: ['frame'] } },
  ],
  groups: [{ id: 'whole', name: 'Whole' }],
  joints: [{ id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: 'frame', anchor: [0.5, 0, -0.3], axis: [0, 1, 0] }],
  forces: [{ id: 'push', type: 'uniform', force: [1, 0, 0] }, { id: 'brain', type: 'script', script: 'brain.ts' }],
  scripts: [{ id: 'brain.ts', source: 'export default function (ctx) { ctx.body(\'wheel\').applyTorque([0, 1, 0]); ctx.log("wheel") }' }],
  sensors: [{ id: 'feel', type: 'joint', joint: 'axle' }],
})
const scene = (more: Partial<Scene> = {}): Scene => ({
  ...header, materials: [material],
  bodies: [{ id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: -2, material: 'wood' }] }],
  prefabs: [{ id: 'cart', file: 'parts/cart.cairn.json' }],
  instances: [{ id: 'one', prefab: 'cart' }, { id: 'two', name: 'Second', prefab: 'cart', position: [0, 3, 0], orientation: [0, 0, 1, 0] }],
  ...more,
})

const reading = (files: Readonly<Record<string, object | string>>) => (file: string): string => {
  const content = files[file]
  if (content === undefined) throw new PrefabReadError(`There is no file "${file}"`)
  return typeof content === 'string' ? content : JSON.stringify(content)
}
const read = (of: object, files: Readonly<Record<string, object | string>> = { 'parts/cart.cairn.json': cart() }) => parseScene(of, reading(files))
const document = (of: object, files: Readonly<Record<string, object | string>> = { 'parts/cart.cairn.json': cart() }) => {
  const library = prefabLibrary(reading(files))
  return { library, parsed: good(parseDocument(of, library)) }
}
function good(result: ParseResult) {
  if (!result.ok) throw new Error(result.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  return result
}
const faults = (result: ParseResult) => result.ok ? [] : result.problems.map(({ name, path, message }) => ({ name, path, message }))

describe('a prefab in a scene', () => {
  it('is what a person would have written by hand, each instance at its place and under its own ids', () => {
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

  it('is the file itself where it stands in an otherwise empty scene, for everything that the format has', () => {
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

  it('moved there and back is where it was: all that is in the world frame goes with it', () => {
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

  it('is turned by what is around it: the world of a nested file is that of its instance', () => {
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
  it('that the scene has too are the scene\'s, others come in under the id of the prefab', () => {
    expect(good(read(scene())).scene.materials!.map(({ id }) => id)).toEqual(['wood'])
    const other = good(read(scene({ materials: [{ ...material, restitution: 0.9 }] }))).scene
    expect(other.materials!.map(({ id }) => id)).toEqual(['wood', 'cart.wood'])
    expect(other.bodies!.map(({ shapes }) => shapes![0]!.material)).toEqual(['wood', 'cart.wood', 'cart.wood', 'cart.wood', 'cart.wood'])
  })

  it('whose pairs say something else in the scene are not shared', () => {
    const slippery = { ...cart(), materialPairs: [{ materials: ['wood', 'wood'] as [string, string], friction: { static: 0, dynamic: 0 } }] }
    const apart = good(read(scene(), { 'parts/cart.cairn.json': slippery })).scene
    expect(apart.materialPairs).toEqual([{ materials: ['cart.wood', 'cart.wood'], friction: { static: 0, dynamic: 0 } }])
    const alike = good(read(scene({ materialPairs: slippery.materialPairs }), { 'parts/cart.cairn.json': slippery })).scene
    expect([alike.materials!.length, alike.materialPairs!.length]).toEqual([1, 1])
  })
})

describe('what is refused', () => {
  it.each([
    ['/etc/passwd', 'InvalidPath'], ['C:\\x.json', 'InvalidPath'], ['http://x/y.json', 'InvalidPath'], ['a\\b.json', 'InvalidPath'], ['a//b.json', 'InvalidPath'],
    ['..', 'InvalidPath'], ['../x.json', 'InvalidPath'], ['a/../../x.json', 'InvalidPath'], ['none.json', 'PrefabNotRead'],
  ])('%s is %s, at its path', (file, name) => {
    expect(faults(read(scene({ prefabs: [{ id: 'cart', file }] })))).toMatchObject([{ name, path: 'prefabs[0].file' }])
  })

  it('a file that is no scene, with what is wrong inside it', () => {
    const of = (content: object | string) => faults(read(scene(), { 'parts/cart.cairn.json': content }))
    expect(of('{')).toMatchObject([{ name: 'MalformedJson', path: 'prefabs[0].file', message: expect.stringContaining('parts/cart.cairn.json: ') as string }])
    expect(of({ ...cart(), bodies: [{ id: 'x', mass: { mass: -1 } }] })).toMatchObject([{ name: 'OutOfRange', message: expect.stringContaining('parts/cart.cairn.json: bodies[0].mass.mass: ') as string }])
    expect(of({ format: 'other' })).toMatchObject([{ name: 'NotAScene' }])
  })

  it('a circle, and names it', () => {
    const nest = (file: string) => ({ ...header, prefabs: [{ id: 'p', file }], instances: [{ id: 'i', prefab: 'p' }] })
    expect(faults(read(nest('a.json'), { 'a.json': nest('b.json'), 'b.json': nest('sub/../a.json') }))).toMatchObject([
      { name: 'CircularPrefabs', path: 'prefabs[0].file', message: 'The prefabs go round in a circle: a.json → b.json → a.json' },
    ])
  })

  it('what is nested too deep, and what multiplies beyond the limits, before it is made', () => {
    const nest = (file: string, n: number) => ({ ...header, prefabs: [{ id: 'p', file }], instances: Array.from({ length: n }, (_, k) => ({ id: `i${k}`, prefab: 'p' })) })
    const deep = Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`${k}.json`, nest(`${k + 1}.json`, 1)]))
    expect(faults(read(nest('0.json', 1), deep))).toMatchObject([{ name: 'TooDeep' }])
    const wide = { ...Object.fromEntries(Array.from({ length: 12 }, (_, k) => [`${k}.json`, nest(`${k + 1}.json`, 10)])), '12.json': cart() }
    const started = performance.now()
    expect(faults(read(nest('0.json', 10), wide))[0]).toMatchObject({ name: 'TooMany' })
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('ids that begin as a prefab\'s do, a prefab that is not there, a second one of the same file, and ids that grow too long', () => {
    const body = { id: 'one.thing' }
    expect(faults(read(scene({ bodies: [body] })))).toMatchObject([{ name: 'ReservedId', path: 'bodies[0].id' }])
    expect(faults(read(scene({ instances: [{ id: 'x', prefab: 'car' }] })))).toMatchObject([{ name: 'UnknownReference', path: 'instances[0].prefab', message: expect.stringContaining('"cart"') as string }])
    expect(faults(read(scene({ prefabs: [...scene().prefabs!, { id: 'again', file: 'parts/cart.cairn.json' }] })))).toMatchObject([{ name: 'InvalidPrefab', path: 'prefabs[1].file' }])
    expect(faults(read(scene({ instances: [{ id: 'x'.repeat(125), prefab: 'cart' }] })))).toMatchObject([{ name: 'InvalidPrefab', path: 'instances[0].id' }])
  })

  it('a turned box of wind, but by quarter turns', () => {
    const windy = { ...cart(), forces: [{ id: 'wind', type: 'wind', velocity: [1, 0, 0], linear: 1, box: { min: [0, 0, 0], max: [1, 2, 3] } }] }
    const at = (angle: number) => read(scene({ instances: [{ id: 'x', prefab: 'cart', orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] }] }), { 'parts/cart.cairn.json': windy })
    expect(faults(at(0.3))).toMatchObject([{ name: 'InvalidPrefab', path: 'instances[0].orientation' }])
    const { box } = good(at(Math.PI / 2)).scene.forces![0] as unknown as { box: { min: number[]; max: number[] } }
    ;[-2, 0, 0, 0, 1, 3].forEach((x, k) => expect([...box.min, ...box.max][k]).toBeCloseTo(x, 12))
  })

  it('nothing less: a scene may refer to what an instance brings', () => {
    const spring = { id: 'rod', type: 'distance', bodyA: 'one.wheel', bodyB: 'two.wheel', anchor: [0.5, 0, -0.3], anchorB: [-0.5, 3, -0.3] } as const
    expect(good(read(scene({ joints: [spring] }))).scene.joints!.map(({ id }) => id)).toEqual(['rod', 'one.axle', 'two.axle'])
    expect(faults(read(scene({ joints: [{ ...spring, bodyA: 'one.whel' }] })))).toMatchObject([{ name: 'UnknownReference', path: 'joints[0].bodyA' }])
  })
})

it('a scene with the files of its prefabs inside needs none', () => {
  const inside = { ...scene(), prefabFiles: [{ file: 'parts/cart.cairn.json', source: JSON.stringify(cart()) }] }
  expect(good(parseScene(inside)).resolved).toEqual(good(read(scene())).resolved)
  expect('prefabFiles' in good(parseScene(inside)).scene).toBe(false)
})

it('a document keeps its instances beside what they bring, and is written without that, byte for byte', () => {
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

describe('an edit of a document with instances', () => {
  const edited = (of: Scene, change: (before: Scene) => EditResult) => {
    const { parsed: { scene: before }, library } = document(of)
    const contentOf = (file: string) => library.content(file, '')
    const result = change(before)
    return { before, result: result.ok ? settledEdit(before, result.scene, contentOf) : result, contentOf }
  }
  const after = (of: Scene, change: (before: Scene) => EditResult) => {
    const { result } = edited(of, change)
    if (!result.ok) throw new Error(result.problems[0]!.message)
    return result.scene
  }

  it('that moves one moves all that it brings, and shares everything else', () => {
    const { before, result } = edited(scene(), present => editScene(present, draft => { draft.instances![0]!.position = [0, -5, 0] }))
    if (!result.ok) throw new Error(result.problems[0]!.message)
    const id = (one: Scene, name: string) => one.bodies!.find(body => body.id === name)!
    expect(id(result.scene, 'one.wheel').position).toEqual([0.5, -5, -0.3])
    expect(result.scene.joints!.find(joint => joint.id === 'one.axle')).toMatchObject({ anchor: [0.5, -5, -0.3] })
    expect(id(result.scene, 'two.wheel')).toBe(id(before, 'two.wheel'))
    expect(result.scene.materials).toBe(before.materials)
  })

  it('that changes, takes away or imitates what one brings is refused', () => {
    const fault = (change: (draft: Scene) => void) => {
      const { result } = edited(scene(), present => editScene(present, draft => change(draft as Scene)))
      return result.ok ? null : result.problems[0]!.name
    }
    expect(fault(draft => { delete draft.bodies![1]!.group })).toBe('PartOfPrefab')
    expect(fault(draft => { draft.bodies!.push({ id: 'two.extra', type: 'fixed' }) })).toBe('ReservedId')
    expect(fault(draft => { draft.sensors!.pop() })).toBe('PartOfPrefab')
    expect(removeElements(document(scene()).parsed.scene, ['one.wheel'])).toMatchObject({ ok: false, problems: [{ name: 'PartOfPrefab' }] })
    expect(removeElements(document(scene()).parsed.scene, ['cart'])).toMatchObject({ ok: false, problems: [{ name: 'InUse' }] })
    // An instance under the name of things that were made local would swallow them.
    const local = unpacked(document(scene()).parsed.scene, ['one'])
    const { library } = document(scene())
    const renamed = editScene(local, draft => {
      draft.groups!.forEach(group => { if (group.id === 'one') group.id = 'former' })
      for (const member of [...draft.bodies!, ...draft.groups!]) if (member.group === 'one') member.group = 'former'
      draft.instances!.push({ id: 'one', prefab: 'cart' })
    })
    expect(renamed.ok && settledEdit(local, renamed.scene, file => library.content(file, ''))).toMatchObject({ ok: false, problems: [{ name: 'ReservedId' }] })
  })

  it('that deletes one takes what it brings, and what joins that to others', () => {
    const rod = { id: 'rod', type: 'distance', bodyA: 'one.wheel', bodyB: 'ground', anchor: [0.5, 0, -0.3], anchorB: [0, 0, -2] } as const
    const left = after(scene({ joints: [{ ...rod }] }), present => removeElements(present, ['one']))
    expect(left.bodies!.map(({ id }) => id)).toEqual(['ground', 'two.frame', 'two.wheel'])
    expect(left.joints!.map(({ id }) => id)).toEqual(['two.axle'])
  })

  it('that gives one another id is followed by what refers to what it brings', () => {
    const rod = { id: 'rod', type: 'distance', bodyA: 'one.wheel', bodyB: 'ground', anchor: [0.5, 0, -0.3], anchorB: [0, 0, -2] } as const
    const renamed = after(scene({ joints: [{ ...rod }] }), present => renameId(present, 'one', 'first'))
    expect(renamed.bodies!.map(({ id }) => id)).toEqual(['ground', 'first.frame', 'first.wheel', 'two.frame', 'two.wheel'])
    expect(renamed.joints![0]).toMatchObject({ id: 'rod', bodyA: 'first.wheel' })
    expect(parseScene(plainScene(renamed)).ok).toBe(true)
    const other = after(scene({ materials: [{ ...material, restitution: 0.9 }] }), present => renameId(present, 'cart', 'wagon'))
    expect(other.materials!.map(({ id }) => id)).toEqual(['wood', 'wagon.wood'])
    expect(other.instances!.map(({ prefab }) => prefab)).toEqual(['wagon', 'wagon'])
  })

  it('is taken back by the scene that was there, and made anew to the same objects', () => {
    const { parsed, library } = document(scene())
    const again = withInstances(parsed.scene, file => library.content(file, ''))
    expect(again.ok && again.scene).toBe(parsed.scene)
  })
})
describe('made local', () => {
  it('the last instance gives the same scene to the simulation, to the byte', () => {
    const one = scene({ materials: [], bodies: [], instances: [{ id: 'one', prefab: 'cart', position: [1, 2, 3] }] })
    const { parsed } = document(one)
    const local = unpacked(parsed.scene, ['one'])
    expect([local.instances, local.prefabs]).toEqual([undefined, undefined])
    expect(sceneHash(good(parseScene(local)).resolved)).toBe(sceneHash(parsed.resolved))
    expect(good(parseScene(local)).resolved).toEqual(good(read(one)).resolved)
  })

  it('one of several keeps materials of its own, with the pairs that they had', () => {
    const slippery = { ...cart(), materialPairs: [{ materials: ['wood', 'wood'] as [string, string], friction: { static: 0, dynamic: 0 } }] }
    const { parsed } = document(scene(), { 'parts/cart.cairn.json': slippery })
    const local = unpacked(parsed.scene, ['one'])
    expect(ownScene(local).materials!.map(({ id }) => id)).toEqual(['wood', 'one.wood'])
    expect(ownScene(local).bodies!.map(({ id, shapes }) => [id, shapes![0]!.material])).toEqual([['ground', 'wood'], ['one.frame', 'one.wood'], ['one.wheel', 'one.wood']])
    expect(local.materialPairs!.map(({ materials }) => materials)).toEqual([['cart.wood', 'cart.wood'], ['cart.wood', 'one.wood'], ['one.wood', 'one.wood']])
    expect(parseScene(plainScene(local)).ok).toBe(true)
  })
})

describe('a part of a scene as a prefab', () => {
  const whole = (): Scene => ({
    ...cart(), gravity: [0, 0, -9.81],
    bodies: [
      { id: 'ground', type: 'fixed', shapes: [{ type: 'box', size: [9, 9, 1], material: 'wood' }], position: [0, 0, -3] },
      ...cart().bodies!.map(body => ({ ...body, position: [(body.position?.[0] ?? 0) + 4, 2, (body.position?.[2] ?? 0) + 1] as const, group: 'whole' })),
    ],
    joints: [
      { id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: 'frame', anchor: [4.5, 2, 0.7], axis: [0, 1, 0] },
      { id: 'rope', type: 'distance', bodyA: 'wheel', bodyB: 'ground', anchor: [4.5, 2, 0.7], anchorB: [4.5, 2, -2] },
    ],
  })

  it('and its instance are the scene that was: everything where it was, and what joins it to others stays', () => {
    const before = whole()
    const made = extracted(before, new Set(['frame', 'wheel', 'whole']), 'cart', 'cart.cairn.json')!
    expect(good(parseScene(made.prefab)).scene).toMatchObject({
      bodies: [{ id: 'frame', position: [0, 0, 0] }, { id: 'wheel' }], joints: [{ id: 'axle', anchor: [0.5, 0, expect.closeTo(-0.3, 12) as number] }],
      sensors: [{ id: 'feel' }], materials: [{ id: 'wood' }],
    })
    // The group that all of it was in is the instance now.
    expect([made.prefab.groups, made.scene.groups, made.scene.instances]).toMatchObject([undefined, undefined, [{ id: 'cart-1', name: 'Whole', prefab: 'cart' }]])
    expect(made.scene.joints!.map(joint => [joint.id, 'bodyA' in joint && joint.bodyA])).toEqual([['rope', `${made.instance}.wheel`]])
    expect(made.scene.scripts![0]!.source).toContain(`body('${made.instance}.wheel')`)
    const again = good(read(made.scene, { 'cart.cairn.json': made.prefab })).resolved
    const of = (id: string) => again.bodies.find(body => body.id === `${made.instance}.${id}`)!
    for (const { id, position, linearVelocity } of good(parseScene(before)).resolved.bodies.slice(1)) {
      position.forEach((x, k) => expect(of(id).position[k]).toBeCloseTo(x, 14))
      expect(of(id).linearVelocity).toEqual(linearVelocity)
      expect(of(id).shapes[0]!.material).toBe('wood')
    }
  })

  it('may be called what its group was called', () => {
    const before = whole()
    const made = extracted(before, new Set(['frame', 'wheel', 'whole']), 'whole', 'whole.json')!
    expect([made.scene.prefabs, made.instance]).toEqual([[{ id: 'whole', file: 'whole.json' }], 'whole-1'])
    const { scene: after } = document(made.scene, { 'whole.json': made.prefab }).parsed
    const { library } = document(made.scene, { 'whole.json': made.prefab })
    expect(settledEdit(before, after, file => library.content(file, '')).ok).toBe(true)
  })

  it('may hold instances: their files are named from the new file\'s folder', () => {
    const { parsed } = document(scene())
    const made = extracted(parsed.scene, new Set(['one', 'one.frame', 'one.wheel']), 'set', 'sets/set.cairn.json')!
    expect(made.prefab.prefabs).toEqual([{ id: 'cart', file: '../parts/cart.cairn.json' }])
    const again = good(read(made.scene, { 'parts/cart.cairn.json': cart(), 'sets/set.cairn.json': made.prefab })).scene
    expect(again.bodies!.map(({ id }) => id)).toEqual(['ground', 'two.frame', 'two.wheel', `${made.instance}.one.frame`, `${made.instance}.one.wheel`])
  })

  it('is nothing where nothing is selected that could be placed', () => {
    expect(extracted(whole(), new Set(['axle']), 'x', 'x.json')).toBeNull()
  })
})

describe('in a document whose prefab cannot be placed', () => {
  const rod = { id: 'rod', type: 'distance', bodyA: 'one.wheel', bodyB: 'two.wheel', anchor: [0.5, 0, -0.3], anchorB: [-0.5, 3, -0.3] } as const
  const pair = { materials: ['wood', 'cart.rubber'], friction: { static: 0.9, dynamic: 0.8 } } as const
  const around = (): Scene => scene({ joints: [rod], materialPairs: [{ ...pair, materials: [...pair.materials] }] })
  const opened = (of: object | string, files: Readonly<Record<string, object | string>>) => {
    const library = prefabLibrary(reading(files), true)
    return { library, contentOf: (file: string) => library.content(file, ''), parsed: parseDocument(of, library) }
  }
  const broken: [string, Readonly<Record<string, object | string>>][] = [
    ['is not there', {}], ['is no JSON', { 'parts/cart.cairn.json': '{' }], ['is no scene', { 'parts/cart.cairn.json': { ...header, bodies: 3 } }],
    ['places one that is not there', { 'parts/cart.cairn.json': { ...header, prefabs: [{ id: 'p', file: 'none.json' }], instances: [{ id: 'i', prefab: 'p' }] } }],
    ['goes round in a circle', { 'parts/cart.cairn.json': { ...header, prefabs: [{ id: 'p', file: 'cart.cairn.json' }], instances: [{ id: 'i', prefab: 'p' }] } }],
  ]

  it.each(broken)('because its file %s, a box stands for each instance, and what the scene refers to is there; what is computed is refused', (_, files) => {
    const { parsed } = opened(around(), files)
    const { bodies, materials } = good(parsed).scene
    expect(bodies!.map(({ id, position }) => [id, position?.[1]])).toEqual([
      ['ground', undefined], ['one.missing', 0], ['one.wheel', 0], ['two.missing', 3], ['two.wheel', 3],
    ])
    expect(bodies!.find(({ id }) => id === 'two.missing')).toMatchObject({ name: 'Missing: parts/cart.cairn.json', shapes: [{ type: 'box' }] })
    expect(materials!.map(({ id }) => id)).toEqual(['wood', 'cart.missing', 'cart.rubber'])
    const refusals = faults(read(around(), files))
    expect(refusals.length).toBeGreaterThan(0)
    expect(refusals.every(({ path }) => path === 'prefabs[0].file')).toBe(true)
  })

  it('nothing of that is written', () => {
    const text = `${JSON.stringify(around(), null, 3)}\n`
    const own = ownScene(good(opened(text, {}).parsed).scene)
    expect(writeScene(own, { text, scene: own })).toBe(text)
  })

  it('everything else is edited, and no other prefab that cannot be placed comes in', () => {
    const { parsed, contentOf } = opened(around(), {})
    const before = good(parsed).scene
    const settle = (change: (draft: Scene) => void) => {
      const result = editScene(before, change as never)
      return result.ok ? settledEdit(before, result.scene, contentOf) : result
    }
    const moved = settle(draft => { draft.instances![1] = { ...draft.instances![1]!, position: [0, 5, 0] } })
    expect(moved.ok && moved.scene.bodies!.find(({ id }) => id === 'two.missing')!.position).toEqual([0, 5, 0])
    expect(moved.ok && moved.scene.bodies![1]).toBe(before.bodies![1])
    const more = settle(draft => {
      draft.prefabs = [...draft.prefabs!, { id: 'other', file: 'other.json' }]
      draft.instances = [...draft.instances!, { id: 'three', prefab: 'other' }]
    })
    expect(more).toMatchObject({ ok: false, problems: [{ name: 'PrefabNotRead', path: 'prefabs[1].file', ids: ['other'] }] })
    const deleted = removeElements(before, ['one', 'two', 'rod'])
    expect(deleted.ok && ownScene(deleted.scene).instances).toEqual([])
  })
})

describe('a property of one instance', () => {
  const radiusOf = (of: Scene, id: string) => (of.bodies!.find(body => body.id === id)!.shapes![0] as { radius: number }).radius
  const edited = (recipe: Parameters<typeof editScene>[1], of: object = scene()) => {
    const { library, parsed } = document(of)
    const contentOf = (file: string) => library.content(file, '')
    const step = (before: Scene, change: Parameters<typeof editScene>[1]): Scene => {
      const result = editScene(before, change)
      const settled = result.ok ? settledEdit(before, result.scene, contentOf) : result
      if (!settled.ok) throw new Error(settled.problems[0]!.message)
      return settled.scene
    }
    return { before: parsed.scene, after: step(parsed.scene, recipe), step, contentOf }
  }
  const body = (draft: { bodies?: { id: string }[] }, id: string) => draft.bodies!.find(one => one.id === id) as unknown as Part
  interface Part { shapes: { radius: number; material: string }[]; linearVelocity?: number[] }

  it('that is edited is an override of it alone, and the same scene when it is read again', () => {
    const { after } = edited(draft => { body(draft, 'two.wheel').shapes[0]!.radius = 0.35 })
    expect(after.instances![1]!.overrides).toEqual([{ collection: 'bodies', of: 'wheel', field: 'shapes[0].radius', value: 0.35 }])
    expect([radiusOf(after, 'one.wheel'), radiusOf(after, 'two.wheel')]).toEqual([0.2, 0.35])
    const written = ownScene(after)
    expect(written.bodies!.map(({ id }) => id)).toEqual(['ground'])
    expect(good(read(JSON.parse(writeScene(written, null)) as object)).resolved).toEqual(resolveScene(plainScene(after)))
  })

  it('that is set back by hand, or reverted, is the prefab\'s again', () => {
    const { before, after, step, contentOf } = edited(draft => {
      body(draft, 'two.wheel').shapes[0]!.radius = 0.35
      body(draft, 'two.frame').linearVelocity = [0, 5, 0]
    })
    expect(after.instances![1]!.overrides).toHaveLength(2)
    const typed = step(after, draft => { body(draft, 'two.wheel').shapes[0]!.radius = 0.2 })
    expect(typed.instances![1]!.overrides!.map(({ of }) => of)).toEqual(['frame'])
    const reverted = withoutOverrides(typed, 'two', ({ field }) => field === 'linearVelocity')
    const settled = settledEdit(typed, reverted, contentOf)
    expect(settled.ok && settled.scene).toEqual(before)
  })

  it('is written in the frame of the file, so that it goes with the instance', () => {
    const { after, step } = edited(draft => { body(draft, 'two.frame').linearVelocity = [0, 5, 0] })
    expect(after.instances![1]!.overrides![0]!.value).toEqual([0, -5, 0])
    const turned = step(after, draft => { delete (draft.instances![1] as { orientation?: unknown }).orientation })
    expect(turned.bodies!.find(({ id }) => id === 'two.frame')!.linearVelocity).toEqual([0, -5, 0])
  })

  it('may name what the scene has, and follows when that is renamed; the instance\'s own name too', () => {
    const steel = { ...material, id: 'steel', density: 7800 }
    const { after } = edited(draft => {
      body(draft, 'one.wheel').shapes[0]!.material = 'steel'
      ;(draft.bodies!.find(({ id }) => id === 'one.frame') as { collision?: object }).collision = { except: ['one.wheel', 'ground'] }
    }, scene({ materials: [material, steel] }))
    const rename = (of: Scene, from: string, to: string) => {
      const { contentOf } = edited(() => undefined, scene({ materials: [material, steel] }))
      const result = renameId(of, from, to)
      const settled = result.ok ? settledEdit(of, result.scene, contentOf) : result
      if (!settled.ok) throw new Error(settled.problems[0]!.message)
      return settled.scene
    }
    const next = rename(rename(after, 'steel', 'iron'), 'one', 'first')
    expect(next.instances![0]!.overrides).toEqual(expect.arrayContaining([
      { collection: 'bodies', of: 'wheel', field: 'shapes[0].material', value: 'iron' },
      { collection: 'bodies', of: 'frame', field: 'collision', value: { except: ['first.wheel', 'ground'] } },
    ]))
    // A shared material that gets another id is no override of those that were made of it.
    expect(rename(after, 'wood', 'oak').instances![1]!.overrides).toBeUndefined()
  })

  it('can go: without a value it is what an absent key means', () => {
    const { after } = edited(draft => { delete body(draft, 'one.frame').linearVelocity })
    expect(after.instances![0]!.overrides).toEqual([{ collection: 'bodies', of: 'frame', field: 'linearVelocity' }])
    expect(good(read(ownScene(after))).resolved.bodies.find(({ id }) => id === 'one.frame')!.linearVelocity).toEqual([0, 0, 0])
  })

  it('that the file no longer has is kept and told; one that is not valid is refused with its place', () => {
    const of = (one: object) => read(scene({ instances: [{ id: 'one', prefab: 'cart', overrides: [one as never] }] }))
    const stale = of({ collection: 'bodies', of: 'rim', field: 'shapes[0].radius', value: 1 })
    expect(good(stale).warnings).toMatchObject([{ name: 'UnusedOverride', path: 'instances[0].overrides[0]' }])
    expect(good(of({ collection: 'bodies', of: 'wheel', field: 'shapes[1].radius', value: 1 })).warnings).toMatchObject([{ name: 'UnusedOverride' }])
    expect(faults(of({ collection: 'bodies', of: 'wheel', field: 'shapes[0].radius', value: -1 }))).toMatchObject([{ name: 'InvalidPrefab', path: 'instances[0].overrides' }])
    for (const field of ['id', 'group', 'expressions', '["__proto__"].x', '[']) {
      expect(faults(of({ collection: 'bodies', of: 'wheel', field, value: 'x' })), field).toMatchObject([{ name: 'InvalidPath', path: 'instances[0].overrides[0].field' }])
    }
  })

  it('of a nested instance is an override of the outer one', () => {
    const nest = { ...header, prefabs: [{ id: 'c', file: 'parts/cart.cairn.json' }], instances: [{ id: 'left', prefab: 'c' }] }
    const outer = { ...header, prefabs: [{ id: 'p', file: 'nest.json' }], instances: [{ id: 'a', prefab: 'p', overrides: [{ collection: 'bodies', of: 'left.wheel', field: 'shapes[0].radius', value: 0.4 }] }] }
    const found = good(read(outer, { 'nest.json': nest, 'parts/cart.cairn.json': cart() }))
    expect([radiusOf(found.scene, 'a.left.wheel'), found.warnings]).toEqual([0.4, []])
  })
})
