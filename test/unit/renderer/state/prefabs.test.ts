import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { parseScene, unpacked, type Scene } from '../../../../core/scene'
import { useArrange } from '../../../../renderer/state/arrange'
import { useDocument } from '../../../../renderer/state/document'
import { changeId, clipOf, deleteElements, pasteClip } from '../../../../renderer/state/editing'
import { contentsOf, useGroups } from '../../../../renderer/state/groups'
import { faultOf, libraryOf, lostBetween, useLibrary } from '../../../../renderer/state/instances'
import { outlineOf } from '../../../../renderer/state/outline'
import { isOverridden, overridesOf, revertOverrides } from '../../../../renderer/state/overrides'
import { setAt } from '../../../../renderer/state/set-at'
import { readScene } from '../../../../renderer/state/read-scene'
import { fileText, sceneText } from '../../../../renderer/state/scene-text'
import { useSelection } from '../../../../renderer/state/selection'
import { applyMotion, rotationAbout } from '../../../../renderer/viewport/gizmos/rigid-edit'

const wood = { id: 'wood', friction: { static: 0.5, dynamic: 0.4 } }
const wheel = (radius: number) => JSON.stringify({
  format: 'cairn-scene', version: 1, materials: [wood], bodies: [{ id: 'rim', position: [0, 0, 1], shapes: [{ type: 'sphere', radius, material: 'wood' }] }, { id: 'hub', mass: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }],
  joints: [{ id: 'pin', type: 'fixed', bodyA: 'rim', bodyB: 'hub', anchor: [0, 0, 1] }],
})
const text = JSON.stringify({
  format: 'cairn-scene', version: 1, materials: [wood], prefabs: [{ id: 'wheel', file: 'wheel.json' }],
  instances: [{ id: 'a', prefab: 'wheel', name: 'First' }, { id: 'b', prefab: 'wheel', position: [3, 0, 0] }],
  joints: [{ id: 'rod', type: 'distance', bodyA: 'a.rim', bodyB: 'b.rim', anchor: [0, 0, 1], anchorB: [3, 0, 1] }],
}, null, 2)
const files = (radius: number) => ({ files: [{ file: 'wheel.json', source: wheel(radius) }], missing: [] })

const refused: string[] = []
function opened() {
  const document = useDocument()
  const library = libraryOf(files(0.5))
  useLibrary(library, false)
  document.load({ scene: readScene(text, library).scene!, text, handle: 'h', name: 'scene', savable: true })
  document.onRefused(([problem]) => refused.push(problem!.name))
  return document
}
const ids = (scene: Scene) => scene.bodies!.map(({ id }) => id)
const radius = (scene: Scene, id: string) => (scene.bodies!.find(body => body.id === id)!.shapes![0] as { radius: number }).radius

beforeEach(() => {
  setActivePinia(createPinia())
  refused.length = 0
})

it('an instance is copied as one, with its connections to other copied objects', () => {
  const document = opened()
  const all = [...contentsOf(document.scene, 'a'), ...contentsOf(document.scene, 'b')]
  pasteClip('duplicate', clipOf(document.scene, new Set(all)), [0, 5, 0])
  expect(refused).toEqual([])
  expect(document.scene.instances!.map(({ id, name, position }) => [id, name, position?.[1]])).toEqual([['a', 'First', undefined], ['b', undefined, 0], ['a-2', 'First 2', 5], ['b-2', undefined, 5]])
  expect(document.scene.joints!.find(({ id }) => id === 'rod-2')).toMatchObject({ bodyA: 'a-2.rim', bodyB: 'b-2.rim', anchor: [0, 5, 1] })
  expect(useSelection().ids).toContain('a-2')
  document.undo()
  expect(fileText(document.scene, document.source)).toBe(text)
  expect(document.dirty).toBe(false)
})

it('an array of an instance consists of instances, and is undone as one step', () => {
  const document = opened()
  useSelection().select(contentsOf(document.scene, 'a'))
  const arrange = useArrange()
  Object.assign(arrange.numbers, { count: 4, step: [0, 2, 0] })
  expect(arrange.make()).toBe(true)
  expect(document.scene.instances!.map(({ position }) => position?.[1] ?? 0)).toEqual([0, 0, 2, 4, 6])
  expect(ids(document.scene).filter(id => id.endsWith('.rim'))).toHaveLength(5)
  expect(document.scene.bodies!.find(({ id }) => id.startsWith('a-4') && id.endsWith('rim'))!.position).toEqual([0, 6, 1])
  document.undo()
  expect(document.scene.instances).toHaveLength(2)
})

it('moving any part of an instance moves all of it; joints between two instances move with both', () => {
  const document = opened()
  const motion = { pivot: [0, 0, 0] as const, rotation: rotationAbout([0, 0, 1], Math.PI), shift: [0, 0, 2] as const }
  const before = document.scene
  document.beginGesture('move')
  document.updateGesture(draft => applyMotion(draft, before, new Set(['a.rim', 'b.rim']), motion))
  document.commitGesture()
  expect(refused).toEqual([])
  const at = (id: string) => document.scene.bodies!.find(body => body.id === id)!.position!
  ;[[-3, 0, 3], [-3, 0, 2]].forEach((place, k) => place.forEach((x, i) => expect(at(['b.rim', 'b.hub'][k]!)[i]).toBeCloseTo(x, 12)))
  const rod = document.scene.joints!.find(({ id }) => id === 'rod')! as unknown as { anchorB: number[] }
  ;[-3, 0, 3].forEach((x, i) => expect(rod.anchorB[i]).toBeCloseTo(x, 12))
  document.undo()
  expect(document.scene).toBe(before)
})

it('its objects cannot be deleted, moved to another group or follow a formula; the whole instance can', () => {
  const document = opened()
  document.edit('change', draft => { draft.bodies![0]!.expressions = [{ field: 'position[0]', formula: '1 + 1' }] })
  deleteElements(['a.rim'])
  useGroups().move(['a.rim'], undefined)
  expect(refused).toEqual(['PartOfPrefab', 'PartOfPrefab', 'PartOfPrefab'])
  expect(changeId('b', 'second')).toBe(true)
  expect(ids(document.scene)).toEqual(['a.rim', 'a.hub', 'second.rim', 'second.hub'])
  expect(document.scene.joints![0]).toMatchObject({ bodyB: 'second.rim' })
  expect(deleteElements(contentsOf(document.scene, 'second'))).toBe(true)
  expect([ids(document.scene), document.scene.joints!.map(({ id }) => id)]).toEqual([['a.rim', 'a.hub'], ['a.pin']])
})

it('follows its file: the scene stays unmodified, and the undo history has the new file too', () => {
  const document = opened()
  document.edit('name', draft => { draft.name = 'Mine' })
  document.undo()
  useLibrary(libraryOf(files(0.7)))
  document.renew()
  expect([radius(document.scene, 'a.rim'), radius(document.scene, 'b.rim'), document.dirty]).toEqual([0.7, 0.7, false])
  document.redo()
  expect([radius(document.scene, 'a.rim'), document.scene.name, document.dirty]).toEqual([0.7, 'Mine', true])
  document.undo()
  expect([radius(document.scene, 'b.rim'), document.dirty]).toEqual([0.7, false])
})

it('is unmodified after its file changed twice or was read again, also after an undo', () => {
  const document = opened()
  for (const size of [0.7, 0.9, 0.9]) {
    useLibrary(libraryOf(files(size)))
    document.renew()
    expect([radius(document.scene, 'a.rim'), document.dirty]).toEqual([size, false])
  }
  document.edit('name', draft => { draft.name = 'Mine' })
  useLibrary(libraryOf(files(0.6)))
  document.renew()
  expect([radius(document.scene, 'a.rim'), document.dirty]).toEqual([0.6, true])
  document.undo()
  expect([radius(document.scene, 'a.rim'), document.dirty]).toEqual([0.6, false])
  document.redo()
  expect([radius(document.scene, 'b.rim'), document.scene.name, document.dirty]).toEqual([0.6, 'Mine', true])
})

it('appears in the outliner as a group, with its objects below it under short names', () => {
  const { scene } = opened()
  const [bodies] = outlineOf(scene, '', new Set())
  expect(bodies!.rows.map(({ short, depth, detail, part }) => [short, depth, detail, part])).toEqual([
    ['First', 0, 'prefab', false], ['rim', 1, '', true], ['hub', 1, '', true], ['b', 0, 'prefab', false], ['rim', 1, '', true], ['hub', 1, '', true],
  ])
})

it('is sent to the engine with its files, and gives the same scene there once it is made local', () => {
  const document = opened()
  const read = (scene: Scene) => {
    const parsed = parseScene(sceneText(scene, document.source))
    if (!parsed.ok) throw new Error(parsed.problems[0]!.message)
    return parsed.resolved
  }
  const before = read(document.scene)
  document.transact('make local', scene => ({ ok: true, scene: unpacked(scene, ['a', 'b']), warnings: [] }))
  expect(fileText(document.scene, document.source)).not.toContain('instances')
  const { groups, ...after } = read(document.scene)
  const { groups: former, ...rest } = before
  expect(after).toEqual(rest)
  expect(groups).toEqual(former)
})

it('whose file is missing is shown as a box, leaves the document unmodified, and appears once the file exists', () => {
  const document = useDocument()
  const without = libraryOf({ files: [], missing: [{ file: 'wheel.json', reason: 'There is no file "wheel.json" in the scene\'s folder' }] })
  useLibrary(without, false)
  document.load({ scene: readScene(text, without).scene!, text, handle: 'h', name: 'scene', savable: true })
  expect(ids(document.scene)).toEqual(['a.missing', 'a.rim', 'b.missing', 'b.rim'])
  expect([faultOf('wheel.json'), document.dirty]).toEqual(['There is no file "wheel.json" in the scene\'s folder', false])
  document.edit('name', draft => { draft.name = 'Mine' })
  document.undo()
  expect(fileText(document.scene, document.source)).toBe(text)
  expect(parseScene(sceneText(document.scene, document.source))).toMatchObject({ ok: false, problems: [{ name: 'PrefabNotRead', path: 'prefabs[0].file' }] })
  const there = libraryOf(files(0.5))
  expect([lostBetween(there, without, document.scene), lostBetween(without, there, document.scene)]).toEqual(['There is no file "wheel.json" in the scene\'s folder', null])
  useLibrary(there)
  document.renew()
  expect(ids(document.scene)).toEqual(['a.rim', 'a.hub', 'b.rim', 'b.hub'])
  expect([faultOf('wheel.json'), document.dirty]).toEqual([null, false])
})

it('differences of its objects from the prefab are listed with both values, and reverted as one undo entry', () => {
  const document = opened()
  const index = document.scene.bodies!.findIndex(({ id }) => id === 'b.rim')
  document.edit('change radius', draft => { setAt(draft.bodies![index]!, ['shapes', 0, 'radius'], 0.8) })
  document.edit('change velocity', draft => { setAt(draft.bodies![index]!, ['linearVelocity'], [1, 0, 0]) })
  expect(refused).toEqual([])
  expect(overridesOf(document.scene, 'b.rim').map(({ label, override, former }) => [label, override.value, former])).toEqual([
    ['Shapes 1 radius', 0.8, 0.5], ['Linear velocity', [1, 0, 0], undefined],
  ])
  expect(overridesOf(document.scene, 'b').map(({ label }) => label)).toEqual(['b.rim · Shapes 1 radius', 'b.rim · Linear velocity'])
  expect([isOverridden(document.scene, `bodies[${index}].shapes[0].radius`), isOverridden(document.scene, `bodies[${index}].shapes[0].material`)]).toEqual([true, false])
  useLibrary(libraryOf(files(0.7)))
  document.renew()
  expect([radius(document.scene, 'a.rim'), radius(document.scene, 'b.rim')]).toEqual([0.7, 0.8])
  revertOverrides(overridesOf(document.scene, 'b'))
  expect([radius(document.scene, 'b.rim'), document.scene.instances!.map(({ overrides }) => overrides)]).toEqual([0.7, [undefined, undefined]])
  document.undo()
  expect(radius(document.scene, 'b.rim')).toBe(0.8)
})
