/** A floor of tiles is one floor: bodies slide and roll over the joints between its boxes as over a single box. */

import { describe, expect, it } from 'vitest'
import { box, bodyIn, recorded, sceneOf, turn, worst, type Recorded } from './support'

const g = 9.81
const FRICTION = 0.2
const SPEED = 2.4
const WIDTH = 0.5

/** Centres of the tiles; rows of bricks are half a tile apart. */
function centres(bricks: boolean): number[][] {
  return Array.from({ length: 8 }, (_, i) => Array.from({ length: 4 }, (__, j) => [(i - 1 + (bricks ? (j % 2) / 2 : 0)) * WIDTH, (j - 1.5) * WIDTH, -0.1])).flat()
}

const tile = { type: 'box', size: [WIDTH, WIDTH, 0.2], material: 'stone' }

const floors = {
  'of one body a tile': centres(false).map((position, k) => ({ id: `tile-${k}`, type: 'fixed', shapes: [tile], position })),
  'of one body with a shape a tile': [{ id: 'floor', type: 'fixed', shapes: centres(false).map(position => ({ ...tile, position })) }],
  'of bricks': centres(true).map((position, k) => ({ id: `tile-${k}`, type: 'fixed', shapes: [tile], position })),
}

function slide(bodies: readonly object[], method: string): Recorded {
  return recorded(sceneOf(bodies, FRICTION, { method, duration: 1, outputRate: 10 }))
}

describe.each(Object.entries(floors))('a floor %s', (_, tiles) => {
  describe.each([0, 0.3])('a box turned by %f rad that slides over it', yaw => {
    const sliding = box('box', [0.2, 0.2, 0.2], [0, 0.03, 0.1], { linearVelocity: [SPEED, 0, 0], orientation: turn([0, 0, 1], yaw) })
    it.each(['event-driven', 'time-stepping'])('has the speed and the path of one on a single floor (%s)', method => {
      const run = slide([...tiles, sliding], method)
      expect(run.end.status).toBe('completed')
      const { position, linearVelocity } = bodyIn(run, 'box')
      expect(position[0]).toBeGreaterThan(SPEED - FRICTION * g / 2 - 1e-8)
      expect(position[0]).toBeLessThan(SPEED - FRICTION * g / 2 + 1e-8)
      expect(linearVelocity[0]).toBeCloseTo(SPEED - FRICTION * g, 6)
      expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThan(1e-9)
    })
  })
})

describe('a floor of one body a tile', () => {
  const tiles = floors['of one body a tile']
  const others = {
    'a disc': [{ type: 'cylinder', radius: 0.1, height: 0.1 }, 0.05, {}],
    'a cone': [{ type: 'cone', radius: 0.1, height: 0.1 }, 0.025, {}],
    'a spinning disc': [{ type: 'cylinder', radius: 0.1, height: 0.1 }, 0.05, { angularVelocity: [0, 0, 12] }],
    'a ball': [{ type: 'sphere', radius: 0.1 }, 0.1, {}],
  } as const
  describe.each(Object.entries(others))('%s that moves over it', (name, [shape, height, motion]) => {
    it.each([['event-driven', 3e-3], ['time-stepping', 0.015]])('has the path of one on a single floor (%s)', { tags: name === 'a ball' ? [] : ['long'] }, (method, tolerance) => {
      const body = { id: 'body', shapes: [{ ...shape, material: 'stone' }], position: [0, 0.03, height], linearVelocity: [SPEED, 0, 0], ...motion }
      const single = { id: 'floor', type: 'fixed', shapes: [{ type: 'box', size: [4, 2, 0.2], material: 'stone' }], position: [1.25, 0, -0.1] }
      const [over, alone] = [slide([...tiles, body], method), slide([single, body], method)].map(run => bodyIn(run, 'body'))
      for (let k = 0; k < 2; k++) {
        expect(Math.abs(over!.position[k]! - alone!.position[k]!)).toBeLessThan(tolerance)
        expect(Math.abs(over!.linearVelocity[k]! - alone!.linearVelocity[k]!)).toBeLessThan(2 * tolerance)
      }
    })
  })
})

describe('a tile that stands higher than the others', () => {
  it.each(['event-driven', 'time-stepping'])('stops a box at its side (%s)', method => {
    const [low, high] = [{ ...tile, size: [1, 2, 0.2] }, { ...tile, size: [1, 2, 0.2 + 2e-3] }]
    const run = slide([
      { id: 'low', type: 'fixed', shapes: [low], position: [0, 0, -0.1] }, { id: 'high', type: 'fixed', shapes: [high], position: [1, 0, -0.1] },
      box('box', [0.2, 0.2, 0.2], [0, 0.03, 0.1], { linearVelocity: [SPEED, 0, 0] }),
    ], method)
    expect(bodyIn(run, 'box', run.frames[3]!).linearVelocity[0]).toBeLessThan(SPEED / 2)
  })
})
