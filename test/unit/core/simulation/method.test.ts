import { expect, it } from 'vitest'
import { parseScene } from '../../../../core/scene'
import { FEW_BODIES, methodName } from '../../../../core/simulation/method'
import { ball, recorded, sceneOf } from '../../../verification/support'

const balls = (count: number): object[] => Array.from({ length: count }, (_, k) => ball(`ball-${k}`, 0.1, [k, 0, 1]))
const ghosts = Array.from({ length: 20 }, (_, k) => ({ id: `ghost-${k}`, position: [k, 1, 1], mass: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }))

function chosen(bodies: readonly object[], simulation: object = {}): string {
  const parsed = parseScene(JSON.stringify(sceneOf(bodies, 0.5, simulation)))
  if (!parsed.ok) throw new Error('the scene is invalid')
  return methodName(parsed.resolved)
}

it('auto is event-driven up to the number of bodies that the ladder of docs/performance.md gives, and time-stepping beyond', () => {
  expect(FEW_BODIES).toBe(8)
  expect(chosen(balls(FEW_BODIES))).toBe('event-driven')
  expect(chosen(balls(FEW_BODIES + 1))).toBe('time-stepping')
})

it('bodies without shapes do not count', () => {
  expect(chosen([...balls(FEW_BODIES), ...ghosts])).toBe('event-driven')
})

it('a scene whose initial overlaps are to be separated is run as a heap, however few its bodies', () => {
  expect(chosen(balls(2), { initialOverlap: 'separate' })).toBe('time-stepping')
})

it('a method that the scene names is used', () => {
  expect(chosen(balls(FEW_BODIES + 1), { method: 'event-driven' })).toBe('event-driven')
  expect(chosen(balls(1), { method: 'time-stepping' })).toBe('time-stepping')
})

it.each([[FEW_BODIES, 'event-driven'], [FEW_BODIES + 1, 'time-stepping']])('the header of a run of %i bodies says %s, not auto', (count, method) => {
  expect(recorded(sceneOf(balls(count), 0.5, { method: 'auto', duration: 0.01, outputRate: 100 })).header.method).toBe(method)
})
