import { describe, expect, it } from 'vitest'
import { editScene, ownScene, plainScene, renameId, resolveScene, settledEdit, withoutOverrides, writeScene, type Scene } from '../../../../core/scene'
import { cart, document, faults, good, header, material, read, scene } from './carts'

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

  it('that is edited becomes an override of that instance alone, also after the scene is read again', () => {
    const { after } = edited(draft => { body(draft, 'two.wheel').shapes[0]!.radius = 0.35 })
    expect(after.instances![1]!.overrides).toEqual([{ collection: 'bodies', of: 'wheel', field: 'shapes[0].radius', value: 0.35 }])
    expect([radiusOf(after, 'one.wheel'), radiusOf(after, 'two.wheel')]).toEqual([0.2, 0.35])
    const written = ownScene(after)
    expect(written.bodies!.map(({ id }) => id)).toEqual(['ground'])
    expect(good(read(JSON.parse(writeScene(written, null)) as object)).resolved).toEqual(resolveScene(plainScene(after)))
  })

  it('that is set back by hand, or reverted, is no longer an override', () => {
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

  it('is written in the frame of the prefab\'s file, so that it moves with the instance', () => {
    const { after, step } = edited(draft => { body(draft, 'two.frame').linearVelocity = [0, 5, 0] })
    expect(after.instances![1]!.overrides![0]!.value).toEqual([0, -5, 0])
    const turned = step(after, draft => { delete (draft.instances![1] as { orientation?: unknown }).orientation })
    expect(turned.bodies!.find(({ id }) => id === 'two.frame')!.linearVelocity).toEqual([0, -5, 0])
  })

  it('may refer to objects of the scene, and follows when these or the instance are renamed', () => {
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
    // A new id of a shared material is not an override of the bodies made of it.
    expect(rename(after, 'wood', 'oak').instances![1]!.overrides).toBeUndefined()
  })

  it('can be removed: an override without a value stands for the default', () => {
    const { after } = edited(draft => { delete body(draft, 'one.frame').linearVelocity })
    expect(after.instances![0]!.overrides).toEqual([{ collection: 'bodies', of: 'frame', field: 'linearVelocity' }])
    expect(good(read(ownScene(after))).resolved.bodies.find(({ id }) => id === 'one.frame')!.linearVelocity).toEqual([0, 0, 0])
  })

  it('that the file no longer has is kept and reported; one that is not valid is refused, with its path', () => {
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
