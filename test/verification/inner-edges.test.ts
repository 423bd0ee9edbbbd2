/** Bodies slide over the edges between the pieces of a surface as over the surface itself. */

import { describe, expect, it } from 'vitest'
import { heightSolid } from '../../core/formats/shared/height-field'
import { surfacePlates } from '../../core/geometry/surface-plates'
import type { Mesh } from '../../core/geometry/mesh'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import { box, recorded, sceneOf, worst } from './support'

const CELLS = 6
const SLOPE = Math.atan2(1, 4)

/** A square of 2 m of triangles with a slope of 1 : 4 and waves of the given height. */
function surface(waves: number): Mesh {
  const n = CELLS
  const vertices = Array.from({ length: (n + 1) ** 2 }, (_, k) => {
    const [x, y] = [-1 + 2 * (k % (n + 1)) / n, -1 + 2 * Math.floor(k / (n + 1)) / n]
    return [x, y, x / 4 + waves * Math.sin(50 * x + 31 * y)] as const
  })
  const faces = Array.from({ length: n * n }, (_, k) => k + Math.floor(k / n)).flatMap(k => [[k, k + 1, k + n + 2], [k, k + n + 2, k + n + 1]])
  return { vertices, faces }
}

const grounds = {
  plates(mesh: Mesh) {
    const { surface: { vertices, faces }, pieces } = surfacePlates(mesh)
    return { vertices, faces, pieces: pieces.map(points => ({ points })) }
  },
  columns: (mesh: Mesh) => heightSolid({
    columns: CELLS + 1, rows: CELLS + 1, heights: Float64Array.from(mesh.vertices, ([, , z]) => z), half: [1, 1], base: 1,
  }),
}

/** How far a frictionless box slides on a surface from rest in 0.8 s, ÷ its way on a plane. */
function slid(kind: keyof typeof grounds, waves: number, [x, y]: readonly [number, number], method: string): number {
  const gap = 0.1 + 2.5 * waves + 2e-7
  const from = [x - gap * Math.sin(SLOPE), y, x / 4 + gap * Math.cos(SLOPE)]
  const run = recorded(sceneOf([
    { id: 'ground', type: 'fixed', shapes: [{ type: 'mesh', ...grounds[kind](surface(waves)), material: 'stone' }] },
    box('box', [0.2, 0.2, 0.2], from, { orientation: [0, Math.sin(-SLOPE / 2), 0, Math.cos(SLOPE / 2)] }),
  ], 0, { method, duration: 0.8, outputRate: 10 }))
  expect(run.end.status).toBe('completed')
  expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThan(1e-9)
  const [first, last] = [run.frames[0]!.bodies.subarray(BODY_STRIDE), run.frames.at(-1)!.bodies.subarray(BODY_STRIDE)]
  return Math.hypot(last[0]! - first[0]!, last[2]! - first[2]!) / (9.81 * Math.sin(SLOPE) * 0.8 ** 2 / 2)
}

// Where it meets a piece from the side, it loses 5 to 30 % of the distance. It falls onto the waves first, and tilts on them: with the highest ones the path
// itself depends on them.
describe.each([[1e-8, 2e-4], [1e-6, 5e-4], [1e-5, 1e-3], [1e-4, 3e-3], [1e-3, 0.015]])('a frictionless box on a slope with waves of %f m', (waves, tolerance) => {
  it.each(['plates', 'columns'] as const)('slides as far as on a plane: %s', kind => {
    for (const start of [[0.7, 0.03], [0.65, 0.03], [0.6, 0.11]] as const) expect(Math.abs(slid(kind, waves, start, 'time-stepping') - 1)).toBeLessThan(tolerance)
  })
})

describe.each([[1e-8, 2e-3], [1e-5, 1e-3]])('the same by the event-driven method, with waves of %f m', (waves, tolerance) => {
  it.each(['plates', 'columns'] as const)('%s', { tags: 'long' }, kind => {
    expect(Math.abs(slid(kind, waves, [0.7, 0.03], 'event-driven') - 1)).toBeLessThan(tolerance)
  })
})
