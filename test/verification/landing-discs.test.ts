/** Discs of cylinders and cones that land nearly flat, and edges that rock on discs: each takes whole steps, although its lowest point changes sides. */

import { describe, expect, it } from 'vitest'
import { box, floor, recorded, sceneOf, times, turn, worst } from './support'

const halved = ({ events }: ReturnType<typeof recorded>) => events.filter(({ kind }) => kind === 'degraded')

/** One body that falls onto others, in steps of 1/120 s. */
function fall(bodies: readonly object[], friction: number) {
  return recorded(sceneOf([floor, ...bodies], friction, { method: 'time-stepping', duration: 0.5, outputRate: 60, timeStepping: { step: 1 / 120 } }))
}

describe.each([
  ['cylinder', { type: 'cylinder', radius: 0.15, height: 0.2, material: 'stone' }, 0.1],
  ['cone', { type: 'cone', radius: 0.15, height: 0.3, material: 'stone' }, 0.075],
] as const)('a %s that lands on its disc', (_, shape, height) => {
  it.each([[0.002, 0], [0.01, 1], [0.03, 3], [0.1, -5], [0.2, 8]])('tilted by %f rad and turning at %f rad/s', (tilt, spin) => {
    for (const friction of [0, 0.5]) {
      const body = {
        id: 'body', position: [0, 0, height + 0.08], orientation: turn([1, 0.3, 0], tilt), linearVelocity: [0.5, 0.2, -3], angularVelocity: [spin, -spin / 2, spin],
        shapes: [shape],
      }
      for (const support of [[], [{ ...box('table', [1, 1, 0.5], [0, 0, -0.25 + 0.02]), type: 'fixed' }]]) {
        const run = fall([...support, body], friction)
        expect(run.end.status).toBe('completed')
        expect(worst(run, certificate => certificate.maxPenetration)).toBe(0)
        expect(halved(run)).toEqual([])
      }
    }
  })
})

describe('a box that falls with an edge onto the disc of a cylinder', () => {
  it.each([0, 0.001, 0.01, 0.05])('tilted along the edge by %f rad', tilt => {
    const post = { id: 'post', type: 'fixed', position: [0, 0, 0.3], shapes: [{ type: 'cylinder', radius: 0.15, height: 0.6, material: 'stone' }] }
    const beam = {
      ...box('beam', [0.8, 0.2, 0.2], [0.02, 0.03, 0.6 + 0.1 * Math.SQRT2 + 0.03]), linearVelocity: [0, 0, -2], angularVelocity: [0, 2, 0],
      orientation: times(turn([0, 1, 0], tilt), turn([1, 0, 0], Math.PI / 4)),
    }
    const run = fall([post, beam], 0.3)
    expect(run.end.status).toBe('completed')
    expect(worst(run, certificate => certificate.maxPenetration)).toBe(0)
    expect(halved(run)).toEqual([])
  })
})
