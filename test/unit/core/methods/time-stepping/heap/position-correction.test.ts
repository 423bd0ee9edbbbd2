/** Position correction of heaps: a queue of pairs that grows while bodies are moved. */

import { expect, it } from 'vitest'
import { rigidBody } from '../../../../../../core/dynamics/body'
import { stateLayout } from '../../../../../../core/dynamics/state-layout'
import { diagonal } from '../../../../../../core/math/matrix'
import type { Vec3 } from '../../../../../../core/math/vector'
import { HeapBodies } from '../../../../../../core/methods/time-stepping/heap/heap-bodies'
import type { HeapPairs } from '../../../../../../core/methods/time-stepping/heap/heap-pairs'
import { PositionCorrection } from '../../../../../../core/methods/time-stepping/heap/position-correction'

const GAP = 1e-6

/** Balls at these places. By default all pairs between the first one and the others. */
function balls(places: readonly Vec3[], radii: readonly number[], partnerOf = (_ball: number) => 0) {
  const bodies = new HeapBodies(stateLayout(places.map((position, index) => rigidBody({
    index, id: `b${index}`, type: 'dynamic', mass: 1, inertia: diagonal(1, 1, 1), position, orientation: [0, 0, 0, 1], boundingRadius: radii[index]!,
  }))))
  bodies.inverseMass.fill(1)
  const count = places.length - 1
  const [bodyA, bodyB] = [Int32Array.from({ length: count }, (_, k) => partnerOf(k + 1)), Int32Array.from({ length: count }, (_, k) => k + 1)]
  let checks = 0
  /** m; with the direction out of the other ball, and the point, if `facing` is given. */
  const separation = (ball: number, facing?: Float64Array): number => {
    const { center } = bodies.end
    const partner = partnerOf(ball)
    const d = [0, 1, 2].map(j => center[3 * partner + j]! - center[3 * ball + j]!)
    const size = Math.hypot(...d)
    if (facing) checks++
    if (facing) for (let j = 0; j < 3; j++) [facing[j], facing[3 + j]] = [d[j]! / size, center[3 * ball + j]! + radii[ball]! * d[j]! / size]
    return size - radii[partner]! - radii[ball]!
  }
  const pairs = {
    bodyA, bodyB, gap: new Float64Array(count).fill(GAP), least: () => -1, bound: () => undefined,
    manifold: () => ({ separation: (_: unknown, _a: number, b: number, facing: Float64Array) => separation(b, facing) }),
  }
  const correction = new PositionCorrection(pairs as unknown as HeapPairs, bodies)
  const list = Int32Array.from({ length: count }, (_, k) => k)
  correction.begin(list, count)
  const begin = (): void => { correction.begin(list, count) }
  return { bodies, correction, begin, correct: () => correction.correct(list, count), separations: () => [...bodyB].map(ball => separation(ball)), checks: () => checks }
}

it('separates more pairs than overlap at first: a ball pushed into a shell of 200 that touch it', () => {
  // Fibonacci's points on a sphere of radius 10.5.
  const shell = Array.from({ length: 200 }, (_, k): Vec3 => {
    const [z, angle] = [1 - (2 * k + 1) / 200, k * Math.PI * (3 - Math.sqrt(5))]
    const r = 10.5 * Math.sqrt(1 - z * z)
    return [r * Math.cos(angle), r * Math.sin(angle), 10.5 * z]
  })
  shell[199] = shell[199]!.map(x => 0.999 * x) as unknown as Vec3
  const { correction, correct, separations } = balls([[0, 0, 0], ...shell], [10, ...shell.map(() => 0.5)])
  expect(separations().filter(separation => separation < -1e-9)).toHaveLength(1)
  expect(correct()).toBe(true)
  expect(Math.min(...separations())).toBeGreaterThanOrEqual(0)
  expect(correction.moved.size).toBeGreaterThan(100)
  expect(correction.most).toBeLessThan(0.02)
})

it('lifts a column of forty balls off a fixed ball in fewer than 400 checks a ball, where plain Gauss–Seidel needs 2,400', () => {
  const places = Array.from({ length: 41 }, (_, k): Vec3 => [0, 0, k === 0 ? 0 : k - 1e-3])
  const { bodies, correct, separations, checks } = balls(places, places.map(() => 0.5), ball => ball - 1)
  bodies.inverseMass[0] = 0
  expect(correct()).toBe(true)
  expect(Math.min(...separations())).toBeGreaterThanOrEqual(0)
  expect(checks()).toBeLessThan(400 * 40)
})

it('corrects a second heap as the first: nothing is left of an earlier one, nor of the pairs that a correction did not reach', () => {
  const column = (k: number): Vec3 => [0, 0, k === 0 ? 0 : k - 1e-3]
  const places = Array.from({ length: 101 }, (_, k): Vec3 => column(k))
  const first = balls(places, places.map(() => 0.5), ball => ball - 1)
  first.bodies.inverseMass[0] = 0
  expect(first.correct()).toBe(true)
  const { center } = first.bodies.end
  const height = center[300]!
  const { most } = first.correction
  const { size } = first.correction.moved
  expect(size).toBe(100)
  expect(most).toBeGreaterThanOrEqual(1e-3)
  // Repeats the correction from the same positions.
  for (let k = 0; k < places.length; k++) center[3 * k + 2] = places[k]![2]
  const before = first.checks()
  first.begin()
  expect(first.correction.moved.size).toBe(0)
  expect(first.correction.most).toBe(0)
  expect(first.correct()).toBe(true)
  expect(first.checks()).toBe(2 * before)
  expect(center[300]).toBe(height)
  expect(first.correction.most).toBe(most)
})

it('gives up on a ball between two fixed ones that are too close after a bounded number of checks, without pushing it through one, and starts anew', () => {
  for (const overlap of [1e-3, 0.01, 0.1]) {
    const { bodies, correct, checks, correction } = balls([[0, 0, 0], [1 - overlap, 0, 0], [2 - 2 * overlap, 0, 0]], [0.5, 0.5, 0.5], ball => ball - 1)
    bodies.inverseMass[0] = bodies.inverseMass[2] = 0
    const { center } = bodies.end
    expect(correct()).toBe(false)
    expect([...correction.moved]).toEqual([1])
    expect(checks()).toBeLessThan(100_000)
    expect(Math.abs(center[3]! - (1 - overlap))).toBeLessThanOrEqual(4 * overlap)
    // With room for it: both pairs are queued again, and the relaxation starts from one.
    center[6] = 2.1
    center[3] = 1 - overlap
    expect(correct()).toBe(true)
    expect(center[3]).toBeCloseTo(1 + GAP, 12)
  }
})
