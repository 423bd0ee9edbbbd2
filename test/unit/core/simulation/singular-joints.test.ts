import { describe, expect, it } from 'vitest'
import { check } from '../../../../core/simulation'

type Point = readonly [number, number]
const at = ([x, z]: Point): [number, number, number] => [x, 0, z]

function bar(id: string, [ax, az]: Point, [bx, bz]: Point): object {
  const angle = Math.atan2(az - bz, bx - ax)
  return {
    id, position: [(ax + bx) / 2, 0, (az + bz) / 2], orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)],
    shapes: [{ type: 'box', size: [Math.sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az)), 0.05, 0.05], material: 'steel' }],
  }
}

/** Bars from each pin to the next, hinged to each other and at both ends to the world. */
function linkage(...pins: Point[]): { bodies: object[]; joints: object[] } {
  const bars = pins.slice(1).map((_, i) => `bar-${i}`)
  return {
    bodies: bars.map((id, i) => bar(id, pins[i]!, pins[i + 1]!)),
    joints: pins.map((pin, i) => ({ id: `pin-${i}`, type: 'hinge', bodyA: bars[i - 1] ?? null, bodyB: bars[i] ?? null, anchor: at(pin), axis: [0, 1, 0] }))
      .map(joint => joint.bodyA === null ? { ...joint, bodyA: joint.bodyB, bodyB: null } : joint),
  }
}

function singular(parts: { bodies: object[]; joints: object[] }, simulation: object = {}): string[] {
  const { problems } = check({
    format: 'cairn-scene', version: 1, materials: [{ id: 'steel', density: 7800, friction: { static: 0.3, dynamic: 0.3 } }], ...parts, simulation,
  })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return problems.filter(({ name }) => name === 'SingularPosition').map(({ message }) => message)
}

describe('a closed chain of joints', () => {
  it.each<[string, Point[]]>([
    ['a four-bar linkage pulled straight', [[0, 1], [1, 1], [2, 1], [3, 1]]],
    ['the same, oblique', [[0, 1], [0.6, 1.8], [1.2, 2.6], [1.8, 3.4]]],
    ['two bars in line', [[0, 1], [1, 1], [3, 1]]],
    ['a linkage of five bars pulled straight', [[0, 1], [1, 1], [2, 1], [3, 1], [4, 1], [5, 1]]],
  ])('locks: %s', (_, pins) => {
    expect(singular(linkage(...pins))).toEqual([expect.stringMatching(/^joints "pin-0", .* and "pin-\d" lock each other at the start/)])
  })

  it.each<[string, Point[]]>([
    ['a parallelogram folded flat', [[0, 1], [1, 1], [4, 1], [3, 1]]],
    ['a crank folded back onto its coupler, with the rocker in line', [[0, 1], [-1, 1], [2, 1], [3, 1]]],
  ])('is in a position where motions branch: %s', (_, pins) => {
    expect(singular(linkage(...pins))).toEqual([expect.stringContaining('singular position')])
  })

  it.each<[string, Point[]]>([
    ['a four-bar linkage', [[0, 1], [0.5, 1.5], [2, 2], [2.5, 1]]],
    ['a dead centre of its rocker alone', [[0, 1], [1, 1], [3, 1], [3, 3]]],
    ['a parallelogram', [[0, 1], [0.5, 2], [3.5, 2], [3, 1]]],
    ['a triangle, which is rigid', [[0, 1], [1, 2], [2, 1]]],
  ])('moves, or holds with finite forces: %s', (_, pins) => {
    expect(singular(linkage(...pins))).toEqual([])
  })

  it('may be redundant: a door with two hinges, one with three', () => {
    for (const count of [2, 3]) {
      const joints = Array.from({ length: count }, (_, i) => ({ id: `hinge-${i}`, type: 'hinge', bodyA: 'door', bodyB: null, anchor: [0, 0, 1 + 0.4 * i], axis: [0, 0, 1] }))
      expect(singular({ bodies: [{ ...bar('door', [0, 1], [1, 1]) }], joints })).toEqual([])
    }
  })

  it('is found for rods, and in the plane', () => {
    const ball = { id: 'ball', position: [0, 0, 2], shapes: [{ type: 'sphere', radius: 0.1, material: 'steel' }] }
    const rod = (id: string, anchor: number[]) => ({ id, type: 'distance', bodyA: 'ball', bodyB: null, anchor: [0, 0, 2], anchorB: anchor })
    const taut = { bodies: [ball], joints: [rod('left', [-1, 0, 2]), rod('right', [1, 0, 2])] }
    const slanted = { bodies: [ball], joints: [rod('left', [-1, 0, 3]), rod('right', [1, 0, 3])] }
    expect(singular(taut)).toHaveLength(1)
    expect(singular(slanted)).toEqual([])
    expect(singular(linkage([0, 1], [1, 1], [2, 1], [3, 1]), { dimensions: 2 })).toHaveLength(1)
    expect(singular(linkage([0, 1], [0.5, 1.5], [2, 2], [2.5, 1]), { dimensions: 2 })).toEqual([])
  })
})
