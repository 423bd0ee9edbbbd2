/** Impulses of a step are the initial guess of the next one, for the rows of joints, limits and drives, scaled by the lengths of the steps. */

import { expect, it } from 'vitest'
import type { LocalScales } from '../../../../../core/methods/time-stepping/local-scales'
import { ImpulseMemory } from '../../../../../core/methods/time-stepping/memory'
import type { StepIsland } from '../../../../../core/methods/time-stepping/step-island'

/** Two joints, of three rows and of two, a drive, a limit, and three rows of friction; `p` of its rows. */
function island(h: number, p: Float64Array): StepIsland {
  const problem = { p, basis: Uint8Array.from(p, (_, i) => i % 2), slip: new Float64Array(0), warm: true, spin: [] }
  return {
    h, kickTime: h, mode: 'contact', constraints: [], problem, leapfrog: true, endKick: null, led: new Float64Array(p.length), leads: () => p.map(impulse => impulse / 2),
    joints: [{ index: 4, element: { constraint: { rows: 3 } }, firstRow: 1 }, { index: 9, element: { constraint: { rows: 2 } }, firstRow: 5 }],
    drives: [{ drive: { source: 'motor', joint: 4, coordinate: 0 }, row: 4 }], spins: [{ of: { joint: { joint: 9 } }, rows: { rows: [7, 8, 9] } }], limits: [{ joint: 9, coordinate: 0, side: 'upper', row: 0 }],
  } as unknown as StepIsland
}

it('recalls the values of every known row, and zero for new rows', () => {
  const memory = new ImpulseMemory({} as LocalScales)
  const solved = island(0.5, Float64Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
  memory.keep([solved], [])
  const next = island(0.25, new Float64Array(10))
  memory.recall(next)
  expect([...next.problem!.p]).toEqual([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5])
  expect([...next.led]).toEqual([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5])
  expect([...next.problem!.basis]).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
  expect(next.problem!.warm).toBe(true)
  memory.keep([], [solved])
  const fresh = island(0.01, new Float64Array(10))
  memory.recall(fresh)
  expect([...fresh.problem!.p]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  expect(fresh.problem!.warm).toBe(false)
})

/** Three contacts at rows 0, 1 and 4, of which the first has no friction; along z, with tangents x and y. */
function touching(h: number, p: Float64Array, basis: Uint8Array, slip: Float64Array): StepIsland {
  const contact = (k: number, row: number, friction: number) => ({
    row, friction, spins: [], touches: true, pressed: false, at: { point: [k, 0, 0], normal: [0, 0, 1] }, tangent1: [1, 0, 0], tangent2: [0, 1, 0],
    constraint: { key: `c${k}`, pair: { collider: colliders[k], bodyA: k, bodyB: 9 } },
    impulse: (of: Float64Array) => [friction > 0 ? of[row + 1]! : 0, friction > 0 ? of[row + 2]! : 0, of[row]!], angularImpulse: () => [0, 0, 0],
  })
  return {
    h, kickTime: h, mode: 'contact', joints: [], drives: [], limits: [], spins: [], constraints: [contact(0, 0, 0), contact(1, 1, 0.5), contact(2, 4, 0.3)],
    problem: { p, basis, slip, warm: true, spin: [] }, leapfrog: true, endKick: null, led: new Float64Array(p.length), leads: () => p.map(impulse => impulse / 2),
  } as unknown as StepIsland
}
const colliders = [{}, {}, {}]

it('recalls impulses, index sets and slip directions of contacts, each in its own rows', () => {
  const memory = new ImpulseMemory({ size: () => 1 } as unknown as LocalScales)
  const [basis, slip] = [Uint8Array.from([0, 1, 2, 2, 0, 3, 3]), Float64Array.from([0.6, 0.8, -0.8, 0.6])]
  memory.keep([touching(0.5, Float64Array.from([1, 2, 3, 4, 5, 6, 7]), basis, slip)], [])
  const next = touching(0.25, new Float64Array(7), new Uint8Array(7), new Float64Array(4))
  memory.press(next)
  memory.recall(next)
  expect([...next.problem!.p]).toEqual([0.5, 1, 1.5, 2, 2.5, 3, 3.5])
  expect([...next.problem!.basis]).toEqual([...basis])
  expect([...next.problem!.slip]).toEqual([...slip])
  expect(next.constraints.map(({ pressed }) => pressed)).toEqual([true, true, true])
  expect(next.problem!.warm).toBe(true)
})

it('recalls impulses bit for bit for rows that persist, however their normals are tilted', () => {
  const memory = new ImpulseMemory({ size: () => 1 } as unknown as LocalScales)
  const tilted = (p: Float64Array): StepIsland => {
    const found = touching(0.5, p, new Uint8Array(7), new Float64Array(4))
    for (const active of found.constraints) {
      const [normal, tangent1, tangent2] = [[0.48, 0.6, 0.64], [0.8, -0.6, 0], [0.384, 0.512, -0.768]] as const
      const impulse = (of: Float64Array): number[] => normal.map((n, k) =>
        n * of[active.row]! + (active.friction > 0 ? tangent1[k]! * of[active.row + 1]! + tangent2[k]! * of[active.row + 2]! : 0))
      Object.assign(active, { at: { point: active.at.point, normal }, tangent1, tangent2, impulse })
    }
    return found
  }
  const solved = Float64Array.from([1 / 3, 2 / 7, 0.1, -0.2, 5 / 9, 0.3, 0.7])
  memory.keep([tilted(solved)], [])
  const next = tilted(new Float64Array(7))
  memory.recall(next)
  expect([...next.problem!.p]).toEqual([...solved])
})
