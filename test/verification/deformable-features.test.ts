/**
 * Edges and triangles of deformables against bodies and each other: elements do not pass through each other. Crossings are counted by exact volumes,
 * independently of the engine.
 */

import { describe, expect, it } from 'vitest'
import type { Frame } from '../../core/trajectory/frame'
import { crossings } from './crossings'
import { runDeformables as run, type DeformableRun } from './deformable-runs'
import { bodyAt, box, floor, sceneOf } from './support'

const settings = { duration: 0.3, outputRate: 60, timeStepping: { step: 1 / 120 } }
const cotton = { damping: 0.02, stretchWarp: 200, stretchWeft: 200, shear: 20 }

type Sheet = ReturnType<typeof sheet>

/** n × m cells with vertices at the positions given by `at`. */
function sheet(n: number, m: number, at: (i: number, j: number) => readonly number[]) {
  const vertices: (readonly number[])[] = []
  const triangles: number[][] = []
  for (let i = 0; i <= n; i++) for (let j = 0; j <= m; j++) vertices.push(at(i, j))
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      const [a, b, c, d] = [i * (m + 1) + j, (i + 1) * (m + 1) + j, (i + 1) * (m + 1) + j + 1, i * (m + 1) + j + 1]
      triangles.push(...((i + j) % 2 === 0 ? [[a, b, c], [a, c, d]] : [[a, b, d], [b, c, d]]))
    }
  }
  return { type: 'cloth', material: 'stone', vertices, triangles }
}

/** Crossings of sheets with themselves and each other, in all frames together. */
function crossed({ deformables }: DeformableRun, sheets: readonly Sheet[]): number {
  let first = 0
  const triangles = sheets.flatMap(({ vertices, triangles: own }) => {
    const shifted = own.map(triangle => triangle.map(vertex => vertex + first))
    first += vertices.length
    return shifted
  })
  return deformables.reduce((sum, { position }) => sum + crossings(position, triangles), 0)
}

/** Edges of a box of given size that pass through triangles of a sheet, and the other way round, in one frame. */
function throughBox(position: ArrayLike<number>, { triangles }: Sheet, frame: Frame, body: number, half: readonly number[]): number {
  const { position: [x, y, z], orientation: [a, b, c, w] } = bodyAt(frame, body)
  const count = position.length / 3
  const all = [...Array.from(position)]
  for (let k = 0; k < 8; k++) {
    const [px, py, pz] = [0, 1, 2].map(axis => half[axis]! * ((k >> axis) % 2 === 0 ? -1 : 1)) as [number, number, number]
    const [tx, ty, tz] = [2 * (b! * pz - c! * py), 2 * (c! * px - a! * pz), 2 * (a! * py - b! * px)]
    all.push(x! + px + w! * tx + b! * tz - c! * ty, y! + py + w! * ty + c! * tx - a! * tz, z! + pz + w! * tz + a! * ty - b! * tx)
  }
  const faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]
  return crossings(all, [...triangles, ...faces.flatMap(([p, q, r, s]) => [[p!, q!, r!], [p!, r!, s!]].map(face => face.map(k => count + k)))])
}

const deepest = ({ contacts }: DeformableRun): number => Math.max(0, ...contacts.flatMap(({ gap }) => [...gap].map(value => -value)))

it('the count of crossings sees an edge through a triangle, and none beside it', () => {
  const at = (x: number): number => crossings([0, 0, 0, 1, 0, 0, 0, 1, 0, x, 0.2, -1, x, 0.2, 1, x + 3, 0.3, 0.5], [[0, 1, 2], [3, 4, 5]])
  expect([at(0.2), at(0.9)]).toEqual([2, 0])
})

describe('a box that falls into one cell of a coarse net', () => {
  const net = sheet(2, 2, (i, j) => [i - 1, j - 1, 0])
  const pins = [0, 1, 2, 3, 5, 6, 7, 8]
  const result = run(sceneOf([box('b', [0.2, 0.2, 0.2], [0.4, 0.3, 0.2])], 0.3, { ...settings, duration: 0.6 },
    { deformables: [{ id: 'n', ...net, ...cotton, stretchWarp: 5000, stretchWeft: 5000, shear: 500, pins }] }))
  it('is caught by the inside of its triangles and edges, where no vertex is near', () => {
    expect(result.frames.every(frame => bodyAt(frame, 0).position[2]! > -0.1)).toBe(true)
    expect(deepest(result)).toBeLessThan(1e-9)
  })
  it('never has a corner or an edge through the net', () => {
    result.frames.forEach((frame, k) => expect(throughBox(result.deformables[k]!.position, net, frame, 0, [0.1, 0.1, 0.1])).toBe(0))
  })
})

it('a thin bar that falls across a rope does not cut its segments', () => {
  const bar = box('bar', [0.02, 0.6, 0.004], [0.07, 0, 0.05], { linearVelocity: [0, 0, -2] })
  const rope = { id: 'r', type: 'rope', material: 'stone', radius: 0.004, points: [[-0.5, 0, 0], [0.5, 0, 0]], segments: 4, linearDensity: 0.2, damping: 0.01, axialStiffness: 2000,
    attachments: [{ vertex: 0, body: null }, { vertex: 4, body: null }] }
  const result = run(sceneOf([bar], 0.4, settings, { deformables: [rope] }))
  result.frames.forEach((frame, k) => {
    const { position } = result.deformables[k]!
    const segments: [number, number][] = [[0, 1], [1, 2], [2, 3], [3, 4]]
    const none = { ...sheet(1, 1, () => [0, 0, 0]), triangles: [] as number[][] }
    expect(throughBox(position, { ...none, triangles: segments.map(([a, b]) => [a, b, b]) }, frame, 0, [0.01, 0.3, 0.002])).toBe(0)
    expect(bodyAt(frame, 0).position[2]!).toBeGreaterThan(Math.min(...[0, 1, 2, 3, 4].map(v => position[3 * v + 2]!)))
  })
  expect(deepest(result)).toBeLessThan(1e-9)
})

it('three layers that fall on each other on the ground do not cross', { tags: 'long' }, () => {
  const layers = [0, 1, 2].map(k => sheet(4, 4, (i, j) => [i / 12 - 0.17 + 0.013 * k, j / 12 - 0.17 + 0.017 * k, 0.015 + 0.02 * k]))
  const result = run(sceneOf([floor], 0.3, { ...settings, duration: 0.25 }, { deformables: layers.map((layer, k) => ({ id: `l${k}`, ...layer, ...cotton })) }))
  expect(crossed(result, layers)).toBe(0)
  expect(deepest(result)).toBeLessThan(1e-9)
  const lowest = (k: number): number => Math.min(...result.deformables.at(-1)!.position.filter((_, c) => c % 3 === 2 && Math.floor(c / 75) === k))
  expect(lowest(2)).toBeGreaterThan(lowest(0) + 0.015)
})

it('a box thrown into a hanging sheet does not pass it, nor the sheet itself', { tags: 'long' }, () => {
  const hanging = sheet(6, 6, (i, j) => [0, i / 6 - 0.5, j / 6])
  const pins = [0, 1, 2, 3, 4, 5, 6].map(i => 7 * i + 6)
  const load = box('w', [0.2, 0.2, 0.2], [-0.2, 0.03, 0.42], { linearVelocity: [4, 0, 1], angularVelocity: [1, 2, 3] })
  const result = run(sceneOf([load], 0.3, { ...settings, duration: 0.2 }, { deformables: [{ id: 'f', ...hanging, ...cotton, arealDensity: 1, pins }] }))
  expect(crossed(result, [hanging])).toBe(0)
  result.frames.forEach((frame, k) => expect(throughBox(result.deformables[k]!.position, hanging, frame, 0, [0.1, 0.1, 0.1])).toBe(0))
})

it('a folded sheet between two boxes that close stays untangled', () => {
  const folded = sheet(8, 2, (i, j) => [i < 4 ? i / 20 : (8 - i) / 20, j / 20, i < 4 ? 0 : 0.04])
  const restUV = folded.vertices.map((_, k) => [Math.floor(k / 3) / 20, (k % 3) / 20])
  const jaw = (id: string, z: number, v: number): object => box(id, [0.4, 0.3, 0.05], [0.1, 0.05, z], { type: 'kinematic', linearVelocity: [0, 0, v] })
  const result = run(sceneOf([jaw('low', -0.04, 0.08), jaw('high', 0.08, -0.08)], 0.3, settings, { gravity: [0, 0, 0], deformables: [{ id: 'f', ...folded, ...cotton, restUV }] }))
  expect(result.status).toBe('completed')
  expect(crossed(result, [folded])).toBe(0)
})

it('a flat sheet between a box that rises and one that falls is pressed by both, and nothing passes through', () => {
  const flat = sheet(6, 4, (i, j) => [i / 20, j / 20, 0])
  const boxes = [
    box('low', [0.4, 0.3, 0.05], [0.15, 0.1, -0.035], { type: 'kinematic', linearVelocity: [0, 0, 0.05] }),
    box('high', [0.4, 0.3, 0.05], [0.15, 0.1, 0.045], { linearVelocity: [0, 0, -0.5] }),
  ]
  const result = run(sceneOf(boxes, 0.3, settings, { deformables: [{ id: 'f', ...flat, ...cotton }] }))
  expect(result.status).toBe('completed')
  expect(crossed(result, [flat])).toBe(0)
  for (const body of [0, 1]) {
    result.frames.forEach((frame, k) => expect(throughBox(result.deformables[k]!.position, flat, frame, body, [0.2, 0.15, 0.025])).toBe(0))
    const { bodyA, bodyB } = result.contacts.at(-1)!
    expect([...bodyA, ...bodyB]).toContain(body)
  }
  expect(deepest(result)).toBeLessThan(1e-9)
  // 5 cm of box and 1 cm of cloth between their middles.
  expect(bodyAt(result.frames.at(-1)!, 1).position[2]! - bodyAt(result.frames.at(-1)!, 0).position[2]!).toBeCloseTo(0.06, 8)
})

it('a sheet folded into three layers falls on the ground and does not cross itself', { tags: 'long' }, () => {
  const folded = sheet(9, 2, (i, j) => [(i <= 3 ? i : i <= 6 ? 6 - i : i - 6) / 20, j / 20, 0.02 + (i <= 3 ? 0 : i <= 6 ? 0.03 : 0.06)])
  const restUV = folded.vertices.map((_, k) => [Math.floor(k / 3) / 20, (k % 3) / 20])
  const result = run(sceneOf([floor], 0.3, settings, { deformables: [{ id: 'f', ...folded, ...cotton, restUV }] }))
  expect(result.status).toBe('completed')
  expect(crossed(result, [folded])).toBe(0)
  expect(deepest(result)).toBeLessThan(1e-9)
})

it('a cloth that falls on a box hangs over its edges, crossed by nothing', () => {
  const cloth = sheet(7, 7, (i, j) => [i / 10 - 0.36, j / 10 - 0.34, 0.22])
  const result = run(sceneOf([box('table', [0.4, 0.4, 0.4], [0, 0, 0], { type: 'fixed' })], 0.3, { ...settings, timeStepping: { step: 1 / 60 } }, { deformables: [{ id: 'c', ...cloth, ...cotton }] }))
  expect(result.status).toBe('completed')
  expect(crossed(result, [cloth])).toBe(0)
  result.frames.forEach((frame, k) => expect(throughBox(result.deformables[k]!.position, cloth, frame, 0, [0.2, 0.2, 0.2])).toBe(0))
  expect(deepest(result)).toBeLessThan(1e-9)
  const heights = Array.from({ length: 64 }, (_, v) => result.deformables.at(-1)!.position[3 * v + 2]!)
  expect(Math.max(...heights)).toBeGreaterThanOrEqual(0.205 - 1e-9)
  expect(Math.min(...heights)).toBeLessThan(0.15)
})

it('a cloth that falls over a chair hangs on its back and seat, crossed by nothing', () => {
  const parts: [string, number[], number[]][] = [
    ['seat', [0.4, 0.4, 0.04], [0, 0, 0.4]], ['back', [0.04, 0.4, 0.4], [-0.18, 0, 0.62]],
    ['leg', [0.04, 0.04, 0.38], [0.18, 0.18, 0.19]], ['leg2', [0.04, 0.04, 0.38], [0.18, -0.18, 0.19]],
  ]
  const cloth = sheet(8, 6, (i, j) => [i / 10 - 0.45, j / 10 - 0.3, 0.86])
  const chair = parts.map(([id, size, at]) => box(id, size, at, { type: 'fixed' }))
  const result = run(sceneOf(chair, 0.4, { ...settings, duration: 0.4, timeStepping: { step: 1 / 60 } }, { deformables: [{ id: 'c', ...cloth, ...cotton }] }))
  expect(result.status).toBe('completed')
  expect(crossed(result, [cloth])).toBe(0)
  parts.forEach(([, size], body) => {
    const half = size.map(x => x / 2)
    result.frames.forEach((frame, k) => expect(throughBox(result.deformables[k]!.position, cloth, frame, body, half)).toBe(0))
  })
  // On top of the back, and below it in front.
  const heights = Array.from({ length: 63 }, (_, v) => result.deformables.at(-1)!.position[3 * v + 2]!)
  expect(Math.max(...heights)).toBeGreaterThan(0.82)
  expect(Math.min(...heights)).toBeLessThan(0.6)
})
