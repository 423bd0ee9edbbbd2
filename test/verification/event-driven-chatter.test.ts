/** Event-driven runs that tempt the method to restart endlessly, to continue after a cancel, or to omit events. */

import { describe, expect, it } from 'vitest'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import { bodyIn, box, floor, recorded, sceneOf, size, worst } from './support'

const eventDriven = { method: 'event-driven' }
const kinds = (run: ReturnType<typeof recorded>): string[] => run.events.map(({ kind, message }) => kind === 'restart' ? `restart ${message}` : kind)

it('a cylinder that creeps into a box beside it is stopped at once, not at every rounding of its gap', () => {
  const run = recorded(sceneOf([
    floor, box('box', [0.3, 0.3, 0.3], [0.3, 0, 0.15]),
    {
      id: 'roller', position: [0, 0, 0.15], orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], linearVelocity: [1e-10, 0, 0], angularVelocity: [0, 1e-10 / 0.15, 0],
      shapes: [{ type: 'cylinder', radius: 0.15, height: 0.4, material: 'stone' }],
    },
  ], 0.5, { ...eventDriven, duration: 0.1 }))
  expect(run.end.status).toBe('completed')
  expect(kinds(run).filter(kind => kind.startsWith('restart')).length).toBeLessThanOrEqual(6)
  expect(worst(run, certificate => certificate.maxPenetration)).toBeLessThan(1e-11)
})

describe('a block that a spring pulls to and fro on a rough floor', () => {
  const run = recorded(sceneOf([floor, box('block', [0.4, 0.4, 0.1], [12, 0, 0.05], { linearVelocity: [6, 0, 0] })], 0.1, { ...eventDriven, duration: 8 }, {
    forces: [{ id: 'spring', type: 'spring', bodyA: 'block', pointA: [0, 0, 0], bodyB: null, pointB: [-50, 0, 0.05], stiffness: 40, restLength: 50 }],
  }))

  it('reports each instant at which its slip reverses', () => {
    const times = [...new Set(run.events.filter(({ kind }) => kind === 'reversal').map(({ time }) => time))]
    expect(times.length).toBeGreaterThan(1)
    // Between two turning points it swings for half a period of √(k/m), for any friction.
    const half = Math.PI / Math.sqrt(40 / (0.4 * 0.4 * 0.1 * 1000))
    times.slice(1).forEach((time, k) => expect(Math.abs(time - times[k]! - half) / half).toBeLessThan(1e-4))
  })

  it('gives every restart a cause', () => {
    const causes = ['start', 'end', 'stick', 'onset', 'slip', 'index set']
    run.events.filter(({ kind }) => kind === 'restart').forEach(({ message }) => expect(causes).toContain(message))
  })
})

it('a body that spins close to its separatrix agrees with a run at tolerance 1e-13', { tags: 'long' }, () => {
  const spun = (tolerance: number): Float64Array => recorded(sceneOf([
    { id: 'top', shapes: [{ type: 'box', size: [0.2, 0.1, 0.02], material: 'stone' }], angularVelocity: [1e-4, 7, 1e-4] },
  ], 0, { ...eventDriven, duration: 20, eventDriven: { tolerance } }, { gravity: [0, 0, 0] })).frames.at(-1)!.bodies
  const [coarse, fine] = [spun(1e-9), spun(1e-13)]
  expect(coarse.length).toBe(BODY_STRIDE)
  expect(size([...coarse].map((value, k) => value - fine[k]!))).toBeLessThan(1e-5)
  expect(size([...fine.slice(10)])).toBeGreaterThan(5)
})

it('a cancel takes effect within the separation of a heap, long before its last sweep', () => {
  const cubes = Array.from({ length: 40 }, (_, i) => box(`c${i}`, [1, 1, 1], [0.05 * (i % 5), 0.05 * (i % 7), 0.5 + 0.1 * i]))
  let asked = 0
  const run = recorded(sceneOf([floor, ...cubes], 0.5, { ...eventDriven, duration: 1, initialOverlap: 'separate' }), undefined, () => ++asked > 100)
  expect(run.end.status).toBe('cancelled')
  expect(asked).toBeLessThan(110)
})

it('an energy balance with a residual causes one warning, and a closed one none', () => {
  const coarse = recorded(sceneOf([{ ...box('pendulum', [0.1, 0.1, 1], [0, 0, 0]) as object }], 0, {
    ...eventDriven, duration: 2, eventDriven: { integrator: 'euler', step: 0.02 },
  }, { joints: [{ id: 'pin', type: 'hinge', bodyA: 'pendulum', bodyB: null, anchor: [0.3, 0, 0.5], axis: [0, 1, 0] }] }))
  expect(coarse.end.warnings.filter(warning => warning.startsWith('the energy audit'))).toHaveLength(1)
  const fine = recorded(sceneOf([floor, box('block', [1, 1, 1], [0, 0, 3])], 0.5, { ...eventDriven, duration: 1 }))
  expect(fine.end.warnings).toEqual([])
  expect(bodyIn(fine, 'block').position[2]).toBeGreaterThan(0.49)
})
