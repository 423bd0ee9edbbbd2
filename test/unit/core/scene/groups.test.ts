import { expect, it } from 'vitest'
import { editScene, parseScene, removeElements, renameId, sceneHash, type Scene } from '../../../../core/scene'

const scene = (): Scene => ({
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood' }],
  bodies: ['a', 'b'].map(id => ({ id, group: 'inner', shapes: [{ type: 'sphere', radius: 1, material: 'wood' }] })),
  groups: [{ id: 'inner', group: 'outer' }, { id: 'outer', name: 'Outer' }],
})
const hash = (of: Scene) => {
  const parsed = parseScene(of)
  if (!parsed.ok) throw new Error(parsed.problems[0]!.message)
  return sceneHash(parsed.resolved)
}
const faults = (of: object) => {
  const parsed = parseScene(of)
  return parsed.ok ? [] : parsed.problems.map(({ name, path }) => [name, path])
}

it('groups do not affect the simulation', () => {
  const { groups, ...plain } = scene()
  expect(groups).toHaveLength(2)
  expect(hash(scene())).toBe(hash({ ...plain, bodies: plain.bodies!.map(({ id, shapes }) => ({ id, shapes })) }))
})

it('an unknown group, and one inside itself, are reported with their place', () => {
  expect(faults({ ...scene(), groups: [{ id: 'outer' }] })).toEqual([['UnknownReference', 'bodies[0].group'], ['UnknownReference', 'bodies[1].group']])
  expect(faults({ ...scene(), groups: [{ id: 'inner', group: 'outer' }, { id: 'outer', group: 'inner' }] }).map(([name]) => name)).toEqual(['GroupInItself', 'GroupInItself'])
})

it('an edit that removes a group with members is refused; removing it by id moves them to the parent group', () => {
  expect(editScene(scene(), draft => { draft.groups!.shift() })).toMatchObject({ ok: false, problems: [{ name: 'UnknownReference' }, { name: 'UnknownReference' }] })
  const removed = removeElements(scene(), ['inner'])
  expect(removed.ok && removed.scene.bodies!.map(body => body.group)).toEqual(['outer', 'outer'])
  const both = removeElements(scene(), ['inner', 'outer'])
  expect(both.ok && both.scene.bodies!.map(body => 'group' in body)).toEqual([false, false])
})

it('members follow a group\'s new id', () => {
  const renamed = renameId(scene(), 'inner', 'core')
  expect(renamed.ok && [renamed.scene.bodies![0]!.group, renamed.scene.groups![0]!.id]).toEqual(['core', 'core'])
})
