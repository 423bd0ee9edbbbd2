import { describe, expect, it } from 'vitest'
import { editScene, ownScene, parseDocument, prefabLibrary, removeElements, settledEdit, writeScene, type Scene } from '../../../../core/scene'
import { cart, faults, good, header, read, reading, scene } from './carts'

describe('refused prefabs', () => {
  it.each([
    ['/etc/passwd', 'InvalidPath'], ['C:\\x.json', 'InvalidPath'], ['http://x/y.json', 'InvalidPath'], ['a\\b.json', 'InvalidPath'], ['a//b.json', 'InvalidPath'],
    ['..', 'InvalidPath'], ['../x.json', 'InvalidPath'], ['a/../../x.json', 'InvalidPath'], ['none.json', 'PrefabNotRead'],
  ])('%s is %s, at its path', (file, name) => {
    expect(faults(read(scene({ prefabs: [{ id: 'cart', file }] })))).toMatchObject([{ name, path: 'prefabs[0].file' }])
  })

  it('a file that is not a valid scene, with its problems', () => {
    const of = (content: object | string) => faults(read(scene(), { 'parts/cart.cairn.json': content }))
    expect(of('{')).toMatchObject([{ name: 'MalformedJson', path: 'prefabs[0].file', message: expect.stringContaining('parts/cart.cairn.json: ') as string }])
    expect(of({ ...cart(), bodies: [{ id: 'x', mass: { mass: -1 } }] })).toMatchObject([{ name: 'OutOfRange', message: expect.stringContaining('parts/cart.cairn.json: bodies[0].mass.mass: ') as string }])
    expect(of({ format: 'other' })).toMatchObject([{ name: 'NotAScene' }])
  })

  it('a circle, with its files', () => {
    const nest = (file: string) => ({ ...header, prefabs: [{ id: 'p', file }], instances: [{ id: 'i', prefab: 'p' }] })
    expect(faults(read(nest('a.json'), { 'a.json': nest('b.json'), 'b.json': nest('sub/../a.json') }))).toMatchObject([
      { name: 'CircularPrefabs', path: 'prefabs[0].file', message: 'The prefabs contain each other in a circle: a.json → b.json → a.json' },
    ])
  })

  it('too deep nesting, and multiplication beyond the limits, before it is expanded', () => {
    const nest = (file: string, n: number) => ({ ...header, prefabs: [{ id: 'p', file }], instances: Array.from({ length: n }, (_, k) => ({ id: `i${k}`, prefab: 'p' })) })
    const deep = Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`${k}.json`, nest(`${k + 1}.json`, 1)]))
    expect(faults(read(nest('0.json', 1), deep))).toMatchObject([{ name: 'TooDeep' }])
    const wide = { ...Object.fromEntries(Array.from({ length: 12 }, (_, k) => [`${k}.json`, nest(`${k + 1}.json`, 10)])), '12.json': cart() }
    const started = performance.now()
    expect(faults(read(nest('0.json', 10), wide))[0]).toMatchObject({ name: 'TooMany' })
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('ids that begin like those of a prefab, a missing prefab, a second one of the same file, and ids that become too long', () => {
    const body = { id: 'one.thing' }
    expect(faults(read(scene({ bodies: [body] })))).toMatchObject([{ name: 'ReservedId', path: 'bodies[0].id' }])
    expect(faults(read(scene({ instances: [{ id: 'x', prefab: 'car' }] })))).toMatchObject([{ name: 'UnknownReference', path: 'instances[0].prefab', message: expect.stringContaining('"cart"') as string }])
    expect(faults(read(scene({ prefabs: [...scene().prefabs!, { id: 'again', file: 'parts/cart.cairn.json' }] })))).toMatchObject([{ name: 'InvalidPrefab', path: 'prefabs[1].file' }])
    expect(faults(read(scene({ instances: [{ id: 'x'.repeat(125), prefab: 'cart' }] })))).toMatchObject([{ name: 'InvalidPrefab', path: 'instances[0].id' }])
  })

  it('a rotated box of wind, except by quarter turns', () => {
    const windy = { ...cart(), forces: [{ id: 'wind', type: 'wind', velocity: [1, 0, 0], linear: 1, box: { min: [0, 0, 0], max: [1, 2, 3] } }] }
    const at = (angle: number) => read(scene({ instances: [{ id: 'x', prefab: 'cart', orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] }] }), { 'parts/cart.cairn.json': windy })
    expect(faults(at(0.3))).toMatchObject([{ name: 'InvalidPrefab', path: 'instances[0].orientation' }])
    const { box } = good(at(Math.PI / 2)).scene.forces![0] as unknown as { box: { min: number[]; max: number[] } }
    ;[-2, 0, 0, 0, 1, 3].forEach((x, k) => expect([...box.min, ...box.max][k]).toBeCloseTo(x, 12))
  })

  it('nothing else: a scene may refer to the contents of an instance', () => {
    const spring = { id: 'rod', type: 'distance', bodyA: 'one.wheel', bodyB: 'two.wheel', anchor: [0.5, 0, -0.3], anchorB: [-0.5, 3, -0.3] } as const
    expect(good(read(scene({ joints: [spring] }))).scene.joints!.map(({ id }) => id)).toEqual(['rod', 'one.axle', 'two.axle'])
    expect(faults(read(scene({ joints: [{ ...spring, bodyA: 'one.whel' }] })))).toMatchObject([{ name: 'UnknownReference', path: 'joints[0].bodyA' }])
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

  it.each(broken)('because its file %s, each instance is a box with the objects to which the scene refers, and simulation is refused', (_, files) => {
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

  it('stand-ins are not written', () => {
    const text = `${JSON.stringify(around(), null, 3)}\n`
    const own = ownScene(good(opened(text, {}).parsed).scene)
    expect(writeScene(own, { text, scene: own })).toBe(text)
  })

  it('everything else can be edited, and no further prefab that cannot be placed is accepted', () => {
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
