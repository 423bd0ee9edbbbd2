import { describe, expect, it } from 'vitest'
import { MovingBalls } from '../../../../core/deformables/contact/moving-balls'
import { BoxTree } from '../../../../core/math/box-tree'

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2147483648 - 1
  }
}

describe('balls around moving elements', () => {
  const next = random(7)
  const count = 60
  const P0 = Float64Array.from({ length: 3 * count }, (_, k) => Math.floor(k / 6) * 0.05 + 0.1 * next())
  const P1 = P0.map(value => value + 0.3 + 0.05 * next())
  const edges = Int32Array.from({ length: count }, (_, k) => k)
  const triangles = Int32Array.from({ length: count }, (_, k) => k)
  const at = (p: number, t: number): number[] => [0, 1, 2].map(k => (1 - t) * P0[3 * p + k]! + t * P1[3 * p + k]!)
  const between = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((x, k) => x - b[k]!))
  /** Points of an element at an instant. */
  const samples = (own: readonly number[], t: number): number[][] => {
    const corners = own.map(p => at(p, t))
    return [0, 0.25, 0.5, 1].flatMap(s => corners.map((corner, i) => corner.map((x, k) => (1 - s) * x + s * corners[(i + 1) % corners.length]![k]!)))
  }

  it('bound the distance of two edges, and of a triangle and a point, during their motion', () => {
    const [ofEdges, ofTriangles] = [new MovingBalls(edges, 2), new MovingBalls(triangles, 3)]
    ofEdges.enclose(P0, P1)
    ofTriangles.enclose(P0, P1)
    let positive = 0
    const check = (bound: number, one: readonly number[], two: readonly number[]): void => {
      if (bound > 0) positive++
      for (const t of [0, 0.3, 0.7, 1]) for (const p of samples(one, t)) for (const q of samples(two, t)) expect(between(p, q)).toBeGreaterThanOrEqual(bound)
    }
    for (let e = 0; e < 30; e += 3) for (let f = e + 1; f < 30; f += 4) check(ofEdges.gap(e, f), [2 * e, 2 * e + 1], [2 * f, 2 * f + 1])
    for (let e = 0; e < 20; e += 3) for (let p = 0; p < count; p += 7) check(ofTriangles.gapToPoint(e, P0, P1, p), [3 * e, 3 * e + 1, 3 * e + 2], [p])
    expect(positive).toBeGreaterThan(20)
  })
})

it('a tree of boxes finds each pair of its own elements once, in the order of the search with itself', () => {
  const next = random(3)
  const tree = new BoxTree(50, Float64Array.from({ length: 150 }, () => next()))
  for (let e = 0; e < 50; e++) for (let k = 0; k < 3; k++) {
    const middle = next()
    tree.boxes[6 * e + k] = middle - 0.4
    tree.boxes[6 * e + 3 + k] = middle + 0.4
  }
  tree.refit()
  const [own, all]: [number[][], number[][]] = [[], []]
  tree.ownPairs((a, b) => own.push([a, b]))
  tree.pairs(tree, (a, b) => { if (a < b) all.push([a, b]) })
  expect(own.length).toBeGreaterThan(10)
  expect(own).toEqual(all)
})
