/** If the step of an island fails, only that island is stepped in halves. */

import { describe, expect, it } from 'vitest'
import type { World } from '../../../../../core/contact/world'
import { Coupling } from '../../../../../core/methods/time-stepping/coupling'
import { ball, bodyIn, box, floor, recorded, sceneOf, turn, worst, type Recorded } from '../../../../verification/support'

const heap = Array.from({ length: 10 }, (_, i) =>
  box(`b${i}`, [1, 1, 1], [0.3 * (i % 2), 0.1 * i, 1 + 1.2 * i], { linearVelocity: [0, 0, -40], angularVelocity: [24, 48, 72] }))
const slider = box('slider', [1, 1, 1], [50, 0, 0.5], { linearVelocity: [3, 0, 0] })

function stepped(bodies: readonly object[], restitution = 0, rest: object = {}): Recorded {
  const run = recorded(sceneOf(bodies, 0.5, {
    method: 'time-stepping', duration: 0.5, outputRate: 10, timeStepping: { step: 0.1, contactModel: 'standard' },
  }, rest, restitution))
  expect(run.end.status).toBe('completed')
  return run
}

const degraded = (run: Recorded): Recorded['events'] => run.events.filter(({ kind }) => kind === 'degraded')

describe('a heap that needs shorter steps beside a box that slides', () => {
  const run = stepped([floor, ...heap, slider])

  it('is halved alone: the box moves as without the heap, bit for bit', () => {
    const alone = stepped([floor, slider])
    expect(degraded(run).length).toBeGreaterThan(0)
    expect(degraded(alone)).toEqual([])
    run.frames.forEach((frame, k) => expect(bodyIn(run, 'slider', frame)).toEqual(bodyIn(alone, 'slider', alone.frames[k])))
  })

  it('is named in the events, and the box is not', () => {
    for (const { message } of degraded(run)) expect(message).toMatch(/is halved: .* \(b\d/)
    for (const { message } of degraded(run)) expect(message).not.toContain('slider')
  })

  it('does not overlap, its energy is balanced as without halving, and events are in the order of time', () => {
    expect(worst(run, c => c.maxPenetration)).toBe(0)
    // Boxes that rotate by radians within a step gain some energy, which belongs to the residual and not to the work of impacts.
    expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(0.03)
    run.events.forEach((event, k) => expect(event.time).toBeGreaterThanOrEqual(run.events[Math.max(0, k - 1)]!.time))
  })

  it('has the forces of its last part: its impulses divided by its length', () => {
    const frame = run.certificates.findIndex(c => c.degraded === 1)
    const { body, rate } = run.forces[frame]!
    const at = body.indexOf(run.header.bodyIds.indexOf('slider'))
    // Deceleration μ g, or none at rest; divided steps of other islands do not change it.
    const decelerations = [...rate.subarray(6 * at, 6 * at + 3)].map(force => force / 1000)
    expect(decelerations[0]).toBeLessThanOrEqual(0)
    expect(decelerations[0]).toBeGreaterThanOrEqual(-0.5 * 9.81 - 1e-6)
    expect(Math.abs(decelerations[2]!)).toBeLessThanOrEqual(1e-6)
  })
})

describe('islands that meet because one of them is halved', () => {
  // Heaps are chaotic, so a single speed may miss the effect.
  const runs = [55, 60, 75].map(speed => stepped([floor, ...heap, ...Array.from({ length: 8 }, (_, i) =>
    ball(`s${i}`, 0.5, [(3 + 0.8 * i) * (i % 2 ? 1 : -1), -2 + i, 2 + i], { linearVelocity: [i % 2 ? -speed : speed, 0, 0] }))], 0.9))

  it('are joined, and step together without passing through each other', () => {
    expect(runs.some(run => degraded(run).some(({ message }) => message.includes('meets another')))).toBe(true)
    for (const run of runs) {
      expect(worst(run, c => c.maxPenetration)).toBe(0)
      expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(0.02)
    }
  })
})

describe('balls that strike each other and the plates of a funnel in separate islands, and meet within a step', () => {
  const plates = Array.from({ length: 8 }, (_, k) => {
    const angle = Math.PI * k / 4
    const [x, y] = [Math.cos(angle), Math.sin(angle)]
    return {
      id: `plate${k}`, type: 'fixed', position: [0.45 * x, 0.45 * y, 1], orientation: turn([0, 0, 1], angle),
      shapes: [{ type: 'box', size: [0.04, 0.5, 0.8], material: 'stone', orientation: turn([0, 1, 0], 0.6) }],
    }
  })
  const balls = Array.from({ length: 48 }, (_, k) => ball(
    `s${k}`, 0.05, [(k % 4 - 1.5) * 0.11 + 0.003 * Math.sin(7 * k), (Math.floor(k / 4) % 4 - 1.5) * 0.11 + 0.003 * Math.cos(5 * k), 1.3 + 0.12 * Math.floor(k / 16)],
  ))
  const run = recorded(sceneOf([floor, ...plates, ...balls], 0.3, { method: 'time-stepping', duration: 0.4 }, {}, 0.6))

  it('take parts in proportion to their impacts, not to the ways in which these may be grouped', () => {
    const impacts = run.events.filter(({ kind }) => kind === 'impact').length
    expect(run.end.status).toBe('completed')
    expect(impacts).toBeGreaterThan(100)
    expect(run.end.steps).toBeLessThan(12 * impacts)
  })

  it('do not overlap, and their energy is balanced', () => {
    expect(worst(run, c => c.maxPenetration)).toBe(0)
    expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-3)
  })
})

it('the order of islands in the document changes nothing, bit for bit', { tags: 'long' }, () => {
  expect(stepped([floor, slider, ...heap]).end.finalHash).toBe(stepped([floor, ...heap, slider]).end.finalHash)
})

it('springs, joints, and impacts that run through the whole scene make bodies step together; forces on each for itself do not', () => {
  const bodies = ['dynamic', 'dynamic', 'fixed', 'dynamic', 'dynamic', 'dynamic'].map((type, index) => ({ index, type }))
  const world = {
    bodies, forces: [{ type: 'spring', bodies: [0, 1] }, { type: 'spring', bodies: [1, 2] }, { type: 'spring', bodies: [2, 3] }, { type: 'gravity', bodies: [0, 1, 3, 4, 5] }],
    joints: [{ constraint: { bodyA: 4, bodyB: 1 } }, { constraint: { bodyA: 5, bodyB: -1 } }],
  } as unknown as World
  const coupling = new Coupling(world, false)
  expect([...coupling.closure([0])].sort()).toEqual([0, 1, 4])
  expect([...coupling.closure([3])]).toEqual([3])
  expect([...coupling.closure([5])]).toEqual([5])
  expect([...new Coupling(world, true).closure([5])].sort()).toEqual([0, 1, 3, 4, 5])
})
