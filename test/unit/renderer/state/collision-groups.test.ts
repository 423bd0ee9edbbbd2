import { expect, it } from 'vitest'
import type { Scene } from '../../../../core/scene'
import { bitOf, fromGroup, groupCount, membersText, touchedText } from '../../../../renderer/state/collision-groups'

const ball = (id: string, collision?: object) => ({ id, shapes: [{ type: 'sphere', radius: 1, material: 'm' }], ...collision === undefined ? {} : { collision } })
const scene = (...bodies: object[]): Scene => ({ format: 'cairn-scene', version: 1, materials: [{ id: 'm' }], bodies } as unknown as Scene)

it('numbers groups from 1 to 32, and offers more groups than are in use', () => {
  expect([bitOf(1), bitOf(3), bitOf(32)]).toEqual([1, 4, 2 ** 31])
  expect([fromGroup(2), fromGroup(32), fromGroup(33)]).toEqual([2 ** 32 - 2, 2 ** 31, 0])
  expect(groupCount(scene(ball('a')))).toBe(4)
  expect(groupCount(scene(ball('a', { groups: 16 })))).toBe(6)
  expect(groupCount(scene(ball('a', { groups: 2 ** 31 })))).toBe(32)
})

it('lists the bodies of a group, and those that a body touches, considering joints and exceptions', () => {
  const hand = ball('hand', { groups: 2, mask: 1, except: ['wall'] })
  const all = { ...scene(ball('floor'), ball('wall'), ball('arm'), hand, ball('ring', { groups: 4, mask: 0 }), { id: 'point' }), joints: [{ id: 'j', type: 'ball', bodyA: 'hand', bodyB: 'arm', anchor: [0, 0, 0] }] } as unknown as Scene
  expect(membersText(all, 2)).toBe('Group 2: hand')
  expect(membersText(all, 4)).toBe('Group 4: nothing yet')
  expect(touchedText(all, hand as never)).toBe('It touches 1 of 4 bodies: floor.')
  expect(touchedText(scene(ball('a'), ball('b')), ball('a') as never)).toBe('It touches all other bodies.')
})
