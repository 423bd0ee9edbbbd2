import { describe, expect, it } from 'vitest'
import { editScene, extracted, ownScene, parseScene, plainScene, removeElements, renameId, sceneHash, settledEdit, unpacked, withInstances, type EditResult, type Scene } from '../../../../core/scene'
import { cart, document, good, material, read, scene } from './carts'

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

  it('that moves an instance moves all of its objects, and shares everything else', () => {
    const { before, result } = edited(scene(), present => editScene(present, draft => { draft.instances![0]!.position = [0, -5, 0] }))
    if (!result.ok) throw new Error(result.problems[0]!.message)
    const id = (one: Scene, name: string) => one.bodies!.find(body => body.id === name)!
    expect(id(result.scene, 'one.wheel').position).toEqual([0.5, -5, -0.3])
    expect(result.scene.joints!.find(joint => joint.id === 'one.axle')).toMatchObject({ anchor: [0.5, -5, -0.3] })
    expect(id(result.scene, 'two.wheel')).toBe(id(before, 'two.wheel'))
    expect(result.scene.materials).toBe(before.materials)
  })

  it('that changes, deletes or imitates an object of an instance is refused', () => {
    const fault = (change: (draft: Scene) => void) => {
      const { result } = edited(scene(), present => editScene(present, draft => change(draft as Scene)))
      return result.ok ? null : result.problems[0]!.name
    }
    expect(fault(draft => { delete draft.bodies![1]!.group })).toBe('PartOfPrefab')
    expect(fault(draft => { draft.bodies!.push({ id: 'two.extra', type: 'fixed' }) })).toBe('ReservedId')
    expect(fault(draft => { draft.sensors!.pop() })).toBe('PartOfPrefab')
    expect(removeElements(document(scene()).parsed.scene, ['one.wheel'])).toMatchObject({ ok: false, problems: [{ name: 'PartOfPrefab' }] })
    expect(removeElements(document(scene()).parsed.scene, ['cart'])).toMatchObject({ ok: false, problems: [{ name: 'InUse' }] })
    // An instance with the id prefix of objects that were made local would capture them.
    const local = unpacked(document(scene()).parsed.scene, ['one'])
    const { library } = document(scene())
    const renamed = editScene(local, draft => {
      draft.groups!.forEach(group => { if (group.id === 'one') group.id = 'former' })
      for (const member of [...draft.bodies!, ...draft.groups!]) if (member.group === 'one') member.group = 'former'
      draft.instances!.push({ id: 'one', prefab: 'cart' })
    })
    expect(renamed.ok && settledEdit(local, renamed.scene, file => library.content(file, ''))).toMatchObject({ ok: false, problems: [{ name: 'ReservedId' }] })
  })

  it('that deletes an instance deletes its objects, and their connections to others', () => {
    const rod = { id: 'rod', type: 'distance', bodyA: 'one.wheel', bodyB: 'ground', anchor: [0.5, 0, -0.3], anchorB: [0, 0, -2] } as const
    const left = after(scene({ joints: [{ ...rod }] }), present => removeElements(present, ['one']))
    expect(left.bodies!.map(({ id }) => id)).toEqual(['ground', 'two.frame', 'two.wheel'])
    expect(left.joints!.map(({ id }) => id)).toEqual(['two.axle'])
  })

  it('that renames an instance renames the references to its objects', () => {
    const rod = { id: 'rod', type: 'distance', bodyA: 'one.wheel', bodyB: 'ground', anchor: [0.5, 0, -0.3], anchorB: [0, 0, -2] } as const
    const renamed = after(scene({ joints: [{ ...rod }] }), present => renameId(present, 'one', 'first'))
    expect(renamed.bodies!.map(({ id }) => id)).toEqual(['ground', 'first.frame', 'first.wheel', 'two.frame', 'two.wheel'])
    expect(renamed.joints![0]).toMatchObject({ id: 'rod', bodyA: 'first.wheel' })
    expect(parseScene(plainScene(renamed)).ok).toBe(true)
    const other = after(scene({ materials: [{ ...material, restitution: 0.9 }] }), present => renameId(present, 'cart', 'wagon'))
    expect(other.materials!.map(({ id }) => id)).toEqual(['wood', 'wagon.wood'])
    expect(other.instances!.map(({ prefab }) => prefab)).toEqual(['wagon', 'wagon'])
  })

  it('reuses the objects of a scene that was expanded before', () => {
    const { parsed, library } = document(scene())
    const again = withInstances(parsed.scene, file => library.content(file, ''))
    expect(again.ok && again.scene).toBe(parsed.scene)
  })
})
describe('an instance made local', () => {
  it('gives the same scene to the simulation, to the byte, if it was the last one', () => {
    const one = scene({ materials: [], bodies: [], instances: [{ id: 'one', prefab: 'cart', position: [1, 2, 3] }] })
    const { parsed } = document(one)
    const local = unpacked(parsed.scene, ['one'])
    expect([local.instances, local.prefabs]).toEqual([undefined, undefined])
    expect(sceneHash(good(parseScene(local)).resolved)).toBe(sceneHash(parsed.resolved))
    expect(good(parseScene(local)).resolved).toEqual(good(read(one)).resolved)
  })

  it('keeps materials of its own, with their pairs, if there are others', () => {
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

  it('and its instance give the former scene: poses and connections to others do not change', () => {
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

  it('may have the name that its group had', () => {
    const before = whole()
    const made = extracted(before, new Set(['frame', 'wheel', 'whole']), 'whole', 'whole.json')!
    expect([made.scene.prefabs, made.instance]).toEqual([[{ id: 'whole', file: 'whole.json' }], 'whole-1'])
    const { scene: after } = document(made.scene, { 'whole.json': made.prefab }).parsed
    const { library } = document(made.scene, { 'whole.json': made.prefab })
    expect(settledEdit(before, after, file => library.content(file, '')).ok).toBe(true)
  })

  it('may contain instances: their files are named relative to the new file\'s folder', () => {
    const { parsed } = document(scene())
    const made = extracted(parsed.scene, new Set(['one', 'one.frame', 'one.wheel']), 'set', 'sets/set.cairn.json')!
    expect(made.prefab.prefabs).toEqual([{ id: 'cart', file: '../parts/cart.cairn.json' }])
    const again = good(read(made.scene, { 'parts/cart.cairn.json': cart(), 'sets/set.cairn.json': made.prefab })).scene
    expect(again.bodies!.map(({ id }) => id)).toEqual(['ground', 'two.frame', 'two.wheel', `${made.instance}.one.frame`, `${made.instance}.one.wheel`])
  })

  it('is null if nothing is selected that could be placed', () => {
    expect(extracted(whole(), new Set(['axle']), 'x', 'x.json')).toBeNull()
  })
})
