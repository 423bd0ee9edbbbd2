import { describe, expect, it } from 'vitest'
import { carriers, inward } from '../../../../core/deformables'
import { carrierMove } from '../../../../core/deformables/contact/carrier-move'
import { flight, lead, rest, step } from '../../../../core/deformables/contact/frame-motions'
import { normalizeQuaternion, toMatrix } from '../../../../core/math/quaternion'

const random = (size: number): number => size * (2 * Math.random() - 1)

/** A carrier with random poses and velocities, whose block is 1, and a particle. */
function situation() {
  const all = carriers([1])
  const pose = (rotations: Float64Array, origins: Float64Array, centers: Float64Array): void => {
    rotations.set(toMatrix(normalizeQuaternion([random(1), random(1), random(1), random(1)])))
    for (let k = 0; k < 3; k++) {
      origins[k] = random(2)
      centers[k] = origins[k]! + random(0.5)
    }
  }
  pose(all.startRotations, all.startOrigins, all.startCenters)
  pose(all.rotations, all.origins, all.centers)
  for (let k = 0; k < 6; k++) all.velocities[k] = random(3)
  for (let r = 0; r < 3; r++) for (let c = 0; c <= r; c++) all.inverseRoots[3 * r + c] = random(1) + (r === c ? 2 : 0)
  return { all, x: Float64Array.from({ length: 9 }, () => random(3)), d: Float64Array.from({ length: 9 }, () => random(0.5)) }
}

const size = (v: ArrayLike<number>, k = 0): number => Math.hypot(v[k]!, v[k + 1]!, v[k + 2]!)

describe('the bound of motions in the frame of a carrier', () => {
  const [at, then, motion] = [new Float64Array(3), new Float64Array(3), new Float64Array(5)]
  /** Motion in the frame ÷ its bound. */
  const share = (x: Float64Array, way: number): number => {
    const away = Math.hypot(x[0]! - motion[0]!, x[1]! - motion[1]!, x[2]! - motion[2]!)
    return size(then.map((value, k) => value - at[k]!)) / (way + motion[3]! + motion[4]! * away)
  }

  it('holds for a step, for the lead of a prescribed pose, for the free flight and at rest, and is not far above the motion', () => {
    const largest = { step: 0, lead: 0, flight: 0, rest: 0 }
    for (let round = 0; round < 2000; round++) {
      const { all, x, d } = situation()
      const moved = x.map((value, k) => value + d[k]!)
      inward(all.rotations, all.origins, 0, x[0]!, x[1]!, x[2]!, at)
      carrierMove(all, 0, 0, x, d, then)
      step(all, 0, d, motion)
      largest.step = Math.max(largest.step, share(x, size(d)))

      inward(all.rotations, all.origins, 0, moved[0]!, moved[1]!, moved[2]!, then)
      rest(all, 0, motion)
      largest.rest = Math.max(largest.rest, share(x, size(d)))

      inward(all.startRotations, all.startOrigins, 0, x[0]!, x[1]!, x[2]!, at)
      lead(all, 0, motion)
      largest.lead = Math.max(largest.lead, share(x, size(d)))

      const [h, v] = [0.1, d]
      const r = [0, 1, 2].map(k => x[k]! - all.startCenters[k]!) as [number, number, number]
      const w = all.velocities.subarray(3)
      const turning = [w[1]! * r[2] - w[2]! * r[1], w[2]! * r[0] - w[0]! * r[2], w[0]! * r[1] - w[1]! * r[0]]
      const [px, py, pz] = [0, 1, 2].map(k => x[k]! + h * (v[k]! - all.velocities[k]! - turning[k]!)) as [number, number, number]
      inward(all.startRotations, all.startOrigins, 0, px, py, pz, then)
      flight(all, 0, h, motion)
      largest.flight = Math.max(largest.flight, share(x, h * size(v)))
    }
    for (const most of Object.values(largest)) {
      expect(most).toBeLessThanOrEqual(1 + 1e-12)
      expect(most).toBeGreaterThan(0.5)
    }
  })
})
