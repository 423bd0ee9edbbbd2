import { expect, it } from 'vitest'
import { toInner, toOuter, type Pose } from '../../../../../core/math/pose'
import { distance, scale } from '../../../../../core/math/vector'
import { Drift } from '../../../../../core/methods/time-stepping/drift'
import { between, direction, orientation, random, vector } from '../../collision/random'

it('bounds how far any point of one body has moved against the other, whatever both did together', () => {
  const r = random(5)
  const pose = (): Pose => ({ position: vector(r, 1), orientation: orientation(r) })
  for (let k = 0; k < 200; k++) {
    const [a, b, c, d] = [pose(), pose(), pose(), pose()]
    const drift = new Drift()
    expect(drift.since(a, b, 1)).toBeNaN()
    drift.mark(a, b)
    expect(drift.since(a, b, 1)).toBe(0)
    const radius = between(r, 0.1, 2)
    const point = scale(direction(r), radius)
    const moved = distance(toInner(c, toOuter(d, point)), toInner(a, toOuter(b, point)))
    expect(moved).toBeLessThanOrEqual(drift.since(c, d, radius) + 1e-12)
  }
})

it('is small where the motion was small', () => {
  const drift = new Drift()
  const at = (x: number): Pose => ({ position: [x, 0, 0], orientation: [0, 0, 0, 1] })
  drift.mark(at(0), at(1))
  expect(drift.since(at(5), at(6.001), 3)).toBeCloseTo(0.001, 12)
})
